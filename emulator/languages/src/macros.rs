//! Bounds on the macro expansion of a GLSL source. glslang cannot be interrupted while it expands macros.

use rustc_hash::FxHashMap;

use super::comments::without_comments;

/// Largest number of tokens that all macro expansions of a source may read and produce.
const MAX_TOKENS: usize = 2_000_000;
/// Largest nesting depth of macro expansions.
const MAX_DEPTH: usize = 200;

/// A token and its line.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: u32,
}

struct Macro<'a> {
    /// Names of the parameters; `None` for an object-like macro.
    parameters: Option<Vec<&'a str>>,
    body: Vec<Token<'a>>,
}

/// Returns a line and a message if the macros of a source expand to more than the compiler should process.
///
/// Text in every branch of `#if` counts, taken or not.
pub(super) fn too_long(source: &str, defines: &[(String, String)]) -> Option<(u32, String)> {
    if !source.contains("define") && defines.is_empty() {
        return None;
    }
    let blank = without_comments(source).replace("\\\r\n", " \r ").replace("\\\n", " \r");
    let mut expander = Expander { macros: FxHashMap::default(), left: MAX_TOKENS, active: Vec::new() };
    for (name, value) in defines {
        expander.macros.insert(name, Macro { parameters: None, body: tokens(value, 0) });
    }
    let mut text: Vec<Token<'_>> = Vec::new();
    let mut line = 1;
    for whole in blank.split_inclusive('\n') {
        match whole.trim_start().strip_prefix('#').map(str::trim_start) {
            None => text.extend(tokens(whole, line)),
            Some(directive) => {
                // The result is ignored: `expander.found` reports what was too long.
                let _ = expander.text(&text).and_then(|()| expander.directive(directive, line));
                text.clear();
            }
        }
        // Each carriage return stands for the end of a continued line.
        line += whole.matches(['\n', '\r']).count() as u32 - u32::from(whole.ends_with("\r\n"));
        if let Some(found) = expander.found() {
            return Some(found);
        }
    }
    let _ = expander.text(&text);
    expander.found()
}

/// Splits a text into identifiers, numbers and single characters.
fn tokens(text: &str, mut line: u32) -> Vec<Token<'_>> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length =
            if word(first) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        if first == '\r' {
            line += 1;
        } else if !first.is_whitespace() {
            out.push(Token { text: token, line });
        }
        rest = after;
    }
    out
}

struct Expander<'a> {
    macros: FxHashMap<&'a str, Macro<'a>>,
    left: usize,
    /// Macros being expanded, outermost first; the outermost token has the line of the use.
    active: Vec<Token<'a>>,
}

impl<'a> Expander<'a> {
    /// Returns the line and message of the expansion that was too long, if any.
    fn found(&self) -> Option<(u32, String)> {
        let first = self.active.first()?;
        let message = if self.left == 0 {
            format!("the macro `{}` makes more than {MAX_TOKENS} tokens", first.text)
        } else {
            format!("the macro `{}` goes through more than {MAX_DEPTH} others", first.text)
        };
        Some((first.line, message))
    }

    fn directive(&mut self, directive: &'a str, line: u32) -> Option<()> {
        if let Some(rest) = directive.strip_prefix("define") {
            self.define(rest.trim_start(), line);
        } else if let Some(rest) = directive.strip_prefix("undef") {
            self.macros.remove(rest.trim());
        } else if directive.starts_with("if") || directive.starts_with("elif") {
            return self.text(&tokens(directive, line));
        }
        Some(())
    }

    fn define(&mut self, text: &'a str, line: u32) {
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let list = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (parameters, body) = match list {
            Some((list, body)) => (Some(list.split(',').map(str::trim).collect()), body),
            None => (None, rest),
        };
        self.macros.insert(name, Macro { parameters, body: tokens(body, line) });
    }

    /// Counts the tokens that a text expands to. Returns `None` if there are too many; `active` then names the macro.
    fn text(&mut self, text: &[Token<'a>]) -> Option<()> {
        // Text without macros costs nothing.
        let left = self.left;
        let expanded = self.expand(text)?;
        if expanded.len() == text.len() {
            self.left = left;
        }
        Some(())
    }

    fn spend(&mut self, n: usize) -> Option<()> {
        self.left = self.left.saturating_sub(n);
        (self.left > 0).then_some(())
    }

    fn expand(&mut self, input: &[Token<'a>]) -> Option<Vec<Token<'a>>> {
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(token) = input.get(at) {
            at += 1;
            let is_active = self.active.iter().any(|a| a.text == token.text);
            let Some(found) = self.macros.get(token.text).filter(|_| !is_active) else {
                if !self.active.is_empty() {
                    self.spend(1)?;
                }
                out.push(*token);
                continue;
            };
            let body = match &found.parameters {
                None => found.body.clone(),
                Some(parameters) => {
                    let Some((arguments, end)) = arguments(input, at) else {
                        out.push(*token);
                        continue;
                    };
                    at = end;
                    let (parameters, body) = (parameters.clone(), found.body.clone());
                    let mut expanded = Vec::new();
                    for argument in arguments {
                        // Placeholder that `nested` replaces by the macro whose argument is too long.
                        self.active.push(Token { text: "", line: token.line });
                        expanded.push(self.nested(argument, *token)?);
                        self.active.pop();
                    }
                    let mut replaced = Vec::new();
                    for part in body {
                        match parameters.iter().position(|p| *p == part.text).and_then(|i| expanded.get(i)) {
                            Some(argument) => {
                                self.active.push(*token);
                                self.spend(argument.len())?;
                                self.active.pop();
                                replaced.extend_from_slice(argument);
                            }
                            None => replaced.push(part),
                        }
                    }
                    replaced
                }
            };
            self.active.push(*token);
            if self.active.len() > MAX_DEPTH {
                return None;
            }
            self.spend(body.len() + 1)?;
            let expanded = self.expand(&body)?;
            self.active.pop();
            out.extend_from_slice(&expanded);
        }
        Some(out)
    }

    /// Expands an argument of the macro `of`.
    fn nested(&mut self, argument: &[Token<'a>], of: Token<'a>) -> Option<Vec<Token<'a>>> {
        if self.active.len() > MAX_DEPTH {
            self.active[0] = of;
            return None;
        }
        let expanded = self.expand(argument);
        if expanded.is_none() && self.active[0].text.is_empty() {
            self.active[0] = of;
        }
        expanded
    }
}

/// Returns the arguments of a call whose `(` is at `at`, and the end of the call.
fn arguments<'t, 'a>(input: &'t [Token<'a>], at: usize) -> Option<(Vec<&'t [Token<'a>]>, usize)> {
    if input.get(at)?.text != "(" {
        return None;
    }
    let (mut depth, mut list, mut start) = (0usize, Vec::new(), at + 1);
    for (i, token) in input.iter().enumerate().skip(at) {
        match token.text {
            "(" => depth += 1,
            ")" if depth == 1 => {
                list.push(&input[start..i]);
                return Some((list, i + 1));
            }
            ")" => depth -= 1,
            "," if depth == 1 => {
                list.push(&input[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bombs_are_found() {
        let mut laughs = "#define L0 1.0\n".to_owned();
        for i in 1..40 {
            laughs += &format!("#define L{i} (L{} + L{})\n", i - 1, i - 1);
        }
        assert_eq!(too_long(&laughs, &[]), None, "what is not used costs nothing");
        let (line, message) = too_long(&(laughs.clone() + "float x = L39;\n"), &[]).unwrap();
        assert_eq!(line, 41);
        assert!(message.contains("`L39`") && message.contains("tokens"), "{message}");
        assert!(too_long(&(laughs.clone() + "#if L39 > 0.0\n#endif\n"), &[]).is_some());
        let quoted = format!("#define Q \"/*\"\n{laughs}float x = L39;\n#define R \"*/\"\n");
        assert!(too_long(&quoted, &[]).is_some(), "strings have no comments");
        // Each level doubles its argument.
        let nested = format!("#define D(x) x + x\nfloat y = {}1.0{};\n", "D(".repeat(40), ")".repeat(40));
        let (line, message) = too_long(&nested, &[]).unwrap();
        assert!(line == 2 && message.contains("`D`"), "{line} {message}");
        let mut chain = String::new();
        for i in 1..1000 {
            chain += &format!("#define C{i} C{}\n", i - 1);
        }
        assert!(too_long(&(chain + "int a = C999;"), &[]).unwrap().1.contains("others"));
        let given = [("N".to_owned(), "L39".to_owned())];
        assert!(too_long(&(laughs + "float x = N;"), &given).is_some());
    }

    #[test]
    fn ordinary_macros_are_not() {
        let source = "#define PI 3.14 // pi\n#define R(a) mat2(cos(a), -sin(a), \\\n sin(a), cos(a))\n#define SELF SELF + 1\n\
                      #define E\nvoid main() { x = R(R(PI)); SELF; E; R; }\n";
        assert_eq!(too_long(&source.repeat(200), &[]), None);
        assert_eq!(too_long("void main() {}", &[]), None);
        assert_eq!(too_long("#define", &[]), None);
        assert_eq!(too_long("#define F(\nF(1", &[]), None);
    }
}
