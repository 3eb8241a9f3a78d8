//! Expansion of macros: a stack of inputs, from which each token is taken as the compiler's preprocessor takes it, and a count of
//! the tokens. Spec: GLSL 4.60, 3.3; C++, 16.3 (argument substitution, `##`, rescanning).

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::scan::{LONGEST, Name, Names, Scanner, Token, names};
use super::{MAX_DEPTH, MAX_TOKENS};

/// Operators of several characters.
const OPERATORS: [&str; 21] = [
    "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "^^", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "<<=", ">>=",
];

/// Operators to which `##` may append.
const APPENDABLE: [&str; 18] =
    ["=", "!", "-", "~", "+", "*", "/", "%", "<", ">", "|", "^", "&", ">>", "<<", "&&", "||", "^^"];

/// Bytes of a token for which it counts once.
const BYTES_OF_TOKEN: usize = 64;

/// A macro.
#[derive(Clone)]
pub(super) struct Macro {
    /// Names of the parameters; `None` for an object-like macro.
    pub parameters: Option<Rc<[Name]>>,
    pub body: Rc<[Token]>,
}

impl Macro {
    /// True if the compiler takes the definitions for the same.
    pub fn equals(&self, other: &Macro) -> bool {
        let tokens = |found: &Macro| -> Vec<(Name, bool)> {
            // Blanks before the first token do not count.
            found.body.iter().enumerate().map(|(i, token)| (token.name, i > 0 && token.space)).collect()
        };
        self.parameters == other.parameters && tokens(self) == tokens(other)
    }
}

/// A source of tokens above the text.
enum Input {
    /// One token, which then ends; also the mark behind an argument.
    Once(Option<Token>),
    /// An argument.
    Argument(Argument),
    /// A macro that is being expanded.
    Call(Call),
}

struct Argument {
    tokens: Rc<[Token]>,
    at: usize,
    /// True if `##` follows.
    pastes: bool,
    /// True if the tokens are expanded.
    expanded: bool,
}

struct Call {
    name: Name,
    of: Macro,
    at: usize,
    arguments: Vec<Given>,
    /// True before `##`.
    before: bool,
    /// True behind `##`.
    behind: bool,
}

/// An argument of a call.
struct Given {
    written: Rc<[Token]>,
    /// `None` if its expansion does not end.
    expanded: Option<Rc<[Token]>>,
}

/// A part of the body of a macro.
enum Part {
    Token(Token),
    Argument(Argument),
}

impl Call {
    fn next(&mut self) -> Option<Part> {
        let token = *self.of.body.get(self.at)?;
        self.at += 1;
        let mut pasting = std::mem::take(&mut self.behind);
        self.behind = std::mem::take(&mut self.before);
        if self.of.body.get(self.at).is_some_and(|next| next.name == names::PASTE) {
            (self.before, pasting) = (true, true);
        }
        let parameters = self.of.parameters.as_deref().unwrap_or_default();
        let Some(i) = parameters.iter().position(|p| *p == token.name) else {
            return Some(Part::Token(token));
        };
        let (tokens, expanded) = match self.arguments.get(i) {
            Some(Given { expanded: Some(tokens), .. }) if !pasting => (tokens.clone(), true),
            Some(given) => (given.written.clone(), false),
            None => (Rc::from([]), false),
        };
        Some(Part::Argument(Argument { tokens, at: 0, pastes: self.before, expanded }))
    }
}

impl Argument {
    fn next(&mut self, macros: &FxHashMap<Name, Macro>) -> Option<Token> {
        let token = *self.tokens.get(self.at)?;
        self.at += 1;
        // The last name may begin a call with what follows the argument.
        let calls = self.at == self.tokens.len()
            && macros.get(&token.name).is_some_and(|found| found.parameters.is_some());
        Some(Token { done: self.expanded && !calls, ..token })
    }
}

/// Result of trying to expand a token.
pub(super) enum Start {
    /// The token stays.
    Not(Token),
    /// The next tokens are those of the macro.
    Begun,
    /// A call that does not end; the compiler reads no further.
    Failed,
}

/// State of the preprocessor.
pub(super) struct Machine<'a> {
    pub names: Names,
    pub scanner: Scanner<'a>,
    pub macros: FxHashMap<Name, Macro>,
    inputs: Vec<Input>,
    /// Names of the macros in `inputs`.
    active: Vec<Name>,
    /// Nesting depth of arguments.
    nested: usize,
    /// Number of tokens that expansions may still make.
    pub left: usize,
    /// Token of the text whose expansion began last.
    outermost: Option<Token>,
    /// Line and message about an expansion that is too long.
    pub found: Option<(u32, String)>,
    /// Difference of the numbers of `#line` from the lines of the text.
    pub shift: i32,
    /// Values of `__FILE__` and `__VERSION__`.
    pub file: i32,
    pub version: i32,
    /// True for versions of OpenGL ES.
    pub is_es: bool,
    /// True if `#line` has given the file a name.
    pub named: bool,
    /// Open conditions, outermost first: true behind `#else`.
    pub branches: Vec<bool>,
    /// Line behind which the text has no definitions and conditions, because the preprocessor has made it.
    pub made: Option<u32>,
    /// Names made by `##` that the compiler may predefine.
    pub asked: BTreeSet<String>,
    /// Tokens that stay.
    #[cfg(test)]
    pub out: Vec<Name>,
}

impl<'a> Machine<'a> {
    /// For a text that has a version, or else the version of texts without one.
    pub fn new(text: &'a str, version: Option<i32>) -> Machine<'a> {
        let version = version.unwrap_or(450);
        Machine {
            names: Names::new(),
            // Versions of OpenGL ES below are not compiled.
            scanner: Scanner::new(text, version >= 420 || matches!(version, 300 | 310 | 320)),
            macros: FxHashMap::default(),
            inputs: Vec::new(),
            active: Vec::new(),
            nested: 0,
            left: MAX_TOKENS,
            outermost: None,
            found: None,
            shift: 0,
            file: 0,
            version,
            is_es: false,
            named: false,
            branches: Vec::new(),
            made: None,
            asked: BTreeSet::new(),
            #[cfg(test)]
            out: Vec::new(),
        }
    }

    /// Token of the end, which also ends every loop once something is found.
    fn end(&self) -> Token {
        Token { name: names::END, line: self.scanner.line, space: false, done: false, number: 0 }
    }

    /// Reports the macro that is being expanded.
    fn report(&mut self, message: impl FnOnce(&str) -> String) {
        let token = self.outermost.unwrap_or(self.end());
        let message = message(self.names.text(token.name));
        self.found.get_or_insert((token.line, message));
    }

    /// Counts a token of an expansion, whose text has some bytes: they are copied.
    fn spend(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(1 + bytes / BYTES_OF_TOKEN);
        if self.left == 0 {
            self.report(|name| format!("the macro `{name}` makes more than {MAX_TOKENS} tokens"));
        }
    }

    /// Takes the next token of the topmost input.
    pub fn scan(&mut self) -> Token {
        loop {
            if self.found.is_some() {
                return self.end();
            }
            let Some(top) = self.inputs.last_mut() else { return self.scanner.next(&mut self.names) };
            let token = match top {
                Input::Once(token) => token.take(),
                Input::Argument(argument) => argument.next(&self.macros),
                Input::Call(call) => match call.next() {
                    Some(Part::Argument(argument)) => {
                        self.inputs.push(Input::Argument(argument));
                        continue;
                    }
                    Some(Part::Token(token)) => Some(token),
                    None => None,
                },
            };
            match token {
                Some(token) => {
                    self.spend(self.names.text(token.name).len());
                    return token;
                }
                None => {
                    if let Some(Input::Call(call)) = self.inputs.pop() {
                        self.active.retain(|name| *name != call.name);
                    }
                }
            }
        }
    }

    /// Makes a token the next one.
    fn put_back(&mut self, token: Token) {
        if token.name != names::END {
            self.inputs.push(Input::Once(Some(token)));
        }
    }

    /// The token that follows in the topmost input.
    fn peek(&self) -> Option<Token> {
        match self.inputs.last()? {
            Input::Once(_) => None,
            Input::Argument(argument) => argument.tokens.get(argument.at).copied(),
            Input::Call(call) => call.of.body.get(call.at).copied(),
        }
    }

    /// True if `##` follows.
    fn pastes(&self) -> bool {
        match self.inputs.last() {
            Some(Input::Argument(argument)) => match argument.tokens.get(argument.at) {
                Some(next) => next.name == names::PASTE,
                None => argument.pastes,
            },
            Some(Input::Call(call)) => call.before,
            Some(Input::Once(_)) | None => false,
        }
    }

    /// Joins a token with those behind `##`.
    pub fn paste(&mut self, token: Token) -> Token {
        if token.name == names::PASTE {
            self.scanner.stop();
            return self.scan();
        }
        let mut whole = token;
        while self.pastes() {
            self.scan();
            loop {
                let next = self.scan();
                if next.name == names::MARK {
                    self.scanner.stop();
                    return whole;
                }
                match self.joined(whole, next) {
                    Joined::Made(name) => whole.name = name,
                    Joined::Wrong => self.scanner.stop(),
                    Joined::Ended => {
                        self.scanner.stop();
                        return whole;
                    }
                }
                if next.name == names::END {
                    return whole;
                }
                // Letters behind a number are a token of their own, and belong to the name.
                let is_name = self.names.is_identifier(whole.name);
                if !is_name || !self.peek().is_some_and(|next| !next.space && self.names.is_word(next.name)) {
                    break;
                }
            }
        }
        whole
    }

    /// The token that `##` makes.
    fn joined(&mut self, first: Token, second: Token) -> Joined {
        if self.names.is_mark_of_string(second.name) {
            self.report(|name| format!("nothing follows a `##` before a `#` in the macro `{name}`"));
            return Joined::Ended;
        }
        let start = self.names.text(first.name);
        if self.names.is_identifier(first.name) {
            let text = format!("{start}{}", self.names.appended(second.name));
            if text.len() > LONGEST {
                return Joined::Ended;
            }
            if super::may_be_predefined(&text) && self.asked.len() <= super::MOST_NAMES {
                self.asked.insert(text.clone());
            }
            self.spend(text.len());
            return Joined::Made(self.names.of(&text));
        }
        if !APPENDABLE.contains(&start) {
            return Joined::Ended;
        }
        if second.name == names::END {
            // The compiler would read beyond its table of tokens.
            self.report(|name| format!("nothing follows the `##` behind an operator in the macro `{name}`"));
            return Joined::Ended;
        }
        let text = format!("{start}{}", self.names.text(second.name));
        if OPERATORS.contains(&text.as_str()) { Joined::Made(self.names.of(&text)) } else { Joined::Wrong }
    }

    /// Line that `__LINE__` stands for here.
    fn line_number(&self) -> i32 {
        (self.scanner.line as i32).wrapping_add(self.shift)
    }

    /// Begins to expand a token. Names other than macros are 0 if `undefined_is_zero`; calls that go on in
    /// the next line are errors if `ends_with_line`.
    pub fn expand(&mut self, mut token: Token, undefined_is_zero: bool, ends_with_line: bool) -> Start {
        token.space = false;
        if token.done {
            return Start::Not(token);
        }
        let value = match token.name {
            names::LINE if token.number != 0 => Some(token.number.to_string()),
            names::LINE => Some(self.line_number().to_string()),
            names::FILE => Some(format!("{}{}", self.file, if self.named { "\"" } else { "" })),
            names::VERSION => Some(self.version.to_string()),
            _ => None,
        };
        let of = self.macros.get(&token.name).cloned();
        let number = match (value, &of) {
            (Some(value), _) => Some(self.names.of(&value)),
            (None, None) if undefined_is_zero => Some(names::ZERO),
            _ => None,
        };
        if let Some(name) = number {
            self.put_back(Token { name, ..token });
            return Start::Begun;
        }
        let Some(of) = of else { return Start::Not(token) };
        if self.active.contains(&token.name) {
            return Start::Not(Token { done: true, ..token });
        }
        if self.active.is_empty() && self.nested == 0 {
            self.outermost = Some(token);
        }
        if self.active.len() + self.nested > MAX_DEPTH {
            self.report(|name| format!("the macro `{name}` goes through more than {MAX_DEPTH} others"));
            return Start::Failed;
        }
        let arguments = match &of.parameters {
            None => Vec::new(),
            Some(parameters) => match self.call(parameters.len(), ends_with_line) {
                Ok(Some(arguments)) => arguments,
                Ok(None) => return Start::Not(token),
                Err(Unended) => {
                    self.scanner.stop();
                    return Start::Failed;
                }
            },
        };
        let call = Call { name: token.name, of, at: 0, arguments, before: false, behind: false };
        self.inputs.push(Input::Call(call));
        self.active.push(token.name);
        Start::Begun
    }

    /// Takes the arguments of a call; `None` if there is no parenthesis.
    fn call(&mut self, count: usize, ends_with_line: bool) -> Result<Option<Vec<Given>>, Unended> {
        let mut token = self.scan();
        while token.name == names::NEW_LINE && !ends_with_line {
            token = self.scan();
        }
        if token.name != names::OPEN {
            self.put_back(token);
            return Ok(None);
        }
        let mut written = vec![Vec::new(); count];
        let mut at = 0;
        loop {
            token = self.argument(written.get_mut(at), ends_with_line)?;
            at += 1;
            if token.name == names::CLOSE || at >= count {
                break;
            }
        }
        let mut wrong = at < count || count == 1 && written.iter().all(Vec::is_empty);
        // Too many arguments: the rest of the call is skipped.
        let mut depth = 0;
        while token.name != names::CLOSE || depth > 0 {
            wrong = true;
            depth -= i32::from(matches!(token.name, names::CLOSE | names::CLOSE_BRACE));
            token = self.scan();
            if token.name == names::END {
                return Err(Unended);
            }
            depth += i32::from(matches!(token.name, names::OPEN | names::OPEN_BRACE));
        }
        if wrong {
            self.scanner.stop();
        }
        let mut given = Vec::with_capacity(count);
        for tokens in written {
            let written: Rc<[Token]> = tokens.into();
            let expanded = self.expanded(&written, ends_with_line).map(Rc::from);
            given.push(Given { written, expanded });
        }
        Ok(Some(given))
    }

    /// Takes an argument, or nothing for a macro without parameters, and the token behind it.
    fn argument(&mut self, mut out: Option<&mut Vec<Token>>, ends_with_line: bool) -> Result<Token, Unended> {
        let mut depth = 0;
        loop {
            let mut token = self.scan();
            let is_line_end = token.name == names::NEW_LINE;
            if matches!(token.name, names::END | names::MARK | names::HASH) || is_line_end && ends_with_line {
                return Err(Unended);
            }
            if is_line_end {
                continue;
            }
            if depth == 0 && matches!(token.name, names::COMMA | names::CLOSE) {
                return Ok(token);
            }
            depth += i32::from(token.name == names::OPEN) - i32::from(token.name == names::CLOSE);
            if token.name == names::LINE {
                token.number = self.line_number();
            }
            match &mut out {
                Some(out) => out.push(token),
                None => return Ok(token),
            }
        }
    }

    /// Skips the rest of an argument; returns false if the text ends before.
    fn skip_to_mark(&mut self) -> bool {
        loop {
            let name = self.scan().name;
            if matches!(name, names::MARK | names::END) {
                return name == names::MARK;
            }
        }
    }

    /// Expands an argument by itself; `None` if a call in it does not end.
    fn expanded(&mut self, tokens: &Rc<[Token]>, ends_with_line: bool) -> Option<Vec<Token>> {
        self.nested += 1;
        let mark = Token { name: names::MARK, ..self.end() };
        self.inputs.push(Input::Once(Some(mark)));
        let argument = Argument { tokens: tokens.clone(), at: 0, pastes: false, expanded: false };
        self.inputs.push(Input::Argument(argument));
        let mut out = Vec::new();
        let ended = loop {
            let token = self.scan();
            let token = self.paste(token);
            match token.name {
                names::MARK => break true,
                names::END => break false,
                name if self.names.is_identifier(name) => match self.expand(token, false, ends_with_line) {
                    Start::Not(token) => out.push(token),
                    Start::Begun => {}
                    Start::Failed => break self.skip_to_mark(),
                },
                _ => out.push(token),
            }
        };
        self.nested -= 1;
        ended.then_some(out)
    }
}

/// A call that does not end.
struct Unended;

/// Result of `##`.
enum Joined {
    /// The token that it makes.
    Made(Name),
    /// An error, at which the first token stays.
    Wrong,
    /// An error that ends the token.
    Ended,
}
