//! Ranges of the numbers in a test file. Other modules rely on them: a limit of NaN, or below 0, would make a comparison exact
//! or meaningless without a word, and an infinite one would let everything pass.

use std::ops::RangeInclusive;

use toml::Spanned;

use super::Suite;
use super::form::{Expected, Golden, Test, Within};
use crate::outcome::Failure;

/// Differences that tests allow, absolute or relative.
const DIFFERENCE: RangeInclusive<f64> = 0.0..=f32::MAX as f64;
/// Mean error that FLIP computes.
const FLIP: RangeInclusive<f64> = 0.0..=1.0;
/// Seconds of CPU time.
const SECONDS: RangeInclusive<f64> = 1e-3..=1e6;
/// Inputs of shaders.
const INPUT: RangeInclusive<f64> = f32::MIN as f64..=f32::MAX as f64;

/// A number with its key and its range.
type Number = (&'static str, Option<f64>, RangeInclusive<f64>);

/// Fails at the first number of a file that is outside its range.
pub fn check(suite: &Suite) -> Result<(), Failure> {
    within(&[("timeout", suite.form.timeout, SECONDS)])
        .map_err(|m| Failure::new(m, Some(super::whole(&suite.file))))?;
    suite.form.test.iter().try_for_each(|test| of_test(suite, test))
}

fn of_test(suite: &Suite, at: &Spanned<Test>) -> Result<(), Failure> {
    let test = at.get_ref();
    within(&[("timeout", test.timeout, SECONDS), ("time", test.time, INPUT)])
        .map_err(|m| suite.wrong(at, m))?;
    if let Some(mouse) = &test.mouse {
        let known = matches!(mouse.len(), 2 | 4) && mouse.iter().all(|n| n.is_finite());
        known.then_some(()).ok_or_else(|| suite.wrong(at, "`mouse` has two or four finite numbers"))?;
    }
    if let Some(golden) = &test.golden {
        of_golden(golden.get_ref()).map_err(|m| suite.wrong(golden, m))?;
    }
    for expected in test.expect.values() {
        let done = match expected.get_ref() {
            Expected::Values(values) => within(&[
                ("tolerance", values.tolerance, DIFFERENCE),
                ("relative", values.relative, DIFFERENCE),
            ]),
            Expected::Picture(golden) => of_golden(golden),
            Expected::Text(_) | Expected::Block(_) => Ok(()),
        };
        done.map_err(|m| suite.wrong(expected, m))?;
    }
    Ok(())
}

fn of_golden(golden: &Golden) -> Result<(), String> {
    let Golden::Within(Within { flip, tolerance, .. }) = golden else { return Ok(()) };
    within(&[("flip", flip.map(f64::from), FLIP), ("tolerance", tolerance.map(f64::from), DIFFERENCE)])
}

fn within(numbers: &[Number]) -> Result<(), String> {
    for (key, number, range) in numbers {
        if let Some(number) = number.filter(|number| !range.contains(number)) {
            let (from, to) = (range.start(), range.end());
            let range = match *to >= f64::from(f32::MAX) {
                true if *from < 0.0 => "a finite number".to_owned(),
                true => format!("a finite number from {from} on"),
                false => format!("a number from {from} to {to}"),
            };
            return Err(format!("`{key}` is {number}: give {range}"));
        }
    }
    Ok(())
}
