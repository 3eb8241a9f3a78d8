//! The inventory: all rows of the specifications, from the CSV files under `conformance/inventory`, with their scope.
//!
//! The SPIR-V files were extracted from the SPIR-V specification 1.4 and, for newer rows, from Khronos' grammar of 1.6;
//! `glsl_std_450.csv` and `opencl_std.csv` from the specifications of these instruction sets.

use quadrille_jit::spirv::grammar;
use rspirv::grammar::OperandKind;
use rspirv::spirv::{self, Capability};

use super::facts::Table;

/// A CSV file of the inventory.
pub struct File {
    /// File name.
    pub name: &'static str,
    text: &'static str,
    table: Option<Table>,
}

macro_rules! files {
    ($($name:literal: $table:expr;)*) => {
        &[$(File {
            name: $name,
            text: include_str!(concat!("../../inventory/", $name)),
            table: $table,
        }),*]
    };
}

/// All files.
pub const FILES: &[File] = files! {
    "spirv_instructions.csv": Some(Table::Instruction);
    "spirv_instructions_not_in_seed.csv": Some(Table::Instruction);
    "glsl_std_450.csv": Some(Table::Glsl);
    "opencl_std.csv": Some(Table::OpenCl);
    "spirv_capabilities.csv": Some(Table::Capability);
    "spirv_decorations.csv": Some(Table::Decoration);
    "spirv_builtins.csv": Some(Table::BuiltIn);
    "spirv_execution_modes.csv": Some(Table::Mode);
    "spirv_storage_classes.csv": Some(Table::StorageClass);
    "spirv_image_formats.csv": Some(Table::ImageFormat);
    "spirv_image_operands.csv": Some(Table::ImageOperand);
    "spirv_dims.csv": Some(Table::Dim);
    "spirv_enums_other.csv": None;
};

/// A row of the inventory.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name as in the specification.
    pub name: String,
    /// Table of the row.
    pub table: Table,
    /// Number in the table.
    pub number: u32,
    /// Reason if the row is out of scope.
    pub excluded: Option<&'static str>,
}

impl File {
    /// Rows of the file. Each number occurs once: later names are aliases.
    pub fn rows(&self) -> Vec<Row> {
        let mut lines = self.text.lines().map(fields);
        let head = lines.next().unwrap_or_default();
        let column = |name: &str| head.iter().position(|h| h == name);
        let (name, number) = (column("name").unwrap_or(0), column("number").unwrap_or(1));
        let capabilities = column("capabilities_any_of");
        let needed = column("needed_for");
        let mut out: Vec<Row> = Vec::new();
        for line in lines {
            let cell = |at: usize| line.get(at).map_or("", String::as_str);
            let table = match self.table {
                Some(t) => t,
                None => Table::Other(enumeration(cell(0))),
            };
            let Some(number) = integer(cell(number)) else { continue };
            if out.iter().any(|r| (r.table, r.number) == (table, number)) {
                continue;
            }
            let capabilities = capabilities.map_or("", cell);
            let excluded = excluded(table, number, cell(name), capabilities, needed.map_or("", cell));
            out.push(Row { name: cell(name).into(), table, number, excluded });
        }
        out
    }
}

/// Names of the enumerations of `spirv_enums_other.csv`.
fn enumeration(name: &str) -> &'static str {
    const KNOWN: &[&str] = &[
        "SourceLanguage",
        "ExecutionModel",
        "AddressingModel",
        "MemoryModel",
        "FPFastMathMode",
        "FPRoundingMode",
        "SelectionControl",
        "LoopControl",
        "FunctionControl",
        "MemorySemantics",
        "MemoryAccess",
        "Scope",
        "GroupOperation",
        "SamplerAddressingMode",
        "SamplerFilterMode",
        "AccessQualifier",
    ];
    KNOWN.iter().copied().find(|k| *k == name).unwrap_or("kernel")
}

fn integer(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Splits a line of CSV into its fields.
pub(super) fn fields(line: &str) -> Vec<String> {
    let (mut out, mut field, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    out.push(field);
    out
}

/// Reasons why rows are out of scope.
pub mod reason {
    /// OpenCL only.
    pub const KERNEL: &str =
        "for OpenCL kernels: pipes, queues, channels of images (which occur in no module) and the like";
    /// Ray tracing.
    pub const RAYS: &str = "for ray tracing and ray queries";
    /// Extensions of one vendor.
    pub const VENDOR: &str = "extension of one vendor";
    /// Matrices of a whole subgroup.
    pub const COOPERATIVE: &str = "cooperative matrices, vectors and tensors";
    /// Optional extensions.
    pub const OPTIONAL: &str = "optional extension that the device does not offer";
    /// OpenGL only.
    pub const OPENGL: &str = "for OpenGL; Vulkan forbids it";
    /// Reserved rows.
    pub const RESERVED: &str = "reserved, without a definition";
    /// Float controls that are not offered.
    pub const CONTROLS: &str =
        "float controls that the device does not offer: modules that need them are refused";
}

/// Reason why a row is out of scope. An implemented row is in scope in any case.
fn excluded(table: Table, number: u32, name: &str, capabilities: &str, needed: &str) -> Option<&'static str> {
    if needed == "kernel-only" || table == Table::Other("kernel") {
        return match (table, name) {
            // Physical pointers in Vulkan need some of these instructions.
            (_, "OpTypeForwardPointer" | "OpConvertPtrToU" | "OpConvertUToPtr") => None,
            (Table::Other("ExecutionModel"), "Kernel") => None,
            (Table::Other("AddressingModel"), "Physical64") => None,
            (Table::Other("MemoryModel"), "OpenCL") => None,
            (Table::Other("SamplerAddressingMode" | "SamplerFilterMode" | "AccessQualifier"), _) => None,
            _ => Some(reason::KERNEL),
        };
    }
    let has = |list: &[&str]| list.iter().any(|n| name.contains(n) || capabilities.contains(n));
    if has(&["RayTracing", "RayQuery", "RayPayload", "HitObject", "HitAttribute", "ShaderRecord", "Callable"])
        || has(&["ShaderInvocationReorder", "ClusterAccelerationStructure", "Micromap", "Intersection"])
        || ["RayGenerationNV", "AnyHitNV", "ClosestHitNV", "MissNV"].contains(&name)
    {
        return Some(reason::RAYS);
    }
    let long = capabilities.contains("LongVectorEXT");
    if !long && has(&["Cooperative", "Tensor", "GraphARM"]) {
        return Some(reason::COOPERATIVE);
    }
    if has(&["Pipes", "PipeStorage", "DeviceEnqueue", "SubgroupDispatch"]) {
        return Some(reason::KERNEL);
    }
    let vendors = ["NV", "AMD", "AMDX", "INTEL", "ALTERA", "QCOM", "ARM", "VALVE", "HUAWEI"];
    let partitioned = name.contains("Partitioned");
    if vendors.iter().any(|v| name.ends_with(v)) && !partitioned {
        return Some(reason::VENDOR);
    }
    if table == Table::Capability {
        return capability(number);
    }
    match (table, name) {
        (Table::Instruction, n) => instruction(n, capabilities),
        (Table::BuiltIn, "VertexId" | "InstanceId") => Some(reason::OPENGL),
        (Table::BuiltIn, n) if n.ends_with("EXT") && n != "FragStencilRefEXT" => Some(reason::OPTIONAL),
        (Table::Decoration, "GLSLShared" | "GLSLPacked") => Some(reason::OPENGL),
        (Table::Mode, "DenormFlushToZero" | "RoundingModeRTZ") => Some(reason::CONTROLS),
        (Table::Mode, "PixelCenterInteger" | "OriginLowerLeft") => Some(reason::OPENGL),
        (Table::Mode, "PostDepthCoverage") => Some(reason::OPTIONAL),
        (Table::StorageClass, "CrossWorkgroup") => Some(reason::KERNEL),
        (Table::StorageClass, "AtomicCounter") => Some(reason::OPENGL),
        (Table::Dim, "Rect") => Some(reason::OPENGL),
        (Table::Other("MemorySemantics"), "CrossWorkgroupMemory") => Some(reason::KERNEL),
        (Table::Other("MemorySemantics"), "AtomicCounterMemory") => Some(reason::OPENGL),
        (Table::Other("MemoryModel"), "Simple") => {
            Some("Vulkan allows only the memory models GLSL450 and Vulkan")
        }
        (Table::Other("FPRoundingMode"), "RTP" | "RTN") => Some(reason::KERNEL),
        (Table::Other("FPFastMathMode"), _) => Some(reason::KERNEL),
        (Table::Other("Scope"), "CrossDevice") => Some("Vulkan forbids this scope"),
        _ => None,
    }
}

fn capability(number: u32) -> Option<&'static str> {
    use Capability as C;
    Some(match Capability::from_u32(number)? {
        C::AtomicStorage | C::SampledRect | C::ImageRect | C::AtomicStorageOps => reason::OPENGL,
        C::SampleMaskPostDepthCoverage
        | C::FragmentFullyCoveredEXT
        | C::FragmentDensityEXT
        | C::BitInstructions
        | C::FragmentBarycentricKHR
        | C::ComputeDerivativeGroupLinearKHR
        | C::ComputeDerivativeGroupQuadsKHR => reason::OPTIONAL,
        C::GenericPointer => reason::KERNEL,
        C::DenormFlushToZero | C::RoundingModeRTZ => reason::CONTROLS,
        _ => return None,
    })
}

fn instruction(name: &str, capabilities: &str) -> Option<&'static str> {
    if name.contains("SparseSampleProj") {
        return Some(reason::RESERVED);
    }
    let optional = [
        "TileImage",
        "BitcastExtractEXT",
        "UntypedPointers",
        "FMAKHR",
        "ReplicatedComposites",
        "ShaderClock",
        "DescriptorHeap",
        "AbortKHR",
        "ConstantDataKHR",
        "PoisonFreezeKHR",
        "ExpectAssume",
        "GroupNonUniformRotate",
        "QuadControl",
        "Interlock",
        "ArithmeticFence",
        "GroupUniformArithmetic",
        "BindlessTexture",
    ];
    if optional.iter().any(|o| capabilities.contains(o)) || name == "OpExtInstWithForwardRefsKHR" {
        return Some(reason::OPTIONAL);
    }
    None
}

/// Name of a row in the grammar, for rows of `jit`'s tables that the files lack.
pub fn grammar_name(table: Table, number: u32) -> String {
    let debug = |v: Option<String>| v.unwrap_or_else(|| number.to_string());
    match table {
        Table::Instruction => grammar::op_name(number),
        Table::Glsl => debug(spirv::GlslStd450Op::from_u32(number).map(|v| format!("{v:?}"))),
        Table::OpenCl => debug(spirv::OpenclStd100Op::from_u32(number).map(|v| format!("{v:?}"))),
        Table::Capability => debug(grammar::enumerant(OperandKind::Capability, number).map(|e| e.name)),
        Table::Decoration => debug(grammar::enumerant(OperandKind::Decoration, number).map(|e| e.name)),
        Table::BuiltIn => debug(spirv::BuiltIn::from_u32(number).map(|v| format!("{v:?}"))),
        Table::Mode => debug(spirv::ExecutionMode::from_u32(number).map(|v| format!("{v:?}"))),
        Table::StorageClass => debug(spirv::StorageClass::from_u32(number).map(|v| format!("{v:?}"))),
        Table::ImageFormat => debug(spirv::ImageFormat::from_u32(number).map(|v| format!("{v:?}"))),
        Table::ImageOperand => match spirv::ImageOperands::from_bits(number) {
            Some(bits) => bits.iter_names().map(|n| n.0).collect::<Vec<_>>().join("|"),
            None => number.to_string(),
        },
        Table::Dim => debug(spirv::Dim::from_u32(number).map(|v| format!("{v:?}"))),
        Table::Other(_) => number.to_string(),
    }
}
