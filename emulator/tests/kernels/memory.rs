//! Memory of kernels as clang writes it: arguments by value, packed structures, null pointers.

use super::{ID, in_every_way, module, module_with, range};

/// The callee writes to its own copy of a structure that is passed by value.
#[test]
fn arguments_by_value_are_copies() {
    let globals = "%s_type = OpTypeStruct %u32 %u32
        %ps = OpTypePointer Function %s_type
        %pu = OpTypePointer Function %u32
        %u777 = OpConstant %u32 777
        %takes = OpTypeFunction %u32 %ps";
    let callee = "OpFunctionEnd
        %callee = OpFunction %u32 None %takes
        %value = OpFunctionParameter %ps
        %in_callee = OpLabel
        %word = OpBitcast %pu %value
        %first = OpLoad %u32 %word Aligned 4
        OpStore %word %u777 Aligned 4
        %second_at = OpInBoundsPtrAccessChain %pu %word %l1
        %second = OpLoad %u32 %second_at Aligned 4
        %sum = OpIAdd %u32 %first %second
        OpReturnValue %sum";
    let body = "%entry = OpLabel
        %s = OpVariable %ps Function
        %ids = OpLoad %v3u64 %gid
        %i = OpCompositeExtract %u64 %ids 0
        %n = OpUConvert %u32 %i
        %w0 = OpBitcast %pu %s
        OpStore %w0 %n Aligned 4
        %w1 = OpInBoundsPtrAccessChain %pu %w0 %l1
        OpStore %w1 %u1000 Aligned 4
        %returned = OpFunctionCall %u32 %callee %s
        %kept = OpLoad %u32 %w0 Aligned 4
        %both = OpIMul %u32 %kept %u1000
        %all = OpIAdd %u32 %both %returned
        %p = OpInBoundsPtrAccessChain %gu %out %i
        OpStore %p %all Aligned 4
        OpReturn";
    let decorations = "OpDecorate %value FuncParamAttr ByVal";
    let body = format!("{body}\n{callee}");
    let words = module_with(decorations, &[("%gu", "%out")], globals, &body);
    in_every_way(&words, |kernel| {
        kernel.set_buffer(0, &[0u32; 16]).unwrap();
        kernel.launch(&range(16, 16)).unwrap();
        let want: Vec<u32> = (0..16).map(|n| 1000 * n + n + 1000).collect();
        assert_eq!(kernel.read::<u32>(0).unwrap(), want);
    });
}

/// Words in an array of packed structures of 7 bytes lie at any byte, by constant and by other indices.
#[test]
fn packed_structures_are_private_memory() {
    let globals = "%packed = OpTypeStruct %u8 %u32 %u16
        %array = OpTypeArray %packed %u4
        %pa = OpTypePointer Function %array
        %pb = OpTypePointer Function %u8
        %ph = OpTypePointer Function %u16
        %pw = OpTypePointer Function %u32
        %pl = OpTypePointer Function %u64
        %b9 = OpConstant %u8 9
        %h5 = OpConstant %u16 5
        %fill = OpConstant %u32 0x01020304";
    let body = format!(
        "%entry = OpLabel
        %a = OpVariable %pa Function
        {}
        %low = OpBitwiseAnd %u64 %i %l3
        %n = OpUConvert %u32 %i
        %w = OpInBoundsAccessChain %pw %a %low %u1
        %filled = OpIAdd %u32 %fill %n
        OpStore %w %filled Aligned 1
        %b = OpInBoundsAccessChain %pb %a %low %u0
        OpStore %b %b9 Aligned 1
        %h = OpInBoundsAccessChain %ph %a %low %u2
        OpStore %h %h5 Aligned 1
        %w3 = OpInBoundsAccessChain %pw %a %u3 %u1
        OpStore %w3 %fill Aligned 1
        %x = OpLoad %u32 %w Aligned 1
        %wide = OpBitcast %pl %b
        %eight = OpLoad %u64 %wide Aligned 1
        %sixteen = OpLoad %u16 %h Aligned 1
        %s = OpUConvert %u32 %sixteen
        %at = OpIMul %u64 %i %l4
        %p0 = OpInBoundsPtrAccessChain %gu %out %at
        OpStore %p0 %x Aligned 4
        %p1 = OpInBoundsPtrAccessChain %gu %p0 %l1
        OpStore %p1 %s Aligned 4
        %word = OpUConvert %u32 %eight
        %p2 = OpInBoundsPtrAccessChain %gu %p1 %l1
        OpStore %p2 %word Aligned 4
        %x3 = OpLoad %u32 %w3 Aligned 1
        %p3 = OpInBoundsPtrAccessChain %gu %p2 %l1
        OpStore %p3 %x3 Aligned 4
        OpReturn",
        ID.replace("%entry = OpLabel\n", "")
    );
    let words = module_with("OpDecorate %packed CPacked", &[("%gu", "%out")], globals, &body);
    in_every_way(&words, |kernel| {
        kernel.set_buffer(0, &[0u32; 32]).unwrap();
        kernel.launch(&range(8, 8)).unwrap();
        let out = kernel.read::<u32>(0).unwrap();
        for (i, item) in (0u32..).zip(out.chunks(4)) {
            let x = if i % 4 == 3 { 0x0102_0304 } else { 0x0102_0304 + i };
            assert_eq!(item, [x, 5, x << 8 | 9, 0x0102_0304], "invocation {i}");
        }
    });
}

/// A null pointer is address 0, which kernels can compare.
#[test]
fn a_buffer_may_be_null() {
    let body = format!(
        "{ID}%bits = OpConvertPtrToU %u64 %a
        %is_null = OpIEqual %bool %bits %l0
        %x = OpSelect %u32 %is_null %u5 %u3
        %p = OpInBoundsPtrAccessChain %gu %out %i
        OpStore %p %x Aligned 4
        OpReturn"
    );
    in_every_way(&module(&[("%gu", "%a"), ("%gu", "%out")], "", &body), |kernel| {
        kernel.set_buffer(1, &[0u32; 4]).unwrap();
        kernel.set_null(0).unwrap();
        kernel.launch(&range(4, 4)).unwrap();
        assert_eq!(kernel.read::<u32>(1).unwrap(), [5; 4]);
        assert!(kernel.read::<u32>(0).is_err());
        kernel.set_buffer(0, &[1u32]).unwrap();
        kernel.launch(&range(4, 4)).unwrap();
        assert_eq!(kernel.read::<u32>(1).unwrap(), [3; 4]);
    });
}

/// Offsets in buffers have 32 bits, so that a larger buffer is refused instead of read as zeros.
#[test]
fn large_buffers_are_refused() {
    let body = format!("{ID}%p = OpInBoundsPtrAccessChain %gu %out %i\nOpStore %p %u1 Aligned 4\nOpReturn");
    in_every_way(&module(&[("%gu", "%out")], "", &body), |kernel| {
        let error = kernel.set_unwritten(0, 1 << 32).unwrap_err().to_string();
        assert!(error.contains("4294967296 bytes"), "{error}");
    });
}
