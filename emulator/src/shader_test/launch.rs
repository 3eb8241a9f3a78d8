//! Launches of ray tracing pipelines: shaders besides the one under test, groups, and the launch.

use quadrille_jit::ir::Stage;
use quadrille_languages as frontend;

use super::resources::{Part, Resources, part, resources};
use super::run::TestRun;
use super::source::Code;
use super::{Bound, ShaderTest};
use crate::command::BindPoint;
use crate::device::Device;
use crate::error::Result;
use crate::launch::{NamedShader, entries, fit_records, groups, tables};
use crate::limits::LIMITS;
use crate::pipeline::RayTracingPipelineDesc;

/// A module with shaders besides the one under test.
#[derive(Clone)]
pub(super) struct Launched {
    /// Stage of its entry points; `None` for all stages of ray tracing pipelines.
    pub stage: Option<Stage>,
    pub code: Code,
}

/// Inputs of a launch besides the module under test.
#[derive(Clone, Default)]
pub(super) struct Launching {
    pub modules: Vec<Launched>,
    pub groups: Vec<String>,
    /// Maximum nesting of traces; `None` for the limit of the device.
    pub recursion: Option<u32>,
}

/// Settings of a launch.
impl ShaderTest {
    /// Adds the shaders of a module to the ray tracing pipeline. The name of the source gives its language and, for
    /// GLSL, the stage (`.rchit`, `.rahit`, `.rint`, `.rmiss`, `.rcall`).
    ///
    /// # Errors
    /// Those of [`source`](Self::source).
    pub fn module(mut self, name: &str, source: &[u8], options: &frontend::Options) -> Result<Self> {
        let code = Code::named(name, source, None, options)?;
        self.launching.modules.push(Launched { stage: None, code });
        Ok(self)
    }

    /// Adds a shader group to the ray tracing pipeline, as in `hit.rchit+leaf.rahit` or `sky.rmiss=f32:0,0,1`. Shaders
    /// in no group get groups of their own: see [`groups`](crate::launch::groups()).
    ///
    /// ```
    /// use quadrille::{ShaderTest, Stage};
    /// # fn main() -> quadrille::Result<()> {
    /// let head = "#version 460\n#extension GL_EXT_ray_tracing : require\n";
    /// let rays = format!("{head}
    ///     layout(binding = 0) uniform accelerationStructureEXT scene;
    ///     layout(binding = 1) buffer Out {{ float t[]; }};
    ///     layout(location = 0) rayPayloadEXT float distance;
    ///     void main() {{
    ///         vec3 from = vec3(gl_LaunchIDEXT.x, 0.25, 2.0);
    ///         traceRayEXT(scene, 0u, 0xff, 0, 0, 0, from, 0.0, vec3(0, 0, -1), 10.0, 0);
    ///         t[gl_LaunchIDEXT.x] = distance;
    ///     }}");
    /// let hit = format!("{head}layout(location = 0) rayPayloadInEXT float d; void main() {{ d = gl_HitTEXT; }}");
    /// let miss = format!("{head}layout(location = 0) rayPayloadInEXT float d; void main() {{ d = -1.0; }}");
    /// let run = ShaderTest::source("scene.rgen", rays)?
    ///     .stage_glsl(Stage::ClosestHit, &hit)?
    ///     .stage_glsl(Stage::Miss, &miss)?
    ///     .triangles(0, 0, &[[[0.5, 0.0, 0.0], [1.5, 0.0, 0.0], [1.0, 1.0, 0.0]]], true)
    ///     .bind_zeros::<f32>(0, 1, 3)
    ///     .trace([3, 1, 1])?;
    /// assert_eq!(run.read::<f32>(0, 1)?, [-1.0, 2.0, -1.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn group(mut self, group: &str) -> Self {
        self.launching.groups.push(group.into());
        self
    }

    /// Sets the maximum nesting of traces (default: the limit of the device). Spec: Vulkan,
    /// VkRayTracingPipelineCreateInfoKHR, maxPipelineRayRecursionDepth.
    pub fn recursion(mut self, depth: u32) -> Self {
        self.launching.recursion = Some(depth);
        self
    }
}

/// The shaders of a module; of its ray generation shaders, those with the entry point of the test.
fn parts(
    device: &Device,
    test: &ShaderTest,
    code: &Code,
    stage: Option<Stage>,
    entry: Option<&str>,
) -> Result<Vec<(NamedShader, Part)>> {
    let all = entries(&device.create_shader_module(&code.words)?, stage)?;
    let other = |(stage, name): &(Stage, String)| {
        *stage == Stage::RayGeneration && entry.is_some_and(|entry| entry != name)
    };
    let all = all.into_iter().filter(|point| !other(point));
    all.map(|(stage, entry)| {
        let made = part(device, test, stage, &code.words, Some(&entry))?;
        Ok((NamedShader { file: code.file.clone(), entry, stage }, made))
    })
    .collect()
}

pub(super) fn launch(device: &Device, test: &ShaderTest, size: [u32; 3]) -> Result<TestRun> {
    let Launching { modules, groups: given, recursion } = &test.launching;
    let mut all = parts(device, test, &test.code, None, test.entry.as_deref())?;
    for Launched { stage, code } in modules {
        all.extend(parts(device, test, code, *stage, test.entry.as_deref())?);
    }
    let (named, parts): (Vec<NamedShader>, Vec<Part>) = all.into_iter().unzip();
    let groups = groups(&named, given)?;
    for bound in test.bound.values() {
        if let Bound::Scene(parts) = bound {
            fit_records(parts, groups.hit.len())?;
        }
    }
    let Resources { layout, sets, run } = resources(device, test, &parts.iter().collect::<Vec<_>>())?;
    let pipeline = device.create_ray_tracing_pipeline(&RayTracingPipelineDesc {
        stages: parts.into_iter().map(|part| (part.kind, part.stage)).collect(),
        groups: groups.groups.clone(),
        max_recursion_depth: recursion.unwrap_or(LIMITS.max_ray_recursion_depth),
        ..RayTracingPipelineDesc::new(&layout)
    })?;
    let tables = tables(device, &pipeline, &groups)?;
    let mut commands = device.create_command_buffer();
    commands.bind_ray_tracing_pipeline(&pipeline).push_constants(0, &test.push);
    commands.bind_descriptor_sets(BindPoint::RayTracing, &layout, 0, &sets.iter().collect::<Vec<_>>(), &[]);
    commands.trace_rays(&tables.tables, size).end()?;
    device.queue().run(&commands)?;
    Ok(run)
}
