//! Scripts on a device: their buffers, images and pipelines are made, their commands done in order.

use quadrille::Device;

use crate::outcome::{Options, Outcome};
use crate::script::Script;

impl Script {
    /// Runs the script.
    pub fn run(&self, _device: &Device, _options: &Options) -> Outcome {
        Outcome::Skipped("scripts are read, but not run yet".into())
    }
}
