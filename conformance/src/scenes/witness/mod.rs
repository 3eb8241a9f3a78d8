//! Second witnesses of the goldens: an opinion on each picture that is not ours.
//!
//! Other drivers are the witnesses of most scenes. `goldens/witnesses.txt` has their figures, each with the
//! fingerprint of the golden that was compared, so that a new golden needs new figures;
//! `quadrille-conformance scenes --icd DRIVER.json --record` measures them. A driver that is within one step of 255
//! at every pixel is sufficient. [`EXCEPTIONS`] has a row for every other scene: a formula in `f64`
//! (`samples`, `colours`, on the triangles of `plain` and the values of `formats`), a driver with a larger tolerance and the reason for it, or the
//! reason why there is no witness. [`ELSEWHERE`] has the pictures that are not scenes. `tests/witnesses.rs` holds all
//! of this; `tests/determinism.rs` also compares the scenes with the interpreter.

mod colours;
mod exceptions;
mod formats;
mod plain;
mod samples;

use super::{Difference, compare, goldens};
pub use colours::ring;
pub use exceptions::{ELSEWHERE, EXCEPTIONS};
use plain::Range;

/// Bounds of the four components of each pixel, from 0 to 1.
pub type Expected = Vec<[Range; 4]>;

/// The second witness of a scene that no driver draws within one step everywhere.
pub enum Witness {
    /// The definition of the scene, computed in `f64`: every component is within one step of its bounds.
    Formula(fn() -> Expected),
    /// Another driver: largest difference away from edges, number of pixels at edges that differ by more than one
    /// step, and the reason.
    Driver(u8, usize, &'static str),
    /// No witness, and the reason.
    Missing(&'static str),
}

/// The second witness of a picture that is not a scene.
pub enum Elsewhere {
    /// Another program drew the picture.
    Foreign(&'static str),
    /// The definition of the picture, computed in `f64`.
    Formula(fn() -> Expected),
    /// The interpreter makes the same picture, by a test: its file and its function.
    Interpreter(&'static str, &'static str),
    /// No test expects this picture, or there is no witness, and the reason.
    Missing(&'static str),
}

/// A driver's difference from a golden.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Name of the golden.
    pub picture: String,
    /// Fingerprint of the golden's bytes.
    pub fingerprint: u64,
    /// Name of the driver.
    pub driver: String,
    /// Number of equal pixels, if recorded.
    pub exact: Option<usize>,
    /// Largest difference of a component, away from edges.
    pub largest: u8,
    /// Mean difference of a component, away from edges, if recorded.
    pub mean: Option<f64>,
    /// Number of pixels at edges that differ by more than one step.
    pub at_edges: usize,
}

impl Figure {
    /// The figure of a driver's picture.
    pub fn new(picture: &str, golden: &[u8], driver: &str, theirs: &[u8]) -> Figure {
        let Difference { exact, largest, mean, at_edges } = compare(golden, theirs);
        Figure {
            picture: picture.to_owned(),
            fingerprint: fingerprint(golden),
            driver: driver.to_owned(),
            exact: Some(exact),
            largest,
            mean: Some(mean),
            at_edges,
        }
    }

    fn parse(line: &str) -> Option<Figure> {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [picture, fingerprint, driver, exact, largest, mean, edges] = cells[..] else { return None };
        Some(Figure {
            picture: picture.to_owned(),
            fingerprint: u64::from_str_radix(fingerprint, 16).ok()?,
            driver: driver.to_owned(),
            exact: if exact == NOT_RECORDED { None } else { Some(exact.parse().ok()?) },
            largest: largest.parse().ok()?,
            mean: if mean == NOT_RECORDED { None } else { Some(mean.parse().ok()?) },
            at_edges: edges.parse().ok()?,
        })
    }

    /// The row of the figure.
    pub fn line(&self) -> String {
        let Figure { picture, fingerprint, driver, largest, at_edges, .. } = self;
        let exact = self.exact.map_or(NOT_RECORDED.to_owned(), |n| n.to_string());
        let mean = self.mean.map_or(NOT_RECORDED.to_owned(), |mean| format!("{mean:.3}"));
        format!("{picture} | {fingerprint:016x} | {driver} | {exact} | {largest} | {mean} | {at_edges}\n")
    }
}

/// Cell of a number that was not recorded.
const NOT_RECORDED: &str = "-";

/// FNV-1a of the bytes of a picture.
pub fn fingerprint(pixels: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    pixels.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Head of the file of figures.
const HEAD: &str = "# Differences of other drivers from the goldens. `quadrille-conformance scenes --icd DRIVER.json --record`
# writes the rows of the drivers that it measures. conformance/SCENES.md explains the columns.
# golden | fingerprint of the golden | driver | exact | largest | mean | edges (-: not recorded)
";

/// Reads the figures of other drivers.
///
/// # Errors
/// The file cannot be read, or a line is not a figure.
pub fn figures() -> Result<Vec<Figure>, String> {
    let path = goldens().join("witnesses.txt");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| Figure::parse(line).ok_or_else(|| format!("{}: `{line}`", path.display()))).collect()
}

/// Replaces the old figures of the same drivers and pictures with new ones.
///
/// # Errors
/// The file cannot be read or written.
pub fn record(new: Vec<Figure>) -> Result<(), String> {
    let replaced = |old: &Figure| new.iter().any(|n| (&n.picture, &n.driver) == (&old.picture, &old.driver));
    let mut all: Vec<Figure> = figures()?.into_iter().filter(|old| !replaced(old)).collect();
    all.extend(new);
    all.sort_by(|a, b| (&a.picture, &a.driver).cmp(&(&b.picture, &b.driver)));
    let text: String = std::iter::once(HEAD.to_owned()).chain(all.iter().map(Figure::line)).collect();
    let path = goldens().join("witnesses.txt");
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Number of pixels with a component that is more than one step outside of its bounds, and the first of them. A picture of
/// another size counts as one.
pub fn outside(pixels: &[u8], expected: &[[Range; 4]]) -> (usize, Option<String>) {
    let wrong = |(pixel, bounds): &(&[u8], &[Range; 4])| {
        let off = |(&byte, &[low, high]): (&u8, &Range)| {
            let byte = f64::from(byte);
            !(byte >= low * 255.0 - 1.0 && byte <= high * 255.0 + 1.0)
        };
        pixel.iter().zip(bounds.iter()).any(off)
    };
    if pixels.len() != 4 * expected.len() {
        return (1, Some(format!("{} bytes, expected {} pixels", pixels.len(), expected.len())));
    }
    let pixels = pixels.chunks_exact(4);
    let all: Vec<_> = pixels.zip(expected).enumerate().filter(|(_, pair)| wrong(pair)).collect();
    let first = all.first().map(|(i, (pixel, bounds))| {
        format!(
            "pixel ({}, {}): {pixel:?}, expected {:?}",
            i % 64,
            i / 64,
            bounds.map(|b| b.map(|x| x * 255.0))
        )
    });
    (all.len(), first)
}

/// Checks the witness of a scene.
///
/// # Errors
/// The scene has no witness, its witness disagrees, or its exception is not necessary.
pub fn check(name: &str, golden: &[u8], figures: &[Figure]) -> Result<(), String> {
    let print = fingerprint(golden);
    let current: Vec<&Figure> =
        figures.iter().filter(|f| f.picture == name && f.fingerprint == print).collect();
    let within =
        |largest: u8, edges: usize| current.iter().any(|f| f.largest <= largest && f.at_edges <= edges);
    let exception = EXCEPTIONS.iter().find(|(scene, _)| *scene == name).map(|(_, witness)| witness);
    match exception {
        None if within(1, 0) => Ok(()),
        None => Err(format!("{name}: no witness; figures of this golden: {current:?}")),
        Some(Witness::Formula(formula)) => match outside(golden, &formula()) {
            (n, Some(first)) => Err(format!("{name}: {n} pixels are not by the formula; {first}")),
            _ => Ok(()),
        },
        Some(_) if within(1, 0) => Err(format!("{name}: needs no exception")),
        Some(Witness::Driver(largest, edges, _)) if !within(*largest, *edges) => {
            Err(format!("{name}: no driver within {largest} steps and {edges} pixels: {current:?}"))
        }
        Some(Witness::Driver(..) | Witness::Missing(_)) => Ok(()),
    }
}
