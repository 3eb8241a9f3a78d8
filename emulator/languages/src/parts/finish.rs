//! Turns a `naga::Module` into SPIR-V.
//!
//! Clip space is WebGPU's: naga flips the `y` of vertex positions, so that a WGSL vertex shader draws upright with an
//! ordinary viewport. naga inserts no bounds checks, because every access is checked at run time.

use naga::Module;
use naga::back::spv;
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::faults;
use super::mend::mend;
use crate::{CompileError, Diagnostic, Language, Options};
use quadrille_jit::{Error, Place};

/// Validates the module of a source and writes it as SPIR-V.
pub(crate) fn spirv(
    module: &Module,
    language: Language,
    source: &str,
    options: &Options,
) -> Result<Vec<u32>, CompileError> {
    let mut info = check(module, language, source, options)?;
    has_no_external_texture(module, language, source, options)?;
    let rewritten;
    let module = if options.named_values {
        let mut with_variables = module.clone();
        super::named::to_variables(&mut with_variables, &info);
        rewritten = with_variables;
        info = check(&rewritten, language, source, options)?;
        &rewritten
    } else {
        module
    };
    let mut flags = spv::WriterFlags::ADJUST_COORDINATE_SPACE
        | spv::WriterFlags::LABEL_VARYINGS
        | spv::WriterFlags::CLAMP_FRAG_DEPTH;
    flags.set(spv::WriterFlags::DEBUG, options.debug);
    let unchecked = BoundsCheckPolicies {
        index: BoundsCheckPolicy::Unchecked,
        buffer: BoundsCheckPolicy::Unchecked,
        image_load: BoundsCheckPolicy::Unchecked,
        binding_array: BoundsCheckPolicy::Unchecked,
    };
    let writer = spv::Options {
        lang_version: options.spirv,
        flags,
        // Without a map, sets and bindings are those of the source.
        fake_missing_bindings: true,
        bounds_check_policies: unchecked,
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::Native,
        force_loop_bounding: false,
        use_storage_input_output_16: false,
        // The device runs queries that were not initialized as queries without intersections.
        ray_query_initialization_tracking: false,
        debug_info: options.debug.then_some(spv::DebugInfo {
            source_code: source,
            file_name: &options.file,
            language: spv::SourceLanguage::WGSL,
        }),
        ..spv::Options::default()
    };
    let words = spv::write_vec(module, &info, &writer, None).map_err(|e| {
        CompileError::new(language, &options.file, source, e.to_string())
            .with_help(format!("the source is valid {language}, but has no SPIR-V form"))
    })?;
    Ok(mend(&words))
}

/// Refuses external textures (the multi-planar textures that a browser makes of video frames). naga's SPIR-V writer
/// cannot express them and would panic.
fn has_no_external_texture(
    module: &Module,
    language: Language,
    source: &str,
    options: &Options,
) -> Result<(), CompileError> {
    let is_external = |ty| {
        let class = |ty| match &module.types[ty].inner {
            naga::TypeInner::Image { class, .. } => Some(*class),
            _ => None,
        };
        let element = match module.types[ty].inner {
            naga::TypeInner::BindingArray { base, .. } => base,
            _ => ty,
        };
        class(element) == Some(naga::ImageClass::External)
    };
    let variables = module.global_variables.iter().filter(|(_, v)| is_external(v.ty));
    let variables = variables.map(|(at, _)| module.global_variables.get_span(at));
    let taking = module.functions.iter().filter(|(_, f)| f.arguments.iter().any(|a| is_external(a.ty)));
    let taking = taking.map(|(at, _)| module.functions.get_span(at));
    let Some(span) = variables.chain(taking).next() else { return Ok(()) };
    let message = "`texture_external` has no form in SPIR-V: it is a frame of a browser's video";
    let diagnostic = at(span, source, message.to_owned());
    let place = Place {
        file: Some(options.file.clone()),
        line: (diagnostic.line > 0).then_some(diagnostic.line),
        column: (diagnostic.column > 0).then_some(diagnostic.column),
        ..Place::default()
    };
    let error = CompileError::from_diagnostics(language, &options.file, source, vec![diagnostic], "");
    let cause = Some(Box::new(Error::unsupported(message).at(place)));
    Err(CompileError { cause, ..error.with_help("give the frame as a texture_2d<f32>") })
}

/// Validates the module of a source.
pub(crate) fn check(
    module: &Module,
    language: Language,
    source: &str,
    options: &Options,
) -> Result<ModuleInfo, CompileError> {
    Validator::new(ValidationFlags::all(), Capabilities::all()).validate(module).map_err(|e| {
        let message = faults::described(module, e.as_inner());
        // The spans range from the whole function to the expression; the shortest is the most precise.
        let place =
            e.spans().filter_map(|(span, _)| span.to_range().map(|r| (r.len(), *span))).min_by_key(|p| p.0);
        let span = place.map_or(naga::Span::UNDEFINED, |(_, span)| span);
        let place = at(span, source, message);
        CompileError::from_diagnostics(language, &options.file, source, vec![place], "")
    })
}

/// Creates a message at a span of the source.
pub(crate) fn at(span: naga::Span, source: &str, message: String) -> Diagnostic {
    if !span.is_defined() {
        return Diagnostic { line: 0, column: 0, length: 0, message };
    }
    let place = span.location(source);
    Diagnostic { line: place.line_number, column: place.line_position, length: place.length, message }
}
