//! Aliased pages: after each command all copies of a page hold the same bytes.
//!
//! Left to [`crate::memory::aliases`]: the pages and their copies. Draws write them at the end of their scope.

use super::super::effects::At;
use super::Observer;
use crate::device::Device;
use crate::error::{Error, Result};

pub(super) struct Aliasing<'d>(pub &'d Device);

impl<'l> Observer<'l> for Aliasing<'_> {
    fn done(&mut self, at: &At<'_, 'l>, error: Option<&Error>) -> Result<()> {
        match error.is_some() || at.command.waits_for_scope() {
            true => Ok(()),
            false => self.0.aliases().settle(),
        }
    }
}
