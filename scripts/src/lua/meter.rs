//! Meters a Lua machine: every safepoint costs fuel by the work that may lie before it, what is allocated costs fuel by
//! its size, and calls nest only so deep.
//!
//! The collector of the machine stands still but for the meter: what a stretch between two safepoints allocates is then
//! what the machine holds more at its end, and nothing depends on when the collector would have run.

use super::lint::shape::Shape;
use super::trace;
use crate::budget::{FuelMeter, ScriptStop};
use mlua::{Lua, VmState};
use std::cell::Cell;
use std::rc::Rc;

/// Bytes of garbage after which the meter collects.
const ROOM: usize = 512 << 10;

/// Allocations are paid for in steps so big that the pages of the machine hardly show.
const STEP: usize = 64 << 10;

/// Bytes allocated for one fuel.
const BYTES: usize = 64;

/// Bytes that one stretch may allocate before each later one is held to work on strings as long.
#[cfg(feature = "luau")]
const LONG: usize = 64 << 10;
#[cfg(feature = "lua54")]
const LONG: usize = 4 << 10;

/// Letters of the longest text for which all work costs once more: the machine reads a text that looks like a number
/// anew each time it is reckoned with, at no safepoint.
const LETTERS: usize = 64;

/// Every so many safepoints the depth of calls is looked at.
#[cfg(feature = "luau")]
const LOOK_EVERY: u64 = 64;
#[cfg(feature = "lua54")]
const LOOK_EVERY: u64 = 8;

/// Words of a function that one fuel pays for: a safepoint is a call or a turn of a loop, and up to the whole function
/// may lie before it.
#[cfg(feature = "luau")]
const WORDS: u64 = 16;
/// Fuel of one safepoint: about as many calls or turns as fit between two.
#[cfg(feature = "lua54")]
const COST: u64 = 8;

/// Instructions between two safepoints.
#[cfg(feature = "lua54")]
const INSTRUCTIONS: u32 = 100;

/// What stands at every safepoint of a machine.
pub(super) struct Safepoints(Rc<Point>);

struct Point {
    account: FuelMeter,
    /// Bytes that the files need.
    usual: usize,
    /// Fuel of one safepoint.
    cost: u64,
    /// Bytes held at the last safepoint.
    held: Cell<usize>,
    /// Bytes allocated and not yet paid for.
    unpaid: Cell<usize>,
    /// How long strings and tables may be, by the most that a stretch allocated, in steps of [`LONG`].
    length: Rc<Cell<u64>>,
    /// The same for the longest text that a file writes out.
    written: u64,
    /// Bytes held at which to collect.
    full: Cell<usize>,
    /// Where pack code was when it was stopped, as file number and line.
    stopped_at: Cell<Option<(usize, u32)>>,
}

/// The length that the meter of a machine keeps, where host functions find it.
struct LongestTable(Rc<Cell<u64>>);

/// By how much more a deed costs that may touch the longest string or table there is.
pub(super) fn reach(lua: &Lua) -> u64 {
    lua.app_data_ref::<LongestTable>().map_or(1, |reach| 1 + reach.0.get())
}

/// From now on until its hook ends there may be a text of so many bytes.
pub(super) fn note_text(lua: &Lua, bytes: usize) {
    if let Some(reach) = lua.app_data_ref::<LongestTable>() {
        reach.0.set(reach.0.get().max(steps(bytes)));
    }
}

fn steps(bytes: usize) -> u64 {
    (bytes / LETTERS) as u64
}

impl Safepoints {
    /// Bounds memory above what is used now, and makes every safepoint pay by the longest function and the longest text
    /// of the files.
    pub(super) fn install(lua: &Lua, account: &FuelMeter, shape: Shape) -> mlua::Result<Safepoints> {
        lua.gc_collect()?;
        lua.gc_stop();
        let usual = lua.used_memory();
        lua.set_memory_limit(usual + account.limits().memory)?;
        let written = steps(shape.text);
        let length = Rc::new(Cell::new(written));
        lua.set_app_data(LongestTable(Rc::clone(&length)));
        let meter = Safepoints(Rc::new(Point {
            account: account.clone(),
            usual,
            cost: cost(shape.longest),
            held: Cell::new(usual),
            unpaid: Cell::new(0),
            length,
            written,
            full: Cell::new(usual + ROOM),
            stopped_at: Cell::new(None),
        }));
        meter.watch(lua)?;
        Ok(meter)
    }

    /// Before each call of a hook: what others left is not its own. Gives what [`Safepoints::end`] wants.
    pub(super) fn begin(&self, lua: &Lua) -> mlua::Result<u64> {
        #[cfg(feature = "lua54")]
        self.watch(lua)?;
        let held = lua.used_memory();
        self.0.held.set(held);
        if held > self.0.full.get() {
            self.0.collect(lua)?;
        }
        self.0.unpaid.set(0);
        Ok(self.0.length.replace(self.0.written))
    }

    /// After each call of a hook.
    pub(super) fn end(&self, outer: u64) {
        self.0.length.set(outer);
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

    #[cfg(feature = "lua54")]
    fn watch(&self, lua: &Lua) -> mlua::Result<()> {
        let triggers = mlua::debug::HookTriggers::new().every_nth_instruction(INSTRUCTIONS);
        let point = Rc::clone(&self.0);
        lua.set_global_hook(triggers, move |lua, _| point.pass(lua).map(|()| VmState::Continue).map_err(stopped))
    }
}

impl Point {
    fn pass(&self, lua: &Lua) -> Result<(), ScriptStop> {
        self.pay(lua).inspect_err(|_| {
            let level = (0..8).find_map(|level| lua.inspect_stack(level, trace::place).flatten());
            self.stopped_at.set(level);
        })
    }

    fn pay(&self, lua: &Lua) -> Result<(), ScriptStop> {
        self.labour(lua)?;
        let ticks = self.account.spend(self.cost.saturating_mul(1 + self.length.get()))?;
        let deepest = self.account.limits().depth as usize;
        if ticks.is_multiple_of(LOOK_EVERY) && lua.inspect_stack(deepest, |_| ()).is_some() {
            self.account.halt(ScriptStop::Depth);
            return Err(ScriptStop::Depth);
        }
        Ok(())
    }
}

impl Point {
    /// Pays for what the stretch before allocated.
    fn labour(&self, lua: &Lua) -> Result<(), ScriptStop> {
        let held = lua.used_memory();
        let grown = held.saturating_sub(self.held.replace(held));
        self.length.set(self.length.get().max((grown / LONG) as u64));
        let unpaid = self.unpaid.get() + grown;
        self.unpaid.set(unpaid % STEP);
        self.account.spend(((unpaid - unpaid % STEP) / BYTES) as u64)?;
        if held > self.full.get() {
            self.account.spend((held >> 10) as u64)?;
            return self.collect(lua).map_err(|_| ScriptStop::Memory);
        }
        Ok(())
    }

    fn collect(&self, lua: &Lua) -> mlua::Result<()> {
        lua.gc_collect()?;
        lua.gc_stop();
        let held = lua.used_memory();
        self.held.set(held);
        self.full.set((self.usual + ROOM).max(held + ROOM / 2));
        Ok(())
    }
}

fn stopped(stop: ScriptStop) -> mlua::Error {
    mlua::Error::runtime(stop.sentence())
}

#[cfg(feature = "luau")]
fn cost(longest: u64) -> u64 {
    1 + longest / WORDS
}

/// The machine counts instructions, so that no stretch is longer than another.
#[cfg(feature = "lua54")]
fn cost(_longest: u64) -> u64 {
    COST
}
