//! Declarations in a shader's own text: functions, constants, structures and macros that an expression may name.
//!
//! The text is split into its top-level items. An expression includes the items that it names, and the items that these
//! name. Entry points and module-scope variables are excluded; the recording has the values of the latter. Preprocessor
//! conditions are not evaluated: all branches are included.

use std::collections::HashSet;

/// A top-level item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Declared names.
    pub names: Vec<String>,
    /// Text of the item.
    pub text: String,
    /// True for a function.
    pub is_function: bool,
    /// True for a structure.
    pub is_type: bool,
}

/// True if names may contain this character.
pub fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Names in a text that are not members.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text[from..].find(is_word)?;
            let length = text[start..].find(|c| !is_word(c)).unwrap_or(text.len() - start);
            from = start + length;
            let member = text[..start].trim_end().ends_with('.');
            if !text[start..].starts_with(|c: char| c.is_ascii_digit()) && !member {
                return Some(&text[start..from]);
            }
        }
    })
}

/// Items of a text, in order.
pub fn declared(text: &str, wgsl: bool) -> Vec<Declared> {
    let text = without_comments(text);
    let mut out = Vec::new();
    let mut rest = text.as_str();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() || out.len() > MAX_ITEMS {
            return out;
        }
        let length = if rest.starts_with('#') { directive(rest) } else { item(rest, wgsl) };
        let found = if rest.starts_with('#') {
            of_directive(&rest[..length])
        } else if wgsl {
            of_wgsl(&rest[..length])
        } else {
            of_glsl(&rest[..length])
        };
        out.extend(found);
        rest = &rest[length..];
    }
}

/// Maximum number of items of a text; no person writes a longer shader.
const MAX_ITEMS: usize = 10_000;

/// Replaces comments by spaces, which preserves lines.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inner) = rest.strip_prefix("/*") {
            inner.find("*/").map_or(rest.len(), |i| i + 4)
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.push(' ');
        out.extend(rest[..end].chars().filter(|c| *c == '\n'));
        rest = &rest[end..];
    }
    out
}

/// Length of a preprocessor line, including its continuation lines.
fn directive(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    at.max(1)
}

fn of_directive(text: &str) -> Option<Declared> {
    let inner = text[1..].trim_start().strip_prefix("define")?;
    let name = names(inner).next()?.to_owned();
    let text = text.trim_end().to_owned() + "\n";
    Some(Declared { names: vec![name], text, is_function: false, is_type: false })
}

/// Length of the item at the start: up to a semicolon outside of brackets, or to the end of a function body.
fn item(text: &str, wgsl: bool) -> usize {
    let mut open = 0u32;
    let mut body = false;
    let is_struct = names(text).next() == Some("struct");
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => {
                body |= c == '{' && open == 0;
                open += 1;
            }
            ')' | ']' | '}' => {
                open = open.saturating_sub(1);
                let ends = if is_struct { wgsl } else { is_function(&text[..i], wgsl) };
                if c == '}' && open == 0 && body && ends {
                    return i + 1;
                }
            }
            ';' if open == 0 => return i + 1,
            _ => {}
        }
    }
    text.len()
}

/// True if the text before the body is the head of a function.
fn is_function(text: &str, wgsl: bool) -> bool {
    let head = &text[..text.find('{').unwrap_or(text.len())];
    match wgsl {
        true => names(head).any(|name| name == "fn"),
        false => head.trim_end().ends_with(')') && !head.contains('='),
    }
}

fn of_wgsl(text: &str) -> Option<Declared> {
    // Attributes may precede the keyword.
    let entry = ["@vertex", "@fragment", "@compute"].iter().any(|stage| text.contains(stage));
    let is = |word: &&str| ["fn", "struct", "const", "override", "alias"].contains(word);
    let word = names(text).find(|word| is(word) || *word == "var" || *word == "enable")?;
    if !is(&word) || (word == "fn" && entry) {
        return None;
    }
    let at = text.find(&format!("{word} "))?;
    let name = names(&text[at + word.len()..]).next()?.to_owned();
    let kept = &text[at..];
    let kept = if word == "override" { kept.replacen("override", "const", 1) } else { kept.to_owned() };
    let (is_function, is_type) = (word == "fn", word == "struct");
    Some(Declared { names: vec![name], text: kept + "\n", is_function, is_type })
}

fn of_glsl(text: &str) -> Option<Declared> {
    let kept = |names: Vec<String>, is_function: bool, is_type: bool| {
        let text = text.trim().to_owned() + "\n";
        (!names.is_empty()).then_some(Declared { names, text, is_function, is_type })
    };
    let first = names(text).next()?;
    if first == "struct" {
        return kept(names(text).skip(1).take(1).map(str::to_owned).collect(), false, true);
    }
    if first == "const" {
        return kept(constants(text), false, false);
    }
    // A prototype also counts: at least two names, followed by a parenthesis.
    let head = &text[..text.find(['(', '{', '=', ';']).unwrap_or(text.len())];
    let function = text[head.len()..].starts_with('(') && !["layout", "precision"].contains(&first);
    let name = names(head).last()?;
    let own = function && !["main", "mainImage", "mainSound", "mainCubemap"].contains(&name);
    if own { kept(vec![name.to_owned()], true, false) } else { None }
}

/// Names in a declaration of constants: those before an equals sign or a bracket.
fn constants(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut open, mut start) = (0u32, 0);
    let mut take = |part: &str| {
        let before = part.split('=').next().unwrap_or_default();
        // Without array lengths after the type and after the name.
        let plain: String = before.split('[').map(|p| p.split_once(']').map_or(p, |(_, p)| p)).collect();
        out.extend(names(&plain).last().map(str::to_owned));
    };
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            ',' | ';' if open == 0 => {
                take(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    out
}

/// Items of `all` that `text` or an included item names, in their order.
pub fn reached<'d>(all: &'d [Declared], text: &str) -> Vec<&'d Declared> {
    let mut taken = vec![false; all.len()];
    let mut known: HashSet<String> = HashSet::new();
    let mut open: Vec<String> = names(text).map(str::to_owned).collect();
    while let Some(name) = open.pop() {
        if !known.insert(name.clone()) {
            continue;
        }
        for (i, item) in all.iter().enumerate() {
            if item.names.contains(&name) && !std::mem::replace(&mut taken[i], true) {
                open.extend(names(&item.text).map(str::to_owned));
            }
        }
    }
    all.iter().zip(taken).filter(|(_, taken)| *taken).map(|(item, _)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str, wgsl: bool) -> Vec<String> {
        declared(text, wgsl).iter().map(|d| d.names.join(" ")).collect()
    }

    #[test]
    fn items_of_glsl() {
        let text = "#version 450
            // void no() {}
            #define SQUARE(x) \\
                ((x) * (x))
            layout(set = 0, binding = 0) buffer B { uint n; } b;
            layout(location = 0) out vec4 color;
            precision highp float;
            const float PI = 3.14, LIST[2] = float[2](1.0, 2.0);
            const float[2] OTHER = float[](1.0, 2.0);
            uniform float time;
            float private = max(1.0, 2.0);
            struct Light { vec3 color; float power; };
            float shade(Light l);
            float shade(Light l) { if (l.power > 0.0) { return PI; } return SQUARE(2.0); }
            vec4 with_default_brace(float x) { for (;;) { break; } return vec4(x); }
            void main() { color = vec4(1.0); }";
        let expected = ["SQUARE", "PI LIST", "OTHER", "Light", "shade", "shade", "with_default_brace"];
        assert_eq!(list(text, false), expected);
        let all = declared(text, false);
        let of =
            |text: &str| -> Vec<String> { reached(&all, text).iter().map(|d| d.names[0].clone()).collect() };
        assert_eq!(of("shade(l) + 1.0"), ["SQUARE", "PI", "Light", "shade", "shade"]);
        assert_eq!(of("a.PI + x"), [""; 0]);
    }

    #[test]
    fn items_of_wgsl() {
        let text = "enable f16;
            struct B { n: u32, list: array<f32> }
            @group(0) @binding(0) var<storage, read_write> b: B;
            const PI = 3.14; override SIZE: u32 = 4u;
            alias Color = vec3<f32>;
            var<private> p: f32 = 1.0;
            fn twice(x: f32) -> f32 { let y = x * 2.0; return y; }
            @compute @workgroup_size(8) fn main() { b.n = 1u; }";
        assert_eq!(list(text, true), ["B", "PI", "SIZE", "Color", "twice"]);
        assert!(declared(text, true)[2].text.starts_with("const SIZE: u32 = 4u;"));
    }

    #[test]
    fn what_is_no_source_does_no_harm() {
        for text in [
            "",
            "}",
            "{{{{",
            "((",
            "#",
            "#define",
            "/*",
            "\u{e4}\u{f6} = \u{fc};",
            "const ;",
            "struct",
            "fn fn fn",
        ] {
            let _ = (declared(text, false), declared(text, true));
        }
    }
}
