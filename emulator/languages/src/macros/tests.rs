//! Sources that expand too far, in every disguise; the compiler's own preprocessor is the oracle of the readings.

use super::*;

fn predefined(names: &[String]) -> Vec<(String, String)> {
    let known = names.iter().filter(|name| *name == "GL_core_profile");
    known.map(|name| (name.clone(), "1".to_owned())).collect()
}

fn too_long(source: &str, defines: &[(String, String)]) -> Option<(u32, String)> {
    super::too_long(source, defines, predefined)
}

#[test]
fn bombs_are_found() {
    let mut laughs = "#define L0 1\n".to_owned();
    for i in 1..40 {
        laughs += &format!("#define L{i} (L{} + L{})\n", i - 1, i - 1);
    }
    assert_eq!(too_long(&laughs, &[]), None, "what is not used costs nothing");
    let (line, message) = too_long(&(laughs.clone() + "float x = L39;\n"), &[]).unwrap();
    assert_eq!(line, 41);
    assert!(message.contains("`L39`") && message.contains("tokens"), "{message}");
    assert!(too_long(&(laughs.clone() + "#if L39 > 0\n#endif\n"), &[]).is_some());
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

/// A macro whose use makes 2^40 tokens.
fn laughs() -> String {
    let levels = (1..40).map(|i| format!("#define L{i}(x) L{}(x) L{}(x)\n", i - 1, i - 1));
    format!("#define L0(x) 1\n{}", levels.collect::<String>())
}

/// A text that a reading other than the compiler's does not expand.
#[test]
fn bombs_are_not_hidden() {
    let laughs = laughs();
    for (before, after) in [
        // Continued lines split words, comments and marks of comments.
        ("#def\\\nine A L39\n", "A(x)"),
        ("#def\\\rine A L39\n", "A(x)"),
        ("// x \\\n/*\n", "L39(x)\n// */"),
        ("// x \\\n#define L0(x) 1 1\n", "L39(x)"),
        ("/\\\n/ /*\n", "L39(x)\n// */"),
        // Ends of lines, and comments across lines in a directive.
        ("#define A 1\r#undef A\r#define A L39\r", "A(x)"),
        ("#define A /*\n*/ L39\n", "A(x)"),
        // Branches that are not compiled.
        ("#define A L39\n#if 0\n#undef A\n#endif\n", "A(x)"),
        ("#if 0\n#define A 1\n#else\n#define A L39\n#endif\n", "A(x)"),
        ("#if 1 || 2\n#define A L39\n#elif 1\n#define A 1\n#endif\n", "A(x)"),
        ("#ifdef GL_core_profile\n#define A L39\n#else\n#define A 1\n#endif\n", "A(x)"),
        ("#if __LINE__ == 41 && __VERSION__ == 450\n#define A L39\n#endif\n", "A(x)"),
        // Names that other tokens make.
        ("#define CAT(a, b) a##b\n", "CAT(L, 39)(x)"),
        ("#define CAT(a, b) a ## b\n#define A CAT(L3, 9)\n", "A(x)"),
        ("#define I(x) x\n", "I(L39)(x)"),
        ("#define A L39\n", "A\n(\nx\n)"),
        ("#define M L39\n", "1M(x)"),
        ("#define M L39\n", "0x1fM(x)"),
        ("", "1.0e5L39(x)"),
        ("", "\u{e9}L39(x)"),
        // Calls with other than the number of arguments.
        ("#define A(x, y) L39(x)\n", "A(1)"),
        ("#define A() L39(x)\n", "A(1)"),
        ("#define A(x) L39(x)\n", "A(1, 2, 3)"),
        ("#define D(x) x\n", &format!("{}L39(x){}", "D(".repeat(150), ")".repeat(150))),
        ("#line 7 \"file\"\n#define A L39\n", "A(x)"),
        ("#line 5\n#if __LINE__ == 5\n#define A L39\n#endif\n", "A(x)"),
    ] {
        // The first line of the text behind the macros has the number 41.
        let source = format!("{laughs}{before}float y = {after};\n");
        assert!(found(&source, &[], 50_000, predefined).is_some(), "{before:?} {after:?}");
    }
    let (line, message) =
        too_long(&format!("#if {}1{}\n#define A\n#endif\n", "(".repeat(300), ")".repeat(300)), &[]).unwrap();
    assert!(line == 1 && message.contains("deeper"), "{message}");
}

/// Texts that the compiler reads in its own way: its preprocessor is the oracle.
#[test]
fn bombs_are_not_hidden_by_details() {
    let laughs = laughs();
    let deep = format!("{}#define A L39\n{}", "#ifndef Q\n".repeat(66), "#endif\n".repeat(66));
    let paste = "#define I(x) x\n#define J(a, b) a##b\n#define K(n) J(M, n)\n";
    let pasted = |text: &str| format!("{paste}{text}");
    for (before, after) in [
        // `##` appends the contents of strings, and the name of a parameter of which `#` makes a string.
        ("#define M L ## \"39\" (x)\n".to_owned(), "M"),
        ("#define M L ## \"\\x33\\71\" (x)\n".to_owned(), "M"),
        ("#define L_39(x) L39(x)\n#define M(_39, y) L ## y # _39\n".to_owned(), "M((x),)"),
        // Errors end the text, but not the macro.
        ("#define B 1 ## 2 ## L39(x)\n".to_owned(), "B"),
        ("#define F(x) x\n#define B F(1, 2 } ( ) L39(x) )\n".to_owned(), "B"),
        // Conditions of `#ifdef` nest deeper by one.
        (deep, "A(x)"),
        // A name that is tried has no blank before it any more.
        (pasted("#define M1N L39\n"), "K(1 N)(x)"),
        // Predefined names may be made, and their values are numbers.
        (pasted("#if I(J(GL_, core_profile))\n#define A L39\n#endif\n"), "A(x)"),
        (pasted("#define M1 L39\n"), "K(GL_core_profile)(x)"),
        // Names in arguments stay in conditions.
        (pasted("#define Mfoo 1\n#if I(K(foo))\n#define A L39\n#endif\n"), "A(x)"),
        // Lines: behind a continued line, behind carriage returns, in arguments, below 0.
        ("#if __LINE__\\\n == 42\n#define A L39\n#endif\n".to_owned(), "A(x)"),
        ("\r\r#if __LINE__ == 41\n#define A L39\n#endif\n".to_owned(), "A(x)"),
        ("#define I(x) x\n#if I(__LINE__ \\\n \\\n) == 42\n#define A L39\n#endif\n".to_owned(), "A(x)"),
        ("#line -5\n#if __LINE__ < 0\n#define A L39\n#endif\n".to_owned(), "A(x)"),
        // No escape sequences behind `#line`.
        ("#line 5 \"a\\\" /*\n#if 0\n*/\n".to_owned(), "L39(x)"),
    ] {
        let source = format!("{laughs}{before}float y = {after};\n");
        assert!(found(&source, &[], 50_000, predefined).is_some(), "{before:?} {after:?}");
    }
}

#[test]
fn the_compiler_knows_the_version() {
    let laughs = laughs();
    for (version, text) in [
        // A `#version` may stand at the end, or in a comment.
        ("460", "#if __VERSION__ == 460\n#define A L39\n#endif\n"),
        // Comments end in two ways in one source.
        (
            "330",
            "// \\\n#extension GL_ARB_shading_language_420pack : enable\n#define A L39\n// \\\n#undef A\n",
        ),
        ("330", "// \\\n#ifdef GL_core_profile\n#define A L39\n#endif\n"),
    ] {
        let known = |names: &[String]| {
            let mut all = predefined(names);
            all.push(("__VERSION__".to_owned(), version.to_owned()));
            all
        };
        let source = format!("{laughs}{text}float y = A(x);\n");
        assert!(found(&source, &[], 50_000, known).is_some(), "{text:?}");
    }
}

/// The compiler reads the text that its preprocessor has made again, and the options before it.
#[test]
fn texts_of_the_preprocessor_have_no_directives() {
    let made =
        "#version 450\n#extension E : enable\n#line 7\n#pragma define\nvoid main() { f(\"#define\"); }\n";
    assert_eq!(made_too_long(made, &[]), None);
    assert_eq!(made_too_long(made, &[("A".to_owned(), "A A".to_owned())]), None);
    let (line, message) = made_too_long("int x\n#define L1 1 1\n;\n", &[]).unwrap();
    assert!(line == 2 && message.contains("`#define`"), "{line} {message}");
    // Each name is twice the next one, and the last one twice the first: the text that is read again has the names.
    let pair = |i: u32| (format!("A{i}"), format!("A{0} A{0}", (i + 1) % 12));
    let circle: Vec<(String, String)> = (0..12).map(pair).collect();
    assert_eq!(too_long("#version 450\nA0\n", &circle), None);
    assert!(made_too_long(&"A0 ".repeat(1 << 12), &circle).unwrap().1.contains("tokens"));
}

/// The first reading makes a directive for the second.
#[cfg(feature = "glsl")]
#[test]
fn strings_make_no_directives() {
    let source = "#version 450\n#define M(a) a ## \"\\x0a#define L1 1 1\\x0a\"\nint M(x);\nvoid main() {}\n";
    let options = super::super::Options { disk_cache: false, ..super::super::Options::named("a.comp") };
    let error = super::super::compile_glsl(source, super::super::Stage::Compute, &options).unwrap_err();
    assert!(format!("{error:?}").contains("makes a directive `#define`"), "{error:?}");
}

#[test]
fn sources_that_harm_the_compiler_are_refused() {
    for (source, what) in [
        // The compiler reads beyond a table: a call without its only argument ends the text.
        ("#define M(y) = ## y\nM()".to_owned(), "nothing follows"),
        ("#define M(y) = ## y\nM() = 1;\n".to_owned(), "nothing follows"),
        ("#define M(x, y) = ## y #x\nM(1,)\n".to_owned(), "nothing follows"),
        ("#define M(x, y) L ## y #x\nM(1,)\n".to_owned(), "nothing follows"),
        ("#define R )\n#define F(p) 1\n#define S(x) F(#x\nS(R)\n".to_owned(), "has no beginning"),
        (format!("#define M({}) 1\n", list("a", 257)), "more than 256 parameters"),
        (format!("#define A 1\n#if 1\n#endif\n{}", list("GL_", 2001)), "more than 2000 extensions"),
        (format!("#define I(x) x\n#if I({})\n#endif\n", "a ".repeat(300)), "deeper"),
    ] {
        let found = too_long(&source, &[]);
        assert!(found.as_ref().is_some_and(|(_, message)| message.contains(what)), "{what} {found:?}");
    }
    let names = format!("#define I(x) x\n#if 1\n#endif\n{}", list("GL_", 1000));
    assert_eq!(too_long(&format!("{names}\n#define M({}) 1\n", list("a", 256)), &[]), None);
    // Long names count for what is copied of them.
    let long = format!("#define I(x) x x x x x x x x\nI(I(I({})))\n", "a".repeat(1000));
    assert_eq!(found(&long, &[], 50_000, predefined), None);
    assert!(found(&long, &[], 5_000, predefined).is_some());
}

/// Names with numbers, in a row.
fn list(name: &str, count: usize) -> String {
    (0..count).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(",")
}

/// Tokens of a text, without directives.
#[cfg(feature = "glsl")]
fn tokens(text: &str) -> Vec<String> {
    use super::scan::{Names, names};
    let (mut all, mut out) = (Names::new(), Vec::new());
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let mut scanner = Scanner::new(line, true);
        loop {
            let token = scanner.next(&mut all);
            if token.name == names::END {
                break;
            }
            out.push(all.text(token.name).to_owned());
        }
    }
    out
}

/// Programs of directives and calls, by chance. No letter is a suffix of a number, which ends the text as an error.
#[cfg(feature = "glsl")]
fn program(seed: u32) -> String {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut any = |n: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % n
    };
    let names = ["A", "B", "C", "D", "P", "Q", "v", "w", "AB", "P1"];
    let others = [
        "1", "2", "0", "+", "(", ")", ",", "##", "-", "==", "&&", "1u", "3.5", "<", "!", "defined",
        "__LINE__",
    ];
    let words = |any: &mut dyn FnMut(usize) -> usize, most: usize| -> String {
        let word = |any: &mut dyn FnMut(usize) -> usize| match any(5) {
            0 => others[any(others.len())].to_owned(),
            1 => format!("{}({})", names[any(6)], names[any(10)]),
            2 => format!("{}({}, {} {})", names[any(6)], names[any(10)], names[any(10)], any(3)),
            _ => names[any(names.len())].to_owned(),
        };
        (0..=any(most)).map(|_| word(any)).collect::<Vec<_>>().join([" ", "", " \\\n "][any(8).min(2) % 3])
    };
    let mut text = "#version 450\n".to_owned();
    for _ in 0..4 + any(20) {
        let name = names[any(6)];
        text += &match any(12) {
            0 | 1 => format!("#define {name} {}\n", words(&mut any, 4)),
            2 => format!("#define {name}(v) {}\n", words(&mut any, 5)),
            3 => format!("#define {name}(v, w) {}\n", words(&mut any, 6)),
            4 => format!("#define {name}(v) v##{} {name}\n", any(3)),
            5 => format!("#undef {name}\n"),
            6 => format!("#if {}\n{name}\n#else\n", words(&mut any, 5)),
            7 => format!("#if{} {name}\n", ["def", "ndef"][any(2)]),
            8 => format!("#elif {}\n", words(&mut any, 4)),
            9 => "#endif\n".to_owned(),
            10 => format!("#line {}\n", any(50)),
            _ => format!("{}\n", words(&mut any, 8)),
        };
    }
    text
}

/// The compiler's own preprocessor is the oracle.
#[cfg(feature = "glsl")]
#[test]
fn tokens_are_those_of_the_compiler() {
    let mut expanded = 0;
    for seed in 0..1500 {
        let source = program(seed);
        let expected =
            super::super::glslang::preprocessed(&source, super::super::Stage::Compute, &Default::default());
        let expected = tokens(&expected.unwrap().unwrap());
        let mut machine = Machine::new(&source, None);
        machine.run();
        let texts = machine.out.iter().map(|name| machine.names.text(*name).to_owned());
        assert_eq!(texts.collect::<Vec<_>>(), expected, "program {seed}:\n{source}");
        expanded += usize::from(MAX_TOKENS > machine.left + 10);
    }
    assert!(expanded > 30, "{expanded}");
}
