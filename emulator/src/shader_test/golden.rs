//! Comparison of drawings with expected pictures in files, and the report of differences.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use quadrille_jit::env;
use quadrille_jit::process::PerProcess;

use super::mismatch::Mismatch;
use super::picture::{Picture, Tolerance};
use crate::error::Error;

impl Picture {
    /// Compares with the picture in a PNG file, which needs the feature `png`. `QUADRILLE_BLESS=1` writes the file
    /// instead. The path is relative to the current folder of the process, which `cargo test` sets to the folder of the
    /// package.
    ///
    /// # Errors
    /// A [`Mismatch`] if the pictures differ too much. The expected, difference and actual pictures are then written
    /// side by side to one file, which the error names. It lies in the folder for temporary files of tests
    /// (`target/tmp`) and is named after the golden and the test.
    ///
    /// A [`Mismatch`] also if the file does not exist or cannot be read: then only the actual picture is written. With
    /// `QUADRILLE_BLESS=1`, a [`Mismatch`] if the file cannot be written.
    pub fn check(&self, golden: impl AsRef<Path>, tolerance: Tolerance) -> Result<(), Mismatch> {
        let golden = golden.as_ref();
        let fail = |e: Error| Mismatch { reason: Some(e.to_string()), ..Mismatch::default() };
        if env::bless() {
            return self.save(golden).map_err(fail);
        }
        let failed = match Picture::load(golden) {
            Ok(expected) => match self.compare(&expected, tolerance, None) {
                Ok(()) => return Ok(()),
                // If memory does not suffice for all three pictures, write only the actual one.
                Err(mismatch) => (mismatch, self.side_by_side(&expected).unwrap_or_else(|_| self.clone())),
            },
            Err(e) => (fail(e), self.clone()),
        };
        let (mut mismatch, shown) = failed;
        let diff = diff_path(golden);
        if shown.save(&diff).is_ok() {
            mismatch.diff = Some(diff);
        }
        mismatch.golden = Some(golden.to_path_buf());
        Err(mismatch)
    }
}

/// Returns a path for the difference from a golden. It is unique to the golden, the test and the check within the test,
/// and the same in every run.
fn diff_path(golden: &Path) -> PathBuf {
    static TAKEN: PerProcess<Mutex<BTreeMap<String, u32>>> = PerProcess::new();
    // The test harness names each thread after its test.
    let test = std::thread::current().name().unwrap_or("test").to_owned();
    let whole = std::path::absolute(golden).unwrap_or_else(|_| golden.to_path_buf());
    let here = std::env::current_dir().unwrap_or_default();
    let whole = whole.strip_prefix(&here).unwrap_or(&whole).with_extension("");
    let plain = |text: &str| -> String {
        text.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect()
    };
    let name = format!("{}.{}", plain(whole.to_string_lossy().trim_matches('/')), plain(&test));
    let mut taken = TAKEN.get().lock().unwrap_or_else(PoisonError::into_inner);
    let count = taken.entry(name.clone()).and_modify(|n| *n += 1).or_insert(1);
    let again = if *count > 1 { format!(".{count}") } else { String::new() };
    temporary().join(format!("{name}{again}.diff.png"))
}

/// Returns cargo's `target/tmp` if this program is a test that cargo built.
fn temporary() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let deps = program.parent().filter(|folder| folder.ends_with("deps"));
    let target = deps.and_then(|deps| deps.parent()?.parent());
    target.map_or_else(std::env::temp_dir, |target| target.join("tmp"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_do_not_overwrite_each_other() {
        let picture = Picture::filled(2, 2, [1, 2, 3, 255]).unwrap();
        let golden = |folder: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("none.png");
        let diff = |folder: &str| picture.check(golden(folder), Tolerance::EXACT).unwrap_err().diff.unwrap();
        let all = [diff("a"), diff("b"), diff("a")];
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2], "{all:?}");
        for path in &all {
            assert!(path.to_string_lossy().contains("differences_do_not_overwrite"), "{path:?}");
            assert!(path.parent().unwrap().ends_with("tmp"), "{path:?}");
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn errors_say_how_to_bless() {
        let e = Picture::filled(1, 1, [0; 4]).unwrap().check("no/such.png", Tolerance::EXACT).unwrap_err();
        let text = format!("{e:?}");
        assert!(text.contains("QUADRILLE_BLESS=1 writes no/such.png anew"), "{text}");
        std::fs::remove_file(e.diff.unwrap()).unwrap();
    }
}
