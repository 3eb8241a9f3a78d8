//! Device-generated commands: the layout of sequences in memory, the sets of pipelines and shaders that they bind, and
//! their translation to commands. Spec: Vulkan, "Device-Generated Commands".
//!
//! When the command runs, its sequences are read and recorded like calls of a program. The recorded lists, each of at
//! most [`BATCH`] sequences, are executed in place of the command, because device memory holds the number of sequences.
//! There is no preprocessing. Sequences with invalid contents, which no valid program writes, are skipped, and so are those
//! whose pipelines do not suit the attachments.

use std::cell::OnceCell;
use std::sync::{Arc, Mutex, PoisonError};

use quadrille_jit::ir::Stage;
use quadrille_jit::reserve::{self, Room};
use quadrille_raster::buffer::IndexType;
use smallvec::SmallVec;

use super::binding_tables::{EVERYTHING_BYTES, everything};
use super::list::{BufferSlice, Command, CommandList, Maker, Ref};
use super::record::{CommandBuffer, Resumed};
use super::render;
use super::state::BindPoint;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::BufferUsage;
use crate::limits::{LIMITS, at_most};
use crate::pipeline::{ComputePipeline, GraphicsPipeline, RayTracingPipeline, ShaderObject};
use crate::render_pass::RenderingInfo;
use crate::resource::buffer::Buffer;

/// Meaning of a part of a sequence. Spec: Vulkan, VkIndirectCommandsTokenTypeEXT.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Index of a pipeline in the execution set.
    Pipeline,
    /// Indices of shader objects in the execution set, one for each of the stages.
    Shaders(Vec<Stage>),
    /// Bytes of push constants.
    PushConstants {
        /// Offset of the first byte.
        offset: u32,
        /// Number of bytes.
        size: u32,
    },
    /// Takes no bytes of the sequence: the index of the sequence becomes a push constant.
    SequenceIndex {
        /// Offset of the push constant, in bytes.
        offset: u32,
    },
    /// Address, size and stride of a vertex buffer.
    VertexBuffer {
        /// Number of the vertex buffer binding.
        binding: u32,
    },
    /// Address, size and type of an index buffer.
    IndexBuffer {
        /// `true` if the type is a `DXGI_FORMAT`, `false` if it is a VkIndexType.
        dxgi: bool,
    },
    /// Parameters of a draw.
    Draw,
    /// Parameters of an indexed draw.
    DrawIndexed,
    /// Workgroup counts of a mesh draw.
    DrawMeshTasks,
    /// Address, stride and number of the parameters of several draws.
    DrawCount,
    /// Address, stride and number of the parameters of several indexed draws.
    DrawIndexedCount,
    /// Address, stride and number of the parameters of several mesh draws.
    DrawMeshTasksCount,
    /// Workgroup counts of a dispatch.
    Dispatch,
    /// Shader binding tables and size of a trace.
    TraceRays,
}

impl Token {
    /// Size of the token in a sequence, in bytes.
    fn size(&self) -> u64 {
        match self {
            Token::Pipeline => 4,
            Token::Shaders(stages) => 4 * stages.len() as u64,
            Token::PushConstants { size, .. } => (*size).into(),
            Token::SequenceIndex { .. } => 0,
            Token::VertexBuffer { .. }
            | Token::IndexBuffer { .. }
            | Token::Draw
            | Token::DrawCount
            | Token::DrawIndexedCount
            | Token::DrawMeshTasksCount => 16,
            Token::DrawIndexed => 20,
            Token::DrawMeshTasks | Token::Dispatch => 12,
            Token::TraceRays => EVERYTHING_BYTES,
        }
    }

    /// `true` for tokens that draw, dispatch or trace.
    fn is_action(&self) -> bool {
        use Token as T;
        matches!(
            self,
            T::Draw
                | T::DrawIndexed
                | T::DrawMeshTasks
                | T::DrawCount
                | T::DrawIndexedCount
                | T::DrawMeshTasksCount
                | T::Dispatch
                | T::TraceRays
        )
    }
}

struct Layout {
    stride: u32,
    tokens: Vec<(Token, u32)>,
    /// Number of bytes of a sequence that are read.
    size: u64,
}

/// Memory layout of sequences. Spec: Vulkan, VkIndirectCommandsLayoutCreateInfoEXT.
#[derive(Clone)]
pub struct GeneratedLayout(Arc<Layout>);

impl std::fmt::Debug for GeneratedLayout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GeneratedLayout({:?}, {} bytes apart)", self.0.tokens, self.0.stride)
    }
}

impl GeneratedLayout {
    /// Creates the layout of sequences that are `stride` bytes apart. Each token has the offset of its first byte.
    ///
    /// # Errors
    /// `Invalid` unless the last token, and no other, draws, dispatches or traces. `Limit` for too many tokens, and for
    /// a stride, an offset or push constants that are too large.
    pub fn new(stride: u32, tokens: &[(Token, u32)]) -> Result<Self> {
        at_most("tokens", tokens.len() as u64, LIMITS.max_indirect_commands_token_count.into())?;
        at_most("stride of sequences", stride.into(), LIMITS.max_indirect_commands_stride.into())?;
        for (i, (token, at)) in tokens.iter().enumerate() {
            ensure(token.is_action() == (i + 1 == tokens.len()), || {
                "the last token of a sequence, and no other, draws, dispatches or traces".into()
            })?;
            at_most("offset of a token", (*at).into(), LIMITS.max_indirect_commands_token_offset.into())?;
            let (offset, size) = match token {
                Token::PushConstants { offset, size } => (*offset, *size),
                Token::SequenceIndex { offset } => (*offset, 4),
                _ => (0, 0),
            };
            let end = u64::from(offset) + u64::from(size);
            at_most("push constants", end, LIMITS.max_push_constants_size.into())?;
        }
        ensure(!tokens.is_empty(), || "a sequence without tokens".into())?;
        let size = tokens.iter().map(|(token, at)| u64::from(*at) + token.size()).max();
        Ok(GeneratedLayout(Arc::new(Layout { stride, tokens: tokens.to_vec(), size: size.unwrap_or(0) })))
    }

    /// Bind point that the sequences use: compute if they dispatch, that of ray tracing if they trace, graphics if they
    /// draw.
    fn point(&self) -> BindPoint {
        match self.0.tokens.last() {
            Some((Token::Dispatch, _)) => BindPoint::Compute,
            Some((Token::TraceRays, _)) => BindPoint::RayTracing,
            _ => BindPoint::Graphics,
        }
    }
}

/// A pipeline or shader object that a sequence can bind.
#[derive(Clone, Debug)]
pub enum Executable {
    /// A compute pipeline.
    Compute(ComputePipeline),
    /// A graphics pipeline.
    Graphics(GraphicsPipeline),
    /// A ray tracing pipeline.
    RayTracing(RayTracingPipeline),
    /// A shader object of any stage.
    Shader(ShaderObject),
}

/// Pipelines or shader objects by index. Clones share the same set. Spec: Vulkan, "Indirect Execution Sets".
#[derive(Clone, Debug)]
pub struct ExecutionSet(Arc<Mutex<Vec<Option<Executable>>>>);

impl ExecutionSet {
    /// Creates an empty set with space for `size` members.
    ///
    /// # Errors
    /// `Limit` for a size that is too large, `OutOfMemory` if the host lacks memory for the members.
    pub fn new(size: u32) -> Result<Self> {
        at_most("size of an execution set", size.into(), LIMITS.max_indirect_executables.into())?;
        let mut members = Vec::new();
        reserve::grow(&mut members, size as usize)?;
        members.resize(size as usize, None);
        Ok(ExecutionSet(Arc::new(Mutex::new(members))))
    }

    /// Sets the member with index `number`.
    ///
    /// # Errors
    /// `Invalid` if the set has no such index.
    pub fn write(&self, number: u32, member: Executable) -> Result<()> {
        let mut members = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = members.get_mut(number as usize);
        *place.ok_or_else(|| Error::invalid(format!("the execution set has no number {number}")))? =
            Some(member);
        Ok(())
    }

    fn get(&self, number: u32) -> Result<Executable> {
        let members = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let member = members.get(number as usize).cloned().flatten();
        member.ok_or_else(|| Error::invalid(format!("nothing at number {number} of the execution set")))
    }
}

/// Sequences to execute. Spec: Vulkan, VkGeneratedCommandsInfoEXT.
#[derive(Clone, Copy, Debug)]
pub struct GeneratedCommands<'a> {
    /// Memory layout of the sequences.
    pub layout: &'a GeneratedLayout,
    /// Pipelines and shader objects that the sequences can bind.
    pub set: Option<&'a ExecutionSet>,
    /// Buffer and offset of the first sequence.
    pub sequences: (&'a Buffer, u64),
    /// Maximum number of sequences.
    pub max_sequences: u32,
    /// Location of the number of sequences; `None` executes `max_sequences`.
    pub count: Option<(&'a Buffer, u64)>,
    /// Maximum number of draws of one sequence, for tokens with the number of draws in memory.
    pub max_draws: u32,
}

/// Recorded form of [`GeneratedCommands`].
struct Generated {
    layout: GeneratedLayout,
    set: Option<ExecutionSet>,
    sequences: (Ref<Buffer>, u64),
    max_sequences: u32,
    count: Option<(Ref<Buffer>, u64)>,
    max_draws: u32,
    /// State of recording that each list of sequences begins with.
    from: Resumed,
}

impl CommandBuffer {
    /// Executes the sequences that are in memory when the command runs. Each sequence begins with the bindings at the
    /// time of this call. Spec: Vulkan, vkCmdExecuteGeneratedCommandsEXT.
    pub fn execute_generated_commands(&mut self, commands: &GeneratedCommands<'_>) -> &mut Self {
        self.step(|c| {
            let point = commands.layout.point();
            match point {
                BindPoint::Compute => c.outside("generated dispatches")?,
                BindPoint::RayTracing => c.outside("generated traces")?,
                BindPoint::Graphics => c.inside("generated draws")?,
            }
            at_most("sequences", commands.max_sequences.into(), LIMITS.max_indirect_sequence_count.into())?;
            let mut word = |(buffer, at): (&Buffer, u64), len| -> Result<_> {
                buffer.need(BufferUsage::INDIRECT, "generated commands")?;
                buffer.check(at, len)?;
                Ok((c.keep(buffer)?, at))
            };
            let sequences = word(commands.sequences, 0)?;
            let count = commands.count.map(|count| word(count, 4)).transpose()?;
            if point == BindPoint::Graphics {
                c.bind_objects()?;
            }
            c.state.keep_sets(point, &mut c.list);
            let generated = Generated {
                layout: commands.layout.clone(),
                set: commands.set.cloned(),
                sequences,
                max_sequences: commands.max_sequences,
                count,
                max_draws: commands.max_draws,
                from: c.resumed(),
            };
            let generated = c.list.makers.push(Box::new(generated));
            c.add(u64::MAX, Command::Generated(generated))
        })
    }
}

/// Maximum number of sequences per generated list.
pub(super) const BATCH: u32 = 1 << 12;
/// Host memory that must be free before a batch of sequences is recorded, in bytes.
const ROOM: usize = 16 << 20;

impl Maker for Generated {
    fn reads(&self) -> SmallVec<[BufferSlice; 2]> {
        let layout = &self.layout.0;
        let (buffer, offset) = self.sequences;
        let last = u64::from(self.max_sequences.saturating_sub(1)) * u64::from(layout.stride);
        let size = if self.max_sequences == 0 { 0 } else { last + layout.size };
        let sequences = BufferSlice { buffer, offset, size };
        let count = self.count.map(|(buffer, offset)| BufferSlice { buffer, offset, size: 4 });
        [Some(sequences), count].into_iter().flatten().collect()
    }

    fn make(
        &self,
        device: &Device,
        list: &CommandList,
        scope: Option<&RenderingInfo>,
        begin: u32,
        most: u32,
    ) -> Result<(CommandList, Option<u32>)> {
        let _room = Room::quick(ROOM)?;
        let layout = &*self.layout.0;
        let mut n = self.max_sequences;
        if let Some((count, at)) = self.count {
            n = n.min(list.buffers[count].read_array::<u32, 1>(at)?[0]);
        }
        let (buffer, first) = (&list.buffers[self.sequences.0], self.sequences.1);
        let mut recorder = CommandBuffer::resume(device, &self.from, list);
        // Pipelines of the execution set may not suit the attachments.
        recorder.targets = scope.map(|info| render::check(info).map(Box::new)).transpose()?;
        let mut strides = Vec::new();
        let mut bytes: Vec<u8> = reserve::zeroed(layout.size as usize)?;
        let end = n.min(begin.saturating_add(most));
        let mut next = (end < n).then_some(end);
        for i in begin..end {
            let at = first + u64::from(i) * u64::from(layout.stride);
            // The buffer ends before this sequence, so there are no more sequences.
            if buffer.read_into(at, &mut bytes).is_err() {
                next = None;
                break;
            }
            let sequence = Sequence { bytes: &bytes, number: i, of: self };
            let mut all = layout.tokens.iter();
            // The token that draws, dispatches or traces is the last one, so an invalid sequence does nothing.
            let done = all
                .try_for_each(|(token, at)| sequence.token(token, *at as usize, &mut recorder, &mut strides));
            if let Err(e @ Error::OutOfMemory(_)) = done {
                return Err(e);
            }
            if done.is_err() || recorder.error().is_some() {
                // Its strides are not set.
                strides.clear();
            }
            recorder.forgive()?;
        }
        Ok((recorder.into_list("generated")?, next))
    }
}

/// A sequence whose tokens are translated to commands.
struct Sequence<'a> {
    bytes: &'a [u8],
    number: u32,
    of: &'a Generated,
}

impl Sequence<'_> {
    fn words<const N: usize>(&self, at: usize) -> [u32; N] {
        let bytes = self.bytes.get(at..).unwrap_or_default();
        let mut words = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        std::array::from_fn(|_| words.next().unwrap_or(0))
    }

    fn member(&self, number: u32) -> Result<Executable> {
        let set = self.of.set.as_ref();
        set.ok_or_else(|| Error::invalid("a sequence without an execution set"))?.get(number)
    }

    /// Reads an address and two more words.
    fn place(&self, at: usize) -> (u64, u32, u32) {
        let [low, high, a, b] = self.words(at);
        (u64::from(high) << 32 | u64::from(low), a, b)
    }

    /// Records the command of a token. `strides` are the strides of the vertex bindings that earlier tokens have set.
    fn token(
        &self,
        token: &Token,
        at: usize,
        to: &mut CommandBuffer,
        strides: &mut Vec<(u32, u32)>,
    ) -> Result<()> {
        match token {
            Token::Pipeline => {
                let [number] = self.words(at);
                match self.member(number)? {
                    Executable::Compute(pipeline) => to.bind_compute_pipeline(&pipeline),
                    Executable::Graphics(pipeline) => to.bind_graphics_pipeline(&pipeline),
                    Executable::RayTracing(pipeline) => to.bind_ray_tracing_pipeline(&pipeline),
                    Executable::Shader(_) => return Err(Error::invalid("a shader object as a pipeline")),
                };
            }
            Token::Shaders(stages) => {
                for (i, stage) in stages.iter().enumerate() {
                    let [number] = self.words(at + 4 * i);
                    let Executable::Shader(shader) = self.member(number)? else {
                        return Err(Error::invalid("a pipeline as a shader object"));
                    };
                    to.bind_shaders(&[(*stage, Some(&shader))]);
                }
            }
            Token::PushConstants { offset, size } => {
                let data = self.bytes.get(at..at + *size as usize).unwrap_or_default();
                to.push_constants(*offset, data);
            }
            Token::SequenceIndex { offset } => {
                to.push_constants(*offset, &[self.number]);
            }
            Token::VertexBuffer { binding } => self.vertex_buffer(*binding, self.place(at), to, strides)?,
            Token::IndexBuffer { dxgi } => self.index_buffer(*dxgi, self.place(at), to)?,
            Token::Draw => {
                let [vertices, instances, first, first_instance] = self.words(at);
                to.draw(vertices, instances, first, first_instance);
            }
            Token::DrawIndexed => {
                let [indices, instances, first, offset, first_instance] = self.words(at);
                to.draw_indexed(indices, instances, first, offset as i32, first_instance);
            }
            Token::DrawMeshTasks => {
                to.draw_mesh_tasks(self.words(at));
            }
            Token::DrawCount | Token::DrawIndexedCount | Token::DrawMeshTasksCount => {
                self.counted(token, self.place(at), to)?;
            }
            Token::Dispatch => {
                let [x, y, z] = self.words(at);
                to.dispatch(x, y, z);
            }
            Token::TraceRays => {
                let (tables, size) = everything(&self.words(at));
                to.trace_rays(&tables, size);
            }
        }
        Ok(())
    }

    /// Draws with parameters in memory.
    fn counted(
        &self,
        token: &Token,
        (address, stride, count): (u64, u32, u32),
        to: &mut CommandBuffer,
    ) -> Result<()> {
        let count = count.min(self.of.max_draws);
        if count == 0 {
            return Ok(());
        }
        let (buffer, offset) = to.buffer_at(address)?;
        match token {
            Token::DrawMeshTasksCount => {
                to.draw_mesh_tasks_indirect(&buffer, offset, count, stride);
            }
            _ => {
                let indexed = *token == Token::DrawIndexedCount;
                to.draw_indirect(indexed, &buffer, offset, None, count, stride);
            }
        }
        Ok(())
    }

    fn vertex_buffer(
        &self,
        binding: u32,
        (address, size, stride): (u64, u32, u32),
        to: &mut CommandBuffer,
        strides: &mut Vec<(u32, u32)>,
    ) -> Result<()> {
        let source = (address != 0).then(|| to.buffer_at(address)).transpose()?;
        let size = source.as_ref().map(|(buffer, at)| buffer.size().saturating_sub(*at).min(size.into()));
        // A new stride makes the pipeline be prepared again, so an unchanged stride is not set.
        let known = strides.iter_mut().find(|known| known.0 == binding);
        let said = match known {
            Some(known) if known.1 == stride => None,
            Some(known) => {
                known.1 = stride;
                Some(stride)
            }
            None => {
                reserve::grow(strides, 1)?;
                strides.push((binding, stride));
                Some(stride)
            }
        };
        to.bind_vertex_buffer2(binding, source.as_ref().map(|(buffer, at)| (buffer, *at)), size, said);
        Ok(())
    }

    fn index_buffer(
        &self,
        dxgi: bool,
        (address, size, ty): (u64, u32, u32),
        to: &mut CommandBuffer,
    ) -> Result<()> {
        // VK_INDEX_TYPE_UINT16, UINT32, UINT8; DXGI_FORMAT_R16_UINT, R32_UINT, R8_UINT.
        let ty = match (dxgi, ty) {
            (false, 0) | (true, 57) => IndexType::U16,
            (false, 1) | (true, 42) => IndexType::U32,
            (false, 1_000_265_000) | (true, 62) => IndexType::U8,
            _ => return Err(Error::invalid(format!("index type {ty}"))),
        };
        if address == 0 {
            to.bind_null_index_buffer(ty);
            return Ok(());
        }
        let (buffer, at) = to.buffer_at(address)?;
        let size = buffer.size().saturating_sub(at).min(size.into());
        to.bind_index_buffer2(&buffer, at, Some(size), ty);
        Ok(())
    }
}

/// Chain of lists that are generated while other lists run. The lists live as long as the execution, because commands
/// that wait for the end of their render pass point into them.
#[derive(Default)]
pub(super) struct Lists(OnceCell<Box<(CommandList, Lists)>>);

impl Lists {
    /// Keeps a list, and returns it with the slot for the next list.
    pub fn keep(&self, list: CommandList) -> (&CommandList, &Lists) {
        let kept = self.0.get_or_init(|| Box::new((list, Lists::default())));
        (&kept.0, &kept.1)
    }
}

impl Drop for Lists {
    /// Drops the lists in a loop: recursion would use stack for each list.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut kept) = next {
            next = kept.1.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_lists_take_no_stack() {
        let thread = std::thread::Builder::new().stack_size(128 << 10);
        let run = || {
            let first = Lists::default();
            let mut place = &first;
            for _ in 0..200_000 {
                place = place.keep(CommandList::default()).1;
            }
        };
        thread.spawn(run).unwrap().join().unwrap();
    }

    /// Spec: Vulkan, VkIndirectCommandsLayoutCreateInfoEXT, valid usage of `pTokens`.
    #[test]
    fn sequences_end_with_an_action() {
        let push = Token::PushConstants { offset: 4, size: 8 };
        let good = GeneratedLayout::new(24, &[(push.clone(), 0), (Token::Dispatch, 8)]).unwrap();
        assert_eq!((good.0.size, good.point()), (20, BindPoint::Compute));
        let traces = GeneratedLayout::new(112, &[(push.clone(), 0), (Token::TraceRays, 8)]).unwrap();
        assert_eq!((traces.0.size, traces.point()), (112, BindPoint::RayTracing));
        for bad in [
            &[][..],
            &[(push.clone(), 0)],
            &[(Token::Draw, 0), (push.clone(), 16)],
            &[(Token::Draw, 0), (Token::Draw, 16)],
            &[(Token::PushConstants { offset: u32::MAX, size: 4 }, 0), (Token::Draw, 4)],
            &[(Token::Draw, 1 << 20)],
        ] {
            assert!(GeneratedLayout::new(24, bad).is_err(), "{bad:?}");
        }
        assert!(GeneratedLayout::new(u32::MAX, &[(Token::Draw, 0)]).is_err());
    }
}
