//! The folders that data may name files in (`quadrille::files`): those that the command line names itself, and those
//! that `--allow-path` adds.

use std::path::{Path, PathBuf};

use quadrille::files::{self, Folders, MAX_TEXT_BYTES};

use crate::report::{Failure, Result};

/// The option, of every subcommand that reads what may name files.
#[derive(Clone, clap::Args, Default)]
pub struct AllowArgs {
    /// Folder in which data may name files too, besides its own; again for more
    #[arg(long, value_name = "FOLDER")]
    allow_path: Vec<PathBuf>,
}

impl AllowArgs {
    /// Allows what the option names.
    pub fn apply(&self) -> Result<()> {
        let allow = |path: &PathBuf| {
            files::allow(path)
                .map_err(|e| Failure::file("read", path, &e).help("--allow-path takes a folder"))
        };
        self.allow_path.iter().try_for_each(allow)
    }
}

/// Allows a folder that the command line names, or the folder of a file. One that is not there has no files, and who
/// reads it says so.
pub fn named(path: &Path) {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let _ = files::allow(folder);
}

/// The text of a file that debug information names, if it is where files may be named.
pub fn source_text(name: &str) -> Option<String> {
    Folders::default().text(name, MAX_TEXT_BYTES).ok()
}
