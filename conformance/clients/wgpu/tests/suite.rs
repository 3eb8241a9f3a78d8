//! A test suite on wgpu that needs no GPU, no driver and no setting: the same pixels on every machine.
//!
//! Copy `src/lib.rs` and what is here into a project of your own. Tests run in parallel, each on a device of its
//! own, several to an instance.

use std::sync::OnceLock;

use quadrille_client_wgpu::instance;

/// One instance for all tests, and a device for each.
fn gpu() -> (wgpu::Device, wgpu::Queue) {
    static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();
    let instance = INSTANCE.get_or_init(|| instance().expect("the driver is part of this program"));
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("one adapter");
    pollster::block_on(adapter.request_device(&Default::default())).expect("a device")
}

/// Pixels of a square texture after a full-screen triangle of this colour.
fn fill(device: &wgpu::Device, queue: &wgpu::Queue, colour: &str) -> Vec<u8> {
    const SIZE: u32 = 64;
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let extent = wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: extent,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let source = format!(
        "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
            return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
        }}
        @fragment fn fs() -> @location(0) vec4f {{ return {colour}; }}"
    );
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    let out = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(SIZE * SIZE * 4),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let view = texture.create_view(&Default::default());
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(attachment)],
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.draw(0..3, 0..1);
    }
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(SIZE * 4), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &out, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, extent);
    queue.submit([encoder.finish()]);
    let slice = out.slice(..);
    slice.map_async(wgpu::MapMode::Read, |_| {});
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is there");
    slice.get_mapped_range().expect("mapped").to_vec()
}

#[test]
fn red_is_red() {
    let (device, queue) = gpu();
    let pixels = fill(&device, &queue, "vec4f(1.0, 0.0, 0.0, 1.0)");
    assert!(pixels.chunks(4).all(|p| p == [255, 0, 0, 255]));
}

#[test]
fn halves_round_to_even() {
    let (device, queue) = gpu();
    let pixels = fill(&device, &queue, "vec4f(0.25, 0.5, 0.75, 1.0)");
    assert!(pixels.chunks(4).all(|p| p == [64, 128, 191, 255]));
}

/// Instances and devices know nothing of each other.
#[test]
fn a_second_instance() {
    let other = instance().expect("as many as one likes");
    let adapter = pollster::block_on(other.request_adapter(&Default::default())).expect("one adapter");
    let (a, b) = (gpu(), pollster::block_on(adapter.request_device(&Default::default())).expect("a device"));
    drop(other);
    let blue = "vec4f(0.0, 0.0, 1.0, 1.0)";
    assert_eq!(fill(&a.0, &a.1, blue), fill(&b.0, &b.1, blue));
}
