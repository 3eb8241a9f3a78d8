//! Files that a script names: beside it, or where the options say (`quadrille::files`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use quadrille::files::{Folders, MAX_DATA_BYTES};

use crate::outcome::Options;
use crate::script::Script;

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
        let within = Folders::new([self.folder.as_path()]);
        within.read(&path, MAX_DATA_BYTES).map_err(|e| format!("cannot read {}: {e}", path.display()))
    }
}
