//! Products of cooperative matrices of floats. A sum starts as the element of C; each product is added in f32 with one
//! rounding, in the order of the inner index. Subnormal factors, products and sums are numbers as others: nothing is flushed,
//! whatever the host has.

use quadrille::{Device, DeviceOptions, Opt, ShaderTest, testing};

/// An encoding of floats.
struct Encoding {
    ty: &'static str,
    capabilities: &'static str,
    /// Bits of mantissa and exponent, and bias of the exponent.
    mantissa: u32,
    exponent: u32,
    bias: i32,
}

const ENCODINGS: [Encoding; 5] = [
    Encoding { ty: "16", capabilities: "Float16", mantissa: 10, exponent: 5, bias: 15 },
    Encoding { ty: "32", capabilities: "Shader", mantissa: 23, exponent: 8, bias: 127 },
    Encoding {
        ty: "16 BFloat16KHR",
        capabilities: "BFloat16TypeKHR BFloat16CooperativeMatrixKHR",
        mantissa: 7,
        exponent: 8,
        bias: 127,
    },
    Encoding {
        ty: "8 Float8E4M3EXT",
        capabilities: "Float8EXT Float8CooperativeMatrixEXT",
        mantissa: 3,
        exponent: 4,
        bias: 7,
    },
    Encoding {
        ty: "8 Float8E5M2EXT",
        capabilities: "Float8EXT Float8CooperativeMatrixEXT",
        mantissa: 2,
        exponent: 5,
        bias: 15,
    },
];

impl Encoding {
    fn bytes(&self) -> usize {
        (1 + self.mantissa as usize + self.exponent as usize) / 8
    }

    /// The number that an encoding represents.
    fn decode(&self, bits: u32) -> f32 {
        let fraction = f64::from(bits & ((1 << self.mantissa) - 1)) / f64::from(1u32 << self.mantissa);
        let exponent = (bits >> self.mantissa & ((1 << self.exponent) - 1)) as i32;
        let sign = if bits >> (self.mantissa + self.exponent) & 1 == 1 { -1.0 } else { 1.0 };
        let magnitude = match exponent {
            0 => fraction * 2f64.powi(1 - self.bias),
            _ => (1.0 + fraction) * 2f64.powi(exponent - self.bias),
        };
        (sign * magnitude) as f32
    }

    /// `true` for subnormal numbers.
    fn is_subnormal(&self, bits: u32) -> bool {
        let magnitude = bits & ((1 << (self.mantissa + self.exponent)) - 1);
        magnitude > 0 && magnitude >> self.mantissa == 0
    }

    /// An encoding of a finite number: half of them are subnormal, and others are so small that sums stay finite.
    fn random(&self, random: &mut Random) -> u32 {
        let fraction = random.below(1 << self.mantissa);
        let exponent = if random.below(2) == 0 { 0 } else { random.below((1 << self.exponent) - 1) };
        let exponent = exponent.min(self.bias as u32 + 55);
        random.below(2) << (self.mantissa + self.exponent) | exponent << self.mantissa | fraction
    }
}

/// Linear congruential numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }
}

/// Rows, columns and inner elements of the products.
const SIZES: [[usize; 3]; 3] = [[16, 16, 16], [8, 32, 16], [24, 16, 40]];

/// A shader that multiplies matrices of this type, of the subgroup (scope 3) or workgroup (2).
fn shader(of: &Encoding, scope: u32, [m, n, k]: [usize; 3]) -> String {
    let mut capabilities = String::new();
    for name in of.capabilities.split(' ') {
        capabilities += &format!("OpCapability {name}\n");
    }
    let (ty, bytes) = (of.ty, of.bytes());
    // Types that occur once: the factors are floats of 32 bits, too.
    let (factor, declared) = match of.ty {
        "32" => ("f32", String::new()),
        _ => ("factor", format!("%factor = OpTypeFloat {ty}\n")),
    };
    format!(
        "OpCapability Shader
OpCapability StorageBuffer16BitAccess
OpCapability StorageBuffer8BitAccess
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixKHR
{capabilities}OpExtension \"SPV_KHR_cooperative_matrix\"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %factors ArrayStride {bytes}
OpDecorate %sums ArrayStride 4
OpDecorate %in Block
OpMemberDecorate %in 0 Offset 0
OpDecorate %out Block
OpMemberDecorate %out 0 Offset 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 1
OpDecorate %c DescriptorSet 0
OpDecorate %c Binding 2
OpDecorate %result DescriptorSet 0
OpDecorate %result Binding 3
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
{declared}%zero = OpConstant %u32 0
%one = OpConstant %u32 1
%two = OpConstant %u32 2
%scope = OpConstant %u32 {scope}
%m = OpConstant %u32 {m}
%n = OpConstant %u32 {n}
%k = OpConstant %u32 {k}
%A = OpTypeCooperativeMatrixKHR %{factor} %scope %m %k %zero
%B = OpTypeCooperativeMatrixKHR %{factor} %scope %k %n %one
%C = OpTypeCooperativeMatrixKHR %f32 %scope %m %n %two
%factors = OpTypeRuntimeArray %{factor}
%in = OpTypeStruct %factors
%in_pointer = OpTypePointer StorageBuffer %in
%factor_pointer = OpTypePointer StorageBuffer %{factor}
%sums = OpTypeArray %f32 %length
%out = OpTypeStruct %sums
%out_pointer = OpTypePointer StorageBuffer %out
%sum_pointer = OpTypePointer StorageBuffer %f32
%a = OpVariable %in_pointer StorageBuffer
%b = OpVariable %in_pointer StorageBuffer
%c = OpVariable %out_pointer StorageBuffer
%result = OpVariable %out_pointer StorageBuffer
%main = OpFunction %void None %fn
%start = OpLabel
%a_at = OpAccessChain %factor_pointer %a %zero %zero
%b_at = OpAccessChain %factor_pointer %b %zero %zero
%c_at = OpAccessChain %sum_pointer %c %zero %zero
%result_at = OpAccessChain %sum_pointer %result %zero %zero
%x = OpCooperativeMatrixLoadKHR %A %a_at %zero %k
%y = OpCooperativeMatrixLoadKHR %B %b_at %zero %n
%z = OpCooperativeMatrixLoadKHR %C %c_at %zero %n
%sum = OpCooperativeMatrixMulAddKHR %C %x %y %z
OpCooperativeMatrixStoreKHR %result_at %sum %zero %n
OpReturn
OpFunctionEnd
"
    )
    .replace(
        "%sums = OpTypeArray %f32 %length",
        &format!("%length = OpConstant %u32 {}\n%sums = OpTypeArray %f32 %length", m * n),
    )
}

/// Devices of both kinds of execution, of every host level, and of small and large subgroups.
fn devices() -> Vec<(String, Device)> {
    let base = DeviceOptions { threads: 1, ..DeviceOptions::default() };
    let mut list = Vec::new();
    for lanes in [8, 32] {
        list.push(DeviceOptions { interp: true, lanes, ..base.clone() });
        for cpu in testing::cpu_levels() {
            list.push(DeviceOptions { interp: false, cpu, opt: Opt::Speed, lanes, ..base.clone() });
        }
    }
    let name = |o: &DeviceOptions| format!("interp {}, {:?}, S = {}", o.interp, o.cpu, o.lanes);
    list.into_iter().map(|options| (name(&options), Device::new(options).unwrap())).collect()
}

/// Factors, as bytes and as encodings. Those at `small` places are subnormal.
fn factors(
    of: &Encoding,
    n: usize,
    random: &mut Random,
    small: impl Fn(usize) -> bool,
) -> (Vec<u8>, Vec<u32>) {
    let mut bits: Vec<u32> = (0..n).map(|_| of.random(random)).collect();
    for (_, bits) in bits.iter_mut().enumerate().filter(|(at, _)| small(*at)) {
        *bits &= !(((1 << of.exponent) - 1) << of.mantissa);
    }
    (bits.iter().flat_map(|bits| bits.to_le_bytes()[..of.bytes()].to_vec()).collect(), bits)
}

/// `A * B + C`, as the specification of this device defines it. If `flushes`, subnormal factors are zeros.
fn product(of: &Encoding, [m, n, k]: [usize; 3], [a, b]: [&[u32]; 2], c: &[f32], flushes: bool) -> Vec<u32> {
    let number = |bits: u32| if flushes && of.is_subnormal(bits) { 0.0 } else { of.decode(bits) };
    let element = |at: usize| {
        let (row, column) = (at / n, at % n);
        let terms = (0..k).map(|i| (number(a[row * k + i]), number(b[i * n + column])));
        terms.fold(c[at], |sum, (x, y)| x.mul_add(y, sum)).to_bits()
    };
    (0..m * n).map(element).collect()
}

#[test]
fn subnormal_factors_are_exact_on_every_host() {
    let devices = devices();
    let mut random = Random(35);
    for of in &ENCODINGS {
        for size in SIZES {
            let [m, n, k] = size;
            // Every second row of A and C is subnormal, so that its products show in the sums.
            let (a, a_bits) = factors(of, m * k, &mut random, |at| at / k % 2 == 0);
            let (b, b_bits) = factors(of, k * n, &mut random, |_| false);
            let mut start = |at: usize| match at / n % 2 {
                0 => f32::from_bits(random.below(1 << 23)),
                _ => at as f32 * 2f32.powi(-of.bias),
            };
            let c: Vec<f32> = (0..m * n).map(&mut start).collect();
            let expected = product(of, size, [&a_bits, &b_bits], &c, false);
            assert!(expected.iter().all(|&bits| f32::from_bits(bits).is_finite()));
            assert_ne!(
                expected,
                product(of, size, [&a_bits, &b_bits], &c, true),
                "subnormals change nothing"
            );
            for scope in [3, 2] {
                let test = ShaderTest::spirv_text(&shader(of, scope, size)).unwrap();
                let test = test.bind(0, 0, &a).bind(0, 1, &b).bind(0, 2, &c).bind_zeros::<u32>(0, 3, m * n);
                for (name, device) in &devices {
                    let run = test.clone().on(device).dispatch([1, 1, 1]).unwrap();
                    let found = run.read::<u32>(0, 3).unwrap();
                    assert_eq!(found, expected, "floats of {} bits, {size:?}, scope {scope}, {name}", of.ty);
                }
            }
        }
    }
}

/// The order of the sum shows in its bits: 2^24 + 1 is 2^24, and the 1 is lost unless the large terms cancel first.
#[test]
fn products_are_added_in_the_order_of_the_inner_index() {
    let of = &ENCODINGS[2];
    let size = [8, 8, 16];
    let bf16 = |x: f32| x.to_bits() >> 16;
    // Row 0: 2^24, 1, -2^24, 1 and zeros; row 1: 2^24, -2^24, 1, 1; the column of B is ones.
    let large = 16_777_216.0;
    let mut a = vec![0; 8 * 16];
    for (at, x) in [large, 1.0, -large, 1.0].into_iter().enumerate() {
        a[at] = bf16(x);
    }
    for (at, x) in [large, -large, 1.0, 1.0].into_iter().enumerate() {
        a[16 + at] = bf16(x);
    }
    let b = vec![bf16(1.0); 16 * 8];
    let packed =
        |list: &[u32]| list.iter().flat_map(|bits| bits.to_le_bytes()[..2].to_vec()).collect::<Vec<u8>>();
    let test = ShaderTest::spirv_text(&shader(of, 3, size)).unwrap();
    let test = test.bind(0, 0, &packed(&a)).bind(0, 1, &packed(&b)).bind(0, 2, &[0f32; 64]);
    let test = test.bind_zeros::<f32>(0, 3, 64);
    for (name, device) in devices() {
        let found = test.clone().on(&device).dispatch([1, 1, 1]).unwrap().read::<f32>(0, 3).unwrap();
        assert_eq!([found[0], found[8], found[16]], [1.0, 2.0, 0.0], "{name}");
    }
}
