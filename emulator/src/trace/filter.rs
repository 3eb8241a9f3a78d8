//! Selects events by directives in the syntax of RUST_LOG.

use std::str::FromStr;

use super::level::Level;
use crate::error::{Error, Result};

/// Targets that directives can name, with descriptions of their events.
pub const TARGETS: &[(&str, &str)] = &[
    ("submit", "batches: command buffers, semaphores, fences; ends of frames"),
    ("commands", "command buffers as they run, secondary ones too"),
    ("label", "labels of the program (VK_EXT_debug_utils)"),
    ("pass", "render passes: attachments, what is loaded and stored, pictures at the end"),
    ("draw", "draws and clears within passes: pipeline; at level debug its state, descriptors, buffers"),
    ("dispatch", "dispatches: pipeline, workgroups; at level debug descriptors"),
    ("barrier", "barriers: stages, accesses, layouts"),
    ("transfer", "copies, fills, blits, resolves, clears"),
    ("query", "queries and timestamps"),
    ("sync", "events, conditional rendering, transform feedback"),
];

/// Selection of events by directives, separated by commas. A directive is a level for all targets or `TARGET=LEVEL`.
/// Levels are off, error, warn, info, debug and trace; a target without a level enables all its events.
///
/// ```
/// use quadrille::trace::{Level, TraceFilter};
/// let filter: TraceFilter = "info,draw=debug,barrier=off".parse()?;
/// assert!(filter.enabled("draw", Level::Debug) && filter.enabled("dispatch", Level::Info));
/// assert!(!filter.enabled("dispatch", Level::Debug) && !filter.enabled("barrier", Level::Error));
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFilter {
    /// Highest level of targets that have no entry; `None` for no events.
    all: Option<Level>,
    targets: Vec<(&'static str, Option<Level>)>,
}

impl Default for TraceFilter {
    /// All targets at level info.
    fn default() -> Self {
        TraceFilter { all: Some(Level::Info), targets: Vec::new() }
    }
}

impl TraceFilter {
    /// True if events of this target and level are enabled.
    pub fn enabled(&self, target: &str, level: Level) -> bool {
        let own = self.targets.iter().rev().find(|(name, _)| *name == target);
        own.map_or(self.all, |(_, own)| *own).is_some_and(|most| level <= most)
    }
}

impl FromStr for TraceFilter {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut filter = TraceFilter { all: None, targets: Vec::new() };
        let level = |text: &str| {
            let is = |name: &str| text.eq_ignore_ascii_case(name);
            let known = Level::ALL.into_iter().find(|level| is(level.name())).map(Some);
            let known = known.or_else(|| is("off").then_some(None));
            known.ok_or_else(|| {
                Error::invalid(format!("`{text}` is not a trace level: off, error, warn, info, debug, trace"))
            })
        };
        for directive in text.split(',').map(str::trim).filter(|d| !d.is_empty()) {
            let (name, value) = directive.split_once('=').map_or((directive, None), |(n, v)| (n, Some(v)));
            let target = TARGETS.iter().find(|(target, _)| *target == name).map(|(target, _)| *target);
            match (target, value) {
                (Some(target), Some(value)) => filter.targets.push((target, level(value.trim())?)),
                (Some(target), None) => filter.targets.push((target, Some(Level::Trace))),
                (None, None) => filter.all = level(name)?,
                (None, Some(_)) => {
                    let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
                    let names = names.join(", ");
                    return Err(Error::invalid(format!("`{name}` is not a trace target: {names}")));
                }
            }
        }
        Ok(filter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_those_of_rust_log() {
        let filter = |text: &str| text.parse::<TraceFilter>().unwrap();
        assert_eq!(filter("info"), TraceFilter::default());
        let only = filter("draw");
        assert!(only.enabled("draw", Level::Trace) && !only.enabled("pass", Level::Error));
        // A later directive overrides an earlier one; spaces are ignored.
        let last = filter("draw=debug, warn ,draw=off");
        assert!(!last.enabled("draw", Level::Error) && last.enabled("pass", Level::Warn));
        assert!(!filter("").enabled("pass", Level::Error));
        for wrong in ["drawing", "draw=loud", "paint=info", "draw="] {
            let error = wrong.parse::<TraceFilter>().unwrap_err().to_string();
            assert!(
                error.contains("not a trace level") || error.contains("not a trace target"),
                "{wrong}: {error}"
            );
        }
    }
}
