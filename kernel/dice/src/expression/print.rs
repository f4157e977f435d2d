//! Prints an expression in its one canonical spelling, with no parenthesis more than needed.

use super::tree::{
    ChainTerm, Comparison, DiceNumber, DiceTerm, Expr, ExprKind, ExprNode, FaceFilter, Precedence, Suffix, SuffixKind,
};
use std::fmt::{Display, Formatter, Result};

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write_node(self, &self.root, f)
    }
}

fn write_node(expr: &Expr, node: &ExprNode, f: &mut Formatter<'_>) -> Result {
    match &node.what {
        ExprKind::Number(number) => write!(f, "{number}"),
        ExprKind::YesNo(answer) => f.write_str(if *answer { "yes" } else { "no" }),
        ExprKind::Name => f.write_str(expr.spelling(node.place)),
        ExprKind::Negate(inner) => {
            f.write_str("-")?;
            write_at(expr, inner, Precedence::Unary, f)
        }
        ExprKind::Not(inner) => {
            f.write_str("not ")?;
            write_at(expr, inner, Precedence::Not, f)
        }
        ExprKind::Chain(links) => write_chain(expr, links, node.level().tighter(), f),
        ExprKind::Comparison(compare, sides) => {
            write_at(expr, &sides.0, Precedence::Sum, f)?;
            write!(f, " {} ", compare.sign())?;
            write_at(expr, &sides.1, Precedence::Sum, f)
        }
        ExprKind::Has(subject, name, toward) => {
            write!(f, "{} has {}", expr.spelling(*subject), expr.spelling(*name))?;
            toward.map_or(Ok(()), |toward| write!(f, " toward {}", expr.spelling(toward)))
        }
        ExprKind::Call(name, arguments) => {
            write!(f, "{}(", expr.spelling(*name))?;
            for (index, argument) in arguments.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                write_node(expr, argument, f)?;
            }
            f.write_str(")")
        }
        ExprKind::Dice(dice) => write_dice(expr, dice, f),
    }
}

/// Writes a part where only `least` or tighter may stand.
fn write_at(expr: &Expr, node: &ExprNode, least: Precedence, f: &mut Formatter<'_>) -> Result {
    if node.level() >= least {
        return write_node(expr, node, f);
    }
    f.write_str("(")?;
    write_node(expr, node, f)?;
    f.write_str(")")
}

fn write_chain(expr: &Expr, links: &[ChainTerm], least: Precedence, f: &mut Formatter<'_>) -> Result {
    for (index, link) in links.iter().enumerate() {
        if index > 0 {
            write!(f, " {} ", link.join.sign())?;
        }
        write_at(expr, &link.node, least, f)?;
        if let Some(label) = link.label {
            write!(f, "[{}]", expr.spelling(label))?;
        }
    }
    Ok(())
}

fn write_dice(expr: &Expr, dice: &DiceTerm, f: &mut Formatter<'_>) -> Result {
    write_amount(expr, &dice.count, f)?;
    f.write_str("d")?;
    if dice.fudge {
        f.write_str("F")?;
    } else {
        write_amount(expr, &dice.sides, f)?;
    }
    dice.suffixes.iter().try_for_each(|suffix| write!(f, "{suffix}"))
}

fn write_amount(expr: &Expr, amount: &DiceNumber, f: &mut Formatter<'_>) -> Result {
    match amount {
        DiceNumber::Fixed(number) => write!(f, "{number}"),
        DiceNumber::Computed(node) => {
            f.write_str("(")?;
            write_node(expr, node, f)?;
            f.write_str(")")
        }
    }
}

impl Display for FaceFilter {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", self.compare.sign(), self.number)
    }
}

impl Display for Suffix {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.kind {
            SuffixKind::Reroll { once: true, when } => write!(f, "ro{when}"),
            SuffixKind::Reroll { once: false, when } => write!(f, "r{when}"),
            SuffixKind::Explode(None) => f.write_str("!"),
            SuffixKind::Explode(Some(when)) if when.compare == Comparison::Equal => write!(f, "!{}", when.number),
            SuffixKind::Explode(Some(when)) => write!(f, "!{when}"),
            SuffixKind::Min(least) => write!(f, "min{least}"),
            SuffixKind::Max(most) => write!(f, "max{most}"),
            SuffixKind::DropHighest(count) => write!(f, "dh{count}"),
            SuffixKind::DropLowest(count) => write!(f, "dl{count}"),
            SuffixKind::KeepHighest(count) => write!(f, "kh{count}"),
            SuffixKind::KeepLowest(count) => write!(f, "kl{count}"),
            SuffixKind::Successes(when) => write!(f, "cs{when}"),
            SuffixKind::Failures(when) => write!(f, "cf{when}"),
        }
    }
}
