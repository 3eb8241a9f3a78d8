//! Repetition of work, for commands that measure its time.

use std::time::{Duration, Instant};

use crate::report::Result;

/// Does the work at least once, and repeats it until `time` has passed.
pub fn for_a_while(time: Duration, mut work: impl FnMut() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    loop {
        work()?;
        if start.elapsed() >= time {
            return Ok(());
        }
    }
}
