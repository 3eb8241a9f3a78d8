//! Tests of lists: depth, and the objects that they keep.

use super::*;
use crate::command::{CommandBuffer, execute};
use crate::descriptor::{DescriptorBinding, DescriptorKind};
use crate::{BufferDesc, BufferUsage, ComputePipelineDesc, Device, DeviceOptions, ShaderStage};

/// Lists nested to this depth, with one command each.
fn nested(levels: usize) -> CommandList {
    let mut list = CommandList::default();
    for _ in 0..levels {
        let mut outer = CommandList::default();
        let inner = outer.nested.push(Arc::new(Ended(Box::new(list))));
        outer.commands.push(Command::Execute(inner));
        list = outer;
    }
    list
}

/// Drops lists that are nested far deeper than the limit allows, on a small stack.
#[test]
fn depth_takes_no_stack() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let run = move || {
        let list = nested(200_000);
        execute(&device, &list, (None, Default::default())).unwrap();
        drop(list);
    };
    std::thread::Builder::new().stack_size(128 << 10).spawn(run).unwrap().join().unwrap();
}

fn recorded(commands: &CommandBuffer) -> &CommandList {
    commands.recorded().unwrap()
}

/// A list holds an object once, however many commands use it. A descriptor set that was bound but not used is not
/// in use while the list runs.
#[test]
fn objects_are_kept_once() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let source = "
        @group(0) @binding(0) var<storage, read_write> data: array<u32>;
        @compute @workgroup_size(1) fn main() { data[0] += 1u; }";
    let words = crate::frontend::compile_wgsl(source, &Default::default()).unwrap();
    let module = device.create_shader_module(&words).unwrap();
    let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
    let set_layout = device.create_descriptor_set_layout(&[binding]).unwrap();
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 16).unwrap();
    let stage = ShaderStage::only(&module, crate::Stage::Compute).unwrap();
    let desc = ComputePipelineDesc { stage, layout: layout.clone() };
    let pipelines = [(); 2].map(|()| device.create_compute_pipeline(&desc).unwrap());
    let sets = [(); 20].map(|()| device.create_descriptor_set(&set_layout).unwrap());
    let usage = BufferUsage::STORAGE | BufferUsage::TRANSFER_DST | BufferUsage::TRANSFER_SRC;
    let buffer = device.create_bound_buffer(BufferDesc { size: 64, usage }).unwrap();
    sets.iter().for_each(|set| set.write_buffer(0, &buffer).unwrap());
    let mut commands = device.create_command_buffer();
    for i in 0..100u32 {
        let set = &sets[i as usize % 2];
        commands
            .bind_compute_pipeline(&pipelines[i as usize / 2 % 2])
            .bind_compute_set(&layout, 0, &sets[i as usize % 20])
            .bind_compute_set(&layout, 0, set)
            .push_constants(0, &[i])
            .dispatch(1, 1, 1)
            .fill_buffer(&buffer, 60, None, i);
    }
    commands.end().unwrap();
    let list = recorded(&commands);
    assert_eq!((list.sets.len(), list.compute.len(), list.buffers.len()), (20, 2, 1));
    assert_eq!(list.used_sets.len(), 2);
    // A snapshot of push constants ends at the highest byte that was ever set.
    assert_eq!(list.pushes.len(), 100 * 4);
    assert_eq!(list.push(Run { start: 36, len: 4 })[..8], [9, 0, 0, 0, 0, 0, 0, 0]);
    list.acquire();
    assert!(sets[0].write_buffer(0, &buffer).is_err());
    assert!(sets[2].write_buffer(0, &buffer).is_ok());
    list.release();

    let mut outer = device.create_command_buffer();
    outer.execute_commands(&[&commands, &commands]).end().unwrap();
    assert_eq!(recorded(&outer).used_sets.len(), 2);
    device.queue().run(&outer).unwrap();
    assert_eq!(buffer.read::<u32>(0, 1).unwrap(), [200]);
}
