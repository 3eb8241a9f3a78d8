//! Constants: products with them, the lanes of those that are cast, and sums of addresses with them. Leaves constants that are
//! operands or stay in registers to `units.rs`.

#![cfg(all(target_arch = "x86_64", unix))]

#[path = "support/mod.rs"]
mod support;

use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, types};
use cranelift_codegen::isa::CallConv;
use support::{Code, compiled, flags, function};

/// Products with constants that shifts and additions can replace, and with similar constants.
#[test]
fn products_with_constants() {
    let numbers = [0, 1, 2, 3, 5, 6, 7, 8, 9, 31, 33, 1 << 31, (1 << 31) + 1, (1 << 31) - 1, u32::MAX];
    for k in numbers {
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let x = fb.ins().load(types::I32X8, flags(), p[0], 0);
            let k = fb.ins().iconst(types::I32, i64::from(k as i32));
            let k = fb.ins().splat(types::I32X8, k);
            let (left, right) = (fb.ins().imul(k, x), fb.ins().imul(x, k));
            let both = fb.ins().bor(left, right);
            fb.ins().store(flags(), both, p[0], 0);
            vec![p[1]]
        });
        for level in support::levels() {
            let words: [u32; 8] = std::array::from_fn(|i| 0x9e37_79b9u32.wrapping_mul(i as u32) >> i);
            let mut memory = words.map(u32::to_le_bytes).concat();
            Code::new(&compiled(&f, level).bytes).call(&mut memory, 0, 0);
            assert_eq!(memory, words.map(|x| x.wrapping_mul(k).to_le_bytes()).concat(), "{k} {level:?}");
        }
    }
}

/// A constant that is cast has the lanes of its new type, however equal they were before.
#[test]
fn products_with_constants_that_are_cast() {
    let le = MemFlagsData::new().with_endianness(Endianness::Little);
    let cases = [
        (types::I8X32, 4i64, [0x0404_0404u32; 2]),
        (types::I16X16, 3, [0x0003_0003; 2]),
        (types::I64X4, 3 << 32 | 4, [4, 3]),
        (types::I64X4, 8 << 32 | 8, [8, 8]),
    ];
    for (ty, lane, words) in cases {
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let x = fb.ins().load(types::I32X8, flags(), p[0], 0);
            let k = fb.ins().iconst(ty.lane_type(), lane);
            let k = fb.ins().splat(ty, k);
            let k = fb.ins().bitcast(types::I32X8, le, k);
            let product = fb.ins().imul(x, k);
            fb.ins().store(flags(), product, p[0], 0);
            vec![p[1]]
        });
        for level in support::levels() {
            let numbers: [u32; 8] = std::array::from_fn(|i| 0x9e37_79b9u32.wrapping_mul(i as u32 + 1));
            let mut memory = numbers.map(u32::to_le_bytes).concat();
            Code::new(&compiled(&f, level).bytes).call(&mut memory, 0, 0);
            let want: [u32; 8] = std::array::from_fn(|i| numbers[i].wrapping_mul(words[i % 2]));
            assert_eq!(memory, want.map(u32::to_le_bytes).concat(), "{ty} {level:?}");
        }
    }
}

/// Constants that an address cannot hold, or that it cannot hold together, are added like other numbers.
#[test]
fn addresses_with_large_constants() {
    const FAR: i64 = (1 << 31) - 16;
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let [most, back] = [i64::MAX, -i64::MAX].map(|k| fb.ins().iconst(types::I64, k));
        let away = fb.ins().iadd(p[0], most);
        let here = fb.ins().iadd(away, back);
        let x = fb.ins().load(types::I64, flags(), here, 8);
        let slot = fb.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 64, 4));
        let base = fb.ins().stack_addr(types::I64, slot, 32);
        fb.ins().store(flags(), p[1], base, 0);
        let far = fb.ins().iconst(types::I64, FAR);
        let away = fb.ins().iadd(base, far);
        let here = fb.ins().iadd(away, p[2]);
        let y = fb.ins().load(types::I64, flags(), here, 0);
        vec![fb.ins().iadd(x, y)]
    });
    for level in support::levels() {
        let mut memory = [7i64, 500].map(i64::to_le_bytes).concat();
        let sum = Code::new(&compiled(&f, level).bytes).call(&mut memory, 3, -FAR);
        assert_eq!(sum, 503, "{level:?}");
    }
}
