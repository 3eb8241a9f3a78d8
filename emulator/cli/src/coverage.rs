//! The options by which subcommands say what of the shaders' sources has run.

use std::path::PathBuf;

use quadrille::coverage::{self, html};

use crate::allow::source_text;
use crate::report::{Failure, Result};

/// The options.
#[derive(Clone, clap::Args, Default)]
pub struct CoverageArgs {
    /// Add lines, functions and branches of shaders that run to a tracefile of LCOV; shaders are interpreted
    #[arg(long, value_name = "FILE")]
    coverage: Option<PathBuf>,

    /// Write a page with the sources and what of them has run, of all that is in the tracefile
    #[arg(long, value_name = "FILE", requires = "coverage")]
    coverage_html: Option<PathBuf>,
}

impl CoverageArgs {
    /// Counts from now on, if it is asked for; no device has been made yet.
    pub fn begin(&self) -> Result<()> {
        match &self.coverage {
            Some(file) if !coverage::collect(file) => {
                Err(Failure::new("--coverage: a device has been made already"))
            }
            _ => Ok(()),
        }
    }

    /// Writes what was counted, also of work that failed: that failure comes first.
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
