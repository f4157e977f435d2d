//! Pools: losing, healing, paying, trading.

use crate::action::Trade;
use crate::change::{Image, Place};
use crate::error::Fault;
use crate::event::{Event, entity_field};
use crate::ident::*;
use crate::oracle::Flow;
use crate::scene::Scene;
use crate::situation::Situation;
use std::sync::Arc;

impl Scene {
    /// What is left in a pool of somebody.
    #[must_use]
    pub fn pool(&self, who: EntityId, pool: PoolId) -> i32 {
        self.state.entity(who).map_or(0, |entity| entity.pools.get(pool))
    }

    /// The most a pool of somebody holds.
    ///
    /// # Errors
    /// As the formula of the pool does.
    pub fn pool_max(&self, who: EntityId, pool: PoolId) -> Flow<i32> {
        self.reckon(Situation::of(who)).most(who, pool)
    }

    /// Whether a pool is one of those that somebody has.
    #[must_use]
    pub fn has_pool(&self, who: EntityId, pool: PoolId) -> bool {
        self.state.entity(who).is_some_and(|entity| entity.is_one_of(&self.rules.pools.get(pool).of))
    }

    /// Sets a pool within its range, and gives back by how much it changed.
    /// What a loss could not take away is `left_over` in the events.
    ///
    /// # Errors
    /// `HR0525` for somebody who has no such pool; else as the formula of the pool
    /// does.
    pub fn set_pool(&mut self, who: EntityId, pool: PoolId, to: i64, about: Situation, left_over: i32) -> Flow<i32> {
        let (least, most) = (self.rules.pools.get(pool).min, self.pool_max(who, pool)?);
        let before = self.pool(who, pool);
        let to = i32::try_from(to.clamp(i64::from(least), i64::from(most.max(least)))).unwrap_or(before);
        if to != before {
            self.needs_pool(who, pool)?;
            self.change(Place::Pool(who, pool), Image::Number(to))?;
            self.tell_pool(who, pool, before, to, about, left_over)?;
        }
        Ok(to.saturating_sub(before))
    }

    fn needs_pool(&self, who: EntityId, pool: PoolId) -> Flow<()> {
        if self.has_pool(who, pool) {
            return Ok(());
        }
        let (who, pool) = (self.name_of(who), self.rules.name(pool));
        Err(Fault::new("HR0525", format!("`{who}` has no pool `{pool}`; see its `of`")).into())
    }

    fn tell_pool(
        &mut self,
        who: EntityId,
        pool: PoolId,
        before: i32,
        after: i32,
        about: Situation,
        left_over: i32,
    ) -> Flow<()> {
        let known = self.rules.known;
        let from = entity_field(about.actor.filter(|actor| *actor != who));
        let number = i32::from(pool.number());
        let fields = [
            entity_field(Some(who)),
            number,
            before,
            after,
            after.abs_diff(before).try_into().unwrap_or(i32::MAX),
            left_over,
            from,
        ];
        let about = Situation { bearer: Some(who), ..about };
        let hit = u16::try_from(self.struck.len()).unwrap_or(0);
        let event = |event| Event { hit, ..Event::new(event, about, &fields) };
        self.announce(event(known.pool_changed))?;
        if after == self.rules.pools.get(pool).min {
            self.announce(event(known.pool_emptied))?;
        }
        Ok(())
    }

    /// Raises a pool, never above its maximum, and gives back by how much.
    ///
    /// # Errors
    /// As the formula of the pool does.
    pub fn heal(&mut self, who: EntityId, pool: PoolId, amount: i32, about: Situation) -> Flow<i32> {
        let before = self.pool(who, pool);
        let most = self.pool_max(who, pool)?;
        let to = i64::from(before).max(i64::from(most).min(i64::from(before) + i64::from(amount.max(0))));
        let healed = self.set_pool(who, pool, to, about, 0)?;
        let fields = [
            entity_field(Some(who)),
            i32::from(pool.number()),
            before,
            before + healed,
            amount,
            0,
            entity_field(about.actor),
        ];
        let event = Event::new(self.rules.known.pool_healed, Situation { bearer: Some(who), ..about }, &fields);
        self.announce(event)?;
        Ok(healed)
    }

    /// The first pool of which somebody has too little for a cost, trades and
    /// bundles counted; nothing if the cost can be paid.
    #[must_use]
    pub fn can_pay(&self, who: EntityId, cost: &[(PoolId, i32)]) -> Option<PoolId> {
        let mut left: smallvec::SmallVec<[(PoolId, i32); 8]> = smallvec::SmallVec::new();
        for (pool, amount) in self.unbundled(cost) {
            if !self.costs_nothing(pool) && !self.take(who, &mut left, pool, amount, &mut Vec::new()) {
                return Some(pool);
            }
        }
        None
    }

    /// Pools of actions cost nothing while nobody takes turns.
    fn costs_nothing(&self, pool: PoolId) -> bool {
        !self.state.order.running && self.rules.pools.get(pool).resets.is_some()
    }

    fn unbundled(&self, cost: &[(PoolId, i32)]) -> smallvec::SmallVec<[(PoolId, i32); 4]> {
        let mut flat = smallvec::SmallVec::new();
        for (pool, amount) in cost {
            match self.rules.bundles.iter().find(|(bundle, _)| bundle == pool) {
                Some((_, parts)) => flat.extend(parts.iter().map(|(part, each)| (*part, each.saturating_mul(*amount)))),
                None => flat.push((*pool, *amount)),
            }
        }
        flat
    }

    /// Takes an amount out of what is left, trading where that is allowed;
    /// `left` holds what the payment has come to so far.
    fn take(
        &self,
        who: EntityId,
        left: &mut smallvec::SmallVec<[(PoolId, i32); 8]>,
        pool: PoolId,
        amount: i32,
        tried: &mut Vec<PoolId>,
    ) -> bool {
        let kept = left.iter().find(|(known, _)| *known == pool).map(|(_, kept)| *kept);
        let has = kept.unwrap_or_else(|| self.pool(who, pool).saturating_sub(self.rules.pools.get(pool).min));
        let direct = has.min(amount).max(0);
        left.retain(|(known, _)| *known != pool);
        left.push((pool, has - direct));
        let missing = amount - direct;
        if missing <= 0 {
            return true;
        }
        tried.push(pool);
        let rules = Arc::clone(&self.rules);
        let ways = rules.trades.iter().filter(|trade: &&Trade| trade.to == pool);
        let paid = ways.into_iter().any(|trade| {
            let kept = left.clone();
            let paid = !tried.contains(&trade.from) && self.take(who, left, trade.from, missing, tried);
            if !paid {
                *left = kept;
            }
            paid
        });
        tried.pop();
        paid
    }

    /// Pays a cost that can be paid.
    ///
    /// # Errors
    /// As changing pools does.
    pub fn spend(&mut self, who: EntityId, cost: &[(PoolId, i32)]) -> Flow<()> {
        let mut left: smallvec::SmallVec<[(PoolId, i32); 8]> = smallvec::SmallVec::new();
        for (pool, amount) in self.unbundled(cost) {
            if !self.costs_nothing(pool) {
                self.take(who, &mut left, pool, amount, &mut Vec::new());
            }
        }
        for (pool, rest) in left {
            let least = self.rules.pools.get(pool).min;
            let to = rest.saturating_add(least);
            self.set_pool(who, pool, i64::from(to), Situation::of(who), 0)?;
        }
        Ok(())
    }
}
