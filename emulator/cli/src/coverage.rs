//! The options with which subcommands report the executed lines of shader sources.

use std::path::PathBuf;

use quadrille::coverage::{self, html};

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
    /// Starts counting, if requested; must precede the creation of any device.
    pub fn begin(&self) -> Result<()> {
        match &self.coverage {
            Some(file) if !coverage::collect(file) => {
                Err(Failure::new("--coverage: a device exists already"))
            }
            _ => Ok(()),
        }
    }

    /// Writes the counts, even if the work failed; the failure of the work takes precedence.
    pub fn end<T>(&self, done: Result<T>) -> Result<T> {
        let written = self.finish();
        let done = done?;
        written.map(|()| done)
    }

    fn finish(&self) -> Result<()> {
        let Some(file) = &self.coverage else { return Ok(()) };
        let all = coverage::write().map_err(|e| Failure::file("write", file, &e))?;
        let (Some(page), Some(all)) = (&self.coverage_html, all) else { return Ok(()) };
        let text = html::page(&all, source_text);
        quadrille::files::replace(page, text.as_bytes()).map_err(|e| Failure::file("write", page, &e))
    }
}
