//! Work that is done again and again, for those who look at where its time goes.

use std::time::{Duration, Instant};

use crate::report::Result;

/// Does the work at least once, and until so much time has passed.
pub fn for_a_while(time: Duration, mut work: impl FnMut() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    loop {
        work()?;
        if start.elapsed() >= time {
            return Ok(());
        }
    }
}
