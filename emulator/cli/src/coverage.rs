//! The options with which subcommands report the executed lines of shader sources.

use std::path::{Path, PathBuf};

use quadrille::Watching;
use quadrille::coverage::{Counting, html};

use crate::report::{Failure, Result};
use crate::sources::source_text;

/// The options.
#[derive(Clone, clap::Args, Default)]
pub struct CoverageArgs {
    /// Add the lines, functions and branches of shaders that ran to an LCOV tracefile; shaders are interpreted
    #[arg(long, value_name = "FILE")]
    coverage: Option<PathBuf>,

    /// Write a page with the sources and their coverage, from everything in the tracefile
    #[arg(long, value_name = "FILE", requires = "coverage")]
    coverage_html: Option<PathBuf>,
}

impl CoverageArgs {
    /// True if coverage is requested.
    pub fn is_requested(&self) -> bool {
        self.coverage.is_some()
    }

    /// Works with the watcher that counts, if coverage is requested. Writes the counts even if the work fails, whose
    /// failure takes precedence.
    pub fn counted<T>(&self, work: impl FnOnce(Option<Watching>) -> Result<T>) -> Result<T> {
        let Some(file) = &self.coverage else { return work(None) };
        let counting = Counting::new(file.clone());
        // A file that cannot take the counts is refused before the work.
        self.write(&counting, file)?;
        let done = work(Some(counting.watching()));
        let written = self.write(&counting, file);
        let done = done?;
        written.map(|()| done)
    }

    fn write(&self, counting: &Counting, file: &Path) -> Result<()> {
        let all = counting.write().map_err(|e| Failure::file("add coverage to", file, &e))?;
        let Some(page) = &self.coverage_html else { return Ok(()) };
        let text = html::page(&all, source_text);
        quadrille::files::replace(page, text.as_bytes()).map_err(|e| Failure::file("write", page, &e))
    }
}
