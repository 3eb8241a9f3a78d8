//! Runs every file under `filetests`, with a test per family, and checks that every accepted instruction has a file.
//! The crate's documentation describes the format. `QUADRILLE_FILETEST=TEXT` runs the files whose path contains the
//! text. `QUADRILLE_SECOND_OPINION=none` does not use Khronos' tools, `=all` uses them for every module.

use std::collections::BTreeSet;
use std::sync::Mutex;

use quadrille_conformance::coverage::elsewhere;
use quadrille_conformance::coverage::facts::Table;
use quadrille_conformance::filetest::{self, FileTest};
use quadrille_conformance::table::Counts;
use quadrille_conformance::tools::Ask;
use quadrille_jit::env::{self, Amount};
use quadrille_jit::guarded;
use quadrille_jit::spirv::grammar;
use quadrille_jit::spirv::ops::{GLSL_ROWS, OPENCL_ROWS, ROWS};

/// Runs the files of a family on two threads.
fn family(name: &str) {
    guarded::enable(guarded::Mode::End);
    let filter = env::FILETEST.get().unwrap_or_default();
    let second_opinion = match env::SECOND_OPINION.get().unwrap_or_default() {
        Amount::None => Ask::Nothing,
        Amount::Some => Ask::Some,
        Amount::All => Ask::All,
    };
    let files: Vec<FileTest> = filetest::all()
        .into_iter()
        .filter(|f| f.name.split('/').next() == Some(name) && f.name.contains(&filter))
        .collect();
    let queue = Mutex::new(files.iter());
    let results = Mutex::new((Vec::new(), Counts::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().ok().and_then(|mut q| q.next());
                    let Some(file) = next else { break };
                    let mut counts = Counts::default();
                    let failures = file.run(second_opinion, &mut counts);
                    if let Ok(mut r) = results.lock() {
                        r.0.extend(failures);
                        r.1.modules += counts.modules;
                        r.1.runs += counts.runs;
                        r.1.values += counts.values;
                    }
                }
            });
        }
    });
    let Ok((mut failures, counts)) = results.into_inner() else { panic!("a file test panicked") };
    println!(
        "{name}: {} files, {} modules, {} runs, {} values",
        files.len(),
        counts.modules,
        counts.runs,
        counts.values
    );
    failures.sort();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

macro_rules! families {
    ($($name:ident)*) => {
        const FAMILIES: &[&str] = &[$(stringify!($name)),*];
        $(#[test] fn $name() { family(stringify!($name)); })*
    };
}

families! {
    arithmetic atomics bits builtins comparison composite control conversion fragment image kernels language maths matrix memory
    module geometry mesh opencl packing pointer rays subgroup tessellation vertex wgsl_2021
}

/// A folder without a test would not run.
#[test]
fn every_folder_is_a_family() {
    let folders: BTreeSet<String> =
        filetest::all().iter().filter_map(|f| f.name.split('/').next().map(String::from)).collect();
    let known: BTreeSet<String> = FAMILIES.iter().map(|f| f.to_string()).collect();
    assert_eq!(folders, known);
}

/// Every row of the instruction tables has a file test, or a test elsewhere because a shader alone cannot show it.
#[test]
fn every_row_has_a_test() {
    let mut missing: BTreeSet<String> = ROWS.iter().map(|r| grammar::name_of(r.0)).collect();
    missing.extend(GLSL_ROWS.iter().map(|r| format!("GLSL {:?}", r.0)));
    missing.extend(OPENCL_ROWS.iter().map(|r| format!("OpenCL {:?}", r.0)));
    let all = missing.clone();
    for file in filetest::all() {
        for test in file.tests() {
            assert!(all.contains(&test), "{}: {test} is not in the table of instructions", file.name);
            missing.remove(&test);
        }
    }
    missing.retain(|name| match name.strip_prefix("OpenCL ") {
        Some(name) => elsewhere::find(Table::OpenCl, name).is_none(),
        None => elsewhere::find(Table::Instruction, name).is_none(),
    });
    assert!(missing.is_empty(), "{} rows without a file test: {missing:#?}", missing.len());
}
