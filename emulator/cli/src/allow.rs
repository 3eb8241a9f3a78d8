//! The folders in which data may name files (`quadrille::files`): folders on the command line itself, and those that
//! `--allow-path` adds.

use std::path::{Path, PathBuf};

use quadrille::files;

use crate::report::{Failure, Result};

/// The option of every subcommand that reads files in which data may name other files.
#[derive(Clone, clap::Args, Default)]
pub struct AllowArgs {
    /// Folder in which sources, scenes and tests may name files, beside their own folder; repeatable
    #[arg(long, value_name = "FOLDER")]
    allow_path: Vec<PathBuf>,
}

impl AllowArgs {
    /// Allows the folders of the option.
    pub fn apply(&self) -> Result<()> {
        let allow = |path: &PathBuf| match files::allow(path) {
            Ok(()) if path.is_dir() => Ok(()),
            Ok(()) => Err(Failure::usage(format!("--allow-path {}: this is not a folder", path.display()))),
            Err(e) => Err(Failure::file("read", path, &e).help("--allow-path takes a folder").of_usage()),
        };
        self.allow_path.iter().try_for_each(allow)
    }
}

/// Allows the folders of `-I`, which must exist: a misspelled one would only show as a file that is not found.
pub fn included(folders: &[PathBuf]) -> Result<()> {
    if let Some(missing) = folders.iter().find(|folder| !folder.is_dir()) {
        let why = if missing.exists() { "this is not a folder" } else { "there is no such folder" };
        return Err(Failure::usage(format!("-I {}: {why}", missing.display())));
    }
    folders.iter().for_each(|folder| named(folder));
    Ok(())
}

/// Allows a folder that the command line names, or the folder of a file. A missing folder has no files; the code that
/// reads from it reports that.
pub fn named(path: &Path) {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let _ = files::allow(folder);
}
