//! Files that a script names: beside it, or where the options say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::outcome::Options;
use crate::script::Script;

/// A file may have so many bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Where files are.
#[derive(Clone, Debug)]
pub struct Files {
    folder: PathBuf,
    /// Those that were asked for, whether they are there or not.
    asked: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl Files {
    /// Those of a script.
    pub fn new(script: &Script, options: &Options) -> Self {
        let beside = || Path::new(&*script.file).parent().map(Path::to_path_buf).unwrap_or_default();
        Files { folder: options.folder.clone().unwrap_or_else(beside), asked: Arc::default() }
    }

    /// Where a file is, which is asked for.
    pub fn path(&self, name: &str) -> PathBuf {
        let path = self.folder.join(name);
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
        path
    }

    /// Files that were asked for so far.
    pub fn asked(&self) -> BTreeSet<PathBuf> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What a file holds.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.path(name);
        match std::fs::metadata(&path) {
            Ok(m) if !m.is_file() => return Err(format!("{} is not a file", path.display())),
            Ok(m) if m.len() > MAX_BYTES => return Err(format!("{} is too large", path.display())),
            _ => {}
        }
        std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
    }
}
