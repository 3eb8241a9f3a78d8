//! A test suite on wgpu that needs no GPU, no driver and no configuration, and gets the same pixels on every machine.
//!
//! Copy `src/lib.rs`, `src/picture.rs` and this file into your project. Tests run in parallel: each has its own device,
//! and most share an instance.

use std::sync::OnceLock;

use quadrille_client_wgpu::{draw, instance};

/// Returns a new device of an instance that all tests share.
fn gpu() -> (wgpu::Device, wgpu::Queue) {
    static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();
    let instance = INSTANCE.get_or_init(|| instance().expect("the driver is part of this program"));
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("one adapter");
    pollster::block_on(adapter.request_device(&Default::default())).expect("a device")
}

/// Fills a square texture with a full-screen triangle of this colour, and returns its pixels.
fn fill((device, queue): &(wgpu::Device, wgpu::Queue), colour: &str) -> Vec<u8> {
    let source = format!(
        "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
            return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
        }}
        @fragment fn fs() -> @location(0) vec4f {{ return {colour}; }}"
    );
    draw(device, queue, 64, &source).expect("the device is there")
}

#[test]
fn red_is_red() {
    let pixels = fill(&gpu(), "vec4f(1.0, 0.0, 0.0, 1.0)");
    assert!(pixels.chunks(4).all(|p| p == [255, 0, 0, 255]));
}

#[test]
fn halves_round_to_even() {
    let pixels = fill(&gpu(), "vec4f(0.25, 0.5, 0.75, 1.0)");
    assert!(pixels.chunks(4).all(|p| p == [64, 128, 191, 255]));
}

/// Instances and devices are independent of each other.
#[test]
fn a_second_instance() {
    let other = instance().expect("as many as one likes");
    let adapter = pollster::block_on(other.request_adapter(&Default::default())).expect("one adapter");
    let (a, b) = (gpu(), pollster::block_on(adapter.request_device(&Default::default())).expect("a device"));
    drop(other);
    for gpu in [a, b] {
        assert!(fill(&gpu, "vec4f(0.0, 0.0, 1.0, 1.0)").chunks(4).all(|p| p == [0, 0, 255, 255]));
    }
}
