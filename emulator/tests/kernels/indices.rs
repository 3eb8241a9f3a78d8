//! Pointers of kernels and indices of every form: signed and unsigned, of 32 and 64 bits, that wrap, that are negative, from
//! the start of a buffer and from its middle. Expected values come from arithmetic modulo 2^64 on the host.

use super::{ID, in_every_way, module, range};

/// Words in the buffer under test.
const WORDS: u64 = 48;
/// Number of invocations.
const N: u32 = 40;
/// Words before the pointer that some forms start from.
const MIDDLE: u64 = 16;
/// Value of the argument `%row`.
const ROW: u64 = 3;

/// Code that makes the index `%k`, and its value in invocation `i`.
type Index = (&'static str, fn(u64) -> u64);

fn low(x: u64) -> u64 {
    x & 0xffff_ffff
}

fn signed(x: u64) -> u64 {
    x as u32 as i32 as i64 as u64
}

const INDICES: [Index; 13] = [
    ("%k = OpIAdd %u64 %i %l0", |i| i),
    ("%k = OpIAdd %u64 %i %minus_three", |i| i.wrapping_sub(3)),
    ("%k = OpIAdd %u64 %i %quarter", |i| i + (1 << 62) - 2),
    ("%k0 = OpISub %u64 %l8 %i\n%k = OpIAdd %u64 %k0 %l0", |i| 8u64.wrapping_sub(i)),
    ("%k0 = OpIMul %u64 %i %row\n%k = OpIAdd %u64 %k0 %l1", |i| i * ROW + 1),
    ("%k0 = OpIMul %u64 %row %l4\n%k1 = OpIAdd %u64 %k0 %i\n%k = OpIAdd %u64 %k1 %minus_three", |i| {
        4 * ROW + i - 3
    }),
    ("%n = OpUConvert %u32 %i\n%k = OpUConvert %u64 %n", low),
    ("%n = OpUConvert %u32 %i\n%n1 = OpIAdd %u32 %n %w_minus_two\n%k = OpUConvert %u64 %n1", |i| {
        low(i.wrapping_sub(2))
    }),
    ("%n = OpUConvert %u32 %i\n%n1 = OpIAdd %u32 %n %w_minus_two\n%k = OpSConvert %u64 %n1", |i| {
        signed(i.wrapping_sub(2))
    }),
    // The sign changes between invocations.
    ("%n = OpUConvert %u32 %i\n%n1 = OpIAdd %u32 %n %w_most\n%k = OpSConvert %u64 %n1", |i| {
        signed(i + 0x7fff_fff0)
    }),
    // As before, and moved back into the buffer.
    (
        "%n = OpUConvert %u32 %i\n%n1 = OpIAdd %u32 %n %w_most\n%k0 = OpSConvert %u64 %n1\n\
         %k = OpISub %u64 %k0 %most",
        |i| signed(i + 0x7fff_fff0).wrapping_sub(0x7fff_fff0),
    ),
    (
        "%n = OpUConvert %u32 %i\n%n1 = OpIAdd %u32 %n %w_minus_two\n%k0 = OpUConvert %u64 %n1\n\
         %k = OpISub %u64 %k0 %below",
        |i| low(i.wrapping_sub(2)).wrapping_sub(0xffff_fff0),
    ),
    ("%n = OpUConvert %u32 %i\n%n1 = OpIMul %u32 %n %n\n%k = OpSConvert %u64 %n1", |i| i * i),
];

/// Code that makes the pointer `%from` of `%data`, and its first word.
const POINTERS: [(&str, u64); 4] = [
    ("%from = OpInBoundsPtrAccessChain %gu %data %l0", 0),
    ("%from = OpInBoundsPtrAccessChain %gu %data %sixteen", MIDDLE),
    // As compilers write it without optimization: the pointer is in a variable that is seen as another type.
    ("OpStore %kept %data\n%seen = OpBitcast %pgu %kept\n%from = OpLoad %gu %seen", 0),
    (
        "%mid = OpInBoundsPtrAccessChain %gu %data %sixteen\nOpStore %kept %mid\n%seen = OpBitcast %pgu %kept\n\
         %from = OpLoad %gu %seen",
        MIDDLE,
    ),
];

const GLOBALS: &str = "%pgu = OpTypePointer Function %gu
    %minus_three = OpConstant %u64 0xfffffffffffffffd
    %quarter = OpConstant %u64 0x3ffffffffffffffe
    %most = OpConstant %u64 0x7ffffff0
    %below = OpConstant %u64 0xfffffff0
    %sixteen = OpConstant %u64 16
    %w_minus_two = OpConstant %u32 0xfffffffe
    %w_most = OpConstant %u32 0x7ffffff0
    %hundred = OpConstant %u32 100";

/// Loads reach the word that the index names, or read zero; stores reach it, or have no effect.
#[test]
fn indices_of_every_form_reach_their_words() {
    for (index, k) in INDICES {
        for (pointer, first) in POINTERS {
            let variable = "%entry = OpLabel\n%kept = OpVariable %pgu Function\n";
            let id = ID.replace("%entry = OpLabel\n", variable);
            let body = format!(
                "{id}{pointer}\n{index}
                %p = OpInBoundsPtrAccessChain %gu %from %k
                %v = OpLoad %u32 %p Aligned 4
                %o = OpInBoundsPtrAccessChain %gu %out %i
                OpStore %o %v Aligned 4
                %marked = OpIAdd %u32 %v %hundred
                OpStore %p %marked Aligned 4
                OpReturn"
            );
            let words = module(&[("%gu", "%data"), ("%gu", "%out"), ("%u64", "%row")], GLOBALS, &body);
            // Each invocation has a word of its own, or none.
            let word = |i: u64| {
                let at = k(i).wrapping_mul(4).wrapping_add(4 * first);
                Some(at / 4).filter(|_| at < 4 * WORDS)
            };
            in_every_way(&words, |kernel| {
                let data: Vec<u32> = (1..=WORDS as u32).collect();
                let (mut want_data, mut want) = (data.clone(), vec![0; N as usize]);
                for i in 0..u64::from(N) {
                    if let Some(at) = word(i) {
                        want[i as usize] = data[at as usize];
                        want_data[at as usize] += 100;
                    }
                }
                kernel.set_buffer(0, &data).unwrap();
                kernel.set_buffer(1, &[7u32; N as usize]).unwrap();
                kernel.set_value(2, &ROW.to_le_bytes()).unwrap();
                kernel.launch(&range(N, 20)).unwrap();
                assert_eq!(kernel.read::<u32>(1).unwrap(), want, "{pointer}\n{index}");
                assert_eq!(kernel.read::<u32>(0).unwrap(), want_data, "{pointer}\n{index}");
            });
        }
    }
}

/// A loop that walks down from the end until its pointer is less than the buffer's: the numbers of pointers are in the order
/// of memory, also just before the start.
#[test]
fn pointers_before_the_start_are_less() {
    let body = "%entry = OpLabel
        %end = OpPtrAccessChain %gu %data %n
        %last = OpPtrAccessChain %gu %end %minus_one
        %low = OpConvertPtrToU %u64 %data
        OpBranch %head
        %head = OpLabel
        %p = OpPhi %gu %last %entry %p_next %work
        %sum = OpPhi %u32 %u0 %entry %sum_next %work
        %at = OpConvertPtrToU %u64 %p
        %stays = OpUGreaterThanEqual %bool %at %low
        OpBranchConditional %stays %work %done
        %work = OpLabel
        %word = OpLoad %u32 %p Aligned 4
        %scaled = OpIMul %u32 %sum %u3
        %sum_next = OpIAdd %u32 %scaled %word
        %p_next = OpPtrAccessChain %gu %p %minus_one
        OpBranch %head
        %done = OpLabel
        %apart = OpPtrDiff %u64 %p %data
        %far = OpUConvert %u32 %apart
        OpStore %out %sum Aligned 4
        %o = OpInBoundsPtrAccessChain %gu %out %l1
        OpStore %o %far Aligned 4
        OpReturn";
    let globals = "%minus_one = OpConstant %u64 0xffffffffffffffff";
    let words = module(&[("%gu", "%data"), ("%gu", "%out"), ("%u64", "%n")], globals, body);
    in_every_way(&words, |kernel| {
        kernel.set_buffer(0, &[1u32, 2, 3, 4]).unwrap();
        kernel.set_buffer(1, &[7u32; 2]).unwrap();
        kernel.set_value(2, &4u64.to_le_bytes()).unwrap();
        kernel.launch(&range(1, 1)).unwrap();
        assert_eq!(kernel.read::<u32>(1).unwrap(), [((4 * 3 + 3) * 3 + 2) * 3 + 1, u32::MAX]);
    });
}
