//! Device of the driver that the loader finds (`VK_DRIVER_FILES`), for tests of user interfaces.

/// Returns a wgpu device.
///
/// # Panics
/// Panics without an adapter, or on another driver than `CLIENT_DEVICE` names (Quadrille, if it is not set).
pub fn device() -> (wgpu::Device, wgpu::Queue) {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN;
    let instance = wgpu::Instance::new(descriptor);
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("an adapter");
    let (name, wanted) = (adapter.get_info().name, std::env::var("CLIENT_DEVICE"));
    assert!(name.contains(wanted.as_deref().unwrap_or("Quadrille")), "another driver: {name}");
    let descriptor = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
    pollster::block_on(adapter.request_device(&descriptor)).expect("a device")
}

/// Returns the texels of a texture in rows without padding.
///
/// # Panics
/// Panics if the texture has no texels of four bytes in rows of a multiple of 256 bytes, or if the device is lost.
pub fn texels(device: &wgpu::Device, queue: &wgpu::Queue, texture: &wgpu::Texture) -> Vec<[u8; 4]> {
    let row = texture.width() * 4;
    assert_eq!(row % wgpu::COPY_BYTES_PER_ROW_ALIGNMENT, 0);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * texture.height()),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
    queue.submit([encoder.finish()]);
    let slice = buffer.slice(..);
    slice.map_async(wgpu::MapMode::Read, |_| {});
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is there");
    let bytes = slice.get_mapped_range().expect("the buffer is mapped");
    bytes.chunks_exact(4).map(|t| [t[0], t[1], t[2], t[3]]).collect()
}
