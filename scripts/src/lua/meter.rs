//! Meters a Lua machine: every safepoint costs fuel, held memory costs toil, and calls nest only so deep.

use super::trace;
use crate::budget::{Account, Stop};
use mlua::{Lua, VmState};
use std::cell::Cell;
use std::rc::Rc;

/// Bytes above what the files need that nobody is charged for: short-lived garbage of ordinary hooks.
const FREE: usize = 768 << 10;

/// Every so many safepoints the depth of calls is looked at.
#[cfg(feature = "luau")]
const LOOK_EVERY: u64 = 64;
#[cfg(feature = "lua54")]
const LOOK_EVERY: u64 = 8;

/// Fuel of one safepoint: a call or a turn of a loop.
#[cfg(feature = "luau")]
const COST: u64 = 1;
/// Fuel of one safepoint: about as many calls or turns as fit between two.
#[cfg(feature = "lua54")]
const COST: u64 = 8;

/// Instructions between two safepoints.
#[cfg(feature = "lua54")]
const INSTRUCTIONS: u32 = 100;

/// What stands at every safepoint of a machine.
pub(super) struct Meter(Rc<Point>);

struct Point {
    account: Account,
    /// Bytes that a script may hold for nothing.
    usual: usize,
    weight: u64,
    /// Where pack code was when it was stopped, as file number and line.
    stopped_at: Cell<Option<(usize, u32)>>,
}

impl Meter {
    /// Bounds memory above what is used now, and makes every safepoint pay.
    pub(super) fn install(lua: &Lua, account: &Account, weight: u64) -> mlua::Result<Meter> {
        lua.gc_collect()?;
        let used = lua.used_memory();
        lua.set_memory_limit(used + account.limits().memory)?;
        let stopped_at = Cell::new(None);
        let meter = Meter(Rc::new(Point { account: account.clone(), usual: used + FREE, weight, stopped_at }));
        meter.watch(lua)?;
        Ok(meter)
    }

    /// Where the last stop met pack code.
    pub(super) fn stopped_at(&self) -> Option<(usize, u32)> {
        self.0.stopped_at.take()
    }

    #[cfg(feature = "luau")]
    fn watch(&self, lua: &Lua) -> mlua::Result<()> {
        let point = Rc::clone(&self.0);
        lua.set_interrupt(move |lua| point.pass(lua).map(|()| VmState::Continue).map_err(stopped));
        Ok(())
    }

    /// Before each call; the machine counts no further than a call, so there is nothing to do.
    #[cfg(feature = "luau")]
    #[expect(clippy::unused_self, reason = "the other flavour needs it")]
    pub(super) fn begin(&self, _: &Lua) -> mlua::Result<()> {
        Ok(())
    }

    #[cfg(feature = "lua54")]
    fn watch(&self, lua: &Lua) -> mlua::Result<()> {
        let triggers = mlua::debug::HookTriggers::new().every_nth_instruction(INSTRUCTIONS);
        let point = Rc::clone(&self.0);
        lua.set_global_hook(triggers, move |lua, _| point.pass(lua).map(|()| VmState::Continue).map_err(stopped))
    }

    /// Before each call: instructions of earlier calls must not count for this one.
    #[cfg(feature = "lua54")]
    pub(super) fn begin(&self, lua: &Lua) -> mlua::Result<()> {
        self.watch(lua)
    }
}

impl Point {
    fn pass(&self, lua: &Lua) -> Result<(), Stop> {
        self.pay(lua).inspect_err(|_| {
            let level = (0..8).find_map(|level| lua.inspect_stack(level, trace::place).flatten());
            self.stopped_at.set(level);
        })
    }

    fn pay(&self, lua: &Lua) -> Result<(), Stop> {
        let ticks = self.account.spend(COST)?;
        let held = lua.used_memory();
        if held > self.usual {
            self.account.toil(((held - self.usual) as u64 >> 10).saturating_mul(self.weight))?;
        }
        let deepest = self.account.limits().depth as usize;
        if ticks.is_multiple_of(LOOK_EVERY) && lua.inspect_stack(deepest, |_| ()).is_some() {
            self.account.halt(Stop::Depth);
            return Err(Stop::Depth);
        }
        Ok(())
    }
}

fn stopped(stop: Stop) -> mlua::Error {
    mlua::Error::runtime(stop.sentence())
}

/// How much work one safepoint of these sources may hide: how often they join or compare in one stretch.
#[cfg(feature = "luau")]
pub(super) fn weight<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let heavy = |text: &str| text.matches("..").count() + text.matches(['<', '>']).count();
    texts.map(|text| heavy(text) as u64).max().unwrap_or(0) + 1
}

/// How much work one safepoint may hide: the instructions between two.
#[cfg(feature = "lua54")]
pub(super) fn weight<'a>(_texts: impl Iterator<Item = &'a str>) -> u64 {
    u64::from(INSTRUCTIONS)
}
