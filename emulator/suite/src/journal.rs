//! The journal of earlier runs: a file with a line for each test that ended, so that an interrupted run can be resumed.
//!
//! A line is valid for the version of Quadrille that wrote it, as long as the files that the test depends on are
//! unchanged: the test itself, shaders, data and goldens. Lines are appended as a whole; a truncated line is ignored.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use quadrille::files::{self, Folders};
use serde::{Deserialize, Serialize};

use crate::outcome::Report;

/// A line of the file. Lines of other forms and versions are ignored.
#[derive(Serialize, Deserialize)]
struct Line {
    /// Version that ran the test.
    quadrille: String,
    #[serde(flatten)]
    report: Report,
}

/// The version that runs tests.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The file, with its previous contents.
#[derive(Debug)]
pub struct Journal {
    file: File,
    before: HashMap<String, Report>,
}

impl Journal {
    /// Opens the file, or creates it.
    pub fn open(path: &Path) -> std::io::Result<Journal> {
        let text = match files::given(path, files::MAX_DATA_BYTES) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(e),
        };
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
        let reports = lines.filter(|line| line.quadrille == VERSION).map(|line| line.report);
        // If a test has several lines, the last one counts.
        let before = reports.map(|report| (report.name.clone(), report)).collect();
        Ok(Journal { file, before })
    }

    /// The report of a test that ended in an earlier run and whose files are unchanged.
    pub(crate) fn earlier(&self, name: &str, hashes: &Hashes) -> Option<Report> {
        let report = self.before.get(name)?;
        let same = |(path, hash): &(String, Option<u64>)| hashes.of(path) == *hash;
        (!report.made_of.is_empty() && report.made_of.iter().all(same))
            .then(|| Report { resumed: true, ..report.clone() })
    }

    /// Appends a line.
    pub(crate) fn add(&mut self, report: &Report) -> std::io::Result<()> {
        let line = Line { quadrille: VERSION.to_owned(), report: report.clone() };
        let mut line = serde_json::to_vec(&line).map_err(std::io::Error::other)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}

/// Hashes of file contents; each file is read once.
#[derive(Debug, Default)]
pub(crate) struct Hashes(Mutex<BTreeMap<String, Option<u64>>>);

impl Hashes {
    /// The hash of a file; `None` if it cannot be read.
    pub fn of(&self, path: &str) -> Option<u64> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(path.to_owned()).or_insert_with(|| read(path).map(|bytes| hash(&bytes)))
    }
}

/// Reads a file that a test depends on, in any folder, because only its hash is used. A special file counts as missing.
fn read(path: &str) -> Option<Vec<u8>> {
    Folders::of_file(path).read(path, files::MAX_DATA_BYTES).ok()
}

/// FNV-1a, the same on every machine.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;

    #[test]
    fn lines_of_other_versions_are_ignored() {
        let folder = std::env::temp_dir().join(format!("quadrille-journal-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (path, shader) = (folder.join("journal"), folder.join("shader"));
        std::fs::write(&shader, "a").unwrap();
        let report = Report {
            name: "t".into(),
            file: "t".into(),
            outcome: Outcome::Passed,
            seconds: 1.0,
            printed: Vec::new(),
            resumed: false,
            made_of: vec![(shader.to_str().unwrap().to_owned(), Some(hash(b"a"))), ("no/file".into(), None)],
        };
        Journal::open(&path).unwrap().add(&report).unwrap();
        let known = || Journal::open(&path).unwrap().earlier("t", &Hashes::default());
        assert_eq!(known(), Some(Report { resumed: true, ..report.clone() }));
        let text = std::fs::read_to_string(&path).unwrap();
        for other in [text.replace(VERSION, "0.0.1"), serde_json::to_string(&report).unwrap()] {
            std::fs::write(&path, &other).unwrap();
            assert_eq!(known(), None, "{other}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn known_hashes() {
        // Test vectors of 64-bit FNV-1a from its authors.
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
