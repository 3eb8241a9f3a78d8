//! Allowed and refused calls inside print sinks.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quadrille::*;

/// A device, a command buffer whose three workgroups print, and a command buffer without effect.
fn printing() -> (Device, CommandBuffer, CommandBuffer) {
    let device = Device::new(DeviceOptions { threads: 2, ..Default::default() }).unwrap();
    let text = "OpCapability Shader
        OpExtension \"SPV_KHR_non_semantic_info\"
        %print = OpExtInstImport \"NonSemantic.DebugPrintf\"
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        %text = OpString \"x\"
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %l = OpLabel
        %p = OpExtInst %void %print 1 %text
        OpReturn
        OpFunctionEnd";
    let words = frontend::load_spirv(text.as_bytes(), &frontend::Options::default()).unwrap();
    let module = device.create_shader_module(&words).unwrap();
    let layout = device.create_pipeline_layout(&[], 0).unwrap();
    let desc = ComputePipelineDesc { stage: ShaderStage::new(&module, "main"), layout };
    let pipeline = device.create_compute_pipeline(&desc).unwrap();
    let mut commands = device.create_command_buffer();
    commands.bind_compute_pipeline(&pipeline).dispatch(3, 1, 1);
    commands.end().unwrap();
    let mut nothing = device.create_command_buffer();
    nothing.end().unwrap();
    (device, commands, nothing)
}

/// Runs a printing shader with a sink that calls `sink` for each line. Returns the results of `sink` in order.
fn told<T: Send + 'static>(
    device: &Device,
    commands: &CommandBuffer,
    sink: impl Fn() -> T + Send + Sync + 'static,
) -> Vec<T> {
    let all = Arc::new(Mutex::new(Vec::new()));
    let to = all.clone();
    device.set_print_sink(Some(Arc::new(move |_: &str| {
        let said = sink();
        to.lock().unwrap().push(said);
    })));
    device.queue().run(commands).unwrap();
    device.set_print_sink(None);
    std::mem::take(&mut *all.lock().unwrap())
}

/// A call that would wait forever returns an error that says so.
#[test]
fn a_sink_that_waits_for_its_device_is_told() {
    let (device, commands, nothing) = printing();
    let own = device.clone();
    let waits: Vec<fn(&Device, &CommandBuffer) -> Result<()>> = vec![
        |device, nothing| device.queue().run(nothing),
        |device, _| device.queue().wait_idle(),
        |device, _| device.wait_idle(),
        |device, _| device.create_fence(false).wait(None).map(drop),
    ];
    let nothing = Mutex::new(nothing);
    let said = told(&device, &commands, move || {
        let nothing = nothing.lock().unwrap();
        waits.iter().map(|wait| wait(&own, &nothing)).collect::<Vec<_>>()
    });
    assert_eq!(said.len(), 3);
    for outcome in said.into_iter().flatten() {
        let error = outcome.unwrap_err();
        assert!(
            matches!(&error, Error::Invalid { message, .. } if message.contains("print sink")),
            "{error}"
        );
    }
    device.wait_idle().unwrap();
}

/// Calls that end are allowed: waits for past events, and work on another device.
#[test]
fn a_sink_may_use_what_does_not_wait_for_it() {
    let (device, commands, _) = printing();
    let (other, _, others) = printing();
    let own = device.clone();
    let others = Mutex::new(others);
    let said = told(&device, &commands, move || {
        own.create_fence(true).wait(None)?;
        assert!(!own.create_fence(false).status_within(Duration::from_secs(600))?);
        own.create_buffer_with(&[1u32; 4], BufferUsage::STORAGE)?;
        other.queue().run(&others.lock().unwrap())?;
        other.wait_idle()
    });
    assert_eq!(said.len(), 3);
    said.into_iter().for_each(|outcome| outcome.unwrap());
}
