//! Launches whose workgroups do not divide the invocations.

use quadrille::apps::kernel::Range;

use super::{in_every_way, module};

/// Words that each invocation writes at its linear global id.
const WORDS: usize = 4;

/// 5 x 3 x 3 invocations in workgroups of 2 x 2 x 2: the last workgroups in each dimension are smaller.
#[test]
fn last_workgroups_are_smaller() {
    let globals = "%l100 = OpConstant %u64 100
        %l10 = OpConstant %u64 10";
    let component = |name: &str, of: &str, at: u32| {
        format!("{name}{at}l = OpCompositeExtract %u64 {of} {at}\n{name}{at} = OpUConvert %u32 {name}{at}l\n")
    };
    let each = |name: &str, of: &str| (0..3).map(|at| component(name, of, at)).collect::<String>();
    // The three components of a vector as the digits of a number.
    let digits = |name: &str| {
        format!(
            "{name}a = OpIMul %u64 {name}2l %l100
            {name}b = OpIMul %u64 {name}1l %l10
            {name}c = OpIAdd %u64 {name}a {name}b
            {name}d = OpIAdd %u64 {name}c {name}0l
            {name}w = OpUConvert %u32 {name}d\n"
        )
    };
    let body = format!(
        "%entry = OpLabel
        %ids = OpLoad %v3u64 %gid
        %locals = OpLoad %v3u64 %lid
        %sizes = OpLoad %v3u64 %wgs
        %whole = OpLoad %v3u64 %ews
        %all = OpLoad %v3u64 %gsize
        %linear = OpLoad %u64 %glinear
        {}{}{}{}{}
        %base = OpIMul %u64 %linear %l4
        %p0 = OpInBoundsPtrAccessChain %gu %out %base
        OpStore %p0 %gw Aligned 4
        %at1 = OpIAdd %u64 %base %l1
        %p1 = OpInBoundsPtrAccessChain %gu %out %at1
        OpStore %p1 %inw Aligned 4
        %at2 = OpIAdd %u64 %at1 %l1
        %p2 = OpInBoundsPtrAccessChain %gu %out %at2
        OpStore %p2 %sw Aligned 4
        %at3 = OpIAdd %u64 %base %l3
        %p3 = OpInBoundsPtrAccessChain %gu %out %at3
        %most = OpIMul %u64 %wd %l1000
        %both = OpIAdd %u64 %most %td
        %bw = OpUConvert %u32 %both
        OpStore %p3 %bw Aligned 4
        OpReturn",
        each("%g", "%ids") + &digits("%g"),
        each("%in", "%locals") + &digits("%in"),
        each("%s", "%sizes") + &digits("%s"),
        each("%w", "%whole") + &digits("%w"),
        each("%t", "%all") + &digits("%t")
    );
    let globals = format!("{globals}\n%l1000 = OpConstant %u64 1000");
    let global = [5u32, 3, 3];
    in_every_way(&module(&[("%gu", "%out")], &globals, &body), |kernel| {
        for local in [[2u32, 2, 2], [8, 1, 3], [5, 3, 2]] {
            kernel.set_buffer(0, &[0u32; WORDS * 45]).unwrap();
            let range = Range { global, local: Some(local), dimensions: 3, ..Range::default() };
            kernel.launch(&range).unwrap();
            let got = kernel.read::<u32>(0).unwrap();
            let number = |v: [u32; 3]| v[2] * 100 + v[1] * 10 + v[0];
            for (i, words) in (0..).zip(got.chunks(WORDS)) {
                let id = [i % 5, i / 5 % 3, i / 15];
                // Spec: OpenCL API, "Execution Model: Mapping work-items onto an NDRange".
                let size: [u32; 3] =
                    std::array::from_fn(|c| local[c].min(global[c] - id[c] / local[c] * local[c]));
                let inside: [u32; 3] = std::array::from_fn(|c| id[c] % local[c]);
                let want = [number(id), number(inside), number(size), number(local) * 1000 + number(global)];
                assert_eq!(words, want, "{id:?} in {local:?}");
            }
        }
    });
}

/// The number of a workgroup, and their number, with a global offset; a barrier in workgroups of both sizes.
#[test]
fn workgroups_of_both_sizes_have_barriers() {
    let decorations = "OpDecorate %wid BuiltIn WorkgroupId\nOpDecorate %wn BuiltIn NumWorkgroups";
    let globals = "%wid = OpVariable %iv Input\n%wn = OpVariable %iv Input";
    let body = "%entry = OpLabel
        %ids = OpLoad %v3u64 %gid
        %i = OpCompositeExtract %u64 %ids 0
        %locals = OpLoad %v3u64 %lid
        %l = OpCompositeExtract %u64 %locals 0
        %sizes = OpLoad %v3u64 %wgs
        %size = OpCompositeExtract %u64 %sizes 0
        %groups = OpLoad %v3u64 %wid
        %group = OpCompositeExtract %u64 %groups 0
        %numbers = OpLoad %v3u64 %wn
        %number = OpCompositeExtract %u64 %numbers 0
        %mine = OpInBoundsPtrAccessChain %wu %tile %l
        %n = OpUConvert %u32 %i
        OpStore %mine %n Aligned 4
        OpControlBarrier %u2 %u2 %u272
        %last = OpISub %u64 %size %l1
        %other = OpISub %u64 %last %l
        %theirs = OpInBoundsPtrAccessChain %wu %tile %other
        %x = OpLoad %u32 %theirs Aligned 4
        %g = OpUConvert %u32 %group
        %many = OpUConvert %u32 %number
        %g10 = OpIMul %u32 %g %u1000
        %both = OpIAdd %u32 %g10 %x
        %m10 = OpIMul %u32 %many %u1000
        %m100 = OpIMul %u32 %m10 %u1000
        %all = OpIAdd %u32 %both %m100
        %from = OpISub %u64 %i %l3
        %p = OpInBoundsPtrAccessChain %gu %out %from
        OpStore %p %all Aligned 4
        OpReturn";
    let words = super::module_with(decorations, &[("%gu", "%out"), ("%wu", "%tile")], globals, body);
    in_every_way(&words, |kernel| {
        kernel.set_buffer(0, &[0u32; 11]).unwrap();
        kernel.set_local(1, 16).unwrap();
        let range =
            Range { global: [11, 1, 1], local: Some([4, 1, 1]), offset: [3, 0, 0], ..Range::default() };
        kernel.launch(&range).unwrap();
        let want: Vec<u32> = (0..11)
            .map(|i: u32| {
                let (group, size) = (i / 4, 4.min(11 - i / 4 * 4));
                let other = 3 + group * 4 + (size - 1 - i % 4);
                3_000_000 + group * 1000 + other
            })
            .collect();
        assert_eq!(kernel.read::<u32>(0).unwrap(), want);
    });
}
