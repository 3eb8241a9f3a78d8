//! What a module is and what it becomes, as data and as text: behind `quadrille inspect`.
//!
//! ```text
//!   words -> disassemble -> SPIR-V text
//!         -> reflect     -> entry points, interfaces, bindings, constants
//!         -> listing     -> IR, CLIF, host assembly of one entry point
//! ```

use quadrille_jit::codegen::{CompileOptions, Listing, compile_listed};
use quadrille_jit::ir::{self, Interface, Slot, Stage};
use quadrille_jit::spirv::Module;
use quadrille_jit::{CpuLevel, Tier, abi};
use serde::Serialize;

use super::binding::{blocks, kind_name};
use super::inputs::Scalar;
use crate::{Device, Result};

/// What a module says about itself.
#[derive(Clone, Debug, Serialize)]
pub struct Reflection {
    /// SPIR-V version, as in `1.3`.
    pub spirv: String,
    /// Capabilities, by name.
    pub capabilities: Vec<String>,
    /// Entry points, in module order.
    pub entry_points: Vec<EntryReflection>,
    /// Specialization constants.
    pub spec_constants: Vec<SpecReflection>,
}

/// An entry point.
#[derive(Clone, Debug, Serialize)]
pub struct EntryReflection {
    /// Name.
    pub name: String,
    /// Stage, in lower case.
    pub stage: &'static str,
    /// Why it cannot be run here; everything below is then empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Workgroup size (compute).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_size: Option<[u32; 3]>,
    /// Bytes of workgroup memory.
    pub shared_bytes: u32,
    /// Bytes of push constants.
    pub push_bytes: u32,
    /// Members of the push constants.
    pub push_members: Vec<MemberReflection>,
    /// Inputs.
    pub inputs: Vec<InterfaceReflection>,
    /// Outputs.
    pub outputs: Vec<InterfaceReflection>,
    /// Bindings that are used.
    pub bindings: Vec<BindingReflection>,
    /// What it does: `barrier`, `discards`, `writes memory`, ...
    pub properties: Vec<&'static str>,
}

/// A scalar or vector between stages.
#[derive(Clone, Debug, Serialize)]
pub struct InterfaceReflection {
    /// `location 0` or the name of the built-in.
    pub slot: String,
    /// `f32`, `f32 x 3`.
    #[serde(rename = "type")]
    pub ty: String,
}

/// A binding.
#[derive(Clone, Debug, Serialize)]
pub struct BindingReflection {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Kind of resource.
    pub kind: &'static str,
    /// Name, if the module has one.
    pub name: String,
    /// Array size; 0 for runtime arrays.
    pub count: u32,
    /// Bytes of the block up to a runtime array.
    pub bytes: u32,
    /// The shader writes to it.
    pub written: bool,
    /// Members of the block.
    pub members: Vec<MemberReflection>,
}

/// A member of a block.
#[derive(Clone, Debug, Serialize)]
pub struct MemberReflection {
    /// Name, if the module has one.
    pub name: String,
    /// Offset in bytes.
    pub offset: usize,
    /// `f32 x 3`.
    #[serde(rename = "type")]
    pub ty: String,
}

/// A specialization constant.
#[derive(Clone, Debug, Serialize)]
pub struct SpecReflection {
    /// SpecId.
    pub id: u32,
    /// Name, if the module has one.
    pub name: String,
    /// Type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Bits of the default.
    pub default_bits: u64,
}

/// SPIR-V text of a module.
pub fn disassemble(words: &[u32]) -> Result<String> {
    let _ = words;
    Err(crate::Error::unsupported("SPIR-V text"))
}

/// Describes a module. Entry points that cannot be lowered carry the reason.
pub fn reflect(words: &[u32]) -> Result<Reflection> {
    let module = Module::parse(words)?;
    let version = module.words().get(1).copied().unwrap_or(0);
    let entry_points = module.entry_points().iter().map(|e| entry(&module, &e.name, e.stage)).collect();
    let spec_constants = module
        .spec_constants()
        .iter()
        .map(|c| SpecReflection {
            id: c.spec_id,
            name: c.name.clone(),
            ty: ty_name(c.ty, 1),
            default_bits: c.default_bits,
        })
        .collect();
    Ok(Reflection {
        spirv: format!("{}.{}", version >> 16 & 0xff, version >> 8 & 0xff),
        capabilities: module.capabilities().iter().map(|c| format!("{c:?}")).collect(),
        entry_points,
        spec_constants,
    })
}

/// The stage's name.
pub fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vertex",
        Stage::TessellationControl => "tessellation control",
        Stage::TessellationEvaluation => "tessellation evaluation",
        Stage::Geometry => "geometry",
        Stage::Fragment => "fragment",
        Stage::Compute => "compute",
    }
}

fn entry(module: &Module, name: &str, stage: Stage) -> EntryReflection {
    let mut e = EntryReflection {
        name: name.to_owned(),
        stage: stage_name(stage),
        error: None,
        local_size: None,
        shared_bytes: 0,
        push_bytes: 0,
        push_members: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        bindings: Vec::new(),
        properties: Vec::new(),
    };
    let shader = match module.lower(name, stage, &[]) {
        Ok(shader) => shader,
        Err(error) => {
            e.error = Some(error.to_string());
            return e;
        }
    };
    let blocks = blocks(module);
    let members = |slot: Option<(u32, u32)>| -> Vec<MemberReflection> {
        let block = blocks.iter().find(|b| b.slot == slot);
        block.map_or(Vec::new(), |b| {
            b.members
                .iter()
                .map(|m| MemberReflection { name: m.name.clone(), offset: m.offset, ty: member_type(m) })
                .collect()
        })
    };
    e.local_size = (stage == Stage::Compute).then_some(shader.local_size);
    e.shared_bytes = shader.shared_size;
    e.push_bytes = shader.push_size;
    if shader.push_size > 0 {
        e.push_members = members(None);
    }
    e.inputs = interface(&shader.inputs);
    e.outputs = interface(&shader.outputs);
    e.bindings = shader
        .bindings
        .iter()
        .map(|b| BindingReflection {
            set: b.set,
            binding: b.binding,
            kind: kind_name(b.kind),
            name: b.name.clone(),
            count: b.count,
            bytes: b.size,
            written: b.written,
            members: members(Some((b.set, b.binding))),
        })
        .collect();
    e.properties = [
        (shader.has_barrier, "barrier"),
        (shader.discards, "discards"),
        (shader.writes_memory, "writes memory"),
        (shader.needs_quads, "derivatives"),
        (shader.observes_subgroup, "subgroup operations"),
        (shader.early_fragment_tests, "early fragment tests"),
    ]
    .into_iter()
    .filter_map(|(is, name)| is.then_some(name))
    .collect();
    e
}

/// Components at one location are shown as one vector.
fn interface(all: &[Interface]) -> Vec<InterfaceReflection> {
    let mut found: Vec<(String, ir::Ty, u32)> = Vec::new();
    for i in all {
        let slot = match i.slot {
            Slot::Location { location, .. } => format!("location {location}"),
            Slot::BuiltIn(name, _) => format!("{name:?}"),
        };
        match found.last_mut() {
            Some((last, ty, n)) if *last == slot && *ty == i.ty => *n += 1,
            _ => found.push((slot, i.ty, 1)),
        }
    }
    found.into_iter().map(|(slot, ty, n)| InterfaceReflection { slot, ty: ty_name(ty, n) }).collect()
}

fn ty_name(ty: ir::Ty, components: u32) -> String {
    let name = format!("{ty:?}").to_lowercase();
    if components > 1 { format!("{name} x {components}") } else { name }
}

fn member_type(m: &super::binding::OwnedMember) -> String {
    let name = match m.scalar {
        Scalar::F32 => "f32",
        Scalar::I32 => "i32",
    };
    let vector = if m.components > 1 { format!("{name} x {}", m.components) } else { name.to_owned() };
    if m.len > 1 { format!("{vector} [{}]", m.len) } else { vector }
}

/// The IR of an entry point as the front end makes it, before any pass.
pub fn ir_text(words: &[u32], entry: &str, stage: Stage, spec: &[(u32, &str)]) -> Result<String> {
    let module = Module::parse(words)?;
    let spec = super::parse_specialization(&module, spec)?;
    Ok(module.lower(entry, stage, &spec)?.to_string())
}

/// IR after the passes, CLIF and host assembly of an entry point, as `device` would run it after
/// optimization. Descriptors are laid out one after the other in the order of their bindings.
pub fn listing(
    device: &Device,
    words: &[u32],
    entry: &str,
    stage: Stage,
    spec: &[(u32, &str)],
) -> Result<Listing> {
    let module = Module::parse(words)?;
    let spec = super::parse_specialization(&module, spec)?;
    let shader = module.lower(entry, stage, &spec)?;
    let interface = super::binding::Interface::new(device, &shader)?;
    let layout: &abi::Layout = interface.layout.abi();
    let mut listing = Listing::default();
    let options = CompileOptions {
        lanes: device.options().lanes,
        tier: Tier::Optimized,
        layout,
        cpu: CpuLevel::current(),
        image_ops: &*device.images().ops(),
    };
    compile_listed(&shader, &options, Some(&mut listing))?;
    Ok(listing)
}

/// Names and stages of the entry points, in module order.
pub fn entry_points(words: &[u32]) -> Result<Vec<(String, Stage)>> {
    let module = Module::parse(words)?;
    Ok(module.entry_points().iter().map(|e| (e.name.clone(), e.stage)).collect())
}
