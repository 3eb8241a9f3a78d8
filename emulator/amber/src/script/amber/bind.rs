//! Parses `BIND`: descriptors, attachments and push constants.

use quadrille::DescriptorKind;

use crate::script::lexer::{Kind, Parse};
use crate::script::model::{Binding, Bound, BufferId, Color, Pipeline, SamplerId};
use crate::script::names::Names;
use crate::script::parser::{Parser, known};

/// Use of a bound buffer.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Color,
    DepthStencil,
    Resolve,
    PushConstant,
    Descriptor(DescriptorKind),
}

const USES: &Names<Use> = &[
    ("color", Use::Color),
    ("depth_stencil", Use::DepthStencil),
    ("resolve", Use::Resolve),
    ("push_constant", Use::PushConstant),
    ("uniform", Use::Descriptor(DescriptorKind::UniformBuffer)),
    ("uniform_dynamic", Use::Descriptor(DescriptorKind::UniformBufferDynamic)),
    ("storage", Use::Descriptor(DescriptorKind::StorageBuffer)),
    ("storage_dynamic", Use::Descriptor(DescriptorKind::StorageBufferDynamic)),
    ("storage_image", Use::Descriptor(DescriptorKind::StorageImage)),
    ("sampled_image", Use::Descriptor(DescriptorKind::SampledImage)),
    ("combined_image_sampler", Use::Descriptor(DescriptorKind::CombinedImageSampler)),
    ("uniform_texel_buffer", Use::Descriptor(DescriptorKind::UniformTexelBuffer)),
    ("storage_texel_buffer", Use::Descriptor(DescriptorKind::StorageTexelBuffer)),
];

/// Parses `BIND` after the keyword.
pub fn bind(p: &mut Parser<'_>, pipeline: &mut Pipeline) -> Parse<()> {
    let token = p.word("BUFFER or SAMPLER")?;
    match token.text {
        "BUFFER" => buffers(p, pipeline, false),
        "BUFFER_ARRAY" => buffers(p, pipeline, true),
        "SAMPLER" => samplers(p, pipeline, false),
        "SAMPLER_ARRAY" => samplers(p, pipeline, true),
        "ACCELERATION_STRUCTURE" => {
            p.word("the name of an acceleration structure")?;
            place(p)?;
            p.end()
        }
        _ => Err(token.wanted("BUFFER, BUFFER_ARRAY, SAMPLER, SAMPLER_ARRAY or ACCELERATION_STRUCTURE")),
    }
}

/// Parses one or, for an array, several names, up to one of some keywords.
fn several<T>(
    p: &mut Parser<'_>,
    array: bool,
    ends: &[&str],
    one: impl Fn(&mut Parser<'_>) -> Parse<T>,
) -> Parse<Vec<T>> {
    let mut list = vec![one(p)?];
    while array && p.lexer.peek().kind == Kind::Word && !ends.contains(&p.lexer.peek().text) {
        list.push(one(p)?);
    }
    if array && list.len() < 2 {
        return Err(p.lexer.peek().problem("an array has two names or more"));
    }
    Ok(list)
}

/// Parses `DESCRIPTOR_SET` and `BINDING`.
fn place(p: &mut Parser<'_>) -> Parse<(u32, u32)> {
    p.expect("DESCRIPTOR_SET")?;
    let set = p.uint("the number of a set")?;
    p.expect("BINDING")?;
    Ok((set, p.uint("the number of a binding")?))
}

/// Parses an argument of an OpenCL kernel.
pub fn kernel(p: &mut Parser<'_>) -> Parse<()> {
    if p.takes("ARG_NAME") {
        return p.word("the name of an argument").map(|_| ());
    }
    p.expect("ARG_NUMBER")?;
    p.uint("the number of an argument").map(|_| ())
}

/// Parses a mip level that all images must have.
fn base_level(p: &mut Parser<'_>, buffers: &[BufferId]) -> Parse<u32> {
    if !p.takes("BASE_MIP_LEVEL") {
        return Ok(0);
    }
    let at = p.lexer.peek();
    let level = p.uint("a level")?;
    match buffers.iter().map(|b| &p.model.buffers[b.0]).find(|b| level >= b.levels) {
        Some(b) => Err(at.problem(format!("`{}` has {} levels", b.name, b.levels))),
        None => Ok(level),
    }
}

fn buffers(p: &mut Parser<'_>, pipeline: &mut Pipeline, array: bool) -> Parse<()> {
    let at = p.lexer.peek();
    let ids = several(p, array, &["AS", "KERNEL", "DESCRIPTOR_SET"], |p| p.buffer())?;
    if p.takes("KERNEL") {
        kernel(p)?;
        return p.end();
    }
    p.expect("AS")?;
    let token = p.lexer.peek();
    let used = p.choice(USES, "a use of buffers")?;
    let id = ids[0];
    if array && !matches!(used, Use::Descriptor(_)) {
        return Err(token.problem("only descriptors can be arrays"));
    }
    match used {
        Use::Color => {
            p.expect("LOCATION")?;
            let location = p.uint("a location")?;
            let level = base_level(p, &ids)?;
            if pipeline.colors.iter().any(|c| c.location == location || c.buffer == id) {
                return Err(at.problem("the location or the image is taken already"));
            }
            pipeline.colors.push(Color { buffer: id, location, level });
        }
        Use::DepthStencil => {
            if pipeline.depth_stencil.replace(id).is_some() {
                return Err(at.problem("a pipeline has one depth_stencil"));
            }
        }
        Use::Resolve => pipeline.resolves.push(id),
        Use::PushConstant => {
            if pipeline.push_constants.replace(id).is_some() {
                return Err(at.problem("a pipeline has one push_constant"));
            }
        }
        Use::Descriptor(kind) => return descriptors(p, pipeline, &ids, kind),
    }
    p.end()
}

fn descriptors(
    p: &mut Parser<'_>,
    pipeline: &mut Pipeline,
    ids: &[BufferId],
    kind: DescriptorKind,
) -> Parse<()> {
    let mut sampler = None;
    if kind == DescriptorKind::CombinedImageSampler {
        p.expect("SAMPLER")?;
        sampler = Some(self::sampler(p)?);
    }
    if p.takes("KERNEL") {
        kernel(p)?;
        return p.end();
    }
    let (set, binding) = place(p)?;
    let level = if is_image(kind) { base_level(p, ids)? } else { 0 };
    let numbers = |p: &mut Parser<'_>| -> Parse<Vec<u64>> {
        let number = |p: &mut Parser<'_>| {
            let token = p.lexer.next();
            token.as_int().ok_or_else(|| token.wanted("a number of bytes for each buffer"))
        };
        ids.iter().map(|_| number(p)).collect()
    };
    let (mut dynamic, mut offsets, mut ranges) = (None, vec![0; ids.len()], vec![u64::MAX; ids.len()]);
    loop {
        let token = p.lexer.next();
        match token.text {
            _ if token.is_end() => break,
            "OFFSET" if kind.is_dynamic() => {
                let at = p.lexer.peek();
                let offsets = numbers(p)?.into_iter().map(|n| u32::try_from(n).ok());
                let offsets: Option<Vec<u32>> = offsets.collect();
                dynamic = Some(offsets.ok_or_else(|| at.wanted("offsets of 32 bits"))?);
            }
            "DESCRIPTOR_OFFSET" if is_block(kind) => offsets = numbers(p)?,
            "DESCRIPTOR_RANGE" if is_block(kind) => ranges = numbers(p)?,
            _ => return Err(token.wanted("the end of the line")),
        }
    }
    if kind.is_dynamic() && dynamic.is_none() {
        return Err(p.lexer.peek().problem("dynamic buffers have an OFFSET"));
    }
    let dynamic = dynamic.unwrap_or_else(|| vec![0; ids.len()]);
    let bound = ids.iter().enumerate().map(|(i, id)| Bound {
        buffer: Some(*id),
        sampler,
        level,
        dynamic_offset: dynamic[i],
        offset: offsets[i],
        range: Some(ranges[i]).filter(|r| *r != u64::MAX),
    });
    pipeline.bind(Binding { set, binding, kind, bound: bound.collect() });
    Ok(())
}

/// True for image descriptors, which have levels.
fn is_image(kind: DescriptorKind) -> bool {
    use DescriptorKind::{CombinedImageSampler, SampledImage, StorageImage};
    matches!(kind, StorageImage | SampledImage | CombinedImageSampler)
}

/// True for buffer block descriptors, which may have ranges.
fn is_block(kind: DescriptorKind) -> bool {
    use DescriptorKind::{StorageBuffer, StorageBufferDynamic, UniformBuffer, UniformBufferDynamic};
    matches!(kind, UniformBuffer | StorageBuffer | UniformBufferDynamic | StorageBufferDynamic)
}

fn sampler(p: &mut Parser<'_>) -> Parse<SamplerId> {
    let token = p.word("the name of a sampler")?;
    known(&p.samplers, &token, "sampler")
}

fn samplers(p: &mut Parser<'_>, pipeline: &mut Pipeline, array: bool) -> Parse<()> {
    let ids = several(p, array, &["KERNEL", "DESCRIPTOR_SET"], sampler)?;
    if p.takes("KERNEL") {
        kernel(p)?;
        return p.end();
    }
    let (set, binding) = place(p)?;
    let bound = ids.iter().map(|id| Bound {
        buffer: None,
        sampler: Some(*id),
        level: 0,
        dynamic_offset: 0,
        offset: 0,
        range: None,
    });
    pipeline.bind(Binding { set, binding, kind: DescriptorKind::Sampler, bound: bound.collect() });
    p.end()
}
