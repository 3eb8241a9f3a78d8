//! Cooperative matrices in WGSL, as wgpu's shaders write them.

use quadrille::{Device, DeviceOptions, Opt, ShaderTest, testing};

/// `A * B + C` of matrices of 16 rows and columns. The matrices in memory are column-major, unless a function's name ends
/// with `T`: so is A. B begins after three elements, and its columns are 20 elements apart.
const PRODUCT: &str = "
    enable f16;
    enable wgpu_cooperative_matrix;
    @group(0) @binding(0) var<storage, read_write> left: array<f16>;
    @group(0) @binding(1) var<storage, read_write> right: array<f16>;
    @group(0) @binding(2) var<storage, read_write> sums: array<f32>;
    @compute @workgroup_size(32)
    fn main() {
        let a = coopLoadT<coop_mat16x16<f16, A>>(&left[0]);
        let b = coopLoad<coop_mat16x16<f16, B>>(&right[3], 20u);
        var c = coopLoadT<coop_mat16x16<f32, C>>(&sums[0]);
        for (var i = 0u; i < 3u; i++) {
            c = coopMultiplyAdd(a, b, c);
        }
        c = (c + c) * 0.5;
        coopStoreT(c, &sums[256]);
        coopStore(c, &sums[512]);
    }";

/// The bits of a small integer as a half float.
fn half(x: i32) -> u16 {
    match x {
        0 => 0,
        _ => {
            let power = 31 - x.unsigned_abs().leading_zeros();
            let fraction = (x.unsigned_abs() << (10 - power)) & 0x3ff;
            (u32::from(x < 0) << 15 | (15 + power) << 10 | fraction) as u16
        }
    }
}

#[test]
fn matrices_are_multiplied() {
    let number = |i: usize| (i * 7 % 13) as i32 - 6;
    let at_left = |row: usize, column: usize| row * 16 + column;
    let at_right = |row: usize, column: usize| 3 + column * 20 + row;
    let left: Vec<u16> = (0..256).map(|i| half(number(i))).collect();
    let right: Vec<u16> = (0..340).map(|i| half(number(i + 5))).collect();
    let mut sums: Vec<f32> = (0..768).map(|i| i as f32).collect();
    let mut options = vec![DeviceOptions { interp: true, ..DeviceOptions::default() }];
    for lanes in [8, 32] {
        let compiled =
            |cpu| DeviceOptions { interp: false, cpu, lanes, opt: Opt::Speed, ..DeviceOptions::default() };
        options.extend(testing::cpu_levels().into_iter().map(compiled));
    }
    let test = ShaderTest::wgsl(PRODUCT).unwrap().bind(0, 0, &left).bind(0, 1, &right).bind(0, 2, &sums);
    for row in 0..16 {
        for column in 0..16 {
            let product = |k| number(at_left(row, k)) * number(at_right(k, column) + 5);
            let product: i32 = (0..16).map(product).sum();
            let sum = (3 * product) as f32 + (row * 16 + column) as f32;
            sums[256 + row * 16 + column] = sum;
            sums[512 + column * 16 + row] = sum;
        }
    }
    for options in options {
        let name = format!("{options:?}");
        let run = test.clone().on(&Device::new(options).unwrap()).dispatch([1, 1, 1]).unwrap();
        assert_eq!(run.read::<f32>(0, 2).unwrap(), sums, "{name}");
    }
}

/// A mistake in the types is an error with its line.
#[test]
fn factors_have_their_roles() {
    let error = ShaderTest::wgsl(&PRODUCT.replace("<f16, B>", "<f16, A>")).unwrap_err().to_string();
    assert!(error.contains("operand for cooperative op") && error.contains("test.wgsl:13"), "{error}");
    let error =
        ShaderTest::wgsl(&PRODUCT.replace("enable wgpu_cooperative_matrix;", "")).unwrap_err().to_string();
    assert!(error.contains("wgpu_cooperative_matrix"), "{error}");
}
