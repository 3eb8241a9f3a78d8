//! Built-in functions that compilers leave as imports, as clang writes them.

use quadrille::Format;
use quadrille::apps::kernel::KernelImage;

use super::{HEAD, ID, in_every_way, range, words};

/// Declares an imported function.
fn import(id: &str, name: &str) -> String {
    format!("OpDecorate {id} LinkageAttributes \"{name}\" Import\n")
}

/// A kernel that takes what `parameters` names and calls functions without a body: their ids, results and parameters.
fn kernel(
    decorations: &str,
    types: &str,
    functions: &[(&str, &str, &[&str])],
    parameters: &[(&str, &str)],
    body: &str,
) -> Vec<u32> {
    let head = HEAD.replace("; decorations", decorations);
    let (mut declared, mut known) = (String::new(), format!("{head}\n{types}\n"));
    for (n, (id, result, list)) in functions.iter().enumerate() {
        // A type has one declaration.
        let first = functions.iter().position(|f| (f.1, f.2) == (*result, *list)).unwrap_or(n);
        if first == n {
            known += &format!("%type_of_{n} = OpTypeFunction {result} {}\n", list.join(" "));
        }
        declared += &format!("{id} = OpFunction {result} None %type_of_{first}\n");
        for (k, parameter) in list.iter().enumerate() {
            declared += &format!("%p_{n}_{k} = OpFunctionParameter {parameter}\n");
        }
        declared += "OpFunctionEnd\n";
    }
    let list: String = parameters.iter().map(|(ty, _)| format!(" {ty}")).collect();
    let names: String =
        parameters.iter().map(|(ty, name)| format!("{name} = OpFunctionParameter {ty}\n")).collect();
    words(&format!(
        "{known}%main_type = OpTypeFunction %void{list}\n{declared}\
         %main = OpFunction %void None %main_type\n{names}{body}\nOpFunctionEnd\n"
    ))
}

/// Extrema of signed and of unsigned numbers, exchanges, counts.
#[test]
fn atomics_by_name() {
    let names = [
        ("%smax", "_Z10atomic_maxPU3AS1Vii"),
        ("%umax", "_Z10atomic_maxPU3AS1Vjj"),
        ("%smin", "_Z25atomic_fetch_min_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope"),
        ("%xchg", "_Z11atomic_xchgPU3AS1Vii"),
        ("%inc", "_Z10atomic_incPU3AS1Vi"),
    ];
    let decorations: String = names.iter().map(|(id, name)| import(id, name)).collect();
    let two = ["%gu", "%u32"];
    let functions: [(&str, &str, &[&str]); 5] = [
        ("%smax", "%u32", &two),
        ("%umax", "%u32", &two),
        ("%smin", "%u32", &["%gu", "%u32", "%u32", "%u32"]),
        ("%xchg", "%u32", &two),
        ("%inc", "%u32", &["%gu"]),
    ];
    let types = "%minus = OpConstant %u32 0xfffffff0";
    let body = format!(
        "{ID}%n = OpUConvert %u32 %i
        %value = OpIAdd %u32 %n %minus
        %p1 = OpInBoundsPtrAccessChain %gu %data %l1
        %p3 = OpInBoundsPtrAccessChain %gu %data %l3
        %p4 = OpInBoundsPtrAccessChain %gu %data %l4
        %p8 = OpInBoundsPtrAccessChain %gu %data %l8
        %r0 = OpFunctionCall %u32 %smax %data %value
        %r1 = OpFunctionCall %u32 %umax %p1 %value
        %r3 = OpFunctionCall %u32 %smin %p3 %value %u0 %u1
        %r4 = OpFunctionCall %u32 %xchg %p4 %u5
        %r8 = OpFunctionCall %u32 %inc %p8
        OpReturn"
    );
    in_every_way(&kernel(&decorations, types, &functions, &[("%gu", "%data")], &body), |kernel| {
        kernel.set_buffer(0, &[0i32, 0, 0, 0, 9, 0, 0, 0, 0]).unwrap();
        kernel.launch(&range(20, 10)).unwrap();
        // The values are -16 to 3.
        assert_eq!(kernel.read::<i32>(0).unwrap(), [3, -1, 0, -16, 5, 0, 0, 0, 20]);
    });
}

/// Fences, and what a generic pointer leads to.
#[test]
fn fences_and_classes_by_name() {
    let names = [
        ("%fence", "_Z9mem_fencej"),
        ("%meet", "_Z17sub_group_barrierj"),
        ("%flags", "_Z9get_fencePU3AS4v"),
        ("%to_local", "__to_local"),
        ("%to_global", "__to_global"),
    ];
    let decorations: String = names.iter().map(|(id, name)| import(id, name)).collect();
    let functions: [(&str, &str, &[&str]); 5] = [
        ("%fence", "%void", &["%u32"]),
        ("%meet", "%void", &["%u32"]),
        ("%flags", "%u32", &["%generic"]),
        ("%to_local", "%wu", &["%generic"]),
        ("%to_global", "%gu", &["%generic"]),
    ];
    let types = "%generic = OpTypePointer Generic %u32
        %no_local = OpConstantNull %wu
        %no_global = OpConstantNull %gu";
    let body = format!(
        "{ID}%low = OpBitwiseAnd %u64 %i %l1
        %is_local = OpIEqual %bool %low %l1
        %a = OpPtrCastToGeneric %generic %words
        %b = OpPtrCastToGeneric %generic %out
        %g = OpSelect %generic %is_local %a %b
        %none1 = OpFunctionCall %void %fence %u3
        %none2 = OpFunctionCall %void %meet %u1
        %f = OpFunctionCall %u32 %flags %g
        %l = OpFunctionCall %wu %to_local %g
        %has_l = OpPtrNotEqual %bool %l %no_local
        %ten = OpSelect %u32 %has_l %u1000 %u0
        %c = OpFunctionCall %gu %to_global %g
        %has_c = OpPtrNotEqual %bool %c %no_global
        %seven = OpSelect %u32 %has_c %u272 %u0
        %s0 = OpIAdd %u32 %f %ten
        %s = OpIAdd %u32 %s0 %seven
        %p = OpInBoundsPtrAccessChain %gu %out %i
        OpStore %p %s Aligned 4
        OpReturn"
    );
    let parameters = [("%gu", "%out"), ("%wu", "%words")];
    in_every_way(&kernel(&decorations, types, &functions, &parameters, &body), |kernel| {
        kernel.set_buffer(0, &[0u32; 6]).unwrap();
        kernel.set_local(1, 16).unwrap();
        kernel.launch(&range(6, 3)).unwrap();
        assert_eq!(kernel.read::<u32>(0).unwrap(), [274, 1001, 274, 1001, 274, 1001]);
    });
}

/// Queries of an image return the numbers of OpenCL C: CLK_RGBA and CLK_UNORM_INT8.
#[test]
fn image_queries_by_name() {
    let decorations = import("%order", "_Z23get_image_channel_order14ocl_image2d_ro")
        + &import("%kind", "_Z27get_image_channel_data_type14ocl_image2d_ro");
    let functions: [(&str, &str, &[&str]); 2] =
        [("%order", "%u32", &["%image"]), ("%kind", "%u32", &["%image"])];
    let types = "%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly";
    let body = "%entry = OpLabel
        %a = OpFunctionCall %u32 %order %in
        %b = OpFunctionCall %u32 %kind %in
        OpStore %out %a Aligned 4
        %p = OpInBoundsPtrAccessChain %gu %out %l1
        OpStore %p %b Aligned 4
        OpReturn";
    in_every_way(
        &kernel(&decorations, types, &functions, &[("%image", "%in"), ("%gu", "%out")], body),
        |kernel| {
            kernel.set_image(0, &KernelImage::new(Format::R8G8B8A8_UNORM, [1, 1, 1], &[0; 4])).unwrap();
            kernel.set_buffer(1, &[0u32; 2]).unwrap();
            kernel.launch(&range(1, 1)).unwrap();
            assert_eq!(kernel.read::<u32>(1).unwrap(), [0x10b5, 0x10d2]);
        },
    );
}

/// OpAny and OpAll of integers test their signs, as `any` and `all` do in OpenCL C.
#[test]
fn signs_are_truths() {
    let types = "%v2u32 = OpTypeVector %u32 2\n%minus = OpConstant %u32 0xffffffff";
    let body = format!(
        "{ID}%n = OpUConvert %u32 %i
        %low = OpBitwiseAnd %u32 %n %u1
        %high = OpShiftRightLogical %u32 %n %u1
        %a = OpIMul %u32 %low %minus
        %b = OpIMul %u32 %high %minus
        %v = OpCompositeConstruct %v2u32 %a %b
        %any = OpAny %bool %v
        %all = OpAll %bool %v
        %first = OpSelect %u32 %any %u1 %u0
        %second = OpSelect %u32 %all %u2 %u0
        %sum = OpIAdd %u32 %first %second
        %p = OpInBoundsPtrAccessChain %gu %out %i
        OpStore %p %sum Aligned 4
        OpReturn"
    );
    in_every_way(&kernel("", types, &[], &[("%gu", "%out")], &body), |kernel| {
        kernel.set_buffer(0, &[9u32; 4]).unwrap();
        kernel.launch(&range(4, 4)).unwrap();
        assert_eq!(kernel.read::<u32>(0).unwrap(), [0, 1, 1, 3]);
    });
}
