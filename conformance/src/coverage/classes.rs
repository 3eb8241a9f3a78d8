//! Types with which each row of the instruction tables must be tested: width, signedness, scalar or vector. Rows that
//! are not listed here work on one type, or on all types in the same way.

use super::facts::Table;

const FLOATS: &[&str] = &["f16", "f32", "f64"];
const SHORT_FLOATS: &[&str] = &["f16", "f32"];
const SIGNED: &[&str] = &["i8", "i16", "i32", "i64"];
const UNSIGNED: &[&str] = &["u8", "u16", "u32", "u64"];
const INTS: &[&str] = &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];
const NUMBERS: &[&str] = &["f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];
const ALL: &[&str] = &["bool", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

/// Scalars and vectors.
fn any(list: &[&str]) -> Vec<String> {
    sizes(list, &[1, 2, 3, 4])
}

/// Vectors only.
fn vectors(list: &[&str]) -> Vec<String> {
    sizes(list, &[2, 3, 4])
}

/// Scalars only.
fn scalars(list: &[&str]) -> Vec<String> {
    sizes(list, &[1])
}

fn sizes(list: &[&str], sizes: &[u32]) -> Vec<String> {
    let one = |s: &str, n: u32| if n == 1 { s.to_string() } else { format!("{s}x{n}") };
    list.iter().flat_map(|s| sizes.iter().map(move |n| one(s, *n))).collect()
}

/// Matrices: all shapes for 32 bits, the square ones for 16 and 64 bits.
fn matrices() -> Vec<String> {
    let shapes = [2, 3, 4].into_iter().flat_map(|c| [2, 3, 4].map(|r| format!("f32m{c}x{r}")));
    shapes.chain(square(&["f16", "f64"])).collect()
}

fn square(list: &[&str]) -> Vec<String> {
    list.iter().flat_map(|s| [2, 3, 4].map(|n| format!("{s}m{n}x{n}"))).collect()
}

/// Conversions between every two of these types, for scalars and vectors.
fn conversions(from: &[&str], to: &[&str]) -> Vec<String> {
    let pairs = from.iter().flat_map(|f| to.iter().filter(move |t| *t != f).map(move |t| (f, t)));
    pairs.flat_map(|(f, t)| any(&[t]).into_iter().map(move |t| format!("{f}>{t}"))).collect()
}

fn list(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

/// Classes with which a row must be tested; if empty, any class is enough. `name` is without `Op`.
pub fn required(table: Table, name: &str) -> Vec<String> {
    match table {
        Table::Instruction => instruction(name),
        Table::Glsl => glsl(name),
        _ => Vec::new(),
    }
}

fn instruction(name: &str) -> Vec<String> {
    match name {
        "SNegate" | "IAdd" | "ISub" | "IMul" => any(INTS),
        "UDiv" | "UMod" => any(UNSIGNED),
        "SDiv" | "SRem" | "SMod" => any(SIGNED),
        "FNegate" | "FAdd" | "FSub" | "FMul" | "FDiv" | "FRem" | "FMod" => any(FLOATS),
        "VectorTimesScalar" | "Dot" => vectors(FLOATS),
        "MatrixTimesScalar" | "MatrixTimesVector" | "VectorTimesMatrix" | "MatrixTimesMatrix"
        | "OuterProduct" | "Transpose" => matrices(),
        "IAddCarry" | "ISubBorrow" | "UMulExtended" => any(UNSIGNED),
        "SMulExtended" => any(SIGNED),
        "AbsISubINTEL"
        | "AbsUSubINTEL"
        | "UAddSatINTEL"
        | "UAverageINTEL"
        | "UAverageRoundedINTEL"
        | "USubSatINTEL" => any(UNSIGNED),
        "IAddSatINTEL" | "IAverageINTEL" | "IAverageRoundedINTEL" | "ISubSatINTEL" => any(SIGNED),
        "UCountLeadingZerosINTEL" | "UCountTrailingZerosINTEL" | "UMul32x16INTEL" => any(&["u32"]),
        "IMul32x16INTEL" => any(&["i32"]),
        "SDot" => list("i8x2>i32 i8x3>i32 i8x4>i32 i16x2>i32 i32x2>i32 i32x4>i64 i64x2>i64 u32>i32"),
        "UDot" => list("u8x2>u32 u8x3>u32 u8x4>u32 u16x2>u32 u32x2>u32 u32x4>u64 u64x2>u64 u32>u32"),
        "SUDot" => list("i8x2>i32 i8x3>i32 i8x4>i32 i16x2>i32 i32x2>i32 u32>i32"),
        "SDotAccSat" => list("i8x4>i32 i16x2>i32 i32x2>i32 u32>i32"),
        "UDotAccSat" => list("u8x4>u32 u16x2>u32 u32x2>u32 u32>u32"),
        "SUDotAccSat" => list("i8x4>i32 i16x2>i32 i32x2>i32 u32>i32"),
        "ShiftRightLogical"
        | "ShiftRightArithmetic"
        | "ShiftLeftLogical"
        | "BitwiseOr"
        | "BitwiseXor"
        | "BitwiseAnd"
        | "Not" => any(INTS),
        // Vulkan allows only 32 bits.
        "BitFieldInsert" | "BitReverse" | "BitCount" => any(&["i32", "u32"]),
        "BitFieldSExtract" => any(&["i32"]),
        "BitFieldUExtract" => any(&["u32"]),
        "Any" | "All" => vectors(&["bool"]),
        "IsNan" | "IsInf" => any(FLOATS),
        n if n.starts_with("Logical") => any(&["bool"]),
        "IEqual" | "INotEqual" => any(INTS),
        "UGreaterThan" | "UGreaterThanEqual" | "ULessThan" | "ULessThanEqual" => any(UNSIGNED),
        "SGreaterThan" | "SGreaterThanEqual" | "SLessThan" | "SLessThanEqual" => any(SIGNED),
        n if n.starts_with("FOrd") || n.starts_with("FUnord") => any(FLOATS),
        "ConvertFToU" => conversions(FLOATS, UNSIGNED),
        "ConvertFToS" => conversions(FLOATS, SIGNED),
        "ConvertSToF" => conversions(SIGNED, FLOATS),
        "ConvertUToF" => conversions(UNSIGNED, FLOATS),
        "UConvert" => conversions(UNSIGNED, UNSIGNED),
        "SConvert" => conversions(SIGNED, SIGNED),
        "FConvert" => conversions(FLOATS, FLOATS),
        "QuantizeToF16" => any(&["f32"]),
        "Bitcast" => bitcasts(),
        n if n.starts_with("DPdx") || n.starts_with("DPdy") || n.starts_with("Fwidth") => any(&["f32"]),
        "Select" => any(ALL),
        "CopyObject" => any(ALL),
        "CompositeConstruct" | "VectorShuffle" | "VectorExtractDynamic" | "VectorInsertDynamic" => {
            vectors(ALL)
        }
        "CompositeExtract" => scalars(ALL),
        "CompositeInsert" => vectors(ALL),
        "Load" | "Store" => any(NUMBERS),
        "Phi" | "Undef" => scalars(ALL),
        "Constant" | "SpecConstant" => scalars(NUMBERS),
        "ConstantComposite" | "SpecConstantComposite" => vectors(ALL),
        "AtomicIIncrement"
        | "AtomicIDecrement"
        | "AtomicIAdd"
        | "AtomicISub"
        | "AtomicAnd"
        | "AtomicOr"
        | "AtomicXor"
        | "AtomicCompareExchange" => scalars(&["i32", "u32", "i64", "u64"]),
        "AtomicSMin" | "AtomicSMax" => scalars(&["i32", "i64"]),
        "AtomicUMin" | "AtomicUMax" => scalars(&["u32", "u64"]),
        "AtomicLoad" | "AtomicStore" | "AtomicExchange" => {
            scalars(&["i32", "u32", "i64", "u64", "f32", "f64"])
        }
        "AtomicFAddEXT" | "AtomicFMinEXT" | "AtomicFMaxEXT" => scalars(&["f32", "f64"]),
        "GroupNonUniformAllEqual"
        | "GroupNonUniformBroadcast"
        | "GroupNonUniformBroadcastFirst"
        | "GroupNonUniformShuffle"
        | "GroupNonUniformShuffleXor"
        | "GroupNonUniformShuffleUp"
        | "GroupNonUniformShuffleDown"
        | "GroupNonUniformRotateKHR"
        | "GroupNonUniformQuadBroadcast"
        | "GroupNonUniformQuadSwap" => any(ALL),
        "GroupNonUniformIAdd"
        | "GroupNonUniformIMul"
        | "GroupNonUniformBitwiseAnd"
        | "GroupNonUniformBitwiseOr"
        | "GroupNonUniformBitwiseXor" => any(INTS),
        "GroupNonUniformFAdd" | "GroupNonUniformFMul" | "GroupNonUniformFMin" | "GroupNonUniformFMax" => {
            any(FLOATS)
        }
        "GroupNonUniformSMin" | "GroupNonUniformSMax" => any(SIGNED),
        "GroupNonUniformUMin" | "GroupNonUniformUMax" => any(UNSIGNED),
        n if n.starts_with("GroupNonUniformLogical") => any(&["bool"]),
        "SubgroupReadInvocationKHR" | "SubgroupFirstInvocationKHR" => any(&["i32", "u32", "f32"]),
        "ImageSampleImplicitLod"
        | "ImageSampleExplicitLod"
        | "ImageFetch"
        | "ImageRead"
        | "ImageGather"
        | "ImageWrite" => list("f32x4 i32x4 u32x4"),
        _ => Vec::new(),
    }
}

/// Casts between types of the same size: for each width between signed, unsigned and float, and between vectors with
/// different numbers of components.
fn bitcasts() -> Vec<String> {
    let mut out = Vec::new();
    for (from, to) in [
        ("i8", "u8"),
        ("u8", "i8"),
        ("i16", "u16"),
        ("u16", "i16"),
        ("f16", "u16"),
        ("f16", "i16"),
        ("u16", "f16"),
        ("i16", "f16"),
        ("i32", "u32"),
        ("u32", "i32"),
        ("f32", "u32"),
        ("f32", "i32"),
        ("u32", "f32"),
        ("i32", "f32"),
        ("i64", "u64"),
        ("u64", "i64"),
        ("f64", "u64"),
        ("f64", "i64"),
        ("u64", "f64"),
        ("i64", "f64"),
    ] {
        out.extend(any(&[from]).into_iter().zip(any(&[to])).map(|(f, t)| format!("{f}>{t}")));
    }
    out.extend(list(
        "u32>u8x4 u8x4>u32 u32>u16x2 u16x2>u32 u16>u8x2 u8x2>u16 u64>u32x2 u32x2>u64 u64>u16x4 u16x4>u64
         f64>u32x2 u32x2>f64 f32>f16x2 f16x2>f32 u64x2>u32x4 u32x4>u64x2",
    ));
    out
}

fn glsl(name: &str) -> Vec<String> {
    match name {
        "Round" | "RoundEven" | "Trunc" | "FAbs" | "FSign" | "Floor" | "Ceil" | "Fract" | "Sqrt"
        | "InverseSqrt" | "FMin" | "FMax" | "FClamp" | "FMix" | "Step" | "SmoothStep" | "Fma"
        | "FrexpStruct" | "ModfStruct" | "Ldexp" | "NMin" | "NMax" | "NClamp" => any(FLOATS),
        "Frexp" | "Modf" => any(&["f32"]),
        "Length" | "Distance" | "Normalize" | "FaceForward" | "Reflect" | "Refract" => any(FLOATS),
        "Cross" => sizes(FLOATS, &[3]),
        "Determinant" | "MatrixInverse" => square(FLOATS),
        "Radians" | "Degrees" | "Sin" | "Cos" | "Tan" | "Asin" | "Acos" | "Atan" | "Sinh" | "Cosh"
        | "Tanh" | "Asinh" | "Acosh" | "Atanh" | "Atan2" | "Pow" | "Exp" | "Log" | "Exp2" | "Log2" => {
            any(SHORT_FLOATS)
        }
        "SAbs" | "SSign" | "SMin" | "SMax" | "SClamp" => any(SIGNED),
        "UMin" | "UMax" | "UClamp" => any(UNSIGNED),
        "FindILsb" => any(&["i32", "u32"]),
        "FindSMsb" => any(&["i32"]),
        "FindUMsb" => any(&["u32"]),
        "InterpolateAtCentroid" | "InterpolateAtSample" | "InterpolateAtOffset" => any(&["f32"]),
        _ => Vec::new(),
    }
}
