//! Distribution of time in compiled shaders: samples of the processors while a device works.
//!
//! A device tells a [`Sampler`] the source places of its code, and when it works. Between [`Sampler::start`] and
//! [`Sampler::stop`], the process is interrupted whenever all its threads together have used some CPU time; the
//! interrupted instruction is a sample. A sample belongs to a line of a shader if it is in the shader's code, or in a
//! routine that this code has called. Otherwise it belongs to the kind of work that the thread has announced. Counts
//! vary from run to run, as samples do: the error of a share of n samples is about the square root of n.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use quadrille_jit::ir::debug::Debug;
use quadrille_jit::placed::{Caller, PlacedCode, Placing};

use crate::lined;
use crate::names::Names;
use crate::sample::Sample;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
use crate::signal;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
use crate::signal_none as signal;

/// Samples of a stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageTime {
    /// Number of all samples.
    pub samples: u64,
    /// Samples by file and line; line 0 of the empty file name has the samples without a line.
    pub lines: BTreeMap<(String, u32), u64>,
}

/// Distribution of time while a device worked, in numbers of samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Samples in shaders, by stage.
    pub stages: BTreeMap<&'static str, StageTime>,
    /// Other samples, by kind of work.
    pub work: BTreeMap<&'static str, u64>,
    /// Samples that were dropped for lack of space.
    pub dropped: u64,
}

/// The parts of [`Times`] in numbers.
#[cfg(feature = "json")]
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Summary<'a> {
    samples: u64,
    stages: BTreeMap<&'a str, u64>,
    work: &'a BTreeMap<&'static str, u64>,
    dropped: u64,
}

impl Times {
    /// Number of all samples.
    pub fn total(&self) -> u64 {
        self.stages.values().map(|s| s.samples).sum::<u64>() + self.work.values().sum::<u64>()
    }

    /// Samples on a line, in all stages.
    pub fn of_line(&self, file: &str, line: u32) -> u64 {
        let key = (file.to_owned(), line);
        self.stages.values().filter_map(|s| s.lines.get(&key)).sum()
    }

    /// Lines with samples.
    pub fn lines(&self) -> impl Iterator<Item = &(String, u32)> {
        self.stages.values().flat_map(|s| s.lines.keys())
    }

    #[cfg(feature = "json")]
    pub(crate) fn summary(&self) -> Summary<'_> {
        Summary {
            samples: self.total(),
            stages: self.stages.iter().map(|(name, s)| (*name, s.samples)).collect(),
            work: &self.work,
            dropped: self.dropped,
        }
    }

    /// Formats `1234 samples of time: fragment shader 71.2 %, vertex shader 2.1 %, the rest 26.7 %`. Dropped samples are
    /// stated, because the others are then from the beginning.
    pub fn text(&self) -> String {
        let total = self.total();
        let part = |n: u64| format!("{:.1} %", 100.0 * n as f64 / total.max(1) as f64);
        let mut parts: Vec<String> =
            self.stages.iter().map(|(name, s)| format!("{name} shader {}", part(s.samples))).collect();
        parts.push(format!("the rest {}", part(self.work.values().sum())));
        let dropped = match self.dropped {
            0 => String::new(),
            n => format!(" (without the last {n})"),
        };
        format!("{total} samples of time{dropped}: {}", parts.join(", "))
    }
}

/// Samples the execution of a device.
pub struct Sampler {
    /// Names of the kinds of work, by number.
    names: &'static [&'static str],
    /// Code stays at its address while it is in this list.
    codes: Mutex<Vec<Arc<PlacedCode>>>,
}

impl std::fmt::Debug for Sampler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sampler")
    }
}

impl Placing for Sampler {
    fn placed(&self, code: &Arc<PlacedCode>) {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner).push(code.clone());
    }

    fn works(&self, begins: bool) {
        signal::works(begins);
    }
}

impl Sampler {
    /// Starts with names for the kinds of work; see [`quadrille_jit::placed::doing`].
    pub fn new(names: &'static [&'static str]) -> Sampler {
        Sampler { names, codes: Mutex::default() }
    }

    /// Starts sampling.
    ///
    /// # Errors
    /// The reason why sampling is not possible: another system than Linux, other processors than x86-64 and aarch64, or
    /// another active sampler.
    pub fn start(&self) -> Result<(), String> {
        signal::start()
    }

    /// Stops sampling and returns the distribution of time since the start.
    pub fn stop(&self) -> Times {
        let (samples, dropped) = signal::stop();
        let codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut times = Times { dropped: dropped as u64, ..Times::default() };
        let mut names = Names::default();
        codes.iter().for_each(|code| names.add(code.debug()));
        let mut sources = BTreeMap::new();
        for sample in samples {
            match place_of(&codes, sample) {
                Some((code, place)) => {
                    let stage = times.stages.entry(code.stage().name()).or_default();
                    stage.samples += 1;
                    let source = sources.entry(code.number()).or_insert_with(|| {
                        let debug = lined::lined(code.stage(), code.debug());
                        (names.of(&debug), debug)
                    });
                    *stage.lines.entry(line_of(source, place)).or_default() += 1;
                }
                None => {
                    let name = self.names.get(usize::from(sample.work)).unwrap_or(&"other work");
                    *times.work.entry(name).or_default() += 1;
                }
            }
        }
        times
    }
}

/// The shader of a sample, and the place in it.
fn place_of(codes: &[Arc<PlacedCode>], sample: Sample) -> Option<(&PlacedCode, u32)> {
    if let Some(code) = codes.iter().find(|c| c.addresses().contains(&sample.at)) {
        return Some((code, code.place(sample.at)));
    }
    let caller = Caller::of_word(sample.caller)?;
    codes.iter().find(|c| c.number() == caller.code).map(|code| (&**code, caller.place))
}

/// File and line of a place in a shader with these names of files.
fn line_of((names, debug): &(Vec<String>, Arc<Debug>), place: u32) -> (String, u32) {
    let place = debug.places.get(place as usize).filter(|p| p.line > 0);
    place.map_or((String::new(), 0), |p| (names.get(p.file as usize).cloned().unwrap_or_default(), p.line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_add_up() {
        let lines = |list: &[(u32, u64)]| list.iter().map(|(l, n)| (("a".to_owned(), *l), *n)).collect();
        let stages = [
            ("vertex", StageTime { samples: 10, lines: lines(&[(1, 4), (2, 6)]) }),
            ("fragment", StageTime { samples: 80, lines: lines(&[(2, 20), (3, 60)]) }),
        ];
        let work = [("merge", 7), ("waiting", 3)];
        let times = Times { stages: stages.into(), work: work.into(), dropped: 0 };
        assert_eq!(times.total(), 100);
        assert_eq!([1, 2, 3, 4].map(|l| times.of_line("a", l)), [4, 26, 60, 0]);
        assert_eq!(
            times.text(),
            "100 samples of time: fragment shader 80.0 %, vertex shader 10.0 %, the rest 10.0 %"
        );
        let full = Times { dropped: 7, ..times };
        assert!(full.text().starts_with("100 samples of time (without the last 7): fragment"));
    }
}
