//! Chapter "Device-Generated Commands": layouts of sequences, execution sets of pipelines and shader objects, and
//! execution.
//!
//! Sequences are read when they are executed, so that preprocessing needs no memory and does nothing.

use ash::vk;
use quadrille::{Executable, ExecutionSet, GeneratedCommands, GeneratedLayout, Stage, Token};

use crate::capabilities::heap::ORDINARY;
use crate::command_buffer::list;
use crate::command_buffer::with;
use crate::interface::chain::slice;
use crate::interface::guard::{VkResult, code, commands, log, report};
use crate::interface::handle::{Object, create, destroy, get, get_opt};
use crate::newer::{
    GeneratedCommandsInfoEXT, GeneratedCommandsMemoryRequirementsInfoEXT,
    IndirectCommandsExecutionSetTokenEXT, IndirectCommandsLayoutCreateInfoEXT, IndirectCommandsLayoutEXT,
    IndirectCommandsLayoutTokenEXT, IndirectExecutionSetCreateInfoEXT, IndirectExecutionSetEXT,
    IndirectExecutionSetPipelineInfoEXT, IndirectExecutionSetShaderInfoEXT,
    WriteIndirectExecutionSetPipelineEXT, WriteIndirectExecutionSetShaderEXT,
};
use crate::pipeline::{Kind, Pipeline};
use crate::shader::object::{Shader, stage};

impl Object for GeneratedLayout {
    type Handle = IndirectCommandsLayoutEXT;
}

impl Object for ExecutionSet {
    type Handle = IndirectExecutionSetEXT;
}

/// VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT.
const PIPELINES: i32 = 0;

/// VK_INDIRECT_COMMANDS_INPUT_MODE_DXGI_INDEX_BUFFER_EXT.
const DXGI_INDEX_BUFFER: u32 = 2;

/// Converts the token of an execution set: one index for all stages, or one for each stage, in the order of the stage
/// bits.
fn execution_set(info: &IndirectCommandsExecutionSetTokenEXT) -> VkResult<Token> {
    if info.ty == PIPELINES {
        return Ok(Token::Pipeline);
    }
    let bits = (0..32).map(|i| vk::ShaderStageFlags::from_raw(1 << i));
    let stages = bits.filter(|bit| info.shader_stages.contains(*bit)).map(stage);
    stages.collect::<VkResult<Vec<Stage>>>().map(Token::Shaders)
}

/// Converts a token of a layout, and returns its offset.
///
/// # Safety
/// `info` is valid.
unsafe fn token(info: &IndirectCommandsLayoutTokenEXT) -> VkResult<(Token, u32)> {
    // SAFETY: the caller promises a valid structure: `data` points to what the type requires, which is a range of push
    // constants, a vertex binding number, an index buffer mode, or the token of an execution set.
    let token = unsafe {
        let push = || &*info.data.cast::<vk::PushConstantRange>();
        match info.ty {
            0 => execution_set(&*info.data.cast())?,
            // Push constants, and push data of VK_EXT_descriptor_heap.
            1 | 1_000_135_000 => Token::PushConstants { offset: push().offset, size: push().size },
            2 | 1_000_135_001 => Token::SequenceIndex { offset: push().offset },
            3 => Token::IndexBuffer { dxgi: *info.data.cast::<u32>() == DXGI_INDEX_BUFFER },
            4 => Token::VertexBuffer { binding: *info.data.cast::<u32>() },
            5 => Token::DrawIndexed,
            6 => Token::Draw,
            7 => Token::DrawIndexedCount,
            8 => Token::DrawCount,
            9 => Token::Dispatch,
            1_000_328_000 => Token::DrawMeshTasks,
            1_000_328_001 => Token::DrawMeshTasksCount,
            1_000_386_004 => Token::TraceRays,
            other => {
                log(&format!("generated commands have no token of type {other}"));
                return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT);
            }
        }
    };
    Ok((token, info.offset))
}

/// Returns a pipeline as a member of an execution set.
///
/// # Safety
/// The handle is live.
unsafe fn pipeline(handle: vk::Pipeline) -> VkResult<Executable> {
    // SAFETY: the caller promises that the handle is live.
    match unsafe { &get::<Pipeline>(handle).kind } {
        Kind::Compute(pipeline) => Ok(Executable::Compute(pipeline.clone())),
        Kind::Graphics(pipeline) => Ok(Executable::Graphics(pipeline.clone())),
        Kind::RayTracing(pipeline) if !pipeline.is_library() => Ok(Executable::RayTracing(pipeline.clone())),
        Kind::Library(_) | Kind::RayTracing(_) => Err(vk::Result::ERROR_UNKNOWN),
    }
}

/// Creates an execution set.
///
/// # Safety
/// `info` is valid, and its handles are live.
unsafe fn new_set(info: &IndirectExecutionSetCreateInfoEXT) -> VkResult<ExecutionSet> {
    // SAFETY: the caller promises a valid create info: `ty` selects the structure that `info` points to.
    let (size, members) = unsafe {
        if info.ty == PIPELINES {
            let of = &*info.info.cast::<IndirectExecutionSetPipelineInfoEXT>();
            (of.max_pipeline_count, vec![pipeline(of.initial_pipeline)?])
        } else {
            let of = &*info.info.cast::<IndirectExecutionSetShaderInfoEXT>();
            let shaders = slice(of.p_initial_shaders, of.shader_count).iter();
            let member = |&shader: &vk::ShaderEXT| Executable::Shader(get::<Shader>(shader).object.clone());
            (of.max_shader_count, shaders.map(member).collect())
        }
    };
    let set = ExecutionSet::new(size).map_err(|e| code(&e))?;
    for (number, member) in (0..).zip(members) {
        set.write(number, member).map_err(|e| code(&e))?;
    }
    Ok(set)
}

/// Writes a member of an execution set.
fn write(set: &ExecutionSet, number: u32, member: VkResult<Executable>) {
    match member {
        Ok(member) => report(set.write(number, member).map_err(|e| code(&e))),
        Err(code) => log(&format!("invalid member of an execution set: {code:?}")),
    }
}

commands! {
    fn create_indirect_commands_layout(
        _d: vk::Device,
        info: *const IndirectCommandsLayoutCreateInfoEXT,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut IndirectCommandsLayoutEXT,
    ) -> vk::Result {
        let info = &*info;
        let tokens = slice(info.p_tokens, info.token_count).iter().map(|t| token(t));
        let tokens = tokens.collect::<VkResult<Vec<_>>>()?;
        *out = create(GeneratedLayout::new(info.indirect_stride, &tokens).map_err(|e| code(&e))?);
        Ok(())
    }

    fn destroy_indirect_commands_layout(
        _d: vk::Device,
        layout: IndirectCommandsLayoutEXT,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<GeneratedLayout>(layout));
    }

    fn create_indirect_execution_set(
        _d: vk::Device,
        info: *const IndirectExecutionSetCreateInfoEXT,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut IndirectExecutionSetEXT,
    ) -> vk::Result {
        *out = create(new_set(&*info)?);
        Ok(())
    }

    fn destroy_indirect_execution_set(
        _d: vk::Device,
        set: IndirectExecutionSetEXT,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<ExecutionSet>(set));
    }

    fn update_indirect_execution_set_pipeline(
        _d: vk::Device,
        set: IndirectExecutionSetEXT,
        n: u32,
        writes: *const WriteIndirectExecutionSetPipelineEXT,
    ) {
        let set = get::<ExecutionSet>(set);
        slice(writes, n).iter().for_each(|w| write(set, w.index, pipeline(w.pipeline)));
    }

    fn update_indirect_execution_set_shader(
        _d: vk::Device,
        set: IndirectExecutionSetEXT,
        n: u32,
        writes: *const WriteIndirectExecutionSetShaderEXT,
    ) {
        let set = get::<ExecutionSet>(set);
        for w in slice(writes, n) {
            write(set, w.index, Ok(Executable::Shader(get::<Shader>(w.shader).object.clone())));
        }
    }

    /// The size is zero: there is nothing to preprocess.
    fn get_generated_commands_memory_requirements(
        _d: vk::Device,
        _info: *const GeneratedCommandsMemoryRequirementsInfoEXT,
        out: *mut vk::MemoryRequirements2<'_>,
    ) {
        (*out).memory_requirements =
            vk::MemoryRequirements { size: 0, alignment: 4, memory_type_bits: ORDINARY };
    }

    fn cmd_preprocess_generated_commands(
        _buffer: vk::CommandBuffer,
        _info: *const GeneratedCommandsInfoEXT,
        _state: vk::CommandBuffer,
    ) {
    }

    fn cmd_execute_generated_commands(
        buffer: vk::CommandBuffer,
        _preprocessed: vk::Bool32,
        info: *const GeneratedCommandsInfoEXT,
    ) {
        let info = &*info;
        let at = |address| list(buffer).buffer_at(address).map_err(|e| code(&e));
        let count = info.sequence_count_address;
        let count = (count != 0).then(|| at(count)).transpose();
        let both = at(info.indirect_address).and_then(|sequences| Ok((sequences, count?)));
        with(buffer, both, |list, ((sequences, from), count)| {
            list.execute_generated_commands(&GeneratedCommands {
                layout: get::<GeneratedLayout>(info.indirect_commands_layout),
                set: get_opt::<ExecutionSet>(info.indirect_execution_set),
                sequences: (&sequences, from),
                max_sequences: info.max_sequence_count,
                count: count.as_ref().map(|(buffer, at)| (buffer, *at)),
                max_draws: info.max_draw_count,
            });
        });
    }
}
