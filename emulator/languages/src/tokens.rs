//! Names that glslang's grammar gives to tokens, for messages: `RIGHT_BRACE` is the token `}`.

/// Tokens by their names in the grammar; a blank in the text marks a kind of tokens, described in words.
const TOKENS: &[(&str, &str)] = &[
    ("LEFT_PAREN", "("),
    ("RIGHT_PAREN", ")"),
    ("LEFT_BRACKET", "["),
    ("RIGHT_BRACKET", "]"),
    ("LEFT_BRACE", "{"),
    ("RIGHT_BRACE", "}"),
    ("LEFT_ANGLE", "<"),
    ("RIGHT_ANGLE", ">"),
    ("DOT", "."),
    ("COMMA", ","),
    ("COLON", ":"),
    ("SEMICOLON", ";"),
    ("QUESTION", "?"),
    ("EQUAL", "="),
    ("BANG", "!"),
    ("DASH", "-"),
    ("TILDE", "~"),
    ("PLUS", "+"),
    ("STAR", "*"),
    ("SLASH", "/"),
    ("PERCENT", "%"),
    ("VERTICAL_BAR", "|"),
    ("CARET", "^"),
    ("AMPERSAND", "&"),
    ("LEFT_OP", "<<"),
    ("RIGHT_OP", ">>"),
    ("INC_OP", "++"),
    ("DEC_OP", "--"),
    ("LE_OP", "<="),
    ("GE_OP", ">="),
    ("EQ_OP", "=="),
    ("NE_OP", "!="),
    ("AND_OP", "&&"),
    ("OR_OP", "||"),
    ("XOR_OP", "^^"),
    ("MUL_ASSIGN", "*="),
    ("DIV_ASSIGN", "/="),
    ("ADD_ASSIGN", "+="),
    ("MOD_ASSIGN", "%="),
    ("SUB_ASSIGN", "-="),
    ("LEFT_ASSIGN", "<<="),
    ("RIGHT_ASSIGN", ">>="),
    ("AND_ASSIGN", "&="),
    ("XOR_ASSIGN", "^="),
    ("OR_ASSIGN", "|="),
    ("IDENTIFIER", "a name"),
    ("TYPE_NAME", "the name of a structure"),
    ("INTCONSTANT", "a number"),
    ("UINTCONSTANT", "a number"),
    ("FLOATCONSTANT", "a number"),
    ("DOUBLECONSTANT", "a number"),
    ("BOOLCONSTANT", "a truth value"),
];

/// Rewrites a syntax error with the tokens that a source has; other messages stay.
pub(super) fn written(message: &str) -> String {
    if !message.starts_with("syntax error") {
        return message.to_owned();
    }
    let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
    let mut out = String::with_capacity(message.len());
    for part in message.split_inclusive(|c| !is_name(c)) {
        let name = part.trim_end_matches(|c| !is_name(c));
        match TOKENS.iter().find(|(of, _)| *of == name) {
            Some((_, token)) if token.contains(' ') => out.push_str(token),
            Some((_, token)) => out.push_str(&format!("`{token}`")),
            None => out.push_str(name),
        }
        out.push_str(&part[name.len()..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_shown_as_written() {
        for (message, expected) in [
            (
                "syntax error, unexpected RIGHT_BRACE, expecting COMMA or SEMICOLON",
                "syntax error, unexpected `}`, expecting `,` or `;`",
            ),
            ("syntax error, unexpected IDENTIFIER", "syntax error, unexpected a name"),
            ("syntax error, unexpected VOID", "syntax error, unexpected VOID"),
            ("syntax error, unexpected end of file", "syntax error, unexpected end of file"),
            ("'COMMA': undeclared identifier", "'COMMA': undeclared identifier"),
        ] {
            assert_eq!(written(message), expected);
        }
    }
}
