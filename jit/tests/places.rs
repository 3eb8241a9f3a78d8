//! Source places of compiled code: every machine instruction has a source line, and the code is the same with and
//! without places.

use std::collections::BTreeSet;

use quadrille_jit::abi::{BindingLayout, Layout};
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::{self, CompileOptions, Listing, NoImageOps};
use quadrille_jit::ir::{Shader, Stage};
use quadrille_jit::spirv::{Module, asm};
use quadrille_jit::{CpuLevel, Tier, testing};

/// Line 11 loads, line 12 has a loop, line 13 computes in it, line 14 stores.
const TEXT: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %id
OpExecutionMode %main LocalSize 64 1 1
%file = OpString \"a.comp\"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
OpDecorate %floats ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%f = OpTypeFloat 32
%bool = OpTypeBool
%v3 = OpTypeVector %u 3
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%half = OpConstant %f 0.5
%floats = OpTypeRuntimeArray %f
%block = OpTypeStruct %floats
%p_block = OpTypePointer StorageBuffer %block
%p_f = OpTypePointer StorageBuffer %f
%p_id = OpTypePointer Input %v3
%data = OpVariable %p_block StorageBuffer
%id = OpVariable %p_id Input
%main = OpFunction %void None %fn
%entry = OpLabel
OpLine %file 11 1
%ids = OpLoad %v3 %id
%x = OpCompositeExtract %u %ids 0
%at = OpAccessChain %p_f %data %c0 %x
%first = OpLoad %f %at
OpLine %file 12 1
OpBranch %head
%head = OpLabel
%i = OpPhi %u %c0 %entry %next %more
%sum = OpPhi %f %first %entry %new %more
%go = OpULessThan %bool %i %x
OpLoopMerge %done %more None
OpBranchConditional %go %body %done
%body = OpLabel
OpLine %file 13 1
%scaled = OpFMul %f %sum %sum
%less = OpFSub %f %scaled %half
%new = OpFDiv %f %less %sum
OpBranch %more
%more = OpLabel
OpLine %file 12 1
%next = OpIAdd %u %i %c1
OpBranch %head
%done = OpLabel
OpLine %file 14 1
OpStore %at %sum
OpReturn
OpFunctionEnd
";

fn compiled(shader: &Shader, cpu: CpuLevel, tier: Tier) -> (LaneFn, String) {
    let layout = Layout { bindings: vec![BindingLayout::new(0, 0, 0, 1)] };
    let options =
        CompileOptions { lanes: 8, tier, layout: &layout, cpu, image_ops: &NoImageOps, missing: false };
    let mut listing = Listing::default();
    let made =
        codegen::compile_listed(shader, &options, Some(&mut listing)).unwrap_or_else(|e| panic!("{e}"));
    (made, without_addresses(&listing.asm))
}

/// Constant tables have different addresses in every function, so long numbers are cut.
fn without_addresses(asm: &str) -> String {
    let words = asm.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    words.map(|w| if w.len() > 10 && w.contains(|c: char| c.is_ascii_digit()) { "#" } else { w }).collect()
}

#[test]
fn code_says_its_lines_and_is_the_same() {
    let words = asm::assemble(TEXT).unwrap_or_else(|e| panic!("{e}"));
    let module = Module::parse(&words).unwrap();
    let plain = module.lower("main", Stage::Compute, &[]).unwrap();
    let placed = module.lower_placed("main", Stage::Compute, &[]).unwrap();
    assert_eq!(plain.to_string(), placed.to_string());
    for cpu in testing::cpu_levels().into_iter().filter(|&cpu| cpu <= CpuLevel::current()) {
        for tier in [Tier::First, Tier::Optimized] {
            let what = format!("{cpu:?}, {tier:?}");
            let ((without, asm), (with, placed_asm)) =
                (compiled(&plain, cpu, tier), compiled(&placed, cpu, tier));
            assert!(without.places().is_none(), "{what}");
            assert_eq!(asm, placed_asm, "{what}");
            let code = with.places().unwrap_or_else(|| panic!("{what}: no places"));
            let line = |at| code.debug().places.get(code.place(at) as usize).map_or(0, |p| p.line);
            let found: BTreeSet<u32> = code.addresses().map(line).collect();
            for n in 11..=14 {
                assert!(found.contains(&n), "{what}: line {n} is not in {found:?}");
            }
            // The loop body is most of the code, and no instruction has a line outside the source.
            assert!(found.iter().all(|&n| n == 0 || (11..=14).contains(&n)), "{what}: {found:?}");
            assert_eq!((code.place(0), code.stage()), (0, Stage::Compute), "{what}");
            assert_eq!(line(code.addresses().start.wrapping_sub(1)), 0, "{what}");
        }
    }
}
