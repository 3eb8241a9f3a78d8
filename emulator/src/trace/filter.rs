//! Selects events by directives in the syntax of RUST_LOG.

use std::str::FromStr;

use tracing::Level;
use tracing::level_filters::LevelFilter;

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
/// assert!(filter.enabled("draw", Level::DEBUG) && filter.enabled("dispatch", Level::INFO));
/// assert!(!filter.enabled("dispatch", Level::DEBUG) && !filter.enabled("barrier", Level::ERROR));
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFilter {
    all: LevelFilter,
    targets: Vec<(&'static str, LevelFilter)>,
}

impl Default for TraceFilter {
    /// All targets at level info.
    fn default() -> Self {
        TraceFilter { all: LevelFilter::INFO, targets: Vec::new() }
    }
}

impl TraceFilter {
    /// True if events of this target and level are enabled.
    pub fn enabled(&self, target: &str, level: Level) -> bool {
        let own = self.targets.iter().rev().find(|(name, _)| *name == target);
        level <= own.map_or(self.all, |(_, own)| *own)
    }
}

impl FromStr for TraceFilter {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut filter = TraceFilter { all: LevelFilter::OFF, targets: Vec::new() };
        let level = |text: &str| {
            let known = text.parse::<LevelFilter>().ok().filter(|_| !text.is_empty());
            known.ok_or_else(|| {
                Error::invalid(format!("`{text}` is not a trace level: off, error, warn, info, debug, trace"))
            })
        };
        for directive in text.split(',').map(str::trim).filter(|d| !d.is_empty()) {
            let (name, value) = directive.split_once('=').map_or((directive, None), |(n, v)| (n, Some(v)));
            let target = TARGETS.iter().find(|(target, _)| *target == name).map(|(target, _)| *target);
            match (target, value) {
                (Some(target), Some(value)) => filter.targets.push((target, level(value.trim())?)),
                (Some(target), None) => filter.targets.push((target, LevelFilter::TRACE)),
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
        assert!(only.enabled("draw", Level::TRACE) && !only.enabled("pass", Level::ERROR));
        // A later directive overrides an earlier one; spaces are ignored.
        let last = filter("draw=debug, warn ,draw=off");
        assert!(!last.enabled("draw", Level::ERROR) && last.enabled("pass", Level::WARN));
        assert!(!filter("").enabled("pass", Level::ERROR));
        for wrong in ["drawing", "draw=loud", "paint=info", "draw="] {
            let error = wrong.parse::<TraceFilter>().unwrap_err().to_string();
            assert!(
                error.contains("not a trace level") || error.contains("not a trace target"),
                "{wrong}: {error}"
            );
        }
    }
}
