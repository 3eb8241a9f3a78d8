//! Output of shaders: DebugPrintf of the extended instruction set NonSemantic.DebugPrintf.
//!
//! Each active invocation that is not a helper prints a line, in ascending order within its lane group; lines of
//! concurrent groups come in any order. A line begins with its invocation in brackets: the global invocation id (of a kernel
//! without the global offset, as `quadrille debug --invocation` takes it), the position of the fragment, vertex and
//! instance, or the primitive. Lines go to the sink of the current work
//! ([`with_sink`]), otherwise to the function given to [`set_sink`], by default to standard error.
//!
//! A format is text with conversions `%[flags][width][.precision][vN][hh|h|hl|l]c`: `c` is one of `d i o u x X a A e E f F
//! g G c p`, `vN` prints N components; `hh` and `h` take the lowest 8 and 16 bits of an integer, and the other lengths all
//! of it; `%%` is a percent sign. Bools are 0 or 1. Conversions without a value, and values without a conversion, are left
//! out. Spec: C, "The fprintf function"; OpenCL C, "printf Format String".

use crate::process::Inherited;
use std::cell::RefCell;
use std::sync::Arc;

use crate::terminal;
use crate::ty::Ty;

/// A format and the types of the scalars that it prints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// The text.
    pub text: String,
    /// Types of the scalars, with vectors split into components.
    pub tys: Vec<Ty>,
    /// Text between the components of a vector.
    pub separator: &'static str,
}

/// Separator of the components of vectors of DebugPrintf.
pub(crate) const DEBUG_SEPARATOR: &str = ", ";
/// Separator of the components of vectors of OpenCL. Spec: OpenCL C, "printf Format String".
pub(crate) const OPENCL_SEPARATOR: &str = ",";

/// Receives each printed line, without a line end.
pub type Sink = Arc<dyn Fn(&str) + Send + Sync>;

static SINK: Inherited<Option<Sink>> = Inherited::new();

/// Sets the sink for all shaders of this process and of children that it forks later; `None` restores standard error.
pub fn set_sink(sink: Option<Sink>) {
    SINK.update(|_| Some(sink.clone()));
}

thread_local! {
    /// Sink of the current thread's work.
    static OF_WORK: RefCell<Option<Sink>> = const { RefCell::new(None) };
}

/// Sink of the current thread's work, if it has one; threads that help with the work use the same sink.
pub fn sink_of_work() -> Option<Sink> {
    OF_WORK.with_borrow(Clone::clone)
}

/// Runs work whose shaders print to `sink`; `None` keeps the current sink.
pub fn with_sink<R>(sink: Option<Sink>, work: impl FnOnce() -> R) -> R {
    struct Restore(Option<Sink>);
    impl Drop for Restore {
        fn drop(&mut self) {
            OF_WORK.set(self.0.take());
        }
    }
    let _before = sink.map(|sink| Restore(OF_WORK.replace(Some(sink))));
    work()
}

/// Escapes: the character after the backslash, the control character that represents it in a format, and its meaning.
/// Scanners without escapes let the control characters pass.
const ESCAPES: &[(char, char, char)] = &[
    ('n', '\u{1}', '\n'),
    ('t', '\u{2}', '\t'),
    ('r', '\u{3}', '\r'),
    ('"', '\u{4}', '"'),
    ('\\', '\u{5}', '\\'),
    ('\'', '\u{6}', '\''),
];

/// Control character that represents a backslash and this character in a format, until [`unescape`].
pub fn escape(c: char) -> Option<char> {
    ESCAPES.iter().find(|row| row.0 == c).map(|row| row.1)
}

/// Replaces the escapes in a format by their meaning.
pub(crate) fn unescape(text: &str) -> String {
    let meaning = |c: char| ESCAPES.iter().find(|row| row.1 == c).map_or(c, |row| row.2);
    text.chars().map(meaning).collect()
}

/// Prints a line of a shader to the sink of the current work.
pub(crate) fn print(line: &str) {
    print_to(sink_of_work(), line);
}

/// Prints a line to the sink of the process.
pub fn print_of_process(line: &str) {
    print_to(None, line);
}

fn print_to(sink: Option<Sink>, line: &str) {
    let sink = sink.or_else(|| SINK.get().cloned().flatten());
    match sink {
        // The caller is generated code, which a panic must not unwind through.
        Some(sink) => drop(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| sink(line)))),
        None => terminal::to_stderr(format_args!("{line}")),
    }
}

/// A conversion of a format.
#[derive(Default)]
pub(crate) struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// Number of components of the value.
    pub(crate) components: usize,
    /// Bits of an integer that are printed.
    bits: u32,
    /// The letter at the end.
    pub(crate) kind: char,
}

/// Length modifiers, and the bits of an integer that they select.
const LENGTHS: &[(&str, u32)] = &[("hh", 8), ("hl", 64), ("h", 16), ("ll", 64), ("l", 64)];

impl Conversion {
    /// Parses a conversion after its percent sign. Also returns the rest of the text. `None` if no letter ends it.
    pub(crate) fn read(text: &str) -> Option<(Conversion, &str)> {
        let mut c = Conversion { components: 1, bits: 64, ..Default::default() };
        let mut chars = text.char_indices().peekable();
        fn number(chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>) -> usize {
            let mut n = 0usize;
            while let Some(d) = chars.peek().and_then(|c| c.1.to_digit(10)) {
                n = (n * 10 + d as usize).min(1000);
                chars.next();
            }
            n
        }
        while let Some(&(_, flag)) = chars.peek() {
            match flag {
                '-' => c.left = true,
                '+' => c.plus = true,
                ' ' => c.space = true,
                '#' => c.alternate = true,
                '0' => c.zeros = true,
                _ => break,
            }
            chars.next();
        }
        c.width = number(&mut chars);
        if chars.next_if(|c| c.1 == '.').is_some() {
            c.precision = Some(number(&mut chars));
        }
        if chars.next_if(|c| c.1 == 'v').is_some() {
            c.components = number(&mut chars).clamp(1, 16);
        }
        let from = chars.peek()?.0;
        if let Some((length, bits)) = LENGTHS.iter().find(|row| text[from..].starts_with(row.0)) {
            c.bits = *bits;
            chars.nth(length.len() - 1);
        }
        let (at, kind) = chars.next()?;
        c.kind = kind;
        kind.is_ascii_alphabetic().then(|| (c, &text[at + 1..]))
    }

    /// `true` for the conversions of integers.
    fn is_of_integer(&self) -> bool {
        "diouxX".contains(self.kind)
    }

    /// `true` for the conversions of floats.
    fn is_of_float(&self) -> bool {
        "aAeEfFgG".contains(self.kind)
    }

    /// `true` if [`Format::render`] prints a value by this conversion.
    pub(crate) fn is_of_value(&self) -> bool {
        self.is_of_integer() || self.is_of_float() || "cp".contains(self.kind)
    }

    /// Formats a value.
    fn show(&self, ty: Ty, bits: u64) -> String {
        let (lead, digits) = match self.kind {
            'c' => (String::new(), char::from(bits as u8).to_string()),
            'p' => ("0x".to_owned(), format!("{bits:x}")),
            _ if self.is_of_integer() => self.integer(ty, bits),
            _ => self.float(float_of(ty, bits)),
        };
        let missing = self.width.saturating_sub(lead.chars().count() + digits.chars().count());
        // Zeros follow the sign and the base. Those of a precision take their place, and there are none before words.
        let zeros = match self.is_of_integer() {
            true => self.precision.is_none(),
            false => self.is_of_float() && digits.starts_with(|c: char| c.is_ascii_digit()),
        };
        match (self.left, self.zeros && zeros) {
            (true, _) => lead + &digits + &" ".repeat(missing),
            (false, true) => lead + &"0".repeat(missing) + &digits,
            (false, false) => " ".repeat(missing) + &lead + &digits,
        }
    }

    /// The string, up to the precision, in the width.
    pub(crate) fn string(&self, text: &str) -> String {
        let most = self.precision.unwrap_or(text.len()).min(text.len());
        // Part of a character is none.
        let end = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        let text = &text[..end];
        let blanks = " ".repeat(self.width.saturating_sub(text.chars().count()));
        if self.left { text.to_owned() + &blanks } else { blanks + text }
    }

    /// The sign of a number.
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    /// Sign or base, and digits.
    fn integer(&self, ty: Ty, bits: u64) -> (String, String) {
        if ty.is_float() {
            return self.integer(Ty::I64, float_of(ty, bits) as i64 as u64);
        }
        let n = ty.bits().unwrap_or(1).clamp(1, self.bits);
        let bits = bits << (64 - n) >> (64 - n);
        // The single bit of a bool is not a sign.
        let signed = if ty.is_int() { ((bits << (64 - n)) as i64) >> (64 - n) } else { bits as i64 };
        let (lead, mut digits) = match self.kind {
            'd' | 'i' => (self.sign(signed < 0), signed.unsigned_abs().to_string()),
            'o' => ("", format!("{bits:o}")),
            'x' => (if self.alternate && bits != 0 { "0x" } else { "" }, format!("{bits:x}")),
            'X' => (if self.alternate && bits != 0 { "0X" } else { "" }, format!("{bits:X}")),
            _ => ("", bits.to_string()),
        };
        if let Some(least) = self.precision {
            if bits == 0 {
                digits.clear();
            }
            digits.insert_str(0, &"0".repeat(least.saturating_sub(digits.len())));
        }
        if self.kind == 'o' && self.alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        (lead.to_owned(), digits)
    }

    /// Sign and base, and digits.
    fn float(&self, x: f64) -> (String, String) {
        let precision = self.precision.unwrap_or(6);
        let size = x.abs();
        let (base, digits) = if !x.is_finite() {
            ("", if x.is_nan() { "nan".to_owned() } else { "inf".to_owned() })
        } else {
            match self.kind {
                'f' | 'F' => ("", with_point(format!("{size:.precision$}"), self.alternate)),
                'e' | 'E' => ("", exponent(size, precision, self.alternate)),
                'g' | 'G' => ("", general(size, precision.max(1), self.alternate)),
                _ => ("0x", hexadecimal(size, self.precision, self.alternate)),
            }
        };
        let lead = self.sign(x.is_sign_negative() && !x.is_nan()).to_owned() + base;
        match self.kind.is_uppercase() {
            true => (lead.to_uppercase(), digits.to_uppercase()),
            false => (lead, digits),
        }
    }
}

/// Adds the decimal point that digits lack, if `always`.
fn with_point(digits: String, always: bool) -> String {
    if always && !digits.contains('.') { digits + "." } else { digits }
}

fn float_of(ty: Ty, bits: u64) -> f64 {
    match ty {
        Ty::F16 => half::f16::from_bits(bits as u16).to_f64(),
        Ty::F32 => f64::from(f32::from_bits(bits as u32)),
        Ty::F64 => f64::from_bits(bits),
        _ => bits as f64,
    }
}

/// Formats like `%e`: at least two digits of exponent.
fn exponent(x: f64, precision: usize, point: bool) -> String {
    let text = format!("{x:.precision$e}");
    match text.split_once('e') {
        Some((digits, power)) => {
            let (sign, power) = power.strip_prefix('-').map_or(('+', power), |p| ('-', p));
            format!("{}e{sign}{power:0>2}", with_point(digits.to_owned(), point))
        }
        None => text,
    }
}

/// Formats like `%g`: the shorter of the two forms, without trailing zeros unless `zeros`, which keeps the point, too.
fn general(x: f64, precision: usize, zeros: bool) -> String {
    let scientific = exponent(x, precision - 1, zeros);
    let power = scientific.split_once('e').and_then(|(_, p)| p.parse::<i64>().ok()).unwrap_or(0);
    let trim = |text: &str| match zeros || !text.contains('.') {
        true => text.to_owned(),
        false => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
    };
    if x != 0.0 && (power < -4 || power >= precision as i64) {
        return match scientific.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", trim(digits)),
            None => scientific,
        };
    }
    let decimals = (precision as i64 - 1 - if x == 0.0 { 0 } else { power }).max(0) as usize;
    trim(&with_point(format!("{x:.decimals$}"), zeros))
}

/// Formats like `%a` after the sign and `0x`: rounded to nearest, ties to even, with the digits that are needed if there is no
/// precision.
fn hexadecimal(x: f64, precision: Option<usize>, dot: bool) -> String {
    let bits = x.to_bits();
    let (power, fraction) = ((bits >> 52) as i64 & 0x7ff, bits & ((1 << 52) - 1));
    let (lead, power) = match (power, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, power - 1023),
    };
    let digits = lead << 52 | fraction;
    let dropped = 52 - 4 * precision.map_or(13, |p| p.min(13));
    let (kept, rest) = (digits >> dropped, digits & ((1 << dropped) - 1));
    let half = (1u64 << dropped) / 2;
    let up = dropped > 0 && (rest > half || rest == half && kept & 1 == 1);
    let digits = (kept + u64::from(up)) << dropped;
    let (lead, fraction) = (digits >> 52, format!("{:013x}", digits & ((1 << 52) - 1)));
    let fraction = match precision {
        Some(p) => format!("{:0<p$}", &fraction[..p.min(13)]),
        None => fraction.trim_end_matches('0').to_owned(),
    };
    let dot = if dot || !fraction.is_empty() { "." } else { "" };
    format!("{lead}{dot}{fraction}p{power:+}")
}

impl Format {
    /// Formats a line from encoded values: integers are zero-extended, floats are given by their bits.
    pub fn render(&self, values: &[u64]) -> String {
        let mut out = String::new();
        let mut values = self.tys.iter().zip(values);
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            if let Some(after) = after.strip_prefix('%') {
                out.push('%');
                rest = after;
                continue;
            }
            let read = Conversion::read(after).filter(|read| read.0.is_of_value());
            let Some((conversion, after)) = read else {
                out.push('%');
                rest = after;
                continue;
            };
            for i in 0..conversion.components {
                let Some((&ty, &bits)) = values.next() else { break };
                if i > 0 {
                    out.push_str(self.separator);
                }
                out.push_str(&conversion.show(ty, bits));
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, values: &[(Ty, u64)], want: &str) {
        let tys = values.iter().map(|v| v.0).collect();
        let format = Format { text: text.to_owned(), tys, separator: DEBUG_SEPARATOR };
        assert_eq!(format.render(&values.iter().map(|v| v.1).collect::<Vec<_>>()), want);
    }

    /// The expected texts are the output of C's printf.
    #[test]
    fn conversions() {
        let f = |x: f32| (Ty::F32, u64::from(x.to_bits()));
        let i = |x: i32| (Ty::I32, u64::from(x as u32));
        check("plain 100%%", &[], "plain 100%");
        check("%d|%5d|%-5d|%05d|%+d", &[i(-7), i(42), i(42), i(-42), i(3)], "-7|   42|42   |-0042|+3");
        check("%u %x %#X %o", &[i(-1), i(255), i(255), i(8)], "4294967295 ff 0XFF 10");
        check("%lu %lx", &[(Ty::I64, u64::MAX), (Ty::I64, 1 << 40)], "18446744073709551615 10000000000");
        check("%f %.2f %8.3f|", &[f(1.5), f(-0.125), f(3.0)], "1.500000 -0.12    3.000|");
        check("%e %g %g %g", &[f(1234.5), f(0.0001), f(1e10), f(2.5)], "1.234500e+03 0.0001 1e+10 2.5");
        check(
            "%v3f; %1.1v2f",
            &[f(1.0), f(2.0), f(3.0), f(4.0), f(5.0)],
            "1.000000, 2.000000, 3.000000; 4.0, 5.0",
        );
        check("%v2d %a", &[i(1), i(-2), f(0.75)], "1, -2 0x1.8p-1");
        let halves = [f(2.0), f(2.71), f(1.5), f(2.5), f(0.75), f(0.75), f(-2.0)];
        let shown = "0x1.0p+1 0x1.5aep+1 0x2p+0 0x1p+1 0x1.80000000000000p-1 0X1.8P-1 -0x0001.0p+1";
        check("%.1a %.3a %.0a %.0a %.14a %A %012.1a", &halves, shown);
        check(
            "%#.0a %.0a %012f|%08f",
            &[f(2.0), f(0.0), f(f32::INFINITY), f(f32::NAN)],
            "0x1.p+1 0x0p+0          inf|     nan",
        );
        check("%f %f", &[f(f32::NAN), f(f32::NEG_INFINITY)], "nan -inf");
        check("%d and %d, %q", &[i(1)], "1 and , %q");
        check("%f", &[(Ty::F16, 0x3c00)], "1.000000");
        check("%d", &[(Ty::I8, 0xff)], "-1");
        let bools = [true, false, true, true].map(|b| (Ty::Bool, u64::from(b)));
        check("%d %i %+d %u", &bools, "1 0 +1 1");
        check("%v2d %hhd", &bools[..3], "1, 0 1");
    }

    /// Flags, precisions of 0 and lengths. Spec: C, "The fprintf function".
    #[test]
    fn flags_and_lengths() {
        let f = |x: f32| (Ty::F32, u64::from(x.to_bits()));
        let i = |x: i32| (Ty::I32, u64::from(x as u32));
        check("%08x|%8x|%-8x|", &[i(0xabcdef), i(0xabcdef), i(0xabcdef)], "00abcdef|  abcdef|abcdef  |");
        check("%#08x|%#8X|%#x|%#.3x", &[i(255), i(255), i(0), i(10)], "0x0000ff|    0XFF|0|0x00a");
        check("%08.3d|%08d|%+.3d|% d", &[i(-7), i(-7), i(7), i(7)], "    -007|-0000007|+007| 7");
        check("%#o|%#o|%#.3o|%#.2o|%#.0o", &[i(8), i(0), i(8), i(8), i(0)], "010|0|010|010|0");
        check("[%.0d] [%3.0u] [%+.0d] [%.0x]", &[i(0), i(0), i(0), i(0)], "[] [   ] [+] []");
        check(
            "%#.0f %#.0e %#.1g %#g %.0f",
            &[f(2.0), f(2.0), f(2.0), f(0.5), f(2.0)],
            "2. 2.e+00 2. 0.500000 2",
        );
        check("%#.3g %#.1g %#G", &[f(0.0), f(0.0), f(1e10)], "0.00 0. 1.00000E+10");
        check("%hhd %hhu %hd %hx %ld", &[i(300), i(-1), i(0x18000), i(-1), i(-1)], "44 255 -32768 ffff -1");
        check("%c|%3c|%-3c|%c", &[i(65), i(66), i(67), i(0x144)], "A|  B|C  |D");
        check("%p %12p", &[(Ty::I64, 0xabc0), (Ty::I64, 1)], "0xabc0          0x1");
        check("%+f %+06.1f % e", &[f(f32::INFINITY), f(-0.0), f(1.0)], "+inf -000.0  1.000000e+00");
    }

    /// Precisions of strings count bytes. Spec: C, "The fprintf function".
    #[test]
    fn strings() {
        let shown = |conversion: &str, text: &str| Conversion::read(conversion).map(|c| c.0.string(text));
        for (conversion, text, want) in [
            ("s", "abc", "abc"),
            ("5s", "abc", "  abc"),
            ("-5s", "abc", "abc  "),
            (".2s", "abc", "ab"),
            ("4.1s", "abc", "   a"),
            (".0s", "abc", ""),
            (".9s", "abc", "abc"),
            (".2s", "a\u{e9}", "a"),
        ] {
            assert_eq!(shown(conversion, text).as_deref(), Some(want), "%{conversion} of {text}");
        }
    }
}
