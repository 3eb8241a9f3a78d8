//! Entry of new objects into `object::names`, with their descriptions, and the call that names objects.

use quadrille_raster::sampling::ViewDim;

use crate::descriptor::DescriptorSet;
use crate::device::Device;
use crate::error::Result;
use crate::object::Shared;
use crate::object::names::Names;
use crate::pipeline::{ComputePipeline, GraphicsPipeline, RayTracingPipeline};
use crate::query::QueryPool;
use crate::rays::AccelerationStructure;
use crate::resource::buffer::Buffer;
use crate::resource::buffer_view::{BufferView, BufferViewDesc};
use crate::resource::image::{Image, ImageDesc, ImageView};
use crate::resource::sampler::{Sampler, SamplerDesc};
use crate::shader::ShaderModule;
use crate::sync::{Event, Fence, Semaphore};

macro_rules! references {
    ($($object:ident),*) => {
        /// An object that can be given a name: see [`Device::set_name`].
        #[derive(Clone, Copy, Debug)]
        #[expect(missing_docs, reason = "variants have the names of the object types")]
        pub enum ObjectRef<'a> {
            $($object(&'a $object),)*
            Sampler(Sampler),
        }

        $(impl<'a> From<&'a $object> for ObjectRef<'a> {
            fn from(object: &'a $object) -> Self {
                ObjectRef::$object(object)
            }
        })*

        impl From<Sampler> for ObjectRef<'_> {
            fn from(sampler: Sampler) -> Self {
                ObjectRef::Sampler(sampler)
            }
        }

        impl Device {
            /// Sets the name of an object in errors, dumps and traces; an empty name removes it. Samplers have names
            /// only on watched devices. Command buffers have [`set_name`](crate::CommandBuffer::set_name).
            pub fn set_name<'a>(&self, object: impl Into<ObjectRef<'a>>, name: &str) {
                let names = self.given_names();
                let object = object.into();
                if let ObjectRef::ShaderModule(module) = object {
                    module.set_name(name);
                }
                match object {
                    $(ObjectRef::$object(object) => names.set(object, name),)*
                    ObjectRef::Sampler(sampler) => names.set_sampler(sampler.number(), name),
                }
            }
        }
    };
}

references!(
    Buffer,
    Image,
    ImageView,
    BufferView,
    AccelerationStructure,
    DescriptorSet,
    ComputePipeline,
    GraphicsPipeline,
    RayTracingPipeline,
    ShaderModule,
    QueryPool,
    Event,
    Fence,
    Semaphore
);

/// Results of calls that create objects.
pub(crate) trait Made: Sized {
    /// Enters the new object in its device's names, and returns `self`.
    fn made(self, device: &Device) -> Self;
}

impl<T: Entered> Made for Result<T> {
    fn made(self, device: &Device) -> Self {
        if let (Some(names), Ok(object)) = (device.names(), &self) {
            object.enter(names);
        }
        self
    }
}

/// Objects that are entered in names when they are created.
pub(crate) trait Entered {
    /// Enters the object with its description.
    fn enter(&self, names: &Names);
}

impl Entered for Buffer {
    fn enter(&self, names: &Names) {
        let (weak, size) = (Shared::weak(self), self.size());
        let bytes = move || Some((Buffer::of_weak(&weak)?.address().ok()?, size));
        names.enter_buffer(self, format!("{size} bytes"), Box::new(bytes));
    }
}

impl Entered for Image {
    fn enter(&self, names: &Names) {
        names.enter(self, image_text(self.desc()));
    }
}

/// Describes an image, as in `R8G8B8A8_UNORM 64x64, 7 levels, 6 layers, 4 samples`.
fn image_text(desc: &ImageDesc) -> String {
    let [w, h, d] = desc.extent;
    let mut text = format!("{} {w}x{h}", desc.format.name());
    if d > 1 {
        text += &format!("x{d}");
    }
    for (n, what) in [(desc.levels, "levels"), (desc.layers, "layers"), (desc.samples, "samples")] {
        if n > 1 {
            text += &format!(", {n} {what}");
        }
    }
    text
}

impl Entered for ImageView {
    fn enter(&self, names: &Names) {
        let (desc, of) = (self.desc(), self.image().desc());
        let mut parts = Vec::new();
        if desc.format != of.format {
            parts.push(format!("as {}", desc.format.name()));
        }
        if desc.dim != ViewDim::D2 {
            parts.push(format!("{:?}", desc.dim));
        }
        if desc.levels < of.levels {
            parts.push(format!("levels {}..{}", desc.base_level, desc.base_level + desc.levels));
        }
        if desc.layers < of.layers {
            parts.push(format!("layers {}..{}", desc.base_layer, desc.base_layer + desc.layers));
        }
        let records = [self.header(false), self.header(true)];
        names.enter_view(self, self.image(), parts.join(", "), &records);
    }
}

impl Entered for AccelerationStructure {
    fn enter(&self, names: &Names) {
        let (weak, text) = (Shared::weak(self), format!("{} bytes", self.size()));
        let bytes = move || {
            let reference = AccelerationStructure::of_weak(&weak)?.reference().ok()?;
            Some((reference.address().ok()?, reference.size()))
        };
        names.enter_buffer(self, text, Box::new(bytes));
    }
}

impl Entered for BufferView {
    fn enter(&self, names: &Names) {
        let BufferViewDesc { format, offset, range } = self.desc();
        let range = range.map_or_else(|| "all".into(), |range| format!("{range} bytes"));
        let text = format!("{} from byte {offset}, {range}", format.name());
        names.enter_view(self, self.buffer(), text, &[self.header()]);
    }
}

impl Entered for ShaderModule {
    fn enter(&self, names: &Names) {
        names.enter(self, String::new());
    }
}

impl Entered for ComputePipeline {
    fn enter(&self, names: &Names) {
        let module = &self.variant().module;
        names.enter(self, format!("{} of {}", self.shader().name, names.of(module)));
    }
}

impl Entered for GraphicsPipeline {
    fn enter(&self, names: &Names) {
        let stages = self.variants().map(|v| {
            let stage = format!("{:?}", v.shader.stage).to_lowercase();
            format!("{stage} {} of {}", v.shader.name, names.of(&v.module))
        });
        names.enter(self, stages.collect::<Vec<_>>().join(", "));
    }
}

impl Entered for RayTracingPipeline {
    fn enter(&self, names: &Names) {
        let stages = self
            .variants()
            .iter()
            .map(|v| format!("{} {} of {}", v.shader.stage.name(), v.shader.name, names.of(&v.module)));
        names.enter(self, stages.collect::<Vec<_>>().join(", "));
    }
}

/// Enters a new sampler by its number.
pub(crate) fn sampler_made(device: &Device, number: u32, desc: &SamplerDesc) {
    let Some(names) = device.names() else { return };
    let mut text = format!("{:?}", desc.mag_filter).to_lowercase();
    if desc.min_filter != desc.mag_filter {
        text += &format!(", small {:?}", desc.min_filter).to_lowercase();
    }
    text += &format!(", {:?}", desc.address[0]);
    if desc.address.iter().any(|mode| *mode != desc.address[0]) {
        text += &format!(" {:?} {:?}", desc.address[1], desc.address[2]);
    }
    if let Some(compare) = desc.compare {
        text += &format!(", compares {compare:?}");
    }
    names.enter_sampler(number, text);
}
