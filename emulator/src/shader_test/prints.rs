//! What shaders print while a test runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrille_jit::printf;

use crate::device::Device;

/// Lines that are kept of one run.
const MAX_LINES: usize = 1 << 16;

/// Collects what is printed on a device, until it is dropped.
#[derive(Debug)]
pub struct Prints<'a> {
    device: &'a Device,
    lines: Arc<Mutex<Vec<String>>>,
}

impl<'a> Prints<'a> {
    /// Begins to collect; `None` if the device prints elsewhere already. Lines go on to where the process has them if
    /// `passes_on`.
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

    /// The lines by invocation, those of one in their order: the same in every run.
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

/// The numbers in the brackets that a line begins with, the last one first: the order of the grid.
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
