//! The universal limits of SPIR-V (2.17): modules that reach the minimum limit that every implementation must accept,
//! compiled in both tiers and for the interpreter. Each test names the rows that it reaches. The limit on the nesting
//! of control flow is lower: see [`nesting`].

mod ways;

use std::sync::Arc;

use quadrille_jit::abi::Layout;
use quadrille_jit::codegen::{self, CompileOptions, NoImageOps};
use quadrille_jit::ir::Stage;
use quadrille_jit::spirv::{Module, asm};
use quadrille_jit::{CpuLevel, Error, Tier, interp};
use ways::parts::{Parts, lines};

/// Text of a module with a single invocation; `%cond` is true for the first invocation.
fn text(p: &Parts) -> String {
    let extensions = "OpCapability SignedZeroInfNanPreserve
OpExtension \"SPV_KHR_float_controls\"
OpExtension \"SPV_KHR_non_semantic_info\"\n";
    let whole = Parts {
        extensions: extensions.to_owned() + &p.extensions,
        modes: p.modes.clone(),
        names: p.names.clone(),
        types: "%ppriv = OpTypePointer Private %u32\n".to_owned() + &p.types,
        locals: p.locals.clone(),
        body: "%cond = OpIEqual %bool %x %c0\n".to_owned() + &p.body,
        functions: p.functions.clone(),
    };
    whole.text(1)
}

/// Loads a module, and compiles it in every variant.
fn accept(words: &[u32]) {
    let module = Module::parse(words).unwrap_or_else(|e| panic!("{e}"));
    let shader = Arc::new(module.lower("main", Stage::Compute, &[]).unwrap_or_else(|e| panic!("{e}")));
    let layout = Layout { bindings: Vec::new() };
    interp::build(shader.clone(), &layout, 8, &NoImageOps).unwrap_or_else(|e| panic!("{e}"));
    for tier in [Tier::First, Tier::Optimized] {
        let cpu = CpuLevel::current();
        let options =
            CompileOptions { lanes: 8, tier, layout: &layout, cpu, image_ops: &NoImageOps, missing: false };
        codegen::compile(&shader, &options).unwrap_or_else(|e| panic!("{e}"));
    }
}

fn accept_parts(p: &Parts) {
    accept(&asm::assemble(&text(p)).unwrap_or_else(|e| panic!("{e}")));
}

/// "Characters in a literal string"
#[test]
fn string() {
    accept_parts(&Parts { names: format!("OpName %main \"{}\"\n", "n".repeat(65535)), ..Parts::default() });
}

/// "Result <id> bound"
#[test]
fn bound() {
    let mut words = asm::assemble(&text(&Parts::default())).unwrap();
    let old = words[3];
    words[3] = 4_194_303;
    // OpTypeBool gets the largest id.
    let mut at = 5;
    let mut was = 0;
    while at < words.len() {
        if words[at] & 0xffff == 20 {
            was = words[at + 1];
            words[at + 1] = 4_194_302;
        } else if words[at] & 0xffff == 170 {
            assert_eq!(words[at + 1], was);
            words[at + 1] = 4_194_302;
        }
        at += (words[at] >> 16) as usize;
    }
    assert!(was > 0 && was < old);
    accept(&words);
}

fn nested(depth: usize) -> String {
    let open =
        |i| format!("OpSelectionMerge %m{i} None\nOpBranchConditional %cond %t{i} %m{i}\n%t{i} = OpLabel");
    lines(depth, open) + &lines(depth, |i| format!("OpBranch %m{0}\n%m{0} = OpLabel", depth - 1 - i))
}

/// SPIR-V requires 1023 levels of nesting; 128 are supported, and more are an error.
#[test]
fn nesting() {
    accept_parts(&Parts { body: nested(126), ..Parts::default() });
    let words = asm::assemble(&text(&Parts { body: nested(1023), ..Parts::default() })).unwrap();
    let e = Module::parse(&words).and_then(|m| m.lower("main", Stage::Compute, &[])).unwrap_err();
    assert!(matches!(e, Error::Limit(_)), "{e}");
}

/// "Global variables"
#[test]
fn globals() {
    let types = lines(65534, |i| format!("%g{i} = OpVariable %ppriv Private"));
    accept_parts(&Parts { types, body: "OpStore %g65533 %x\n".into(), ..Parts::default() });
}

/// "Local variables"
#[test]
fn locals() {
    let locals = lines(524_287, |i| format!("%v{i} = OpVariable %pfun Function"));
    accept_parts(&Parts { locals, body: "OpStore %v524286 %x\n".into(), ..Parts::default() });
}

/// "Decorations per target <id>"
#[test]
fn decorations() {
    accept_parts(&Parts { names: "OpDecorate %x RelaxedPrecision\n".repeat(60), ..Parts::default() });
}

/// "Execution modes per entry point"
#[test]
fn modes() {
    let modes = "OpExecutionMode %main SignedZeroInfNanPreserve 32\n".repeat(254);
    accept_parts(&Parts { modes, ..Parts::default() });
}

/// Nested structures; the innermost contains a number.
fn structures(depth: usize) -> String {
    "%s0 = OpTypeStruct %u32\n".to_owned()
        + &lines(depth - 1, |i| format!("%s{} = OpTypeStruct %s{i}", i + 1))
        + &format!("%ps = OpTypePointer Private %s{}\n%s = OpVariable %ps Private\n", depth - 1)
}

/// "Indexes of OpAccessChain", "Structure nesting depth"
#[test]
fn indexes() {
    let types = structures(255);
    let zeros = " %c0".repeat(255);
    let path = " 0".repeat(255);
    let body = format!(
        "%p = OpAccessChain %ppriv %s{zeros}\n%q = OpInBoundsAccessChain %ppriv %s{zeros}\nOpStore %p %x\n\
         %w = OpLoad %s254 %s\n%e = OpCompositeExtract %u32 %w{path}\n\
         %i = OpCompositeInsert %s254 %e %w{path}\nOpStore %s %i\n"
    );
    accept_parts(&Parts { types, body, ..Parts::default() });
}

/// "Function parameters per function declaration", "OpFunctionCall actual arguments"
#[test]
fn parameters() {
    let types = format!("%big = OpTypeFunction %u32{}\n", " %u32".repeat(255));
    let body = format!("%r = OpFunctionCall %u32 %f{}\n", " %x".repeat(255));
    let functions = "%f = OpFunction %u32 None %big\n".to_owned()
        + &lines(255, |i| format!("%a{i} = OpFunctionParameter %u32"))
        + "%fl = OpLabel\n%sum = OpIAdd %u32 %a0 %a254\nOpReturnValue %sum\nOpFunctionEnd\n";
    accept_parts(&Parts { types, body, functions, ..Parts::default() });
}

/// "OpExtInst actual arguments"
#[test]
fn extended() {
    let extensions = "%set = OpExtInstImport \"NonSemantic.Unknown\"\n".into();
    let body = format!("%e = OpExtInst %void %set 7{}\n", " %x".repeat(255));
    accept_parts(&Parts { extensions, body, ..Parts::default() });
}

/// "OpSwitch (literal,label) pairs"
#[test]
fn switch() {
    let cases = (0..16383).fold(String::new(), |all, i| all + &format!(" {i} %case{}", i % 2));
    let body = format!(
        "OpSelectionMerge %sm None\nOpSwitch %x %sm{cases}\n%case0 = OpLabel\nOpBranch %sm\n\
         %case1 = OpLabel\nOpBranch %sm\n%sm = OpLabel\n"
    );
    accept_parts(&Parts { body, ..Parts::default() });
}

/// "OpTypeStruct members"
#[test]
fn members() {
    let types = format!(
        "%wide = OpTypeStruct{}\n%pw = OpTypePointer Private %wide\n%w = OpVariable %pw Private\n\
         %c16382 = OpConstant %u32 16382\n",
        " %u32".repeat(16383)
    );
    let body = "%p = OpAccessChain %ppriv %w %c16382\nOpStore %p %x\n".into();
    accept_parts(&Parts { types, body, ..Parts::default() });
}

/// The private arrays of a group must not exceed the memory that their offsets can address.
#[test]
fn private_arrays_that_are_too_large_are_refused() {
    // 70 arrays of 2^18 words: 2.3 GB in groups of 32 lanes, and 4.7 GB in the interpreter.
    let n = 70;
    let parts = Parts {
        types: "%many = OpConstant %u32 262144\n%array = OpTypeArray %u32 %many\n\
                %parray = OpTypePointer Function %array\n"
            .into(),
        locals: lines(n, |i| format!("%v{i} = OpVariable %parray Function")),
        body: lines(n, |i| format!("%p{i} = OpAccessChain %pfun %v{i} %x\nOpStore %p{i} %x")),
        ..Parts::default()
    };
    let words = asm::assemble(&text(&parts)).unwrap();
    let module = Module::parse(&words).unwrap();
    let shader = Arc::new(module.lower("main", Stage::Compute, &[]).unwrap_or_else(|e| panic!("{e}")));
    let layout = Layout { bindings: Vec::new() };
    assert!(matches!(interp::build(shader.clone(), &layout, 32, &NoImageOps), Err(Error::Limit(_))));
    let (tier, cpu) = (Tier::First, CpuLevel::current());
    let options =
        CompileOptions { lanes: 32, tier, layout: &layout, cpu, image_ops: &NoImageOps, missing: false };
    assert!(matches!(codegen::compile(&shader, &options), Err(Error::Limit(_))));
}

/// Asserts that lowering refuses a module because of a limit that the message names.
fn refuse(p: &Parts, limit: &str) {
    let module = Module::parse(&asm::assemble(&text(p)).unwrap()).unwrap();
    let e = module.lower("main", Stage::Compute, &[]).unwrap_err();
    assert!(matches!(&e, Error::Limit(m) if m.contains(limit)), "{e}");
}

/// A few words declare an array of 262,144 numbers, or make a changed copy of a constant one.
#[test]
fn memory_of_variables_and_constants_is_bounded() {
    let types = "%many = OpConstant %u32 262144\n%array = OpTypeArray %u32 %many\n\
                 %parray = OpTypePointer Function %array\n%k0 = OpConstantNull %array\n";
    let locals = lines(300, |i| format!("%v{i} = OpVariable %parray Function"));
    refuse(&Parts { types: types.into(), locals, ..Parts::default() }, "variables");
    let loads = lines(300, |i| format!("%l{i} = OpLoad %array %v"));
    let locals = "%v = OpVariable %parray Function\n".into();
    refuse(&Parts { types: types.into(), locals, body: loads, ..Parts::default() }, "variables");
    let change = |i: usize| format!("%k{} = OpSpecConstantOp %array CompositeInsert %c1 %k{i} 0", i + 1);
    let changed = lines(100, change);
    let types = format!("{types}{changed}%e = OpSpecConstantOp %u32 CompositeExtract %k100 0\n");
    refuse(&Parts { types, body: "%sum = OpIAdd %u32 %e %x\n".into(), ..Parts::default() }, "constants");
}

/// A few words keep a value of 262,144 numbers once more: copies, undefined values, and arguments of functions.
#[test]
fn memory_of_values_that_are_kept_is_bounded() {
    let types = "%n = OpConstant %u32 262144\n%array = OpTypeArray %u32 %n\n%k0 = OpConstantNull %array\n\
                 %takes = OpTypeFunction %void %array %array\n";
    let functions = "%f = OpFunction %void None %takes\n%a = OpFunctionParameter %array\n\
                     %b = OpFunctionParameter %array\n%fl = OpLabel\nOpReturn\nOpFunctionEnd\n";
    let ways: [fn(usize) -> String; 3] = [
        |i| format!("%e{i} = OpCopyObject %array %k0"),
        |i| format!("%e{i} = OpUndef %array"),
        |i| format!("%e{i} = OpFunctionCall %void %f %k0 %k0"),
    ];
    for way in ways {
        let parts = |n| Parts {
            types: types.into(),
            body: lines(n, way),
            functions: functions.into(),
            ..Parts::default()
        };
        refuse(&parts(100), "IR nodes");
        accept_parts(&parts(3));
    }
}

/// A few words take the numbers of large arrays apart: instructions that have no arrays as operands, selections, results of
/// functions and values that depend on the way.
#[test]
fn aggregates_are_taken_apart_in_proportion_to_the_module() {
    let types = |n: usize| {
        format!(
            "%n = OpConstant %u32 {n}\n%array = OpTypeArray %u32 %n\n%parray = OpTypePointer Function %array\n\
             %k0 = OpConstantNull %array\n%to_array = OpTypeFunction %array\n"
        )
    };
    let locals = || "%v = OpVariable %parray Function\n%w = OpVariable %parray Function\n".to_owned();
    let functions = || {
        "%f = OpFunction %array None %to_array\n%fl = OpLabel\n%fv = OpVariable %parray Function\n\
         %fx = OpLoad %array %fv\nOpReturnValue %fx\nOpFunctionEnd\n"
            .to_owned()
    };
    let ways = [
        "%l = OpLoad %array %v\n%e = OpUConvert %u32 %l\n",
        "%e = OpIAdd %u32 %k0 %k0\n",
        "%e = OpSelect %array %cond %k0 %k0\n",
        "%l = OpLoad %array %v\n%e = OpSelect %array %cond %l %l\nOpStore %v %e\n",
        "%e = OpFunctionCall %array %f\nOpStore %v %e\n",
        "%l = OpLoad %array %v\nOpSelectionMerge %merge None\nOpBranchConditional %cond %then %merge\n\
         %then = OpLabel\nOpBranch %merge\n%merge = OpLabel\n%e = OpPhi %array %l %entry %k0 %then\n",
    ];
    for way in ways {
        let parts = |n| Parts {
            types: types(n),
            locals: locals(),
            body: way.into(),
            functions: functions(),
            ..Parts::default()
        };
        refuse(&parts(262_144), "apart");
        let is_valid = !way.contains("%u32 %k0") && !way.contains("%u32 %l");
        if is_valid {
            accept_parts(&parts(2000));
        }
    }
    // Copies are loops, and the rest of a value only moves.
    let body = "%l = OpLoad %array %v\nOpStore %w %l\nOpStore %v %k0\n%i = OpCompositeInsert %array %x %k0 7\n\
                %e = OpCompositeExtract %u32 %i 7\nOpCopyMemory %w %v\n";
    accept_parts(&Parts { types: types(262_144), locals: locals(), body: body.into(), ..Parts::default() });
    // No loop copies structures of structures.
    let nested = |depth: usize| {
        format!("%s0 = OpTypeStruct{}\n", " %u32".repeat(8))
            + &lines(depth, |i| format!("%s{} = OpTypeStruct{}", i + 1, format!(" %s{i}").repeat(8)))
            + &format!("%parray = OpTypePointer Function %s{depth}\n")
    };
    let body = "OpCopyMemory %w %v\n";
    let parts =
        |depth| Parts { types: nested(depth), locals: locals(), body: body.into(), ..Parts::default() };
    refuse(&parts(5), "apart");
    accept_parts(&parts(3));
}

/// Long names and texts of functions that are called very often.
#[test]
fn memory_of_names_and_texts_is_bounded() {
    let long = "n".repeat(65535);
    let parts = Parts {
        names: format!("OpName %f \"{long}\"\n"),
        types: "%to_number = OpTypeFunction %u32\n".into(),
        body: lines(3000, |i| format!("%r{i} = OpFunctionCall %u32 %f")),
        functions: "%f = OpFunction %u32 None %to_number\n%fl = OpLabel\nOpReturnValue %c1\n\
                    OpFunctionEnd\n"
            .into(),
        ..Parts::default()
    };
    refuse(&parts, "IR nodes");
    let parts = Parts {
        extensions: "%print = OpExtInstImport \"NonSemantic.DebugPrintf\"\n".into(),
        names: format!("%text = OpString \"{long}\"\n"),
        body: lines(3000, |i| format!("%p{i} = OpExtInst %void %print 1 %text")),
        ..Parts::default()
    };
    refuse(&parts, "IR nodes");
}

/// Spec: SPIR-V, OpTypeForwardPointer. Only pointers lead back to a type, so that walks over types end.
#[test]
fn forward_declarations_name_pointers() {
    for types in [
        "%a = OpTypeStruct %a",
        "%a = OpTypeRuntimeArray %a",
        "%b = OpTypeStruct %a\n%a = OpTypeStruct %b",
        "%c1 = OpConstant %u32 1\n%a = OpTypeArray %a %c1",
    ] {
        let text = format!(
            "OpCapability Shader
OpCapability PhysicalStorageBufferAddresses
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpTypeForwardPointer %a PhysicalStorageBuffer
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
{types}
%p = OpTypePointer Private %a
%v = OpVariable %p Private
%main = OpFunction %void None %fn
%entry = OpLabel
%x = OpLoad %a %v
OpReturn
OpFunctionEnd"
        );
        let e = Module::parse(&asm::assemble(&text).unwrap_or_else(|e| panic!("{e}"))).unwrap_err();
        assert!(matches!(&e, Error::Invalid { message, .. } if message.contains("is not a pointer")), "{e}");
    }
}

/// Constants whose types have lengths that depend on such constants again, each at the end of a long chain.
#[test]
fn chains_of_constants_and_types_end() {
    let mut types =
        String::from("%one = OpConstant %u32 1\n%zero = OpConstant %u32 0\n%n9 = OpSpecConstant %u32 0\n");
    for k in (1..9).rev() {
        let base = if k == 8 {
            "OpSpecConstantOp %u32 IAdd %n9 %one"
        } else {
            &format!("OpSpecConstantOp %u32 CompositeExtract %n{} 0", k + 1)
        };
        types += &format!("%t{k}_0 = {base}\n");
        for i in 1..250 {
            let add = if i == 1 && k < 8 { "%one" } else { "%zero" };
            types += &format!("%t{k}_{i} = OpSpecConstantOp %u32 IAdd %t{k}_{} {add}\n", i - 1);
        }
        types += &format!("%a{k} = OpTypeArray %u32 %t{k}_249\n%n{k} = OpConstantNull %a{k}\n");
    }
    let text = format!(
        "; Version: 1.6
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionModeId %main LocalSizeId %t1_249 %one %one
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
{types}
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd"
    );
    let words = asm::assemble(&text).unwrap_or_else(|e| panic!("{e}"));
    let done = Module::parse(&words).and_then(|module| module.lower("main", Stage::Compute, &[]));
    assert!(matches!(done, Err(Error::Limit(_))), "{:?}", done.err());
}
