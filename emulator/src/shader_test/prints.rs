//! Collects the output that shaders print while a test runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrille_jit::printf;

use crate::device::Device;

/// Largest number of lines kept for one run.
const MAX_LINES: usize = 1 << 16;

/// The first lines of a run, and the number of further ones.
#[derive(Debug, Default)]
struct Lines {
    kept: Vec<String>,
    others: u64,
}

impl Lines {
    fn add(&mut self, line: &str) {
        match self.kept.len() < MAX_LINES {
            true => self.kept.push(line.to_owned()),
            false => self.others += 1,
        }
    }

    /// Returns the lines sorted by invocation, then a line about those that were not kept, if there are any.
    fn sorted(mut self) -> Vec<String> {
        self.kept.sort_by_cached_key(|line| invocation(line));
        if self.others > 0 {
            self.kept.push(format!("and {} more lines; only the first {MAX_LINES} are kept", self.others));
        }
        self.kept
    }
}

/// Collects the lines printed on a device until it is dropped.
#[derive(Debug)]
pub struct Prints<'a> {
    device: &'a Device,
    lines: Arc<Mutex<Lines>>,
}

impl<'a> Prints<'a> {
    /// Starts to collect; `None` if the device already has a print sink. If `passes_on` is true, lines also go to the
    /// process's print output.
    pub fn collect(device: &'a Device, passes_on: bool) -> Option<Self> {
        if device.print_sink().is_some() {
            return None;
        }
        let lines = Arc::new(Mutex::new(Lines::default()));
        let to = lines.clone();
        device.set_print_sink(Some(Arc::new(move |line: &str| {
            let mut lines = lock(&to);
            lines.add(line);
            if passes_on {
                printf::print_of_process(line);
            }
        })));
        Some(Prints { device, lines })
    }

    /// Returns the lines sorted by invocation, so that every run gives the same order; lines of one invocation keep
    /// theirs. Only the first 65,536 lines are kept; if there were more, another line at the end says how many.
    pub fn lines(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.lines)).sorted()
    }
}

fn lock(lines: &Mutex<Lines>) -> MutexGuard<'_, Lines> {
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

    #[test]
    fn lines_that_are_not_kept_are_counted() {
        let of = |count: usize| {
            let mut lines = Lines::default();
            (0..count).for_each(|i| lines.add(&format!("[{i}, 0, 0]")));
            lines.sorted()
        };
        assert_eq!(of(MAX_LINES).len(), MAX_LINES);
        let more = of(MAX_LINES + 3);
        assert_eq!(more.len(), MAX_LINES + 1);
        assert_eq!(more[MAX_LINES], "and 3 more lines; only the first 65536 are kept");
    }
}
