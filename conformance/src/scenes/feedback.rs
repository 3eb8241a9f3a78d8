//! Scenes of transform feedback. The left half shows a draw that is captured; the right half draws the captured
//! vertices from the buffer.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use ash::vk;
use vk::PrimitiveTopology as T;

use super::Steps;
use super::draw::{Bind, Draw, Vertices, viewport};
use super::studio::{Made, Studio};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("feedback_points", |s| topology(s, T::POINT_LIST, 6)),
    ("feedback_lines", |s| topology(s, T::LINE_LIST, 5)),
    ("feedback_line_strip", |s| topology(s, T::LINE_STRIP, 6)),
    ("feedback_triangles", |s| topology(s, T::TRIANGLE_LIST, 6)),
    ("feedback_triangle_strip", |s| topology(s, T::TRIANGLE_STRIP, 6)),
    ("feedback_triangle_fan", |s| topology(s, T::TRIANGLE_FAN, 6)),
    ("feedback_indexed", |s| {
        let list: [u16; 9] = [0, 1, 2, 3, u16::MAX, 4, 2, 0, 5];
        let bytes: Vec<u8> = list.iter().flat_map(|i| i.to_ne_bytes()).collect();
        let index = Some((s.buffer(&bytes)?, vk::IndexType::UINT16));
        let draw = Draw { topology: T::TRIANGLE_STRIP, index, restart: true, count: [9, 1], ..left(VERTEX) };
        shown(s, draw, T::TRIANGLE_LIST)
    }),
    ("feedback_instances", |s| {
        let vertex = "gl_Position = at = vec4(CORNER[i] * .3 + vec2(gl_InstanceIndex % 3, gl_InstanceIndex / 3) * .6 - .6, 0, 1); v.b = gl_InstanceIndex / 8.0; tint = v;";
        shown(s, Draw { count: [3, 9], ..left(vertex) }, T::TRIANGLE_LIST)
    }),
    ("feedback_geometry", |s| {
        // Strips of four vertices each, which become two triangles in the buffer.
        s.need(s.client.has.core.geometry_shader != 0, "geometryShader")?;
        let geometry = format!(
            "{CAPTURED}layout(triangles) in; layout(triangle_strip, max_vertices = 8) out;\n\
             void main() {{ for (int j = 0; j < 2; j++) {{ for (int k = 0; k < 4; k++) {{ v = f = tint = a[k % 3] * (1.0 - .4 * j); gl_Position = at = vec4(gl_in[k % 3].gl_Position.xy * (.9 - .4 * j) + (k == 3 ? vec2(.2, -.1) : vec2(0)), 0, 1); EmitVertex(); }} EndPrimitive(); }} }}"
        );
        let draw = Draw { geometry: &geometry, count: [6, 1], ..Draw::default() };
        shown(s, Draw { viewports: halves()[0].clone(), ..draw }, T::TRIANGLE_LIST)
    }),
    ("feedback_lines_of_geometry", |s| {
        s.need(s.client.has.core.geometry_shader != 0, "geometryShader")?;
        let geometry = format!(
            "{CAPTURED}layout(points) in; layout(line_strip, max_vertices = 6) out;\n\
             void main() {{ int n = 2 + gl_PrimitiveIDIn % 5; for (int k = 0; k < n; k++) {{ v = f = tint = vec4(k & 1, a[0].gb, 1); gl_Position = at = gl_in[0].gl_Position * vec4(.7, .7, 1, 1) + vec4(.1 * k, .15 * (k & 1), 0, 0); EmitVertex(); }} }}"
        );
        let draw = Draw { geometry: &geometry, count: [6, 1], topology: T::POINT_LIST, ..Draw::default() };
        shown(s, Draw { viewports: halves()[0].clone(), ..draw }, T::LINE_LIST)
    }),
    ("feedback_tessellation", |s| {
        s.need(s.client.has.core.tessellation_shader != 0, "tessellationShader")?;
        let control = "layout(vertices = 3) out; void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; b[gl_InvocationID] = a[gl_InvocationID]; gl_TessLevelOuter[gl_InvocationID] = float(gl_InvocationID + 2); gl_TessLevelInner[0] = 3.0; }";
        let evaluation = format!(
            "{CAPTURED}layout(triangles, equal_spacing, ccw) in;\n\
             void main() {{ vec3 t = gl_TessCoord; gl_Position = at = gl_in[0].gl_Position * t.x + gl_in[1].gl_Position * t.y + gl_in[2].gl_Position * t.z; v = f = tint = vec4(t, 1); }}"
        );
        let draw =
            Draw { control, evaluation: &evaluation, patch: 3, topology: T::PATCH_LIST, ..Draw::default() };
        shown(s, Draw { viewports: halves()[0].clone(), ..draw }, T::TRIANGLE_LIST)
    }),
    ("feedback_two_buffers", two_buffers),
    ("feedback_resumed", resumed),
    ("feedback_full", |s| {
        // Room for two triangles and two vertices: the third triangle is not captured.
        let tape = Tape::new(s, 8 * 32)?;
        let draw = Draw { topology: T::TRIANGLE_STRIP, count: [6, 1], ..left(VERTEX) };
        tape.capture(s, &[draw], false)?;
        tape.replay(s, T::TRIANGLE_LIST)
    }),
    ("feedback_streams", streams),
    ("feedback_queries", queries),
];

/// Captured outputs: 32 bytes per vertex.
const CAPTURED: &str = "layout(xfb_buffer = 0, xfb_stride = 32) out;\n\
    layout(location = 2, xfb_buffer = 0, xfb_offset = 0) out vec4 at; layout(location = 3, xfb_buffer = 0, xfb_offset = 16) out vec4 tint;\n";
const VERTEX: &str = "gl_Position = at = vec4(CORNER[i % 6], 0, 1); tint = v;";

/// Viewports of both halves of the picture.
fn halves() -> [Vec<vk::Viewport>; 2] {
    [0.0, 32.0].map(|x| vec![viewport(x, 0.0, 32.0, 64.0)])
}

/// A draw in the left half whose vertex stage is captured.
fn left(vertex: &str) -> Draw<'_> {
    let [viewports, _] = halves();
    Draw { head: CAPTURED, vertex, viewports, ..Draw::default() }
}

/// The commands of VK_EXT_transform_feedback.
struct Calls(ash::ext::transform_feedback::Device);

impl Calls {
    /// Binds buffers from their beginnings, with `sizes` bytes of each or all bytes.
    ///
    /// # Safety
    /// `commands` is recording, and the buffers are live transform feedback buffers of at least `sizes` bytes.
    unsafe fn bind(&self, commands: vk::CommandBuffer, buffers: &[vk::Buffer], sizes: Option<&[u64]>) {
        let offsets = vec![0; buffers.len()];
        let sizes = sizes.map_or(std::ptr::null(), <[u64]>::as_ptr);
        // SAFETY: the lists have as many elements as the count says, since callers pass as many `sizes` as buffers; the
        // caller answers for handles and state.
        unsafe {
            (self.0.fp().cmd_bind_transform_feedback_buffers_ext)(
                commands,
                0,
                buffers.len() as u32,
                buffers.as_ptr(),
                offsets.as_ptr(),
                sizes,
            );
        }
    }

    /// Begins to capture where the counters say or, without counters, at the beginnings of the buffers.
    ///
    /// # Safety
    /// `commands` is recording in a pass with a pipeline that captures, and the counters are live.
    unsafe fn begin(&self, commands: vk::CommandBuffer, counters: &[vk::Buffer]) {
        let (n, list) = (counters.len() as u32, counters.as_ptr());
        // SAFETY: the list has `n` elements; the caller answers for handles and state.
        unsafe {
            (self.0.fp().cmd_begin_transform_feedback_ext)(commands, 0, n, list, std::ptr::null());
        }
    }

    /// Ends capturing, and writes the counters.
    ///
    /// # Safety
    /// Transform feedback is active in `commands`, and the counters are live.
    unsafe fn end(&self, commands: vk::CommandBuffer, counters: &[vk::Buffer]) {
        let (n, list) = (counters.len() as u32, counters.as_ptr());
        // SAFETY: the list has `n` elements; the caller answers for handles and state.
        unsafe {
            (self.0.fp().cmd_end_transform_feedback_ext)(commands, 0, n, list, std::ptr::null());
        }
    }

    /// Draws as many vertices of 32 bytes as a counter says.
    ///
    /// # Safety
    /// `commands` is recording in a pass with everything bound for a draw, and the counter is live and written.
    unsafe fn draw(&self, commands: vk::CommandBuffer, counter: vk::Buffer) {
        // SAFETY: the caller answers for handles and state; the command takes no pointers.
        unsafe { (self.0.fp().cmd_draw_indirect_byte_count_ext)(commands, 1, 0, counter, 0, 0, 32) };
    }

    /// Begins or ends a query of the first stream.
    ///
    /// # Safety
    /// `commands` is recording, and query `i` of the pool is reset before its begin and active before its end.
    unsafe fn query(&self, commands: vk::CommandBuffer, pool: vk::QueryPool, i: u32, begin: bool) {
        let none = vk::QueryControlFlags::empty();
        // SAFETY: the caller answers for handles and state; the commands take no pointers.
        unsafe {
            match begin {
                true => (self.0.fp().cmd_begin_query_indexed_ext)(commands, pool, i, none, 0),
                false => (self.0.fp().cmd_end_query_indexed_ext)(commands, pool, i, 0),
            }
        }
    }
}

/// A transform feedback buffer, and a buffer for the counter.
struct Tape {
    feedback: Calls,
    buffer: vk::Buffer,
    counter: vk::Buffer,
    bytes: u64,
}

impl Tape {
    fn new(s: &Studio, bytes: u64) -> Made<Tape> {
        s.need(s.client.has.extension(ash::ext::transform_feedback::NAME), "VK_EXT_transform_feedback")?;
        s.need(s.client.has.feedback.transform_feedback != 0, "transformFeedback")?;
        let feedback = Calls(ash::ext::transform_feedback::Device::new(&s.client.instance, &s.client.device));
        let buffer = s.buffer(&vec![0; bytes as usize])?;
        Ok(Tape { feedback, buffer, counter: s.buffer(&[0; 16])?, bytes })
    }

    /// Draws in a separate pass and captures the vertices. With `resume`, capturing continues where the counter says.
    fn capture(&self, s: &Studio, draws: &[Draw], resume: bool) -> Made<()> {
        let mut pass = s.pass();
        if resume {
            pass.colors[0].clear = None;
        }
        s.begin(&pass);
        for (i, draw) in draws.iter().enumerate() {
            s.prepare(&pass, draw)?;
            let from = if resume || i > 0 { &[self.counter][..] } else { &[] };
            // SAFETY: the pass and `prepare` above make the state for the draw; the buffers belong to the studio and
            // have the stated sizes.
            unsafe {
                let f = &self.feedback;
                f.bind(s.commands, &[self.buffer], Some(&[self.bytes]));
                f.begin(s.commands, from);
                s.issue(draw);
                f.end(s.commands, &[self.counter]);
            }
            // The next draw reads the counter right after this one wrote it, which needs a new pass.
            if i + 1 < draws.len() {
                s.end();
                pass.colors[0].clear = None;
                s.begin(&pass);
            }
        }
        s.end();
        Ok(())
    }

    /// Draws the captured vertices into the right half.
    fn replay(&self, s: &Studio, topology: T) -> Made<()> {
        let mut pass = s.pass();
        pass.colors[0].clear = None;
        let [_, viewports] = halves();
        let draw = Draw {
            vertices: &[Vertices { buffer: self.buffer, stride: 32, divisor: None }],
            topology,
            viewports,
            ..replayed()
        };
        s.begin(&pass);
        s.prepare(&pass, &draw)?;
        // SAFETY: the pass and `prepare` above make the state for the draw, and `capture` wrote the counter before.
        unsafe {
            self.feedback.draw(s.commands, self.counter);
        }
        s.end();
        Ok(())
    }
}

/// A draw of captured vertices.
fn replayed() -> Draw<'static> {
    Draw {
        head: "layout(location = 0) in vec4 x; layout(location = 1) in vec4 y;",
        vertex: "gl_Position = x; v = y;",
        attributes: &[
            (0, 0, vk::Format::R32G32B32A32_SFLOAT, 0),
            (1, 0, vk::Format::R32G32B32A32_SFLOAT, 16),
        ],
        ..Draw::default()
    }
}

/// Captures a draw and shows the captured vertices.
fn shown(s: &mut Studio, draw: Draw, topology: T) -> Made<()> {
    let tape = Tape::new(s, 128 * 32)?;
    tape.capture(s, &[draw], false)?;
    tape.replay(s, topology)
}

/// Transform feedback captures the primitives of strips and fans as lists.
fn topology(s: &mut Studio, topology: T, n: u32) -> Made<()> {
    let list = match topology {
        T::POINT_LIST => T::POINT_LIST,
        T::LINE_LIST | T::LINE_STRIP => T::LINE_LIST,
        _ => T::TRIANGLE_LIST,
    };
    shown(s, Draw { topology, count: [n, 1], ..left(VERTEX) }, list)
}

/// The position in one buffer, the colour and a number, which is not shown, in another.
fn two_buffers(s: &mut Studio) -> Made<()> {
    let tape = Tape::new(s, 32 * 16)?;
    let more = s.buffer(&[0; 32 * 24])?;
    let head = "layout(xfb_buffer = 1, xfb_stride = 24) out; layout(xfb_buffer = 0, xfb_stride = 16) out;\n\
        out gl_PerVertex { layout(xfb_buffer = 0, xfb_offset = 0) vec4 gl_Position; float gl_PointSize; };\n\
        layout(location = 2, xfb_buffer = 1, xfb_offset = 8) out vec4 tint; layout(location = 3, xfb_buffer = 1, xfb_offset = 4) out float number;";
    let vertex = "gl_Position = vec4(CORNER[i % 6] * vec2(.8, .9), 0, 1); tint = v; number = i;";
    let draw = Draw { head, vertex, count: [6, 1], ..left("") };
    let pass = s.pass();
    s.begin(&pass);
    s.prepare(&pass, &draw)?;
    // SAFETY: the pass and `prepare` above make the state for the draw; both buffers belong to the studio.
    unsafe {
        let f = &tape.feedback;
        f.bind(s.commands, &[tape.buffer, more], None);
        f.begin(s.commands, &[]);
        s.issue(&draw);
        f.end(s.commands, &[]);
    }
    s.end();
    let mut pass = s.pass();
    pass.colors[0].clear = None;
    let [_, viewports] = halves();
    let format = vk::Format::R32G32B32A32_SFLOAT;
    let draw = Draw {
        vertices: &[
            Vertices { buffer: tape.buffer, stride: 16, divisor: None },
            Vertices { buffer: more, stride: 24, divisor: None },
        ],
        attributes: &[(0, 0, format, 0), (1, 1, format, 8)],
        count: [6, 1],
        viewports,
        ..replayed()
    };
    s.render(&pass, &[draw])
}

/// Three draws with different topologies, one after the other in the buffer.
fn resumed(s: &mut Studio) -> Made<()> {
    let tape = Tape::new(s, 64 * 32)?;
    let small = "gl_Position = at = vec4(CORNER[i % 6] * .4 + p.xy, 0, 1); tint = v;";
    let draw = |topology, n, x, y| Draw { topology, count: [n, 1], push: [x, y, 0.0, 0.0], ..left(small) };
    tape.capture(s, &[draw(T::TRIANGLE_LIST, 3, -0.4, -0.5), draw(T::TRIANGLE_STRIP, 5, 0.5, -0.3)], false)?;
    tape.capture(s, &[draw(T::TRIANGLE_FAN, 6, 0.0, 0.5)], true)?;
    tape.replay(s, T::TRIANGLE_LIST)
}

/// Two streams, each in its own buffer. The left half shows the points of the first, the right half those of both.
fn streams(s: &mut Studio) -> Made<()> {
    let tape = Tape::new(s, 64 * 32)?;
    let second = s.buffer(&[0; 64 * 32])?;
    s.need(s.client.has.feedback.geometry_streams != 0, "geometryStreams")?;
    s.need(s.client.has.core.geometry_shader != 0, "geometryShader")?;
    let geometry = "layout(points) in; layout(points, max_vertices = 12) out;\n\
        layout(xfb_buffer = 1, xfb_stride = 32, stream = 1) out; layout(xfb_buffer = 0, xfb_stride = 32, stream = 0) out;\n\
        layout(stream = 0, location = 0) out vec4 v; layout(stream = 0, location = 1) flat out vec4 f;\n\
        layout(stream = 0, xfb_buffer = 0, xfb_offset = 0, location = 2) out vec4 at; layout(stream = 0, xfb_buffer = 0, xfb_offset = 16, location = 3) out vec4 tint;\n\
        layout(stream = 1, xfb_buffer = 1, xfb_offset = 0, location = 4) out vec4 at1; layout(stream = 1, xfb_buffer = 1, xfb_offset = 16, location = 5) out vec4 tint1;\n\
        void main() { for (int k = 0; k < 12; k++) { float t = k * .5236 + gl_PrimitiveIDIn * .2, r = .85 - .12 * gl_PrimitiveIDIn; vec4 q = vec4(r * cos(t), r * sin(t), 0, 1), c = vec4(k % 3 == gl_PrimitiveIDIn % 3, k / 11.0, 1.0 - k / 11.0, 1);\n\
        if (k % 3 == gl_PrimitiveIDIn % 3) { at1 = q; tint1 = c; EmitStreamVertex(1); } else { gl_Position = at = q; v = f = tint = c; EmitStreamVertex(0); } } }";
    let draw = Draw { geometry, topology: T::POINT_LIST, count: [5, 1], ..Draw::default() };
    let draw = Draw { viewports: halves()[0].clone(), ..draw };
    let pass = s.pass();
    s.begin(&pass);
    s.prepare(&pass, &draw)?;
    let counter = s.buffer(&[0; 16])?;
    // SAFETY: the pass and `prepare` above make the state for the draw; all buffers belong to the studio.
    unsafe {
        let f = &tape.feedback;
        f.bind(s.commands, &[tape.buffer, second], None);
        f.begin(s.commands, &[]);
        s.issue(&draw);
        f.end(s.commands, &[tape.counter, counter]);
    }
    s.end();
    tape.replay(s, T::POINT_LIST)?;
    let other = Tape { buffer: second, counter, ..tape };
    other.replay(s, T::POINT_LIST)
}

/// Queries of written and needed primitives, with and without room for all of them, shown as bits.
fn queries(s: &mut Studio) -> Made<()> {
    let tape = Tape::new(s, 10 * 32)?;
    let buffer = s.buffer(&[0; 4 * 16])?;
    let info = vk::QueryPoolCreateInfo::default()
        .query_type(vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT)
        .query_count(4);
    let d = &s.client.device;
    let draws = [(T::TRIANGLE_LIST, 6), (T::TRIANGLE_STRIP, 6), (T::LINE_STRIP, 9), (T::POINT_LIST, 3)];
    // SAFETY: the pool is made right here and reset outside of the pass; each query is active around its own draw,
    // whose state `prepare` made; all buffers belong to the studio.
    unsafe {
        let pool = d.create_query_pool(&info, None)?;
        d.cmd_reset_query_pool(s.commands, pool, 0, 4);
        let pass = s.pass();
        s.begin(&pass);
        for (i, (topology, n)) in (0..).zip(draws) {
            let draw = Draw { topology, count: [n, 1], ..left(VERTEX) };
            s.prepare(&pass, &draw)?;
            let f = &tape.feedback;
            f.bind(s.commands, &[tape.buffer], Some(&[tape.bytes]));
            f.query(s.commands, pool, i, true);
            f.begin(s.commands, &[]);
            s.issue(&draw);
            f.end(s.commands, &[]);
            f.query(s.commands, pool, i, false);
        }
        s.end();
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        d.cmd_copy_query_pool_results(s.commands, pool, 0, 4, buffer, 0, 16, flags);
        s.barrier();
    }
    let body = "int k = px.y / 8; uint x = n[2 * k]; o = vec4(vec3((x >> (px.x / 4)) & 1) * .8 + .1, 1); if (px.y % 8 == 0) o = vec4(.1, .1, .4, 1);";
    s.paint("layout(set = 0, binding = 0) buffer B { uint n[]; };", body, &[Bind::Buffer(buffer)])
}
