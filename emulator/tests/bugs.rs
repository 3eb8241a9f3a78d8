//! Small versions of shader bugs that occur in practice: each bug is found, and with `MENDED` defined nothing is found.
//!
//! Comments that begin with `//!` in a file state the expected findings (`finds KIND`, once per finding), the bindings
//! (`bind SET.BINDING f32: 1 2`, `bind SET.BINDING zeros N`, `texture SET.BINDING SIZE LEVELS`), the command (`dispatch
//! N`, `draw W H`), and whether the device is lost (`lost`).
#![cfg(feature = "glsl")]

use crate::checks;
use std::path::Path;
use std::sync::Arc;

use quadrille::{Device, DeviceOptions, Error, Format, ShaderTest, TestImage, TestRun};
use quadrille_check::{Level, Report, Session};

/// Runs a file with or without its fix, both with compiled code and interpreted. Both runs must find the same.
fn run(name: &str, source: &str, mended: bool) -> (Vec<Report>, bool) {
    let interp = |interp| checks::device_with(&DeviceOptions { interp, ..DeviceOptions::default() });
    let (quick, lost) = run_on(&interp(false), name, source, mended);
    let (whole, _) = run_on(&interp(true), name, source, mended);
    assert_eq!(checks::shown(&quick), checks::shown(&whole), "{name}, mended: {mended}");
    (quick, lost)
}

fn run_on(
    (session, device): &(Arc<Session>, Device),
    name: &str,
    source: &str,
    mended: bool,
) -> (Vec<Report>, bool) {
    let define = if mended { "#define MENDED" } else { "" };
    let source = source.replacen("#version 450\n", &format!("#version 450\n{define}\n"), 1);
    let mut test =
        ShaderTest::source(name, source.as_bytes()).unwrap_or_else(|e| panic!("{name}: {e:?}")).on(device);
    let mut result: Option<quadrille::Result<TestRun>> = None;
    for line in source.lines().filter_map(|l| l.strip_prefix("//! ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let place = |text: &str| {
            let (set, binding) = text.split_once('.').unwrap_or_else(|| panic!("{name}: {line}"));
            (set.parse::<u32>().unwrap(), binding.parse::<u32>().unwrap())
        };
        let number = |text: &str| text.parse::<u32>().unwrap_or_else(|e| panic!("{name}: {line}: {e}"));
        test = match words[..] {
            ["finds", _] | ["lost"] => test,
            ["bind", at, "zeros", n] => test.bind_zeros::<f32>(place(at).0, place(at).1, number(n) as usize),
            ["bind", at, "f32:", ..] => {
                let list: Vec<f32> = words[3..].iter().map(|w| w.parse().unwrap()).collect();
                test.bind(place(at).0, place(at).1, &list)
            }
            ["texture", at, size, levels] => {
                let (size, levels) = (number(size), number(levels));
                let bytes = |l| vec![99u8; ((size >> l) * (size >> l) * 4) as usize];
                let texels = (0..levels).flat_map(bytes).collect();
                let image =
                    TestImage { levels, ..TestImage::new_2d(Format::R8G8B8A8_UNORM, (size, size), texels) };
                test.bind_shape(place(at).0, place(at).1, 0, image)
            }
            ["dispatch", n] => {
                result = Some(test.clone().dispatch([number(n), 1, 1]));
                test
            }
            ["draw", w, h] => {
                result = Some(test.clone().draw(number(w), number(h)));
                test
            }
            _ => panic!("{name}: {line}"),
        };
    }
    let lost = match result.unwrap_or_else(|| panic!("{name} is not run")) {
        Ok(_) => false,
        Err(Error::DeviceLost(_)) => true,
        Err(e) => panic!("{name}: {e:?}"),
    };
    (session.reports.take(), lost)
}

#[test]
fn every_bug_is_found_and_its_mend_is_silent() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bugs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut failed = Vec::new();
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = std::fs::read_to_string(path).unwrap();
        let mut expected: Vec<&str> = source.lines().filter_map(|l| l.strip_prefix("//! finds ")).collect();
        expected.sort_unstable();
        assert!(!expected.is_empty(), "{name} finds nothing");
        let (found, lost) = run(&name, &source, false);
        let mut kinds: Vec<&str> = found.iter().map(|r| r.kind.id()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds != expected || lost != source.contains("//! lost") {
            failed.push(format!("{name}: lost: {lost}, finds {kinds:?}:\n{}", checks::shown(&found)));
        }
        let warns = |r: &Report| r.kind.level() > Level::Off;
        let (found, lost) = run(&name, &source, true);
        if found.iter().any(warns) || lost {
            failed.push(format!("{name}, mended: lost: {lost}\n{}", checks::shown(&found)));
        }
    }
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), paths.len(), failed.join("\n"));
    assert!(paths.len() >= 41, "{} bugs", paths.len());
}
