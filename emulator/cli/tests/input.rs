//! Sources on standard input.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::common::{DOUBLE, Folder};

const DISPATCH: [&str; 4] = ["--dispatch", "1", "--bind", "0.0=f32:1,2,3,4"];

/// Runs the command with a source on standard input.
fn with_source(arguments: &[&str], source: &str, seconds: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(arguments).env("NO_COLOR", "1").env("QUADRILLE_BUDGET", seconds);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn texts(out: &Output) -> [String; 2] {
    [&out.stdout, &out.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

/// Commands that need the source again have it: to measure the compiled shader, to debug it, and to find a loop.
#[test]
fn a_source_on_standard_input_is_read_once() {
    let profile = [&["profile", "-", "--lang", "wgsl", "--measure", "0.1"], &DISPATCH[..]].concat();
    let out = with_source(&profile, DOUBLE, "60");
    let [text, errors] = texts(&out);
    assert!(out.status.success() && text.contains("operations of 4 invocations"), "{text} {errors}");

    let agsl = "half4 main(float2 p) {\n  float red = p.x;\n  return half4(red);\n}";
    let debug = ["debug", "-", "--lang", "agsl", "--pixel", "1,1", "--size", "4x4"];
    let out = with_source(&debug, agsl, "60");
    let [text, errors] = texts(&out);
    assert!(out.status.success() && text.contains("pixel (1, 1): lane "), "{text} {errors}");

    let endless = "@group(0) @binding(0) var<storage, read_write> v: array<f32>;\n\
        @compute @workgroup_size(1)\nfn main() {\n  while v[0] > 0.0 { v[1] += 1.0; }\n}";
    let run = [&["run", "-", "--lang", "wgsl"], &DISPATCH[..]].concat();
    let out = with_source(&run, endless, "1");
    let [_, errors] = texts(&out);
    assert!(errors.contains("standard input:4:3") && errors.contains("this loop does not end"), "{errors}");
}

/// The prompt ends quietly if nobody reads it, as the output of every other command does.
#[test]
fn a_prompt_without_a_reader_ends_quietly() {
    let folder = Folder::new("input-closed");
    let shader = folder.write("a.agsl", "half4 main(float2 p) { return half4(1); }");
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(["debug", &shader, "--pixel", "1,1", "--size", "4x4"]).env("NO_COLOR", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    let [_, errors] = texts(&out);
    assert!(out.status.success() && errors.is_empty(), "{errors}");
}

/// Standard input is the connection of an editor, which the adapter never reads as a source.
#[test]
fn editors_do_not_launch_standard_input() {
    let folder = Folder::new("input-dap");
    let mut input = Vec::new();
    for (seq, body) in [
        r#""initialize","arguments":{}"#,
        r#""launch","arguments":{"program":"-","pixel":[1,1],"args":["--lang","agsl"]}"#,
        r#""disconnect""#,
    ]
    .iter()
    .enumerate()
    {
        let text = format!(r#"{{"seq":{seq},"type":"request","command":{body}}}"#);
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.arg("dap").current_dir(folder.path("")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Without an end of the input, the answer comes only if nothing else waits for it.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&input).unwrap();
    let out = child.wait_with_output().unwrap();
    drop(stdin);
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(text.contains("standard input: the debug adapter reads no source from it"), "{text}");
}
