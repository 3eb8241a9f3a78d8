//! Tests of whole modules: parse, lower, verify.

use super::{Module, asm};
use crate::env;

/// Reads the words of a binary or text file.
fn words(path: &std::path::Path) -> crate::Result<Vec<u32>> {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_some_and(|e| e == "spvasm") {
        return asm::assemble(&String::from_utf8_lossy(&bytes));
    }
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

/// Lowers every entry point of every module in the folder that `QUADRILLE_TEST_SPV` names.
#[test]
#[ignore = "reads the folder that QUADRILLE_TEST_SPV names"]
fn folder() {
    let dir = env::TEST_SPV.get().expect("QUADRILLE_TEST_SPV names no folder");
    let mut failed = 0;
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|p| p.extension().is_some_and(|e| e == "spv" || e == "spvasm")) {
        let name = path.file_name().unwrap().to_string_lossy();
        let binary = match words(path) {
            Ok(binary) => binary,
            Err(e) => {
                failed += 1;
                println!("{name}: assemble: {e}");
                continue;
            }
        };
        let text = asm::disassemble(&binary).unwrap();
        let mut again = asm::assemble(&text).unwrap();
        again[2..5].copy_from_slice(&binary[2..5]);
        let _ = Module::parse(&binary).map(|m| super::reflect::reflect(&m).map(|r| r.to_string()));
        assert!(again == binary, "{name}: round trip through text");
        let start = std::time::Instant::now();
        let module = match Module::parse(&binary) {
            Ok(module) => module,
            Err(e) => {
                failed += 1;
                println!("{name}: parse: {e}");
                continue;
            }
        };
        for entry in module.entry_points() {
            let parsed = start.elapsed();
            let lowered = module.lower(&entry.name, entry.stage, &[]);
            if env::is_on(env::TEST_TIME) {
                println!(
                    "{name}: {} words, parsed in {parsed:?}, with lowering {:?}",
                    binary.len(),
                    start.elapsed()
                );
            }
            match lowered {
                Ok(mut shader) => {
                    if env::is_on(env::TEST_PRINT) {
                        println!("{name}\n{shader}");
                    }
                    let start = std::time::Instant::now();
                    crate::passes::optimize(&mut shader).expect("the module is small");
                    if env::is_on(env::TEST_TIME) {
                        println!("{name}: passes {:?}", start.elapsed());
                    }
                    if let Err(e) = crate::ir::verify(&shader) {
                        failed += 1;
                        println!("{name}: after passes: {e}");
                    }
                }
                Err(e) => {
                    failed += 1;
                    println!("{name}: {:?} {}: {e}", entry.stage, entry.name);
                }
            }
        }
    }
    println!("{failed} failed");
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
