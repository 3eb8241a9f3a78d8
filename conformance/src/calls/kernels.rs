//! Compute shaders of the random calls, and their effects on words, written in Rust.
//!
//! All share one interface: storage buffers 0 (written), 1 and 2 (read), uniform block 3, uniform texel buffer 4 of
//! `R32_UINT`, storage image 5, combined image 6, four words of push constants. Out-of-bounds reads return zero, and
//! out-of-bounds writes are dropped. The last two push constants may be the address of a buffer.

use std::sync::OnceLock;

use quadrille::Stage;
use quadrille::frontend::{Options, compile_glsl};

use super::trust::Trust;

/// Words of a bound range.
#[derive(Clone, Debug)]
pub struct Words {
    /// The whole words of the range.
    pub words: Vec<u32>,
    /// Trust of each word.
    pub trust: Trust,
}

impl Default for Words {
    fn default() -> Self {
        Words { words: Vec::new(), trust: Trust::Known }
    }
}

impl Words {
    /// Returns the whole words of these bytes.
    pub fn of(bytes: &[u8]) -> Words {
        let words = bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]));
        Words { words: words.collect(), trust: Trust::Known }
    }
    fn get(&self, i: u32) -> u32 {
        self.words.get(i as usize).copied().unwrap_or(0)
    }
    fn set(&mut self, i: u32, value: u32) {
        if let Some(word) = self.words.get_mut(i as usize) {
            *word = value;
        }
    }
}

/// Invocations of a workgroup.
pub const LOCAL: u32 = 16;
/// Words of the uniform block.
pub const BLOCK_WORDS: u32 = 16;

/// A compute shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Adds a number to each word.
    Add,
    /// Mixes words of two buffers.
    Mix,
    /// Fetches words by indices, which may be out of bounds.
    Gather,
    /// Counts values with atomics; values may be out of bounds.
    Count,
    /// Reverses the words of each workgroup through shared memory.
    Reverse,
    /// Reads the uniform block at any index.
    Uniform,
    /// Reads the texel buffer.
    Texels,
    /// Reads a buffer through the address in the push constants, instead of the texel buffer.
    Address,
    /// Loads from a storage image, changes the value, samples another image and stores the result; accesses no buffer.
    Image,
}

/// All kernels.
pub const KERNELS: [Kernel; 9] = [
    Kernel::Add,
    Kernel::Mix,
    Kernel::Gather,
    Kernel::Count,
    Kernel::Reverse,
    Kernel::Uniform,
    Kernel::Texels,
    Kernel::Address,
    Kernel::Image,
];

const HEAD: &str = "layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint w[]; } o;
layout(set = 0, binding = 1) readonly buffer A { uint w[]; } a;
layout(set = 0, binding = 2) readonly buffer B { uint w[]; } b;
layout(set = 0, binding = 3, std140) uniform U { uvec4 v[4]; } u;
layout(set = 0, binding = 4) uniform usamplerBuffer t;
layout(set = 0, binding = 5, rgba8) uniform image2D im;
layout(set = 0, binding = 6) uniform sampler2D tex;
layout(push_constant) uniform P { uvec4 p; };
shared uint s[16];
";

impl Kernel {
    /// Returns the bindings of the driver's layouts that the kernel uses.
    pub(super) fn bindings(self) -> [bool; 7] {
        let [o, a, b, u, t] = self.reads();
        let (image, address) = (self == Kernel::Image, self == Kernel::Address);
        [o && !image, a, b, u, t && !address, image, image]
    }
    fn body(self) -> &'static str {
        match self {
            Kernel::Add => "o.w[g] += p.x;",
            Kernel::Mix => "o.w[g] = (a.w[g] ^ (b.w[g] * 3u)) + p.x;",
            Kernel::Gather => "o.w[g] = b.w[a.w[g] % max(p.x, 1u)] + g;",
            Kernel::Count => "atomicAdd(o.w[a.w[g] % max(p.x, 1u)], p.y + 1u);",
            Kernel::Reverse => {
                "uint l = gl_LocalInvocationID.x; s[l] = a.w[g]; barrier();
                 for (uint i = 0u; i < (p.x & 7u); i++) { uint v = s[(l + i) & 15u]; barrier(); s[l] = v + i; barrier(); }
                 o.w[g] = s[15u - l];"
            }
            Kernel::Uniform => "o.w[g] = u.v[(p.x + g) & 3u][g & 3u] + u.v[1].z;",
            Kernel::Texels => "o.w[g] = texelFetch(t, int(g + p.x)).x + uint(textureSize(t));",
            Kernel::Address => "o.w[g] = Words(p.zw).w[int(g + (p.x >> 1))] + 1u;",
            Kernel::Image => {
                "ivec2 at = ivec2(g & 7u, g >> 3u); vec4 v = imageLoad(im, at);
                 v += textureLod(tex, vec2(at) / 8.0, float(p.x & 3u)) * 0.5 + vec4(0.125); imageStore(im, at, fract(v));"
            }
        }
    }

    /// Returns the SPIR-V, which is compiled once.
    pub fn words(self) -> &'static [u32] {
        static MODULES: [OnceLock<Vec<u32>>; KERNELS.len()] = [const { OnceLock::new() }; KERNELS.len()];
        MODULES[self as usize].get_or_init(|| {
            let address = match self {
                Kernel::Address => {
                    "#extension GL_EXT_buffer_reference : require\n#extension GL_EXT_buffer_reference_uvec2 : require
                     layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words { uint w[]; };\n"
                }
                _ => "",
            };
            let text =
                format!("#version 460\n{address}{HEAD}void main() {{ uint g = gl_GlobalInvocationID.x;\n{}\n}}\n", self.body());
            compile_glsl(&text, Stage::Compute, &Options::named("kernel.comp")).expect("a kernel compiles")
        })
    }

    /// Flags of the resources that affect the written words: the three storage buffers, the uniform block, the texel
    /// buffer.
    pub fn reads(self) -> [bool; 5] {
        match self {
            Kernel::Add => [true, false, false, false, false],
            Kernel::Mix => [true, true, true, false, false],
            Kernel::Gather => [true, true, true, false, false],
            Kernel::Count => [true, true, false, false, false],
            Kernel::Reverse => [true, true, false, false, false],
            Kernel::Uniform => [true, false, false, true, false],
            Kernel::Texels | Kernel::Address => [true, false, false, false, true],
            Kernel::Image => [true, false, false, false, false],
        }
    }

    /// Computes the effect of `groups` workgroups on the words.
    pub fn run(self, groups: u32, p: [u32; 4], buffers: &mut [Words; 3], uniform: &Words, texels: &Words) {
        let [o, a, b] = buffers;
        let n = groups.saturating_mul(LOCAL);
        for g in 0..n {
            match self {
                Kernel::Add => o.set(g, o.get(g).wrapping_add(p[0])),
                Kernel::Mix => o.set(g, (a.get(g) ^ b.get(g).wrapping_mul(3)).wrapping_add(p[0])),
                Kernel::Gather => o.set(g, b.get(a.get(g) % p[0].max(1)).wrapping_add(g)),
                Kernel::Count => {
                    let i = a.get(g) % p[0].max(1);
                    o.set(i, o.get(i).wrapping_add(p[1].wrapping_add(1)));
                }
                Kernel::Reverse => {
                    if g % LOCAL == 0 {
                        let mut s: [u32; LOCAL as usize] = std::array::from_fn(|l| a.get(g + l as u32));
                        for i in 0..p[0] & 7 {
                            let before = s;
                            for (l, s) in s.iter_mut().enumerate() {
                                *s = before[(l + i as usize) & 15].wrapping_add(i);
                            }
                        }
                        (0..LOCAL).for_each(|l| o.set(g + l, s[15 - l as usize]));
                    }
                }
                Kernel::Uniform => {
                    let v = |i: u32, c: u32| uniform.get(4 * i + c);
                    o.set(g, v(p[0].wrapping_add(g) & 3, g & 3).wrapping_add(v(1, 2)));
                }
                Kernel::Texels => {
                    let count = texels.words.len() as u32;
                    let at = g.wrapping_add(p[0]);
                    let texel = if (at as i32) < 0 { 0 } else { texels.get(at) };
                    o.set(g, texel.wrapping_add(count));
                }
                Kernel::Address => {
                    let at = g.wrapping_add(p[0] >> 1);
                    let word = if (at as i32) < 0 { 0 } else { texels.get(at) };
                    o.set(g, word.wrapping_add(1));
                }
                Kernel::Image => {}
            }
        }
    }
}
