//! Runs compute shaders.

use quadrille_jit::ir::Stage;

use super::ShaderTest;
use super::resources::{Resources, resources, tested};
use super::run::TestRun;
use crate::device::Device;
use crate::error::Result;
use crate::pipeline::ComputePipelineDesc;

pub(super) fn dispatch(device: &Device, test: &ShaderTest, groups: [u32; 3]) -> Result<TestRun> {
    let part = tested(device, test, Stage::Compute)?;
    let Resources { layout, sets, run } = resources(device, test, &[&part])?;
    let desc = ComputePipelineDesc { stage: part.stage, layout: layout.clone() };
    let pipeline = device.create_compute_pipeline(&desc)?;
    let mut commands = device.create_command_buffer();
    commands.bind_compute_pipeline(&pipeline).push_constants(0, &test.push);
    for (number, set) in sets.iter().enumerate() {
        commands.bind_compute_set(&layout, number as u32, set);
    }
    commands.dispatch(groups[0], groups[1], groups[2]).end()?;
    device.queue().run(&commands)?;
    Ok(run)
}
