//! `endurance`: very many objects of each kind, pipelines, devices and frames. Results must be right, and memory must
//! not grow.

use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::endurance::client::Host;
use quadrille_conformance::endurance::{devices, frames, kinds, objects, pipelines};
use quadrille_jit::guarded;

/// Numbers of objects.
#[derive(Args)]
pub struct Options {
    /// Objects of each kind that are alive at once, made ten times; 0 for none
    #[arg(long, default_value_t = 100_000)]
    objects: u32,
    /// Only kinds whose name contains this text
    #[arg(long, default_value = "")]
    kind: String,
    /// Pipelines that are alive at once, made ten times; 0 for none
    #[arg(long, default_value_t = 2000)]
    pipelines: u32,
    /// Devices, one after the other, and the same number of which 50 are alive at once; 0 for none
    #[arg(long, default_value_t = 1000)]
    devices: u64,
    /// Frames, by default an hour's worth at 60 a second; 0 for none
    #[arg(long, default_value_t = 216_000)]
    frames: u64,
    /// KiB by which the second half of a run may take more memory than the first
    #[arg(long, default_value_t = 4096)]
    margin: i64,
}

/// Runs the subcommand. Fails on an error of the driver, on a wrong result, and if memory grows.
pub fn run(options: &Options) -> ExitCode {
    // With guard pages, each allocation would have its own mappings.
    guarded::enable(guarded::Mode::Off);
    let host = match Host::new(vk_quadrille::entry()) {
        Ok(host) => host,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::FAILURE;
        }
    };
    let (margin, mut failed) = (options.margin << 10, 0);
    let mut tell = |result: Result<String, String>| match result {
        Ok(line) => println!("{line}"),
        Err(line) => {
            failed += 1;
            println!("FAILED {line}");
        }
    };
    if options.objects > 0 {
        for kind in kinds::KINDS.iter().filter(|kind| kind.name.contains(&options.kind)) {
            tell(objects::check(&host, kind, options.objects, margin));
        }
    }
    if options.pipelines > 0 {
        tell(pipelines::check(&host, options.pipelines, margin));
    }
    if options.devices > 0 {
        tell(devices::one_by_one(&host, options.devices, margin));
        tell(devices::together(&host, options.devices, margin));
    }
    if options.frames > 0 {
        tell(frames::check(&host, options.frames, margin));
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
