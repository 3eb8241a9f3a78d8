//! Parses the bodies of `PIPELINE` and `DERIVE_PIPELINE`, except for bindings and fixed-function state.

use std::sync::Arc;

use quadrille::{Stage, VertexRate};

use super::{bind, rays, shaders, state};
use crate::layout::{DataType, Layout, Standard};
use crate::script::lexer::{Kind, Parse, Token};
use crate::script::model::{
    Pipeline, PipelineId, PipelineKind, ShaderId, ShaderKind, StageUse, SubgroupSize, VertexData,
};
use crate::script::names::Names;
use crate::script::parser::{Parser, declare, known};

const KINDS: &Names<PipelineKind> = &[
    ("compute", PipelineKind::Compute),
    ("graphics", PipelineKind::Graphics),
    ("raytracing", PipelineKind::RayTracing),
    ("ray_tracing", PipelineKind::RayTracing),
];

/// Parses `PIPELINE` after the keyword.
pub fn pipeline(p: &mut Parser<'_>) -> Parse<()> {
    let line = p.lexer.line();
    // Parse the body of a pipeline of unknown kind as a graphics pipeline.
    let kind = p.choice(KINDS, "a kind of pipeline").unwrap_or_else(|problem| {
        p.problems.push(problem);
        PipelineKind::Graphics
    });
    let name = p.word("the name of the pipeline")?;
    p.end()?;
    body(p, Pipeline::new(name.text, kind, line), &name)
}

/// Parses `DERIVE_PIPELINE` after the keyword.
pub fn derived(p: &mut Parser<'_>) -> Parse<()> {
    let line = p.lexer.line();
    let name = p.word("the name of the pipeline")?;
    p.expect("FROM")?;
    let parent = p.pipeline()?;
    p.end()?;
    let parent = p.model.pipelines[parent.0].clone();
    body(p, Pipeline { name: name.text.into(), line, ..parent }, &name)
}

fn body(p: &mut Parser<'_>, mut pipeline: Pipeline, name: &Token<'_>) -> Parse<()> {
    if pipeline.kind == PipelineKind::RayTracing {
        p.model.needs.foreign.push("ray tracing".into());
    }
    let id = PipelineId(p.model.pipelines.len());
    let declared = declare(&mut p.pipelines, name.text.to_string(), id, name);
    p.recover(declared);
    let mut attached = Vec::new();
    loop {
        let token = p.lexer.next();
        match token.kind {
            Kind::End => return Err(name.problem("the pipeline has no END")),
            Kind::EndOfLine => continue,
            Kind::Word if token.text == "END" => break,
            _ => {}
        }
        let result = statement(p, &mut pipeline, &mut attached, &token);
        p.recover(result);
        if p.gives_up() {
            break;
        }
    }
    p.model.pipelines.push(pipeline);
    p.end()
}

/// Parses a statement of a pipeline. `attached` has the shaders of this body, without those of a parent.
fn statement(
    p: &mut Parser<'_>,
    pipeline: &mut Pipeline,
    attached: &mut Vec<(ShaderId, Stage)>,
    token: &Token<'_>,
) -> Parse<()> {
    match token.text {
        "ATTACH" => attach(p, pipeline, attached),
        "SHADER_OPTIMIZATION" => options(p, pipeline, token),
        "COMPILE_OPTIONS" => options(p, pipeline, token),
        "SUBGROUP" => subgroup(p, pipeline),
        "FRAMEBUFFER_SIZE" => {
            pipeline.size = [p.uint("the width")?, p.uint("the height")?];
            p.end()
        }
        "BIND" => bind::bind(p, pipeline),
        "SET" => kernel_argument(p),
        "VERTEX_DATA" => vertex_data(p, pipeline),
        "INDEX_DATA" => {
            let at = p.lexer.peek();
            let buffer = p.buffer()?;
            if pipeline.indices.replace(buffer).is_some() {
                return Err(at.problem("a pipeline has one INDEX_DATA"));
            }
            p.end()
        }
        "VIEWPORT" => state::viewport(p, Arc::make_mut(&mut pipeline.state)),
        "POLYGON_MODE" => state::polygon_mode(p, Arc::make_mut(&mut pipeline.state)),
        "PATCH_CONTROL_POINTS" => {
            Arc::make_mut(&mut pipeline.state).dynamic.patch_control_points = p.uint("how many points")?;
            p.end()
        }
        "DEPTH" => state::depth(p, Arc::make_mut(&mut pipeline.state)),
        "STENCIL" => state::stencil(p, Arc::make_mut(&mut pipeline.state)),
        "BLEND" => state::blend(p, Arc::make_mut(&mut pipeline.state)),
        _ => rays::pipeline_statement(p, pipeline, token),
    }
}

/// Parses the name of a shader.
fn shader(p: &mut Parser<'_>) -> Parse<ShaderId> {
    let token = p.word("the name of a shader")?;
    known(&p.shaders, &token, "shader")
}

fn attach(p: &mut Parser<'_>, pipeline: &mut Pipeline, attached: &mut Vec<(ShaderId, Stage)>) -> Parse<()> {
    let at = p.lexer.peek();
    let shader = shader(p)?;
    let declared = p.model.shaders[shader.0].kind;
    let kind = if p.takes("TYPE") { shaders::kind(p)? } else { declared };
    let stage = match kind {
        ShaderKind::Stage(stage) => stage,
        ShaderKind::Multi => return Err(at.problem("a shader of several stages is attached with its TYPE")),
        // Scripts with ray tracing never run, so any stage will do.
        ShaderKind::RayTracing => Stage::Compute,
    };
    let fits = match pipeline.kind {
        PipelineKind::Compute => stage == Stage::Compute,
        PipelineKind::Graphics => stage != Stage::Compute,
        PipelineKind::RayTracing => true,
    };
    if !fits {
        return Err(at.problem(format!("a {} shader does not fit the pipeline", stage.name())));
    }
    if declared == ShaderKind::Multi && !p.lexer.peek().is("ENTRY_POINT") {
        return Err(at.problem("a shader of several stages is attached with its ENTRY_POINT"));
    }
    let mut used = StageUse { shader, stage, entry: "main".into(), spec: Vec::new(), subgroup: None };
    if p.takes("ENTRY_POINT") {
        used.entry = p.path("the name of an entry point")?;
    }
    while p.takes("SPECIALIZE") {
        used.spec.push(specialization(p)?);
    }
    p.end()?;
    if attached.contains(&(shader, stage)) {
        return Err(at.problem("the shader is attached twice"));
    }
    attached.push((shader, stage));
    // Replaces the parent's shader of the same stage.
    match pipeline.stages.iter_mut().find(|s| s.stage == stage && pipeline.kind != PipelineKind::RayTracing) {
        Some(other) => *other = used,
        None => pipeline.stages.push(used),
    }
    Ok(())
}

fn specialization(p: &mut Parser<'_>) -> Parse<(u32, u32)> {
    let id = p.uint("the id of a constant")?;
    p.expect("AS")?;
    let token = p.word("a data type")?;
    let bits = match token.text {
        "float" => (p.float("a number")? as f32).to_bits(),
        "int32" | "uint32" => {
            let token = p.lexer.next();
            // Negative integers come in two's complement of 64 bits.
            let negative = token.as_int().filter(|_| token.text.starts_with('-'));
            let negative = negative.and_then(|v| i32::try_from(v as i64).ok()).map(|v| v as u32);
            token.as_u32().or(negative).ok_or_else(|| token.wanted("an integer of 32 bits"))?
        }
        _ => return Err(token.problem("constants are int32, uint32 or float")),
    };
    Ok((id, bits))
}

/// Parses `SHADER_OPTIMIZATION` or `COMPILE_OPTIONS` up to `END`. Optimizer passes of SPIRV-Tools do not change defined
/// results, so they are ignored, except for the one that defines undefined behaviour. Compile options are ignored,
/// because they are for a compiler that is not available.
fn options(p: &mut Parser<'_>, pipeline: &Pipeline, token: &Token<'_>) -> Parse<()> {
    let at = p.lexer.peek();
    let shader = shader(p)?;
    if !pipeline.stages.iter().any(|s| s.shader == shader) {
        return Err(at.problem("the shader is not attached"));
    }
    p.end()?;
    let (names, _) = p.lexer.block().ok_or_else(|| token.problem("the block has no END"))?;
    const DEFINES: &str = "--graphics-robust-access";
    if token.text == "SHADER_OPTIMIZATION" && names.split_whitespace().any(|name| name == DEFINES) {
        p.model.needs.foreign.push(format!("the optimizer of SPIRV-Tools ({DEFINES})"));
    }
    p.end()
}

fn subgroup(p: &mut Parser<'_>, pipeline: &mut Pipeline) -> Parse<()> {
    let at = p.lexer.peek();
    let shader = shader(p)?;
    let Some(used) = pipeline.stages.iter_mut().find(|s| s.shader == shader) else {
        return Err(at.problem("the shader is not attached"));
    };
    let requires = |p: &Parser<'_>, feature: &str, token: &Token<'_>| {
        let feature = format!("SubgroupSizeControl.{feature}");
        if p.model.needs.features.contains(&feature) {
            return Ok(());
        }
        Err(token.problem(format!("`{}` needs DEVICE_FEATURE {feature}", token.text)))
    };
    loop {
        let token = p.lexer.next();
        match token.text {
            _ if token.kind == Kind::EndOfLine => {}
            _ if token.kind == Kind::End => return Err(at.problem("SUBGROUP has no END")),
            "END" => return p.end(),
            "FULLY_POPULATED" => {
                requires(p, "computeFullSubgroups", &token)?;
                shaders::switch(p)?;
            }
            "VARYING_SIZE" => {
                requires(p, "subgroupSizeControl", &token)?;
                shaders::switch(p)?;
            }
            "REQUIRED_SIZE" => {
                requires(p, "subgroupSizeControl", &token)?;
                let token = p.lexer.next();
                used.subgroup = Some(match token.text {
                    "MIN" => SubgroupSize::Least,
                    "MAX" => SubgroupSize::Greatest,
                    _ => {
                        let size = token.as_u32().filter(|n| n.is_power_of_two() && *n <= 128);
                        SubgroupSize::Exactly(size.ok_or_else(|| token.wanted("a power of two, MIN or MAX"))?)
                    }
                });
            }
            _ => return Err(token.wanted("FULLY_POPULATED, VARYING_SIZE or REQUIRED_SIZE")),
        }
    }
}

/// Parses `SET KERNEL`, for OpenCL C, whose compiler is not available.
fn kernel_argument(p: &mut Parser<'_>) -> Parse<()> {
    p.expect("KERNEL")?;
    bind::kernel(p)?;
    p.expect("AS")?;
    let token = p.word("a data type")?;
    let ty = DataType::of_amber(token.text);
    if !matches!(ty, Some(DataType::Plain { columns: 1, rows: 1, array: false, .. })) {
        return Err(token.wanted("a scalar type"));
    }
    p.float("a value")?;
    p.end()
}

fn vertex_data(p: &mut Parser<'_>, pipeline: &mut Pipeline) -> Parse<()> {
    let at = p.lexer.peek();
    let buffer = p.buffer()?;
    p.expect("LOCATION")?;
    let location = p.uint("a location")?;
    let layout = p.model.buffers[buffer.0].layout.clone();
    let mut data = VertexData { buffer, location, rate: VertexRate::Vertex, layout, offset: 0, stride: 0 };
    let mut stride = None;
    loop {
        let token = p.lexer.next();
        match token.text {
            _ if token.is_end() => break,
            "RATE" => {
                let rates = &[("vertex", VertexRate::Vertex), ("instance", VertexRate::Instance(1))];
                data.rate = p.choice(rates, "a rate")?;
            }
            "OFFSET" => data.offset = p.uint("bytes")?,
            "STRIDE" => {
                let at = p.lexer.peek();
                stride = Some(p.uint("bytes")?).filter(|s| *s > 0);
                stride.ok_or_else(|| at.wanted("a positive number"))?;
            }
            "FORMAT" => {
                let token = p.word("a format")?;
                let ty = DataType::of_amber(token.text);
                let ty = ty.ok_or_else(|| token.problem(format!("`{}` is not a format", token.text)))?;
                let layout = Layout::new(ty, Standard::default()).map_err(|e| token.problem(e))?;
                data.layout = Arc::new(layout);
            }
            _ => return Err(token.wanted("RATE, OFFSET, STRIDE or FORMAT")),
        }
    }
    data.stride = stride.unwrap_or(data.layout.stride);
    if pipeline.vertices.iter().any(|v| v.location == location) {
        return Err(at.problem(format!("location {location} has vertex data already")));
    }
    pipeline.vertices.push(data);
    Ok(())
}
