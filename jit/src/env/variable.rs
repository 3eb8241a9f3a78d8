//! Environment variables as typed rows, and the functions that read values. Leaves the rows to the modules beside it.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// A variable whose values are of type `T`.
#[derive(Debug)]
pub struct Variable<T: 'static> {
    /// Name, with the prefix.
    pub name: &'static str,
    /// Accepted values.
    pub values: &'static str,
    /// Effect, and the default if the variable is not set.
    pub meaning: &'static str,
    /// Reads a value; `None` if it is invalid.
    pub(super) parse: fn(&str) -> Option<T>,
}

impl<T> Variable<T> {
    /// Returns the value in the environment, if it is valid.
    pub fn get(&self) -> Option<T> {
        raw(self.name).and_then(|v| (self.parse)(&v))
    }
}

/// A row of the tables: a variable with values of any type.
pub trait Row: Send + Sync {
    /// Name, with the prefix.
    fn name(&self) -> &'static str;
    /// Accepted values.
    fn values(&self) -> &'static str;
    /// Effect, and the default if the variable is not set.
    fn meaning(&self) -> &'static str;
    /// Returns true if a value is valid.
    fn accepts(&self, value: &str) -> bool;

    /// Returns the text of the value in the environment, if it is valid.
    fn text(&self) -> Option<String> {
        raw(self.name()).filter(|v| self.accepts(v))
    }
}

impl<T> Row for Variable<T> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn values(&self) -> &'static str {
        self.values
    }
    fn meaning(&self) -> &'static str {
        self.meaning
    }
    fn accepts(&self, value: &str) -> bool {
        (self.parse)(value).is_some()
    }
}

/// Text of a variable in the environment, unless it is empty.
pub fn raw(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|v| v.trim().to_string()).filter(|v| !v.is_empty())
}

pub fn choice<T: Clone>(v: &str, all: &[(&str, T)]) -> Option<T> {
    all.iter().find(|(name, _)| *name == v).map(|(_, value)| value.clone())
}

pub fn flag(v: &str) -> Option<bool> {
    choice(v, &[("0", false), ("1", true)])
}

pub fn number<N: FromStr>(v: &str) -> Option<N> {
    v.parse().ok()
}

pub fn seconds(v: &str) -> Option<Duration> {
    v.parse().ok().map(Duration::from_secs)
}

pub fn path(v: &str) -> Option<PathBuf> {
    Some(v.into())
}

pub fn text(v: &str) -> Option<String> {
    Some(v.into())
}

/// Parses two numbers separated by `between`.
pub fn pair(v: &str, between: &str) -> Option<(u64, u64)> {
    let (a, b) = v.split_once(between)?;
    Some((a.parse().ok()?, b.parse().ok()?))
}
