//! Decorations, modes and output of kernels, and what is refused.

use quadrille::apps::kernel::{Kernel, KernelDesc, Range};
use quadrille::{Device, DeviceOptions, Error};

use super::{HEAD, in_every_way, module, module_with, range, words};

/// Packed structures, values on the stack of the caller, and saturating conversions.
#[test]
fn decorations_of_kernels_act() {
    let decorations = "OpDecorate %packed CPacked
        OpDecorate %s FuncParamAttr ByVal
        OpDecorate %s Alignment 4
        OpDecorate %out FuncParamAttr NoCapture
        OpDecorate %narrow SaturatedConversion
        OpDecorate %out MaxByteOffset 64
        OpDecorateId %in AlignmentId %u1
        OpDecorateId %in MaxByteOffsetId %u8len
        OpDecorate %c Constant
        OpDecorate %x Uniform
        OpDecorateId %five UniformId %u2
        OpDecorate %c LinkageAttributes \"c\" Export";
    let globals = "%packed = OpTypeStruct %u8 %u32
        %loose = OpTypeStruct %u8 %u32
        %pl = OpTypePointer Function %loose
        %pu = OpTypePointer Function %u32
        %pp = OpTypePointer CrossWorkgroup %packed
        %pcu = OpTypePointer UniformConstant %u32
        %c = OpVariable %pcu UniformConstant %u5";
    let body = "%entry = OpLabel
        %from = OpInBoundsAccessChain %gu %in %u1
        %x = OpLoad %u32 %from Aligned 1
        %narrow = OpUConvert %u8 %x
        %wide = OpUConvert %u32 %narrow
        OpStore %out %wide Aligned 4
        %member = OpInBoundsAccessChain %pu %s %u1
        %before = OpLoad %u32 %member Aligned 4
        %five = OpLoad %u32 %c Aligned 4
        %sum = OpIAdd %u32 %before %five
        OpStore %member %sum Aligned 4
        %after = OpLoad %u32 %member Aligned 4
        %p1 = OpInBoundsPtrAccessChain %gu %out %l1
        OpStore %p1 %after Aligned 4
        OpReturn";
    let parameters = [("%pp", "%in"), ("%gu", "%out"), ("%pl", "%s")];
    in_every_way(&module_with(decorations, &parameters, globals, body), |kernel| {
        // The word 0x12345678 after one byte, then 0.
        kernel.set_buffer(0, &[1u8, 0x78, 0x56, 0x34, 0x12, 0, 0, 0]).unwrap();
        kernel.set_buffer(1, &[0u32; 2]).unwrap();
        kernel.set_value(2, &[1, 0, 0, 0, 7, 0, 0, 0]).unwrap();
        kernel.launch(&range(1, 1)).unwrap();
        assert_eq!(kernel.read::<u32>(1).unwrap(), [255, 12]);
    });
}

/// Compilers of OpenCL C import built-in variables, and write debug information among the instructions OpPhi.
#[test]
fn modules_of_compilers_run() {
    let text = HEAD.replace(
        "; decorations",
        "OpDecorate %gid LinkageAttributes \"__spirv_BuiltInGlobalInvocationId\" Import",
    );
    let text =
        text.replace("OpMemoryModel", "%debug = OpExtInstImport \"OpenCL.DebugInfo.100\"\nOpMemoryModel");
    let body = "%main_type = OpTypeFunction %void %gu
        %main = OpFunction %void None %main_type
        %out = OpFunctionParameter %gu
        %entry = OpLabel
        %ids = OpLoad %v3u64 %gid
        %i = OpCompositeExtract %u64 %ids 0
        %n = OpUConvert %u32 %i
        OpBranch %head
        %head = OpLabel
        %count = OpPhi %u32 %u0 %entry %more %work
        %scope = OpExtInst %void %debug 0
        %sum = OpPhi %u32 %u0 %entry %next %work
        %done = OpUGreaterThanEqual %bool %count %n
        OpBranchConditional %done %exit %work
        %work = OpLabel
        %more = OpIAdd %u32 %count %u1
        %next = OpIAdd %u32 %sum %more
        OpBranch %head
        %exit = OpLabel
        %p = OpInBoundsPtrAccessChain %gu %out %i
        OpStore %p %sum Aligned 4
        OpReturn
        OpFunctionEnd";
    in_every_way(&words(&format!("{text}\n{body}")), |kernel| {
        kernel.set_buffer(0, &[0u32; 5]).unwrap();
        kernel.launch(&range(5, 5)).unwrap();
        // Sums of 1 to i.
        assert_eq!(kernel.read::<u32>(0).unwrap(), [0, 1, 3, 6, 10]);
    });
}

/// The hint is taken if it divides the launch.
#[test]
fn modes_of_kernels_act() {
    let hints =
        ["OpExecutionMode %main LocalSizeHint 6 1 1", "OpExecutionModeId %main LocalSizeHintId %u6 %u1 %u1"];
    let body = "%entry = OpLabel
        %sizes = OpLoad %v3u64 %wgs
        %x = OpCompositeExtract %u64 %sizes 0
        OpStore %out %x Aligned 8
        OpReturn";
    for hint in hints {
        let decorations = format!(
            "{hint}
            OpExecutionMode %main ContractionOff
            OpExecutionMode %main VecTypeHint 6"
        );
        let words = module_with(&decorations, &[("%gl", "%out")], "%u6 = OpConstant %u32 6", body);
        in_every_way(&words, |kernel| {
            for (global, want) in [(12, 6), (10, 10)] {
                kernel.set_buffer(0, &[0u64]).unwrap();
                kernel.launch(&Range { global: [global, 1, 1], ..Range::default() }).unwrap();
                assert_eq!(kernel.read::<u64>(0).unwrap(), [want]);
            }
        });
    }
}

/// The format is a constant string of the module.
#[test]
fn printf_prints() {
    let globals = "%text_type = OpTypeArray %u8 %u8len
        %ptext = OpTypePointer UniformConstant %text_type
        %pchar = OpTypePointer UniformConstant %u8
        %cn = OpConstant %u8 110
        %eq = OpConstant %u8 61
        %percent = OpConstant %u8 37
        %cd = OpConstant %u8 100
        %newline = OpConstant %u8 10
        %nul = OpConstant %u8 0
        %text_value = OpConstantComposite %text_type %cn %eq %percent %cd %newline %newline %nul %nul
        %text = OpVariable %ptext UniformConstant %text_value";
    let body = "%entry = OpLabel
        %at = OpInBoundsAccessChain %pchar %text %u0
        %nothing = OpExtInst %void %cl prefetch %out %l1
        %done = OpExtInst %u32 %cl printf %at %u5
        OpStore %out %done Aligned 4
        OpReturn";
    let words = module(&[("%gu", "%out")], globals, body);
    let printed = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let lines = printed.clone();
    quadrille_jit::printf::set_sink(Some(std::sync::Arc::new(move |line: &str| {
        lines.lock().unwrap().push(line.to_owned());
    })));
    in_every_way(&words, |kernel| {
        kernel.set_buffer(0, &[7u32]).unwrap();
        kernel.launch(&range(1, 1)).unwrap();
        assert_eq!(kernel.read::<u32>(0).unwrap(), [0]);
    });
    in_every_way(&prints_a_vector(), |kernel| {
        kernel.set_buffer(0, &[7u32]).unwrap();
        kernel.launch(&range(1, 1)).unwrap();
    });
    in_every_way(&prints_conversions(), |kernel| {
        kernel.set_buffer(0, &[7u32]).unwrap();
        kernel.launch(&range(1, 1)).unwrap();
    });
    quadrille_jit::printf::set_sink(None);
    // The last newline ends the line, the one before is printed.
    let (numbers, vectors) = (["[0, 0, 0] n=5\n"; 4], ["[0, 0, 0] 1.00,2.00,3.00,4.00"; 4]);
    let conversions = ["[0, 0, 0]    te|-24|H|0x0003e8|000003e8"; 4];
    assert_eq!(*printed.lock().unwrap(), [numbers, vectors, conversions].concat());
}

/// A string that ends in zero, as the variable `%name`.
fn string(name: &str, text: &str) -> String {
    let characters: String =
        text.bytes().enumerate().map(|(i, c)| format!("%{name}{i} = OpConstant %u8 {c}\n")).collect();
    let parts: String = (0..text.len()).map(|i| format!(" %{name}{i}")).collect();
    format!(
        "{characters}
        %{name}_end = OpConstant %u8 0
        %{name}_len = OpConstant %u32 {}
        %{name}_type = OpTypeArray %u8 %{name}_len
        %{name}_pointer = OpTypePointer UniformConstant %{name}_type
        %{name}_value = OpConstantComposite %{name}_type{parts} %{name}_end
        %{name} = OpVariable %{name}_pointer UniformConstant %{name}_value\n",
        text.len() + 1
    )
}

/// Strings, characters, lengths and flags. Spec: OpenCL C, "printf Format String": `hh` prints the value as a char, and a
/// precision is the most bytes of a string.
fn prints_conversions() -> Vec<u32> {
    let globals = string("format", "%5.2s|%hhd|%c|%#08x|%08x") + &string("word", "text");
    let globals = format!(
        "{globals}
        %pchar = OpTypePointer UniformConstant %u8
        %u72 = OpConstant %u32 72"
    );
    // The lowest 8 bits of 1000 are -24.
    let body = "%entry = OpLabel
        %at = OpInBoundsAccessChain %pchar %format %u0
        %of_word = OpInBoundsAccessChain %pchar %word %u0
        %done = OpExtInst %u32 %cl printf %at %of_word %u1000 %u72 %u1000 %u1000
        OpStore %out %done Aligned 4
        OpReturn";
    module(&[("%gu", "%out")], &globals, body)
}

/// The components of a vector are separated by a comma alone. Spec: OpenCL C, "printf Format String": `%2.2v4hlf` prints
/// `1.00,2.00,3.00,4.00`.
fn prints_a_vector() -> Vec<u32> {
    let characters: String =
        "%2.2v4hlf".bytes().enumerate().map(|(i, c)| format!("%c{i} = OpConstant %u8 {c}\n")).collect();
    let globals = format!(
        "{characters}
        %nul = OpConstant %u8 0
        %u10 = OpConstant %u32 10
        %text_type = OpTypeArray %u8 %u10
        %ptext = OpTypePointer UniformConstant %text_type
        %pchar = OpTypePointer UniformConstant %u8
        %text_value = OpConstantComposite %text_type %c0 %c1 %c2 %c3 %c4 %c5 %c6 %c7 %c8 %nul
        %text = OpVariable %ptext UniformConstant %text_value
        %v4 = OpTypeVector %f32 4
        %f1 = OpConstant %f32 1
        %f3 = OpConstant %f32 3
        %f4 = OpConstant %f32 4
        %v = OpConstantComposite %v4 %f1 %two %f3 %f4"
    );
    let body = "%entry = OpLabel
        %at = OpInBoundsAccessChain %pchar %text %u0
        %done = OpExtInst %u32 %cl printf %at %v
        OpStore %out %done Aligned 4
        OpReturn";
    module(&[("%gu", "%out")], &globals, body)
}

/// Variables whose initial values are addresses of others, and an address in a function. The third word of `%numbers` is 30.
#[test]
fn constants_are_addresses() {
    let globals = "%numbers_type = OpTypeArray %u32 %u4
        %gnumbers = OpTypePointer CrossWorkgroup %numbers_type
        %u10 = OpConstant %u32 10
        %u20 = OpConstant %u32 20
        %u30 = OpConstant %u32 30
        %u40 = OpConstant %u32 40
        %numbers_value = OpConstantComposite %numbers_type %u10 %u20 %u30 %u40
        %numbers = OpVariable %gnumbers CrossWorkgroup %numbers_value
        %l2 = OpConstant %u64 2
        %third = OpSpecConstantOp %gu InBoundsPtrAccessChain %numbers %l0 %l2
        %words = OpSpecConstantOp %gu Bitcast %numbers
        %second = OpSpecConstantOp %gu PtrAccessChain %words %l1
        %gp = OpTypePointer CrossWorkgroup %gu
        %to_third = OpVariable %gp CrossWorkgroup %third
        %pair_type = OpTypeStruct %u32 %gu
        %pair_value = OpConstantComposite %pair_type %u5 %second
        %cpair = OpTypePointer UniformConstant %pair_type
        %cp = OpTypePointer UniformConstant %gu
        %pair = OpVariable %cpair UniformConstant %pair_value";
    let body = "%entry = OpLabel
        %p = OpLoad %gu %to_third Aligned 8
        %x = OpLoad %u32 %p Aligned 4
        OpStore %out %x Aligned 4
        %member = OpInBoundsAccessChain %cp %pair %u1
        %q = OpLoad %gu %member Aligned 8
        %y = OpLoad %u32 %q Aligned 4
        %out1 = OpInBoundsPtrAccessChain %gu %out %l1
        OpStore %out1 %y Aligned 4
        %z = OpLoad %u32 %third Aligned 4
        %out2 = OpInBoundsPtrAccessChain %gu %out %l2
        OpStore %out2 %z Aligned 4
        OpReturn";
    in_every_way(&module(&[("%gu", "%out")], globals, body), |kernel| {
        kernel.set_buffer(0, &[0u32; 3]).unwrap();
        kernel.launch(&range(1, 1)).unwrap();
        assert_eq!(kernel.read::<u32>(0).unwrap(), [30, 20, 30]);
    });
}

/// LLVM's translator declares constants without an address space as variables of class Function outside of functions.
#[test]
fn constants_are_of_class_function() {
    let globals = "%array = OpTypeArray %u32 %u4
        %parray = OpTypePointer Function %array
        %pu = OpTypePointer Function %u32
        %pb = OpTypePointer Function %u8
        %value = OpConstantComposite %array %u1 %u1000 %u3 %u4
        %constant = OpVariable %parray Function %value
        %l16 = OpConstant %u64 16";
    let body = "%entry = OpLabel
        %own = OpVariable %parray Function
        %to = OpBitcast %pb %own
        %from = OpBitcast %pb %constant
        OpCopyMemorySized %to %from %l16 Aligned 4
        %e = OpInBoundsAccessChain %pu %own %u1
        %x = OpLoad %u32 %e Aligned 4
        OpStore %out %x Aligned 4
        OpReturn";
    in_every_way(&module(&[("%gu", "%out")], globals, body), |kernel| {
        kernel.set_buffer(0, &[0u32; 1]).unwrap();
        kernel.launch(&range(1, 1)).unwrap();
        assert_eq!(kernel.read::<u32>(0).unwrap(), [1000]);
    });
}

/// A subgroup is a lane group.
#[test]
fn subgroups_have_sizes() {
    let decorations = "OpDecorate %smax BuiltIn SubgroupMaxSize
        OpDecorate %snum BuiltIn NumEnqueuedSubgroups";
    let globals = "%smax = OpVariable %iu Input\n%snum = OpVariable %iu Input";
    let body = "%entry = OpLabel
        %size = OpLoad %u32 %smax
        %number = OpLoad %u32 %snum
        %product = OpIMul %u32 %size %number
        OpStore %out %product Aligned 4
        OpReturn";
    let words = module_with(decorations, &[("%gu", "%out")], globals, body);
    in_every_way(&words, |kernel| {
        kernel.set_buffer(0, &[0u32]).unwrap();
        kernel.launch(&range(32, 32)).unwrap();
        assert_eq!(kernel.read::<u32>(0).unwrap(), [32]);
    });
}

fn refusal(words: &[u32]) -> Error {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let made = Kernel::new(&device, &KernelDesc { words, ..KernelDesc::default() });
    let mut kernel = match made {
        Ok(kernel) => kernel,
        Err(e) => return e,
    };
    for index in 0..kernel.arguments().len() {
        kernel.set_buffer(index, &[0u32; 16]).unwrap();
    }
    kernel.launch(&range(1, 1)).unwrap_err()
}

/// Unsupported parts of modules are named.
#[test]
fn refusals_name_their_reason() {
    let physical32 = HEAD.replace("Physical64", "Physical32");
    let text = format!(
        "{physical32}\n%t = OpTypeFunction %void\n%main = OpFunction %void None %t\n%e = OpLabel\nOpReturn\nOpFunctionEnd"
    );
    let e = refusal(&words(&text)).to_string();
    assert!(e.contains("addressing model Physical32: the device has 64-bit addresses"), "{e}");
    for (capability, why) in [("Pipes", "no pipes"), ("DeviceEnqueue", "kernels cannot launch kernels")] {
        let head =
            HEAD.replace("OpCapability Kernel", &format!("OpCapability Kernel\nOpCapability {capability}"));
        let text = format!(
            "{head}\n%t = OpTypeFunction %void\n%main = OpFunction %void None %t\n%e = OpLabel\nOpReturn\nOpFunctionEnd"
        );
        let e = refusal(&words(&text)).to_string();
        assert!(e.contains(capability) && e.contains(why), "{e}");
    }

    let body = "%e = OpLabel
        OpReturn
        OpFunctionEnd
        %ext = OpFunction %f32 None %t
        %p = OpFunctionParameter %f32";
    let import = module(&[], "%t = OpTypeFunction %f32 %f32", body);
    let e = refusal(&import).to_string();
    assert!(e.contains("import of function"), "{e}");

    let decoration = "OpDecorate %far LinkageAttributes \"far\" Import";
    let globals = "%pf = OpTypePointer CrossWorkgroup %f32\n%far = OpVariable %pf CrossWorkgroup";
    let import = module_with(decoration, &[], globals, "%e = OpLabel\nOpReturn");
    let e = refusal(&import).to_string();
    assert!(e.contains("import of variable 'far'"), "{e}");

    let body = "%e = OpLabel
        OpBranchConditional %true %left %right
        %left = OpLabel
        OpBranchConditional %true %right %out1
        %right = OpLabel
        OpBranchConditional %true %left %out1
        %out1 = OpLabel
        OpReturn";
    let e = refusal(&module(&[], "", body)).to_string();
    assert!(e.contains("irreducible control flow"), "{e}");
}
