//! Transform feedback, and queries of primitives generated before rasterization.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::Mapped;
use crate::common::bench::{self, Bench, CLEAR, Draw, When, check};
use ash::vk;

/// Returns a stage of a pipeline, by the name of its file.
macro_rules! shader {
    ($name:literal) => {
        (bench::stage($name), include_str!(concat!("shaders/", $name, ".spvasm")))
    };
}

/// Initial words of the capture buffers.
const UNTOUCHED: u32 = 0xeeee_eeee;

/// Transform feedback buffers, with a counter for each.
struct Capture<'a> {
    bench: &'a Bench,
    commands: ash::ext::transform_feedback::Device,
    buffers: Vec<Mapped>,
    counters: Mapped,
}

impl<'a> Capture<'a> {
    /// Creates buffers of these sizes.
    fn new(bench: &'a Bench, sizes: &[u64]) -> Self {
        use vk::BufferUsageFlags as Usage;
        let buffer = |&size: &u64| {
            let usage = Usage::TRANSFORM_FEEDBACK_BUFFER_EXT | Usage::VERTEX_BUFFER;
            let buffer = bench.gpu.buffer(size, usage);
            buffer.write(&vec![0xeeu8; size as usize]);
            buffer
        };
        let counters =
            bench.gpu.buffer(16, Usage::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT | Usage::INDIRECT_BUFFER);
        counters.write(&[77u32; 4]);
        let commands = ash::ext::transform_feedback::Device::new(&bench.gpu.instance, &bench.gpu.device);
        Capture { bench, commands, buffers: sizes.iter().map(buffer).collect(), counters }
    }

    fn bind(&self, cmd: vk::CommandBuffer) {
        let buffers: Vec<_> = self.buffers.iter().map(|b| b.buffer).collect();
        let (zeros, whole) = (vec![0; buffers.len()], std::ptr::null());
        let (n, from, at) = (buffers.len() as u32, buffers.as_ptr(), zeros.as_ptr());
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe {
            (self.commands.fp().cmd_bind_transform_feedback_buffers_ext)(cmd, 0, n, from, at, whole);
        }
    }

    /// Begins a capture, from the counters if it resumes.
    fn begin(&self, cmd: vk::CommandBuffer, goes_on: bool) {
        let (counters, offsets) = self.each();
        let n = if goes_on { counters.len() as u32 } else { 0 };
        let (from, at) = (counters.as_ptr(), offsets.as_ptr());
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { (self.commands.fp().cmd_begin_transform_feedback_ext)(cmd, 0, n, from, at) };
    }

    fn end(&self, cmd: vk::CommandBuffer) {
        let (counters, offsets) = self.each();
        let (n, from, at) = (counters.len() as u32, counters.as_ptr(), offsets.as_ptr());
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { (self.commands.fp().cmd_end_transform_feedback_ext)(cmd, 0, n, from, at) };
    }

    fn each(&self) -> (Vec<vk::Buffer>, Vec<u64>) {
        (0..self.buffers.len() as u64).map(|i| (self.counters.buffer, i * 4)).unzip()
    }

    /// Returns the captured words, buffer by buffer, and the counters of the first two buffers.
    fn read(&self) -> (Vec<Vec<u32>>, [u32; 2]) {
        let counters: Vec<u32> = self.counters.read();
        (self.buffers.iter().map(Mapped::read).collect(), [counters[0], counters[1]])
    }

    fn destroy(self) {
        self.buffers.into_iter().for_each(|b| b.destroy(&self.bench.gpu));
        self.counters.destroy(&self.bench.gpu);
    }
}

/// Two triangles of a strip, which cover the image.
fn strip<'a>(shaders: &'a [(vk::ShaderStageFlags, &'a str)]) -> Draw<'a> {
    Draw { shaders, topology: vk::PrimitiveTopology::TRIANGLE_STRIP, ..Draw::default() }
}

/// Vertices of the triangles of the strip. Spec: Vulkan, "Triangle Strips".
const TRIANGLES: [u32; 6] = [0, 1, 2, 1, 3, 2];

/// Words that `captured.vert` writes to buffers 0 and 1 for these vertices.
fn expected(vertices: &[u32]) -> [Vec<u32>; 2] {
    let numbers = |&v: &u32| [UNTOUCHED, (v as f32).to_bits(), 0, 0.5f32.to_bits(), 1f32.to_bits()];
    let position = |&v: &u32| {
        let at = |bit: u32| (bit as f32 * 2.0 - 1.0).to_bits();
        [at(v & 1), at(v >> 1), 0, 1f32.to_bits()]
    };
    [vertices.iter().flat_map(numbers).collect(), vertices.iter().flat_map(position).collect()]
}

/// Checks that a buffer starts with some words, and that the rest is untouched.
fn begins(words: &[u32], expected: &[u32]) {
    assert_eq!(words[..expected.len()], *expected);
    assert!(words[expected.len()..].iter().all(|&w| w == UNTOUCHED));
}

#[test]
fn vertices_are_captured_in_order() {
    let bench = Bench::new();
    let shaders = [shader!("captured.vert"), shader!("color.frag")];
    let capture = Capture::new(&bench, &[512, 512]);
    bench.draw_with(&strip(&shaders), |cmd, when| match when {
        When::Before => capture.bind(cmd),
        When::Begin => capture.begin(cmd, false),
        When::End => capture.end(cmd),
        When::After => {}
    });
    let (words, counters) = capture.read();
    let [numbers, positions] = expected(&TRIANGLES);
    begins(&words[0], &numbers);
    begins(&words[1], &positions);
    assert_eq!(counters, [120, 96]);
    capture.destroy();
}

/// A second capture resumes where the first has ended; a draw between them is not captured.
#[test]
fn capturing_is_paused_and_resumed() {
    let bench = Bench::new();
    let d = &bench.gpu.device;
    let shaders = [shader!("captured.vert"), shader!("color.frag")];
    let capture = Capture::new(&bench, &[512, 512]);
    bench.draw_with(&strip(&shaders), |cmd, when| match when {
        When::Before => capture.bind(cmd),
        When::Begin => {
            capture.begin(cmd, false);
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
            unsafe { d.cmd_draw(cmd, 3, 1, 0, 0) };
            capture.end(cmd);
        }
        When::End => {
            bench.capture_goes_on(cmd);
            capture.begin(cmd, true);
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
            unsafe { d.cmd_draw(cmd, 3, 1, 1, 0) };
            capture.end(cmd);
        }
        When::After => {}
    });
    let (words, counters) = capture.read();
    let [numbers, positions] = expected(&[0, 1, 2, 1, 2, 3]);
    begins(&words[0], &numbers);
    begins(&words[1], &positions);
    assert_eq!(counters, [120, 96]);
    capture.destroy();
}

/// Counts the output of `draw` on a stream while it captures: primitives written, needed and generated.
fn count(bench: &Bench, capture: &Capture<'_>, draw: &Draw<'_>, stream: u32) -> [u64; 3] {
    let d = &bench.gpu.device;
    let pool = |ty| {
        let info = vk::QueryPoolCreateInfo::default().query_type(ty).query_count(1);
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        unsafe { d.create_query_pool(&info, None) }.unwrap()
    };
    let pools =
        [vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT, vk::QueryType::PRIMITIVES_GENERATED_EXT].map(pool);
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    bench.draw_with(draw, |cmd, when| unsafe {
        match when {
            When::Before => {
                capture.bind(cmd);
                pools.iter().for_each(|&pool| d.cmd_reset_query_pool(cmd, pool, 0, 1));
            }
            When::Begin => {
                // This draw precedes the queries and is not counted.
                d.cmd_draw(cmd, draw.vertices, 1, 0, 0);
                for pool in pools {
                    let flags = vk::QueryControlFlags::empty();
                    (capture.commands.fp().cmd_begin_query_indexed_ext)(cmd, pool, 0, flags, stream);
                }
                capture.begin(cmd, false);
            }
            When::End => {
                capture.end(cmd);
                for pool in pools {
                    (capture.commands.fp().cmd_end_query_indexed_ext)(cmd, pool, 0, stream);
                }
            }
            When::After => {}
        }
    });
    let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
    let (mut of_feedback, mut generated) = ([[0u64; 2]], [0u64]);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        d.get_query_pool_results(pools[0], 0, &mut of_feedback, flags).unwrap();
        d.get_query_pool_results(pools[1], 0, &mut generated, flags).unwrap();
        pools.iter().for_each(|&pool| d.destroy_query_pool(pool, None));
    }
    [of_feedback[0][0], of_feedback[0][1], generated[0]]
}

/// A primitive that does not fit into every buffer is written to none.
#[test]
fn what_does_not_fit_is_counted_and_not_written() {
    let bench = Bench::new();
    let shaders = [shader!("captured.vert"), shader!("color.frag")];
    let draw = strip(&shaders);
    let capture = Capture::new(&bench, &[512, 512]);
    assert_eq!(count(&bench, &capture, &draw, 0), [2, 2, 2]);
    capture.destroy();
    // Five vertices fit into the first buffer.
    let capture = Capture::new(&bench, &[100, 512]);
    assert_eq!(count(&bench, &capture, &draw, 0), [1, 2, 2]);
    let (words, counters) = capture.read();
    let [numbers, positions] = expected(&TRIANGLES[..3]);
    begins(&words[0], &numbers);
    begins(&words[1], &positions);
    assert_eq!(counters, [60, 48]);
    capture.destroy();
}

/// Captured vertices are drawn, with the vertex count from the counter.
#[test]
fn what_was_captured_is_drawn() {
    let bench = Bench::new();
    let d = &bench.gpu.device;
    let shaders = [shader!("captured.vert"), shader!("color.frag")];
    let capture = Capture::new(&bench, &[512, 512]);
    bench.draw_with(&strip(&shaders), |cmd, when| match when {
        When::Before => capture.bind(cmd),
        When::Begin => capture.begin(cmd, false),
        When::End => capture.end(cmd),
        When::After => {}
    });
    let shaders = [shader!("positions.vert"), shader!("color.frag")];
    let topology = vk::PrimitiveTopology::TRIANGLE_LIST;
    let again = Draw { shaders: &shaders, topology, stride: Some(16), vertices: 0, ..Draw::default() };
    // All vertices, and all without the first triangle, which covers the upper left corner.
    for (skipped, corner) in [(0, [255; 4]), (48, CLEAR)] {
        let pixels = bench.draw_with(&again, |cmd, when| {
            if when == When::Begin {
                // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
                unsafe {
                    d.cmd_bind_vertex_buffers(cmd, 0, &[capture.buffers[1].buffer], &[skipped]);
                    let (counter, skipped) = (capture.counters.buffer, skipped as u32);
                    let draw = capture.commands.fp().cmd_draw_indirect_byte_count_ext;
                    draw(cmd, 1, 0, counter, 4, skipped, 16);
                }
            }
        });
        assert_eq!(pixels[0], corner);
        assert_eq!(pixels[pixels.len() - 1], [255; 4]);
    }
    let pixels = bench.draw_with(&again, |_, _| {});
    check(&pixels, |_, _| CLEAR);
    capture.destroy();
}

/// Points of two streams go to separate buffers; only those of stream 0 are drawn.
#[test]
fn streams_go_to_buffers_of_their_own() {
    let bench = Bench::new();
    let shaders = [shader!("point.vert"), shader!("streams.geom"), shader!("color.frag")];
    let topology = vk::PrimitiveTopology::POINT_LIST;
    let draw = Draw { shaders: &shaders, topology, vertices: 3, ..Draw::default() };
    let capture = Capture::new(&bench, &[64, 16]);
    // One, two and three points are emitted; four of the six fit into the buffer of stream 2.
    assert_eq!(count(&bench, &capture, &draw, 0), [6, 6, 6]);
    assert_eq!(count(&bench, &capture, &draw, 2), [4, 6, 6]);
    assert_eq!(count(&bench, &capture, &draw, 1), [0, 0, 0]);
    let (words, counters) = capture.read();
    let floats = |words: &[u32]| -> Vec<f32> { words.iter().map(|&w| f32::from_bits(w)).collect() };
    let first = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 2.0, 0.0, 2.0, 1.0, 2.0, 2.0];
    assert_eq!(floats(&words[0][..12]), first);
    assert_eq!(floats(&words[1]), [0.5, 1.0, 2.0, 1.5]);
    assert_eq!(counters, [48, 16]);
    capture.destroy();
}
