//! Checks expectations against the contents of buffers, given as bytes. Independent of the device.
//!
//! A failure states the first difference with the expected and actual values, and the number of differences.

use quadrille::Numeric;

use crate::layout::{Component, Layout, Number, Value, decode};
use crate::script::model::{Area, Comparator, Likeness, Tolerance};

/// Default relative tolerance of floats, in percent.
const FLOAT_PERCENT: f64 = 0.000_001;
/// Default tolerance of texel components.
const TEXEL_TOLERANCE: f64 = 0.002;

/// Contents of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'c> {
    /// Bytes of the buffer.
    pub bytes: &'c [u8],
    /// Layout of the elements.
    pub layout: &'c Layout,
    /// Width and height of the image, in texels.
    pub size: [u32; 2],
}

fn is_near(actual: f64, expected: f64, tolerance: Tolerance) -> bool {
    if actual.is_nan() || expected.is_nan() {
        return actual.is_nan() && expected.is_nan();
    }
    // The difference of equal infinities is NaN, and a part of an infinity would allow everything.
    if actual == expected || actual.is_infinite() || expected.is_infinite() {
        return actual == expected;
    }
    let most = if tolerance.percent { tolerance.value / 100.0 * expected.abs() } else { tolerance.value };
    (actual - expected).abs() <= most
}

/// Returns the tolerance of a component. A single tolerance applies to all components; of several, each applies to its
/// own component, and further components get the default.
fn tolerance_of(tolerances: &[Tolerance], component: usize, usual: Tolerance) -> Tolerance {
    match tolerances {
        [one] => *one,
        list => list.get(component).copied().unwrap_or(usual),
    }
}

/// Checks that texels have a colour.
pub fn texels(
    of: Contents<'_>,
    area: Area,
    color: [f64; 4],
    alpha: bool,
    tolerances: &[Tolerance],
) -> Result<(), String> {
    let [x, y, width, height] = texels_of(area, of.size);
    let outside = |at: u64, n: u64, size: u32| at.saturating_add(n) > u64::from(size);
    if outside(x, width, of.size[0]) || outside(y, height, of.size[1]) {
        return Err(format!(
            "texels {x}..{} by {y}..{} are not all in an image of {} by {}",
            x.saturating_add(width),
            y.saturating_add(height),
            of.size[0],
            of.size[1]
        ));
    }
    let usual = Tolerance { value: TEXEL_TOLERANCE, percent: false };
    let stride = of.layout.stride as usize;
    let n_channels = if alpha { 4 } else { 3 };
    let (mut wrong, mut first) = (0u64, None);
    for row in y..y + height {
        for column in x..x + width {
            let at = (row * u64::from(of.size[0]) + column) as usize * stride;
            let Some(texel) = of.bytes.get(at..at + stride) else {
                return Err(format!("the image has no texel {column}, {row}"));
            };
            let actual = of.layout.channels(texel);
            let holds =
                |i: usize| actual[i].is_none_or(|a| is_near(a, color[i], tolerance_of(tolerances, i, usual)));
            if !(0..n_channels).all(holds) {
                wrong += 1;
                first.get_or_insert((column, row, actual));
            }
        }
    }
    let Some((column, row, actual)) = first else { return Ok(()) };
    let scale = if is_normalized(of.layout) { 255.0 } else { 1.0 };
    let list = |values: &[Option<f64>]| {
        let text = values[..n_channels].iter().map(|v| v.map_or("-".into(), |v| number_text(v * scale)));
        text.collect::<Vec<_>>().join(", ")
    };
    Err(format!(
        "texel {column}, {row} is not as expected{}\n  expected: {}\n    actual: {}",
        others(wrong),
        list(&color.map(Some)),
        list(&actual)
    ))
}

/// Describes the number of further differences.
fn others(wrong: u64) -> String {
    match wrong - 1 {
        0 => String::new(),
        1 => ", nor is another".into(),
        n => format!(", nor are {n} others"),
    }
}

fn is_normalized(layout: &Layout) -> bool {
    let numeric = layout.format().map(|f| f.info().numeric);
    matches!(numeric, Some(Numeric::Unorm | Numeric::Snorm | Numeric::Srgb))
}

/// Formats a number with up to six decimals.
fn number_text(v: f64) -> String {
    let text = format!("{v:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Returns x, y, width and height in texels.
fn texels_of(area: Area, [width, height]: [u32; 2]) -> [u64; 4] {
    let part = |v: f32, of: u32| (of as f32 * v) as u64;
    match area {
        Area::All => [0, 0, width.into(), height.into()],
        Area::Texels(rect) => rect.map(|v| v as u64),
        Area::Relative([x, y, w, h]) => [part(x, width), part(y, height), part(w, width), part(h, height)],
        Area::RelativeTexel([x, y]) => [part(x, width), part(y, height), 1, 1],
    }
}

/// Checks the relation of values, starting at an offset, to the expected values.
pub fn values(
    of: Contents<'_>,
    layout: &Layout,
    offset: u64,
    comparator: Comparator,
    expected: &[Value],
    tolerances: &[Tolerance],
) -> Result<(), String> {
    let stride = u64::from(layout.stride);
    if !offset.is_multiple_of(stride) {
        return Err(format!("byte {offset} is not the first of an element of {stride} bytes"));
    }
    let n = layout.components.len();
    let end = offset + expected.len().div_ceil(n) as u64 * stride;
    if end > of.bytes.len() as u64 {
        return Err(format!("bytes {offset}..{end} are not all in a buffer of {}", of.bytes.len()));
    }
    let elements = of.bytes[offset as usize..].chunks_exact(stride as usize);
    let (mut wrong, mut first) = (0u64, None);
    for (element, (bytes, list)) in elements.zip(expected.chunks(n)).enumerate() {
        for (component, value) in layout.components.iter().zip(list) {
            let bits = layout.bits(bytes, component);
            let tolerance = Tolerance { value: FLOAT_PERCENT, percent: true };
            let tolerance = tolerance_of(tolerances, component.row.into(), tolerance);
            if !holds(component.number, bits, *value, comparator, tolerance) {
                wrong += 1;
                first.get_or_insert((element, component, bits, *value));
            }
        }
    }
    let Some((element, component, bits, value)) = first else { return Ok(()) };
    let byte = offset + element as u64 * stride + u64::from(component.offset);
    Err(format!(
        "the value at byte {byte} is not as expected{}\n  expected: {} {}\n    actual: {}",
        others(wrong),
        sign(comparator),
        expected_text(component.number, value),
        actual_text(component.number, bits)
    ))
}

fn sign(comparator: Comparator) -> &'static str {
    match comparator {
        Comparator::Eq => "==",
        Comparator::Ne => "!=",
        Comparator::Lt => "<",
        Comparator::Le => "<=",
        Comparator::Gt => ">",
        Comparator::Ge => ">=",
        Comparator::Near => "~=",
    }
}

fn expected_text(number: Number, value: Value) -> String {
    match value {
        Value::Float(v) => v.to_string(),
        Value::Int(v) => actual_text(number, v),
    }
}

fn actual_text(number: Number, bits: u64) -> String {
    if number.is_float() { decode(number, bits).to_string() } else { integer(number, bits).to_string() }
}

/// Interprets bits as an integer.
fn integer(number: Number, bits: u64) -> i128 {
    let unused = 64 - u32::from(number.bits);
    if number.is_signed() {
        (((bits << unused) as i64) >> unused).into()
    } else {
        ((bits << unused) >> unused).into()
    }
}

fn holds(number: Number, bits: u64, expected: Value, comparator: Comparator, tolerance: Tolerance) -> bool {
    let (Value::Int(value), false) = (expected, number.is_float()) else {
        let actual = decode(number, bits);
        let expected = match expected {
            Value::Float(v) if number.bits == 64 => v,
            Value::Float(v) => f64::from(v as f32),
            Value::Int(v) => v as f64,
        };
        return match comparator {
            Comparator::Eq | Comparator::Near => is_near(actual, expected, tolerance),
            Comparator::Ne => !is_near(actual, expected, tolerance),
            Comparator::Lt => actual < expected,
            Comparator::Le => actual <= expected,
            Comparator::Gt => actual > expected,
            Comparator::Ge => actual >= expected,
        };
    };
    let (actual, expected) = (integer(number, bits), integer(number, value));
    match comparator {
        Comparator::Eq => actual == expected,
        Comparator::Ne => actual != expected,
        Comparator::Lt => actual < expected,
        Comparator::Le => actual <= expected,
        Comparator::Gt => actual > expected,
        Comparator::Ge => actual >= expected,
        Comparator::Near => is_near(actual as f64, expected as f64, tolerance),
    }
}

/// Checks that two buffers are similar.
pub fn buffers(a: Contents<'_>, b: Contents<'_>, how: Likeness) -> Result<(), String> {
    if !a.layout.is_like(b.layout) {
        return Err("the buffers hold values of different types".into());
    }
    if a.size != b.size || a.bytes.len() != b.bytes.len() {
        return Err(format!(
            "the buffers have different sizes: {} by {} with {} bytes, {} by {} with {} bytes",
            a.size[0],
            a.size[1],
            a.bytes.len(),
            b.size[0],
            b.size[1],
            b.bytes.len()
        ));
    }
    match how {
        Likeness::Equal => equal(a.bytes, b.bytes),
        Likeness::Rmse(most) => {
            let found = rmse(a, b);
            // This is false for NaN, so that NaN fails.
            if found <= most {
                Ok(())
            } else {
                Err(format!("the root mean square error is {found}, more than {most}"))
            }
        }
        Likeness::HistogramEmd(most) => {
            let found = histogram_emd(a, b)?;
            if found <= most {
                return Ok(());
            }
            Err(format!("the earth mover's distance of the histograms is {found}, more than {most}"))
        }
    }
}

fn equal(a: &[u8], b: &[u8]) -> Result<(), String> {
    let mut differences = a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b);
    let Some((at, (a, b))) = differences.next() else { return Ok(()) };
    Err(format!("byte {at} is {a} in one and {b} in the other, and {} more differ", differences.count()))
}

/// Yields the components of all elements with their bits.
fn components<'c>(of: &Contents<'c>) -> impl Iterator<Item = (&'c Component, u64)> {
    let layout = of.layout;
    let elements = of.bytes.chunks_exact(layout.stride as usize);
    elements.flat_map(move |e| layout.components.iter().map(move |c| (c, layout.bits(e, c))))
}

/// Root mean square error of the stored numbers, which are 0 to 255 for 8-bit components.
fn rmse(a: Contents<'_>, b: Contents<'_>) -> f64 {
    let stored = |number: Number, bits: u64| {
        if number.is_float() { decode(number, bits) } else { integer(number, bits) as f64 }
    };
    let (mut sum, mut n) = (0.0, 0u64);
    for ((c, x), (_, y)) in components(&a).zip(components(&b)) {
        let difference = stored(c.number, x) - stored(c.number, y);
        sum += difference * difference;
        n += 1;
    }
    (sum / n.max(1) as f64).sqrt()
}

/// Largest earth mover's distance between the histograms of a component, divided by the numbers of texels and bins.
fn histogram_emd(a: Contents<'_>, b: Contents<'_>) -> Result<f64, String> {
    const BINS: usize = 256;
    let eight_bits = |c: &Component| c.number.bits == 8 && !c.number.is_signed() && !c.number.is_float();
    let components_of = &a.layout.components;
    if components_of.len() != 4 || !components_of.iter().all(eight_bits) {
        return Err("histograms are of texels with four unsigned components of eight bits".into());
    }
    let histogram = |of: Contents<'_>| {
        let mut bins = vec![[0u64; 4]; BINS];
        for texel in of.bytes.chunks_exact(of.layout.stride as usize) {
            for (i, c) in of.layout.components.iter().enumerate() {
                bins[of.layout.bits(texel, c) as usize][i] += 1;
            }
        }
        bins
    };
    let (one, other) = (histogram(a), histogram(b));
    let texels = (a.bytes.len() / a.layout.stride as usize).max(1) as f64;
    let distance = |component: usize| {
        let (mut moved, mut total) = (0.0, 0.0f64);
        for (x, y) in one.iter().zip(&other) {
            moved += (x[component] as f64 - y[component] as f64) / texels;
            total += f64::abs(moved);
        }
        total / BINS as f64
    };
    Ok((0..4).map(distance).fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{DataType, Standard, format_named};

    fn layout(name: &str) -> Layout {
        Layout::new(DataType::of_amber(name).unwrap(), Standard::Std430).unwrap()
    }

    fn check(
        name: &str,
        bytes: &[u8],
        comparator: Comparator,
        value: Value,
        tolerances: &[Tolerance],
    ) -> bool {
        let layout = layout(name);
        let of = Contents { bytes, layout: &layout, size: [1, 1] };
        values(of, &layout, 0, comparator, &[value], tolerances).is_ok()
    }

    #[test]
    fn values_compare() {
        let minus = (-3i32).to_le_bytes();
        let int = |v: i64| Value::Int(v as u64);
        assert!(check("int32", &minus, Comparator::Eq, int(-3), &[]));
        assert!(check("int32", &minus, Comparator::Lt, int(1), &[]));
        assert!(!check("uint32", &minus, Comparator::Lt, int(1), &[]));
        assert!(check("uint32", &minus, Comparator::Eq, int(-3), &[]));
        assert!(check("int8", &[0x80], Comparator::Eq, int(-128), &[]));
        assert!(
            check("int32", &minus, Comparator::Ge, int(-3), &[])
                && !check("int32", &minus, Comparator::Gt, int(-3), &[])
        );
        let third = (1.0f32 / 3.0).to_le_bytes();
        assert!(check("float", &third, Comparator::Eq, Value::Float(1.0 / 3.0), &[]));
        assert!(!check("float", &third, Comparator::Eq, Value::Float(0.3333), &[]));
        let near = |value, percent| [Tolerance { value, percent }];
        assert!(check("float", &third, Comparator::Near, Value::Float(0.33), &near(1.1, true)));
        assert!(!check("float", &third, Comparator::Near, Value::Float(0.33), &near(0.9, true)));
        assert!(check("float", &third, Comparator::Near, Value::Float(0.3), &near(0.04, false)));
        assert!(check("float16", &0x3c00u16.to_le_bytes(), Comparator::Eq, Value::Float(1.0), &[]));
    }

    /// NaN is neither less nor greater than any number, and is equal only to itself.
    #[test]
    fn nan_compares() {
        let nan = f32::NAN.to_le_bytes();
        for comparator in [Comparator::Lt, Comparator::Le, Comparator::Gt, Comparator::Ge, Comparator::Eq] {
            assert!(!check("float", &nan, comparator, Value::Float(1.0), &[]), "{comparator:?}");
        }
        assert!(check("float", &nan, Comparator::Eq, Value::Float(f64::NAN), &[]));
        assert!(check("float", &nan, Comparator::Ne, Value::Float(1.0), &[]));
        let infinity = f32::INFINITY.to_le_bytes();
        assert!(check("float", &infinity, Comparator::Eq, Value::Float(f64::INFINITY), &[]));
        for actual in [1f32, f32::MAX, f32::NEG_INFINITY] {
            let bytes = actual.to_le_bytes();
            assert!(!check("float", &bytes, Comparator::Eq, Value::Float(f64::INFINITY), &[]), "{actual}");
            assert!(check("float", &bytes, Comparator::Ne, Value::Float(1e39), &[]), "{actual}");
        }
        let two = [Tolerance { value: 1.0, percent: true }];
        assert!(!check("float", &1f32.to_le_bytes(), Comparator::Near, Value::Float(f64::NAN), &two));
    }

    #[test]
    fn values_outside_do_not_hold() {
        let layout = layout("vec2<float>");
        let of = Contents { bytes: &[0; 16], layout: &layout, size: [1, 1] };
        let zeros = [Value::Float(0.0); 4];
        let all = |offset, n: usize| values(of, &layout, offset, Comparator::Eq, &zeros[..n], &[]);
        assert!(all(0, 4).is_ok() && all(8, 2).is_ok());
        assert!(all(4, 2).unwrap_err().contains("first"));
        assert!(all(8, 4).unwrap_err().contains("8..24"));
        assert!(all(16, 1).is_err());
    }

    #[test]
    fn tolerances_are_of_components() {
        let layout = layout("vec3<float>");
        let bytes: Vec<u8> = [1f32, 2.0, 3.0, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let of = Contents { bytes: &bytes, layout: &layout, size: [1, 1] };
        let near = |list: &[f64], expected: [f64; 3]| {
            let tolerances: Vec<_> = list.iter().map(|&value| Tolerance { value, percent: false }).collect();
            values(of, &layout, 0, Comparator::Near, &expected.map(Value::Float), &tolerances).is_ok()
        };
        assert!(near(&[0.5], [1.4, 2.4, 3.4]));
        assert!(near(&[0.5, 0.1, 0.5], [1.4, 2.1, 3.4]));
        assert!(!near(&[0.5, 0.1, 0.5], [1.4, 2.2, 3.4]));
        // The third component has the default tolerance.
        assert!(!near(&[0.5, 0.5], [1.4, 2.4, 3.4]));
    }

    #[test]
    fn colours_compare() {
        let layout = Layout::of_format(format_named("B8G8R8A8_UNORM").unwrap());
        let bytes = [0, 0, 255, 255, 0, 255, 0, 255];
        let of = Contents { bytes: &bytes, layout: &layout, size: [2, 1] };
        let area = |x, w| Area::Texels([x, 0.0, w, 1.0]);
        assert!(texels(of, area(0.0, 1.0), [1.0, 0.0, 0.0, 1.0], true, &[]).is_ok());
        assert!(texels(of, Area::RelativeTexel([0.5, 0.0]), [0.0, 1.0, 0.0, 0.0], false, &[]).is_ok());
        let message = texels(of, Area::All, [1.0, 0.0, 0.0, 1.0], true, &[]).unwrap_err();
        assert!(message.contains("texel 1, 0") && message.contains("0, 255, 0, 255"), "{message}");
        assert!(texels(of, area(1.0, 2.0), [0.0; 4], false, &[]).unwrap_err().contains("1..3"));
    }

    #[test]
    fn buffers_compare() {
        let layout = Layout::of_format(format_named("R8G8B8A8_UNORM").unwrap());
        let of = |bytes: &'static [u8]| Contents { bytes, layout: &layout, size: [1, 1] };
        let (a, b) = (of(&[10, 20, 30, 40]), of(&[10, 20, 30, 50]));
        assert!(buffers(a, a, Likeness::Equal).is_ok());
        assert!(buffers(a, b, Likeness::Equal).unwrap_err().contains("byte 3 is 40 in one and 50"));
        // The square root of 100 / 4 is 5.
        assert!(buffers(a, b, Likeness::Rmse(5.0)).is_ok());
        assert!(buffers(a, b, Likeness::Rmse(4.99)).is_err());
        // One texel moves by ten of 256 bins.
        assert!(buffers(a, b, Likeness::HistogramEmd(10.0 / 256.0)).is_ok());
        assert!(buffers(a, b, Likeness::HistogramEmd(9.99 / 256.0)).is_err());
        let wide = Contents { size: [2, 1], ..b };
        assert!(buffers(a, wide, Likeness::Equal).unwrap_err().contains("sizes"));
        let other = Layout::of_format(format_named("B8G8R8A8_UNORM").unwrap());
        assert!(buffers(a, Contents { layout: &other, ..b }, Likeness::Equal).is_err());
    }
}
