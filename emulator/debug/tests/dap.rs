//! The adapter compared with recorded dialogues: `>` marks a message of the editor, `<` an expected answer, message by
//! message. Only the fields of the pattern are compared; `"*"` matches anything.
#![cfg(feature = "glsl")]

mod common;

use std::io::{self, BufRead, Read};
use std::path::Path;

use common::{GLSL, record};
use quadrille::frontend::Language;
use quadrille_debug::dap::{self, Launched};
use quadrille_debug::{MAX_BYTES, Sources};
use serde_json::Value;

/// True if a message contains all fields of a pattern.
fn fits(pattern: &Value, message: &Value) -> bool {
    match (pattern, message) {
        (Value::String(any), _) if any == "*" => !message.is_null(),
        (Value::Object(p), Value::Object(m)) => {
            p.iter().all(|(name, inner)| fits(inner, m.get(name).unwrap_or(&Value::Null)))
        }
        (Value::Array(p), Value::Array(m)) => p.len() == m.len() && p.iter().zip(m).all(|(p, m)| fits(p, m)),
        (p, m) => p == m,
    }
}

const LARGE: &str = "#version 450
layout(local_size_x = 8) in;
struct Row { uint d[16777216]; };
layout(std430, binding = 0) buffer B { uint n; Row rows[]; } b;
void main() {
    b.rows[0].d[3] = 7u;
}
";

fn launch(arguments: &Value) -> Result<Launched, String> {
    let (name, source) = match arguments["program"].as_str() {
        Some("large.comp") => ("large.comp", LARGE),
        _ => ("sums.comp", GLSL),
    };
    let id = arguments["invocation"][0].as_u64().ok_or("which invocation?")? as u32;
    let mut sources = Sources::default();
    sources.give(name, source);
    let recordings = record(source, Language::Glsl, id, MAX_BYTES);
    Ok(Launched { recordings, language: Language::Glsl, sources, ended: None })
}

fn play(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialogues").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let of = |mark: &str| -> Vec<(usize, Value)> {
        let lines = text.lines().enumerate();
        let marked = lines.filter_map(|(i, l)| Some((i + 1, l.strip_prefix(mark)?)));
        marked
            .map(|(i, l)| (i, serde_json::from_str(l).unwrap_or_else(|e| panic!("{name}:{i}: {e}"))))
            .collect()
    };
    let mut input = Vec::new();
    for (i, (_, mut request)) in of("> ").into_iter().enumerate() {
        request["seq"] = (i + 1).into();
        request["type"] = "request".into();
        dap::write(&mut input, &request).unwrap();
    }
    let mut output = Vec::new();
    dap::serve(&mut &input[..], &mut output, &mut launch).unwrap();
    let mut output = &output[..];
    for (line, pattern) in of("< ") {
        let message = dap::read(&mut output).unwrap();
        let message = message.unwrap_or_else(|| panic!("{name}:{line}: no more messages"));
        assert!(fits(&pattern, &message), "{name}:{line}: {message:#}");
    }
    assert_eq!(dap::read(&mut output).unwrap(), None, "{name}: more messages");
}

#[test]
fn stepping_in_both_directions() {
    play("stepping.txt");
}

#[test]
fn stops_and_variables() {
    play("stops.txt");
}

#[test]
fn data_breakpoints_keep_their_variables() {
    play("data.txt");
}

/// The time of answers depends on the elements that the editor asks for, not on those that are declared.
#[test]
fn elements_of_large_arrays() {
    play("large.txt");
}

#[test]
fn mistakes_are_answered() {
    play("mistakes.txt");
    // Invalid input ends the connection, not the process.
    let bad: [&[u8]; 4] = [
        b"Content-Length: 3\r\n\r\n{}}",
        b"hello\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n",
        b"Content-Length: 5\r\n\r\n{",
    ];
    for input in bad {
        let done = dap::serve(&mut &input[..], &mut io::sink(), &mut launch);
        assert!(done.is_err() || input.ends_with(b"{"), "{input:?}");
    }
    for (length, message) in [
        ("18446744073709551615", "a message of 18446744073709551615 bytes, at most 16777216"),
        ("99999999999999999999999", "bytes, at most 16777216"),
        ("-1", "is not a number"),
        ("", "is not a number"),
    ] {
        let input = format!("Content-Length: {length}\r\n\r\n");
        let done = dap::serve(&mut input.as_bytes(), &mut io::sink(), &mut launch);
        assert!(done.unwrap_err().to_string().contains(message), "{length}");
    }
    struct Endless;
    impl Read for Endless {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            buf.fill(b'x');
            Ok(buf.len())
        }
    }
    let mut endless = io::BufReader::new(Endless.take(1 << 20));
    assert!(endless.fill_buf().is_ok());
    let _ = dap::serve(&mut endless, &mut io::sink(), &mut launch);
}
