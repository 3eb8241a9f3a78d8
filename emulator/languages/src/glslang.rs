//! Calls into glslang's C interface, in `unsafe` code.
//!
//! The safe crate over glslang emits no OpLine, which error messages need, so this module uses `glslang-sys` directly
//! with `generate_debug_info`. One text and one stage make one module; `includes` has already expanded every
//! `#include`.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

use glslang_sys as sys;
use once_cell::race::{OnceBool, OnceBox};
use quadrille_jit::{budget, env};

use super::spirv::{is_whole, share_a_binding};
use super::{LOOSE_UNIFORMS_BINDING, Options, Origin, Shadertoy, Stage, macros, patience, stack};
use quadrille_jit::Error;

/// Largest source, in bytes, that compiles without a time limit. Sources with macros are always limited.
const SMALL_SOURCE: usize = 32 << 10;

/// Compiles a source, or returns glslang's log.
pub(super) fn compile(
    source: &str,
    stage: Stage,
    options: &Options,
) -> quadrille_jit::Result<Result<Vec<u32>, String>> {
    let compiled = compile_in_time(source, stage, options)?;
    if compiled.as_ref().is_ok_and(|words| !is_whole(words)) {
        let text = "an instruction of SPIR-V has at most 65,535 words, too few for the cases of a `switch` or the elements \
                    of a constructor in this source";
        return Err(Error::Limit(text.into()));
    }
    Ok(compiled)
}

/// Compiles a source, or returns glslang's log. Large sources and sources with macros have the CPU time budget
/// `QUADRILLE_COMPILE_BUDGET`.
fn compile_in_time(
    source: &str,
    stage: Stage,
    options: &Options,
) -> quadrille_jit::Result<Result<Vec<u32>, String>> {
    let budget = env::compile_budget().unwrap_or(budget::DEFAULT);
    let has_macros = macros::may_define(source, &options.defines);
    if budget.is_zero() || (source.len() <= SMALL_SOURCE && !has_macros) {
        return stack::on_large_stack(source.len(), || compile_here(source, stage, options));
    }
    let [large, least] = stack::sizes(source.len());
    let within = |stack| {
        let (source, options) = (source.to_owned(), options.clone());
        patience::within(budget, stack, move || compile_here(&source, stage, &options))
    };
    match within(large) {
        Err(Error::OutOfMemory(_)) => within(least),
        done => done,
    }
}

/// Version of glslang and of [`LIMITS`]; part of the cache key.
pub(super) fn version() -> &'static str {
    static VERSION: OnceBox<String> = OnceBox::new();
    VERSION.get_or_init(|| Box::new(query_version()))
}

#[expect(unsafe_code, reason = "foreign function")]
fn query_version() -> String {
    let mut v = sys::glslang_version_t { major: 0, minor: 0, patch: 0, flavor: ptr::null() };
    // SAFETY: `v` is a live, writable `glslang_version_t`, and the call only writes to it.
    unsafe { sys::glslang_get_version(&mut v) };
    format!("glslang {}.{}.{}, limits 4", v.major, v.minor, v.patch)
}

/// Initializes glslang once. It is never finalized, because other threads may use it until the process exits.
#[expect(unsafe_code, reason = "foreign function")]
fn start() -> bool {
    static STARTED: OnceBool = OnceBool::new();
    // SAFETY: the function takes no arguments. It locks and counts its calls, so several threads may call it.
    STARTED.get_or_init(|| unsafe { sys::glslang_initialize_process() } != 0)
}

/// A glslang shader; dropping this value deletes it.
struct ShaderHandle(*mut sys::glslang_shader_t);

impl Drop for ShaderHandle {
    #[expect(unsafe_code, reason = "foreign function")]
    fn drop(&mut self) {
        // SAFETY: the pointer came from `glslang_shader_create` and is deleted once.
        unsafe { sys::glslang_shader_delete(self.0) };
    }
}

/// A glslang program; dropping this value deletes it. It must be dropped before the shaders added to it.
struct ProgramHandle(*mut sys::glslang_program_t);

impl Drop for ProgramHandle {
    #[expect(unsafe_code, reason = "foreign function")]
    fn drop(&mut self) {
        // SAFETY: the pointer came from `glslang_program_create` and is deleted once.
        unsafe { sys::glslang_program_delete(self.0) };
    }
}

fn stage_of(stage: Stage) -> sys::glslang_stage_t {
    match stage {
        Stage::Vertex => sys::glslang_stage_t::Vertex,
        Stage::TessellationControl => sys::glslang_stage_t::TesselationControl,
        Stage::TessellationEvaluation => sys::glslang_stage_t::TesselationEvaluation,
        Stage::Geometry => sys::glslang_stage_t::Geometry,
        Stage::Task => sys::glslang_stage_t::Task,
        Stage::Mesh => sys::glslang_stage_t::Mesh,
        Stage::Fragment => sys::glslang_stage_t::Fragment,
        Stage::Compute => sys::glslang_stage_t::Compute,
        Stage::RayGeneration => sys::glslang_stage_t::RayGeneration,
        Stage::Intersection => sys::glslang_stage_t::Intersect,
        Stage::AnyHit => sys::glslang_stage_t::AnyHit,
        Stage::ClosestHit => sys::glslang_stage_t::ClosestHit,
        Stage::Miss => sys::glslang_stage_t::Miss,
        Stage::Callable => sys::glslang_stage_t::Callable,
    }
}

type Client = sys::glslang_target_client_version_t;
type Target = sys::glslang_target_language_version_t;

/// Versions of Vulkan and SPIR-V for which a shader is compiled.
fn versions(source: &str, stage: Stage, options: &Options) -> Result<(Client, Target), String> {
    // These extensions require SPIR-V 1.4. The extension of mesh shaders also gives fragment shaders per-primitive
    // inputs.
    let newer = ["GL_EXT_mesh_shader", "GL_EXT_ray_tracing"].iter().any(|name| source.contains(name));
    let newer = newer || matches!(stage, Stage::Task | Stage::Mesh) || stage.is_of_rays();
    // This one requires SPIR-V 1.6.
    let newest = source.contains("GL_NV_cooperative_matrix2");
    let least = if newest {
        (1, 6)
    } else if newer {
        (1, 4)
    } else {
        (1, 0)
    };
    Ok(match options.spirv.max(least) {
        (1, 0) => (Client::Vulkan1_0, Target::SPIRV1_0),
        (1, 1) => (Client::Vulkan1_1, Target::SPIRV1_1),
        (1, 2) => (Client::Vulkan1_1, Target::SPIRV1_2),
        (1, 3) => (Client::Vulkan1_1, Target::SPIRV1_3),
        (1, 4) => (Client::Vulkan1_2, Target::SPIRV1_4),
        (1, 5) => (Client::Vulkan1_2, Target::SPIRV1_5),
        (1, 6) => (Client::Vulkan1_3, Target::SPIRV1_6),
        (major, minor) => return Err(format!("SPIR-V {major}.{minor} is unknown")),
    })
}

/// Options of the SPIR-V generator.
fn spirv_options(debug: bool) -> sys::glslang_spv_options_t {
    sys::glslang_spv_options_t {
        generate_debug_info: debug,
        strip_debug_info: !debug,
        disable_optimizer: true,
        optimize_size: false,
        disassemble: false,
        validate: false,
        emit_nonsemantic_shader_debug_info: false,
        emit_nonsemantic_shader_debug_source: false,
        compile_only: false,
        optimize_allow_expanded_id_bound: false,
    }
}

/// Input of the compiler for a source, which must outlive the input.
fn input(code: &CStr, versions: (Client, Target), stage: sys::glslang_stage_t) -> sys::glslang_input_t {
    use sys::glslang_messages_t as Messages;
    let messages = Messages::SPV_RULES.0 | Messages::VULKAN_RULES.0 | Messages::DISPLAY_ERROR_COLUMN.0;
    let (client_version, target_language_version) = versions;
    sys::glslang_input_t {
        language: sys::glslang_source_t::GLSL,
        stage,
        client: sys::glslang_client_t::Vulkan,
        client_version,
        target_language: sys::glslang_target_language_t::SPIRV,
        target_language_version,
        code: code.as_ptr(),
        default_version: 450,
        default_profile: sys::glslang_profile_t::Core,
        force_default_version_and_profile: 0,
        forward_compatible: 0,
        messages: Messages(messages),
        resource: &LIMITS,
        callbacks: sys::glsl_include_callbacks_t {
            include_system: Some(refuse_include),
            include_local: Some(refuse_include),
            free_include_result: Some(free_nothing),
        },
        callbacks_ctx: ptr::null_mut(),
    }
}

/// Classes of resources whose bindings OpenGL counts apart from those of uniform blocks, with the number that separates
/// them: units of textures, units of images, storage blocks.
const CLASSES: [(sys::glslang_resource_type_t, u32); 5] = [
    (sys::glslang_resource_type_t::CombinedSampler, 100),
    (sys::glslang_resource_type_t::Sampler, 100),
    (sys::glslang_resource_type_t::Texture, 100),
    (sys::glslang_resource_type_t::Image, 200),
    (sys::glslang_resource_type_t::SSBO, 300),
];

/// Compiles a source. Its bindings stay as they are, as in Vulkan. If two resources of a source for OpenGL share a binding,
/// each class of resources gets bindings of its own.
fn compile_here(source: &str, stage: Stage, options: &Options) -> Result<Vec<u32>, String> {
    let words = compile_with(source, stage, options, &[])?;
    let is_opengls = options.relaxed && options.origin == Origin::LowerLeft;
    if !is_opengls || !share_a_binding(&words) {
        return Ok(words);
    }
    let apart = compile_with(source, stage, options, &CLASSES)?;
    // Resources of one class may share a binding in OpenGL, too.
    Ok(if share_a_binding(&apart) { words } else { apart })
}

/// Preprocesses a source for resources whose bindings begin at the numbers of the `classes`. Calls `then` with the shader, its
/// input, and true if the source has no errors so far.
#[expect(unsafe_code, reason = "foreign functions")]
fn preprocess<T>(
    source: &str,
    stage: Stage,
    options: &Options,
    classes: &[(sys::glslang_resource_type_t, u32)],
    then: impl FnOnce(&ShaderHandle, &sys::glslang_input_t, bool) -> Result<T, String>,
) -> Result<T, String> {
    if !start() {
        return Err("glslang does not start".into());
    }
    let code = no_zero(source)?;
    let defines: String = options.defines.iter().map(|(n, v)| format!("#define {n} {v}\n")).collect();
    let preamble = no_zero(&defines)?;
    let input = input(&code, versions(source, stage, options)?, stage_of(stage));
    // Version 100 is that of GL_KHR_vulkan_glsl; it becomes the value of the macro VULKAN.
    let dialect = sys::glslang_input_t { default_version: 100, ..input };

    // SAFETY: the handle is checked for null. `dialect`, `input` and the C strings and tables that they point to are locals
    // declared before the handle, so they outlive it. All strings are `CString`s or literals and thus zero-terminated. Only this
    // thread uses the handle.
    let (shader, is_right) = unsafe {
        let shader = ShaderHandle(sys::glslang_shader_create(&dialect));
        if shader.0.is_null() {
            return Err("glslang does not start".into());
        }
        set_options(&shader, source, options, classes);
        sys::glslang_shader_set_preamble(shader.0, preamble.as_ptr());
        let is_right = sys::glslang_shader_preprocess(shader.0, &input) != 0;
        (shader, is_right)
    };
    then(&shader, &input, is_right)
}

fn no_zero(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|_| "a zero byte in the source".to_owned())
}

/// Compiles a source; bindings of resources of the `classes` begin at their numbers.
fn compile_with(
    source: &str,
    stage: Stage,
    options: &Options,
    classes: &[(sys::glslang_resource_type_t, u32)],
) -> Result<Vec<u32>, String> {
    let file = no_zero(&options.file)?;
    preprocess(source, stage, options, classes, |shader, input, is_right| {
        if is_right {
            check_macros(shader, options)?;
        }
        words_of(shader, input, is_right, options, &file)
    })
}

/// Refuses a preprocessed source whose macros the compiler should not expand when it reads it again; the error is a log.
#[expect(unsafe_code, reason = "foreign function")]
fn check_macros(shader: &ShaderHandle, options: &Options) -> Result<(), String> {
    // SAFETY: the handle is live and not null, and its text is zero-terminated and copied here.
    let made = unsafe { text(sys::glslang_shader_get_preprocessed_code(shader.0)) };
    match macros::made_too_long(&made, &options.defines) {
        Some((line, message)) => Err(format!("ERROR: 0:{line}: {message}\n")),
        None => Ok(()),
    }
}

/// Compiles a shader whose source is preprocessed.
#[expect(unsafe_code, reason = "foreign functions")]
fn words_of(
    shader: &ShaderHandle,
    input: &sys::glslang_input_t,
    is_right: bool,
    options: &Options,
    file: &CStr,
) -> Result<Vec<u32>, String> {
    // SAFETY: `shader` is a live handle that is not null, and so is the program, which is checked. `input`, what it points to and
    // `file` outlive the call. Only this thread uses the handles, and each log is copied before its handle is dropped.
    unsafe {
        if !is_right || sys::glslang_shader_parse(shader.0, input) == 0 {
            return Err(text(sys::glslang_shader_get_info_log(shader.0)));
        }

        let program = ProgramHandle(sys::glslang_program_create());
        if program.0.is_null() {
            return Err("glslang does not start".into());
        }
        sys::glslang_program_add_shader(program.0, shader.0);
        if sys::glslang_program_link(program.0, input.messages.0) == 0
            || (options.relaxed && sys::glslang_program_map_io(program.0) == 0)
        {
            return Err(text(sys::glslang_program_get_info_log(program.0)));
        }
        if options.debug {
            sys::glslang_program_set_source_file(program.0, input.stage, file.as_ptr());
        }
        let mut spv = spirv_options(options.debug);
        sys::glslang_program_SPIRV_generate_with_options(program.0, input.stage, &mut spv);
        let words = sys::glslang_program_SPIRV_get_ptr(program.0);
        let n_words = sys::glslang_program_SPIRV_get_size(program.0);
        if words.is_null() || n_words == 0 {
            let log = text(sys::glslang_program_SPIRV_get_messages(program.0));
            return Err(if log.is_empty() { "glslang made no SPIR-V".into() } else { log });
        }
        Ok(std::slice::from_raw_parts(words, n_words).to_vec())
    }
}

/// Those of the names that the compiler defines for a source, with their values; `__VERSION__` may be one.
pub(super) fn predefined(
    source: &str,
    names: &[String],
    stage: Stage,
    options: &Options,
) -> Vec<(String, String)> {
    let asked = names.iter().enumerate();
    let line = |(i, name): (usize, &String)| match name.as_str() {
        "__VERSION__" => format!("quadrille_{i} {name}\n"),
        _ => format!("#ifdef {name}\nquadrille_{i} {name}\n#endif\n"),
    };
    let lines: String = asked.map(line).collect();
    // The compiler finds the version in the source, reads definitions before it, and ends at the error.
    let probe = ("quadrille_probe".to_owned(), format!("1\n{lines}#error end"));
    let plain = Options { defines: vec![probe], ..options.clone() };
    let text = preprocessed(source, stage, &plain);
    let value = |line: &str| {
        let (i, value) = line.trim().strip_prefix("quadrille_")?.split_once(' ')?;
        Some((names.get(i.parse::<usize>().ok()?)?.clone(), value.trim().to_owned()))
    };
    text.ok().and_then(Result::ok).unwrap_or_default().lines().filter_map(value).collect()
}

/// Text of a source behind the preprocessor, also of one with errors.
pub(super) fn preprocessed(
    source: &str,
    stage: Stage,
    options: &Options,
) -> quadrille_jit::Result<Result<String, String>> {
    #[expect(unsafe_code, reason = "foreign function")]
    let copied = |shader: &ShaderHandle, _: &sys::glslang_input_t, _| {
        // SAFETY: the handle is live and not null, and its text is zero-terminated and copied here.
        Ok(unsafe { text(sys::glslang_shader_get_preprocessed_code(shader.0)) })
    };
    stack::on_large_stack(source.len(), || preprocess(source, stage, options, &[], copied))
}

/// Sets the options of a shader for a source, and the first bindings of the `classes` of its resources.
///
/// # Safety
///
/// The handle of `shader` must not be null, and no other thread may use it.
#[expect(unsafe_code, reason = "foreign functions")]
unsafe fn set_options(
    shader: &ShaderHandle,
    source: &str,
    options: &Options,
    classes: &[(sys::glslang_resource_type_t, u32)],
) {
    let block = c"QuadrilleUniforms";
    let mut shader_options = sys::glslang_shader_options_t::DEFAULT.0;
    // SAFETY: promised by the caller. The name of the block is a literal and thus zero-terminated.
    unsafe {
        if options.relaxed {
            use sys::glslang_shader_options_t as O;
            shader_options |= O::VULKAN_RULES_RELAXED.0 | O::AUTO_MAP_BINDINGS.0 | O::AUTO_MAP_LOCATIONS.0;
            sys::glslang_shader_set_default_uniform_block_name(shader.0, block.as_ptr());
            sys::glslang_shader_set_default_uniform_block_set_and_binding(
                shader.0,
                // Set 0 holds Shadertoy's own declarations.
                if Shadertoy::declares(source) { 1 } else { options.loose_set },
                LOOSE_UNIFORMS_BINDING,
            );
        }
        for (class, first) in classes {
            sys::glslang_shader_shift_binding(shader.0, *class, *first);
        }
        sys::glslang_shader_set_options(shader.0, sys::glslang_shader_options_t(shader_options).0);
    }
}

/// Copies a zero-terminated string; a null pointer gives an empty string.
///
/// # Safety
///
/// `log` must be null or point to a zero-terminated string that stays valid during the call.
#[expect(unsafe_code, reason = "C string")]
unsafe fn text(log: *const c_char) -> String {
    if log.is_null() {
        return String::new();
    }
    // SAFETY: `log` is not null (checked above), and the caller guarantees that it is zero-terminated.
    unsafe { CStr::from_ptr(log) }.to_string_lossy().into_owned()
}

/// Rejects every `#include`: the text that reaches glslang has none left.
extern "C" fn refuse_include(
    _ctx: *mut c_void,
    _header: *const c_char,
    _includer: *const c_char,
    _depth: usize,
) -> *mut sys::glsl_include_result_t {
    ptr::null_mut()
}

extern "C" fn free_nothing(_ctx: *mut c_void, _result: *mut sys::glsl_include_result_t) -> c_int {
    0
}

/// Values of the `gl_Max*` constants and limits of the compiler. The device's own limits are elsewhere.
const LIMITS: sys::glslang_resource_t = sys::glslang_resource_t {
    max_lights: 32,
    max_clip_planes: 6,
    max_texture_units: 32,
    max_texture_coords: 32,
    max_vertex_attribs: 64,
    max_vertex_uniform_components: 4096,
    max_varying_floats: 128,
    max_vertex_texture_image_units: 32,
    max_combined_texture_image_units: 96,
    max_texture_image_units: 32,
    max_fragment_uniform_components: 4096,
    max_draw_buffers: 8,
    max_vertex_uniform_vectors: 1024,
    max_varying_vectors: 32,
    max_fragment_uniform_vectors: 1024,
    max_vertex_output_vectors: 32,
    max_fragment_input_vectors: 32,
    min_program_texel_offset: -8,
    max_program_texel_offset: 7,
    max_clip_distances: 8,
    max_compute_work_group_count_x: 65535,
    max_compute_work_group_count_y: 65535,
    max_compute_work_group_count_z: 65535,
    max_compute_work_group_size_x: 1024,
    max_compute_work_group_size_y: 1024,
    max_compute_work_group_size_z: 1024,
    max_compute_uniform_components: 4096,
    max_compute_texture_image_units: 80,
    max_compute_image_uniforms: 64,
    max_compute_atomic_counters: 8,
    max_compute_atomic_counter_buffers: 1,
    max_varying_components: 128,
    max_vertex_output_components: 128,
    max_geometry_input_components: 128,
    max_geometry_output_components: 128,
    max_fragment_input_components: 128,
    max_image_units: 64,
    max_combined_image_units_and_fragment_outputs: 64,
    max_combined_shader_output_resources: 64,
    max_image_samples: 16,
    max_vertex_image_uniforms: 64,
    max_tess_control_image_uniforms: 64,
    max_tess_evaluation_image_uniforms: 64,
    max_geometry_image_uniforms: 64,
    max_fragment_image_uniforms: 64,
    max_combined_image_uniforms: 64,
    max_geometry_texture_image_units: 80,
    max_geometry_output_vertices: 256,
    max_geometry_total_output_components: 1024,
    max_geometry_uniform_components: 4096,
    max_geometry_varying_components: 128,
    max_tess_control_input_components: 128,
    max_tess_control_output_components: 128,
    max_tess_control_texture_image_units: 80,
    max_tess_control_uniform_components: 4096,
    max_tess_control_total_output_components: 4096,
    max_tess_evaluation_input_components: 128,
    max_tess_evaluation_output_components: 128,
    max_tess_evaluation_texture_image_units: 80,
    max_tess_evaluation_uniform_components: 4096,
    max_tess_patch_components: 120,
    max_patch_vertices: 32,
    max_tess_gen_level: 64,
    max_viewports: 16,
    max_vertex_atomic_counters: 0,
    max_tess_control_atomic_counters: 0,
    max_tess_evaluation_atomic_counters: 0,
    max_geometry_atomic_counters: 0,
    max_fragment_atomic_counters: 8,
    max_combined_atomic_counters: 8,
    max_atomic_counter_bindings: 1,
    max_vertex_atomic_counter_buffers: 0,
    max_tess_control_atomic_counter_buffers: 0,
    max_tess_evaluation_atomic_counter_buffers: 0,
    max_geometry_atomic_counter_buffers: 0,
    max_fragment_atomic_counter_buffers: 1,
    max_combined_atomic_counter_buffers: 1,
    max_atomic_counter_buffer_size: 16384,
    max_transform_feedback_buffers: 4,
    max_transform_feedback_interleaved_components: 64,
    max_cull_distances: 8,
    max_combined_clip_and_cull_distances: 8,
    max_samples: 16,
    max_mesh_output_vertices_nv: 256,
    max_mesh_output_primitives_nv: 512,
    max_mesh_work_group_size_x_nv: 32,
    max_mesh_work_group_size_y_nv: 1,
    max_mesh_work_group_size_z_nv: 1,
    max_task_work_group_size_x_nv: 32,
    max_task_work_group_size_y_nv: 1,
    max_task_work_group_size_z_nv: 1,
    max_mesh_view_count_nv: 4,
    max_mesh_output_vertices_ext: 256,
    max_mesh_output_primitives_ext: 256,
    max_mesh_work_group_size_x_ext: 128,
    max_mesh_work_group_size_y_ext: 128,
    max_mesh_work_group_size_z_ext: 128,
    max_task_work_group_size_x_ext: 128,
    max_task_work_group_size_y_ext: 128,
    max_task_work_group_size_z_ext: 128,
    max_mesh_view_count_ext: 4,
    __bindgen_anon_1: sys::glslang_resource_s__bindgen_ty_1 { max_dual_source_draw_buffers_ext: 1 },
    limits: sys::glslang_limits_t::default(),
};
