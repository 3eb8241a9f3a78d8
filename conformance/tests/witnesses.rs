//! Every picture that a test expects has a second witness, or a reason why it has none.

use std::collections::BTreeSet;
use std::path::Path;

use quadrille_conformance::scenes::witness::{self, ELSEWHERE, EXCEPTIONS, Elsewhere, Witness};
use quadrille_conformance::scenes::{self, golden, goldens};

/// Names of the goldens of scenes.
fn names() -> BTreeSet<String> {
    let files = std::fs::read_dir(goldens()).unwrap().map(|entry| entry.unwrap().path());
    let pictures = files.filter(|path| path.extension().is_some_and(|e| e == "png"));
    pictures.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn scenes_have_second_witnesses() {
    let figures = witness::figures().unwrap();
    let (names, mut wrong) = (names(), Vec::new());
    for name in &names {
        wrong.extend(witness::check(name, &golden(name).unwrap(), &figures).err());
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), names.len(), wrong.join("\n"));
    let count = |of: fn(&Witness) -> bool| EXCEPTIONS.iter().filter(|(_, witness)| of(witness)).count();
    println!(
        "{} scenes: {} by another driver, {} by a formula, {} by another driver with a tolerance, {} without",
        names.len(),
        names.len() - EXCEPTIONS.len(),
        count(|w| matches!(w, Witness::Formula(_))),
        count(|w| matches!(w, Witness::Driver(..))),
        count(|w| matches!(w, Witness::Missing(_))),
    );
    let drawn: BTreeSet<String> = scenes::all().iter().map(|scene| scene.name.to_owned()).collect();
    assert_eq!(names, drawn, "goldens and scenes");
}

/// Rows of the tables name goldens that exist, once.
#[test]
fn rows_name_goldens() {
    let names = names();
    let mut seen = BTreeSet::new();
    for (name, _) in EXCEPTIONS {
        assert!(names.contains(*name), "no golden `{name}`");
        assert!(seen.insert(*name), "two rows of `{name}`");
    }
    let mut seen = BTreeSet::new();
    for figure in witness::figures().unwrap() {
        let print = witness::fingerprint(&golden(&figure.picture).unwrap());
        assert_eq!(figure.fingerprint, print, "{}: the figure is of another golden", figure.picture);
        assert!(seen.insert((figure.picture.clone(), figure.driver)), "two rows of `{}`", figure.picture);
    }
}

/// A wrong pixel of a golden disagrees with its formula, and makes the figures of drivers void.
#[test]
fn witnesses_disagree_with_wrong_goldens() {
    let figures = witness::figures().unwrap();
    for name in names() {
        let exception = EXCEPTIONS.iter().find(|(scene, _)| **scene == name);
        if matches!(exception, Some((_, Witness::Missing(_)))) {
            continue;
        }
        let mut pixels = golden(&name).unwrap();
        let at = 4 * (31 * scenes::SIZE as usize + 31);
        pixels[at..at + 3].iter_mut().for_each(|byte| *byte = byte.wrapping_add(128));
        assert!(witness::check(&name, &pixels, &figures).is_err(), "{name}: the wrong picture passes");
    }
}

/// Paths of all pictures in a folder, relative to the repository.
fn pictures(root: &Path, folder: &Path, list: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            if name != "target" && !name.starts_with('.') && path != goldens() {
                pictures(root, &path, list);
            }
        } else if name.ends_with(".png") {
            list.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn other_pictures_have_second_witnesses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeSet::new();
    // The generated pictures of the examples go to the folder of the caller, which is not one of these.
    for folder in ["assets", "conformance", "emulator", "examples"] {
        pictures(root, &root.join(folder), &mut found);
    }
    let covers = |row: &str, file: &str| file == row || row.ends_with('/') && file.starts_with(row);
    for file in &found {
        let rows = ELSEWHERE.iter().filter(|(row, _)| covers(row, file)).count();
        assert_eq!(rows, 1, "rows of `{file}` in ELSEWHERE");
    }
    for (row, kind) in ELSEWHERE {
        assert!(found.iter().any(|file| covers(row, file)), "no picture `{row}`");
        match kind {
            Elsewhere::Formula(formula) => {
                let pixels = image::open(root.join(row)).unwrap().into_rgba8().into_raw();
                let (n, first) = witness::outside(&pixels, &formula());
                assert_eq!(n, 0, "{row}: {first:?}");
            }
            Elsewhere::Interpreter(file, test) => {
                let text = std::fs::read_to_string(root.join(file)).unwrap();
                assert!(text.contains(&format!("#[test]\nfn {test}()")), "{file}: no test `{test}`");
            }
            Elsewhere::Foreign(why) | Elsewhere::Missing(why) => assert!(!why.is_empty(), "{row}"),
        }
    }
}
