//! Chapter "Pipelines", graphics pipelines. Each of their many structures is read only where the specification does not
//! ignore it.

use ash::vk;
use ash::vk::GraphicsPipelineLibraryFlagsEXT as Subsets;
use quadrille::{
    AdvancedBlend, BlendEquation, BlendState, DepthBias, DepthState, LineStipple, LogicOp, StencilDynamic,
    StencilFace, VertexAttribute, VertexBinding, VertexRate,
};
use quadrille::{Aspects, Format};
use quadrille::{DynamicStates, LIMITS, PipelineLayout, RenderPass, STATES, TargetFormats};

use super::executables::identifier;
use super::library as pipeline_library;
use super::library::{Draft, FRAGMENT_OUTPUT, FRAGMENT_SHADER, PRE_RASTERIZATION, VERTEX_INPUT, parts};
use super::viewport::{discard_rectangles, viewports};
use super::{Kind, Pipeline, PipelineInfo, create_all};
use crate::capabilities::format::{format, needed};
use crate::capabilities::limits;
use crate::device::Device;
use crate::interface::chain::{find, slice};
use crate::interface::convert::{
    advanced_blend, blend_factor, blend_op, compare_op, conservative_mode, cull_mode, default_advanced,
    depth_bias_unit, domain_origin, front_face, line_mode, logic_op, polygon_mode, sample_locations, samples,
    shading_rate, stencil_op, topology,
};
use crate::interface::guard::{VkResult, code, commands};
use crate::interface::handle::{get, get_opt};
use crate::render_pass::{custom_resolve, locations};
use crate::shader::binary::{Binary, named};
use crate::shader::{self, StageFlags};

const NOT_OFFERED: vk::Result = vk::Result::ERROR_FEATURE_NOT_PRESENT;

/// Converts a list of dynamic states.
fn dynamic_states(list: &[vk::DynamicState]) -> VkResult<DynamicStates> {
    let mut all = DynamicStates::NONE;
    for state in list {
        let row = STATES.iter().find(|row| row.number == Some(state.as_raw()));
        all |= row.ok_or(NOT_OFFERED)?.dynamic;
    }
    Ok(all)
}

/// Returns the formats of the attachments, from the subpass or from the structure of dynamic rendering.
///
/// # Safety
/// `info` and its chain are valid, and its render pass is live or null.
unsafe fn targets(info: &vk::GraphicsPipelineCreateInfo<'_>) -> VkResult<TargetFormats> {
    // SAFETY: the caller promises a valid create info.
    unsafe {
        if let Some(pass) = get_opt::<RenderPass>(info.render_pass) {
            return pass.formats(info.subpass).map_err(|e| code(&e));
        }
        let Some(r) = find::<vk::PipelineRenderingCreateInfo>(info.p_next) else {
            return Ok(TargetFormats::default());
        };
        let defined = |f: vk::Format| match f {
            vk::Format::UNDEFINED => Ok(None),
            f => needed(f).map(Some),
        };
        let colors = slice(r.p_color_attachment_formats, r.color_attachment_count);
        let depth_stencil = [r.depth_attachment_format, r.stencil_attachment_format];
        let (colors, depth_stencil) = custom_resolve(info.p_next).unwrap_or((colors, depth_stencil));
        let aspect = |f: vk::Format, a: Aspects| format(f).filter(|f: &Format| f.aspects().contains(a));
        Ok(TargetFormats {
            colors: colors.iter().map(|&f| defined(f)).collect::<VkResult<_>>()?,
            depth: aspect(depth_stencil[0], Aspects::DEPTH),
            stencil: aspect(depth_stencil[1], Aspects::STENCIL),
            samples: 0,
            view_mask: r.view_mask,
        })
    }
}

fn stencil_face(s: &vk::StencilOpState) -> VkResult<StencilFace> {
    Ok(StencilFace {
        fail: stencil_op(s.fail_op)?,
        pass: stencil_op(s.pass_op)?,
        depth_fail: stencil_op(s.depth_fail_op)?,
        compare: compare_op(s.compare_op)?,
    })
}

/// Converts the blend state of an attachment. Values that dynamic state replaces may be invalid and become defaults.
fn blend(
    a: &vk::PipelineColorBlendAttachmentState,
    advanced: AdvancedBlend,
    dynamic: DynamicStates,
) -> VkResult<BlendState> {
    use DynamicStates as S;
    let fixed = || {
        Ok([
            BlendEquation {
                src: blend_factor(a.src_color_blend_factor)?,
                dst: blend_factor(a.dst_color_blend_factor)?,
                op: blend_op(a.color_blend_op, advanced)?,
            },
            BlendEquation {
                src: blend_factor(a.src_alpha_blend_factor)?,
                dst: blend_factor(a.dst_alpha_blend_factor)?,
                op: blend_op(a.alpha_blend_op, advanced)?,
            },
        ])
    };
    let enable = a.blend_enable != 0;
    let used = enable || dynamic.contains(S::COLOR_BLEND_ENABLE);
    let equations = match used.then(fixed) {
        Some(Err(_)) if dynamic.intersects(S::COLOR_BLEND_EQUATION | S::COLOR_BLEND_ADVANCED) => {
            Default::default()
        }
        other => other.transpose()?.unwrap_or_default(),
    };
    Ok(BlendState { enable, equations, write_mask: a.color_write_mask.as_raw() as u8 })
}

/// Returns the subset of state that a stage belongs to.
fn subset_of(stage: vk::ShaderStageFlags) -> Subsets {
    if stage == vk::ShaderStageFlags::FRAGMENT { FRAGMENT_SHADER } else { PRE_RASTERIZATION }
}

/// Returns the stages of the subsets that a create info itself contains.
///
/// # Safety
/// The create info is valid.
pub unsafe fn own_stages<'a>(
    info: &vk::GraphicsPipelineCreateInfo<'a>,
) -> Vec<&'a vk::PipelineShaderStageCreateInfo<'a>> {
    // SAFETY: the caller promises a valid create info.
    unsafe {
        let own = own_subsets(info, !libraries(info).is_empty());
        if !own.intersects(PRE_RASTERIZATION | FRAGMENT_SHADER) {
            return Vec::new();
        }
        let stages = slice(info.p_stages, info.stage_count);
        stages.iter().filter(|s| own.contains(subset_of(s.stage))).collect()
    }
}

/// Converts the stages of the subsets that a create info itself contains.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live.
unsafe fn stages(device: &Device, info: &vk::GraphicsPipelineCreateInfo<'_>, desc: &mut Draft) -> VkResult {
    // SAFETY: the caller promises a valid create info.
    let (stages, binaries) = unsafe { (own_stages(info), named(info.p_next)) };
    for s in stages {
        let is_one = s.stage.as_raw().is_power_of_two();
        if !is_one || !limits::graphics_stages().contains(s.stage) {
            return Err(NOT_OFFERED);
        }
        // SAFETY: the caller promises a valid create info, and with it valid stages.
        let stage = unsafe { shader::stage(device, s, binaries, StageFlags::of(info.p_next))? };
        desc.stages.push((s.stage, stage));
    }
    Ok(())
}

/// Converts the tessellation state.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn tessellation(info: &vk::PipelineTessellationStateCreateInfo<'_>, desc: &mut Draft) -> VkResult {
    // The value is ignored if the state is dynamic.
    if !desc.dynamic.contains(DynamicStates::PATCH_CONTROL_POINTS) {
        desc.fixed.patch_control_points = info.patch_control_points;
    }
    // SAFETY: the caller promises a valid structure.
    let origin = unsafe { find::<vk::PipelineTessellationDomainOriginStateCreateInfo>(info.p_next) };
    if let Some(o) = origin.filter(|_| !desc.dynamic.contains(DynamicStates::TESSELLATION_DOMAIN_ORIGIN)) {
        desc.state.domain_origin = domain_origin(o.domain_origin)?;
    }
    Ok(())
}

/// Converts the vertex input state.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn vertex_input(info: &vk::PipelineVertexInputStateCreateInfo<'_>, desc: &mut Draft) -> VkResult {
    // SAFETY: the caller promises a valid structure.
    let (bindings, attributes) = unsafe {
        (
            slice(info.p_vertex_binding_descriptions, info.vertex_binding_description_count),
            slice(info.p_vertex_attribute_descriptions, info.vertex_attribute_description_count),
        )
    };
    // SAFETY: the caller promises a valid structure, and with it a valid chain.
    let divisors = unsafe {
        find::<vk::PipelineVertexInputDivisorStateCreateInfoKHR>(info.p_next)
            .map_or(&[][..], |d| slice(d.p_vertex_binding_divisors, d.vertex_binding_divisor_count))
    };
    let divisor = |binding: u32| divisors.iter().find(|d| d.binding == binding).map_or(1, |d| d.divisor);
    let binding = |b: &vk::VertexInputBindingDescription| VertexBinding {
        binding: b.binding,
        stride: b.stride,
        rate: match b.input_rate {
            vk::VertexInputRate::INSTANCE => VertexRate::Instance(divisor(b.binding)),
            _ => VertexRate::Vertex,
        },
    };
    let attribute = |a: &vk::VertexInputAttributeDescription| {
        Ok(VertexAttribute {
            location: a.location,
            binding: a.binding,
            format: needed(a.format)?,
            offset: a.offset,
        })
    };
    desc.state.vertex_bindings = bindings.iter().map(binding).collect();
    desc.state.vertex_attributes = attributes.iter().map(attribute).collect::<VkResult<_>>()?;
    Ok(())
}

/// Converts the rasterization state.
///
/// # Safety
/// `r` and its chain are valid.
unsafe fn rasterization(r: &vk::PipelineRasterizationStateCreateInfo<'_>, desc: &mut Draft) -> VkResult {
    let state = &mut desc.state;
    state.rasterizer_discard = r.rasterizer_discard_enable != 0;
    state.cull = cull_mode(r.cull_mode);
    state.front_face = front_face(r.front_face)?;
    // The value is ignored if the state is dynamic.
    if !desc.dynamic.contains(DynamicStates::POLYGON_MODE) {
        state.polygon_mode = polygon_mode(r.polygon_mode)?;
    }
    // SAFETY: the caller promises a valid structure.
    if let Some(c) = unsafe { find::<vk::PipelineRasterizationConservativeStateCreateInfoEXT>(r.p_next) } {
        state.conservative = match conservative_mode(c.conservative_rasterization_mode) {
            Err(_) if desc.dynamic.contains(DynamicStates::CONSERVATIVE_RASTERIZATION_MODE) => {
                Default::default()
            }
            mode => mode?,
        };
        desc.fixed.overestimation = c.extra_primitive_overestimation_size;
    }
    state.depth_clamp = r.depth_clamp_enable != 0;
    // SAFETY: the caller promises a valid structure.
    let clip = unsafe { find::<vk::PipelineRasterizationDepthClipStateCreateInfoEXT>(r.p_next) };
    state.depth_clip = clip.map(|c| c.depth_clip_enable != 0);
    state.depth_bias = r.depth_bias_enable != 0;
    // SAFETY: the caller promises a valid structure.
    unsafe {
        if let Some(p) = find::<vk::PipelineRasterizationProvokingVertexStateCreateInfoEXT>(r.p_next) {
            state.provoking_last = p.provoking_vertex_mode == vk::ProvokingVertexModeEXT::LAST_VERTEX;
        }
        if let Some(s) = find::<vk::PipelineRasterizationStateStreamCreateInfoEXT>(r.p_next) {
            state.rasterization_stream = s.rasterization_stream;
        }
        if let Some(line) = find::<vk::PipelineRasterizationLineStateCreateInfoKHR>(r.p_next) {
            state.line_mode = line_mode(line.line_rasterization_mode)?;
            state.line_stipple = line.stippled_line_enable != 0;
            desc.fixed.line_stipple =
                LineStipple { factor: line.line_stipple_factor, pattern: line.line_stipple_pattern };
        }
    }
    desc.fixed.line_width = r.line_width;
    desc.fixed.depth_bias = DepthBias {
        constant: r.depth_bias_constant_factor,
        clamp: r.depth_bias_clamp,
        slope: r.depth_bias_slope_factor,
        // SAFETY: the caller promises a valid structure, and with it a valid chain.
        unit: unsafe { depth_bias_unit(r.p_next) },
    };
    Ok(())
}

fn depth_stencil(d: &vk::PipelineDepthStencilStateCreateInfo<'_>, desc: &mut Draft) -> VkResult {
    use vk::PipelineDepthStencilStateCreateFlags as F;
    let in_order = F::RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_EXT
        | F::RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_EXT;
    desc.state.reads_in_order[0] = d.flags.intersects(in_order);
    // The value may be invalid if the state is dynamic.
    let compare = match compare_op(d.depth_compare_op) {
        Err(_) if desc.dynamic.contains(DynamicStates::DEPTH_COMPARE_OP) => Default::default(),
        compare => compare?,
    };
    desc.state.depth = DepthState {
        test: d.depth_test_enable != 0,
        write: d.depth_write_enable != 0,
        compare,
        bounds: d.depth_bounds_test_enable != 0,
    };
    desc.state.stencil_test = d.stencil_test_enable != 0;
    if desc.state.stencil_test || desc.dynamic.contains(DynamicStates::STENCIL_TEST_ENABLE) {
        desc.state.stencil = match (stencil_face(&d.front), stencil_face(&d.back)) {
            (Ok(front), Ok(back)) => [front, back],
            _ if desc.dynamic.contains(DynamicStates::STENCIL_OP) => Default::default(),
            (front, back) => [front?, back?],
        };
    }
    desc.fixed.depth_bounds = [d.min_depth_bounds, d.max_depth_bounds];
    desc.fixed.stencil = [d.front, d.back].map(|s| StencilDynamic {
        compare_mask: s.compare_mask,
        write_mask: s.write_mask,
        reference: s.reference,
    });
    Ok(())
}

/// Converts the multisample state.
///
/// # Safety
/// `m` and its chain are valid.
unsafe fn multisample(m: &vk::PipelineMultisampleStateCreateInfo<'_>, desc: &mut Draft) {
    use DynamicStates as S;
    let state = &mut desc.state;
    // The value may be invalid if the state is dynamic: sample shading is prepared for the greatest sample count.
    let samples = if desc.dynamic.contains(S::RASTERIZATION_SAMPLES) {
        1 << LIMITS.sample_counts.ilog2()
    } else {
        state.samples = samples(m.rasterization_samples);
        state.samples
    };
    state.sample_shading_enable = m.sample_shading_enable != 0;
    state.sample_shading = m.sample_shading_enable != 0 && m.min_sample_shading * samples as f32 > 1.0;
    // A library of other subsets does not know which of these states are dynamic.
    let of_output = desc.subsets.contains(FRAGMENT_OUTPUT);
    if of_output && !desc.dynamic.contains(S::SAMPLE_MASK) {
        // SAFETY: the caller promises a valid structure.
        state.sample_mask = unsafe { m.p_sample_mask.as_ref() }.copied();
    }
    // SAFETY: the caller promises a valid structure, and with it a valid chain.
    let locations = unsafe { find::<vk::PipelineSampleLocationsStateCreateInfoEXT<'_>>(m.p_next) };
    if let Some(l) = locations.filter(|_| of_output) {
        state.sample_locations = l.sample_locations_enable != 0;
        // Commands may enable sample locations later.
        let used = state.sample_locations || desc.dynamic.contains(S::SAMPLE_LOCATIONS_ENABLE);
        if used && !desc.dynamic.contains(S::SAMPLE_LOCATIONS) {
            // SAFETY: the caller promises a valid chain, and the structure is not ignored.
            desc.fixed.sample_locations = unsafe { sample_locations(&l.sample_locations_info) };
        }
    }
    state.alpha_to_coverage = m.alpha_to_coverage_enable != 0;
    state.alpha_to_one = m.alpha_to_one_enable != 0;
}

/// Converts the colour blend state.
///
/// # Safety
/// `c` and its chain are valid.
unsafe fn color_blend(c: &vk::PipelineColorBlendStateCreateInfo<'_>, desc: &mut Draft) -> VkResult {
    use DynamicStates as S;
    let dynamic = desc.dynamic;
    let in_order = vk::PipelineColorBlendStateCreateFlags::RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXT;
    desc.state.reads_in_order[1] = c.flags.contains(in_order);
    desc.state.logic_op_enable = c.logic_op_enable != 0;
    if desc.state.logic_op_enable || dynamic.contains(S::LOGIC_OP_ENABLE) {
        desc.state.logic_op = match logic_op(c.logic_op) {
            Err(_) if dynamic.contains(S::LOGIC_OP) => LogicOp::Copy,
            op => op?,
        };
    }
    // SAFETY: the caller promises a valid structure.
    let advanced = unsafe { find::<vk::PipelineColorBlendAdvancedStateCreateInfoEXT>(c.p_next) };
    let advanced = advanced.map_or_else(default_advanced, |a| {
        advanced_blend(a.src_premultiplied, a.dst_premultiplied, a.blend_overlap)
    });
    // The array is ignored, and may be invalid, if all of its state is dynamic.
    let all = S::COLOR_BLEND_ENABLE | S::COLOR_BLEND_EQUATION | S::COLOR_WRITE_MASK;
    let attachments = match dynamic.contains(all) {
        true => &[][..],
        // SAFETY: the caller promises a valid structure, and the array is not ignored.
        false => unsafe { slice(c.p_attachments, c.attachment_count) },
    };
    desc.state.blend = attachments.iter().map(|a| blend(a, advanced, dynamic)).collect::<VkResult<_>>()?;
    // SAFETY: the caller promises a valid structure, and with it a valid chain.
    let write = unsafe { find::<vk::PipelineColorWriteCreateInfoEXT>(c.p_next) };
    if let Some(w) = write.filter(|_| !dynamic.contains(S::COLOR_WRITE_ENABLE)) {
        // SAFETY: the caller promises a valid structure, which has `attachment_count` enables.
        let enables = unsafe { slice(w.p_color_write_enables, w.attachment_count) };
        desc.state.color_write_enable = enables.iter().map(|&e| e != 0).collect();
    }
    desc.fixed.blend_constants = c.blend_constants;
    Ok(())
}

/// Returns the subsets of state that a create info itself contains; `links` if it names libraries.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn own_subsets(info: &vk::GraphicsPipelineCreateInfo<'_>, links: bool) -> Subsets {
    // SAFETY: the caller promises a valid create info.
    match unsafe { find::<vk::GraphicsPipelineLibraryCreateInfoEXT>(info.p_next) } {
        Some(l) => l.flags,
        None if links => Subsets::empty(),
        None => pipeline_library::all(),
    }
}

/// Returns the libraries that a create info names.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn libraries<'a>(info: &vk::GraphicsPipelineCreateInfo<'a>) -> &'a [vk::Pipeline] {
    // SAFETY: the caller promises a valid create info.
    unsafe {
        let libraries = find::<vk::PipelineLibraryCreateInfoKHR<'a>>(info.p_next);
        libraries.map_or(&[][..], |l| slice(l.p_libraries, l.library_count))
    }
}

/// Collects the state of a create info and of the libraries that it names.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live or null.
unsafe fn draft(device: &Device, info: &vk::GraphicsPipelineCreateInfo<'_>) -> VkResult<Draft> {
    // SAFETY: the caller promises a valid create info. Structures that the specification ignores are not read.
    unsafe {
        let mut desc = Draft::default();
        let libraries = libraries(info);
        let own = own_subsets(info, !libraries.is_empty());
        let dynamic = match info.p_dynamic_state.as_ref() {
            Some(d) => dynamic_states(slice(d.p_dynamic_states, d.dynamic_state_count))?,
            None => DynamicStates::NONE,
        };
        desc.subsets = own;
        desc.dynamic = DynamicStates(dynamic.0 & DynamicStates::of(parts(own)).0);
        state(device, info, own, &mut desc)?;
        // A linked pipeline has one layout for all stages; if none is given, it is made from those of the stages.
        let layout = match StageFlags::of(info.p_next).has_heaps {
            true => Some(PipelineLayout::of_heaps(&device.device).map_err(|e| code(&e))?),
            false => get_opt::<PipelineLayout>(info.layout).cloned(),
        };
        let whole = layout.as_ref().filter(|_| !own.intersects(PRE_RASTERIZATION | FRAGMENT_SHADER)).cloned();
        if own.intersects(PRE_RASTERIZATION | FRAGMENT_SHADER) {
            desc.layouts.extend(layout);
        }
        for &library in libraries {
            if let Some(Kind::Library(l)) = get_opt::<Pipeline>(library).map(|p| &p.kind) {
                desc.add(l);
            }
        }
        if let Some(whole) = whole {
            desc.layouts.insert(0, whole);
        }
        Ok(desc)
    }
}

/// Converts the state of the subsets that a create info itself contains.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live or null.
unsafe fn state(
    device: &Device,
    info: &vk::GraphicsPipelineCreateInfo<'_>,
    own: Subsets,
    desc: &mut Draft,
) -> VkResult {
    // SAFETY: the caller promises a valid create info. Structures that the specification ignores are not read.
    unsafe {
        stages(device, info, desc)?;
        // With a mesh stage, the pointers to vertex input state are ignored and may be invalid.
        let meshes = desc.stages.iter().any(|s| s.0 == vk::ShaderStageFlags::MESH_EXT);
        if own.contains(VERTEX_INPUT) && !meshes {
            vertex_state(info, desc)?;
        }
        let zero = info.flags().contains(vk::PipelineCreateFlags::VIEW_INDEX_FROM_DEVICE_INDEX);
        desc.state.view_index_is_zero =
            [PRE_RASTERIZATION, FRAGMENT_SHADER].map(|stage| zero && own.contains(stage));
        if own.contains(PRE_RASTERIZATION) {
            pre_rasterization(info, desc)?;
            let dynamic = desc.dynamic.contains(DynamicStates::RASTERIZER_DISCARD_ENABLE);
            if desc.state.rasterizer_discard && !dynamic {
                // With rasterizer discard, all later state is ignored.
                return Ok(());
            }
            if let Some(v) = info.p_viewport_state.as_ref() {
                viewports(v, desc);
            }
        }
        match own.intersects(PRE_RASTERIZATION | FRAGMENT_SHADER | FRAGMENT_OUTPUT) {
            true => fragments(info, own, desc),
            false => Ok(()),
        }
    }
}

/// Converts vertex input and input assembly.
///
/// # Safety
/// As for [`state`].
unsafe fn vertex_state(info: &vk::GraphicsPipelineCreateInfo<'_>, desc: &mut Draft) -> VkResult {
    let dynamic = desc.dynamic;
    // SAFETY: the caller promises a valid create info.
    unsafe {
        let fixed_input = !dynamic.contains(DynamicStates::VERTEX_INPUT);
        if fixed_input && let Some(v) = info.p_vertex_input_state.as_ref() {
            vertex_input(v, desc)?;
        }
        if let Some(a) = info.p_input_assembly_state.as_ref() {
            desc.state.topology = match topology(a.topology) {
                Err(_) if dynamic.contains(DynamicStates::PRIMITIVE_TOPOLOGY) => Default::default(),
                topology => topology?,
            };
            desc.state.primitive_restart = a.primitive_restart_enable != 0;
        }
        Ok(())
    }
}

/// Converts the state before rasterization, except viewports.
///
/// # Safety
/// As for [`state`].
unsafe fn pre_rasterization(info: &vk::GraphicsPipelineCreateInfo<'_>, desc: &mut Draft) -> VkResult {
    let patches = desc.stages.iter().any(|s| s.0 == vk::ShaderStageFlags::TESSELLATION_CONTROL);
    // SAFETY: the caller promises a valid create info.
    unsafe {
        if let Some(t) = info.p_tessellation_state.as_ref().filter(|_| patches) {
            tessellation(t, desc)?;
        }
        if let Some(r) = info.p_rasterization_state.as_ref() {
            rasterization(r, desc)?;
        }
        discard_rectangles(info, desc);
        let rate = find::<vk::PipelineFragmentShadingRateStateCreateInfoKHR>(info.p_next);
        if let Some(r) = rate.filter(|_| !desc.dynamic.contains(DynamicStates::FRAGMENT_SHADING_RATE)) {
            desc.fixed.shading_rate = shading_rate(r.fragment_size, r.combiner_ops)?;
        }
        Ok(())
    }
}

/// Converts views, samples, tests and outputs of fragments.
///
/// # Safety
/// As for [`state`].
unsafe fn fragments(info: &vk::GraphicsPipelineCreateInfo<'_>, own: Subsets, desc: &mut Draft) -> VkResult {
    // SAFETY: the caller promises a valid create info. Structures that the specification ignores are not read.
    unsafe {
        // Without a render pass, only the fragment output subset has formats.
        let formats = own.contains(FRAGMENT_OUTPUT) || get_opt::<RenderPass>(info.render_pass).is_some();
        let targets = if formats { targets(info)? } else { TargetFormats::default() };
        let rendering = find::<vk::PipelineRenderingCreateInfo>(info.p_next).filter(|_| !formats);
        desc.view_mask = rendering.map_or(targets.view_mask, |r| r.view_mask);
        let multisampled = info.p_multisample_state.as_ref();
        if let Some(m) = multisampled.filter(|_| own.intersects(FRAGMENT_SHADER | FRAGMENT_OUTPUT)) {
            multisample(m, desc);
        }
        let tests = !formats || targets.depth.is_some() || targets.stencil.is_some();
        let tests = info.p_depth_stencil_state.as_ref().filter(|_| tests && own.contains(FRAGMENT_SHADER));
        if let Some(d) = tests {
            depth_stencil(d, desc)?;
        }
        if !own.contains(FRAGMENT_OUTPUT) {
            return Ok(());
        }
        desc.state.color_formats = targets.colors;
        desc.state.depth_format = targets.depth;
        desc.state.stencil_format = targets.stencil;
        if let Some(locations) = locations(info.p_next) {
            desc.state.color_locations = locations;
        }
        let colors = desc.state.color_formats.iter().any(Option::is_some);
        if let Some(c) = info.p_color_blend_state.as_ref().filter(|_| colors) {
            color_blend(c, desc)?;
        }
        Ok(())
    }
}

commands! {
    fn create_graphics_pipelines(
        device: vk::Device,
        _cache: vk::PipelineCache,
        n: u32,
        infos: *const vk::GraphicsPipelineCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Pipeline,
    ) -> vk::Result {
        let device = get::<Device>(device);
        create_all(slice(infos, n), out, |info| {
            let draft = draft(device, info)?;
            // Stages of libraries follow the pipeline's own.
            let own = draft.stages.iter().take(own_stages(info).len());
            let stages: Vec<_> = own.map(|(stage, s)| Binary::new(*stage, &s.module)).collect();
            let identifier = identifier(device, &draft, draft.stages.iter().map(|(_, stage)| stage));
            if info.flags().contains(vk::PipelineCreateFlags::LIBRARY_KHR) {
                let library = Pipeline::new(Kind::Library(Box::new(draft)), info, stages);
                return Ok(Pipeline { identifier, ..library });
            }
            let pipeline = device.device.create_graphics_pipeline(&draft.complete(&device.device)?);
            let made = Pipeline::new(Kind::Graphics(pipeline.map_err(|e| code(&e))?), info, stages);
            Ok(Pipeline { identifier, ..made })
        })
    }
}
