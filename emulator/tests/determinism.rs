//! Results are identical with 1, 2 and 7 threads, in both tiers, at every host level, in repeated runs, and in the
//! interpreter.

use quadrille::{
    AddressMode, BlendState, Device, DeviceOptions, Format, Opt, Order, Picture, Result, SamplerDesc,
    ShaderTest, testing,
};

/// All devices that must produce the same bytes.
fn devices() -> Vec<Device> {
    let mut out = Vec::new();
    let base = DeviceOptions { interp: false, opt: Opt::None, ..DeviceOptions::default() };
    for threads in [1, 2, 7] {
        for opt in [Opt::None, Opt::Speed, Opt::Auto] {
            out.push(DeviceOptions { threads, opt, ..base.clone() });
        }
    }
    for cpu in testing::cpu_levels() {
        out.push(DeviceOptions { threads: 2, cpu, ..base.clone() });
        out.push(DeviceOptions { threads: 2, cpu, opt: Opt::Speed, ..base.clone() });
    }
    out.push(DeviceOptions { interp: true, threads: 2, ..base });
    out.into_iter().map(|o| Device::new(o).expect("the options are valid")).collect()
}

/// Runs `f` twice on every device, and compares each result with the first.
fn same<T: PartialEq + std::fmt::Debug>(f: impl Fn(&Device) -> Result<T>) -> Result<T> {
    let devices = devices();
    let first = f(&devices[0])?;
    for device in &devices {
        for _ in 0..2 {
            assert!(f(device)? == first, "{:?} gives another result", device.options());
        }
    }
    Ok(first)
}

#[test]
fn arithmetic_and_divergence() -> Result<()> {
    let source = "
        @group(0) @binding(0) var<storage, read_write> out: array<f32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            var x = f32(id.x) * 0.37;
            var n = 0.0;
            for (var i = 0u; i < id.x % 37u; i++) {
                x = sin(x) * 3.0 + sqrt(abs(x)) + pow(1.001, x);
                if (x > 2.0) { n += exp2(-x) / 3.0; continue; }
                if (n > 5.0) { break; }
                n += x * x + atan2(x, n);
            }
            out[id.x] = n + x;
        }";
    let out = same(|device| {
        let run = ShaderTest::wgsl(source)?.bind_zeros::<u32>(0, 0, 4096).on(device).dispatch([64, 1, 1])?;
        run.read::<u32>(0, 0)
    })?;
    assert!(out.iter().collect::<std::collections::HashSet<_>>().len() > 1000);
    Ok(())
}

#[test]
fn barriers_and_workgroup_memory() -> Result<()> {
    let source = "
        var<workgroup> tile: array<u32, 128>;
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(128)
        fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) g: vec3<u32>) {
            tile[i] = i * 7u + g.x;
            workgroupBarrier();
            for (var step = 64u; step > 0u; step >>= 1u) {
                if (i < step) { tile[i] += tile[i + step]; }
                workgroupBarrier();
            }
            out[g.x * 128u + i] = tile[0] + i;
        }";
    let out = same(|device| {
        let run =
            ShaderTest::wgsl(source)?.bind_zeros::<u32>(0, 0, 128 * 50).on(device).dispatch([50, 1, 1])?;
        run.read::<u32>(0, 0)
    })?;
    let sum = |g: u32| (0..128).map(|i| i * 7 + g).sum::<u32>();
    assert!((0..6400u32).all(|i| out[i as usize] == sum(i / 128) + i % 128));
    Ok(())
}

/// Atomics whose results are used: they depend on the order of workgroups.
#[test]
fn ordered_atomics() -> Result<()> {
    let source = "
        @group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(32)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) { out[atomicAdd(&next, 1u)] = id.x; }";
    let out = same(|device| {
        let run = ShaderTest::wgsl(source)?
            .bind(0, 0, &[0u32])
            .bind_zeros::<u32>(0, 1, 3200)
            .on(device)
            .dispatch([100, 1, 1])?;
        run.read::<u32>(0, 1)
    })?;
    assert!((0..3200).all(|i| out[i as usize] == i));
    // In relaxed order, the result is a permutation.
    let device = Device::new(DeviceOptions { order: Order::Relaxed, threads: 2, ..Default::default() })?;
    let run = ShaderTest::wgsl(source)?.bind(0, 0, &[0u32]).bind_zeros::<u32>(0, 1, 3200).on(&device);
    let mut out = run.dispatch([100, 1, 1])?.read::<u32>(0, 1)?;
    out.sort_unstable();
    assert!((0..3200).all(|i| out[i as usize] == i));
    Ok(())
}

/// Fragment atomics whose results are used: they depend on the order of tiles and of fragments in a tile.
#[test]
fn ordered_fragments() -> Result<()> {
    let source = "
        @group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
        @fragment fn main() -> @location(0) vec4<f32> {
            let n = atomicAdd(&next, 1u);
            return vec4(f32(n & 255u), f32(n >> 8u), 0.0, 255.0) / 255.0;
        }";
    let pixels: Vec<u8> = same(|device| {
        let test = ShaderTest::wgsl(source)?.bind(0, 0, &[0u32]).on(device).target(Format::R8G8B8A8_UNORM);
        test.draw(150, 140)?.read_target()
    })?;
    let numbers: std::collections::HashSet<_> = pixels.chunks(4).collect();
    assert_eq!(numbers.len(), 150 * 140);
    Ok(())
}

/// Sums commute: workgroups run in parallel, and the sums are exact.
#[test]
fn commuting_atomics() -> Result<()> {
    let source = "
        @group(0) @binding(0) var<storage, read_write> bins: array<atomic<u32>>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) { atomicAdd(&bins[(id.x * 31u) % 17u], id.x); }";
    same(|device| {
        let run = ShaderTest::wgsl(source)?.bind_zeros::<u32>(0, 0, 17).on(device).dispatch([200, 1, 1])?;
        run.read::<u32>(0, 0)
    })?;
    Ok(())
}

/// Overlapping, blended, textured triangles with derivatives.
#[test]
fn pictures() -> Result<()> {
    let vertex = "
        struct V { @builtin(position) p: vec4<f32>, @location(0) uv: vec2<f32>, @location(1) @interpolate(flat) k: u32 }
        @vertex fn vs(@builtin(vertex_index) i: u32) -> V {
            let t = f32(i / 3u);
            let a = f32(i % 3u) * 2.1 + t * 0.7;
            let w = 1.0 + 0.3 * f32(i % 3u);
            let p = vec2(cos(a), sin(a)) * (0.3 + 0.05 * t);
            return V(vec4(p * w, 0.5 * w, w), p * 4.0, i / 3u);
        }";
    let fragment = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @fragment fn fs(@location(0) uv: vec2<f32>, @location(1) @interpolate(flat) k: u32) -> @location(0) vec4<f32> {
            let c = textureSample(t, s, uv);
            let d = fwidth(uv.x);
            if (c.x + d > 1.4) { discard; }
            return vec4(c.rgb, 0.3 + 0.05 * f32(k));
        }";
    let mut texture = Picture::filled(8, 8, [0, 0, 0, 255]).unwrap();
    for (i, p) in texture.pixels.iter_mut().enumerate() {
        *p = [(i * 37 % 256) as u8, (i * 91 % 256) as u8, (i * 13 % 256) as u8, 255];
    }
    let picture = same(|device| {
        let run = ShaderTest::wgsl(fragment)?
            .vertex_wgsl(vertex, 36)?
            .bind_picture(0, 0, &texture)
            .bind_sampler(0, 1, SamplerDesc::linear(AddressMode::Repeat))
            .blend(BlendState::source_over())
            .clear([0.1, 0.2, 0.3, 1.0])
            .on(device)
            .draw(150, 100)?;
        run.picture()
    })?;
    assert!(picture.pixels.iter().collect::<std::collections::HashSet<_>>().len() > 500);
    Ok(())
}

/// The subgroup size has no effect on shaders that do not observe subgroups.
#[test]
fn the_same_with_any_subgroup_size() -> Result<()> {
    let source = "
        var<workgroup> tile: array<f32, 40>;
        @group(0) @binding(0) var<storage, read_write> out: array<f32>;
        @compute @workgroup_size(5, 4, 2)
        fn main(@builtin(local_invocation_index) i: u32, @builtin(local_invocation_id) l: vec3<u32>,
                @builtin(workgroup_id) g: vec3<u32>) {
            tile[i] = f32(l.x * 100u + l.y * 10u + l.z);
            workgroupBarrier();
            var x = tile[(i * 7u + 3u) % 40u];
            for (var k = 0u; k < i; k++) { if ((k ^ g.x) % 3u == 0u) { x += sqrt(x); } }
            out[g.x * 40u + i] = x;
        }";
    let run = |lanes| -> Result<Vec<u32>> {
        let test = ShaderTest::wgsl(source)?.bind_zeros::<f32>(0, 0, 40 * 9).lanes(lanes);
        test.dispatch([9, 1, 1])?.read(0, 0)
    };
    let eight = run(8)?;
    for lanes in [4, 16, 32] {
        assert!(run(lanes)? == eight, "{lanes} lanes");
    }
    let source = "@fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
        let d = fwidth(uv.x * uv.y) * 40.0;
        if (d > 0.5 && uv.x > 0.8) { discard; }
        return vec4(uv, d, 1.0);
    }";
    let draw = |lanes| ShaderTest::wgsl(source)?.lanes(lanes).draw(67, 45)?.picture();
    let eight = draw(8)?;
    for lanes in [4, 16, 32] {
        assert!(draw(lanes)? == eight, "{lanes} lanes");
    }
    Ok(())
}
