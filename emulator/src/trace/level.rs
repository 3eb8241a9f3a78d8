//! Levels of events.

/// Level of an event; an event of a lower level is more important.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Failures.
    Error,
    /// Events that are probably mistakes.
    Warn,
    /// Steps of a program.
    Info,
    /// State of the device at these events.
    Debug,
    /// Everything.
    Trace,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 5] = [Level::Error, Level::Warn, Level::Info, Level::Debug, Level::Trace];

    /// Name of the level, as in directives.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
            Level::Trace => "trace",
        }
    }
}
