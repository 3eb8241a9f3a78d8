//! Reads the files that a script names, from the script's folder or the one in the options (`quadrille::files`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use quadrille::files::{Folders, MAX_DATA_BYTES};

use crate::outcome::Options;
use crate::script::Script;

/// Files of a script.
#[derive(Clone, Debug)]
pub struct Files {
    folder: PathBuf,
    /// Files that were requested, whether they exist or not.
    asked: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl Files {
    /// Creates the files of a script.
    pub fn new(script: &Script, options: &Options) -> Self {
        let beside = || Path::new(&*script.file).parent().map(Path::to_path_buf).unwrap_or_default();
        Files { folder: options.folder.clone().unwrap_or_else(beside), asked: Arc::default() }
    }

    /// Returns the path of a file and records the request.
    pub fn path(&self, name: &str) -> PathBuf {
        let path = self.folder.join(name);
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
        path
    }

    /// Returns the files requested so far.
    pub fn asked(&self) -> BTreeSet<PathBuf> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.path(name);
        let within = Folders::new([self.folder.as_path()]);
        within.read(&path, MAX_DATA_BYTES).map_err(|e| format!("cannot read {}: {e}", path.display()))
    }
}
