//! What must come out: values, members of blocks, pictures.

use quadrille::TestRun;
use quadrille::Tolerance;
use quadrille::data::list::Type;
use serde_json::Value;

use super::bind::Slot;
use super::form::{Golden, Values};
use crate::picture::Measure;

/// Values that a failure lists.
const SHOWN: usize = 5;

/// The golden's file, and how far pictures may be from it.
pub fn golden(golden: &Golden) -> (&str, Measure) {
    match golden {
        Golden::File(file) => (file, Measure::Components(Tolerance::EXACT)),
        Golden::Within(within) => {
            let components =
                Tolerance { component: within.component.unwrap_or(0), pixels: within.pixels.unwrap_or(0) };
            let measure = within.flip.map_or(Measure::Components(components), Measure::Flip);
            (&within.picture, measure)
        }
    }
}

/// A buffer, or the texels of an image, that hold these values: all that there are, unless they are `first`.
pub fn values(run: &TestRun, (set, binding, element): Slot, expected: &Values) -> Result<(), String> {
    let (ty, texts) = expected.values.split_once(':').ok_or("expected is TYPE:VALUES, as in f32:1,2,3")?;
    let ty = Type::parse(ty)?;
    let wanted = ty.encode(texts)?;
    let got = run
        .read_at::<u8>(set, binding, element)
        .or_else(|e| run.read_image_at::<u8>(set, binding, element).map_err(|_| e))
        .map_err(|e| e.to_string())?;
    let one = ty.bytes();
    let start = expected.first.unwrap_or(0).saturating_mul(one);
    let there = got.get(start..).unwrap_or_default();
    let all = expected.first.is_none();
    if there.len() < wanted.len() || (all && there.len() != wanted.len()) {
        let (got, wanted) = (there.len() as f64 / one as f64, wanted.len() / one);
        let help = if all { "; `first = 0` compares with those at the beginning" } else { "" };
        return Err(format!("there are {got} values of {}, expected {wanted}{help}", ty.name()));
    }
    let wrong: Vec<String> = wanted
        .chunks_exact(one)
        .zip(there.chunks_exact(one))
        .enumerate()
        .filter(|(_, (want, got))| !same(ty, want, got, expected))
        .map(|(i, (want, got))| {
            let show = |bytes: &[u8]| ty.decode(bytes).next().unwrap_or_default();
            format!("value {} is {}, expected {}", i + start / one, show(got), show(want))
        })
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let more = wrong.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
    Err(format!("{}{more}", wrong[..wrong.len().min(SHOWN)].join("\n")))
}

/// The same bits, the same NaN whatever its bits, or as near as is asked for.
fn same(ty: Type, want: &[u8], got: &[u8], within: &Values) -> bool {
    if want == got {
        return true;
    }
    let number = |bytes: &[u8]| -> Option<f64> { ty.decode(bytes).next()?.parse().ok() };
    let (Some(want), Some(got)) = (number(want), number(got)) else { return false };
    if want.is_nan() || got.is_nan() {
        return want.is_nan() && got.is_nan();
    }
    let by = (want - got).abs();
    within.tolerance.is_some_and(|most| by <= most)
        || within.relative.is_some_and(|most| by <= most * want.abs())
}

/// Members of a block: those that are given.
pub fn members(run: &TestRun, (set, binding, _): Slot, expected: &toml::Value) -> Result<(), String> {
    let got = run.read_json(set, binding).map_err(|e| e.to_string())?;
    let expected = serde_json::to_value(expected).map_err(|e| e.to_string())?;
    differs("", &expected, &got).map_or(Ok(()), Err)
}

fn differs(path: &str, expected: &Value, got: &Value) -> Option<String> {
    let inside = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (expected, got) {
        (Value::Object(expected), Value::Object(got)) => expected.iter().find_map(|(name, want)| {
            let Some(value) = got.get(name) else {
                let known: Vec<&str> = got.keys().map(String::as_str).collect();
                return Some(format!(
                    "there is no member `{}`; there are: {}",
                    inside(name),
                    known.join(", ")
                ));
            };
            differs(&inside(name), want, value)
        }),
        (Value::Array(expected), Value::Array(got)) if expected.len() == got.len() => {
            let mut both = expected.iter().zip(got).enumerate();
            both.find_map(|(i, (want, got))| differs(&format!("{path}[{i}]"), want, got))
        }
        (Value::Number(want), Value::Number(value)) if want.as_f64() == value.as_f64() => None,
        (want, got) if want == got => None,
        (want, got) => Some(format!("{path} is {got}, expected {want}")),
    }
}
