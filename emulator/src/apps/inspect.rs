//! Descriptions of a module and of the code compiled from it, as data and as text, for `quadrille inspect`.
//!
//! ```text
//!   words -> disassemble -> SPIR-V text
//!         -> reflect     -> entry points, interfaces, bindings, constants
//!         -> listing     -> IR, CLIF, host assembly of one entry point
//!         -> kernels     -> fixed-function kernels of a fragment shader
//! ```

use std::time::Duration;

use quadrille_jit::codegen::{CompileOptions, Listing, compile_listed};
use quadrille_jit::ir::{ResourceKind, Stage};
#[cfg(feature = "json")]
use quadrille_jit::spirv::kernel::Argument;
use quadrille_jit::spirv::reflect;
#[cfg(feature = "json")]
use quadrille_jit::spirv::reflect::{BlockInfo, Member, Reflection};
use quadrille_jit::spirv::{Module, asm};
use quadrille_jit::{CpuLevel, Tier, abi, budget};
#[cfg(feature = "json")]
use serde_json::{Value, json};

use super::inputs::Inputs;
use super::picture::{Renderer, RendererDesc};
use super::uniforms::{Block, GivenUniform, leaves};
#[cfg(feature = "json")]
use crate::data::fit::kind_name;
use crate::{Device, Error, KernelInfo, Result};

/// Disassembles a module to SPIR-V text.
///
/// # Errors
/// `Invalid` if the words are not a SPIR-V module.
pub fn disassemble(words: &[u32]) -> Result<String> {
    asm::disassemble(words)
}

/// Lists what an entry point does besides reading inputs and writing outputs, or returns the error if it cannot run.
fn properties(module: &Module, name: &str, stage: Stage) -> Result<Vec<&'static str>> {
    let shader = module.lower(name, stage, &[])?;
    let all = [
        (shader.has_barrier, "barriers"),
        (shader.discards, "discards"),
        (shader.writes_memory, "writes memory"),
        (shader.needs_quads, "derivatives"),
        (shader.observes_subgroup, "subgroup operations"),
        (shader.early_fragment_tests, "early fragment tests"),
        (shader.shared_size > 0, "workgroup memory"),
        (shader.subgroup_size.is_some(), "cooperative matrices"),
    ];
    Ok(all.into_iter().filter_map(|(is, name)| is.then_some(name)).collect())
}

/// Describes a module as text for people. `initial` has the initial values of its uniforms.
///
/// # Errors
/// `Invalid`, `Unsupported` or `Limit` if the module cannot be parsed. An entry point that cannot run is described with
/// its error.
pub fn describe(words: &[u32], initial: &[GivenUniform<'_>]) -> Result<String> {
    let module = Module::parse(words)?;
    let reflection = reflect::reflect(&module)?;
    let mut text = format!("SPIR-V {}, {} words\n", version(words), words.len());
    text += &format!("capabilities: {}\n", reflection.capabilities.join(", "));
    text += &reflection.to_string();
    reflection.entry_points.iter().for_each(|e| text += &describe_uniforms(e, initial));
    for e in &reflection.entry_points {
        match properties(&module, &e.name, e.stage) {
            Ok(list) if list.is_empty() => {}
            Ok(list) => text += &format!("{} {:?} has: {}\n", e.stage.name(), e.name, list.join(", ")),
            Err(error) => text += &format!("{} {:?} cannot be run: {error}\n", e.stage.name(), e.name),
        }
    }
    Ok(text)
}

/// Describes a module as JSON. `initial` has the initial values of its uniforms.
///
/// # Errors
/// Those of [`describe`].
#[cfg(feature = "json")]
pub fn describe_json(words: &[u32], initial: &[GivenUniform<'_>]) -> Result<Value> {
    let module = Module::parse(words)?;
    let Reflection { entry_points, spec_constants, capabilities } = reflect::reflect(&module)?;
    let variable = |v: &reflect::Variable| {
        json!({
            "name": v.name, "location": v.location, "component": v.component, "built_in": v.builtin,
            "type": v.ty, "qualifiers": v.qualifiers,
        })
    };
    let entry = |e: &reflect::EntryInfo| {
        let (properties, error) = match properties(&module, &e.name, e.stage) {
            Ok(list) => (list, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let bindings: Vec<Value> = e
            .bindings
            .iter()
            .map(|b| {
                json!({
                    "set": b.set, "binding": b.binding, "kind": kind_name(b.kind), "count": b.count,
                    "name": b.name, "type": b.ty, "block": b.block.as_ref().map(block),
                })
            })
            .collect();
        let argument = |a: &Argument| json!({ "name": a.name, "type": a.describe(), "bytes": a.size, "read_only": a.constant });
        json!({
            "name": e.name, "stage": e.stage.name(), "error": error, "properties": properties,
            "local_size": (e.stage.has_workgroups() && !e.is_size_free).then_some(e.local_size),
            "arguments": e.arguments.iter().map(argument).collect::<Vec<_>>(),
            "inputs": e.inputs.iter().map(variable).collect::<Vec<_>>(),
            "outputs": e.outputs.iter().map(variable).collect::<Vec<_>>(),
            "bindings": bindings,
            "push_constants": e.push_constants.as_ref().map(block),
            "uniforms": blocks(e).iter().flat_map(|b| uniforms(b, initial)).collect::<Vec<_>>(),
        })
    };
    let spec = |c: &quadrille_jit::spirv::SpecConstant| {
        let ty = format!("{:?}", c.ty).to_lowercase();
        json!({ "id": c.spec_id, "name": c.name, "type": ty, "default_bits": c.default_bits })
    };
    Ok(json!({
        "spirv": version(words),
        "words": words.len(),
        "capabilities": capabilities,
        "entry_points": entry_points.iter().map(entry).collect::<Vec<_>>(),
        "spec_constants": spec_constants.iter().map(spec).collect::<Vec<_>>(),
    }))
}

/// Returns the uniform blocks and push constants of an entry point.
fn blocks(e: &reflect::EntryInfo) -> Vec<Block> {
    let buffers = e.bindings.iter().filter(|b| b.kind == ResourceKind::UniformBuffer).filter_map(Block::of);
    buffers.chain(e.push_constants.as_ref().map(Block::push)).collect()
}

/// Describes the uniforms of a block, which `render` accepts values for, as JSON.
#[cfg(feature = "json")]
fn uniforms(block: &Block, initial: &[GivenUniform<'_>]) -> Vec<Value> {
    let one = |leaf: super::uniforms::Leaf| {
        let input = Inputs::knows(&leaf.name).then_some(&leaf.name);
        let value =
            initial.iter().find(|(name, _)| *name == leaf.name).map_or(json!(0), |(_, value)| json!(value));
        json!({
            "name": leaf.name, "type": leaf.ty, "set": block.at.map(|at| at.0), "binding": block.at.map(|at| at.1),
            "offset": leaf.offset, "default": input.is_none().then_some(value), "input": input,
        })
    };
    leaves(block).into_iter().map(one).collect()
}

/// Describes the uniforms of an entry point as text.
fn describe_uniforms(e: &reflect::EntryInfo, initial: &[GivenUniform<'_>]) -> String {
    let mut text = String::new();
    for block in blocks(e) {
        for leaf in leaves(&block) {
            let value = initial.iter().find(|(name, _)| *name == leaf.name).map_or("0", |(_, value)| value);
            let default = if Inputs::knows(&leaf.name) { "set by `render`" } else { value };
            let (name, ty, place) = (&leaf.name, &leaf.ty, block.place());
            text += &format!("  {ty} {name}: {place}, byte {}; default: {default}\n", leaf.offset);
        }
    }
    if text.is_empty() { text } else { format!("uniforms of {} {:?}\n{text}", e.stage.name(), e.name) }
}

#[cfg(feature = "json")]
fn block(b: &BlockInfo) -> Value {
    json!({ "name": b.name, "bytes": b.size, "members": b.members.iter().map(member).collect::<Vec<_>>() })
}

#[cfg(feature = "json")]
fn member(m: &Member) -> Value {
    json!({
        "name": m.name, "offset": m.offset, "type": m.ty, "bytes": m.size, "array_stride": m.array_stride, "inner_strides": m.inner_strides,
        "matrix_stride": m.matrix_stride, "row_major": m.row_major,
        "members": m.members.iter().map(member).collect::<Vec<_>>(),
    })
}

/// Returns the SPIR-V version of the module, as in `1.3`.
fn version(words: &[u32]) -> String {
    let word = words.get(1).copied().unwrap_or(0);
    format!("{}.{}", word >> 16 & 0xff, word >> 8 & 0xff)
}

/// Returns the IR of an entry point as the front end produces it, before any pass.
///
/// # Errors
/// `Invalid`, `Unsupported` or `Limit` for mistakes in the module, and `Invalid` without such an entry point or
/// specialization constant.
pub fn ir_text(words: &[u32], entry: &str, stage: Stage, spec: &[(u32, &str)]) -> Result<String> {
    let module = Module::parse(words)?;
    let spec = super::parse_specialization(&module, spec)?;
    Ok(module.lower(entry, stage, &spec)?.to_string())
}

/// Returns the optimized IR, the CLIF and the host assembly of an entry point, as `device` would run it. Descriptors
/// are laid out consecutively in the order of their bindings.
///
/// # Errors
/// Those of [`ir_text`]; `Limit` also if the shader exceeds the compile budget.
pub fn listing(
    device: &Device,
    words: &[u32],
    entry: &str,
    stage: Stage,
    spec: &[(u32, &str)],
) -> Result<Listing> {
    let module = Module::parse(words)?;
    let spec = super::parse_specialization(&module, spec)?;
    let budget = device.options().compile_budget;
    let shader = budget::within(budget, entry, || module.lower(entry, stage, &spec))?;
    let interface = super::binding::Interface::new(device, &shader)?;
    let layout: &abi::Layout = interface.layout.abi();
    let mut listing = Listing::default();
    let options = CompileOptions {
        lanes: device.options().lanes,
        tier: Tier::Optimized,
        layout,
        cpu: CpuLevel::current(),
        image_ops: &*device.images().ops(),
        missing: device.options().sparse_buffers,
    };
    budget::within(budget, entry, || compile_listed(&shader, &options, Some(&mut listing)))?;
    Ok(listing)
}

/// Returns the fixed-function code that a device generates for a picture of a fragment shader: the blending of its
/// output into an `R8G8B8A8_UNORM` target, and the sampling of textures of that format with linear filter and repeat.
///
/// # Errors
/// Those of [`Renderer::new`]; `Unsupported` for other stages, which need further shaders to draw.
pub fn kernels(
    device: &Device,
    words: &[u32],
    entry: &str,
    stage: Stage,
    spec: &[(u32, &str)],
) -> Result<Vec<KernelInfo>> {
    if stage != Stage::Fragment {
        let stage = stage.name();
        return Err(Error::unsupported(format!(
            "kernels of a {stage} shader: those of fragment shaders are shown"
        )));
    }
    let module = Module::parse(words)?;
    let shader = module.lower(entry, stage, &super::parse_specialization(&module, spec)?)?;
    let is_texture = |kind| matches!(kind, ResourceKind::SampledImage | ResourceKind::CombinedImageSampler);
    let n = shader.bindings.iter().filter(|b| is_texture(b.kind)).count();
    let textures = vec![image::DynamicImage::new_rgba8(8, 8); n];
    let mut renderer = Renderer::new(
        device,
        &RendererDesc {
            words,
            entry: Some(entry),
            specialization: spec,
            width: 64,
            height: 64,
            samples: 1,
            textures: &textures,
            ..RendererDesc::default()
        },
    )?;
    renderer.render(&Inputs::default())?;
    while device.is_compiling_kernels() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(device.compiled_kernels())
}

/// Returns the names and stages of the entry points, in module order.
///
/// # Errors
/// `Invalid`, `Unsupported` or `Limit` if the module cannot be parsed.
pub fn entry_points(words: &[u32]) -> Result<Vec<(String, Stage)>> {
    let module = Module::parse(words)?;
    Ok(module.entry_points().iter().map(|e| (e.name.clone(), e.stage)).collect())
}
