use super::{assemble, disassemble};

const TEXT: &str = r#"
; Version: 1.3
               OpCapability Shader
          %ext = OpExtInstImport "GLSL.std.450"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 8 4 1
               OpName %main "ma\"in"
               OpDecorate %buf DescriptorSet 0
               OpDecorate %buf Binding 3
               OpDecorate %block Block
               OpMemberDecorate %block 0 Offset 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
     %double = OpTypeFloat 64
       %half = OpTypeFloat 16
        %int = OpTypeInt 32 1
      %short = OpTypeInt 16 1
       %uint = OpTypeInt 32 0
       %long = OpTypeInt 64 1
         %c1 = OpConstant %float 1.5
         %c2 = OpConstant %float 0x1.8p+1
         %c3 = OpConstant %float -0x1p+128
         %c4 = OpConstant %double -2.25
         %c5 = OpConstant %half 0.5
         %c6 = OpConstant %short -2
         %c7 = OpConstant %long -3
        %e2m1 = OpTypeFloat 4 Float4E2M1EXT
        %c11 = OpConstant %e2m1 -1.5
        %e8m0 = OpTypeFloat 8 Float8UnsignedE8M0EXT
        %c12 = OpConstant %e8m0 0x1p-127
        %bf16 = OpTypeFloat 16 BFloat16KHR
        %c13 = OpConstant %bf16 1.5
        %c14 = OpConstant %bf16 !0x7f81
         %c8 = OpConstant %uint 0xffffffff
         %c9 = OpSpecConstantOp %int IAdd %c10 %c10
        %c10 = OpConstant %int -7
      %block = OpTypeStruct %float
        %ptr = OpTypePointer StorageBuffer %block
        %img = OpTypeImage %float 2D 0 1 0 1 Unknown
        %buf = OpVariable %ptr StorageBuffer
       %main = OpFunction %void None %fn
      %entry = OpLabel
          %x = OpLoad %block %buf Volatile|Aligned 4
          %y = OpExtInst %float %ext FMix %c1 %c2 %c1
               OpSelectionMerge %end DontFlatten
               OpSwitch %c10 %end -7 %other 3 %end
      %other = OpLabel
               OpBranch %end
        %end = OpLabel
               OpReturn
               OpFunctionEnd
"#;

/// Returns the operands of the `n`th instruction with this opcode.
fn operands(words: &[u32], op: spirv::Op, n: usize) -> Vec<u32> {
    let (mut at, mut left) = (5, n);
    while at < words.len() {
        let count = (words[at] >> 16) as usize;
        if words[at] & 0xffff == op as u32 {
            if left == 0 {
                return words[at + 1..at + count].to_vec();
            }
            left -= 1;
        }
        at += count;
    }
    panic!("no such instruction");
}

#[test]
fn literals() {
    let words = assemble(TEXT).unwrap();
    assert_eq!(words[1], 0x1_0300);
    let constant = |n| operands(&words, spirv::Op::Constant, n)[2..].to_vec();
    assert_eq!(constant(0), [1.5f32.to_bits()]);
    assert_eq!(constant(1), [3f32.to_bits()]);
    assert_eq!(constant(2), [f32::NEG_INFINITY.to_bits()]);
    assert_eq!(constant(3), [0, (-2.25f64).to_bits().wrapping_shr(32) as u32]);
    assert_eq!(constant(4), [0x3800]);
    assert_eq!(constant(5), [-2i32 as u32]);
    assert_eq!(constant(6), [-3i32 as u32, u32::MAX]);
    assert_eq!([7, 8, 9, 10].map(constant), [[0b1011], [0], [0x3fc0], [0x7f81]]);
    assert_eq!(constant(11), [u32::MAX]);
    assert_eq!(operands(&words, spirv::Op::Load, 0)[3..], [3, 4]);
    assert_eq!(operands(&words, spirv::Op::ExtInst, 0)[3], 46);
    assert_eq!(operands(&words, spirv::Op::Switch, 0)[2], -7i32 as u32);
    assert_eq!(operands(&words, spirv::Op::TypeImage, 0)[2], 1);
}

#[test]
fn round_trip() {
    let words = assemble(TEXT).unwrap();
    let text = disassemble(&words).unwrap();
    let again = assemble(&text).unwrap();
    assert_eq!(words, again, "{text}");
}

/// Operands of debug information that are not ids. Spec: OpenCL.DebugInfo.100; DebugInfo. spirv-as makes the same words.
#[test]
fn debug_information_has_literals() {
    let text = r#"
        OpCapability Kernel
        %new = OpExtInstImport "OpenCL.DebugInfo.100"
        %old = OpExtInstImport "DebugInfo"
        OpMemoryModel Physical64 OpenCL
        %name = OpString "x"
        %void = OpTypeVoid
        %u32 = OpTypeInt 32 0
        %c32 = OpConstant %u32 32
        %1 = OpExtInst %void %new DebugCompilationUnit 65536 0 %name OpenCL_C
        %2 = OpExtInst %void %new DebugTypeBasic %name %c32 Signed
        %3 = OpExtInst %void %new DebugTypePointer %2 Function FlagIsLocal|FlagIsDefinition
        %4 = OpExtInst %void %new DebugTypePointer %2 Function None
        %5 = OpExtInst %void %new DebugOperation BitPiece 3 4
        %6 = OpExtInst %void %new DebugTypeQualifier %2 AtomicType
        %7 = OpExtInst %void %new DebugExpression %5
        %8 = OpExtInst %void %old DebugTypeBasic %name %c32 Signed
    "#;
    let words = assemble(text).unwrap();
    let of = |n: usize, from: usize| operands(&words, spirv::Op::ExtInst, n)[from..].to_vec();
    let numbers = [of(0, 4)[..2].to_vec(), of(0, 7), of(1, 6), of(2, 5), of(3, 5), of(4, 4), of(5, 5)];
    let want: [&[u32]; 7] = [&[65536, 0], &[3], &[4], &[7, 12], &[7, 0], &[4, 3, 4], &[3]];
    assert_eq!(numbers, want);
    assert_eq!((of(6, 4), of(7, 6)), (vec![5], vec![5]));
    // Ids end before the literals.
    assert!(words[3] < 32);
    let text = disassemble(&words).unwrap();
    assert!(text.contains("FlagIsLocal|FlagIsDefinition"), "{text}");
    assert_eq!(assemble(&text).unwrap(), words, "{text}");
}

#[test]
fn errors_name_the_line() {
    for (text, line, part) in [
        ("OpCapability Shader\nOpFoo", 2, "OpFoo"),
        ("\n%1 = OpTypeInt 32", 2, "number"),
        ("OpCapability Nothing", 1, "Nothing"),
        ("%1 = OpTypeVoid extra", 1, "too many"),
        ("OpTypeVoid", 1, "result"),
        ("%1 = OpTypeFloat 4 Float4E2M1EXT\n%2 = OpConstant %1 2.5", 2, "floate2m1_t"),
        ("%1 = OpTypeInt 8 0\n%2 = OpConstant %1 256", 2, "256"),
        ("%1 = OpTypeInt 0 1\n%2 = OpConstant %1 0", 2, "0-bit"),
        ("%1 = OpTypeInt 65 0\n%2 = OpConstant %1 0", 2, "65-bit"),
        ("%1 = OpTypeFloat 16\n%2 = OpConstant %1 70000", 2, "16-bit float"),
        ("%1 = OpTypeFloat 32\n%2 = OpConstant %1 -1e50", 2, "32-bit float"),
        ("%1 = OpTypeFloat 64\n%2 = OpConstant %1 1e400", 2, "64-bit float"),
        ("OpName %1 \"x", 1, "string"),
        ("OpMemoryModel Logical", 1, "name"),
    ] {
        match assemble(text) {
            Err(crate::Error::Invalid { message, place }) => {
                assert_eq!(place.line, Some(line), "{text}: {message}");
                assert!(message.contains(part), "{text}: {message}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

/// A half is rounded once: 1 + 2^-11 is a tie, and more rounds up.
#[test]
fn halves_are_rounded_once() {
    let half = |s: &str| super::literal::number(super::Number::Float { bits: 16 }, s);
    assert_eq!(half("1.00048828125"), Some(0x3c00));
    assert_eq!(half("1.000488281250001"), Some(0x3c01));
    assert_eq!(half("1.0004884004592896"), Some(0x3c01));
    assert_eq!(half("1.00048828125000000000000001"), Some(0x3c01));
    assert_eq!(half("-65519.99"), Some(0xfbff));
    // 1 + 2^-8 is the middle of 1 and the next number of bfloat16.
    let small = super::Number::Small(crate::spirv::types::SmallFloat::BFloat16);
    assert_eq!(super::literal::number(small, "1.00390625"), Some(0x3f80));
    assert_eq!(super::literal::number(small, "1.00390625000000000000000001"), Some(0x3f81));
}

#[test]
fn hex_floats_round_to_nearest_even() {
    let f = |s: &str| {
        super::literal::number(super::Number::Float { bits: 32 }, s).map(|b| f32::from_bits(b as u32))
    };
    assert_eq!(f("0x1p-149"), Some(f32::from_bits(1)));
    assert_eq!(f("0x1.000001p0"), Some(1.0));
    assert_eq!(f("0x1.000003p0"), Some(f32::from_bits(0x3f80_0002)));
    assert_eq!(f("0x.8p1"), Some(1.0));
    assert_eq!(f("-0x10p-1"), Some(-8.0));
    assert_eq!(f("0x1p-126"), Some(f32::MIN_POSITIVE));
    assert_eq!(f("0x1.fffffep+127"), Some(f32::MAX));
    assert_eq!(f("0x1.8p+128").map(f32::is_nan), Some(true));
    assert_eq!(f("0xp1"), None);
}
