//! Ray tracing pipelines for [`Compute`]: shaders of several modules, with shader binding tables made from names.

use quadrille_jit::ir::{self, Stage};
use quadrille_jit::spirv::reflect;

use super::binding::{Interface, merged};
use super::compute::{Compute, Launch, Program, Work};
use crate::data::fit;
use crate::launch::{NamedShader, entries, groups, tables};
use crate::{Device, Error, LIMITS, RayTracingPipelineDesc, Result, ShaderStage};

/// A module with shaders of a ray tracing pipeline.
#[derive(Clone, Copy, Debug)]
pub struct LaunchModule<'a> {
    /// Name of the source.
    pub name: &'a str,
    /// SPIR-V words.
    pub words: &'a [u32],
}

/// Parameters for creating a [`Compute`] from a ray tracing pipeline.
#[derive(Clone, Debug)]
pub struct LaunchDesc<'a> {
    /// Modules; each of their entry points for a stage of ray tracing pipelines is a shader of the pipeline.
    pub modules: &'a [LaunchModule<'a>],
    /// Ray generation shader; `None` selects the only one.
    pub entry: Option<&'a str>,
    /// Shader groups; see [`groups`].
    pub groups: &'a [String],
    /// Maximum nesting of traces; `None` for the limit of the device.
    pub recursion: Option<u32>,
    /// Specialization constants as text, by id, for all modules that have them.
    pub specialization: &'a [(u32, &'a str)],
    /// Push constants; missing bytes are zero and cause one of the [`Compute::warnings`].
    pub push: &'a [u8],
}

/// Shaders of a pipeline, by number.
struct Shaders {
    named: Vec<NamedShader>,
    stages: Vec<(Stage, ShaderStage)>,
    lowered: Vec<ir::Shader>,
    resources: Vec<reflect::Resource>,
}

impl Compute {
    /// Compiles the shaders of a ray tracing pipeline. [`Compute::dispatch`] then launches it.
    ///
    /// # Errors
    /// Those of modules, pipelines and [`groups`]; `Invalid` if no module has a specialization constant, and if there are
    /// more push constants than the shaders declare.
    pub fn launching(device: &Device, desc: &LaunchDesc<'_>) -> Result<Compute> {
        let Shaders { named, stages, lowered, resources } = shaders(device, desc)?;
        let groups = groups(&named, desc.groups)?;
        let bindings = merged(&lowered)?;
        let push_size = lowered.iter().map(|shader| shader.push_size).max().unwrap_or(0);
        fit::push(desc.push.len(), push_size)?;
        let interface = Interface::of(device, &bindings, push_size)?;
        let pipeline = device.create_ray_tracing_pipeline(&RayTracingPipelineDesc {
            stages,
            groups: groups.groups.clone(),
            max_recursion_depth: desc.recursion.unwrap_or(LIMITS.max_ray_recursion_depth),
            ..RayTracingPipelineDesc::new(&interface.layout)
        })?;
        let tables = tables(device, &pipeline, &groups)?;
        let is_first = |shader: &ir::Shader| shader.stage == Stage::RayGeneration;
        let raygen = lowered.into_iter().find(is_first);
        let raygen = raygen.ok_or_else(|| Error::invalid("there is no ray generation shader"))?;
        let hit_records = groups.hit.len();
        let work = Work::Launch(Box::new(Launch { pipeline, tables, raygen, hit_records }));
        Compute::of(device, Program { work, interface, bindings, resources, push_size }, desc.push)
    }
}

/// The shaders of all modules.
fn shaders(device: &Device, desc: &LaunchDesc<'_>) -> Result<Shaders> {
    let mut all =
        Shaders { named: Vec::new(), stages: Vec::new(), lowered: Vec::new(), resources: Vec::new() };
    let modules = desc.modules.iter().map(|of| Ok((of, device.create_shader_module(of.words)?)));
    let modules = modules.collect::<Result<Vec<_>>>()?;
    for (id, _) in desc.specialization {
        let has = |id: u32| {
            modules.iter().any(|(_, m)| m.module().spec_constants().iter().any(|c| c.spec_id == id))
        };
        if !has(*id) {
            return Err(fit::no_specialization(modules.iter().map(|(_, m)| m.module()), *id));
        }
    }
    for (of, module) in &modules {
        let declared = |id: u32| module.module().spec_constants().iter().any(|c| c.spec_id == id);
        let given: Vec<_> = desc.specialization.iter().copied().filter(|(id, _)| declared(*id)).collect();
        let spec = super::parse_specialization(module.module(), &given)?;
        let reflection = reflect::reflect(module.module())?;
        let named = |e: Error| Error::invalid(format!("{}: {e}", of.name));
        for (stage, entry) in entries(module, None).map_err(named)? {
            if stage == Stage::RayGeneration && desc.entry.is_some_and(|name| name != entry) {
                continue;
            }
            all.lowered.push(module.module().lower(&entry, stage, &spec)?);
            let reflected = reflection.entry_points.iter().filter(|e| (e.stage, &e.name) == (stage, &entry));
            all.resources.extend(reflected.flat_map(|e| e.bindings.iter().cloned()));
            let spec = spec.clone();
            all.stages.push((stage, ShaderStage { spec, ..ShaderStage::new(module, entry.clone()) }));
            all.named.push(NamedShader { file: of.name.to_owned(), entry, stage });
        }
    }
    Ok(all)
}
