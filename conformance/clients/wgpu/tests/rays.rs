//! Ray queries of wgpu: structures that it builds, and rays of a WGSL shader, with distances from closed forms.

use quadrille_client_wgpu::{instance, read};
use wgpu::util::DeviceExt;

/// Casts a ray at each cell of a grid over [0, 1]² from z = 1 downwards: distance, custom index, and barycentrics.
const GRID: &str = "
    enable wgpu_ray_query;
    @group(0) @binding(0) var scene: acceleration_structure;
    @group(0) @binding(1) var<storage, read_write> hits: array<vec4f>;
    @compute @workgroup_size(8, 8)
    fn main(@builtin(global_invocation_id) id: vec3u) {
        let at = (vec2f(id.xy) + 0.5) / 8.0;
        var query: ray_query;
        rayQueryInitialize(&query, scene, RayDesc(0u, 0xffu, 0.0, 10.0, vec3f(at, 1.0), vec3f(0.0, 0.0, -1.0)));
        while rayQueryProceed(&query) {}
        let hit = rayQueryGetCommittedIntersection(&query);
        var found = vec4f(-1.0);
        if hit.kind == RAY_QUERY_INTERSECTION_TRIANGLE {
            found = vec4f(hit.t, f32(hit.instance_custom_data), hit.barycentrics);
        }
        hits[id.y * 8u + id.x] = found;
    }";

/// A device with ray queries, if the adapter has them.
fn gpu() -> (wgpu::Device, wgpu::Queue) {
    let instance = instance().expect("the driver is part of this program");
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("one adapter");
    let features = wgpu::Features::EXPERIMENTAL_RAY_QUERY;
    assert!(adapter.features().contains(features), "wgpu sees no ray queries");
    let descriptor = wgpu::DeviceDescriptor {
        required_features: features,
        required_limits: adapter.limits(),
        // SAFETY: the program uses ray queries as wgpu documents them, and no other experimental feature.
        experimental_features: unsafe { wgpu::ExperimentalFeatures::enabled() },
        ..Default::default()
    };
    pollster::block_on(adapter.request_device(&descriptor)).expect("a device")
}

/// Builds a structure of one triangle, the lower left half of the unit square at z = 0.
fn triangle(device: &wgpu::Device) -> (wgpu::Blas, wgpu::BlasTriangleGeometrySizeDescriptor, wgpu::Buffer) {
    let corners = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let vertices = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: None,
        contents: &corners.iter().flat_map(|c| c.to_le_bytes()).collect::<Vec<_>>(),
        usage: wgpu::BufferUsages::BLAS_INPUT,
    });
    let size = wgpu::BlasTriangleGeometrySizeDescriptor {
        vertex_format: wgpu::VertexFormat::Float32x3,
        vertex_count: 3,
        index_format: None,
        index_count: None,
        flags: wgpu::AccelerationStructureGeometryFlags::OPAQUE,
    };
    let descriptor = wgpu::CreateBlasDescriptor {
        label: None,
        flags: wgpu::AccelerationStructureFlags::PREFER_FAST_TRACE,
        update_mode: wgpu::AccelerationStructureUpdateMode::Build,
    };
    let sizes = wgpu::BlasGeometrySizeDescriptors::Triangles { descriptors: vec![size.clone()] };
    (device.create_blas(&descriptor, sizes), size, vertices)
}

#[test]
fn rays_hit_two_instances() {
    let (device, queue) = gpu();
    let (bottom, size, vertices) = triangle(&device);
    let mut top = device.create_tlas(&wgpu::CreateTlasDescriptor {
        label: None,
        max_instances: 2,
        flags: wgpu::AccelerationStructureFlags::PREFER_FAST_TRACE,
        update_mode: wgpu::AccelerationStructureUpdateMode::Build,
    });
    // At z = 0.5 as it is; at z = -1 turned by half a circle about the centre of the square.
    let placed = [
        ([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5], 7),
        ([-1.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 1.0, -1.0], 9),
    ];
    for (i, (transform, custom)) in placed.into_iter().enumerate() {
        top[i] = Some(wgpu::TlasInstance::new(&bottom, transform, custom, 0xff));
    }
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(GRID.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: Default::default(),
        cache: None,
    });
    let bytes = 64 * 16;
    let buffer = |usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes,
            usage,
            mapped_at_creation: false,
        })
    };
    let hits = buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let out = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: top.as_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: hits.as_entire_binding() },
        ],
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    let geometry = wgpu::BlasTriangleGeometry {
        size: &size,
        vertex_buffer: &vertices,
        first_vertex: 0,
        vertex_stride: 12,
        index_buffer: None,
        first_index: None,
        transform_buffer: None,
        transform_buffer_offset: None,
    };
    let entry = wgpu::BlasBuildEntry {
        blas: &bottom,
        geometry: wgpu::BlasGeometries::TriangleGeometries(vec![geometry]),
    };
    encoder.build_acceleration_structures([&entry], [&top]);
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&hits, 0, &out, 0, bytes);
    queue.submit([encoder.finish()]);
    let bytes = read(&device, &out).expect("the device is there");
    let words: Vec<f32> = bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    for (i, hit) in words.chunks(4).enumerate() {
        let (x, y) = ((i % 8) as f32 / 8.0 + 0.0625, (i / 8) as f32 / 8.0 + 0.0625);
        // The diagonal belongs to both halves; the first instance is nearer.
        let want = if x + y <= 1.0 { [0.5, 7.0, x, y] } else { [2.0, 9.0, 1.0 - x, 1.0 - y] };
        assert_eq!(hit, want, "cell {i}");
    }
}
