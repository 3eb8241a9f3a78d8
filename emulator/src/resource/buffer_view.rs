//! Texel buffer views: buffers seen as arrays of texels.

use std::sync::{Arc, OnceLock};

use quadrille_jit::handle::{Handle, HandleKind};
use quadrille_raster::format::Format;
use quadrille_raster::sampling::View;

use super::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::flags::BufferUsage;
use crate::object::{objects, same_device, shared};
use crate::observation::watching::Shown;
use crate::tables::handles::{Registered, registered};

/// Creation parameters of a texel buffer view. Spec: Vulkan, VkBufferViewCreateInfo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferViewDesc {
    /// Format of a texel.
    pub format: Format,
    /// First byte in the buffer.
    pub offset: u64,
    /// Size, in bytes; `None` up to the end of the buffer.
    pub range: Option<u64>,
}

struct BufferViewInner {
    /// Keeps the tables alive that the view's header leads to, as in image views.
    device: Device,
    buffer: Buffer,
    desc: BufferViewDesc,
    view: Arc<View>,
    handle: OnceLock<Registered>,
    _shown: Option<Shown>,
}

/// A view of a buffer as an array of texels. Spec: Vulkan, "Buffer Views".
#[derive(Clone)]
pub struct BufferView(Arc<BufferViewInner>);

objects! {
    BufferView: "buffer view" = |v| v.0.buffer.device_id();
}
shared!(BufferView);

impl std::fmt::Debug for BufferView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BufferView({:?})", self.0.view.format())
    }
}

impl BufferView {
    pub(crate) fn new(device: &Device, buffer: &Buffer, desc: BufferViewDesc) -> Result<Self> {
        same_device(buffer, device)?;
        buffer.need(BufferUsage::UNIFORM_TEXEL | BufferUsage::STORAGE_TEXEL, "texel buffer view")?;
        let left = buffer.size().checked_sub(desc.offset);
        let left = left.ok_or_else(|| Error::invalid("texel buffer view starts past the buffer's end"))?;
        let range = desc.range.unwrap_or(left);
        buffer.check(desc.offset, range)?;
        let (memory, base) = buffer.memory()?;
        let span = memory.span(base + desc.offset, range)?;
        let tables = device.images().tables();
        let view = match buffer.pages() {
            Some(pages) => View::sparse_buffer(tables, pages, desc.offset, span, desc.format)?,
            None => View::buffer(tables, span, desc.format)?,
        };
        let view: Arc<View> = view.into();
        let shown = Shown::new(device.options().watch.as_ref(), &[&view]);
        let (device, buffer, _shown) = (device.clone(), buffer.clone(), shown);
        Ok(BufferView(Arc::new(BufferViewInner {
            device,
            buffer,
            desc,
            view,
            handle: OnceLock::new(),
            _shown,
        })))
    }

    /// Returns a view that the buffer keeps until [`Buffer::destroy`]; equal descriptions give the same view.
    ///
    /// # Errors
    /// Those of [`Device::create_buffer_view`].
    pub fn kept(device: &Device, buffer: &Buffer, desc: BufferViewDesc) -> Result<Self> {
        let key = (desc.format, desc.offset, desc.range);
        let kept = buffer.views().view(key, || Ok(Arc::new(device.create_buffer_view(buffer, desc)?)))?;
        let view = kept.downcast_ref::<BufferView>().cloned();
        view.ok_or_else(|| Error::Internal("a buffer keeps an object that is not a view".into()))
    }

    /// The viewed buffer.
    pub fn buffer(&self) -> &Buffer {
        &self.0.buffer
    }

    /// Creation parameters of the view.
    pub fn desc(&self) -> BufferViewDesc {
        self.0.desc
    }

    /// Host address of the record that descriptors hold.
    pub(crate) fn header(&self) -> u64 {
        self.0.view.address()
    }

    /// Returns the handle of the view, registered at the first call.
    pub(crate) fn handle(&self) -> Result<Handle> {
        let BufferViewInner { device, buffer, view, handle, .. } = &*self.0;
        let memory = buffer.memory()?.0;
        registered(handle, device.handles(), HandleKind::TexelBuffer, view, || {
            Box::new((view.clone(), memory.clone()))
        })
    }
}
