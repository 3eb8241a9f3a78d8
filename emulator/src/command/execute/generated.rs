//! Execution of lists that commands generate when they run: keeps a short list as if the program had recorded it, and
//! runs a long one in parts. `command/generated.rs` turns sequences into commands.

use quadrille_raster::Watched;
use smallvec::SmallVec;

use super::super::effects::Captured;
use super::super::generated::{BATCH, Lists};
use super::super::list::{CommandList, Maker};
use super::super::observe::Observers;
use super::super::render::Scope;
use super::super::resources::check_budget;
use super::Executor;
use crate::error::Result;

/// Maximum number of commands in the generated lists that a list keeps while it runs.
const KEPT: usize = 4 * BATCH as usize;

impl<'d: 'l, 'l> Executor<'d, 'l> {
    /// Returns the list that a command generates, if it is short. A long list runs here, in parts, which bounds the
    /// memory for generated commands. If an observer looks at every command, the list is always returned whole.
    pub(super) fn generate(
        &mut self,
        list: &'l CommandList,
        maker: &dyn Maker,
    ) -> Result<Option<&'l CommandList>> {
        let is_seen = self.observers.each_command;
        let most = if is_seen { u32::MAX } else { BATCH };
        let scope = self.scope.as_ref().map(Scope::info);
        let (mut made, mut next) = maker.make(self.device, list, scope, 0, most)?;
        let kept = self.kept + made.commands.len();
        if is_seen || (next.is_none() && kept <= KEPT) {
            self.kept = kept;
            let (made, place) = self.generated.keep(made);
            self.generated = place;
            return Ok(Some(made));
        }
        let watched = Watched::begin(self.device.budget())?;
        loop {
            self.run_apart(&made)?;
            check_budget(self.device, &watched, "execute_generated_commands")?;
            let Some(first) = next else { return Ok(None) };
            (made, next) = maker.make(self.device, list, scope, first, most)?;
        }
    }

    /// Runs a list that the caller may drop afterwards: the flush at the end leaves no deferred work that points to it.
    fn run_apart(&mut self, list: &CommandList) -> Result<()> {
        let (info, nothing) = (self.scope.as_ref().map(Scope::info), Lists::default());
        let mut inner = Executor {
            device: self.device,
            generated: &nothing,
            kept: 0,
            observers: Observers::without_order(self.device),
            scope: self.scope.take(),
            queries: std::mem::take(&mut self.queries),
            feedback: self.feedback.clone(),
            capturing: SmallVec::new(),
            captured: Captured::default(),
            skips: false,
            ordered: self.ordered,
        };
        let done = inner.run(list).and_then(|()| inner.flush_scope());
        self.scope = inner.scope.zip(info).map(|(scope, info)| scope.carried(info));
        self.queries = inner.queries;
        self.ordered = inner.ordered;
        done
    }
}
