//! The order of acting: who rolls what for it, and how ties are broken.

use crate::ident::*;
use crate::initiative::{OrderEntry, TieBreakers};
use crate::oracle::{Answer, Flow, Question, QuestionKind};
use crate::ruleset::{Initiative, Ruleset, Tie};
use crate::scene::Scene;
use crate::situation::Situation;
use smallvec::SmallVec;

/// How often a tie is rolled again before it stands.
const MOST_ROLL_OFFS: u32 = 100;

/// Somebody on the way into the order.
#[derive(Clone, Copy)]
struct Entrant {
    who: EntityId,
    count: i32,
    breaks: TieBreakers,
}

impl Scene {
    /// Rolls for each, breaks their ties, and puts them into the order.
    pub(super) fn enter_order(&mut self, rules: &Ruleset, initiative: &Initiative, who: &[EntityId]) -> Flow<()> {
        let mut entrants: SmallVec<[Entrant; 8]> = SmallVec::new();
        self.toil(who.len() * who.len() / 4)?;
        for one in who {
            let nothing_to_reach = Some(0);
            let verdict = self.check(initiative.check, *one, nothing_to_reach, Situation::of(*one))?;
            let bonus = verdict.bonus;
            entrants.push(Entrant { who: *one, count: verdict.total, breaks: [0; 4] });
            self.break_by_numbers(initiative, bonus, &mut entrants)?;
        }
        self.break_by_dice(rules, initiative, &mut entrants)?;
        let standing: SmallVec<[SlotId; 8]> = self.state.order.places.iter().map(|place| place.slot).collect();
        if standing.is_empty() {
            return self.reorder(|order| {
                entrants.iter().for_each(|entrant| order.insert(entrant.who, entrant.count, entrant.breaks))
            });
        }
        entrants.sort_by_key(|entrant| std::cmp::Reverse((entrant.count, entrant.breaks)));
        entrants.into_iter().try_for_each(|entrant| self.take_place(rules, initiative, entrant, &standing))
    }

    /// Puts a latecomer into the order. With those who stood there already and are
    /// equal but for dice and choices, the tie is broken one after the other,
    /// first to act first, until the latecomer goes before one of them. Those who
    /// come together keep the order they came in.
    fn take_place(
        &mut self,
        rules: &Ruleset,
        initiative: &Initiative,
        entrant: Entrant,
        standing: &[SlotId],
    ) -> Flow<()> {
        let ties = self.ties(initiative)?;
        let open = ties.iter().position(|tie| matches!(tie, Tie::RollOff | Tie::Choice)).unwrap_or(ties.len());
        let equal = |place: &&OrderEntry| {
            place.count == entrant.count && place.breaks.get(..open) == entrant.breaks.get(..open)
        };
        let peers: SmallVec<[OrderEntry; 4]> = self.state.order.places.iter().filter(equal).copied().collect();
        let stood = |place: &OrderEntry| standing.contains(&place.slot);
        let (Some(tie), Some(last), true) = (ties.get(open), peers.last(), peers.iter().any(stood)) else {
            return self.reorder(|order| order.insert(entrant.who, entrant.count, entrant.breaks));
        };
        let first = peers.iter().rposition(|place| !stood(place)).map_or(0, |at| at + 1);
        for place in peers.iter().skip(first) {
            let Some(rival) = place.owner else { continue };
            if self.goes_before(rules, initiative, *tie, entrant.who, rival)? {
                return self.reorder(|order| _ = order.move_before(entrant.who, place.slot));
            }
        }
        self.reorder(|order| _ = order.move_behind(entrant.who, last.slot))
    }

    /// Whether a latecomer goes before one who is equal: by a roll-off of the two,
    /// or as the table agrees.
    fn goes_before(
        &mut self,
        rules: &Ruleset,
        initiative: &Initiative,
        tie: Tie,
        who: EntityId,
        rival: EntityId,
    ) -> Flow<bool> {
        if tie == Tie::Choice {
            return Ok(self.agreed_order(rules, &[who, rival])?.first() == Some(&who));
        }
        let dice = &rules.checks.get(initiative.check).roll;
        for _ in 0..MOST_ROLL_OFFS {
            let mine = self.throw(dice, who, rules.streams.tie, Situation::of(who), &[])?.0;
            let theirs = self.throw(dice, rival, rules.streams.tie, Situation::of(rival), &[])?.0;
            if mine != theirs {
                return Ok(mine > theirs);
            }
        }
        Ok(false)
    }

    /// The tie-breakers in force: those whose question says yes, four at most.
    fn ties(&self, initiative: &Initiative) -> Flow<SmallVec<[Tie; 4]>> {
        let mut ties = SmallVec::new();
        for (when, tie) in &initiative.ties {
            if ties.len() < 4 && self.reckon(Situation::default()).holds(when.as_ref())? {
                ties.push(*tie);
            }
        }
        Ok(ties)
    }

    fn break_by_numbers(&self, initiative: &Initiative, bonus: i32, entrants: &mut [Entrant]) -> Flow<()> {
        let ties = self.ties(initiative)?;
        let Some(entrant) = entrants.last_mut() else { return Ok(()) };
        for (tie, place) in ties.iter().zip(&mut entrant.breaks) {
            *place = match tie {
                Tie::Modifier => bonus,
                Tie::Tag(tag) => i32::from(self.reckon(Situation::of(entrant.who)).has_tag(entrant.who, *tag)),
                Tie::RollOff | Tie::Choice => 0,
            };
        }
        Ok(())
    }

    fn break_by_dice(
        &mut self,
        rules: &Ruleset,
        initiative: &Initiative,
        entrants: &mut SmallVec<[Entrant; 8]>,
    ) -> Flow<()> {
        for (at, tie) in self.ties(initiative)?.into_iter().enumerate() {
            match tie {
                Tie::RollOff => self.roll_off(rules, initiative, entrants, at)?,
                Tie::Choice => self.agree_on_ties(rules, entrants, at)?,
                Tie::Modifier | Tie::Tag(_) => {}
            }
        }
        Ok(())
    }

    /// Those who come into the order together and share a place roll the dice of
    /// the check until no two are equal.
    fn roll_off(
        &mut self,
        rules: &Ruleset,
        initiative: &Initiative,
        entrants: &mut SmallVec<[Entrant; 8]>,
        at: usize,
    ) -> Flow<()> {
        let dice = &rules.checks.get(initiative.check).roll;
        for _ in 0..MOST_ROLL_OFFS {
            self.toil(entrants.len() * entrants.len() / 4)?;
            let tied: SmallVec<[usize; 8]> = (0..entrants.len()).filter(|one| is_tied(entrants, *one)).collect();
            if tied.is_empty() {
                return Ok(());
            }
            let mut faces: SmallVec<[i32; 8]> = SmallVec::from_elem(0, entrants.len());
            for one in tied {
                let Some((who, face)) = entrants.get(one).map(|entrant| entrant.who).zip(faces.get_mut(one)) else {
                    continue;
                };
                *face = self.throw(dice, who, rules.streams.tie, Situation::of(who), &[])?.0;
            }
            rank(entrants, at, &faces);
        }
        Ok(())
    }

    /// The table agrees in which order those go who share a place.
    fn agree_on_ties(&mut self, rules: &Ruleset, entrants: &mut SmallVec<[Entrant; 8]>, at: usize) -> Flow<()> {
        let key = |entrant: &Entrant| (entrant.count, entrant.breaks);
        let mut rank = i32::try_from(entrants.len()).unwrap_or(i32::MAX);
        while let Some(first) =
            entrants.iter().enumerate().find_map(|(one, entrant)| is_tied(entrants, one).then(|| key(entrant)))
        {
            let tied: SmallVec<[EntityId; 8]> =
                entrants.iter().filter(|entrant| key(entrant) == first).map(|entrant| entrant.who).collect();
            for who in self.agreed_order(rules, &tied)? {
                let place = entrants.iter_mut().find(|entrant| entrant.who == who);
                place.and_then(|entrant| entrant.breaks.get_mut(at)).into_iter().for_each(|place| *place = rank);
                rank -= 1;
            }
        }
        Ok(())
    }

    fn agreed_order(&mut self, rules: &Ruleset, tied: &[EntityId]) -> Flow<SmallVec<[EntityId; 8]>> {
        let names = tied.iter().map(|who| self.name_of(*who)).collect();
        let question = Question::about(EntityId::TABLE, rules.words.tie, names, |of| QuestionKind::Order { of });
        let as_they_came: Answer = (0..).take(tied.len()).collect();
        let answer = self.decide(question.or(as_they_came))?;
        Ok(answer.places().filter_map(|place| tied.get(place).copied()).collect())
    }
}

/// Ranks by what was rolled before and then by the new faces, so that a later
/// roll decides only between those who were still equal.
fn rank(entrants: &mut [Entrant], at: usize, faces: &[i32]) {
    let before = |entrant: &Entrant| entrant.breaks.get(at).copied().unwrap_or(0);
    let keys: SmallVec<[(i32, i32); 8]> = entrants.iter().map(before).zip(faces.iter().copied()).collect();
    for (entrant, key) in entrants.iter_mut().zip(&keys) {
        let lower = keys.iter().filter(|other| *other < key).count();
        if let Some(place) = entrant.breaks.get_mut(at) {
            *place = i32::try_from(lower).unwrap_or(i32::MAX);
        }
    }
}

fn is_tied(entrants: &[Entrant], at: usize) -> bool {
    let Some(one) = entrants.get(at) else { return false };
    entrants.iter().filter(|other| (other.count, other.breaks) == (one.count, one.breaks)).count() > 1
}
