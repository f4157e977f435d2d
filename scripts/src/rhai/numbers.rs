//! The arithmetic of rules: division rounds down, as in Lua, and nothing wraps.

use ::rhai::{Engine, EvalAltResult, INT};

type Number = Result<INT, Box<EvalAltResult>>;

/// Teaches an engine whole-number arithmetic. The signs `/` and `%` are `div_floor` and its remainder.
pub(super) fn teach(engine: &mut Engine) {
    engine.register_fn("/", div_floor);
    engine.register_fn("%", remainder);
    engine.register_fn("div_floor", div_floor);
    engine.register_fn("div_ceil", div_ceil);
    engine.register_fn("clamp", clamp);
    engine.register_fn("min", |a: INT, b: INT| a.min(b));
    engine.register_fn("max", |a: INT, b: INT| a.max(b));
    engine.register_fn("abs", |a: INT| a.checked_abs().ok_or_else(|| refused("the result is beyond all numbers")));
    engine.register_fn("sign", |a: INT| a.signum());
    engine.register_fn("is_even", |a: INT| a % 2 == 0);
    engine.register_fn("is_odd", |a: INT| a % 2 != 0);
    engine.register_fn("is_zero", |a: INT| a == 0);
    engine.register_fn("floor", |a: INT| a);
    engine.register_fn("ceil", |a: INT| a);
}

fn refused(sentence: &str) -> Box<EvalAltResult> {
    sentence.into()
}

fn quotient(a: INT, b: INT) -> Number {
    if b == 0 {
        return Err(refused("division by zero"));
    }
    a.checked_div(b).ok_or_else(|| refused("the result is beyond all numbers"))
}

fn has_rest(a: INT, b: INT) -> bool {
    a.checked_rem(b).is_some_and(|rest| rest != 0)
}

fn div_floor(a: INT, b: INT) -> Number {
    let toward_zero = quotient(a, b)?;
    Ok(if has_rest(a, b) && (a < 0) != (b < 0) { toward_zero - 1 } else { toward_zero })
}

fn div_ceil(a: INT, b: INT) -> Number {
    let toward_zero = quotient(a, b)?;
    Ok(if has_rest(a, b) && (a < 0) == (b < 0) { toward_zero + 1 } else { toward_zero })
}

fn remainder(a: INT, b: INT) -> Number {
    if b == 0 {
        return Err(refused("division by zero"));
    }
    let rest = a.checked_rem(b).unwrap_or(0);
    Ok(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

fn clamp(number: INT, low: INT, high: INT) -> Number {
    if low > high {
        return Err(refused("`clamp` wants the lower bound first"));
    }
    Ok(number.clamp(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quotient_and_remainder_fit_together(a: INT, b: INT) {
            prop_assume!(b != 0 && (a != INT::MIN || b != -1));
            let (q, r) = (div_floor(a, b).unwrap(), remainder(a, b).unwrap());
            prop_assert_eq!(i128::from(q) * i128::from(b) + i128::from(r), i128::from(a));
            prop_assert!(r == 0 || (r < 0) == (b < 0));
            prop_assert!(r.unsigned_abs() < b.unsigned_abs());
            prop_assert_eq!(div_ceil(a, b).unwrap() - q, INT::from(r != 0));
        }
    }

    #[test]
    fn the_one_quotient_that_does_not_fit_is_an_error() {
        assert!(div_floor(INT::MIN, -1).is_err());
        assert_eq!(remainder(INT::MIN, -1).unwrap(), 0);
    }
}
