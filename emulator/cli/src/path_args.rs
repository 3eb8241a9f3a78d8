//! Options of `quadrille render` that apply only to path-traced scenes.

use std::path::PathBuf;

use crate::number::{parse_finite, parse_from_zero};
use crate::report::{Failure, Result};

/// Options of path tracing.
#[derive(Clone, clap::Args)]
pub struct PathArgs {
    /// Trace paths of light instead of drawing surfaces
    #[arg(long)]
    pub path_trace: bool,

    /// Path tracing: stop when the remaining noise, relative to the picture's brightness, is below this
    #[arg(long, value_name = "PART", value_parser = parse_positive)]
    pub noise: Option<f64>,

    /// Path tracing: stop after this time, per frame
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    pub time_limit: Option<f64>,

    /// Path tracing: number of surfaces after the first that light may meet (default: unlimited)
    #[arg(long, value_name = "N")]
    pub max_bounces: Option<u32>,

    /// Path tracing: radius of the lens in metres (default 0: everything is in focus)
    #[arg(long, value_name = "METRES", value_parser = parse_from_zero)]
    pub aperture: Option<f64>,

    /// Path tracing: distance in focus in metres, for --aperture (default: the middle of the scene)
    #[arg(long, value_name = "METRES", value_parser = parse_positive)]
    pub focus: Option<f64>,

    /// Path tracing: write the sums of the samples to a file, for --add
    #[arg(long, value_name = "FILE")]
    pub sums: Option<PathBuf>,

    /// Path tracing: add the sums of other samples of the same picture; repeatable
    #[arg(long, value_name = "FILE")]
    pub add: Vec<PathBuf>,
}

fn parse_positive(text: &str) -> std::result::Result<f64, String> {
    let number = parse_finite(text).ok().filter(|x| *x > 0.0);
    number.ok_or_else(|| format!("give a number greater than 0, up to {:.1e}", f32::MAX))
}

impl PathArgs {
    /// Fails if options do not go together. `frames` is true for an animation, `resume` if a finished picture is not drawn
    /// again, `part` for a range of samples.
    pub fn check(&self, frames: bool, resume: bool, part: bool) -> Result<()> {
        let refuse = |text: &str| Err(Failure::usage(text));
        match (&self.sums, part) {
            _ if self.focus.is_some() && self.aperture.is_none() => refuse("--focus needs --aperture"),
            (Some(_), _) if frames => refuse("--sums is for a single picture, not for --frames"),
            // Without a picture there are no sums.
            (Some(_), _) if resume => refuse("--sums does not go with --resume, which may draw no picture"),
            _ if frames && !self.add.is_empty() => refuse("--add is for a single picture, not for --frames"),
            (_, true) if self.noise.is_some() || self.time_limit.is_some() => {
                refuse("--samples A..B does not go with --noise or --time-limit, which may skip samples")
            }
            (Some(_) | None, true | false) => Ok(()),
        }
    }
}
