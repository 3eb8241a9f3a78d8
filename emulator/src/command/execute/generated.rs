//! Lists that commands generate when they run: short ones are kept as if a program had recorded them, long ones run part
//! by part. How sequences become commands is in `command/generated.rs`.

use quadrille_raster::Watched;

use super::super::generated::{BATCH, Lists};
use super::super::list::{Maker, Recorded};
use super::super::render::Scope;
use super::super::resources::check_budget;
use super::Executor;
use crate::error::Result;

/// Commands of generated lists that a list keeps while it runs.
const KEPT: usize = 4 * BATCH as usize;

impl<'l> Executor<'_, 'l> {
    /// A list that a command generates, if it is short. Long ones are run, part by part, so that what is kept is no more
    /// than a program recorded and a little. Those who look at every command see the whole of it.
    pub(super) fn generate(&mut self, list: &'l Recorded, maker: &dyn Maker) -> Result<Option<&'l Recorded>> {
        let is_seen = self.tracer.is_some() || self.explicit.is_some();
        let most = if is_seen { u32::MAX } else { BATCH };
        let (mut made, mut next) = maker.make(self.device, list, 0, most)?;
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
            (made, next) = maker.make(self.device, list, first, most)?;
        }
    }

    /// Runs a list that need not be there afterwards: nothing that waits for the end of its scope is of it.
    fn run_apart(&mut self, list: &Recorded) -> Result<()> {
        let (info, nothing) = (self.scope.as_ref().map(Scope::info), Lists::default());
        let mut inner = Executor {
            device: self.device,
            generated: &nothing,
            kept: 0,
            tracer: None,
            scope: self.scope.take(),
            occlusion: self.occlusion.take(),
            counting: std::mem::take(&mut self.counting),
            work: self.work,
            feedback: self.feedback.clone(),
            capturing: None,
            skips: false,
            ordered: self.ordered,
            explicit: None,
        };
        let done = inner.run(list).and_then(|()| inner.flush_scope());
        self.scope = inner.scope.zip(info).map(|(scope, info)| scope.carried(info));
        self.occlusion = inner.occlusion;
        self.counting = inner.counting;
        self.work = inner.work;
        self.ordered = inner.ordered;
        done
    }
}
