//! Tests of whole modules: parse, lower, verify.

mod products;

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{Module, asm};
use crate::env;

/// Reads the words of a binary or text file.
fn words(path: &Path) -> crate::Result<Vec<u32>> {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_some_and(|e| e == "spvasm") {
        return asm::assemble(&String::from_utf8_lossy(&bytes));
    }
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

/// Modules of a folder, in the order of their names.
fn modules_of(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = files.map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "spv" || e == "spvasm"));
    paths.sort();
    paths
}

/// Disassembles and assembles a module, then lowers, optimizes and verifies each entry point.
fn compile(name: &str, binary: &[u32]) -> Result<(), String> {
    let mut again = asm::assemble(&asm::disassemble(binary).unwrap()).unwrap();
    again[2..5].copy_from_slice(&binary[2..5]);
    assert!(again == binary, "{name}: round trip through text");
    let start = Instant::now();
    let module = Module::parse(binary).map_err(|e| format!("parse: {e}"))?;
    super::reflect::reflect(&module).map_err(|e| format!("reflect: {e}"))?;
    let parsed = start.elapsed();
    for entry in module.entry_points() {
        let start = Instant::now();
        let lowered = module.lower(&entry.name, entry.stage, &[]);
        let mut shader = lowered.map_err(|e| format!("{:?} {}: {e}", entry.stage, entry.name))?;
        let lowered = start.elapsed();
        if env::is_on(env::TEST_PRINT) {
            println!("{name}\n{shader}");
        }
        crate::passes::optimize(&mut shader, crate::cpu::Tier::Optimized)
            .map_err(|e| format!("passes: {e}"))?;
        if env::is_on(env::TEST_TIME) {
            let all = start.elapsed();
            println!(
                "{name}: {} words, parsed in {parsed:?}, lowered in {lowered:?}, with passes {all:?}",
                binary.len()
            );
        }
        crate::ir::verify(&shader).map_err(|e| format!("after passes: {e}"))?;
    }
    Ok(())
}

/// Every module of the suite's folders, or of the folder that `QUADRILLE_TEST_SPV` names, compiles up to the IR.
#[test]
fn folders_of_modules_compile() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/assets");
    let folders = match env::TEST_SPV.get() {
        Some(folder) => vec![folder],
        None => ["compile", "kernels", "modules"].map(|folder| suite.join(folder)).into(),
    };
    let mut failed = Vec::new();
    for path in folders.iter().flat_map(|folder| modules_of(folder)) {
        let name = path.file_name().unwrap().to_string_lossy();
        let done =
            words(&path).map_err(|e| format!("assemble: {e}")).and_then(|binary| compile(&name, &binary));
        failed.extend(done.err().map(|e| format!("{name}: {e}")));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// With notes enabled, the IR notes operations that are not defined for all operands, and values that are never
/// defined. The rest of the shader is unchanged.
#[test]
fn notes_are_made_where_they_are_asked_for() {
    use crate::ir::{Imm, Note, Op, Partial, Stage, each_inst};

    let text = "OpCapability Shader
%glsl = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%i32 = OpTypeInt 32 1
%v2 = OpTypeVector %f32 2
%one = OpConstant %f32 1
%ones = OpConstantComposite %v2 %one %one
%bits = OpConstant %i32 3
%iv2 = OpTypeVector %i32 2
%bits2 = OpConstantComposite %iv2 %bits %bits
%undef = OpUndef %v2
%main = OpFunction %void None %fn
%entry = OpLabel
%clamped = OpExtInst %v2 %glsl FClamp %ones %undef %ones
%sum = OpFAdd %v2 %clamped %ones
%field = OpBitFieldUExtract %iv2 %bits2 %bits %bits
OpReturn
OpFunctionEnd
";
    let module = Module::parse(&asm::assemble(text).unwrap()).unwrap();
    let notes = |shader: &crate::ir::Shader| {
        let mut notes = Vec::new();
        each_inst(&shader.body, &mut |inst| {
            if let Imm::Note(note) = inst.imm {
                assert_eq!(inst.op, Op::Note);
                notes.push((note, inst.args.to_vec()));
            }
        });
        notes
    };
    assert_eq!(notes(&module.lower("main", Stage::Compute, &[]).unwrap()), []);
    let shader = module.lower_noted("main", Stage::Compute, &[]).unwrap();
    let list = notes(&shader);
    let kinds: Vec<Note> = list.iter().map(|n| n.0).collect();
    assert_eq!(
        kinds,
        [Note::Undef, Note::Partial(Partial::FClamp), Note::Partial(Partial::BitFieldUExtract)]
    );
    let (undef, clamp) = (&list[0].1, &list[1].1);
    assert_eq!((undef.len(), clamp.len(), list[2].1.len()), (2, 8, 8));
    // The operands are in order, and each undefined value is distinct from every other constant.
    assert_eq!(clamp[2..4], undef[..]);
    assert_eq!(clamp[0], clamp[4]);
    assert_ne!(undef[0], undef[1]);
}

/// Numbers of microscaling are only converted to other floats, and those of less than a byte are not in memory with a
/// layout. Spec: SPV_EXT_ocp_microscaling_types; Vulkan, "Validation Rules within a Module".
#[test]
fn instructions_without_numbers_of_microscaling_refuse_them() {
    let compiled = |types: &str, code: &str| {
        let text = format!(
            "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%e2m1 = OpTypeFloat 4 Float4E2M1EXT
%e3m2 = OpTypeFloat 6 Float6E3M2EXT
%e8m0 = OpTypeFloat 8 Float8UnsignedE8M0EXT
%mxi8 = OpTypeFloat 8 MXInt8EXT
%v2 = OpTypeVector %e2m1 2
%v4 = OpTypeVector %u32 4
%word = OpConstant %u32 3
%one = OpConstant %f32 1
%two = OpConstant %e8m0 2
%x = OpConstant %e2m1 3
%pair = OpConstantComposite %v2 %x %x
{types}
%main = OpFunction %void None %fn
%entry = OpLabel
{code}
OpReturn
OpFunctionEnd
"
        );
        let words = asm::assemble(&text).unwrap_or_else(|e| panic!("{e}: {types} {code}"));
        Module::parse(&words)?.lower("main", crate::ir::Stage::Compute, &[]).map(drop)
    };
    for (types, code) in [
        ("%p = OpTypePointer Private %pair_t\n%v = OpVariable %p Private %both", "%l = OpLoad %pair_t %v"),
        ("%p = OpTypePointer Workgroup %e8m0\n%v = OpVariable %p Workgroup", "OpStore %v %two"),
        ("%c = OpSpecConstantOp %f32 FConvert %x", "%d = OpFAdd %f32 %c %c"),
        ("", "%bits = OpBitcastExtractEXT %e3m2 %word %word"),
    ] {
        let types = format!("%pair_t = OpTypeStruct %v2\n%both = OpConstantComposite %pair_t %pair\n{types}");
        compiled(&types, code).unwrap();
    }
    for (types, code, message) in [
        ("%s = OpTypeStruct %u32 %v2\n%p = OpTypePointer StorageBuffer %s", "", "StorageBuffer"),
        ("%p = OpTypePointer Workgroup %e3m2", "", "Workgroup"),
        ("%x2 = OpTypeFloat 6 Float6E2M3EXT\n%p = OpTypePointer Output %x2", "", "Output"),
        (
            "%c = OpSpecConstantOp %e2m1 FConvert %one",
            "%d = OpFConvert %f32 %c",
            "not converted to floate2m1_t",
        ),
        ("", "%c = OpFConvert %e8m0 %one", "not converted to floatue8m0_t"),
        ("", "%c = OpFConvert %mxi8 %two", "not converted to mxint8_t"),
        ("", "%c = OpConvertUToF %mxi8 %word", "not converted to mxint8_t"),
        ("", "%c = OpConvertFToU %u32 %two", "only converted to floats"),
        ("", "%c = OpDot %e2m1 %pair %pair", "not converted to floate2m1_t"),
        ("", "%c = OpBitcastExtractEXT %e8m0 %word %word", "4 or 6 bits"),
        ("", "%c = OpBitcastExtractEXT %e2m1 %one %word", "integers"),
        ("", "%c = OpBitcastExtractEXT %e2m1 %two %word", "integers"),
        ("", "%c = OpBitcastExtractEXT %v2 %word %word", "integers"),
        ("%n = OpTypeVector %e3m2 4", "%b = OpUndef %n\n%c = OpBitcast %u32 %b", "different sizes"),
        (
            "%n = OpTypeVector %e3m2 4\n%u8 = OpTypeInt 8 0\n%m = OpTypeVector %u8 3",
            "%b = OpUndef %n\n%c = OpBitcast %m %b",
            "different sizes",
        ),
        (
            "%k = OpConstant %u32 16\n%a = OpConstant %u32 0\n%m = OpTypeCooperativeMatrixKHR %mxi8 %word %k %k %a\n%n = OpConstantNull %m",
            "%c = OpCompositeExtract %mxi8 %n 0",
            "components of type mxint8_t",
        ),
    ] {
        let error = compiled(types, code).expect_err(code).to_string();
        assert!(error.contains(message), "{types} {code}: {error}");
    }
}

/// An enumerant that the grammar tables lack is assembled and printed by its name; its operand must be a constant of
/// OpTypeBool. Spec: SPV_KHR_opacity_micromap.
#[test]
fn the_mode_of_micromaps_is_accepted_with_a_constant() {
    let text = |mode: &str| {
        format!(
            "OpCapability Shader
OpCapability RayTracingOpacityMicromapKHR
OpCapability RayTracingOpacityMicromapExecutionModeKHR
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
{mode}
OpDecorate %chosen SpecId 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%yes = OpConstantTrue %bool
%chosen = OpSpecConstantFalse %bool
%number = OpConstant %u32 1
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"
        )
    };
    for (operand, accepted) in [("yes", true), ("chosen", true), ("number", false), ("void", false)] {
        let words = asm::assemble(&text(&format!("OpExecutionModeId %main OpacityMicromapIdKHR %{operand}")));
        let words = words.unwrap();
        // Numbers of the capabilities and of the mode, which the second operand of opcode 331 is.
        assert_eq!([words[8], words[10]], [5381, 6032]);
        let mode = words.windows(3).find(|w| w[0] == 4 << 16 | 331).unwrap();
        assert_eq!(mode[2], 6031);
        let printed = asm::disassemble(&words).unwrap();
        assert!(printed.contains("OpacityMicromapIdKHR"), "{printed}");
        assert!(printed.contains("RayTracingOpacityMicromapExecutionModeKHR"), "{printed}");
        assert_eq!(Module::parse(&words).is_ok(), accepted, "{operand}");
    }
    let literal = asm::assemble(&text("OpExecutionMode %main OpacityMicromapIdKHR %yes"));
    assert!(literal.is_err() || Module::parse(&literal.unwrap()).is_err());
}

/// The number of components of a vector, and the length of an array, may be parts of constants whose types have such sizes
/// again. However long the chain is, the stack is not exhausted.
#[test]
fn sizes_depend_on_few_other_sizes() {
    use crate::Error;
    use crate::ir::Stage;
    use std::fmt::Write as _;

    let lower = |ty: &str, n: usize| {
        let mut text = "OpCapability Shader
OpCapability LongVectorEXT
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%n0 = OpConstant %u32 1
"
        .to_owned();
        for (i, next) in (0..n).zip(1..) {
            let _ = writeln!(text, "%t{i} = {ty} %u32 %n{i}\n%all{i} = OpConstantComposite %t{i} %n0");
            let _ = writeln!(text, "%n{next} = OpSpecConstantOp %u32 CompositeExtract %all{i} 0");
        }
        let _ = write!(
            text,
            "%main = OpFunction %void None %fn
%entry = OpLabel
%sum = OpIAdd %u32 %n{n} %n{n}
OpReturn
OpFunctionEnd
"
        );
        let module = Module::parse(&asm::assemble(&text).unwrap()).unwrap();
        module.lower("main", Stage::Compute, &[]).map(|_| ())
    };
    for ty in ["OpTypeVectorIdEXT", "OpTypeArray"] {
        assert!(lower(ty, 5).is_ok(), "{ty}");
        assert!(matches!(lower(ty, 20_000), Err(Error::Limit(_))), "{ty}");
    }
}

/// Variables of a kernel's module are data, not resources.
#[test]
fn modules_of_kernels_with_data_are_reflected() {
    let text = r#"
        OpCapability Kernel
        OpCapability Addresses
        OpMemoryModel Physical64 OpenCL
        OpEntryPoint Kernel %main "main"
        %void = OpTypeVoid
        %u32 = OpTypeInt 32 0
        %three = OpConstant %u32 3
        %pointer = OpTypePointer UniformConstant %u32
        %global = OpTypePointer CrossWorkgroup %u32
        %data = OpVariable %pointer UniformConstant %three
        %fn = OpTypeFunction %void %global
        %main = OpFunction %void None %fn
        %out = OpFunctionParameter %global
        %entry = OpLabel
        %v = OpLoad %u32 %data Aligned 4
        OpStore %out %v Aligned 4
        OpReturn
        OpFunctionEnd
    "#;
    let module = Module::parse(&asm::assemble(text).unwrap()).unwrap();
    let found = super::reflect::reflect(&module).unwrap();
    assert!(found.entry_points[0].bindings.is_empty());
}

/// Arrays of structures without members may have any number of elements, which no walk visits one by one.
#[test]
fn kernels_have_data_and_arguments_without_scalars() {
    let text = r#"
        OpCapability Kernel
        OpCapability Addresses
        OpMemoryModel Physical64 OpenCL
        OpEntryPoint Kernel %main "main"
        OpDecorate %value FuncParamAttr ByVal
        %void = OpTypeVoid
        %u32 = OpTypeInt 32 0
        %most = OpConstant %u32 2147483647
        %nothing = OpTypeStruct
        %row = OpTypeArray %nothing %most
        %rows = OpTypeArray %row %most
        %zeros = OpConstantNull %rows
        %pointer = OpTypePointer UniformConstant %rows
        %copy = OpTypePointer Function %rows
        %data = OpVariable %pointer UniformConstant %zeros
        %fn = OpTypeFunction %void %copy
        %main = OpFunction %void None %fn
        %value = OpFunctionParameter %copy
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#;
    let module = Module::parse(&asm::assemble(text).unwrap()).unwrap();
    let kernel = module.kernel("main", &[]).unwrap();
    assert!(kernel.data.is_empty());
    assert_eq!(kernel.arguments[0].kind, super::kernel::ArgumentKind::Value(Vec::new()));
}

/// A structure with a long name may be the type of very many members.
#[test]
fn reflection_has_few_long_names() {
    let text = |members: usize| {
        format!(
            "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpName %part \"{}\"
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
OpDecorate %all Block
OpMemberDecorate %part 0 Offset 0
{}%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%zero = OpConstant %u32 0
%part = OpTypeStruct %u32
%all = OpTypeStruct{}
%pointer = OpTypePointer StorageBuffer %all
%word = OpTypePointer StorageBuffer %u32
%data = OpVariable %pointer StorageBuffer
%main = OpFunction %void None %fn
%entry = OpLabel
%at = OpAccessChain %word %data %zero %zero
OpStore %at %zero
OpReturn
OpFunctionEnd",
            "n".repeat(60_000),
            (0..members).map(|i| format!("OpMemberDecorate %all {i} Offset {}\n", 4 * i)).collect::<String>(),
            " %part".repeat(members)
        )
    };
    let reflected = |members: usize| {
        let module = Module::parse(&asm::assemble(&text(members)).unwrap()).unwrap();
        super::reflect::reflect(&module)
    };
    assert_eq!(reflected(3).unwrap().entry_points[0].bindings.len(), 1);
    let e = reflected(3000).unwrap_err();
    assert!(matches!(&e, crate::Error::Limit(m) if m.contains("interfaces")), "{e}");
}

/// Every instruction that names a variable uses it, not only loads, stores and access chains.
#[test]
fn reflection_lists_variables_of_every_instruction() {
    let text = r#"
        OpCapability Shader
        OpCapability VariablePointersStorageBuffer
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main" %a %b %c %d %unused
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %a DescriptorSet 0
        OpDecorate %a Binding 0
        OpDecorate %b DescriptorSet 0
        OpDecorate %b Binding 1
        OpDecorate %c DescriptorSet 0
        OpDecorate %c Binding 2
        OpDecorate %d DescriptorSet 0
        OpDecorate %d Binding 3
        OpDecorate %unused DescriptorSet 0
        OpDecorate %unused Binding 4
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %u32 = OpTypeInt 32 0
        %bool = OpTypeBool
        %true = OpConstantTrue %bool
        %block = OpTypeStruct %u32
        %pointer = OpTypePointer StorageBuffer %block
        %chosen_fn = OpTypeFunction %pointer
        %a = OpVariable %pointer StorageBuffer
        %b = OpVariable %pointer StorageBuffer
        %c = OpVariable %pointer StorageBuffer
        %d = OpVariable %pointer StorageBuffer
        %unused = OpVariable %pointer StorageBuffer
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %selected = OpSelect %pointer %true %a %b
        %returned = OpFunctionCall %pointer %chosen
        OpCopyMemory %selected %c
        OpReturn
        OpFunctionEnd
        %chosen = OpFunction %pointer None %chosen_fn
        %inner = OpLabel
        OpReturnValue %d
        OpFunctionEnd
    "#;
    let module = Module::parse(&asm::assemble(text).unwrap()).unwrap();
    let found = super::reflect::reflect(&module).unwrap();
    let bindings: Vec<u32> = found.entry_points[0].bindings.iter().map(|b| b.binding).collect();
    assert_eq!(bindings, [0, 1, 2, 3]);
}

/// DebugNoLine ends the line of DebugLine, as OpNoLine ends that of OpLine. Spec: NonSemantic.Shader.DebugInfo.100.
#[test]
fn errors_name_the_line_while_it_lasts() {
    let line = |before: &str| {
        let text = format!(
            r#"
            OpCapability Shader
            OpExtension "SPV_KHR_non_semantic_info"
            %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
            OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main "main"
            OpExecutionMode %main LocalSize 1 1 1
            %file = OpString "a.comp"
            %void = OpTypeVoid
            %fn = OpTypeFunction %void
            %u32 = OpTypeInt 32 0
            %f32 = OpTypeFloat 32
            %c7 = OpConstant %u32 7
            %half = OpConstant %f32 0.5
            %source = OpExtInst %void %debug DebugSource %file
            %main = OpFunction %void None %fn
            %entry = OpLabel
            {before}
            %wrong = OpIAdd %u32 %c7 %half
            OpReturn
            OpFunctionEnd"#
        );
        let module = Module::parse(&asm::assemble(&text).unwrap()).unwrap();
        match module.lower("main", crate::ir::Stage::Compute, &[]) {
            Err(crate::Error::Invalid { place, .. }) => place.line,
            other => panic!("{other:?}"),
        }
    };
    let begins = "%l = OpExtInst %void %debug DebugLine %source %c7 %c7 %c7 %c7\n";
    let ends = "%n = OpExtInst %void %debug DebugNoLine\n";
    assert_eq!(line(begins), Some(7));
    assert_eq!(line(&(begins.to_owned() + ends)), None);
}

/// As many imports of debug information as a small module has room for: each instruction of a set takes the same time.
#[test]
fn many_sets_of_debug_information_take_no_time() {
    let imports: String = (0..1 << 15)
        .map(|i| format!("%debug{i} = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n"))
        .collect();
    let roots = "%r = OpExtInst %f32 %glsl Sqrt %half\n";
    let roots: String = (0..1 << 15).map(|i| roots.replace("%r", &format!("%r{i}"))).collect();
    let text = format!(
        r#"
        OpCapability Shader
        OpExtension "SPV_KHR_non_semantic_info"
        {imports}
        %glsl = OpExtInstImport "GLSL.std.450"
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        %file = OpString "a.comp"
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %u32 = OpTypeInt 32 0
        %f32 = OpTypeFloat 32
        %c7 = OpConstant %u32 7
        %half = OpConstant %f32 0.5
        %source = OpExtInst %void %debug0 DebugSource %file
        %main = OpFunction %void None %fn
        %entry = OpLabel
        {roots}
        %l = OpExtInst %void %debug32767 DebugLine %source %c7 %c7 %c7 %c7
        %wrong = OpIAdd %u32 %c7 %half
        OpReturn
        OpFunctionEnd"#
    );
    let module = Module::parse(&asm::assemble(&text).unwrap()).unwrap();
    match module.lower("main", crate::ir::Stage::Compute, &[]) {
        Err(crate::Error::Invalid { place, .. }) => assert_eq!(place.line, Some(7)),
        other => panic!("{other:?}"),
    }
}
