use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::Options;
use super::expand::{MAX_INCLUSIONS, MAX_READ, expand};
use super::*;

/// Returns options that find `files`.
fn with(files: &'static [(&'static str, &'static str)]) -> Options {
    let includes = Includes::by(move |request| {
        let file = files.iter().find(|(name, _)| *name == request.name);
        Ok(file.map(|(name, text)| IncludedFile { name: (*name).into(), text: (*text).into() }))
    });
    Options { includes, disk_cache: false, ..Options::named("main.frag") }
}

fn text(source: &str, files: &'static [(&'static str, &'static str)]) -> String {
    let all = expand(source, &with(files)).unwrap();
    assert!(all.problems.is_empty(), "{:?}", all.problems);
    all.text
}

fn problem(source: &str, files: &'static [(&'static str, &'static str)]) -> String {
    let all = expand(source, &with(files)).unwrap();
    assert_eq!(all.problems.len(), 1, "{}", all.text);
    all.problems[0].message.clone()
}

/// Spec: GLSL 4.60, 3.2: a backslash joins two lines, the second of which then belongs to the directive in the first.
#[test]
fn a_line_that_continues_a_directive_is_none() {
    let source =
        "#include \"x\"\n#line 5 \\\n#include \"x\"\n//aa\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\nb";
    let all = expand(source, &with(&[("x", "#pragma once\n1")])).unwrap();
    assert!(all.text.contains("#line 5 \\\n#include \"x\"\n//aa"), "{}", all.text);
    let blank = all.unnumbered().unwrap().text;
    assert_eq!(
        blank,
        all.text.replace("#line 5 \\", &" ".repeat(9)).replace("#include \"x\"", &" ".repeat(12))
    );
}

#[test]
fn files_stand_between_lines() {
    let got = text("a\n  # include \"x\" // why\nb", &[("x", "1\n2")]);
    assert_eq!(got, "a\n#line 1 \"x\"\n1\n2\n#line 3 \"main.frag\"\nb");
    let all = expand("a\n#include <x>\nb", &with(&[("x", "1\n2")])).unwrap();
    let places: Vec<(usize, u32)> = (1..=6).map(|n| all.place(&all.text, n)).collect();
    assert_eq!(places, [(0, 1), (0, 2), (1, 1), (1, 2), (1, 3), (0, 3)]);
    // Before 3.30, `#line N` gives the next line the number N + 1.
    assert!(text("#version 140\n#include \"x\"\n", &[("x", "1")]).contains("#line 0 \"x\"\n1\n#line 2"));
    // A text without includes stays as it is, including its comments.
    for same in ["int included;", "// #include \"x\"\n", "/*\n#include \"x\"\n*/"] {
        assert_eq!(text(same, &[]), same);
    }
    assert_eq!(text("#include \"a//b\"", &[("a//b", "1")]).lines().nth(1), Some("1"));
    // Strings have no comments.
    assert!(text("f(\"/* %f\");\n#include \"x\"", &[("x", "1")]).contains("\"x\"\n1\n"));
}

/// Spec: GLSL 4.60, 3.3: subsequent lines are numbered from that of `#line` until another one overrides it.
#[test]
fn numbers_of_lines_continue_behind_included_files() {
    let got = text("#line 70 // seventy\n#include \"x\"\nb", &[("x", "#line 5\n1")]);
    let after = "#line 2 \"main.frag\"\n#line 71\nb";
    assert_eq!(got, format!("#line 70 // seventy\n#line 1 \"x\"\n#line 5\n1\n{after}"));
    assert!(text("#line 7 3\n\n#include \"x\"\n", &[("x", "")]).ends_with("#line 9 3\n"));
    // Before 3.30, `#line N` gives the next line the number N + 1.
    let old = text("#version 140\n#line 70\n#include \"x\"\n", &[("x", "1")]);
    assert!(old.ends_with("1\n#line 2 \"main.frag\"\n#line 71\n"), "{old}");
    // Places are lines of the file.
    let all = expand("#line 70\n#include <x>\nb", &with(&[("x", "1\n2")])).unwrap().unnumbered().unwrap();
    let line = all.text.lines().count() as u32;
    assert_eq!((all.text.lines().last(), all.place(&all.text, line)), (Some("b"), (0, 3)));
    // These say no number, or say it elsewhere.
    for line in ["#line A", "#if 0\n#line 70\n#endif", "#line 010", "#line 1+1", "#line 4294967295"] {
        let got = text(&format!("{line}\n#include \"x\"\n"), &[("x", "")]);
        let next = line.lines().count() + 2;
        assert!(got.ends_with(&format!("#line {next} \"main.frag\"\n")), "{got}");
    }
}

/// Numbers count on only from a `#line` that is compiled wherever the `#include` is. Spec: GLSL 4.60, 3.3.
#[test]
fn numbers_of_lines_depend_on_no_condition() {
    let x: &[(&str, &str)] = &[("x", "")];
    let of_file = [
        "#if V > 3\n#line 100\n#endif\n",
        "#line 50\n#ifdef A\n#line 60\n#else\n#line 70\n#endif\n",
        "#ifdef A\n#line 60\n#else\n",
        "#line 50\n#if V\n#line 60\n#elif 1\n#endif\n",
    ];
    for lines in of_file {
        let got = text(&format!("{lines}#include \"x\"\n"), x);
        assert!(got.ends_with(&format!("#line {} \"main.frag\"\n", lines.lines().count() + 2)), "{got}");
    }
    // The branch of the `#include`, branches that are certain, and conditions without numbers.
    for (lines, next) in [
        ("#ifdef A\n#line 60\n", 61),
        ("#line 50\n#ifdef A\n#line 60\n#else\n", 54),
        ("#line 50\n#ifdef A\n#endif\n", 53),
        ("#line 50\n#if 0\n#line 60\n#endif\n", 54),
        ("#if 1\n#line 60\n#endif\n", 62),
        ("#if 0\n#line 50\n#else\n#line 60\n#endif\n", 62),
    ] {
        let got = text(&format!("{lines}#include \"x\"\n"), x);
        assert!(got.ends_with(&format!("\n#line {next}\n")), "{got}");
    }
}

/// The limit on bytes includes the names of sources that are repeated behind included files.
#[test]
fn long_names_of_sources_count() {
    let name = "a".repeat(MAX_SOURCE_BYTES / 2);
    let source = format!("#line 7 \"{name}\"\n{}", "#include \"x\"\n".repeat(9));
    let error = expand(&source, &with(&[("x", "")])).unwrap_err();
    assert_eq!(error.line, 2, "{error}");
}

#[test]
fn guards_end_inclusion() {
    let count = |text: &str| text.lines().filter(|l| *l == "body").count();
    let twice = "#include \"g\"\n#include \"g\"\n";
    assert_eq!(count(&text(twice, &[("g", "// g\n#ifndef G\n#define G\nbody\n#endif\n")])), 1);
    assert_eq!(count(&text(twice, &[("g", "#if !defined(G)\n#define G 1\nbody\n#endif")])), 1);
    assert_eq!(count(&text(twice, &[("g", "#pragma once\nbody")])), 1);
    assert_eq!(count(&text(twice, &[("g", "body")])), 2);
    // Two files include each other.
    let circle: &[(&str, &str)] = &[
        ("a", "#ifndef A\n#define A\n#include \"b\"\nbody\n#endif"),
        ("b", "#ifndef B\n#define B\n#include \"a\"\nbody\n#endif"),
    ];
    assert_eq!(count(&text("#include \"a\"\n#include \"b\"\n", circle)), 2);
    let circle: &[(&str, &str)] =
        &[("a", "#pragma once\n#include \"b\"\nbody"), ("b", "#include \"a\"\nbody")];
    assert_eq!(count(&text("#include \"a\"\n", circle)), 2);
    // A file included in a branch that may not be taken does not count as included.
    let maybe = "#if X > 1\n#include \"g\"\n#endif\n#include \"g\"\n";
    let got = text(maybe, &[("g", "#pragma once\nbody")]);
    assert_eq!((count(&got), got.matches("#ifndef INCLUDED_ONCE_1\n").count()), (2, 2));
    assert_eq!(count(&text(maybe, &[("g", "#ifndef G\n#define G\nbody\n#endif")])), 2);
    let undone = "#include \"g\"\n#undef G\n#include \"g\"\n";
    assert_eq!(count(&text(undone, &[("g", "#ifndef G\n#define G\nbody\n#endif")])), 2);
    // Each file includes the two files below it, twice each; the guards keep the result linear in the number of files.
    let tower = Includes::by(|request| {
        let n: u32 = request.name.parse().unwrap();
        let include = |n: u32| format!("#include \"{n}\"\n");
        let below: String = (n.saturating_sub(2)..n).map(include).collect::<String>().repeat(2);
        let text = format!("#ifndef G{n}\n#define G{n}\n{below}body\n#endif\n");
        Ok(Some(IncludedFile { name: request.name.into(), text }))
    });
    let options = Options { includes: tower, ..Options::default() };
    assert_eq!(count(&expand("#include \"40\"", &options).unwrap().text), 41);
}

#[test]
fn branches_that_are_not_taken() {
    for source in [
        "#if 0\n#include \"none\"\n#endif",
        "#define A\n#ifndef A\n#include \"none\"\n#endif",
        "#if 1\n#else\n#include \"none\"\n#endif",
        "#define A\n#ifdef A\n#elif B\n#include \"none\"\n#else\n#include \"none\"\n#endif",
        "#ifdef A\n#ifndef A\n#include \"none\"\n#endif\n#endif",
    ] {
        text(source, &[]);
    }
    for source in [
        "#if 1\n#include \"none\"\n#endif",
        "#ifdef A\n#include \"none\"\n#endif",
        "#define A\n#undef A\n#ifndef A\n#include \"none\"\n#endif",
        "#if 0\n#else\n#include \"none\"\n#endif",
        "#endif\n#include \"none\"\n",
    ] {
        problem(source, &[]);
    }
    let options = Options { defines: vec![("A".into(), "1".into())], ..with(&[]) };
    assert!(expand("#ifndef A\n#include \"x\"\n#endif", &options).unwrap().problems.is_empty());
}

#[test]
fn what_is_wrong() {
    assert_eq!(problem("#include \"none\"", &[]), "cannot find `none`");
    for bad in
        ["#include", "#include x.h", "#include \"x", "#include \"\"", "#include \"x\" y", "#include <x"]
    {
        assert!(problem(bad, &[("x", "")]).contains("requires"), "{bad}");
    }
    let message = problem("#include \"a\"", &[("a", "#include \"b\""), ("b", "\n#include \"a\"\n")]);
    assert_eq!(message, "`a` includes itself: a -> b -> a");
    let message = problem("#include \"main.frag\"", &[("main.frag", "")]);
    assert_eq!(message, "`main.frag` includes itself: main.frag -> main.frag");
    assert!(problem("#include \"z\"", &[("z", "a\0b")]).contains("zero byte"));

    // Unbounded inclusion.
    let deep = Includes::by(|request| {
        let n: u32 = request.name.parse().unwrap_or(0);
        let text = format!("#include \"{}\"\n", n + 1);
        Ok(Some(IncludedFile { name: request.name.into(), text }))
    });
    let options = Options { includes: deep, ..Options::default() };
    let all = expand("#include \"0\"", &options).unwrap();
    assert!(all.problems[0].message.contains("more than 64 files"), "{:?}", all.problems);
    let long = Includes::by(|request| {
        let text = if request.name == "0" { "#include \"1\"\n".repeat(100) } else { "x\n".repeat(100_000) };
        Ok(Some(IncludedFile { name: request.name.into(), text }))
    });
    let options = Options { includes: long, ..Options::named("main") };
    let error = expand("\n#include \"0\"", &options).unwrap_err();
    assert_eq!((&*error.file, error.help.as_deref()), ("1", Some("1 is included by 0:1, that by main:2")));
    assert!(error.message.contains("bytes"), "{error}");
    // A file with an include guard is read again for each `#include`, up to the limit on bytes.
    let (calls, counted) = (Arc::new(AtomicUsize::new(0)), 1 << 20);
    let count = calls.clone();
    let guarded = Includes::by(move |request| {
        count.fetch_add(1, Ordering::Relaxed);
        let text = format!("#ifndef G\n#define G\n{}#endif\n", "x\n".repeat(counted / 2));
        Ok(Some(IncludedFile { name: request.name.into(), text }))
    });
    let options = Options { includes: guarded, ..Options::named("main") };
    let all = expand(&"#include \"g\"\n".repeat(1000), &options).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), MAX_READ / counted);
    assert!(all.problems[0].message.contains("skipped text"), "{:?}", all.problems[0]);
    let many = "#include \"e\"\n".repeat(MAX_INCLUSIONS + 1);
    let error = expand(&many, &with(&[("e", "")])).unwrap_err();
    assert_eq!(error.line as usize, MAX_INCLUSIONS + 1, "{error}");
}

#[test]
fn files_on_disk() {
    let folder = std::env::temp_dir().join(format!("quadrille-includes-{}", std::process::id()));
    let path = |name: &str| folder.join(name);
    fs::create_dir_all(path("sub/deep")).unwrap();
    fs::create_dir_all(path("lib")).unwrap();
    for (name, text) in [("sub/x", "beside"), ("lib/x", "in lib"), ("lib/y", "y"), ("bad", "\u{1}")] {
        fs::write(path(name), text).unwrap();
    }
    fs::write(path("lib/bytes"), [0xff]).unwrap();
    let folders = [path("none"), path("lib"), path("sub")];
    let main = path("sub/main");
    let find = |name: &str, angled| {
        let within = Folders::of_file(&main).and(&Folders::new(folders.clone()));
        let main = main.to_str().unwrap();
        on_disk(&folders, &within, &IncludeRequest { name, includer: main, angled, source: main })
    };
    let found = |name: &str, angled| find(name, angled).unwrap().unwrap();
    assert_eq!(found("x", false).text, "beside");
    assert_eq!(found("x", true).text, "in lib");
    assert_eq!(found("y", false).text, "y");
    // Every path to a file gives the same name.
    for name in ["../lib/y", "./deep/../../lib/./y", "y"] {
        assert_eq!(found(name, false).name, path("lib").join("y").to_str().unwrap(), "{name}");
    }
    assert!(find("none", false).unwrap().is_none() && find("../lib", false).unwrap().is_none());
    assert!(find("bytes", false).unwrap_err().contains("UTF-8"));
    assert!(find("../bad", false).unwrap_err().contains("outside of"));
    let absolute = path("bad");
    assert!(find(absolute.to_str().unwrap(), false).unwrap_err().contains("outside of"));
    fs::remove_dir_all(&folder).unwrap();
}

#[cfg(feature = "glsl")]
#[test]
fn messages_name_file_line_and_chain() {
    use crate::{Stage, compile_glsl, compile_shadertoy};
    const FILES: &[(&str, &str)] = &[
        ("lib/a.glsl", "// a\n#include \"lib/b.glsl\"\nfloat a() { return b(); }\n"),
        ("lib/b.glsl", "\nfloat b() { return 1.0; }\n"),
        ("lib/bad.glsl", "#include \"lib/worse.glsl\"\n"),
        ("lib/worse.glsl", "float b() {\n  return nothing;\n}\n"),
        ("old", "varying vec2 v;\nvec4 old() { return vec4(1); }\n"),
        ("lib/none", "#include \"gone\"\n"),
    ];
    let main = |include: &str| {
        format!(
            "#version 450\n#extension GL_GOOGLE_include_directive : require\n{include}\n\
                 layout(location = 0) out vec4 c;\nvoid main() {{ c = vec4(a()); }}\n"
        )
    };
    let good = compile_glsl(&main("#include \"lib/a.glsl\""), Stage::Fragment, &with(FILES)).unwrap();
    let text = quadrille_jit::spirv::asm::disassemble(&good).unwrap();
    assert!(text.contains("OpString \"lib/b.glsl\"") && text.contains("OpString \"main.frag\""), "{text}");

    let error = compile_glsl(&main("#include <lib/bad.glsl>"), Stage::Fragment, &with(FILES)).unwrap_err();
    assert_eq!((&*error.file, error.line, error.column), ("lib/worse.glsl", 2, 10), "{error}");
    assert!(error.source_text.starts_with("float b()"));
    let chain = "lib/worse.glsl is included by lib/bad.glsl:1, that by main.frag:3";
    assert_eq!(error.help.as_deref(), Some(chain));
    // Lines after an include keep the source's numbers, also where old words are replaced by new ones.
    let error = compile_glsl(
        &main("#include \"lib/b.glsl\""),
        Stage::Fragment,
        &Options { relaxed: true, ..with(FILES) },
    )
    .unwrap_err();
    assert_eq!((&*error.file, error.line, error.column), ("main.frag", 5, 24), "{error}");
    let old = "#version 120\n#include \"old\"\nvoid main() {\n  gl_FragColor = old() * nothing;\n}\n";
    let relaxed = Options { relaxed: true, ..with(FILES) };
    let error = compile_glsl(old, Stage::Fragment, &relaxed).unwrap_err();
    assert_eq!((&*error.file, error.line), ("main.frag", 4), "{error}");
    compile_glsl(&old.replace(" * nothing", ""), Stage::Fragment, &relaxed).unwrap();

    let error = compile_glsl(&main("#include \"lib/none\""), Stage::Fragment, &with(FILES)).unwrap_err();
    assert_eq!((&*error.file, error.line, error.column), ("lib/none", 1, 1), "{error}");
    assert_eq!(error.message, "cannot find `gone`");
    // An `#include` that the compiler does not reach is not an error.
    let source = main("#define X 1\n#if X > 2\n#include \"gone\"\n#else\n#include \"lib/a.glsl\"\n#endif");
    compile_glsl(&source, Stage::Fragment, &with(FILES)).unwrap();
    let error = compile_glsl(&main("#include \"x\""), Stage::Fragment, &Options::default()).unwrap_err();
    assert!(error.message.contains("no folder in which to find `x`"), "{error}");

    let toy = "#include \"lib/a.glsl\"\nvoid mainImage(out vec4 c, in vec2 p) {\n  c = vec4(a());\n}\n";
    compile_shadertoy(toy, &with(FILES)).unwrap();
    let error = compile_shadertoy(&toy.replace("a()", "z()"), &with(FILES)).unwrap_err();
    assert_eq!((&*error.file, error.line), ("main.frag", 3), "{error}");
    let error = compile_shadertoy(&toy.replace("a.glsl", "bad.glsl"), &with(FILES)).unwrap_err();
    assert_eq!((&*error.file, error.line), ("lib/worse.glsl", 2), "{error}");
    let bomb = (1..40).fold("#include \"lib/b.glsl\"\n#define L0 1.0\n".to_owned(), |text, i| {
        text + &format!("#define L{i} (L{} + L{})\n", i - 1, i - 1)
    });
    let error = compile_shadertoy(&(bomb + "float x = L39;\n" + toy), &with(FILES)).unwrap_err();
    assert_eq!((&*error.file, error.line), ("main.frag", 42), "{error}");
}
