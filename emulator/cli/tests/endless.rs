//! Shaders that do not end: every subcommand that runs one reports it in bounded time, with the line of the loop.
#![cfg(feature = "glsl")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};

use crate::common::Folder;

/// The loop in line 7 is endless and writes memory, so only its time shows that it makes no progress.
const ENDLESS: &str = "#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Values { uint v[]; };
void main() {
    uint n = 0;
    for (uint k = 0; k < 3; k++) v[1 + gl_LocalInvocationIndex] = k;
    while (v[0] != 5u) {
        n++;
        v[8 + gl_LocalInvocationIndex] = n;
    }
}
";

/// The loop in line 5 is endless in most pixels, but not in those at the left.
const PICTURE: &str = "#version 450
layout(location = 0) out vec4 color;
void main() {
    float x = gl_FragCoord.x;
    while (x > 3.0) {
        x = x * 1.0;
    }
    color = vec4(x);
}
";

const DISPATCH: [&str; 4] = ["--dispatch", "1", "--bind", "0.0=zeros:64"];

/// The command with a budget of one second.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(arguments).env("QUADRILLE_BUDGET", "1").env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Exit code, standard output and standard error for an input.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = command(arguments).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_check_reports_the_loop() {
    let folder = Folder::new("endless-check");
    let file = folder.write("endless.comp", ENDLESS);
    let (code, out, errors) = run(&[&["check", &file, "--json"], &DISPATCH[..]].concat(), "");
    assert_eq!((code, errors.as_str()), (Some(1), ""), "{out}");
    let lines: Vec<serde_json::Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let found =
        lines.iter().find(|l| l["report"]["kind"] == "no-progress").unwrap_or_else(|| panic!("{out}"));
    assert_eq!(found["report"]["at"]["line"], 7, "{out}");
    assert_eq!(lines.last().unwrap()["summary"]["error"], 1, "{out}");
    // For a picture, and as text.
    let file = folder.write("endless.frag", PICTURE);
    let (code, out, errors) = run(&["check", &file, "--size", "8x8"], "");
    assert_eq!((code, errors.as_str()), (Some(1), ""), "{out}");
    assert!(out.contains("error[no-progress]") && out.contains("endless.frag:5:"), "{out}");
}

#[test]
fn a_run_and_a_picture_show_the_loop() {
    let folder = Folder::new("endless-run");
    let file = folder.write("endless.comp", ENDLESS);
    let (code, _, errors) = run(&[&["run", &file], &DISPATCH[..]].concat(), "");
    assert_eq!(code, Some(1));
    assert!(errors.contains("within its budget of 1 s"), "{errors}");
    assert!(errors.contains("endless.comp:7:") && errors.contains("while (v[0] != 5u)"), "{errors}");
    assert!(errors.contains("looking for the loop, for at most 20 s"), "{errors}");
    let (file, picture) = (folder.write("endless.frag", PICTURE), folder.path("out.png"));
    let (code, _, errors) = run(&["render", &file, "--size", "8x8", "-o", &picture], "");
    assert!(code == Some(1) && errors.contains("endless.frag:5:"), "{errors}");
    assert!(!std::path::Path::new(&picture).exists());
}

#[test]
fn what_was_recorded_until_the_end_of_the_budget_can_be_debugged() {
    let folder = Folder::new("endless-debug");
    let file = folder.write("endless.comp", ENDLESS);
    // The recording ends at the time limit, or at the memory limit.
    for (option, end) in [(&[][..], "where the device stopped"), (&["--memory", "1"], "limit of 1 MiB")] {
        let script = "break 9\nc\np n\nend\nwhere\n";
        let line = [&["debug", &file, "--invocation", "1"], &DISPATCH[..], option].concat();
        let (code, out, errors) = run(&line, script);
        assert_eq!(code, Some(0), "{errors}");
        for part in ["lane 1 of", "n = 1\n", end, "of the loop at", "endless.comp:7", "#0 main"] {
            assert!(out.contains(part), "{part:?} is not in:\n{out}");
        }
        assert!(!out.contains("the invocation has ended"), "{out}");
    }
    // An invocation after an endless one: only the loop can be shown.
    let line = ["debug", &file, "--invocation", "5", "--dispatch", "2", "--bind", "0.0=zeros:64"];
    let (code, _, errors) = run(&line, "");
    assert!(code == Some(1) && errors.contains("endless.comp:7:"), "{errors}");
    // A pixel whose neighbours are not endless.
    let file = folder.write("endless.frag", PICTURE);
    let (code, out, errors) = run(&["debug", &file, "--pixel", "9,9", "--size", "16x16"], "p x\n");
    assert!(code == Some(0) && out.contains("pixel (9, 9)") && out.contains("endless.frag:5"), "{errors}");
}

#[test]
fn a_test_that_does_not_end_can_be_debugged() {
    let folder = Folder::new("endless-test");
    folder.write("endless.comp", ENDLESS);
    let toml = "shader = \"endless.comp\"\n[[test]]\nname = \"endless\"\ndispatch = [1, 1, 1]\n\
                bind = { \"0.0\" = \"u32: 0*16\" }\nexpect = { \"0.0\" = \"u32: 0*16\" }\n";
    let file = folder.write("endless.test.toml", toml);
    let (code, out, errors) = run(&["debug", &file, "--invocation", "2"], "");
    assert!(code == Some(0) && out.contains("endless.comp:7"), "{out}{errors}");
}

/// Tests in TOML and scripts name the line, and a test that ends after one that does not is not concerned.
#[test]
fn a_test_names_the_line_of_the_loop() {
    let folder = Folder::new("endless-suite");
    folder.write("endless.comp", ENDLESS);
    let toml = "shader = \"endless.comp\"\n[[test]]\nname = \"endless\"\ndispatch = [1, 1, 1]\n\
                bind = { \"0.0\" = \"u32: 0*16\" }\nexpect = { \"0.0\" = \"u32: 0*16\" }\n\
                [[test]]\nname = \"good\"\ndispatch = [1, 1, 1]\nbind = { \"0.0\" = \"u32: 5 0*15\" }\n\
                expect = { \"0.0\" = \"u32: 5 2 2 2 2 0*11\" }\n";
    let file = folder.write("endless.test.toml", toml);
    let (code, out, errors) = run(&["test", &file, "--timeout", "1", "--format", "github"], "");
    assert_eq!(code, Some(1), "{out}{errors}");
    for part in ["this loop does not end", "endless.comp:7:", "while (v[0] != 5u)", "1 passed, 1 failed"] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}{errors}");
    }
    let annotation = out.lines().find(|l| l.starts_with("::error")).unwrap_or_else(|| panic!("{out}"));
    assert!(annotation.contains("endless.comp,line=7"), "{annotation}");
    let amber = format!(
        "#!amber\nSHADER compute endless GLSL\n{ENDLESS}END\nBUFFER b DATA_TYPE uint32 SIZE 16 FILL 0\n\
         PIPELINE compute p\nATTACH endless\nBIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\n"
    );
    let file = folder.write("endless.amber", amber);
    let (code, out, errors) = run(&["test", &file, "--timeout", "1"], "");
    assert!(code == Some(1) && out.contains("this loop does not end"), "{out}{errors}");
}

#[test]
fn an_editor_gets_an_answer() {
    let folder = Folder::new("endless-dap");
    let file = folder.write("endless.comp", ENDLESS);
    let program = serde_json::json!({ "program": file, "invocation": 0, "args": DISPATCH });
    let mut input = String::new();
    for (command, arguments) in [
        ("initialize", serde_json::json!({})),
        ("launch", program),
        ("configurationDone", serde_json::json!({})),
        ("continue", serde_json::json!({ "threadId": 1 })),
        ("evaluate", serde_json::json!({ "expression": "n > 1000u" })),
        ("disconnect", serde_json::json!({})),
    ] {
        let text =
            serde_json::json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments });
        let text = text.to_string();
        input += &format!("Content-Length: {}\r\n\r\n{text}", text.len());
    }
    let (_, out, errors) = run(&["dap"], &input);
    for part in [
        "\"initialized\"",
        "within its budget of 1 s",
        "of the loop at",
        "endless.comp:7",
        r#""result":"true""#,
    ] {
        assert!(out.contains(part), "{part} is not in: {out}{errors}");
    }
}

/// A server that ends when this value is dropped.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_page_is_served_without_its_picture() {
    let folder = Folder::new("endless-page");
    let file = folder.write("endless.frag", PICTURE);
    let line = ["debug", &file, "--serve", "--pixel", "5,5", "--size", "8x8", "--memory", "1"];
    let mut served = Served(command(&line).spawn().unwrap());
    let mut url = String::new();
    BufReader::new(served.0.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
    let (host, token) = url.trim().strip_prefix("http://").unwrap().split_once("/?").unwrap();
    let mut page = TcpStream::connect(host).unwrap();
    write!(page, "GET /do?{token} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    page.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("of the loop at") && answer.contains("\"picture\":false"), "{answer}");
}
