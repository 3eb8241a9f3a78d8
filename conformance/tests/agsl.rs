//! AGSL: every case of the inventory's rows, wrong functions that the cases must detect, and damaged programs.

use quadrille::frontend::{AgslShader, CompileError, Options};
use quadrille_conformance::agsl::{self, Section};

fn all() -> Vec<Section> {
    let mut sections = agsl::functions().unwrap();
    sections.extend(agsl::features().unwrap());
    sections
}

#[test]
fn every_case_is_right() {
    let device = agsl::device().unwrap();
    let mut cases = 0;
    let wrong: Vec<String> = all()
        .iter()
        .flat_map(|section| {
            cases += section.cases.len();
            let wrong = agsl::run(section, &device);
            wrong.into_iter().map(|w| format!("{}: {w}", section.row)).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {cases} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cases > 500, "{cases}");
}

/// For each function, some case detects a call of another function with the same parameters.
#[test]
fn wrong_functions_are_noticed() {
    let device = agsl::device().unwrap();
    let sections = agsl::functions().unwrap();
    let name = |row: &str| row.split('(').next().unwrap().rsplit(' ').next().unwrap().to_owned();
    let (mut changes, mut unnoticed) = (0, Vec::new());
    for section in sections.iter().filter(|s| !s.row.contains("eval")) {
        let own = name(&section.row);
        let others: Vec<String> = sections.iter().map(|s| name(&s.row)).filter(|n| *n != own).collect();
        let mut tried = 0;
        for (i, other) in others.iter().enumerate() {
            if tried == 4 || others[..i].contains(other) {
                continue;
            }
            let changed: Vec<_> = section
                .cases
                .iter()
                .map(|case| case.with_source(case.source.replace(&format!("{own}("), &format!("{other}("))))
                .filter(|case| AgslShader::parse(&case.source, &Options::default()).is_ok())
                .collect();
            if changed.is_empty() {
                continue;
            }
            (tried, changes) = (tried + 1, changes + 1);
            // One of the types is enough, because all compute in the same way.
            let noticed = changed.iter().rev().any(|case| case.run(&device).is_err());
            if !noticed {
                unnoticed.push(format!("{}: no case notices that {other} is called", section.row));
            }
        }
    }
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
    assert!(changes > 150, "{changes}");
}

/// A small random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Changes a program, which mostly makes it invalid.
fn damage(source: &str, random: &mut Random) -> String {
    let places: Vec<usize> = source.char_indices().map(|(at, _)| at).collect();
    let at = places[random.below(places.len())];
    let (before, after) = source.split_at(at);
    let first = after.chars().next().map_or(0, char::len_utf8);
    let tokens = [
        "@",
        "(",
        ")",
        "{",
        "}",
        ";",
        "[",
        "undeclared",
        "1.0f",
        "/*",
        "while",
        "#x",
        "é",
        "half4",
        "\0",
        ".",
    ];
    match random.below(5) {
        0 => before.to_owned(),
        1 => format!("{before}{}", &after[first..]),
        2 => format!("{before} {} {after}", tokens[random.below(tokens.len())]),
        3 => format!("{before}{}{}", tokens[random.below(tokens.len())], &after[first..]),
        _ => format!("{before}{before}{after}"),
    }
}

/// Checks that an error of the source names its place there, and that no error is the compiler's own.
fn check(error: &CompileError, source: &str) {
    assert!(error.cause.is_none(), "{error}\n{source}");
    for d in error.diagnostics() {
        let lines = source.split('\n').count() as u32;
        assert!((1..=lines).contains(&d.line), "line {} of {lines}: {}\n{source}", d.line, d.message);
        let line = source.split('\n').nth(d.line as usize - 1).unwrap();
        assert!(
            (1..=line.len() as u32 + 1).contains(&d.column),
            "column {}: {}\n{source}",
            d.column,
            d.message
        );
        assert!(!d.message.is_empty());
    }
}

#[test]
fn damaged_programs_are_errors_with_places() {
    let mut random = Random(1);
    let mut errors = 0;
    for section in all() {
        // The cases of a function differ only in types.
        for case in section.cases.iter().step_by(if section.row.contains("half4 eval") { 1 } else { 2 }) {
            for source in case.sources() {
                let mut found = 0;
                for _ in 0..200 {
                    let damaged = damage(source, &mut random);
                    if let Err(error) = AgslShader::parse(&damaged, &Options::named("damaged.agsl")) {
                        check(&error, &damaged);
                        found += 1;
                    }
                    if found == 10 {
                        break;
                    }
                }
                assert_eq!(found, 10, "no errors in variants of\n{source}");
                errors += found;
            }
        }
    }
    assert!(errors > 3000, "{errors}");
}

#[test]
fn deep_and_long_programs_are_errors() {
    let main = |body: &str| format!("half4 main(float2 p) {{ {body} return half4(1); }}");
    let n = 100_000;
    let deep = [
        main(&format!("float x = {}1{};", "(".repeat(n), ")".repeat(n))),
        main(&format!("float x = {}p.x;", "-".repeat(n))),
        main(&format!("bool x = {}true;", "!".repeat(n))),
        main(&"{".repeat(n)),
        main(&format!("{}{}", "if (true) {".repeat(n / 10), "}".repeat(n / 10))),
        main(&"if (true) ".repeat(n / 10)),
        main(&format!("float x; x{} = 1;", "[0]".repeat(n / 2))),
        main(&format!("float x = true ? {} 1;", "true ? ".repeat(n / 10))),
        main(&format!("float x; {} 1;", "x = ".repeat(n / 4))),
        format!("{}half4 main(float2 p) {{ return half4(1); }}", "struct ".repeat(n / 10)),
        " ".repeat(300_000),
        "x".repeat(200_000),
    ];
    for source in &deep {
        let error =
            AgslShader::parse(source, &Options::default()).expect_err(&source[..60.min(source.len())]);
        assert!(error.cause.is_none(), "{error}");
    }
    // Deeply nested to the left, which is legal: a tree of a hundred thousand operations.
    let sum = main(&format!("float x = {}p.x;", "p.y+".repeat(40_000)));
    let shader = AgslShader::parse(&sum, &Options::default()).unwrap();
    if let Err(error) = shader.compile(&Options::default()) {
        assert!(
            error.cause.is_none() || !matches!(error.cause.as_deref(), Some(quadrille::Error::Internal(_))),
            "{error}"
        );
    }
    // Structures of arrays of structures, and constants that use constants.
    let mut big = "struct S0 { float x[60000]; };\n".to_owned();
    for i in 1..30 {
        big += &format!("struct S{i} {{ S{} x[60000]; }};\n", i - 1);
    }
    let error = AgslShader::parse(&(big + &main("S29 s;")), &Options::default()).unwrap_err();
    assert!(error.message.contains("components"), "{error}");
    // Structures of structures, each with twice as many members as the one before.
    let mut twice = "struct S0 { float x; };\n".to_owned();
    for i in 1..200 {
        twice += &format!("struct S{i} {{ S{} a; S{} b; }};\n", i - 1, i - 1);
    }
    let error = AgslShader::parse(&(twice.clone() + &main("")), &Options::default()).unwrap_err();
    assert!(error.message.contains("components"), "{error}");
    let large = twice.lines().take(16).collect::<Vec<_>>().join("\n");
    let compare = main(&format!("S15 s; bool b = true; {}", "b = s == s;".repeat(100)));
    let error =
        AgslShader::parse(&(large + &compare), &Options::default()).unwrap().compile(&Options::default());
    assert!(error.unwrap_err().message.contains("as a whole"));
    let mut chain = "const float c0 = sin(1.0);\n".to_owned();
    for i in 1..60 {
        chain += &format!("const float c{i} = c{} + c{};\n", i - 1, i - 1);
    }
    AgslShader::parse(&(chain + &main("float x = c59;")), &Options::default())
        .unwrap()
        .compile(&Options::default())
        .unwrap();
}
