//! Command buffers as wholes: errors of recording, and secondary command buffers in the scopes of others.

use quadrille::*;

fn device() -> Result<Device> {
    Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() })
}

fn is_refused(outcome: &Result<()>) -> bool {
    matches!(outcome, Err(Error::Invalid { .. }))
}

/// A command after the end of recording is an error, which lasts until recording begins again.
#[test]
fn a_command_after_the_end_is_not_lost() -> Result<()> {
    let device = device()?;
    let buffer = device.create_bound_buffer(BufferDesc { size: 16, usage: BufferUsage::TRANSFER_DST })?;
    let mut commands = device.create_command_buffer();
    commands.fill_buffer(&buffer, 0, None, 7).end()?;
    commands.fill_buffer(&buffer, 0, None, 8);
    assert!(is_refused(&commands.end()));
    assert!(is_refused(&device.queue().run(&commands)));
    let mut outer = device.create_command_buffer();
    assert!(is_refused(&outer.execute_commands(&[&commands]).end()));
    assert_eq!(buffer.read_all::<u32>()?, [0; 4]);
    commands.begin().fill_buffer(&buffer, 0, None, 9).end()?;
    device.queue().run(&commands)?;
    assert_eq!(buffer.read_all::<u32>()?, [9; 4]);
    Ok(())
}
