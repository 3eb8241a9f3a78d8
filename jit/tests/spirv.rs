//! From SPIR-V text to results: the output of real compilers, plain and optimized, runs in the interpreter and as
//! generated code at every lane count. The results are compared with the same program in Rust.

mod ways;

use std::sync::Arc;

use quadrille_jit::abi::{BindingLayout, DESCRIPTOR_BYTES, Layout};
use quadrille_jit::codegen::{self, CompileOptions, ImageOps};
use quadrille_jit::ir::{ImageOp, Stage};
use quadrille_jit::spirv::{Module, asm};
use quadrille_jit::{CpuLevel, Tier, interp};
use ways::{compute, module};

fn ints(list: &[u32]) -> Vec<i32> {
    list.iter().map(|&w| w as i32).collect()
}

/// The numbers 0, 1, 2, ...
fn count(n: u32) -> Vec<u32> {
    (0..n).collect()
}

fn flow(x: i32) -> Option<i32> {
    fn early(x: i32) -> i32 {
        for i in 0..10 {
            if i == x {
                return i * 100;
            }
            for j in 0..3 {
                if i + j == x * 2 {
                    return i * 10 + j;
                }
                if j == 1 && i == 4 {
                    break;
                }
            }
            if i == 7 {
                break;
            }
        }
        -1
    }
    fn sw(x: i32) -> i32 {
        match x {
            0 => 11,
            1 => 10,
            2 => 100 + 1000 + 5 + 7,
            3 => 100,
            9 => 7,
            12 => -7,
            _ => 5 + 7,
        }
    }
    fn loops(x: i32) -> i32 {
        let (mut s, mut i) = (0i32, 0);
        loop {
            i += 1;
            if i & 1 != 0 {
                s += i;
                let mut k = 0;
                loop {
                    k += 1;
                    match k + x {
                        3 => continue,
                        6 => s += 1000,
                        _ if k > 4 => s += k,
                        _ => {}
                    }
                    if k > x || k > 7 {
                        break;
                    }
                }
                s = s * 3 + k;
            }
            if !(i < x && s < 100_000) {
                return s;
            }
        }
    }
    let mut v = early(x) + 3 * sw(x);
    v = v * 7 + loops(x);
    let (mut p, mut q) = (x * 2, x);
    if x > 5 {
        q += 1;
    } else {
        q -= 1;
        p += q;
    }
    v = v * 5 + p + q;
    let mut c = 0;
    let mut side = |v| {
        c += 1;
        v
    };
    if side(x > 3) && side(x < 9) || side(x == 0) {
        v += c * 1000;
    } else {
        v -= c;
    }
    v += match x % 2 {
        0 if x > 4 => 11,
        0 => 13,
        _ => 17,
    };
    let (mut k, mut m) = (0, 1);
    while k < x {
        if m == 4 {
            v ^= k;
        } else {
            v += m;
        }
        k += m;
        m = (m * 2) % 7;
    }
    (x != 14).then_some(v)
}

#[test]
fn control_flow() {
    let want: Vec<i32> = (0..16).map(|x| flow(x).unwrap_or(0)).collect();
    for text in [include_str!("spirv/flow.spvasm"), include_str!("spirv/flow.opt.spvasm")] {
        let out = compute(text, &[], &[count(16), vec![0; 16]]);
        assert_eq!(ints(&out[1]), want);
    }
}

fn deep(x: i32) -> i32 {
    #[derive(Clone, Copy, Default)]
    struct P {
        p: [f32; 2],
        k: [i32; 2],
    }
    let swap = |mut p: P| {
        if p.k[0] > 4 {
            p.k.swap(0, 1);
        } else {
            p.p.swap(0, 1);
        }
        p
    };
    let make = |x: i32| P { p: [x as f32, (x + 1) as f32], k: [x, -x] };
    let mut p: Vec<P> = (0..3).map(|k| swap(make(x + k))).collect();
    let e = &mut p[x as usize % 3];
    e.k[x as usize & 1] += x;
    let mut all = true;
    for j in 0..x {
        if j == 3 {
            all = false;
            break;
        }
        e.p[j as usize & 1] += j as f32;
    }
    if all {
        e.k[0] = 50;
    }
    let mut v = 0i32;
    for p in &p {
        v = v.wrapping_mul(31) + p.k[0] * 3 + p.k[1] + (p.p[0] * 2.0 + p.p[1]) as i32;
    }
    let (mut last, mut prev) = (0, 0);
    for k in 0..20 {
        let t = last * 3 + prev + k;
        (prev, last) = (last, t & 0xffff);
        if k > x && t & 1 == 0 {
            break;
        }
        if t % 5 == 0 {
            continue;
        }
        v += t;
    }
    let mut m = [[0f32; 4]; 4];
    for (i, column) in m.iter_mut().enumerate() {
        column[i] = 1.0;
    }
    m[x as usize % 4] = [x as f32, 2.0, 3.0, 4.0];
    let w: Vec<f32> = (0..4).map(|r| (0..4).map(|c| m[c][r] * (c + 1) as f32).sum()).collect();
    let b: Vec<bool> = w.iter().map(|&w| w > 3.0).collect();
    v += i32::from(b.contains(&true));
    v += if b.contains(&false) { 0 } else { 2 };
    v += (0..4).map(|i| if b[i] { 9.0 } else { w[i] } * [1.0, 3.0, 5.0, 7.0][i]).sum::<f32>() as i32;
    let (mut lo, mut hi) = (0, 100);
    while lo < hi {
        let mid = (lo + hi) / 2;
        if mid * mid < x * 37 { lo = mid + 1 } else { hi = mid }
    }
    v + last - prev + lo
}

#[test]
fn structs_and_functions() {
    let want: Vec<i32> = (0..16).map(deep).collect();
    for text in [include_str!("spirv/deep.spvasm"), include_str!("spirv/deep.opt.spvasm")] {
        let out = compute(text, &[], &[count(16), vec![0; 16]]);
        assert_eq!(ints(&out[1]), want);
    }
}

#[test]
fn memory_layouts() {
    // std140: the elements of `a` are 16 bytes apart.
    let input: Vec<u32> = (0..64).map(|i| if i % 4 == 0 { i / 4 } else { 99 }).collect();
    let f = |v: f32| v.to_bits();
    let data: Vec<u32> = (0..64)
        .map(|i| if (12..15).contains(&i) || (28..31).contains(&i) { i } else { f(i as f32) })
        .collect();
    for n in [4u32, 3] {
        let mut d = data.clone();
        // s[1] = s[0] copies v, f, both columns, arr.
        for at in [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 13, 14] {
            d[16 + at] = d[at];
        }
        let tail_len = (64 - 56) / 2;
        d[16 + 1] = f(tail_len as f32);
        for (at, v) in [(24, 7.0), (25, 8.0), (26, 9.0)] {
            d[at] = f(v);
        }
        d[28 + n as usize - 2] = 77;
        // rm is row-major: rows of three at words 32 and 36.
        d[34] = f(50.0);
        d[38] = f(60.0);
        d[36] = f(5.0);
        // cm[0][1] = 33 in invocation 0; then cm is transposed.
        d[41] = f(33.0);
        for c in 0..4 {
            for r in 0..c {
                d.swap(40 + c * 4 + r, 40 + r * 4 + c);
            }
        }
        d[58] = d[57];
        d[59] = d[56];
        let rm = |c: usize, r: usize| f32::from_bits(d[32 + r * 4 + c]);
        let mut sum = 0f32;
        for c in 0..3 {
            for r in 0..2 {
                sum = sum * 2.0 + rm(c, r);
            }
        }
        let table = [3, 1, 4, 1, 5, 9];
        let want: Vec<i32> = (0..16i32)
            .map(|x| {
                let xs = x as usize;
                let next = (x + 1) % 16;
                let mut v = next * next + if (x + 3) % 16 > 7 { 1000 } else { 0 };
                v += (x % n as i32) * x + table[xs % 6];
                let mut vec = [x as f32, 1.0, 2.0, 3.0];
                let mut arr = [1, 2, 3];
                vec[xs % 4] += 1.0;
                arr[xs % 4 % 3] += x % 4;
                let dot = vec[0] + vec[1] * 10.0 + vec[2] * 100.0 + vec[3] * 1000.0;
                v = v * 3 + dot as i32 + arr[0] + 10 * arr[1] + 100 * arr[2];
                v += sum as i32;
                v + d[28 + xs % 3] as i32 + f32::from_bits(d[20 + (xs % 2) * 4 + xs % 3]) as i32
            })
            .collect();
        for (text, given) in [
            (include_str!("spirv/memory.spvasm"), true),
            // The optimizer keeps specialization constants.
            (include_str!("spirv/memory.opt.spvasm"), true),
            (include_str!("spirv/memory.spvasm"), false),
        ] {
            if !given && n != 4 {
                continue;
            }
            let spec: &[(u32, u64)] = if given { &[(3, u64::from(n))] } else { &[] };
            let out = compute(text, spec, &[input.clone(), vec![0; 16], data.clone()]);
            assert_eq!(ints(&out[1]), want, "N = {n}");
            assert_eq!(out[2], d, "N = {n}");
        }
    }
}

#[test]
fn functions_of_glsl_agree_in_every_way() {
    let inputs = [count(16), vec![0; 16]];
    let plain = compute(include_str!("spirv/math.spvasm"), &[], &inputs);
    let optimized = compute(include_str!("spirv/math.opt.spvasm"), &[], &inputs);
    assert_eq!(plain, optimized);
}

/// A compute module that reads `%x` from binding 0 and stores `%r` to binding 1, one invocation each.
fn snippet(globals: &str, body: &str) -> String {
    format!(
        r#"OpCapability Shader
%ext = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %gid
OpExecutionMode %main LocalSize 16 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %ints ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
OpDecorate %spec SpecId 7
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%spec = OpSpecConstant %int 5
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c3 = OpConstant %int 3
%v3uint = OpTypeVector %uint 3
%pin = OpTypePointer Input %v3uint
%ints = OpTypeRuntimeArray %int
%block = OpTypeStruct %ints
%pblock = OpTypePointer StorageBuffer %block
%pint = OpTypePointer StorageBuffer %int
%gid = OpVariable %pin Input
%in = OpVariable %pblock StorageBuffer
%out = OpVariable %pblock StorageBuffer
{globals}
%main = OpFunction %void None %fn
%entry = OpLabel
%ids = OpLoad %v3uint %gid
%i = OpCompositeExtract %uint %ids 0
%from = OpAccessChain %pint %in %c0 %i
%to = OpAccessChain %pint %out %c0 %i
%x = OpLoad %int %from
{body}
OpStore %to %r
OpReturn
OpFunctionEnd
"#
    )
}

#[test]
fn specialization_constants_fold() {
    let text = snippet(
        "%a = OpSpecConstantOp %int IMul %spec %spec
%b = OpSpecConstantOp %int SMod %a %c3
%t = OpSpecConstantOp %bool SLessThan %b %c1
%s = OpSpecConstantOp %int Select %t %a %b
%arr = OpTypeArray %int %s
%parr = OpTypePointer Function %arr
%pi = OpTypePointer Function %int",
        "%r = OpIAdd %int %s %x",
    );
    // 5 * 5 % 3 = 1; 6 * 6 % 3 = 0, so 36.
    for (spec, want) in [(None, 1u32), (Some(6u64), 36)] {
        let spec: Vec<_> = spec.map(|v| (7, v)).into_iter().collect();
        let out = compute(&text, &spec, &[count(16), vec![0; 16]]);
        assert_eq!(out[1], (0..16).map(|x| x + want).collect::<Vec<_>>());
    }
    let module = module(&text);
    let list = module.spec_constants();
    assert_eq!((list.len(), list[0].spec_id, list[0].default_bits), (1, 7, 5));
}

#[test]
fn dot_products_of_integers() {
    let body = "%p = OpBitcast %uint %x
%d = OpSDot %int %p %p PackedVectorFormat4x8Bit
%r = OpSDotAccSat %int %p %p %max PackedVectorFormat4x8Bit
OpStore %to %d
%unused = OpIAdd %int %d %r";
    let text = snippet("%max = OpConstant %int 0x7fffffff", body).replace(
        "OpCapability Shader",
        "OpCapability Shader\nOpCapability DotProduct\nOpCapability DotProductInput4x8BitPacked",
    );
    let out = compute(&text, &[], &[vec![0x0102_ff80; 16], vec![0; 16]]);
    assert_eq!(out[1], [0x7fff_ffff; 16]);
    let text = text.replace("OpStore %to %r", "OpStore %to %d");
    let out = compute(&text, &[], &[vec![0x0102_ff80; 16], vec![0; 16]]);
    assert_eq!(out[1], [1 + 4 + 1 + 128 * 128; 16]);
}

/// Returns the error of lowering a snippet.
fn complaint(globals: &str, body: &str) -> String {
    let words = asm::assemble(&snippet(globals, body)).unwrap_or_else(|e| panic!("{e}"));
    let lower = || Module::parse(&words)?.lower("main", Stage::Compute, &[]);
    match lower() {
        Ok(shader) => panic!("accepted:\n{shader}"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn errors_name_instruction_id_and_place() {
    let e = complaint("", "%r = OpFAdd %int %x %x");
    assert!(e.starts_with("invalid: ") && e.contains("f.add"), "{e}");
    let e = complaint("", "%sum = OpIAdd %float %x %x\n%r = OpCopyObject %int %x");
    assert!(e.contains("(i32, i32) -> (f32)") && e.contains("OpIAdd") && e.contains("at word"), "{e}");
    let e = complaint("", "OpKill\n%other = OpLabel\n%r = OpCopyObject %int %x");
    assert!(e.contains("fragment"), "{e}");
    let e = complaint("", "OpLine %ext 42 0\n%r = OpIAdd %int %x %nothing");
    assert!(e.contains("source line 42"), "{e}");
    let e = complaint("%f2 = OpTypeVector %float 9", "%r = OpCopyObject %int %x");
    assert!(e.contains("OpTypeVector"), "{e}");
    let e = complaint("", "OpBranch %entry\n%after = OpLabel\n%r = OpCopyObject %int %x");
    assert!(e.contains("not structured"), "{e}");
    let words = asm::assemble("OpCapability Pipes").unwrap();
    let e = Module::parse(&words).unwrap_err().to_string();
    assert!(e.starts_with("unsupported: capability Pipes"), "{e}");
    let e =
        module(&snippet("", "%r = OpCopyObject %int %x")).lower("other", Stage::Compute, &[]).unwrap_err();
    assert!(e.to_string().contains("the module has: main (Compute)"), "{e}");
}

#[test]
fn recursion_and_endless_nesting_are_refused() {
    let text = snippet("", "%r = OpFunctionCall %int %f %x")
        + "%f = OpFunction %int None %tf\n%p = OpFunctionParameter %int\n%l = OpLabel\n%v = OpFunctionCall %int %f %p\nOpReturnValue %v\nOpFunctionEnd";
    let text = text.replace("%v3uint = ", "%tf = OpTypeFunction %int %int\n%v3uint = ");
    let e = module(&text).lower("main", Stage::Compute, &[]).unwrap_err().to_string();
    assert!(e.contains("calls itself"), "{e}");
    let nested = |depth: usize| {
        let mut body = "%cond = OpSLessThan %bool %x %c3\n".to_owned();
        for i in 0..depth {
            body += &format!(
                "OpSelectionMerge %m{i} None\nOpBranchConditional %cond %t{i} %m{i}\n%t{i} = OpLabel\n"
            );
        }
        for i in (0..depth).rev() {
            body += &format!("OpBranch %m{i}\n%m{i} = OpLabel\n");
        }
        snippet("", &(body + "%r = OpCopyObject %int %x"))
    };
    let out = compute(&nested(100), &[], &[count(16), vec![0; 16]]);
    assert_eq!(out[1], count(16));
    let e = module(&nested(5000)).lower("main", Stage::Compute, &[]).unwrap_err().to_string();
    assert!(e.contains("nested deeper"), "{e}");
}

#[test]
fn graphics_stages_lower() {
    for (text, stage) in [
        (include_str!("spirv/pix.spvasm"), Stage::Fragment),
        (include_str!("spirv/tri.spvasm"), Stage::Vertex),
    ] {
        let shader = module(text).lower("main", stage, &[]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(shader.needs_quads, stage == Stage::Fragment);
        if stage == Stage::Vertex {
            // Position, the clip distances, then locations 0, 1, 2, 3 and 4; PointSize is absent.
            let slots: Vec<String> = shader.outputs.iter().map(|o| o.slot.to_string()).collect();
            assert_eq!(
                slots[3..9],
                [
                    "Position.3",
                    "ClipDistance.0",
                    "ClipDistance.1",
                    "location 0.0",
                    "location 0.1",
                    "location 0.2"
                ]
            );
            assert_eq!(slots.len(), 20);
        }
        let layout = Layout {
            bindings: (shader.bindings.iter().enumerate())
                .map(|(i, b)| BindingLayout::new(b.set, b.binding, i as u32 * 16 * DESCRIPTOR_BYTES, b.count))
                .collect(),
        };
        let (tier, cpu) = (Tier::Optimized, CpuLevel::current());
        let opts =
            CompileOptions { lanes: 8, tier, layout: &layout, cpu, image_ops: &AnyImageOps, missing: false };
        codegen::compile(&shader, &opts).unwrap_or_else(|e| panic!("{e}\n{shader}"));
        interp::build(Arc::new(shader), &layout, 8, &AnyImageOps).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Deterministic pseudo-random numbers.
struct Rng(u64);

impl Rng {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % below
    }
}

/// Interns every image operation as number 1.
struct AnyImageOps;

impl ImageOps for AnyImageOps {
    fn intern(&self, _: &ImageOp) -> quadrille_jit::Result<u32> {
        Ok(1)
    }
}

/// Parses, lowers and, if `compile` is set, compiles arbitrary words. The only requirement is that every call returns.
fn survive(words: &[u32], compile: bool) {
    let Ok(module) = Module::parse(words) else { return };
    let _ = quadrille_jit::spirv::reflect::reflect(&module);
    for entry in module.entry_points() {
        let Ok(shader) = module.lower(&entry.name, entry.stage, &[]) else { continue };
        if compile {
            let layout = Layout::default();
            let (tier, cpu) = (Tier::First, CpuLevel::current());
            let opts = CompileOptions {
                lanes: 8,
                tier,
                layout: &layout,
                cpu,
                image_ops: &AnyImageOps,
                missing: false,
            };
            let _ = codegen::compile(&shader, &opts);
        }
    }
}

#[test]
fn damaged_modules_do_no_harm() {
    let texts = [
        include_str!("spirv/flow.spvasm"),
        include_str!("spirv/deep.opt.spvasm"),
        include_str!("spirv/memory.spvasm"),
        include_str!("spirv/math.opt.spvasm"),
        include_str!("spirv/pix.spvasm"),
        include_str!("spirv/tri.spvasm"),
    ];
    let rounds = quadrille_jit::env::TEST_ROUNDS.get().unwrap_or(300);
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    for text in texts {
        let words = asm::assemble(text).unwrap();
        for cut in 0..40 {
            survive(&words[..words.len() * cut / 40], false);
        }
        for round in 0..rounds {
            let mut bad = words.clone();
            for _ in 0..=rng.next(3) {
                let at = rng.next(bad.len());
                bad[at] = match rng.next(5) {
                    0 => rng.next(1 << 32) as u32,
                    1 => bad[rng.next(bad.len())],
                    2 => bad[at] ^ 1 << rng.next(32),
                    3 => bad[at].wrapping_add(rng.next(5) as u32).wrapping_sub(2),
                    // Ids and small numbers are the most effective wrong values.
                    _ => rng.next(bad[3] as usize + 1) as u32,
                };
            }
            survive(&bad, round % 8 == 0);
            let _ = asm::disassemble(&bad);
        }
    }
}

#[test]
fn damaged_text_does_no_harm() {
    let text = include_str!("spirv/memory.opt.spvasm");
    let mut rng = Rng(77);
    for _ in 0..300 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=rng.next(4) {
            let at = rng.next(bytes.len());
            bytes[at] = b"%=\"; 0x-Op|!\n9"[rng.next(14)];
        }
        if let Ok(words) = asm::assemble(&String::from_utf8_lossy(&bytes)) {
            survive(&words, false);
        }
    }
}
