//! Collects the output that shaders print while a test runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrille_jit::printf;

use crate::device::Device;

/// Largest number of lines kept for one run.
const MAX_LINES: usize = 1 << 16;

/// Collects the lines printed on a device until it is dropped.
#[derive(Debug)]
pub struct Prints<'a> {
    device: &'a Device,
    lines: Arc<Mutex<Vec<String>>>,
}

impl<'a> Prints<'a> {
    /// Starts to collect; `None` if the device already has a print sink. If `passes_on` is true, lines also go to the
    /// process's print output.
    pub fn collect(device: &'a Device, passes_on: bool) -> Option<Self> {
        if device.print_sink().is_some() {
            return None;
        }
        let lines = Arc::new(Mutex::new(Vec::new()));
        let to = lines.clone();
        device.set_print_sink(Some(Arc::new(move |line: &str| {
            let mut lines = lock(&to);
            if lines.len() < MAX_LINES {
                lines.push(line.to_owned());
            }
            if passes_on {
                printf::print_of_process(line);
            }
        })));
        Some(Prints { device, lines })
    }

    /// Returns the lines sorted by invocation, so that every run gives the same order; lines of one invocation keep
    /// theirs.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = std::mem::take(&mut *lock(&self.lines));
        lines.sort_by_cached_key(|line| invocation(line));
        lines
    }
}

fn lock(lines: &Mutex<Vec<String>>) -> MutexGuard<'_, Vec<String>> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Prints<'_> {
    fn drop(&mut self) {
        self.device.set_print_sink(None);
    }
}

/// Parses the numbers in the brackets at the start of a line, last one first, which is the order of the grid.
fn invocation(line: &str) -> Vec<u64> {
    let inside =
        line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or("", |(inside, _)| inside);
    let numbers = inside.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok());
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.reverse();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_the_order_of_the_grid() {
        let mut lines = ["[1, 1, 0] a", "[10, 0, 0] b", "[2, 0, 0] c", "[2, 0, 0] b"];
        lines.sort_by_cached_key(|l| invocation(l));
        assert_eq!(lines, ["[2, 0, 0] c", "[2, 0, 0] b", "[10, 0, 0] b", "[1, 1, 0] a"]);
    }
}
