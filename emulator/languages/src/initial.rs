//! Initial values of GLSL uniforms: `uniform float glow = 0.5;`.
//!
//! The compiler drops these values, because Vulkan has no initial values for uniforms. Code that fills the uniforms
//! reads them from here.

use super::comments::without_comments;
use super::{Options, includes};

/// A uniform with an initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitialValue {
    /// Name of the uniform.
    pub name: String,
    /// Component values, separated by commas; `None` unless the value consists of numbers, constructors, initializer lists and
    /// parentheses.
    pub value: Option<String>,
}

/// Returns the initial values in a GLSL source and the files that it includes, in source order.
///
/// ```
/// use quadrille_languages::{Options, initial_values};
/// let source = "uniform vec2 size = vec2(2.0, -1); uniform float a, b = .5;";
/// let all = initial_values(source, &Options::default());
/// assert_eq!(all[0].value.as_deref(), Some("2.0,-1"));
/// assert_eq!((all[1].name.as_str(), all[1].value.as_deref()), ("b", Some(".5")));
/// ```
pub fn initial_values(source: &str, options: &Options) -> Vec<InitialValue> {
    // The compiler reports files that cannot be included.
    let text = includes::expand(source, options).map_or_else(|_| source.to_owned(), |e| e.text);
    let blank = without_comments(&text);
    let code: String =
        blank.lines().filter(|l| !l.trim_start().starts_with('#')).flat_map(|l| [l, "\n"]).collect();
    let mut out = Vec::new();
    for statement in statements(&code) {
        let Some((before, declared)) = statement.split_once("uniform") else { continue };
        let is_word = before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == ')');
        if !is_word || !declared.starts_with(char::is_whitespace) || !declared.contains('=') {
            continue;
        }
        let declarators = split(behind_layout(declared));
        let mut words = declarators[0].split(['=', '[']).next().unwrap_or_default().split_whitespace().rev();
        let (Some(_), Some(ty)) = (words.next(), words.next()) else { continue };
        for declarator in &declarators {
            let Some((name, value)) = declarator.split_once('=') else { continue };
            let name = name.split('[').next().unwrap_or_default().split_whitespace().next_back();
            let Some(name) = name else { continue };
            out.push(InitialValue {
                name: name.into(),
                value: numbers(ty, value.trim()).map(|n| n.join(",")),
            });
        }
    }
    out
}

/// Splits a text at the ends of statements and blocks. An initializer list is a part of its statement.
fn statements(code: &str) -> Vec<&str> {
    let (mut start, mut depth, mut last, mut out) = (0, 0usize, ' ', Vec::new());
    for (at, c) in code.char_indices() {
        match c {
            '{' if depth > 0 || matches!(last, '=' | '(' | ',') => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ';' | '{' | '}' => {
                out.push(&code[start..at]);
                (start, depth) = (at + 1, 0);
            }
            _ => {}
        }
        if !c.is_whitespace() {
            last = c;
        }
    }
    out.push(&code[start..]);
    out
}

/// Skips a layout at the beginning of a text. Spec: GLSL 4.60, 4.12: qualifiers have any order, so it may follow `uniform`.
fn behind_layout(text: &str) -> &str {
    let layout = text.trim_start().strip_prefix("layout");
    let inside = layout.and_then(|t| t.trim_start().strip_prefix('('));
    inside.and_then(|t| t.split_once(')')).map_or(text, |(_, rest)| rest)
}

/// Splits a text at the commas outside parentheses and braces.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&text[start..]);
    out
}

/// Returns the text between brackets that enclose all of a text.
fn enclosed(text: &str, [open, close]: [char; 2]) -> Option<&str> {
    let inside = text.strip_prefix(open)?.strip_suffix(close)?;
    let mut depth = 0usize;
    for c in inside.chars() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.checked_sub(1)?;
        }
    }
    (depth == 0).then_some(inside)
}

/// Maximum number of parentheses around a value.
const MAX_PARENTHESES: usize = 64;

/// Returns a text without the parentheses that enclose all of it.
fn without_parentheses(mut text: &str) -> &str {
    for _ in 0..MAX_PARENTHESES {
        let Some(inside) = enclosed(text, ['(', ')']) else { break };
        text = inside.trim();
    }
    text
}

/// Returns the components of a literal, or of a constructor or an initializer list of literals.
fn numbers(ty: &str, text: &str) -> Option<Vec<String>> {
    let text = without_parentheses(text);
    if let Some(list) = enclosed(text, ['{', '}']) {
        let list = list.trim_end();
        let parts = split(list.strip_suffix(',').unwrap_or(list)).into_iter();
        let parts = parts.map(|part| numbers(ty, part.trim())).collect::<Option<Vec<_>>>();
        return parts.map(|all| all.concat());
    }
    let call = text.strip_suffix(')').and_then(|t| t.split_once('('));
    if let Some((name, inside)) = call.filter(|(name, _)| !matches!(name.trim(), "-" | "+")) {
        let name = name.trim();
        if let Some((element, _)) = name.split_once('[') {
            return split(inside)
                .into_iter()
                .map(|part| numbers(element, part.trim()))
                .collect::<Option<Vec<_>>>()
                .map(|all| all.concat());
        }
        let (columns, rows) = size(name)?;
        let parts = split(inside)
            .into_iter()
            .map(|part| numbers("", part.trim()))
            .collect::<Option<Vec<_>>>()?
            .concat();
        let parts: Vec<String> = parts.into_iter().map(|part| cast(part, name)).collect();
        let made = match parts.len() {
            n if n == columns * rows => parts,
            // A single number fills all components of a vector, or the diagonal of a matrix.
            1 => (0..columns * rows)
                .map(|i| match columns == 1 || i / rows == i % rows {
                    true => parts[0].clone(),
                    false => "0".into(),
                })
                .collect(),
            _ => return None,
        };
        // The result of a constructor has its type, and is converted as a literal is.
        return Some(made.into_iter().map(|part| cast(part, ty)).collect());
    }
    literal(ty, text).map(|number| vec![number])
}

/// Returns the value of a literal behind an optional sign, which GLSL does not count to the literal, in a type or the
/// arguments of its constructor.
/// Spec: GLSL 4.60, 4.1.7 Integers.
fn literal(ty: &str, text: &str) -> Option<String> {
    let (sign, bare) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", text.strip_prefix('+').unwrap_or(text).trim_start()),
    };
    let bare = without_parentheses(bare);
    if matches!(bare, "true" | "false") {
        return sign.is_empty().then(|| bare.to_owned());
    }
    if let Some(number) = integer(bare, !sign.is_empty()) {
        return Some(converted(number, ty));
    }
    // Digits without a value as an integer are not octal, or too many.
    let is_whole = bare.bytes().all(|b| b.is_ascii_digit());
    let bare = bare.trim_end_matches(['f', 'F', 'l', 'L']);
    let is_number = bare.starts_with(|c: char| c.is_ascii_digit() || c == '.') && bare.parse::<f64>().is_ok();
    let is_integer = ty.starts_with("int") || ty.starts_with("uint");
    (is_number && !is_whole && !(is_integer && bare.contains('.'))).then(|| format!("{sign}{bare}"))
}

/// Returns the value of an integer literal, or of its negation. The digits are the bits of its type, so that
/// `0xffffffff` is -1, and `-1u` is 4294967295.
/// Spec: GLSL 4.60, 4.1.7 Integers: the bit pattern of the literal is always used unmodified. `L` is that of
/// GL_EXT_shader_explicit_arithmetic_types_int64.
fn integer(literal: &str, is_negated: bool) -> Option<i128> {
    let literal = literal.to_ascii_lowercase();
    let (radix, rest) = match literal.strip_prefix("0x") {
        Some(hex) => (16, hex),
        None => (if literal.starts_with('0') { 8 } else { 10 }, &*literal),
    };
    let digits = rest.trim_end_matches(['u', 'l']);
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let bits = u64::from_str_radix(digits, radix).ok()?;
    let negative = |n: u64| if is_negated { n.wrapping_neg() } else { n };
    Some(match &rest[digits.len()..] {
        "" => i128::from(negative(u32::try_from(bits).ok()?.into()) as u32 as i32),
        "u" => i128::from(negative(u32::try_from(bits).ok()?.into()) as u32),
        "l" => i128::from(negative(bits) as i64),
        "ul" => i128::from(negative(bits)),
        _ => return None,
    })
}

/// An integer as a component of a type: conversions between signed and unsigned ones keep the bits.
/// Spec: GLSL 4.60, 5.4.1 Conversion and Scalar Constructors.
fn converted(number: i128, ty: &str) -> String {
    match (ty.chars().next(), ty.contains("64")) {
        (Some('i'), false) => (number as i32).to_string(),
        (Some('i'), true) => (number as i64).to_string(),
        (Some('u'), false) => (number as u32).to_string(),
        (Some('u'), true) => (number as u64).to_string(),
        _ => number.to_string(),
    }
}

/// Converts a component to that of a type; without a type, it stays what it is.
/// Spec: GLSL 4.60, 5.4.1 Conversion and Scalar Constructors.
fn cast(value: String, ty: &str) -> String {
    let number = match &*value {
        "true" => Some(1),
        "false" => Some(0),
        _ => value.parse::<i128>().ok(),
    };
    match (ty.chars().next(), number) {
        (None, _) => value,
        (Some('b'), _) => {
            let is_zero = number.map_or_else(|| value.parse::<f64>().is_ok_and(|x| x == 0.0), |n| n == 0);
            (!is_zero).to_string()
        }
        // The fraction of a number with a point is dropped.
        (Some('i' | 'u'), _) => {
            let whole = number.or_else(|| value.parse::<f64>().ok().map(|x| x as i128));
            whole.map_or(value, |n| converted(n, ty))
        }
        (Some(_), Some(number)) => number.to_string(),
        (Some(_), None) => value,
    }
}

/// Returns the columns and rows of the type with this name.
fn size(ty: &str) -> Option<(usize, usize)> {
    // An operator before the name, as in `-vec3(1)` and `2.0 * vec3(1)`, makes it no name.
    if !ty.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return None;
    }
    let side = |text: &str| text.parse::<usize>().ok().filter(|n| (2..=4).contains(n));
    if let Some((_, sides)) = ty.split_once("mat") {
        let (columns, rows) = sides.split_once('x').unwrap_or((sides, sides));
        return Some((side(columns)?, side(rows)?));
    }
    match ty.split_once("vec") {
        Some((_, n)) => Some((1, side(n)?)),
        None => matches!(ty, "float" | "int" | "uint" | "bool" | "double").then_some((1, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Includes;

    #[test]
    fn literals_and_constructors() {
        let source = "// uniform float no = 1.0;\n#define X 2\nuniform float a = 0.5f, b, c = -1e3;\n\
            layout(location = 3) uniform highp ivec2 d = ivec2(1, -2);uniform uint e = 0xffu;\nuniform bool f = true;\n\
            uniform vec3 g = vec3(1.0);\nuniform mat2 h = mat2(2.0);\nuniform float i[2] = float[2](1.0, 2.0);\n\
            uniform vec4 j = vec4(vec3(0.1), 1); uniform float k = X * 2.0;\nuniform int l = 3;\n\
            uniform layout(location = 4, binding = 1) vec2 o = vec2(1, 2), p = vec2(3);\n\
            uniform B { float m; } n;\nvoid main() { float uniformed = 1.0; x = 2.0; }\n";
        let all = initial_values(source, &Options::default());
        let list: Vec<(&str, Option<&str>)> =
            all.iter().map(|v| (v.name.as_str(), v.value.as_deref())).collect();
        let expected = [
            ("a", Some("0.5")),
            ("c", Some("-1e3")),
            ("d", Some("1,-2")),
            ("e", Some("255")),
            ("f", Some("true")),
            ("g", Some("1.0,1.0,1.0")),
            ("h", Some("2.0,0,0,2.0")),
            ("i", Some("1.0,2.0")),
            ("j", Some("0.1,0.1,0.1,1")),
            ("k", None),
            ("l", Some("3")),
            ("o", Some("1,2")),
            ("p", Some("3,3")),
        ];
        assert_eq!(list, expected);
        for odd in [
            "uniform = 1;",
            "uniform float = ;",
            "uniform x = vec3(",
            "uniform vec3 y = vec3(1,2);",
            "uniform =",
        ] {
            let all = initial_values(odd, &Options::default());
            assert!(all.iter().all(|v| v.value.is_none() || v.name == "float"), "{odd}");
        }
    }

    /// Spec: GLSL 4.60, 4.1.15 Initializers: the declarations behind a list, and its statement, go on.
    #[test]
    fn lists_end_no_statements() {
        let source = "uniform vec2 a = {1, 2}, b[2] = {{3, 4},\n{5, 6}}, c = vec2(7);\n\
            uniform B { float m; } n;\nvoid main() { if (a == b[0]) { int d[1] = { 1 }; } }\nuniform float e = 8.0;\n";
        let all = initial_values(source, &Options::default());
        let all: Vec<_> = all.iter().map(|v| (v.name.as_str(), v.value.as_deref())).collect();
        let lists = [("a", Some("1,2")), ("b", Some("3,4,5,6")), ("c", Some("7,7")), ("e", Some("8.0"))];
        assert_eq!(all, lists);
    }

    /// The value of a uniform of a type with this text.
    fn value(ty: &str, text: &str) -> Option<String> {
        let all = initial_values(&format!("uniform {ty} a = {text};"), &Options::default());
        all[0].value.clone()
    }

    #[test]
    fn signs_are_no_part_of_literals() {
        for (text, expected) in [
            ("-010", Some("-8")),
            ("010", Some("8")),
            ("-0x10", Some("-16")),
            ("-0XFFu", Some("-255")),
            ("0x7fffffff", Some("2147483647")),
            ("- 5", Some("-5")),
            ("+ 5u", Some("5")),
            ("-0", Some("0")),
            ("09", None),
            ("-true", None),
            ("--5", None),
            ("-x", None),
            ("0x-1", None),
            ("0x", None),
            ("-inf", None),
        ] {
            assert_eq!(value("int", text).as_deref(), expected, "{text}");
        }
    }

    /// Spec: GLSL 4.60, 4.1.7 Integers, its examples; 4.1.14 Implicit Conversions; 5.4.1 Conversion and Scalar
    /// Constructors.
    #[test]
    fn integers_are_the_bits_of_their_digits() {
        for (ty, text, expected) in [
            ("int", "0xffffffff", Some("-1")),
            ("int", "0xA0000000", Some("-1610612736")),
            ("int", "3000000000", Some("-1294967296")),
            ("int", "2147483648", Some("-2147483648")),
            ("int", "-0x80000000", Some("-2147483648")),
            ("int", "-0xffffffff", Some("1")),
            ("int", "037777777777", Some("-1")),
            ("int", "5000000000", None),
            ("int", "0xfffffffff", None),
            ("uint", "0xffffffffu", Some("4294967295")),
            ("uint", "0xffffffff", Some("4294967295")),
            ("uint", "-1u", Some("4294967295")),
            ("uint", "-1", Some("4294967295")),
            ("float", "0xffffffff", Some("-1")),
            ("float", "0xffffffffu", Some("4294967295")),
            ("float", "-0x10", Some("-16")),
            ("float", "010", Some("8")),
            ("float", "010.5", Some("010.5")),
            ("float", "-08e1f", Some("-08e1")),
            ("ivec2", "ivec2(0xffffffffu, -1)", Some("-1,-1")),
            ("uvec2", "uvec2(-1, 7)", Some("4294967295,7")),
            ("vec2", "vec2(0x80000000u, -010)", Some("2147483648,-8")),
            ("uint", "uint(-2)", Some("4294967294")),
            ("uint", "int(-1)", Some("4294967295")),
            ("uint", "uint(int(-1))", Some("4294967295")),
            ("uvec2", "ivec2(-1, 3)", Some("4294967295,3")),
            ("ivec2", "ivec2(uvec2(0xfffffffeu, 1))", Some("-2,1")),
            ("vec2", "vec2(uvec2(-1))", Some("4294967295,4294967295")),
            ("int", "int[2](0xfffffffe, 1)", Some("-2,1")),
            ("int64_t", "0xffffffffL", Some("4294967295")),
            ("ivec3", "ivec3(1.5, -4.9, true)", Some("1,-4,1")),
            ("vec3", "vec3(ivec2(1.7, 0), .25)", Some("1,0,.25")),
            ("vec2", "vec2(true, false)", Some("1,0")),
            ("bvec3", "bvec3(2.0, 0.0, 3)", Some("true,false,true")),
            ("uint", "uint(bool(0.5))", Some("1")),
            ("float", "float(int(1e2))", Some("100")),
            ("float", "(0.5)", Some("0.5")),
            ("float", "-( (0.5f) )", Some("-0.5")),
            ("vec2", "(vec2((1), -(2)))", Some("1,-2")),
            ("uint", "-(1u)", Some("4294967295")),
            ("vec2", "{1.0, -2}", Some("1.0,-2")),
            ("ivec2", "{ 0xffffffffu, 1, }", Some("-1,1")),
            ("mat2", "{{1, 2}, vec2(3)}", Some("1,2,3,3")),
            ("vec2", "vec2[2]({1, 2}, (vec2(3)))", Some("1,2,3,3")),
            ("float", "-(-0.5)", None),
            ("float", "(1) + (2)", None),
            ("float", "-(1) - (2)", None),
            ("float", "(1, 2)", None),
            ("vec2", "{1, x}", None),
            ("vec2", "-vec2(1, 2)", None),
            ("vec2", "2.0 * vec2(1, 2)", None),
            ("vec2", "vec2(vec2(1) * 2.0)", None),
            ("vec2", "vec2(1) + vec2(2)", None),
            ("vec3", "vec3(1.0-vec2(0.5), 1)", None),
            ("mat2", "-mat2(1)", None),
            ("uint64_t", "-1L", Some("18446744073709551615")),
        ] {
            assert_eq!(value(ty, text).as_deref(), expected, "{ty} {text}");
        }
    }

    #[test]
    fn included_files_count() {
        let includes = Includes::default().and_file("a.glsl", "uniform float glow = 0.5;\n".into());
        let options = Options { includes, ..Options::default() };
        let all = initial_values("#version 330\n#include \"a.glsl\"\nuniform float b = 2.0;\n", &options);
        let all: Vec<_> = all.iter().map(|v| (v.name.as_str(), v.value.as_deref())).collect();
        assert_eq!(all, [("glow", Some("0.5")), ("b", Some("2.0"))]);
    }
}
