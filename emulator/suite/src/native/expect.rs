//! Expected results: values, members of blocks, pictures.

use std::fmt;
use std::path::Path;

use quadrille::data::list::Type;
use quadrille::data::pixels::FloatPicture;
use quadrille::{Picture, TestRun, Tolerance};
use serde_json::{Number, Value};

use super::bind::{Slot, slot};
use super::form::{Golden, Values, Within};
use crate::picture::Measure;

/// Maximum number of values that a failure lists.
const SHOWN: usize = 5;

/// Location of a result.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// A binding.
    Slot(Slot),
    /// A colour attachment.
    Color(u32),
    Depth,
    Stencil,
}

impl Place {
    /// Parses a place: `0.1`, `0.1[2]`, `color.1`, `depth`, `stencil`.
    pub fn parse(text: &str) -> Result<Place, String> {
        match text.trim() {
            "depth" => return Ok(Place::Depth),
            "stencil" => return Ok(Place::Stencil),
            _ => {}
        }
        if let Some(number) = text.trim().strip_prefix("color.") {
            let number =
                number.parse().map_err(|_| format!("`{text}` is not an attachment such as color.0"))?;
            return Ok(Place::Color(number));
        }
        let help = |e| format!("{e}, and neither color.N nor depth nor stencil");
        Ok(Place::Slot(slot(text).map_err(help)?))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Slot((set, binding, 0)) => write!(f, "binding {set}.{binding}"),
            Place::Slot((set, binding, element)) => write!(f, "binding {set}.{binding}[{element}]"),
            Place::Color(number) => write!(f, "attachment {number}"),
            Place::Depth => f.write_str("depth"),
            Place::Stencil => f.write_str("stencil"),
        }
    }
}

/// Contents of a place, as bytes; depth values are 32-bit floats.
fn contents(run: &TestRun, place: Place) -> quadrille::Result<Vec<u8>> {
    match place {
        Place::Slot((set, binding, element)) => run
            .read_at::<u8>(set, binding, element)
            .or_else(|e| run.read_image_at::<u8>(set, binding, element).map_err(|_| e)),
        Place::Color(number) => run.read_attachment(number),
        Place::Depth => Ok(run.read_depth()?.into_iter().flat_map(f32::to_le_bytes).collect()),
        Place::Stencil => run.read_stencil(),
    }
}

/// A picture as floats and in 8 bits, as far as it can be converted.
pub type Drawn = (quadrille::Result<FloatPicture>, quadrille::Result<Picture>);

/// Contents of a place, as a picture.
pub fn picture(run: &TestRun, place: Place) -> Result<Drawn, String> {
    match place {
        Place::Slot((set, binding, 0)) => {
            Ok((run.image_floats(set, binding), run.image_picture(set, binding)))
        }
        Place::Color(number) => Ok((run.attachment_floats(number), run.attachment_picture(number))),
        Place::Slot(_) => Err("elements of arrays cannot be compared with pictures".into()),
        Place::Depth | Place::Stencil => {
            Err("depth and stencil cannot be compared with pictures, only with values".into())
        }
    }
}

/// The golden's file, and the allowed difference.
pub fn golden(golden: &Golden) -> Result<(&str, Measure), String> {
    let none = Within::default();
    let (file, within) = match golden {
        Golden::File(file) => (file, &none),
        Golden::Within(within) => (&within.picture, within),
    };
    let ending = Path::new(file).extension().and_then(|e| e.to_str()).unwrap_or_default();
    let pixels = within.pixels.unwrap_or(0);
    let measure = match ending.to_ascii_lowercase().as_str() {
        "exr" if within.component.is_some() || within.flip.is_some() => {
            return Err(format!("{file} has floats: `tolerance` and `pixels` limit the difference from it"));
        }
        "exr" => Measure::Floats { tolerance: within.tolerance.unwrap_or(0.0), pixels },
        "png" if within.tolerance.is_some() => {
            return Err(format!(
                "{file} has 8 bits: `component`, `pixels` and `flip` limit the difference from it"
            ));
        }
        "png" if within.flip.is_some() && (within.component.is_some() || within.pixels.is_some()) => {
            return Err(format!("{file}: `flip` judges the whole picture, without `component` and `pixels`"));
        }
        "png" => match within.flip {
            Some(most) => Measure::Flip(most),
            None => Measure::Components(Tolerance { component: within.component.unwrap_or(0), pixels }),
        },
        _ => return Err(format!("{file}: a golden is a .png (8 bits) or an .exr (floats)")),
    };
    Ok((file, measure))
}

/// Values that are compared exactly with all of a place.
pub fn all(values: &str) -> Values {
    Values { values: values.to_owned(), first: None, tolerance: None, relative: None }
}

/// Compares all values of a place, or those from element `first` on.
pub fn values(run: &TestRun, place: Place, expected: &Values) -> Result<(), String> {
    compare(&contents(run, place).map_err(|e| e.to_string())?, expected)
}

/// Compares bytes with values.
pub fn compare(got: &[u8], expected: &Values) -> Result<(), String> {
    let (ty, texts) = expected.values.split_once(':').ok_or("expected is TYPE:VALUES, as in f32:1,2,3")?;
    let ty = Type::parse(ty)?;
    let wanted = ty.encode(texts)?;
    let one = ty.bytes();
    let start = expected.first.unwrap_or(0).saturating_mul(one);
    let there = got.get(start..).unwrap_or_default();
    let all = expected.first.is_none();
    if there.len() < wanted.len() || (all && there.len() != wanted.len()) {
        let (got, wanted) = (there.len() as f64 / one as f64, wanted.len() / one);
        let help = if all { "; `first = 0` compares with those at the beginning" } else { "" };
        return Err(format!("there are {got} values of {}, expected {wanted}{help}", ty.name()));
    }
    let both = wanted.chunks_exact(one).zip(there.chunks_exact(one)).enumerate();
    let mut wrong = both.filter(|(_, (want, got))| !same(ty, want, got, expected));
    let show = |bytes: &[u8]| ty.decode(bytes).ok().and_then(|mut all| all.next()).unwrap_or_default();
    let text = |(i, (want, got)): (usize, (&[u8], &[u8]))| {
        format!("value {} is {}, expected {}", i + start / one, show(got), show(want))
    };
    // Buffers may have billions of values: the others are only counted.
    let shown: Vec<String> = wrong.by_ref().take(SHOWN).map(text).collect();
    if shown.is_empty() {
        return Ok(());
    }
    let more = match wrong.count() {
        0 => String::new(),
        more => format!("\nand {more} more"),
    };
    Err(format!("{}{more}", shown.join("\n")))
}

/// Returns true if the bits are equal, both are NaN, or the difference is within the tolerance.
fn same(ty: Type, want: &[u8], got: &[u8], within: &Values) -> bool {
    if want == got {
        return true;
    }
    // Hexadecimal bytes are numbers, too, but not in decimal digits.
    let ty = if ty == Type::Hex { Type::Uint(1) } else { ty };
    let text = |bytes: &[u8]| -> Option<String> { ty.decode(bytes).ok()?.next() };
    let (Some(want), Some(got)) = (text(want), text(got)) else { return false };
    // The shortest decimals of a float are not its value, but that of no other float of its type.
    let value = |text: &str| match ty {
        Type::Float(2 | 4) => text.parse::<f32>().map(f64::from),
        _ => text.parse::<f64>(),
    };
    let (Ok(number), Ok(value)) = (value(&want), value(&got)) else { return false };
    if number.is_nan() || value.is_nan() {
        return number.is_nan() && value.is_nan();
    }
    // A part of an infinity would allow everything.
    if number.is_infinite() || value.is_infinite() {
        return false;
    }
    // Integers of 64 bits are exact.
    let by = match (want.parse::<i128>(), got.parse::<i128>()) {
        (Ok(want), Ok(got)) if !matches!(ty, Type::Float(_)) => (want - got).unsigned_abs() as f64,
        _ => (number - value).abs(),
    };
    let want = number;
    within.tolerance.is_some_and(|most| by <= most)
        || within.relative.is_some_and(|most| by <= most * want.abs())
}

/// Compares the given members of a block.
pub fn members(run: &TestRun, place: Place, expected: &toml::Value) -> Result<(), String> {
    let Place::Slot((set, binding, 0)) = place else {
        return Err("members are compared only for buffer bindings, element 0".into());
    };
    let got = run.read_json(set, binding).map_err(|e| e.to_string())?;
    differs("", &json(expected)?, &got).map_or(Ok(()), Err)
}

/// A value of TOML as JSON, where infinities and NaNs are text, as in the contents of buffers.
fn json(value: &toml::Value) -> Result<Value, String> {
    Ok(match value {
        toml::Value::Float(x) if x.is_nan() => "NaN".into(),
        toml::Value::Float(x) if x.is_infinite() => x.to_string().into(),
        toml::Value::Array(list) => list.iter().map(json).collect::<Result<_, _>>()?,
        toml::Value::Table(table) => {
            let pairs = table.iter().map(|(name, value)| Ok((name.clone(), json(value)?)));
            Value::Object(pairs.collect::<Result<_, String>>()?)
        }
        other => serde_json::to_value(other).map_err(|e| e.to_string())?,
    })
}

/// True if two numbers are equal; integers of 64 bits are exact.
fn equal(want: &Number, value: &Number) -> bool {
    let exact = |n: &Number| n.as_i64().map(i128::from).or(n.as_u64().map(i128::from));
    match (exact(want), exact(value)) {
        (Some(want), Some(value)) => want == value,
        _ => want.as_f64() == value.as_f64(),
    }
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
        (Value::Number(want), Value::Number(value)) if equal(want, value) => None,
        (want, got) if want == got => None,
        (want, got) => Some(format!("{path} is {got}, expected {want}")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::form::Expected;
    use super::*;

    /// Only the first differences are listed.
    #[test]
    fn differences_are_counted() {
        let lines = |got: &[u8]| {
            let wanted = all(&format!("u8: 7*{}", got.len()));
            let message = compare(got, &wanted).err().unwrap_or_default();
            message.lines().map(str::to_owned).collect::<Vec<String>>()
        };
        assert_eq!(lines(&[7; 9]), [""; 0]);
        assert_eq!(lines(&[7, 8, 7]), ["value 1 is 8, expected 7"]);
        assert_eq!(lines(&[0; SHOWN]).len(), SHOWN);
        let many = lines(&[0; 100_000]);
        assert_eq!((many.len(), many[SHOWN].as_str()), (SHOWN + 1, "and 99995 more"));
    }

    /// Only the same infinity is near an infinity.
    #[test]
    fn infinities_are_exact() {
        for (got, value, works) in [
            (f32::INFINITY, "inf", true),
            (f32::NEG_INFINITY, "-inf", true),
            (f32::NEG_INFINITY, "inf", false),
            (1.0, "inf", false),
            (f32::MAX, "-inf", false),
            (f32::INFINITY, "3e38", false),
            (1.0, "1.001", true),
        ] {
            let values = format!("f32: {value}");
            let wanted = Values { values, first: None, tolerance: Some(1e38), relative: Some(0.5) };
            assert_eq!(compare(&got.to_le_bytes(), &wanted).is_ok(), works, "{got} {value}");
        }
    }

    /// 1 + 2^-23 is 1.0000001 in decimals.
    #[test]
    fn floats_have_the_values_of_their_bits() {
        let got = (1.0 + f32::EPSILON).to_le_bytes();
        for (limit, works) in [(1.1e-7, false), (f64::from(f32::EPSILON), true), (1.2e-7, true)] {
            for (tolerance, relative) in [(Some(limit), None), (None, Some(limit))] {
                let wanted = Values { values: "f32: 1".into(), first: None, tolerance, relative };
                assert_eq!(compare(&got, &wanted).is_ok(), works, "{limit}");
            }
        }
        // The float after 1e10 is 10000001024, which is 10000001000 in decimals.
        let got = f32::from_bits(1e10f32.to_bits() + 1).to_le_bytes();
        for (limit, works) in [(1010.0, false), (1023.0, false), (1024.0, true)] {
            let wanted =
                Values { values: "f32: 1e10".into(), first: None, tolerance: Some(limit), relative: None };
            assert_eq!(compare(&got, &wanted).is_ok(), works, "{limit}");
        }
    }

    /// No limit is ignored.
    #[test]
    fn limits_are_those_of_the_picture() {
        for (text, works) in [
            ("picture = 'a.png'\ncomponent = 1\npixels = 4", true),
            ("picture = 'a.png'\nflip = 0.1", true),
            ("picture = 'a.png'\nflip = 0.1\npixels = 4", false),
            ("picture = 'a.png'\nflip = 0.1\ncomponent = 1", false),
            ("picture = 'a.png'\ntolerance = 0.1", false),
            ("picture = 'a.exr'\ntolerance = 0.1\npixels = 4", true),
            ("picture = 'a.exr'\nflip = 0.1", false),
        ] {
            let within: Within = toml::from_str(text).unwrap();
            assert_eq!(golden(&Golden::Within(within)).is_ok(), works, "{text}");
        }
    }

    #[test]
    fn mistakes_in_a_table_are_named() {
        for (text, part) in [
            ("{ picture = 'a.png', component = 256 }", "expected u8"),
            ("{ picture = 'a.png', colour = 1 }", "unknown field `colour`"),
            ("{ flip = 0.1 }", "missing field `picture`"),
            ("5", "expected a file, or a table"),
        ] {
            let wrong = toml::from_str::<BTreeMap<String, Golden>>(&format!("golden = {text}"));
            let message = wrong.unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        for (text, part) in [
            ("{ valeus = 'f32: 1' }", "unknown field `valeus`"),
            ("{ values = 'f32: 1', tolerance = 'x' }", "expected f64"),
            ("{ values = 'f32: 1', flip = 0.1 }", "`flip` does not belong to `values`"),
            ("{ members = { a = 1 }, tolerance = 0.1 }", "`tolerance` does not belong to `members`"),
            ("{ picture = 'a.png', first = 1 }", "`first` does not belong to `picture`"),
            ("{ first = 1 }", "one of `values`, `members` and `picture`"),
            ("{ values = 'f32: 1', picture = 'a.png' }", "one of `values`, `members` and `picture`"),
            ("5", "expected TYPE:VALUES, a picture, or a table"),
        ] {
            let wrong = toml::from_str::<BTreeMap<String, Expected>>(&format!("expect = {text}"));
            let message = wrong.unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        let text = "a = 'a.png'\nb = { picture = 'b.exr', pixels = 2 }";
        let all: BTreeMap<String, Golden> = toml::from_str(text).unwrap();
        assert!(matches!(&all["a"], Golden::File(file) if file == "a.png"));
        assert!(matches!(&all["b"], Golden::Within(within) if within.pixels == Some(2)));
    }

    #[test]
    fn hexadecimal_bytes_have_their_values() {
        for (value, works) in [("18", false), ("19", true), ("1f", false), ("1b", true)] {
            let values = format!("hex: {value}");
            let wanted = Values { values, first: None, tolerance: Some(1.0), relative: None };
            assert_eq!(compare(&[0x1a], &wanted).is_ok(), works, "{value}");
        }
        let wanted = Values { values: "hex: 19".into(), first: None, tolerance: Some(1.0), relative: None };
        assert!(compare(&[0x20], &wanted).is_err());
    }

    #[test]
    fn integers_of_64_bits_are_exact() {
        let got = (1u64 << 53).to_le_bytes();
        for (value, tolerance, works) in [
            ("9007199254740992", 0.0, true),
            ("9007199254740993", 0.0, false),
            ("9007199254740993", 1.0, true),
            ("18446744073709551615", 1.0, false),
        ] {
            let values = format!("u64: {value}");
            let wanted = Values { values, first: None, tolerance: Some(tolerance), relative: None };
            assert_eq!(compare(&got, &wanted).is_ok(), works, "{value} {tolerance}");
        }
        let members: toml::Value =
            toml::from_str("n = 9007199254740993\nx = inf\ny = -inf\nz = nan\nw = 3.0").unwrap();
        let wanted = json(&members).unwrap();
        let got = |n: u64| serde_json::json!({ "n": n, "x": "inf", "y": "-inf", "z": "NaN", "w": 3 });
        assert_eq!(differs("", &wanted, &got((1 << 53) + 1)), None);
        assert!(differs("", &wanted, &got(1 << 53)).is_some_and(|text| text.starts_with("n is ")));
    }
}
