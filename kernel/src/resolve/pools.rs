//! Pools: losing, healing, paying, trading.

use crate::action::Trade;
use crate::change::{StateField, StateValue};
use crate::error::Fault;
use crate::event::{RuleEvent, entity_field};
use crate::ident::*;
use crate::oracle::Flow;
use crate::scene::Scene;
use crate::situation::Situation;
use smallvec::SmallVec;

/// How often what is traded may be traded for in its turn.
const MOST_TRADES: usize = 16;

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
            self.change(StateField::Pool(who, pool), StateValue::Number(to))?;
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
        let event = |event| RuleEvent { hit, ..RuleEvent::new(event, about, &fields) };
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
        let event = RuleEvent::new(self.rules.known.pool_healed, Situation { bearer: Some(who), ..about }, &fields);
        self.announce(event)?;
        Ok(healed)
    }

    /// The first pool of which who acts has too little for a cost, trades and
    /// bundles counted; nothing if the cost can be paid.
    ///
    /// # Errors
    /// As the questions of trades do.
    pub fn can_pay(&self, about: Situation, cost: &[(PoolId, i32)]) -> Flow<Option<PoolId>> {
        let mut payment = Payment::by(about);
        for (pool, amount) in self.unbundled(cost) {
            if !self.costs_nothing(pool) && !self.take(&mut payment, pool, amount)? {
                return Ok(Some(pool));
            }
        }
        Ok(None)
    }

    /// Pools of actions cost nothing while nobody takes turns.
    fn costs_nothing(&self, pool: PoolId) -> bool {
        !self.state.order.running && self.rules.pools.get(pool).resets.is_some()
    }

    fn unbundled(&self, cost: &[(PoolId, i32)]) -> SmallVec<[(PoolId, i32); 4]> {
        let mut flat = SmallVec::new();
        for (pool, amount) in cost {
            match self.rules.bundles.iter().find(|(bundle, _)| bundle == pool) {
                Some((_, parts)) => flat.extend(parts.iter().map(|(part, each)| (*part, each.saturating_mul(*amount)))),
                None => flat.push((*pool, *amount)),
            }
        }
        flat
    }

    /// Takes an amount out of what is left, trading where that is allowed; says
    /// whether there was enough.
    fn take(&self, payment: &mut Payment, pool: PoolId, amount: i32) -> Flow<bool> {
        let amount = amount - self.take_first(payment, pool, amount)?;
        let missing = amount - self.take_there(payment, pool, amount);
        if missing <= 0 {
            return Ok(true);
        }
        self.toil(1 + self.rules.trades.len() * (1 + payment.tried.len()))?;
        if payment.tried.len() >= MOST_TRADES {
            return Ok(false);
        }
        payment.tried.push(pool);
        let mut paid = false;
        for trade in self.rules.trades.iter().filter(|trade| trade.to == pool) {
            let kept = payment.left.clone();
            paid = self.may_trade(payment, trade)? && self.take(payment, trade.from, missing)?;
            if paid {
                break;
            }
            payment.left = kept;
        }
        payment.tried.pop();
        Ok(paid)
    }

    /// What trades give that come before all else.
    fn take_first(&self, payment: &mut Payment, pool: PoolId, amount: i32) -> Flow<i32> {
        let mut taken = 0;
        self.toil(1 + self.rules.trades.len())?;
        for trade in self.rules.trades.iter().filter(|trade| trade.to == pool && trade.first) {
            if taken < amount && self.may_trade(payment, trade)? {
                taken += self.take_there(payment, trade.from, amount - taken);
            }
        }
        Ok(taken)
    }

    fn may_trade(&self, payment: &Payment, trade: &Trade) -> Flow<bool> {
        Ok(!payment.tried.contains(&trade.from) && self.reckon(payment.about).holds(trade.when.as_ref())?)
    }

    /// Takes as much of a pool as there is, and says how much that was.
    fn take_there(&self, payment: &mut Payment, pool: PoolId, amount: i32) -> i32 {
        let kept = payment.left.iter().find(|(known, _)| *known == pool).map(|(_, kept)| *kept);
        let least = self.rules.pools.get(pool).min;
        let has = kept.unwrap_or_else(|| self.pool(payment.who, pool).saturating_sub(least));
        let taken = has.min(amount).max(0);
        payment.left.retain(|(known, _)| *known != pool);
        payment.left.push((pool, has - taken));
        taken
    }

    /// Pays a cost that can be paid.
    ///
    /// # Errors
    /// As changing pools and the questions of trades do.
    pub fn spend(&mut self, about: Situation, cost: &[(PoolId, i32)]) -> Flow<()> {
        let mut payment = Payment::by(about);
        for (pool, amount) in self.unbundled(cost) {
            if !self.costs_nothing(pool) {
                self.take(&mut payment, pool, amount)?;
            }
        }
        for (pool, rest) in payment.left {
            let least = self.rules.pools.get(pool).min;
            let to = rest.saturating_add(least);
            self.set_pool(payment.who, pool, i64::from(to), Situation::of(payment.who), 0)?;
        }
        Ok(())
    }
}

/// A payment under way.
struct Payment {
    /// Who pays.
    who: EntityId,
    /// For what.
    about: Situation,
    /// What is left of the pools it took from.
    left: SmallVec<[(PoolId, i32); 8]>,
    /// Pools for which something is being traded.
    tried: SmallVec<[PoolId; 4]>,
}

impl Payment {
    fn by(about: Situation) -> Payment {
        let who = about.bearer.unwrap_or(EntityId::TABLE);
        Payment { who, about, left: SmallVec::new(), tried: SmallVec::new() }
    }
}
