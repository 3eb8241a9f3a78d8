//! Files that a command line names for output: none destroys a source, another output or a file of another kind.

use crate::common::{DOUBLE, Folder, bad, good, quadrille, wrong};

const DISPATCH: [&str; 4] = ["--dispatch", "1", "--bind", "0.0=f32:1,2,3,4"];

#[test]
fn no_output_overwrites_a_source() {
    let folder = Folder::new("outputs-sources");
    let shader = folder.write("double.wgsl", DOUBLE);
    let test = folder.write("double.test.toml", "shader = \"double.wgsl\"\n");
    let (read, out) = (format!("0.0:f32={shader}"), folder.path("o.png"));
    // The same file under another name.
    let around = folder.path("./double.wgsl");
    let listing = ["profile", &shader, "--listing", &around];
    for line in [
        &[&["run", &shader], &DISPATCH[..], &["--read", &read]].concat()[..],
        &[&listing[..], &DISPATCH[..]].concat(),
        &[&["check", &shader, "--sarif", &shader], &DISPATCH[..]].concat(),
        &["render", &shader, "-o", &out, "--coverage", &shader],
        &["render", &shader, "-o", &shader, "--format", "png"],
        &["translate", &shader, "-o", &shader],
        &["test", &test, "--junit", &test],
    ] {
        let text = wrong(line);
        assert!(text.contains("would overwrite the source"), "{line:?}: {text}");
    }
    assert_eq!(std::fs::read_to_string(&shader).unwrap(), DOUBLE);
    // Data that a command reads whole may be its output.
    let data = folder.write("v.bin", 2.0f32.to_le_bytes());
    let (bind, read) = (format!("0.0={data}"), format!("0.0:f32={data}"));
    good(&["run", &shader, "--dispatch", "1", "--bind", &bind, "--read", &read]);
    assert_eq!(std::fs::read(&data).unwrap(), 4.0f32.to_le_bytes());
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new("outputs-two");
    let shader = folder.write("double.wgsl", DOUBLE);
    let toml = "shader = \"double.wgsl\"\n[[test]]\nname = \"a\"\ndispatch = [1]\nbind = { \"0.0\" = \"zeros: 16\" }\n";
    folder.write("tests/double.wgsl", DOUBLE);
    folder.write("tests/double.test.toml", toml);
    let (tests, one) = (folder.path("tests"), folder.path("one"));
    let read = format!("0.0:f32={one}");
    for (line, options) in [
        (&["test", &tests, "--junit", &one, "--html", &one][..], "--html and --junit"),
        (&["test", &tests, "--coverage", &one, "--coverage-html", &one], "--coverage and --coverage-html"),
        (&["profile", &shader, "--heat", &one, "--overlay", &one], "--heat and --overlay"),
        (&["run", &shader, "--dispatch", "1", "--read", &read, "--read", &read], "--read, twice"),
    ] {
        let text = wrong(line);
        assert!(text.contains("can be only one output") && !std::path::Path::new(&one).exists(), "{text}");
        assert!(options.split(" and ").all(|option| text.contains(option)), "{text}");
    }
    // Devices take any number of outputs.
    if cfg!(unix) {
        good(&["test", &tests, "--allow-path", &tests, "--junit", "/dev/null", "--html", "/dev/null"]);
    }
}

#[test]
fn a_dash_is_standard_output_or_refused() {
    let folder = Folder::new("outputs-dash");
    let shader = folder.write("double.wgsl", DOUBLE);
    let run = [&["run", &shader], &DISPATCH[..]].concat();
    let text = wrong(&[&run[..], &["--read", "0.0:f32=-"]].concat());
    assert!(text.contains("--read does not write to standard output") && text.contains("./-"), "{text}");
    assert!(wrong(&["test", &shader, "--junit", "-"]).contains("--junit does not write to standard output"));
    // Reports are alone on standard output.
    let toy = folder.write("a.agsl", "half4 main(float2 p) { return half4(1); }");
    for command in ["check", "profile"] {
        let text = wrong(&[command, &toy, "--size", "4x4", "-o", "-", "--format", "rgba"]);
        assert!(text.contains("--output does not write to standard output"), "{text}");
    }
    let profile = [&["profile", &shader, "--measure", "0", "--json", "--read"], &DISPATCH[..]].concat();
    let text = wrong(&[&profile[..6], &["0.0:f32"], &profile[6..]].concat());
    assert!(text.contains("--read prints a buffer before the profile"), "{text}");
    let text = wrong(&[&run[..], &["--read", "0.0:f32="]].concat());
    assert!(text.contains("--read: the name of the file is missing"), "{text}");
    let old = folder.write("old.wgsl", "[[stage(compute)]] fn main() -> void { }");
    assert_eq!(good(&["translate", &old, "-o", "-"]), good(&["translate", &old]));
}

/// Coverage is added to a tracefile; a file of another kind keeps its contents.
#[test]
fn coverage_is_added_to_tracefiles_only() {
    let folder = Folder::new("outputs-coverage");
    let shader = folder.write("double.wgsl", DOUBLE);
    let run = |file: &str| [&["run", &shader], &DISPATCH[..], &["--coverage", file]].concat().join("\n");
    let notes = folder.write("notes.txt", "DA:1,2\nBuy milk: two bottles\n");
    let picture = folder.write("a.png", [0x89, b'P', 0xff]);
    for (file, why) in [(&notes, "line 2 is not a record"), (&picture, "it is not an LCOV tracefile")] {
        let before = std::fs::read(file).unwrap();
        let text = bad(&run(file).split('\n').collect::<Vec<_>>());
        assert!(text.contains("cannot add coverage to") && text.contains(why), "{text}");
        assert_eq!(std::fs::read(file).unwrap(), before);
    }
    let trace = folder.write("t.lcov", "# of geninfo\nTN:\nSF:other.c\nDA:3,1\nend_of_record\n");
    good(&run(&trace).split('\n').collect::<Vec<_>>());
    let text = std::fs::read_to_string(&trace).unwrap();
    assert!(text.contains("SF:other.c") && text.contains("double.wgsl"), "{text}");
}

/// `--format` is for names that do not say the format, and `--animated` for PNG.
#[test]
fn a_name_and_an_option_agree_on_the_format() {
    let folder = Folder::new("outputs-format");
    let shader = folder.write("a.agsl", "half4 main(float2 p) { return half4(1); }");
    let render = |name: &str, more: &[&str]| {
        let out = folder.path(name);
        let line = [&["render", &shader, "--size", "4x4", "-o", &out], more].concat();
        quadrille(&line)
    };
    for (name, more, message) in [
        ("a.png", &["--format", "gif"][..], "--format gif: "),
        ("a.gif", &["--format", "png"], "has the extension of gif"),
        ("a.gif", &["--animated"], "--animated writes an animated PNG, not gif"),
        ("a.jpg", &["--animated"], "--animated writes an animated PNG, not jpg"),
        ("a.foo", &[], "a.foo: pictures are written as .png or .jpg"),
    ] {
        let out = render(name, more);
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.code() == Some(2) && text.contains(message), "{name} {more:?}: {text}");
    }
    for (name, format) in [("a.bin", "gif"), ("b.png", "apng"), ("c.apng", "png"), ("d.png", "png")] {
        assert!(render(name, &["--format", format]).status.success(), "{name} {format}");
    }
}

/// Results that cannot be written are an error, and the exit code is that of a report.
#[test]
#[cfg(target_os = "linux")]
fn results_of_tests_on_a_full_disk_are_an_error() {
    let folder = Folder::new("outputs-full");
    folder.write("double.wgsl", DOUBLE);
    let toml = "shader = \"double.wgsl\"\n[[test]]\nname = \"a\"\ndispatch = [1]\nbind = { \"0.0\" = \"zeros: 16\" }\n";
    let test = folder.write("double.test.toml", toml);
    for format in ["text", "json"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_quadrille"));
        let out = command.args(["test", &test, "--format", format]).stdout(full).output().unwrap();
        let text = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(3), "{text}");
        assert!(text.contains("cannot write to standard output"), "{text}");
    }
}

/// The exit code of tests that fail is for these alone.
#[test]
fn exit_codes_of_tests_and_their_files_differ() {
    let folder = Folder::new("outputs-codes");
    folder.write("double.wgsl", DOUBLE);
    let toml = "shader = \"double.wgsl\"\n[[test]]\nname = \"a\"\ndispatch = [1]\nbind = { \"0.0\" = \"zeros: 16\" }\n";
    let test = folder.write("double.test.toml", toml);
    let notes = folder.write("notes.txt", "Buy milk\n");
    let below = format!("{notes}/shaders.lcov");
    for (more, code, says) in [
        (["--coverage", &notes], 3, "it is not an LCOV tracefile"),
        (["--coverage", &below], 3, "cannot"),
        (["--allow-path", "no/such/folder"], 2, "--allow-path takes a folder"),
        (["--allow-path", &notes], 2, "this is not a folder"),
    ] {
        let out = quadrille(&["test", &test, more[0], more[1]]);
        let text = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.code() == Some(code) && text.contains(says), "{more:?}: {text}");
    }
}
