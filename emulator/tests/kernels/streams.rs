//! Loops in which each invocation reads words that follow one another: by a pointer, by an index of 64 and of 32 bits, with
//! trip counts of their own, across both ends of the buffer. Expected values come from loops on the host.

use super::{ID, in_every_way, module, range};

/// Words in the buffer.
const WORDS: u64 = 100;
/// Number of invocations.
const N: u32 = 48;

/// A loop of `%n` iterations over `%k`, which sums words 0, 1, ... of its own, weighted so that their order shows. `step`
/// makes `%word` of `%k` and the values of `carried`, which are phis.
fn summing(before: &str, carried: &str, step: &str, after: &str) -> String {
    format!(
        "{ID}%w = OpUConvert %u32 %i
        {before}
        OpBranch %head
        %head = OpLabel
        %k = OpPhi %u32 %u0 %entry %k_next %body
        %sum = OpPhi %u32 %u0 %entry %sum_next %body
        {carried}
        %inside = OpULessThan %bool %k %n
        OpBranchConditional %inside %body %exit
        %body = OpLabel
        {step}
        %weight = OpIAdd %u32 %k %u3
        %part = OpIMul %u32 %word %weight
        %sum_next = OpIAdd %u32 %sum %part
        {after}
        %k_next = OpIAdd %u32 %k %u1
        OpBranch %head
        %exit = OpLabel
        %o = OpInBoundsPtrAccessChain %gu %out %i
        OpStore %o %sum Aligned 4
        OpReturn"
    )
}

/// Runs a loop: iteration `k` of invocation `i` reads word `at(i, k)`, which may be outside of the buffer, for `i & 31`
/// iterations.
fn check(globals: &str, body: &str, at: impl Fn(i64, i64) -> i64) {
    let data: Vec<u32> = (0..WORDS as u32).map(|x| x * x + 7).collect();
    let want: Vec<u32> = (0..i64::from(N))
        .map(|i| {
            (0..i & 31).fold(0u32, |sum, k| {
                let word = usize::try_from(at(i, k)).ok().and_then(|at| data.get(at)).copied();
                sum.wrapping_add(word.unwrap_or(0).wrapping_mul(k as u32 + 3))
            })
        })
        .collect();
    in_every_way(&module(&[("%gu", "%data"), ("%gu", "%out")], globals, body), |kernel| {
        kernel.set_buffer(0, &data).unwrap();
        kernel.set_buffer(1, &[0u32; N as usize]).unwrap();
        // The second tier has passes of its own.
        for _ in 0..3 {
            kernel.launch(&range(N, 24)).unwrap();
            assert_eq!(kernel.read::<u32>(1).unwrap(), want, "{body}");
        }
    });
}

const COUNT: &str = "%n = OpBitwiseAnd %u32 %w %most";
const MOST: &str = "%most = OpConstant %u32 31";

#[test]
fn pointers_advance() {
    for (start, first) in [("%u0", 0i64), ("%before", -40), ("%behind", 60)] {
        let globals = format!(
            "{MOST}\n%before = OpConstant %u32 0xffffffd8\n%behind = OpConstant %u32 60\n%three = OpConstant %u32 3"
        );
        let before = format!(
            "{COUNT}
            %x = OpIMul %u32 %w %three
            %y = OpIAdd %u32 %x {start}
            %from = OpSConvert %u64 %y
            %p0 = OpPtrAccessChain %gu %data %from"
        );
        let carried = "%p = OpPhi %gu %p0 %entry %p_next %body";
        let step = "%word = OpLoad %u32 %p Aligned 4";
        let after = "%p_next = OpPtrAccessChain %gu %p %l1";
        let body = summing(&before, carried, step, after);
        check(&globals, &body, |i, k| 3 * i + first + k);
    }
}

/// Rows of a matrix by an index of 32 bits, which wraps past the end for the last rows.
#[test]
fn indices_of_32_bits_advance() {
    let globals = format!("{MOST}\n%least = OpConstant %u32 0xffffffe6");
    let before = format!("{COUNT}\n%row = OpIMul %u32 %w %n");
    let step = "%at = OpIAdd %u32 %row %k
        %wide = OpUConvert %u64 %at
        %q = OpInBoundsPtrAccessChain %gu %data %wide
        %word = OpLoad %u32 %q Aligned 4";
    check(&globals, &summing(&before, "", step, ""), |i, k| i * (i & 31) + k);
    let before = format!("{COUNT}\n%twice = OpIMul %u32 %w %n\n%row = OpIAdd %u32 %twice %least");
    check(&globals, &summing(&before, "", step, ""), |i, k| i * (i & 31) - 26 + k);
}

/// As before, with an offset from the greatest index back into the buffer: the index that wraps jumps.
#[test]
fn indices_that_wrap_jump() {
    let globals = format!(
        "{MOST}\n%least = OpConstant %u32 0xfffffff0\n%back = OpConstant %u64 0xfffffff0\n%half = OpConstant %u32 3"
    );
    let before = format!("{COUNT}\n%twice = OpIMul %u32 %w %half\n%row = OpIAdd %u32 %twice %least");
    let step = "%at = OpIAdd %u32 %row %k
        %wide = OpUConvert %u64 %at
        %from = OpISub %u64 %wide %back
        %q = OpPtrAccessChain %gu %data %from
        %word = OpLoad %u32 %q Aligned 4";
    let least = 0xffff_fff0u32;
    let at = |i: i64, k: i64| i64::from(least.wrapping_add((3 * i + k) as u32)) - i64::from(least);
    check(&globals, &summing(&before, "", step, ""), at);
}

/// A loop that also writes reads each word when its turn comes.
#[test]
fn loops_that_write_read_what_they_wrote() {
    let before = format!(
        "{COUNT}
        %x = OpIMul %u32 %w %most
        %from = OpUConvert %u64 %x
        %p0 = OpInBoundsPtrAccessChain %gu %data %from"
    );
    let carried = "%p = OpPhi %gu %p0 %entry %p_next %body";
    let step = "%word = OpLoad %u32 %p Aligned 4
        %p_next = OpInBoundsPtrAccessChain %gu %p %l1
        %more = OpIAdd %u32 %word %u1
        OpStore %p_next %more Aligned 4";
    let body = summing(&before, carried, step, "");
    in_every_way(&module(&[("%gu", "%data"), ("%gu", "%out")], MOST, &body), |kernel| {
        kernel.set_buffer(0, &[5u32; 31 * N as usize + 32]).unwrap();
        kernel.set_buffer(1, &[0u32; N as usize]).unwrap();
        kernel.launch(&range(N, 24)).unwrap();
        // The word of iteration k is 5 + k; neighbours write to no word that another one reads before.
        let sum = |n: u32| (0..n).map(|k| (5 + k) * (k + 3)).sum::<u32>();
        let got = kernel.read::<u32>(1).unwrap();
        let want: Vec<u32> = (0..N).map(|i| sum(i & 31)).collect();
        assert_eq!(got, want);
    });
}

/// The words are indices of another load, also out of its range, as in a sparse matrix.
#[test]
fn words_decide_offsets() {
    let before = format!(
        "{COUNT}
        %x = OpIMul %u32 %w %three
        %from = OpUConvert %u64 %x
        %p0 = OpInBoundsPtrAccessChain %gu %data %from"
    );
    let carried = "%p = OpPhi %gu %p0 %entry %p_next %body";
    let step = "%index = OpLoad %u32 %p Aligned 4
        %far = OpSConvert %u64 %index
        %q = OpPtrAccessChain %gu %table %far
        %word = OpLoad %u32 %q Aligned 4";
    let after = "%p_next = OpInBoundsPtrAccessChain %gu %p %l1";
    let globals = format!("{MOST}\n%three = OpConstant %u32 3");
    let parameters = [("%gu", "%data"), ("%gu", "%out"), ("%gu", "%table")];
    let words = module(&parameters, &globals, &summing(&before, carried, step, after));
    // Some are behind the table, some before it; the last rows end behind the data.
    let data: Vec<i32> = (0..WORDS as i32).map(|x| (x * 37) % 80 - 8).collect();
    let table: Vec<u32> = (0..64).map(|x| 1000 + x * x).collect();
    let want: Vec<u32> = (0..N as usize)
        .map(|i| {
            (0..i & 31).fold(0u32, |sum, k| {
                let index = data.get(3 * i + k).copied().unwrap_or(0);
                let word = usize::try_from(index).ok().and_then(|at| table.get(at)).copied().unwrap_or(0);
                sum.wrapping_add(word.wrapping_mul(k as u32 + 3))
            })
        })
        .collect();
    in_every_way(&words, |kernel| {
        kernel.set_buffer(0, &data).unwrap();
        kernel.set_buffer(1, &[0u32; N as usize]).unwrap();
        kernel.set_buffer(2, &table).unwrap();
        kernel.launch(&range(N, 24)).unwrap();
        assert_eq!(kernel.read::<u32>(1).unwrap(), want);
    });
}
