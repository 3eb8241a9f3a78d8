//! The validation rules of SPIR-V (2.3, 2.4, 2.11, 2.16, 2.18.2), one broken module per rule.
//!
//! Each case is a valid module with one change. A violation that generated code depends on must be rejected with the
//! instruction, its id, its word and the source line. Other violations may run; their cases give the reason.

use quadrille_jit::spirv::{Module, asm};
use quadrille_jit::{Error, Place, ir};

/// A compute shader with a call, a selection, a loop, a switch and a buffer.
const COMPUTE: &str = r#"; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 4 1 1
%file = OpString "rule.comp"
OpSource GLSL 450 %file
OpName %main "main"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 16
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%v3 = OpTypeVector %u32 3
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c4 = OpConstant %u32 4
%c264 = OpConstant %u32 264
%f1 = OpConstant %f32 1
%words = OpTypeRuntimeArray %u32
%block = OpTypeStruct %u32 %words
%pblock = OpTypePointer StorageBuffer %block
%pu32 = OpTypePointer StorageBuffer %u32
%pv3 = OpTypePointer Input %v3
%pin = OpTypePointer Input %u32
%pfun = OpTypePointer Function %u32
%add = OpTypeFunction %u32 %u32 %u32
%out = OpVariable %pblock StorageBuffer
%id = OpVariable %pv3 Input
%main = OpFunction %void None %fn
%entry = OpLabel
%tmp = OpVariable %pfun Function
OpLine %file 7 1
%pi = OpAccessChain %pin %id %c0
%i = OpLoad %u32 %pi
%less = OpULessThan %bool %i %c4
OpSelectionMerge %join None
OpBranchConditional %less %yes %no
%yes = OpLabel
%sum = OpFunctionCall %u32 %plus %i %c1
OpBranch %join
%no = OpLabel
OpBranch %join
%join = OpLabel
%x = OpPhi %u32 %sum %yes %c0 %no
OpBranch %head
%head = OpLabel
%n = OpPhi %u32 %c0 %join %n1 %next
OpLoopMerge %after %next None
OpBranch %test
%test = OpLabel
%go = OpULessThan %bool %n %x
OpBranchConditional %go %body %after
%body = OpLabel
OpStore %tmp %n
OpBranch %next
%next = OpLabel
%n1 = OpIAdd %u32 %n %c1
OpBranch %head
%after = OpLabel
OpSelectionMerge %done None
OpSwitch %x %other 1 %one
%one = OpLabel
OpBranch %done
%other = OpLabel
OpBranch %done
%done = OpLabel
%po = OpAccessChain %pu32 %out %c1 %i
OpStore %po %x
%old = OpAtomicIAdd %u32 %po %c1 %c264 %c1
OpReturn
OpFunctionEnd
%plus = OpFunction %u32 None %add
%a = OpFunctionParameter %u32
%b = OpFunctionParameter %u32
%pl = OpLabel
%r = OpIAdd %u32 %a %b
OpReturnValue %r
OpFunctionEnd
"#;

/// A fragment shader with a sampled image.
const FRAGMENT: &str = r#"; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %color
OpExecutionMode %main OriginUpperLeft
%file = OpString "rule.frag"
OpSource GLSL 450 %file
OpDecorate %uv Location 0
OpDecorate %color Location 0
OpDecorate %tex DescriptorSet 0
OpDecorate %tex Binding 0
OpDecorate %smp DescriptorSet 0
OpDecorate %smp Binding 1
OpDecorate %tab DescriptorSet 0
OpDecorate %tab Binding 2
OpDecorate %ub Block
OpDecorate %rows ArrayStride 16
OpMemberDecorate %ub 0 Offset 0
OpMemberDecorate %ub 0 ColMajor
OpMemberDecorate %ub 0 MatrixStride 16
OpMemberDecorate %ub 1 Offset 64
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%f32 = OpTypeFloat 32
%u32 = OpTypeInt 32 0
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c2 = OpConstant %u32 2
%v2 = OpTypeVector %f32 2
%v4 = OpTypeVector %f32 4
%m4 = OpTypeMatrix %v4 4
%rows = OpTypeArray %v4 %c2
%ub = OpTypeStruct %m4 %rows
%pub = OpTypePointer Uniform %ub
%pm4 = OpTypePointer Uniform %m4
%pv4 = OpTypePointer Uniform %v4
%img = OpTypeImage %f32 2D 0 0 0 1 Unknown
%st = OpTypeSampler
%si = OpTypeSampledImage %img
%pimg = OpTypePointer UniformConstant %img
%pst = OpTypePointer UniformConstant %st
%pin = OpTypePointer Input %v2
%pout = OpTypePointer Output %v4
%tab = OpVariable %pub Uniform
%tex = OpVariable %pimg UniformConstant
%smp = OpVariable %pst UniformConstant
%uv = OpVariable %pin Input
%color = OpVariable %pout Output
%main = OpFunction %void None %fn
%entry = OpLabel
OpLine %file 9 1
%c = OpLoad %v2 %uv
%ti = OpLoad %img %tex
%ts = OpLoad %st %smp
%ss = OpSampledImage %si %ti %ts
%px = OpImageSampleImplicitLod %v4 %ss %c
%pm = OpAccessChain %pm4 %tab %c0
%m = OpLoad %m4 %pm
%pr = OpAccessChain %pv4 %tab %c1 %c0
%row = OpLoad %v4 %pr
%mv = OpMatrixTimesVector %v4 %m %px
%o = OpFAdd %v4 %mv %row
OpStore %color %o
OpReturn
OpFunctionEnd
"#;

/// Required outcome of a case.
enum Verdict {
    /// The module is rejected; the error contains this text and names this instruction ("" for the whole module).
    Rejected(&'static str, &'static str),
    /// The module runs, for this reason.
    Harmless(&'static str),
}
use Verdict::{Harmless, Rejected};

/// A case: rule, base module, changes, verdict.
type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)], Verdict);

#[rustfmt::skip]
fn cases() -> Vec<Case> {
    let (c, f, t, g) = (COMPUTE, FRAGMENT, EVALUATION, GEOMETRY);
    vec![
        // Order of sections.
        ("U-ORD01", c, &[("OpMemoryModel Logical GLSL450\n", ""), ("%main = OpFunction", "OpMemoryModel Logical GLSL450\n%main = OpFunction")], Rejected("order", "OpMemoryModel")),
        ("L-ORD01", c, &[("OpMemoryModel Logical GLSL450\n", "OpMemoryModel Logical GLSL450\nOpCapability Float64\n")], Rejected("order", "OpCapability")),
        ("L-ORD02", c, &[("OpMemoryModel Logical GLSL450\n", "OpMemoryModel Logical GLSL450\nOpExtension \"SPV_KHR_variable_pointers\"\n")], Rejected("order", "OpExtension")),
        ("L-ORD03", c, &[("OpMemoryModel Logical GLSL450\n", "OpMemoryModel Logical GLSL450\n%glsl = OpExtInstImport \"GLSL.std.450\"\n")], Rejected("order", "OpExtInstImport")),
        ("L-ORD04", c, &[("OpMemoryModel Logical GLSL450\n", "OpMemoryModel Logical GLSL450\nOpMemoryModel Logical GLSL450\n")], Rejected("second", "OpMemoryModel")),
        ("L-ORD04", c, &[("OpMemoryModel Logical GLSL450\n", "")], Rejected("OpMemoryModel", "")),
        ("L-ORD05", c, &[("OpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 4 1 1\n", "OpExecutionMode %main LocalSize 4 1 1\nOpEntryPoint GLCompute %main \"main\" %id\n")], Rejected("order", "OpEntryPoint")),
        ("L-ORD06", c, &[("OpExecutionMode %main LocalSize 4 1 1\n", ""), ("%void = OpTypeVoid", "OpExecutionMode %main LocalSize 4 1 1\n%void = OpTypeVoid")], Rejected("order", "OpExecutionMode")),
        ("L-ORD07", c, &[("OpSource GLSL 450 %file\n", ""), ("%void = OpTypeVoid", "OpSource GLSL 450 %file\n%void = OpTypeVoid")], Rejected("order", "OpSource")),
        ("L-ORD08", c, &[("OpName %main \"main\"\n", ""), ("%void = OpTypeVoid", "OpName %main \"main\"\n%void = OpTypeVoid")], Rejected("order", "OpName")),
        ("L-ORD09", c, &[("%void = OpTypeVoid", "OpModuleProcessed \"late\"\n%void = OpTypeVoid")], Rejected("order", "OpModuleProcessed")),
        ("L-ORD10", c, &[("%main = OpFunction", "OpDecorate %out Restrict\n%main = OpFunction")], Rejected("order", "OpDecorate")),
        ("L-ORD11", c, &[("%v3 = OpTypeVector %u32 3\n", ""), ("%main = OpFunction", "%v3 = OpTypeVector %u32 3\n%main = OpFunction")], Rejected("not defined before", "OpTypePointer")),
        ("L-ORD12", c, &[("%plus = OpFunction", "%ghost = OpFunction %u32 None %add\n%ga = OpFunctionParameter %u32\n%gb = OpFunctionParameter %u32\nOpFunctionEnd\n%plus = OpFunction")], Rejected("without a body", "OpFunction")),
        ("L-ORD13", c, &[("%plus = OpFunction", "%late = OpTypeFloat 64\n%plus = OpFunction")], Rejected("order", "OpTypeFloat")),
        ("L-ORD14", c, &[("%yes = OpLabel\n", "%yes = OpLabel\n%v = OpVariable %pfun Function\n")], Rejected("first block", "OpVariable")),
        ("L-ORD14", c, &[("%tmp = OpVariable %pfun Function", "%tmp = OpVariable %pfun Private")], Rejected("storage class", "OpVariable")),
        ("L-ORD14", c, &[("%id = OpVariable %pv3 Input", "%id = OpVariable %pv3 Input\n%g = OpVariable %pfun Function")], Rejected("storage class", "OpVariable")),
        ("L-ORD15", c, &[("%c1 = OpConstant %u32 1\n", "%c1 = OpSpecConstantOp %u32 IAdd %late %late\n%late = OpConstant %u32 1\n")], Rejected("not defined before", "OpSpecConstantOp")),

        // Capabilities and types.
        ("U-CAP01", c, &[("%f32 = OpTypeFloat 32", "%f32 = OpTypeFloat 32\n%f64 = OpTypeFloat 64")], Harmless("generated code does not depend on declared capabilities")),
        ("U-TYP01", c, &[("%f32 = OpTypeFloat 32", "%f32 = OpTypeFloat 32\n%again = OpTypeInt 32 0")], Rejected("declared twice", "OpTypeInt")),
        ("U-DAT01", c, &[("%f32 = OpTypeFloat 32\n", "%f32 = OpTypeFloat 32\n%f24 = OpTypeFloat 24\n")], Rejected("", "OpTypeFloat")),
        ("U-DAT02", c, &[("%f32 = OpTypeFloat 32\n", "%f32 = OpTypeFloat 32\n%u24 = OpTypeInt 24 0\n")], Rejected("", "OpTypeInt")),
        ("U-DAT03", c, &[("%c0 =", "%odd = OpTypeVector %v3 3\n%c0 =")], Rejected("components of a vector must be scalars", "OpTypeVector")),
        ("U-DAT04", c, &[("%c0 =", "%odd = OpTypeVector %u32 5\n%c0 =")], Rejected("2 to 4 scalars", "OpTypeVector")),
        ("U-DAT05", c, &[("%c0 =", "%odd = OpTypeMatrix %v3 3\n%c0 =")], Rejected("floats", "OpTypeMatrix")),
        ("U-DAT06", f, &[("%m4 = OpTypeMatrix %v4 4", "%m4 = OpTypeMatrix %v4 4\n%odd = OpTypeMatrix %v4 5")], Rejected("2 to 4 columns", "OpTypeMatrix")),
        ("U-DAT08", c, &[("%block = OpTypeStruct %u32 %words", "%block = OpTypeStruct %u32 %words\n%self = OpTypeStruct %pself\n%pself = OpTypePointer StorageBuffer %self")], Rejected("not defined before", "OpTypeStruct")),
        ("U-DAT09", f, &[("%px = OpImageSampleImplicitLod %v4 %ss %c\n", "OpBranch %second\n%second = OpLabel\n%px = OpImageSampleImplicitLod %v4 %ss %c\n")], Harmless("a sampled image is two handles, valid wherever its definition is")),
        ("U-DAT09", f, &[("%px =", "%true = OpLogicalEqual %bool %bt %bt\n%se = OpSelect %si %true %ss %ss\n%px ="), ("%c0 = ", "%bt = OpConstantTrue %bool\n%c0 = ")], Rejected("", "OpSelect")),
        ("U-DAT10", f, &[("%px =", "%true = OpLogicalEqual %bool %bt %bt\n%se = OpSelect %img %true %ti %ti\n%px ="), ("%c0 = ", "%bt = OpConstantTrue %bool\n%c0 = ")], Rejected("", "OpSelect")),
        ("U-DAT10", f, &[("%img = OpTypeImage %f32 2D 0 0 0 1 Unknown", "%img = OpTypeImage %f32 2D 0 0 0 1 Unknown\n%imgs = OpTypeArray %img %c2\n%pimgs = OpTypePointer UniformConstant %imgs"), ("%tex = OpVariable %pimg UniformConstant", "%tex = OpVariable %pimgs UniformConstant"), ("%ti = OpLoad %img %tex", "%tis = OpLoad %imgs %tex\n%ti = OpCompositeExtract %img %tis 1\nOpBranch %second\n%second = OpLabel")], Harmless("an image is a handle, valid wherever its definition is")),
        ("U-DAT10", f, &[("%img = OpTypeImage %f32 2D 0 0 0 1 Unknown", "%img = OpTypeImage %f32 2D 0 0 0 1 Unknown\n%imgs = OpTypeArray %img %c2\n%pimgs = OpTypePointer UniformConstant %imgs"), ("%tex = OpVariable %pimg UniformConstant", "%tex = OpVariable %pimgs UniformConstant"), ("%ti = OpLoad %img %tex", "%tis = OpLoad %imgs %tex\n%tq = OpCompositeExtract %st %tis 0\n%ti = OpCompositeExtract %img %tis 1\nOpBranch %second\n%second = OpLabel")], Rejected("result type", "OpCompositeExtract")),

        // Pointers without variable pointers.
        ("U-LOG01", c, &[("%pfun = OpTypePointer Function %u32", "%pfun = OpTypePointer Function %u32\n%ppf = OpTypePointer Function %pfun"), ("%tmp = OpVariable %pfun Function", "%tmp = OpVariable %pfun Function\n%pp = OpVariable %ppf Function")], Rejected("", "OpVariable")),
        ("U-LOG02", c, &[("%sum = OpFunctionCall %u32 %plus %i %c1", "%sum = OpIAdd %u32 %tmp %c1")], Rejected("", "OpIAdd")),
        ("U-LOG03", c, &[("%pi = OpAccessChain %pin %id %c0", "%pi = OpBitcast %pin %c0")], Rejected("", "OpBitcast")),
        ("U-LOG04", c, &[("%po = OpAccessChain %pu32 %out %c1 %i", "%po = OpAccessChain %pu32 %out %i %i")], Rejected("constant", "OpAccessChain")),
        ("U-VPTR09", c, &[("%po = OpAccessChain %pu32 %out %c1 %i", "%len = OpArrayLength %u32 %tmp 1\n%po = OpAccessChain %pu32 %out %c1 %i")], Rejected("", "OpArrayLength")),
        ("U-MEM01", c, &[("%i = OpLoad %u32 %pi", "%i = OpLoad %u32 %c1")], Rejected("", "OpLoad")),
        ("U-MEM01", c, &[("OpStore %po %x", "OpStore %c1 %x")], Rejected("", "OpStore")),
        ("U-MEM01", c, &[("%i = OpLoad %u32 %pi", "%i0 = OpLoad %f32 %pi\n%i = OpLoad %u32 %pi")], Rejected("", "OpLoad")),
        ("U-ATO01", c, &[("%old = OpAtomicIAdd %u32 %po ", "%old = OpAtomicIAdd %u32 %pi ")], Rejected("", "OpAtomicIAdd")),
        ("S-ATO01", c, &[("%old = OpAtomicIAdd %u32 %po ", "%old = OpAtomicIAdd %u32 %tmp ")], Rejected("", "OpAtomicIAdd")),
        ("U-BUF01", c, &[("%out = OpVariable", "%bb = OpTypeStruct %u32\n%pbb = OpTypePointer Uniform %bb\n%old1 = OpVariable %pbb Uniform\n%out = OpVariable"), ("OpDecorate %block Block", "OpDecorate %block Block\nOpDecorate %bb BufferBlock\nOpMemberDecorate %bb 0 Offset 0\nOpDecorate %old1 DescriptorSet 0\nOpDecorate %old1 Binding 1")], Harmless("both declarations of a storage buffer mean the same")),
        ("U-LOG05", c, &[("%add = OpTypeFunction", "%tfn = OpTypeFunction %u32 %pu32\n%add = OpTypeFunction"), ("OpStore %po %x", "%tr = OpFunctionCall %u32 %take %po\nOpStore %po %x"), ("%plus = OpFunction %", "%take = OpFunction %u32 None %tfn\n%tp = OpFunctionParameter %pu32\n%tl = OpLabel\n%tv = OpLoad %u32 %tp\nOpReturnValue %tv\nOpFunctionEnd\n%plus = OpFunction %")], Harmless("pointers are values that calls may take")),
        ("U-VPTR01", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("%add = OpTypeFunction", "%pwp = OpTypePointer Workgroup %pu32\n%add = OpTypeFunction"), ("%id = OpVariable", "%wp = OpVariable %pwp Workgroup\n%id = OpVariable"), ("OpStore %po %x", "OpStore %wp %po\nOpStore %po %x")], Rejected("cannot be in workgroup memory", "OpStore")),
        ("U-VPTR02", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("%pblock = OpTypePointer", "%pu32 = OpTypePointer StorageBuffer %u32\n%pblock = OpTypePointer"), ("%pu32 = OpTypePointer StorageBuffer %u32\n%pv3", "%pv3"), ("%block = OpTypeStruct %u32 %words", ""), ("%pblock = OpTypePointer", "%block = OpTypeStruct %pu32 %words\n%ppp = OpTypePointer StorageBuffer %pu32\n%pblock = OpTypePointer"), ("OpStore %po %x", "%where = OpAccessChain %ppp %out %c0\nOpStore %where %po\nOpStore %po %x")], Rejected("cannot be in a buffer", "OpAccessChain")),
        ("U-VPTR03", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("%add = OpTypeFunction", "%tfn = OpTypeFunction %pu32 %pu32\n%add = OpTypeFunction"), ("OpStore %po %x", "%tr = OpFunctionCall %pu32 %take %po\nOpStore %tr %x"), ("%plus = OpFunction %", "%take = OpFunction %pu32 None %tfn\n%tp = OpFunctionParameter %pu32\n%tl = OpLabel\nOpReturnValue %tp\nOpFunctionEnd\n%plus = OpFunction %")], Harmless("a permission: functions may return pointers")),
        ("U-VPTR04", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("OpDecorate %out Binding 0", "OpDecorate %out Binding 0\nOpDecorate %pu32 ArrayStride 4"), ("OpStore %po %x", "%ps = OpSelect %pu32 %less %po %po\n%pe = OpPtrAccessChain %pu32 %ps %c1\nOpStore %pe %x")], Harmless("a permission: pointers may be selected and moved")),
        ("U-VPTR05", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("OpStore %po %x", "%ps = OpSelect %pin %less %pi %pi\n%pv = OpLoad %u32 %ps\nOpStore %po %x")], Rejected("as values", "OpSelect")),
        ("U-VPTR06", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointersStorageBuffer"), ("OpDecorate %out Binding 0", "OpDecorate %out Binding 0\nOpDecorate %two DescriptorSet 0\nOpDecorate %two Binding 1"), ("%id = OpVariable", "%two = OpVariable %pblock StorageBuffer\n%id = OpVariable"), ("OpStore %po %x", "%pt = OpAccessChain %pu32 %two %c0\n%ps = OpSelect %pu32 %less %po %pt\nOpStore %ps %x")], Harmless("a pointer contains its buffer")),
        ("U-VPTR07", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("%add = OpTypeFunction", "%tfn = OpTypeFunction %u32 %pblock\n%add = OpTypeFunction"), ("OpStore %po %x", "%tr = OpFunctionCall %u32 %take %out\nOpStore %po %x"), ("%plus = OpFunction %", "%take = OpFunction %u32 None %tfn\n%tp = OpFunctionParameter %pblock\n%tl = OpLabel\n%tq = OpAccessChain %pu32 %tp %c0\n%tv = OpLoad %u32 %tq\nOpReturnValue %tv\nOpFunctionEnd\n%plus = OpFunction %")], Harmless("a permission: calls may take pointers into storage buffers")),
        ("U-VPTR08", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("%add = OpTypeFunction", "%tfn = OpTypeFunction %u32 %pu32\n%add = OpTypeFunction"), ("OpStore %po %x", "%tr = OpFunctionCall %u32 %take %po\nOpStore %po %x"), ("%plus = OpFunction %", "%take = OpFunction %u32 None %tfn\n%tp = OpFunctionParameter %pu32\n%tl = OpLabel\n%tv = OpLoad %u32 %tp\nOpReturnValue %tv\nOpFunctionEnd\n%plus = OpFunction %")], Harmless("a permission: calls may take pointers from access chains")),
        ("U-VPTR10", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("OpMemberDecorate %block 1 Offset 16", "OpMemberDecorate %block 1 Offset 16\nOpMemberDecorate %mb 0 Offset 0\nOpMemberDecorate %mb 0 ColMajor\nOpMemberDecorate %mb 0 MatrixStride 16\nOpDecorate %mb Block\nOpDecorate %mv DescriptorSet 0\nOpDecorate %mv Binding 1"), ("%c0 = OpConstant", "%f3 = OpTypeVector %f32 3\n%m3 = OpTypeMatrix %f3 3\n%mb = OpTypeStruct %m3\n%pmb = OpTypePointer StorageBuffer %mb\n%pm3 = OpTypePointer StorageBuffer %m3\n%c0 = OpConstant"), ("%id = OpVariable", "%mv = OpVariable %pmb StorageBuffer\n%id = OpVariable"), ("OpStore %po %x", "%pm = OpAccessChain %pm3 %mv %c0\n%ps = OpSelect %pm3 %less %pm %pm\n%ml = OpLoad %m3 %ps\nOpStore %po %x")], Harmless("the matrix's layout is that of the pointer")),
        ("S-LAY06", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("OpStore %po %x", "%pe = OpPtrAccessChain %pu32 %po %c1\nOpStore %pe %x")], Rejected("ArrayStride", "OpPtrAccessChain")),
        ("S-LAY07", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointers"), ("OpDecorate %out Binding 0", "OpDecorate %out Binding 0\nOpDecorate %pu32 ArrayStride 8"), ("OpStore %po %x", "%pe = OpPtrAccessChain %pu32 %po %c1\nOpStore %pe %x")], Harmless("an access chain uses the stride of the type that it indexes")),

        // Ids and functions.
        ("U-SSA01", c, &[("%f1 = OpConstant %f32 1", "%f1 = OpConstant %f32 1\n%f1 = OpConstant %f32 2")], Rejected("defined twice", "OpConstant")),
        ("U-SSA02", c, &[("%sum = OpFunctionCall %u32 %plus %i %c1", "%sum = OpIAdd %u32 %late %c1\n%late = OpIAdd %u32 %c1 %c1")], Rejected("", "OpIAdd")),
        ("U-SCO01", c, &[("%r = OpIAdd %u32 %a %b", "%r = OpIAdd %u32 %a %i")], Rejected("", "OpIAdd")),
        ("U-EP01", c, &[("OpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 4 1 1\n", "")], Rejected("entry point", "")),
        ("U-EP02", c, &[("%sum = OpFunctionCall %u32 %plus %i %c1", "%nil = OpFunctionCall %void %main\n%sum = OpFunctionCall %u32 %plus %i %c1")], Rejected("entry point", "OpFunctionCall")),
        ("U-EP03", c, &[("OpExecutionMode", "OpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode")], Rejected("two entry points", "OpEntryPoint")),
        ("U-FUN01", c, &[("%pl = OpLabel\n%r = OpIAdd %u32 %a %b\nOpReturnValue %r\n", "")], Rejected("without a body", "OpFunction")),
        ("U-FUN02", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability Linkage"), ("OpDecorate %block Block", "OpDecorate %block Block\nOpDecorate %plus LinkageAttributes \"plus\" Import")], Rejected("a function with a body", "OpDecorate")),
        ("U-FUN03", c, &[("%plus = OpFunction %u32", "%ghost = OpFunction %u32 None %add\n%ga = OpFunctionParameter %u32\n%gb = OpFunctionParameter %u32\nOpFunctionEnd\n%plus = OpFunction %u32"), ("OpName %main", "OpName %ghost \"plus\"\nOpName %plus \"plus\"\nOpName %main")], Rejected("without a body", "OpFunction")),
        ("U-GLB01", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability Linkage"), ("OpDecorate %block Block", "OpDecorate %block Block\nOpDecorate %g LinkageAttributes \"g\" Import"), ("%id = OpVariable", "%pg = OpTypePointer Private %u32\n%g = OpVariable %pg Private %c1\n%id = OpVariable")], Rejected("an initializer", "OpDecorate")),
        ("U-DEC01", c, &[("OpCapability Shader", "OpCapability Shader\nOpCapability Linkage"), ("OpDecorate %block Block", "OpDecorate %block Block\nOpDecorate %main LinkageAttributes \"main\" Export")], Rejected("of an entry point", "OpDecorate")),
        ("U-CALL01", c, &[("%sum = OpFunctionCall %u32 %plus %i %c1", "%sum = OpFunctionCall %u32 %c1 %i %c1")], Rejected("not a function", "OpFunctionCall")),
        ("U-ARG01", c, &[("%sum = OpFunctionCall %u32 %plus %i %c1", "%sum = OpFunctionCall %u32 %plus %i")], Rejected("argument", "OpFunctionCall")),
        ("U-ARG01", c, &[("%sum = OpFunctionCall %u32 %plus %i %c1", "%sum = OpFunctionCall %u32 %plus %i %f1")], Rejected("argument", "OpFunctionCall")),
        ("U-ARG03", c, &[("%n1 = OpIAdd %u32 %n %c1", "%n1 = OpIAdd %u32 %n %f1")], Rejected("", "OpIAdd")),
        ("U-ARG03", c, &[("%go = OpULessThan %bool %n %x", "%go = OpULessThan %u32 %n %x")], Rejected("", "OpULessThan")),
        ("S-EP01", c, &[("%r = OpIAdd %u32 %a %b", "%r = OpFunctionCall %u32 %plus %a %b")], Rejected("calls itself", "OpFunctionCall")),

        // Blocks.
        ("U-CFG01", c, &[("%main = OpFunction", "%stray = OpLabel\n%main = OpFunction")], Rejected("outside of a function", "OpLabel")),
        ("U-CFG02", c, &[("%no = OpLabel\nOpBranch %join", "%no = OpLabel\nOpBranch %entry")], Rejected("not structured", "")),
        ("U-CFG03", c, &[("%yes = OpLabel\n%sum = OpFunctionCall %u32 %plus %i %c1\nOpBranch %join\n", ""), ("OpReturn\nOpFunctionEnd", "OpReturn\n%yes = OpLabel\n%sum = OpFunctionCall %u32 %plus %i %c1\nOpBranch %join\nOpFunctionEnd")], Harmless("blocks are found by following branches")),
        ("U-CFG04", c, &[("%yes = OpLabel\n", "")], Rejected("outside of a block", "OpFunctionCall")),
        ("U-CFG05", c, &[("OpBranch %join\n%no = OpLabel", "%no = OpLabel")], Rejected("without a terminator", "OpLabel")),
        ("U-CFG06", c, &[("%no = OpLabel\n", "%no = OpLabel\nOpReturn\n")], Rejected("outside of a block", "OpBranch")),
        ("U-CFG07", c, &[("OpReturn\nOpFunctionEnd", "OpReturn\nOpFunctionEnd\n%stray = OpLabel")], Rejected("outside of a function", "OpLabel")),
        ("U-CFG08", c, &[("%no = OpLabel\nOpBranch %join", "%no = OpLabel\nOpBranch %pl")], Rejected("not a block of the function", "OpBranch")),

        // Structured control flow.
        ("S-CFG01", c, &[("OpLoopMerge %after %next None\n", "")], Rejected("not structured", "")),
        ("S-CFG02", c, &[("OpSelectionMerge %join None\n", "")], Rejected("not structured", "")),
        ("S-CFG02", c, &[("OpSelectionMerge %done None\n", "")], Rejected("without a merge", "OpSwitch")),
        ("C-STR01", c, &[("OpSelectionMerge %done None", "OpSelectionMerge %join None")], Rejected("merge block", "OpSelectionMerge")),
        ("C-STR02", c, &[("OpSelectionMerge %join None", "OpSelectionMerge %entry None")], Rejected("", "")),
        ("C-STR03", c, &[("%n1 = OpIAdd %u32 %n %c1\nOpBranch %head", "%n1 = OpIAdd %u32 %n %c1\nOpBranch %test")], Rejected("", "")),
        ("C-STR04", c, &[("OpLoopMerge %after %next None", "OpLoopMerge %after %yes None")], Rejected("", "")),
        ("C-STR05", c, &[("OpBranch %next\n%next = OpLabel", "OpBranch %head\n%next = OpLabel"), ("%n = OpPhi %u32 %c0 %join %n1 %next", "%n = OpPhi %u32 %c0 %join %n1 %next %c0 %body")], Rejected("", "")),
        ("C-STR06", c, &[("%n1 = OpIAdd %u32 %n %c1\nOpBranch %head", "%n1 = OpIAdd %u32 %n %c1\nOpReturn")], Harmless("a loop without a back edge runs once")),
        ("C-STR07", c, &[("OpLoopMerge %after %next None\nOpBranch %test", "OpLoopMerge %after %next None\nOpBranchConditional %less %test %done")], Rejected("", "")),
        ("C-STR08", c, &[("%no = OpLabel\nOpBranch %join", "%no = OpLabel\nOpBranch %body")], Rejected("", "")),
        ("C-STR09", c, &[("%one = OpLabel\nOpBranch %done", "%one = OpLabel\nOpBranch %head"), ("%n = OpPhi %u32 %c0 %join %n1 %next", "%n = OpPhi %u32 %c0 %join %n1 %next %c0 %one")], Rejected("", "")),
        ("C-STR10", c, &[("OpSwitch %x %other 1 %one", "OpSwitch %x %other 1 %yes")], Rejected("", "")),
        ("C-STR11", c, &[("OpSwitch %x %other 1 %one", "OpSwitch %x %other 1 %one 2 %two 3 %three"), ("%one = OpLabel\nOpBranch %done", "%one = OpLabel\nOpSelectionMerge %om None\nOpBranchConditional %less %two %three\n%om = OpLabel\nOpUnreachable\n%two = OpLabel\nOpBranch %done\n%three = OpLabel\nOpBranch %done")], Harmless("cases are ordered so that each may fall through to later cases")),
        ("C-STR12", c, &[("OpSwitch %x %other 1 %one", "OpSwitch %x %other 1 %one 2 %two"), ("%one = OpLabel\nOpBranch %done", "%one = OpLabel\nOpBranch %other\n%two = OpLabel\nOpBranch %other")], Harmless("any number of cases may fall through to a later case")),
        ("C-STR13", c, &[("OpSwitch %x %other 1 %one", "OpSwitch %x %other 1 %one 2 %two"), ("%one = OpLabel\nOpBranch %done", "%one = OpLabel\nOpBranch %done\n%two = OpLabel\nOpBranch %one")], Harmless("cases are sorted by fall-through")),
        ("C-STR13", c, &[("OpSwitch %x %other 1 %one", "OpSwitch %x %other 1 %one 2 %two"), ("%one = OpLabel\nOpBranch %done", "%one = OpLabel\nOpBranch %two\n%two = OpLabel\nOpBranch %one")], Rejected("cycle", "")),

        // Decorations, entry points and layout.
        ("U-DEC02", f, &[("OpDecorate %uv Location 0", "OpDecorate %uv Location 0\nOpMemberDecorate %ub 0 BuiltIn Position")], Harmless("built-ins of a struct only count in Input and Output")),
        ("U-DEC03", f, &[("\"main\" %uv", "\"main\" %nest %uv"), ("OpDecorate %uv Location 0", "OpDecorate %uv Location 0\nOpMemberDecorate %inner 0 BuiltIn FragCoord\nOpDecorate %inner Block"), ("%pub = OpTypePointer", "%inner = OpTypeStruct %v4\n%outer = OpTypeStruct %inner\n%pnest = OpTypePointer Input %outer\n%pfc = OpTypePointer Input %v4\n%pub = OpTypePointer"), ("%uv = OpVariable", "%nest = OpVariable %pnest Input\n%uv = OpVariable"), ("%o = OpFAdd %v4 %mv %row", "%pc = OpAccessChain %pfc %nest %c0 %c0\n%fc = OpLoad %v4 %pc\n%o = OpFAdd %v4 %mv %fc")], Rejected("without Location or BuiltIn", "OpAccessChain")),
        ("U-DEC04", f, &[("\"main\" %uv", "\"main\" %one %two %uv"), ("OpDecorate %uv Location 0", "OpDecorate %uv Location 0\nOpMemberDecorate %inner 0 BuiltIn FragCoord\nOpDecorate %inner Block"), ("%pub = OpTypePointer", "%inner = OpTypeStruct %v4\n%pnest = OpTypePointer Input %inner\n%pfc = OpTypePointer Input %v4\n%pub = OpTypePointer"), ("%uv = OpVariable", "%one = OpVariable %pnest Input\n%two = OpVariable %pnest Input\n%uv = OpVariable"), ("%o = OpFAdd %v4 %mv %row", "%p1 = OpAccessChain %pfc %one %c0\n%f1 = OpLoad %v4 %p1\n%p2 = OpAccessChain %pfc %two %c0\n%f2 = OpLoad %v4 %p2\n%o = OpFAdd %v4 %f1 %f2")], Harmless("both read the same built-in")),
        ("S-DEC01", f, &[("OpDecorate %uv Location 0", "OpDecorate %uv Location 0\nOpDecorate %uv Flat\nOpDecorate %uv NoPerspective")], Rejected("Flat", "OpVariable")),
        ("S-DEC02", f, &[("OpDecorate %uv Location 0", "OpDecorate %uv Location 0\nOpDecorate %uv Centroid\nOpDecorate %uv Sample")], Rejected("Centroid", "OpVariable")),
        ("S-DEC07", f, &[("OpDecorate %uv Location 0", "OpDecorate %uv Location 0\nOpDecorate %uv Component 4294967295")], Rejected("Component", "OpLoad")),
        ("S-DEC07", f, &[("OpDecorate %uv Location 0", "OpDecorate %uv Location 0\nOpDecorate %uv Component 4")], Rejected("Component", "OpLoad")),
        ("S-DEC03", f, &[("OpMemberDecorate %ub 0 ColMajor", "OpMemberDecorate %ub 0 ColMajor\nOpMemberDecorate %ub 0 RowMajor")], Rejected("RowMajor", "OpTypeStruct")),
        ("S-DEC04", f, &[("OpDecorate %ub Block", "OpDecorate %ub Block\nOpDecorate %ub BufferBlock")], Rejected("BufferBlock", "OpTypeStruct")),
        ("S-DEC05", f, &[("OpDecorate %ub Block", "OpDecorate %ub Block\nOpDecorate %outer Block\nOpMemberDecorate %outer 0 Offset 0"), ("%pub = OpTypePointer", "%outer = OpTypeStruct %ub\n%pub = OpTypePointer")], Rejected("Block", "OpTypeStruct")),
        ("S-DEC06", c, &[("OpDecorate %block Block", "OpDecorate %block Block\nOpDecorate %x FPRoundingMode RTE")], Harmless("only read on conversions")),
        ("S-EP02", c, &[("\"main\" %id", "\"main\"")], Harmless("variables are found where they are used")),
        ("S-EP02", c, &[("; Version: 1.3", "; Version: 1.4"), ("\"main\" %id", "\"main\" %id %out %id")], Rejected("interface", "OpEntryPoint")),
        ("S-EP03", f, &[("OpExecutionMode %main OriginUpperLeft\n", "")], Rejected("Origin", "OpEntryPoint")),
        ("S-EP03", f, &[("OpExecutionMode %main OriginUpperLeft\n", "OpExecutionMode %main OriginLowerLeft\n")], Rejected("OriginLowerLeft", "OpEntryPoint")),
        ("S-EP04", f, &[("OriginUpperLeft\n", "OriginUpperLeft\nOpExecutionMode %main DepthLess\nOpExecutionMode %main DepthGreater\n")], Rejected("Depth", "OpEntryPoint")),
        ("S-EP05", t, &[("SpacingEqual\n", "SpacingEqual\nOpExecutionMode %main SpacingFractionalOdd\n")], Rejected("more than one of [SpacingEqual", "OpEntryPoint")),
        ("S-EP05", t, &[("Triangles\n", "Triangles\nOpExecutionMode %main Quads\n")], Rejected("more than one of [Triangles", "OpEntryPoint")),
        ("S-EP05", t, &[("VertexOrderCw\n", "VertexOrderCw\nOpExecutionMode %main VertexOrderCcw\n")], Rejected("more than one of [VertexOrderCw", "OpEntryPoint")),
        ("S-EP06", g, &[("OpExecutionMode %main InputPoints\n", "")], Rejected("none of [InputPoints", "OpEntryPoint")),
        ("S-EP06", g, &[("InputPoints\n", "InputPoints\nOpExecutionMode %main Triangles\n")], Rejected("more than one of [InputPoints", "OpEntryPoint")),
        ("S-EP06", g, &[("OpExecutionMode %main OutputPoints\n", "")], Rejected("none of [OutputPoints", "OpEntryPoint")),
        ("U-XFB01", g, &[("OpDecorate %b XfbStride 8", "OpDecorate %b XfbStride 12")], Rejected("buffer 2 has two different strides", "")),
        ("U-XFB02", g, &[("OpDecorate %b Stream 1", "OpDecorate %b Stream 0")], Rejected("buffer 2 has two different streams", "")),
        ("U-XFB02", g, &[("OpDecorate %b Stream 1", "OpDecorate %b Stream 0"), ("OpDecorate %b Offset 4\n", "")], Harmless("without Offset nothing is captured")),
        ("S-LAY01", f, &[("OpDecorate %rows ArrayStride 16\n", ""), ("OpMemberDecorate %ub 1 Offset 64\n", "")], Rejected("no ", "")),
        ("S-LAY02", f, &[("OpMemberDecorate %ub 1 Offset 64\n", "")], Rejected("no Offset", "OpAccessChain")),
        ("S-LAY03", f, &[("OpDecorate %rows ArrayStride 16\n", "")], Rejected("no ArrayStride", "OpAccessChain")),
        ("S-LAY04", f, &[("OpMemberDecorate %ub 0 MatrixStride 16\n", "")], Rejected("no MatrixStride", "OpAccessChain")),
        ("S-LAY05", f, &[("OpMemberDecorate %ub 1 Offset 64\n", "OpMemberDecorate %ub 1 Offset 0\n")], Harmless("members may overlap: each access is checked against the buffer")),
        ("S-LAY05", f, &[("ArrayStride 16", "ArrayStride 0")], Rejected("ArrayStride", "")),
        ("S-IO01", f, &[("OpDecorate %uv Location 0", "OpDecorate %uv Location 0\nOpMemberDecorate %ub 0 Flat")], Harmless("only read on Input and Output variables")),
        ("S-SCO01", c, &[("%po %c1 %c264 %c1", "%po %i %c264 %c1")], Harmless("every atomic has the strongest semantics")),
        ("A-ALI01", c, &[("OpDecorate %block Block", "OpDecorate %block Block\nOpDecorate %out Restrict\nOpDecorate %out Aliased")], Harmless("all memory is assumed to be aliased")),
    ]
}

fn apply(base: &str, edits: &[(&str, &str)]) -> String {
    let mut text = base.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "no {from:?} in the module");
        text = text.replacen(from, to, 1);
    }
    text
}

/// A complete tessellation evaluation entry point.
const EVALUATION: &str = r#"; Version: 1.3
OpCapability Tessellation
OpMemoryModel Logical GLSL450
OpEntryPoint TessellationEvaluation %main "main" %out
OpExecutionMode %main Triangles
OpExecutionMode %main SpacingEqual
OpExecutionMode %main VertexOrderCw
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%pout = OpTypePointer Output %f32
%f1 = OpConstant %f32 1
%out = OpVariable %pout Output
%main = OpFunction %void None %fn
%entry = OpLabel
OpStore %out %f1
OpReturn
OpFunctionEnd
"#;

/// A complete geometry entry point that captures two outputs.
const GEOMETRY: &str = r#"; Version: 1.3
OpCapability Geometry
OpCapability GeometryStreams
OpCapability TransformFeedback
OpMemoryModel Logical GLSL450
OpEntryPoint Geometry %main "main" %a %b
OpExecutionMode %main InputPoints
OpExecutionMode %main OutputPoints
OpExecutionMode %main OutputVertices 1
OpExecutionMode %main Xfb
OpDecorate %a Location 0
OpDecorate %a Stream 1
OpDecorate %a XfbBuffer 2
OpDecorate %a XfbStride 8
OpDecorate %a Offset 0
OpDecorate %b Location 1
OpDecorate %b Stream 1
OpDecorate %b XfbBuffer 2
OpDecorate %b XfbStride 8
OpDecorate %b Offset 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%u32 = OpTypeInt 32 0
%pout = OpTypePointer Output %f32
%f1 = OpConstant %f32 1
%s1 = OpConstant %u32 1
%a = OpVariable %pout Output
%b = OpVariable %pout Output
%main = OpFunction %void None %fn
%entry = OpLabel
OpStore %a %f1
OpStore %b %f1
OpEmitStreamVertex %s1
OpReturn
OpFunctionEnd
"#;

/// Loads a module and lowers all of its entry points.
fn load(words: &[u32]) -> Result<(), Error> {
    let module = Module::parse(words)?;
    for e in module.entry_points() {
        let shader = module.lower(&e.name, e.stage, &[])?;
        ir::verify(&shader).map_err(Error::invalid)?;
    }
    Ok(())
}

fn place(e: &Error) -> Place {
    match e {
        Error::Invalid { place, .. } | Error::Unsupported { place, .. } => (**place).clone(),
        e => panic!("neither invalid nor unsupported: {e}"),
    }
}

#[test]
fn the_modules_are_good_before_they_are_changed() {
    for base in [COMPUTE, FRAGMENT, EVALUATION, GEOMETRY] {
        load(&asm::assemble(base).unwrap()).unwrap();
    }
}

#[test]
fn every_rule() {
    let mut wrong = Vec::new();
    for (i, (rule, base, edits, verdict)) in cases().iter().enumerate() {
        let words = match asm::assemble(&apply(base, edits)) {
            Ok(words) => words,
            Err(e) => {
                wrong.push(format!("{rule} ({i}): does not assemble: {e}"));
                continue;
            }
        };
        match (load(&words), verdict) {
            (Ok(()), Harmless(_)) => {}
            (Ok(()), Rejected(..)) => wrong.push(format!("{rule} ({i}): accepted")),
            (Err(e), Harmless(why)) => wrong.push(format!("{rule} ({i}): refused though {why}: {e}")),
            (Err(e), Rejected(text, instruction)) => {
                let at = place(&e);
                let named = instruction.is_empty() || at.instruction.as_deref() == Some(instruction);
                let located = at.word.is_some() || (instruction.is_empty() && !text.is_empty());
                if !e.to_string().contains(text) || !named || !located {
                    wrong.push(format!("{rule} ({i}): {e}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// An error states the location in the module and in the source.
#[test]
fn rejections_name_instruction_id_word_and_line() {
    let text = apply(COMPUTE, &[("%n1 = OpIAdd %u32 %n %c1", "OpLine %file 7 1\n%n1 = OpIAdd %u32 %n %f1")]);
    let words = asm::assemble(&text).unwrap();
    let at = place(&load(&words).unwrap_err());
    let word = at.word.unwrap();
    assert_eq!(words[word] & 0xffff, 128, "OpIAdd");
    assert_eq!(Some(words[word + 2]), at.id);
    assert_eq!((at.file.as_deref(), at.line), (Some("rule.comp"), Some(7)));
}

/// Malformed headers and word streams. Rules L-PHY01, L-PHY02, L-PHY03, U-ARG02, U-DAT07.
#[test]
fn malformed_words() {
    let good = asm::assemble(COMPUTE).unwrap();
    let refuse = |words: &[u32], text: &str| {
        let e = load(words).unwrap_err().to_string();
        assert!(e.contains(text), "{e}");
    };
    refuse(&[], "magic");
    refuse(&good[..4], "header");
    let with = |at: usize, word: u32| {
        let mut words = good.clone();
        words[at] = word;
        words
    };
    refuse(&with(0, 0x0302_2308), "magic");
    refuse(&with(1, 0x0002_0000), "version");
    refuse(&with(3, 0), "bound");
    refuse(&with(3, 3), "bound");
    refuse(&with(4, 1), "schema");
    refuse(&with(5, good[5] & 0xffff), "past the end");
    refuse(&with(good.len() - 1, 2 << 16 | 56), "past the end");
    // OpCapability with two operands, and without operands.
    let mut long = good.clone();
    long[5] = 3 << 16 | 17;
    long.insert(7, 0);
    refuse(&long, "operand");
    refuse(&with(5, 1 << 16 | 17), "operands are missing");
    // U-DAT07: a specialization constant of a vector type.
    let text = apply(COMPUTE, &[("%c1 = OpConstant %u32 1", "%c1 = OpSpecConstant %u32 1")]);
    let mut words = asm::assemble(&text).unwrap();
    let find = |words: &[u32], op: u32| words.iter().position(|&w| w & 0xffff == op && w >> 16 == 4).unwrap();
    let (vector, constant) = (find(&words, 23), find(&words, 50));
    words[constant + 1] = words[vector + 1];
    refuse(&words, "OpSpecConstant");
    // A module in the opposite byte order is valid too.
    load(&good.iter().map(|w| w.swap_bytes()).collect::<Vec<_>>()).unwrap();
}
