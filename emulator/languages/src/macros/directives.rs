//! Directives and conditions of the preprocessor. Spec: GLSL 4.60, 3.3.

use super::super::includes::Step;
use super::MAX_DEPTH;
use super::expand::{Machine, Macro, Start};
use super::scan::{Name, Token, names};

/// Largest number of open conditions. The compiler allows `#ifdef` and `#ifndef` one more.
const MOST_OPEN: usize = 65;
/// Largest number of parameters of a macro: their names are compared one by one.
const MOST_PARAMETERS: usize = 256;

/// Precedence below every operator, and that of a unary operator.
const LEAST: u32 = 0;
const UNARY: u32 = 11;

/// Precedence and function of a binary operator.
fn binary(text: &str) -> Option<(u32, fn(i32, i32) -> i32)> {
    Some(match text {
        "||" => (1, |a, b| i32::from(a != 0 || b != 0)),
        "&&" => (2, |a, b| i32::from(a != 0 && b != 0)),
        "|" => (3, |a, b| a | b),
        "^" => (4, |a, b| a ^ b),
        "&" => (5, |a, b| a & b),
        "==" => (6, |a, b| i32::from(a == b)),
        "!=" => (6, |a, b| i32::from(a != b)),
        ">" => (7, |a, b| i32::from(a > b)),
        ">=" => (7, |a, b| i32::from(a >= b)),
        "<" => (7, |a, b| i32::from(a < b)),
        "<=" => (7, |a, b| i32::from(a <= b)),
        "<<" => (8, |a, b| a.wrapping_shl(b as u32)),
        ">>" => (8, |a, b| a.wrapping_shr(b as u32)),
        "+" => (9, i32::wrapping_add),
        "-" => (9, i32::wrapping_sub),
        "*" => (10, i32::wrapping_mul),
        // By 0 is an error, with which the compiler goes on as with 1.
        "/" => (10, |a, b| a.checked_div(if b == 0 { 1 } else { b }).unwrap_or(0)),
        "%" => (10, |a, b| a.checked_rem(if b == 0 { 1 } else { b }).unwrap_or(0)),
        _ => return None,
    })
}

fn unary(text: &str) -> Option<fn(i32) -> i32> {
    Some(match text {
        "+" => |a| a,
        "-" => i32::wrapping_neg,
        "~" => |a| !a,
        "!" => |a| i32::from(a == 0),
        _ => return None,
    })
}

/// Value of an expression; an error stays one.
#[derive(Clone, Copy, Default)]
struct Value {
    value: i32,
    failed: bool,
}

impl Machine<'_> {
    /// Reads the whole text. Afterwards `found` says whether an expansion was too long.
    pub fn run(&mut self) {
        let (mut last, mut strings) = (names::NEW_LINE, 0u32);
        loop {
            let token = self.scan();
            let token = self.paste(token);
            let begins_line = last == names::NEW_LINE;
            if token.name == names::HASH && begins_line {
                if self.directive().name == names::END {
                    return;
                }
                continue;
            }
            // Behind a `#` within a line, the compiler reads no further.
            if matches!(token.name, names::END | names::HASH) {
                return;
            }
            last = token.name;
            if self.names.is_mark_of_string(token.name) {
                // The compiler aborts at the end of a string whose beginning other macros took.
                match (self.names.ends_string(token.name), strings) {
                    (false, _) => strings += 1,
                    (true, 1..) => strings -= 1,
                    (true, 0) => {
                        let message = "a string that `#` makes has no beginning".to_owned();
                        self.found.get_or_insert((token.line, message));
                    }
                }
                continue;
            }
            if self.names.is_identifier(token.name) {
                match self.expand(token, false, false) {
                    Start::Not(_) => {}
                    Start::Begun => continue,
                    Start::Failed => return,
                }
            }
            #[cfg(test)]
            if token.name != names::NEW_LINE {
                self.out.push(token.name);
            }
        }
    }

    /// Takes the tokens up to the end of the line; `token` is the first of them.
    fn rest_of_line(&mut self, mut token: Token) -> Token {
        while !matches!(token.name, names::NEW_LINE | names::END) {
            token = self.scan();
        }
        token
    }

    /// Takes the end of the line; other tokens are an error.
    fn end_of_line(&mut self, token: Token) -> Token {
        if !matches!(token.name, names::NEW_LINE | names::END) {
            self.scanner.stop();
        }
        self.rest_of_line(token)
    }

    fn next_line(&mut self) -> Token {
        let token = self.scan();
        self.end_of_line(token)
    }

    /// Processes a directive behind its `#`, and returns the end of its line.
    fn directive(&mut self) -> Token {
        let token = self.scan();
        let directive = self.names.text(token.name);
        let is_of_made = matches!(directive, "line" | "version" | "extension" | "pragma" | "\n" | "");
        if !is_of_made && self.made.is_some_and(|line| token.line > line) {
            let message = format!("the expansion of a macro or a string makes a directive `#{directive}`");
            self.found.get_or_insert((token.line, message));
        }
        let end = match self.names.text(token.name) {
            "define" => self.define(),
            "undef" => {
                let token = self.scan();
                self.macros.remove(&token.name);
                self.next_line()
            }
            "if" => self.condition(),
            "ifdef" => self.defined(true),
            "ifndef" => self.defined(false),
            "else" => {
                self.begin_else();
                self.next_line();
                self.skip(false)
            }
            "elif" => {
                self.check_elif();
                let token = self.scan();
                self.rest_of_line(token);
                self.skip(false)
            }
            "endif" => {
                self.close();
                self.next_line()
            }
            "line" => self.line(),
            "extension" => self.extension(),
            // The compiler has read the version before.
            "version" | "pragma" | "\n" | "" => token,
            _ => {
                self.scanner.stop();
                token
            }
        };
        self.rest_of_line(end)
    }

    /// Begins an `#else`, of which a condition has one.
    fn begin_else(&mut self) {
        match self.branches.last_mut() {
            Some(seen) if !*seen => *seen = true,
            _ => self.scanner.stop(),
        }
    }

    /// An `#elif` stands before the `#else` of its condition.
    fn check_elif(&mut self) {
        if self.branches.last().copied().unwrap_or(true) {
            self.scanner.stop();
        }
    }

    /// Closes a condition.
    fn close(&mut self) {
        if self.branches.pop().is_none() {
            self.scanner.stop();
        }
    }

    /// Processes `#extension` behind its name. One extension continues comments.
    fn extension(&mut self) -> Token {
        let (name, colon, behaviour) = (self.scan(), self.scan(), self.scan());
        let is_about = matches!(self.names.text(name.name), "GL_ARB_shading_language_420pack" | "all");
        if is_about && self.names.text(colon.name) == ":" && !self.is_es && self.version < 420 {
            self.scanner.continues = self.names.text(behaviour.name) != "disable";
        }
        behaviour
    }

    /// Processes `#define` behind its name. Most definitions with an error define nothing.
    fn define(&mut self) -> Token {
        let name = self.scan();
        if !self.names.is_identifier(name.name) {
            self.scanner.stop();
            return name;
        }
        let mut token = self.scan();
        let mut parameters = None;
        if token.name == names::OPEN && !token.space {
            let mut list = Vec::new();
            loop {
                token = self.scan();
                if list.is_empty() && token.name == names::CLOSE {
                    break;
                }
                if !self.names.is_identifier(token.name) {
                    self.scanner.stop();
                    return token;
                }
                if list.len() == MOST_PARAMETERS {
                    let message = format!("a macro has more than {MOST_PARAMETERS} parameters");
                    self.found.get_or_insert((token.line, message));
                }
                if list.contains(&token.name) {
                    self.scanner.stop();
                } else {
                    list.push(token.name);
                }
                token = self.scan();
                if token.name != names::COMMA {
                    break;
                }
            }
            if token.name != names::CLOSE {
                self.scanner.stop();
                return token;
            }
            parameters = Some(list);
            token = self.scan();
        } else if !token.space && !matches!(token.name, names::NEW_LINE | names::END) {
            return token;
        }
        match self.body(token, parameters.as_deref().unwrap_or_default()) {
            Ok((body, end)) => {
                let found = Macro { parameters: parameters.map(Into::into), body: body.into() };
                if self.macros.insert(name.name, found.clone()).is_some_and(|before| !before.equals(&found)) {
                    self.scanner.stop();
                }
                end
            }
            Err(token) => {
                self.scanner.stop();
                token
            }
        }
    }

    /// The body of a macro, whose first token is `token`, and the end of its line; the token that is wrong, if one is.
    fn body(&mut self, mut token: Token, parameters: &[Name]) -> Result<(Vec<Token>, Token), Token> {
        let (mut body, mut hashes) = (Vec::new(), 0);
        while !matches!(token.name, names::NEW_LINE | names::END) {
            if token.name == names::HASH {
                hashes += 1;
            } else {
                // One makes a string of a parameter, two paste.
                let is_string = hashes == 1 && parameters.contains(&token.name);
                if hashes % 2 == 1 && !is_string {
                    return Err(token);
                }
                for _ in 0..hashes / 2 {
                    body.push(Token { name: names::PASTE, ..token });
                }
                if is_string {
                    let marks = self.names.marks_of_string(token.name);
                    let [before, behind] = marks.map(|name| Token { name, ..token });
                    body.extend([before, token, behind]);
                } else {
                    body.push(token);
                }
                hashes = 0;
            }
            token = self.scan();
        }
        if hashes > 0 {
            self.scanner.stop();
        }
        Ok((body, token))
    }

    /// Processes `#ifdef` or `#ifndef` behind its name.
    fn defined(&mut self, wanted: bool) -> Token {
        let token = self.scan();
        self.branches.push(false);
        if !self.names.is_identifier(token.name) || self.branches.len() > MOST_OPEN + 1 {
            self.scanner.stop();
            return token;
        }
        let is_defined = self.macros.contains_key(&token.name);
        let end = self.next_line();
        if is_defined == wanted { end } else { self.skip(true) }
    }

    /// Processes `#if` or `#elif` behind its name. A condition with an error is taken for true.
    fn condition(&mut self) -> Token {
        let token = self.scan();
        self.branches.push(false);
        if self.branches.len() > MOST_OPEN {
            self.scanner.stop();
        }
        let mut value = Value::default();
        let token = self.evaluate(token, LEAST, 0, &mut value);
        if value.failed {
            self.scanner.stop();
        }
        let end = self.end_of_line(token);
        if value.value != 0 || value.failed { end } else { self.skip(true) }
    }

    /// Skips a branch that is not compiled, up to its `#endif`, or also to an `#else` or a true `#elif`.
    fn skip(&mut self, to_else: bool) -> Token {
        let mut depth = 0;
        let mut token = self.scan();
        while token.name != names::END {
            if token.name != names::HASH {
                token = self.rest_of_line(token);
                if token.name == names::NEW_LINE {
                    token = self.scan();
                }
                continue;
            }
            token = self.scan();
            match Step::of(self.names.text(token.name)) {
                Some(Step::Open) => {
                    depth += 1;
                    self.branches.push(false);
                }
                Some(Step::Close) => {
                    token = self.next_line();
                    self.branches.pop();
                    if depth == 0 {
                        return token;
                    }
                    depth -= 1;
                }
                Some(Step::Else) if to_else && depth == 0 => {
                    self.branches.pop();
                    self.branches.push(true);
                    return self.next_line();
                }
                Some(Step::Else) => {
                    self.begin_else();
                    token = self.next_line();
                }
                Some(Step::Elif) => {
                    self.check_elif();
                    if to_else && depth == 0 {
                        self.branches.pop();
                        return self.condition();
                    }
                }
                None => {}
            }
        }
        token
    }

    /// Processes `#line` behind its name.
    fn line(&mut self) -> Token {
        let token = self.scan();
        let mut value = Value::default();
        self.scanner.escapes = false;
        let mut token = self.evaluate(token, LEAST, 0, &mut value);
        self.scanner.escapes = true;
        if value.failed {
            self.scanner.stop();
            return token;
        }
        // The line that follows has the number, or before version 3.30 the next one.
        let next = value.value.wrapping_add(i32::from(!self.is_es && self.version < 330));
        let behind = i32::from(token.name != names::NEW_LINE);
        self.shift = next.wrapping_sub(self.scanner.line as i32 + behind);
        if self.names.is_string(token.name) {
            self.named = true;
            token = self.scan();
        } else if token.name != names::NEW_LINE {
            let mut file = Value::default();
            token = self.evaluate(token, LEAST, 0, &mut file);
            if file.failed {
                self.scanner.stop();
            }
            (self.file, self.named) = (file.value, false);
        }
        self.end_of_line(token)
    }

    /// Expands names at the head of an expression.
    fn operand(&mut self, mut token: Token, value: &mut Value) -> Token {
        while self.names.is_identifier(token.name) && token.name != names::DEFINED {
            let failed = !matches!(self.expand(token, true, true), Start::Begun);
            token = self.scan();
            if failed {
                *value = Value { value: 0, failed: true };
                break;
            }
        }
        token
    }

    /// Evaluates an expression whose first token is `token`, up to an operator of at most the precedence, and returns the token
    /// behind it.
    fn evaluate(&mut self, mut token: Token, precedence: u32, depth: usize, value: &mut Value) -> Token {
        // The compiler calls itself again behind each name, also behind one that is an error.
        let mut calls = depth;
        while self.names.is_identifier(token.name) && token.name != names::DEFINED && calls <= MAX_DEPTH {
            token = self.paste(token);
            token = self.operand(token, value);
            calls += 1;
        }
        if calls > MAX_DEPTH {
            let line = token.line;
            self.found.get_or_insert((line, format!("the condition nests deeper than {MAX_DEPTH} levels")));
            return self.scan();
        }
        token = match self.primary(token, depth, value) {
            Ok(token) => self.operand(token, value),
            Err(token) => {
                *value = Value { value: 0, failed: true };
                return token;
            }
        };
        while !value.failed {
            let text = self.names.text(token.name);
            let Some((binds, apply)) = binary(text).filter(|(binds, _)| *binds > precedence) else { break };
            let divides = matches!(text, "/" | "%");
            let left = value.value;
            token = self.scan();
            token = self.evaluate(token, binds, depth + 1, value);
            if divides && value.value == 0 {
                self.scanner.stop();
            }
            value.value = apply(left, value.value);
        }
        token
    }

    /// Evaluates an operand or a unary operator with its operand. Returns the token behind it, or the token that is wrong.
    fn primary(&mut self, token: Token, depth: usize, value: &mut Value) -> Result<Token, Token> {
        if token.name == names::DEFINED {
            return self.is_defined(value);
        }
        if let Some(number) = self.names.integer(token.name) {
            value.value = number;
            return Ok(self.scan());
        }
        if token.name == names::OPEN {
            let first = self.scan();
            let last = self.evaluate(first, LEAST, depth + 1, value);
            return match last.name {
                _ if value.failed => Ok(last),
                names::CLOSE => Ok(self.scan()),
                _ => Err(last),
            };
        }
        let Some(apply) = unary(self.names.text(token.name)) else { return Err(token) };
        let first = self.scan();
        let last = self.evaluate(first, UNARY, depth + 1, value);
        value.value = apply(value.value);
        Ok(last)
    }

    /// Evaluates `defined NAME` or `defined(NAME)` behind its name.
    fn is_defined(&mut self, value: &mut Value) -> Result<Token, Token> {
        let mut token = self.scan();
        let closes = token.name == names::OPEN;
        if closes {
            token = self.scan();
        }
        if !self.names.is_identifier(token.name) {
            return Err(token);
        }
        value.value = i32::from(self.macros.contains_key(&token.name));
        token = self.scan();
        match token.name {
            _ if !closes => Ok(token),
            names::CLOSE => Ok(self.scan()),
            _ => Err(token),
        }
    }
}
