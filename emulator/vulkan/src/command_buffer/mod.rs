//! Chapter "Command Buffers": pools, command buffers, and their submission. The recorded commands are in `commands`.
//!
//! `bound_heaps` holds the descriptor heaps that are bound to a command buffer, and `submit` has the commands that
//! submit command buffers.

mod bound_heaps;
pub(crate) mod submit;

use std::ops::{Deref, DerefMut};

use ash::vk;
use ash::vk::Handle;
use quadrille::reserve::Room;
use quadrille::{BindPoint, Buffer, DescriptorSet};
use rustc_hash::FxHashSet;

use crate::device::Device;
use crate::interface::chain::{few, slice};
use crate::interface::guard::{Subject, VkResult, code, code_of, commands, log};
use crate::interface::handle::{ROOM, create, create_many, destroy, get, get_mut, objects};
use crate::render_pass::{inherited, locations};
use bound_heaps::BoundHeaps;

/// A VkCommandPool: the handles of its command buffers.
pub struct Pool {
    buffers: FxHashSet<u64>,
}

/// A VkCommandBuffer.
pub struct CommandBuffer {
    /// The recorded commands. The end of recording reports the first error in them.
    pub list: quadrille::CommandBuffer,
    /// Current sets of push descriptors, by bind point and set number.
    pub pushed: Vec<(BindPoint, u32, DescriptorSet)>,
    /// Bound descriptor buffers, with the offsets of their first bytes.
    pub descriptor_buffers: Vec<(Buffer, u64)>,
    /// Bound descriptor heaps.
    pub heaps: BoundHeaps,
    secondary: bool,
    failed: Option<vk::Result>,
    /// `true` once the first error of `list` was logged, by the command that caused it.
    told: bool,
}

objects!(Pool => CommandPool, CommandBuffer => CommandBuffer);

impl Subject for vk::CommandBuffer {
    unsafe fn fail(self, code: vk::Result) {
        // SAFETY: the caller promises a live handle, whose recording is externally synchronized; the body of the command
        // has ended.
        unsafe { get_mut::<CommandBuffer>(self) }.fail(Err(code));
    }
}

impl CommandBuffer {
    /// Records the failure of a command that could not be translated.
    pub fn fail(&mut self, result: VkResult) {
        if let Err(code) = result {
            log(&format!("not recorded: {code:?}"));
            self.failed.get_or_insert(code);
        }
    }

    fn reset(&mut self, gives_back: bool) {
        self.failed = None;
        self.told = false;
        self.pushed.clear();
        self.descriptor_buffers.clear();
        self.heaps = BoundHeaps::default();
        self.list.begin();
        if gives_back {
            self.list.trim();
        }
    }
}

/// Access to a command buffer while a command is recorded. Dropping it logs the first error of the list, unless that
/// was done before.
pub struct Recording<'a>(pub &'a mut CommandBuffer);

impl Deref for Recording<'_> {
    type Target = quadrille::CommandBuffer;
    fn deref(&self) -> &quadrille::CommandBuffer {
        &self.0.list
    }
}

impl DerefMut for Recording<'_> {
    fn deref_mut(&mut self) -> &mut quadrille::CommandBuffer {
        &mut self.0.list
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        if let Some(error) = self.0.list.error()
            && !self.0.told
        {
            log(error);
            self.0.told = true;
        }
    }
}

/// Returns the command buffer for recording a command.
///
/// # Safety
/// The handle is live, and recording is externally synchronized, as for [`get_mut`].
pub unsafe fn list<'a>(buffer: vk::CommandBuffer) -> Recording<'a> {
    // SAFETY: the caller promises that the handle is live and that recording is externally synchronized, so that no
    // other reference is in use.
    Recording(unsafe { get_mut::<CommandBuffer>(buffer) })
}

/// Records a command with a converted value, or records that the value could not be converted.
///
/// # Safety
/// The command buffer is live, and recording is externally synchronized.
pub unsafe fn with<T>(
    buffer: vk::CommandBuffer,
    value: VkResult<T>,
    record: impl FnOnce(&mut quadrille::CommandBuffer, T),
) {
    // SAFETY: the caller promises the conditions of `list`.
    let recording = unsafe { list(buffer) };
    let buffer = &mut *recording.0;
    let result = value.map(|value| record(&mut buffer.list, value));
    buffer.fail(result);
}

commands! {
    fn create_command_pool(
        _d: vk::Device,
        _info: *const vk::CommandPoolCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::CommandPool,
    ) -> vk::Result {
        *out = create(Pool { buffers: FxHashSet::default() });
        Ok(())
    }

    fn destroy_command_pool(
        _d: vk::Device,
        pool: vk::CommandPool,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        if let Some(pool) = destroy::<Pool>(pool) {
            for raw in pool.buffers {
                drop(destroy::<CommandBuffer>(vk::CommandBuffer::from_raw(raw)));
            }
        }
    }

    fn reset_command_pool(
        _d: vk::Device,
        pool: vk::CommandPool,
        flags: vk::CommandPoolResetFlags,
    ) -> vk::Result {
        let gives_back = flags.contains(vk::CommandPoolResetFlags::RELEASE_RESOURCES);
        for &raw in &get::<Pool>(pool).buffers {
            get_mut::<CommandBuffer>(vk::CommandBuffer::from_raw(raw)).reset(gives_back);
        }
        Ok(())
    }

    /// Frees unused memory of command buffers without recorded commands.
    fn trim_command_pool(_d: vk::Device, pool: vk::CommandPool, _flags: vk::CommandPoolTrimFlags) {
        for &raw in &get::<Pool>(pool).buffers {
            get_mut::<CommandBuffer>(vk::CommandBuffer::from_raw(raw)).list.trim();
        }
    }

    fn allocate_command_buffers(
        device: vk::Device,
        info: *const vk::CommandBufferAllocateInfo<'_>,
        out: *mut vk::CommandBuffer,
    ) -> vk::Result {
        let info = &*info;
        let device = &get::<Device>(device).device;
        let secondary = info.level == vk::CommandBufferLevel::SECONDARY;
        // Memory for the small allocations of the lists, before `create` makes its own reservation.
        let _room = Room::quick(ROOM).map_err(|e| code(&e))?;
        create_many::<CommandBuffer>(out, info.command_buffer_count as usize, |_| {
            let list = device.create_command_buffer();
            Ok(CommandBuffer {
                list,
                pushed: Vec::new(),
                descriptor_buffers: Vec::new(),
                heaps: BoundHeaps::default(),
                secondary,
                failed: None,
                told: false,
            })
        })?;
        let made = slice(out, info.command_buffer_count).iter().map(|b| b.as_raw());
        get_mut::<Pool>(info.command_pool).buffers.extend(made);
        Ok(())
    }

    fn free_command_buffers(
        _d: vk::Device,
        pool: vk::CommandPool,
        n: u32,
        buffers: *const vk::CommandBuffer,
    ) {
        let pool = get_mut::<Pool>(pool);
        for &buffer in slice(buffers, n) {
            pool.buffers.remove(&buffer.as_raw());
            drop(destroy::<CommandBuffer>(buffer));
        }
    }

    fn begin_command_buffer(
        buffer: vk::CommandBuffer,
        info: *const vk::CommandBufferBeginInfo<'_>,
    ) -> vk::Result {
        // Recording makes many small allocations.
        let _room = Room::quick(ROOM).map_err(|e| code(&e))?;
        let buffer = get_mut::<CommandBuffer>(buffer);
        buffer.reset(false);
        let inside = vk::CommandBufferUsageFlags::RENDER_PASS_CONTINUE;
        if buffer.secondary && (*info).flags.contains(inside) {
            let inheritance = (*info).p_inheritance_info.as_ref();
            let formats = inheritance.map_or(Ok(Default::default()), |i| inherited(i));
            match formats {
                Ok(formats) => {
                    buffer.list.begin_inside(formats);
                    if let Some(locations) = inheritance.and_then(|i| locations(i.p_next)) {
                        buffer.list.set_rendering_attachment_locations(&locations);
                    }
                }
                Err(code) => return Err(code),
            }
        }
        if let Some(inheritance) = (*info).p_inheritance_info.as_ref().filter(|_| buffer.secondary) {
            let inherited = buffer.heaps.inherit(&mut buffer.list, inheritance);
            inherited.map_err(|e| code(&e))?;
        }
        Ok(())
    }

    fn end_command_buffer(buffer: vk::CommandBuffer) -> vk::Result {
        let buffer = get_mut::<CommandBuffer>(buffer);
        let ended = buffer.list.end().map_err(|e| if buffer.told { code_of(&e) } else { code(&e) });
        // A command that was not recorded makes later ones invalid.
        buffer.failed.map_or(ended, Err)
    }

    fn reset_command_buffer(
        buffer: vk::CommandBuffer,
        flags: vk::CommandBufferResetFlags,
    ) -> vk::Result {
        let gives_back = flags.contains(vk::CommandBufferResetFlags::RELEASE_RESOURCES);
        get_mut::<CommandBuffer>(buffer).reset(gives_back);
        Ok(())
    }

    fn cmd_execute_commands(buffer: vk::CommandBuffer, n: u32, buffers: *const vk::CommandBuffer) {
        few!(secondaries = slice(buffers, n).iter().map(|&b| &get::<CommandBuffer>(b).list));
        list(buffer).execute_commands(&secondaries);
    }
}
