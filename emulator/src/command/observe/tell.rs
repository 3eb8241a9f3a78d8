//! The recipient of reports about the order of commands, and the names of objects in these reports.

use std::sync::Arc;

use super::super::list::CommandList;
use crate::object::Shared;
use crate::object::names::Names;
use crate::observation::watching::Watching;

/// Recipient and context of reports about a list.
pub(super) struct Tell<'a> {
    /// The watcher.
    pub watch: &'a Watching,
    /// The names of objects.
    pub names: Option<&'a Names>,
    /// The list.
    pub list: &'a CommandList,
}

impl Tell<'_> {
    /// The name of an object.
    pub fn name(&self, object: &impl Shared) -> Arc<str> {
        self.names.map_or_else(|| "".into(), |names| names.of(object).into())
    }
}
