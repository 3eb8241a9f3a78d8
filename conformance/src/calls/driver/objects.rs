//! Memory, resources, views, descriptors, pipelines: made and written.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;
use quadrille::Stage;
use quadrille::frontend::{Options, compile_glsl};

use super::super::kernels::{BLOCK_WORDS, KERNELS, Kernel};
use super::super::model::{Bytes, Range};
use super::super::shaders::{self, FRAGMENTS, Fragment};
use super::client::Client;
use super::{
    Bound, Buf, Img, KINDS, Kind, Layout, Mem, Pipeline, Pool, Queries, Set, Shared, Target, TexelView, Uid,
    View, World,
};
use crate::random::Random;

const MOST: usize = 20;
/// Number in the model of memory that it does not follow.
pub(super) const UNFOLLOWED: usize = usize::MAX;

const FORMATS: &[vk::Format] = &[
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::R8G8B8A8_SRGB,
    vk::Format::B8G8R8A8_UNORM,
    vk::Format::R8_UNORM,
    vk::Format::R8G8_SNORM,
    vk::Format::R5G6B5_UNORM_PACK16,
    vk::Format::A2B10G10R10_UNORM_PACK32,
    vk::Format::B10G11R11_UFLOAT_PACK32,
    vk::Format::R16_UINT,
    vk::Format::R16G16B16A16_SFLOAT,
    vk::Format::R32_UINT,
    vk::Format::R32_SINT,
    vk::Format::R32_SFLOAT,
    vk::Format::R32G32B32A32_SFLOAT,
    vk::Format::BC1_RGBA_UNORM_BLOCK,
    vk::Format::BC7_UNORM_BLOCK,
    vk::Format::ETC2_R8G8B8_UNORM_BLOCK,
    vk::Format::D16_UNORM,
    vk::Format::D32_SFLOAT,
    vk::Format::D32_SFLOAT_S8_UINT,
];
const COLORS: &[vk::Format] = &[
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::B8G8R8A8_UNORM,
    vk::Format::R8G8B8A8_SRGB,
    vk::Format::R16G16B16A16_SFLOAT,
    vk::Format::R32_UINT,
    vk::Format::R32_SINT,
];
const DEPTHS: &[vk::Format] =
    &[vk::Format::D16_UNORM, vk::Format::D32_SFLOAT, vk::Format::D32_SFLOAT_S8_UINT];

pub(super) fn is_depth(format: vk::Format) -> bool {
    DEPTHS.contains(&format)
}

pub(super) fn is_compressed(format: vk::Format) -> bool {
    (vk::Format::BC1_RGB_UNORM_BLOCK.as_raw()..=vk::Format::ASTC_12X12_SRGB_BLOCK.as_raw())
        .contains(&format.as_raw())
}

/// Numeric class of what a shader writes: 0 float, 1 unsigned, 2 signed.
pub(super) fn class(format: vk::Format) -> u32 {
    match format {
        vk::Format::R16_UINT | vk::Format::R32_UINT => 1,
        vk::Format::R32_SINT => 2,
        _ => 0,
    }
}

/// Bytes of a texel or block.
pub(super) fn texel_bytes(format: vk::Format) -> u64 {
    quadrille::Format::from_vk(format.as_raw() as u32).map_or(16, |f| f.bytes().into())
}

/// The aspects of a format.
pub(super) fn aspects(format: vk::Format) -> vk::ImageAspectFlags {
    use vk::ImageAspectFlags as A;
    match format {
        vk::Format::D32_SFLOAT_S8_UINT => A::DEPTH | A::STENCIL,
        f if is_depth(f) => A::DEPTH,
        _ => A::COLOR,
    }
}

/// Which bindings a kernel uses.
pub(super) fn used(kernel: Kernel) -> [bool; 7] {
    let [o, a, b, u, t] = kernel.reads();
    let (image, address) = (kernel == Kernel::Image, kernel == Kernel::Address);
    [o && !image, a, b, u, t && !address, image, image]
}

impl Kind {
    fn types(self) -> [vk::DescriptorType; 7] {
        use vk::DescriptorType as T;
        let plain = [
            T::STORAGE_BUFFER,
            T::STORAGE_BUFFER,
            T::STORAGE_BUFFER,
            T::UNIFORM_BUFFER,
            T::UNIFORM_TEXEL_BUFFER,
            T::STORAGE_IMAGE,
            T::COMBINED_IMAGE_SAMPLER,
        ];
        let mut types = plain;
        match self {
            Kind::Dynamic => {
                types[..3].fill(T::STORAGE_BUFFER_DYNAMIC);
                types[3] = T::INLINE_UNIFORM_BLOCK;
            }
            Kind::Mutable => types[..6].fill(T::MUTABLE_EXT),
            Kind::Plain | Kind::Late | Kind::Push => {}
        }
        types
    }

    /// The type that is written to a binding.
    fn written(self, binding: usize) -> vk::DescriptorType {
        if self == Kind::Mutable { Kind::Plain.types()[binding] } else { self.types()[binding] }
    }
}

impl Shared {
    /// The client, the layouts and the kernels.
    ///
    /// # Errors
    /// What the driver says.
    pub fn new(entry: ash::Entry) -> Result<Shared, String> {
        let client = Client::new(entry)?;
        let mut layouts = Vec::new();
        for kind in KINDS {
            layouts.push(layout(&client, kind).map_err(|e| format!("{kind:?}: {e}"))?);
        }
        Ok(Shared { client, layouts, shaders: Default::default() })
    }

    fn shader(&self, stage: Stage, text: &str) -> Result<vk::ShaderModule, vk::Result> {
        let mut shaders = self.shaders.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(&module) = shaders.get(text) {
            return Ok(module);
        }
        let words = compile_glsl(text, stage, &Options::named("shader.glsl")).expect("a shader compiles");
        // SAFETY: valid SPIR-V.
        let module = unsafe {
            self.client
                .device
                .create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&words), None)?
        };
        shaders.insert(text.to_owned(), module);
        Ok(module)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let d = &self.client.device;
        // SAFETY: nothing is in flight, and programs destroyed what they made.
        unsafe {
            for layout in &self.layouts {
                layout.kernels.iter().for_each(|&p| d.destroy_pipeline(p, None));
                d.destroy_pipeline_layout(layout.layout, None);
                d.destroy_descriptor_set_layout(layout.set, None);
            }
            let shaders = self.shaders.lock().unwrap_or_else(|e| e.into_inner());
            shaders.values().for_each(|&m| d.destroy_shader_module(m, None));
        }
    }
}

/// A layout of a kind, with the kernels for it.
fn layout(client: &Client, kind: Kind) -> Result<Layout, vk::Result> {
    let d = &client.device;
    let types = kind.types();
    let binding = |(i, ty): (u32, vk::DescriptorType)| {
        let count = if ty == vk::DescriptorType::INLINE_UNIFORM_BLOCK { 4 * BLOCK_WORDS } else { 1 };
        vk::DescriptorSetLayoutBinding::default()
            .binding(i)
            .descriptor_type(ty)
            .descriptor_count(count)
            .stage_flags(vk::ShaderStageFlags::COMPUTE | vk::ShaderStageFlags::FRAGMENT)
    };
    let bindings: Vec<_> = (0..).zip(types).map(binding).collect();
    let late = [vk::DescriptorBindingFlags::PARTIALLY_BOUND
        | vk::DescriptorBindingFlags::UPDATE_AFTER_BIND
        | vk::DescriptorBindingFlags::UPDATE_UNUSED_WHILE_PENDING; 7];
    let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&late);
    let lists: Vec<[vk::DescriptorType; 2]> = Kind::Plain
        .types()
        .into_iter()
        .map(|t| match t {
            vk::DescriptorType::STORAGE_BUFFER => [t, vk::DescriptorType::UNIFORM_BUFFER],
            vk::DescriptorType::STORAGE_IMAGE => [t, vk::DescriptorType::SAMPLED_IMAGE],
            t => [t, vk::DescriptorType::STORAGE_BUFFER],
        })
        .collect();
    let mut lists: Vec<_> =
        lists.iter().map(|l| vk::MutableDescriptorTypeListEXT::default().descriptor_types(l)).collect();
    lists[6] = vk::MutableDescriptorTypeListEXT::default();
    let mut mutable = vk::MutableDescriptorTypeCreateInfoEXT::default().mutable_descriptor_type_lists(&lists);
    let mut info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
    match kind {
        Kind::Late => {
            let pool = vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL;
            info = info.push_next(&mut flags).flags(pool);
        }
        Kind::Mutable => info = info.push_next(&mut mutable),
        Kind::Push => info = info.flags(vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR),
        Kind::Plain | Kind::Dynamic => {}
    }
    let push = [vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::ALL, offset: 0, size: 16 }];
    // SAFETY: valid usage; modules may go once their pipelines are made.
    unsafe {
        let set = d.create_descriptor_set_layout(&info, None)?;
        let sets = [set];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&push);
        let layout = d.create_pipeline_layout(&info, None)?;
        let mut kernels = Vec::new();
        for kernel in KERNELS {
            let info = vk::ShaderModuleCreateInfo::default().code(kernel.words());
            let module = d.create_shader_module(&info, None)?;
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(module)
                .name(c"main");
            let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
            let made = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None).map_err(|e| e.1)?;
            d.destroy_shader_module(module, None);
            kernels.extend(made);
        }
        Ok(Layout { kind, set, layout, kernels })
    }
}

impl World<'_> {
    /// Memory of this size, mapped; followed by the model or not.
    fn allocate(&mut self, size: u64, followed: bool) -> Option<usize> {
        let d = &self.shared.client.device;
        let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut info = vk::MemoryAllocateInfo::default().allocation_size(size).memory_type_index(0);
        if followed {
            info = info.push_next(&mut flags);
        }
        // SAFETY: valid usage; type 0 is host-visible.
        let memory = unsafe { d.allocate_memory(&info, None) };
        let memory = self.judge("vkAllocateMemory", memory)?;
        // SAFETY: valid usage.
        let mapped = unsafe { d.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()) };
        let mapped = self.judge("vkMapMemory", mapped)?.cast::<u8>();
        // Vulkan leaves fresh memory undefined.
        // SAFETY: the whole mapping, which nobody else uses yet.
        unsafe { mapped.write_bytes(0, size as usize) };
        let number = if followed {
            self.model.push(Bytes::new(size as usize));
            self.model.len() - 1
        } else {
            UNFOLLOWED
        };
        let uid = self.uid();
        self.memories.push(Mem { uid, memory, mapped, number, size: size as usize, bound: Vec::new() });
        Some(self.memories.len() - 1)
    }

    /// One buffer, or several, in one allocation.
    pub(super) fn make_buffer(&mut self) {
        if self.buffers.len() >= MOST {
            return;
        }
        use vk::BufferUsageFlags as U;
        let all = U::TRANSFER_SRC
            | U::TRANSFER_DST
            | U::UNIFORM_BUFFER
            | U::STORAGE_BUFFER
            | U::UNIFORM_TEXEL_BUFFER
            | U::VERTEX_BUFFER
            | U::INDEX_BUFFER
            | U::INDIRECT_BUFFER
            | U::SHADER_DEVICE_ADDRESS
            | U::CONDITIONAL_RENDERING_EXT;
        let mut made = Vec::new();
        let mut total = 0;
        for _ in 0..[1, 1, 1, 2, 4][self.r.below(5)] {
            let size = match self.r.below(8) {
                0 => 4 + 4 * self.r.below(16) as u64,
                1 => 4096,
                2 => 8 << 10,
                _ => 64 + 4 * self.r.below(512) as u64,
            };
            let info = vk::BufferCreateInfo::default().size(size).usage(all);
            // SAFETY: valid usage.
            let buffer = unsafe { self.shared.client.device.create_buffer(&info, None) };
            let Some(buffer) = self.judge("vkCreateBuffer", buffer) else { return };
            // SAFETY: valid usage.
            let needs = unsafe { self.shared.client.device.get_buffer_memory_requirements(buffer) };
            let at = u64::next_multiple_of(total, needs.alignment);
            total = at + needs.size;
            made.push((buffer, at, size));
        }
        let Some(m) = self.allocate(total, true) else { return };
        for (buffer, at, size) in made {
            // SAFETY: offset and size are those that the requirements ask for.
            let bound =
                unsafe { self.shared.client.device.bind_buffer_memory(buffer, self.memories[m].memory, at) };
            self.judge("vkBindBufferMemory", bound);
            let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
            // SAFETY: valid usage: it has the usage, and memory.
            let address = unsafe { self.shared.client.address.get_buffer_device_address(&info) };
            self.tally.count("vkGetBufferDeviceAddressKHR", address != 0, 1);
            let uid = self.uid();
            let memory = &mut self.memories[m];
            memory.bound.push(uid);
            let range = Range { memory: memory.number, at: at as usize, size: size as usize };
            self.buffers.push(Buf { uid, buffer, range, memory: memory.uid, address });
        }
    }

    pub(super) fn make_image(&mut self) {
        if self.images.len() >= MOST {
            return;
        }
        let format = *self.r.pick(FORMATS);
        let flat = is_depth(format) || is_compressed(format);
        let ty = match self.r.below(8) {
            0 if !flat => vk::ImageType::TYPE_1D,
            1 if !flat => vk::ImageType::TYPE_3D,
            _ => vk::ImageType::TYPE_2D,
        };
        let side = [4, 8, 16, 20, 36, 64][self.r.below(6)];
        let tall = if self.r.one_in(3) { 4 * (1 + self.r.below(8) as u32) } else { side };
        let extent = match ty {
            vk::ImageType::TYPE_1D => [side, 1, 1],
            vk::ImageType::TYPE_3D => [side.min(16), tall.min(16), 1 + self.r.below(8) as u32],
            _ => [side, tall, 1],
        };
        let attachable = self.usage(format).intersects(
            vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
        );
        let samples = if ty == vk::ImageType::TYPE_2D && attachable && self.r.one_in(6) { 4 } else { 1 };
        let most = 32 - extent[0].max(extent[1]).leading_zeros();
        let levels = if samples > 1 { 1 } else { 1 + self.r.below(most.min(4) as usize) as u32 };
        let layers = if ty == vk::ImageType::TYPE_3D { 1 } else { [1, 1, 2, 6][self.r.below(4)] };
        self.image(ty, format, extent, levels, layers, samples);
    }

    /// Every use that a format offers.
    fn usage(&self, format: vk::Format) -> vk::ImageUsageFlags {
        use vk::{FormatFeatureFlags as F, ImageUsageFlags as U};
        let features = self.shared.client.features(format);
        let mut usage = U::empty();
        for (feature, use_) in [
            (F::TRANSFER_SRC, U::TRANSFER_SRC),
            (F::TRANSFER_DST, U::TRANSFER_DST),
            (F::SAMPLED_IMAGE, U::SAMPLED),
            (F::STORAGE_IMAGE, U::STORAGE),
            (F::COLOR_ATTACHMENT, U::COLOR_ATTACHMENT),
            (F::DEPTH_STENCIL_ATTACHMENT, U::DEPTH_STENCIL_ATTACHMENT),
        ] {
            if features.contains(feature) {
                usage |= use_;
            }
        }
        usage
    }

    /// An image in the general layout, all zero.
    fn image(
        &mut self,
        ty: vk::ImageType,
        format: vk::Format,
        extent: [u32; 3],
        levels: u32,
        layers: u32,
        samples: u32,
    ) -> Option<Img> {
        let mut usage = self.usage(format);
        if samples > 1 {
            usage &= !vk::ImageUsageFlags::STORAGE;
        }
        let info = vk::ImageCreateInfo::default()
            .image_type(ty)
            .format(format)
            .extent(vk::Extent3D { width: extent[0], height: extent[1], depth: extent[2] })
            .mip_levels(levels)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::from_raw(samples))
            .usage(usage);
        // SAFETY: valid usage.
        let image = unsafe { self.shared.client.device.create_image(&info, None) };
        let image = self.judge("vkCreateImage", image)?;
        // SAFETY: valid usage.
        let needs = unsafe { self.shared.client.device.get_image_memory_requirements(image) };
        let at = needs.alignment * self.r.below(2) as u64;
        let m = self.allocate(at + needs.size, false)?;
        // SAFETY: offset and size are those that the requirements ask for.
        let bound =
            unsafe { self.shared.client.device.bind_image_memory(image, self.memories[m].memory, at) };
        self.judge("vkBindImageMemory", bound)?;
        let uid = self.uid();
        self.memories[m].bound.push(uid);
        let memory = self.memories[m].uid;
        let img = Img { uid, image, memory, ty, format, extent, levels, layers, samples, usage };
        self.images.push(img);
        self.prepare_image(&img);
        Some(img)
    }

    pub(super) fn make_view(&mut self) {
        let Some(i) = self.index(self.images.len()) else { return };
        if self.views.len() >= 2 * MOST {
            return;
        }
        let of = self.images[i];
        use vk::ImageViewType as T;
        let array = self.r.one_in(3);
        let base_layer = self.r.below(of.layers as usize) as u32;
        let ty = match of.ty {
            vk::ImageType::TYPE_1D => {
                if array {
                    T::TYPE_1D_ARRAY
                } else {
                    T::TYPE_1D
                }
            }
            vk::ImageType::TYPE_3D => T::TYPE_3D,
            _ => {
                if array {
                    T::TYPE_2D_ARRAY
                } else {
                    T::TYPE_2D
                }
            }
        };
        let layers = if array && of.ty != vk::ImageType::TYPE_3D { of.layers - base_layer } else { 1 };
        let base_level = self.r.below(of.levels as usize) as u32;
        let levels = 1 + self.r.below((of.levels - base_level) as usize) as u32;
        let aspect =
            if is_depth(of.format) { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR };
        let range = vk::ImageSubresourceRange {
            aspect_mask: aspect,
            base_mip_level: base_level,
            level_count: levels,
            base_array_layer: base_layer,
            layer_count: layers,
        };
        self.view(&of, ty, range, false);
    }

    fn view(
        &mut self,
        of: &Img,
        ty: vk::ImageViewType,
        range: vk::ImageSubresourceRange,
        attachment: bool,
    ) -> Option<View> {
        if !of.usage.intersects(
            vk::ImageUsageFlags::SAMPLED
                | vk::ImageUsageFlags::STORAGE
                | vk::ImageUsageFlags::COLOR_ATTACHMENT
                | vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
        ) {
            return None;
        }
        let info = vk::ImageViewCreateInfo::default()
            .image(of.image)
            .view_type(ty)
            .format(of.format)
            .subresource_range(range);
        // SAFETY: valid usage.
        let view = unsafe { self.shared.client.device.create_image_view(&info, None) };
        let view = self.judge("vkCreateImageView", view)?;
        let flat = ty == vk::ImageViewType::TYPE_2D && of.samples == 1 && !attachment;
        let linear = self
            .shared
            .client
            .features(of.format)
            .contains(vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_LINEAR);
        let sampled =
            flat && linear && of.usage.contains(vk::ImageUsageFlags::SAMPLED) && class(of.format) == 0;
        let storage = flat && range.level_count == 1 && of.format == vk::Format::R8G8B8A8_UNORM;
        let uid = self.uid();
        let view = View { uid, view, image: of.uid, attachment, sampled, storage };
        self.views.push(view);
        Some(view)
    }

    pub(super) fn make_texel_view(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        let of = self.buffers[i];
        if self.texel_views.len() >= MOST || of.range.size < 16 {
            return;
        }
        let offset = 16 * self.r.below(of.range.size / 16);
        let size = 4 * (1 + self.r.below((of.range.size - offset) / 4));
        let info = vk::BufferViewCreateInfo::default()
            .buffer(of.buffer)
            .format(vk::Format::R32_UINT)
            .offset(offset as u64)
            .range(size as u64);
        // SAFETY: valid usage.
        let view = unsafe { self.shared.client.device.create_buffer_view(&info, None) };
        if let Some(view) = self.judge("vkCreateBufferView", view) {
            let range = Range { at: of.range.at + offset, size, ..of.range };
            let uid = self.uid();
            self.texel_views.push(TexelView { uid, view, buffer: of.uid, range });
        }
    }

    pub(super) fn make_sampler(&mut self) {
        if self.samplers.len() >= 8 {
            return;
        }
        let filter = |r: &mut Random| if r.one_in(2) { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
        let modes = [
            vk::SamplerAddressMode::REPEAT,
            vk::SamplerAddressMode::MIRRORED_REPEAT,
            vk::SamplerAddressMode::CLAMP_TO_EDGE,
            vk::SamplerAddressMode::CLAMP_TO_BORDER,
        ];
        let anisotropic = self.r.one_in(4);
        let info = vk::SamplerCreateInfo::default()
            .mag_filter(filter(&mut self.r))
            .min_filter(filter(&mut self.r))
            .mipmap_mode(vk::SamplerMipmapMode::from_raw(self.r.below(2) as i32))
            .address_mode_u(*self.r.pick(&modes))
            .address_mode_v(*self.r.pick(&modes))
            .mip_lod_bias(self.r.below(5) as f32 - 2.0)
            .anisotropy_enable(anisotropic)
            .max_anisotropy(4.0)
            .max_lod(vk::LOD_CLAMP_NONE)
            .border_color(vk::BorderColor::FLOAT_OPAQUE_WHITE);
        // SAFETY: valid usage.
        let sampler = unsafe { self.shared.client.device.create_sampler(&info, None) };
        if let Some(sampler) = self.judge("vkCreateSampler", sampler) {
            let uid = self.uid();
            self.samplers.push((uid, sampler));
        }
    }

    /// A descriptor pool with room for every kind of set.
    fn make_pool(&mut self) -> Option<()> {
        use vk::DescriptorType as T;
        let sizes: Vec<_> = [
            (T::STORAGE_BUFFER, 24),
            (T::UNIFORM_BUFFER, 8),
            (T::STORAGE_BUFFER_DYNAMIC, 24),
            (T::INLINE_UNIFORM_BLOCK, 8 * 4 * BLOCK_WORDS),
            (T::UNIFORM_TEXEL_BUFFER, 8),
            (T::STORAGE_IMAGE, 8),
            (T::COMBINED_IMAGE_SAMPLER, 8),
            (T::MUTABLE_EXT, 48),
        ]
        .map(|(ty, descriptor_count)| vk::DescriptorPoolSize { ty, descriptor_count })
        .to_vec();
        let mut inline =
            vk::DescriptorPoolInlineUniformBlockCreateInfo::default().max_inline_uniform_block_bindings(8);
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(8)
            .pool_sizes(&sizes)
            .flags(
                vk::DescriptorPoolCreateFlags::FREE_DESCRIPTOR_SET
                    | vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND,
            )
            .push_next(&mut inline);
        // SAFETY: valid usage.
        let pool = unsafe { self.shared.client.device.create_descriptor_pool(&info, None) };
        let pool = self.judge("vkCreateDescriptorPool", pool)?;
        self.pools.push(Pool { pool });
        Some(())
    }

    pub(super) fn make_set(&mut self) {
        if self.pools.is_empty() && self.make_pool().is_none() {
            return;
        }
        let pool = self.r.below(self.pools.len());
        if self.sets.iter().filter(|s| s.pool == pool).count() >= 8 {
            if self.pools.len() < 3 {
                self.make_pool();
            }
            return;
        }
        let layout = self.r.below(KINDS.len() - 1);
        let layouts = [self.shared.layouts[layout].set];
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(self.pools[pool].pool)
            .set_layouts(&layouts);
        // SAFETY: valid usage.
        let set = unsafe { self.shared.client.device.allocate_descriptor_sets(&info) };
        let Some(set) = self.judge("vkAllocateDescriptorSets", set) else { return };
        let uid = self.uid();
        let inline = vec![0; 4 * BLOCK_WORDS as usize];
        self.sets.push(Set { uid, set: set[0], pool, layout, bindings: Default::default(), inline });
        let last = self.sets.len() - 1;
        for binding in 0..7 {
            if !self.r.one_in(6) {
                self.write_binding(last, binding);
            }
        }
    }

    /// Writes a binding of a set at a moment when that is legal.
    pub(super) fn write_set(&mut self) {
        let Some(i) = self.index(self.sets.len()) else { return };
        let binding = self.r.below(7);
        let (uid, layout) = (self.sets[i].uid, self.sets[i].layout);
        if KINDS[layout] == Kind::Late {
            // Bindings that nothing uses may change at any time.
            let uses = |r: &super::Recorded| r.statics.iter().any(|(set, used)| *set == uid && used[binding]);
            if self.recorded.iter().any(uses) {
                return;
            }
        } else {
            // The set's users become invalid.
            let users = self.recorded.iter().filter(|r| r.statics.iter().any(|s| s.0 == uid));
            let users = users.map(|r| r.uid).collect();
            self.kill(users);
        }
        let Some(i) = self.sets.iter().position(|s| s.uid == uid) else { return };
        self.write_binding(i, binding);
    }

    fn write_binding(&mut self, i: usize, binding: usize) {
        let kind = KINDS[self.sets[i].layout];
        if kind == Kind::Dynamic && binding == 3 {
            return self.write_inline(i);
        }
        let Some((bound, write)) = self.choose(kind, binding) else { return };
        let (set, device) = (self.sets[i].set, &self.shared.client.device);
        write.with(|w| {
            let w = w.dst_set(set).dst_binding(binding as u32);
            // SAFETY: valid usage: nothing uses the binding, and the resource fits it.
            unsafe { device.update_descriptor_sets(&[w], &[]) }
        });
        self.tally.count("vkUpdateDescriptorSets", true, 1);
        self.sets[i].bindings[binding] = bound;
    }

    fn write_inline(&mut self, i: usize) {
        let n = 4 * (1 + self.r.below(8));
        let at = 4 * self.r.below((4 * BLOCK_WORDS as usize - n) / 4 + 1);
        let bytes: Vec<u8> = (0..n).map(|_| self.r.bits() as u8).collect();
        let mut block = vk::WriteDescriptorSetInlineUniformBlock::default().data(&bytes);
        let mut write = vk::WriteDescriptorSet::default()
            .dst_set(self.sets[i].set)
            .dst_binding(3)
            .dst_array_element(at as u32)
            .descriptor_type(vk::DescriptorType::INLINE_UNIFORM_BLOCK)
            .push_next(&mut block);
        write.descriptor_count = n as u32;
        // SAFETY: valid usage.
        unsafe { self.shared.client.device.update_descriptor_sets(&[write], &[]) };
        self.tally.count("vkUpdateDescriptorSets", true, 1);
        let set = &mut self.sets[i];
        set.inline[at..at + n].copy_from_slice(&bytes);
        // What was not written is undefined: the model takes it for the zeros of a fresh set.
        set.bindings[3].written = true;
    }

    /// Something that fits a binding; null where nothing does.
    pub(super) fn choose(&mut self, kind: Kind, binding: usize) -> Option<(Bound, Write)> {
        choose(self, &mut self.r.fork(7), kind, binding).inspect(|_| {
            self.r.bits();
        })
    }

    pub(super) fn make_queries(&mut self) {
        if self.queries.len() >= 6 {
            return;
        }
        let statistics = vk::QueryPipelineStatisticFlags::from_raw(1 + self.r.below(7) as u32);
        let (kind, values) = match self.r.below(3) {
            0 => (vk::QueryType::OCCLUSION, 1),
            1 => (vk::QueryType::TIMESTAMP, 1),
            _ => (vk::QueryType::PIPELINE_STATISTICS, statistics.as_raw().count_ones()),
        };
        let count = 1 + self.r.below(6) as u32;
        let mut info = vk::QueryPoolCreateInfo::default().query_type(kind).query_count(count);
        if kind == vk::QueryType::PIPELINE_STATISTICS {
            info = info.pipeline_statistics(statistics);
        }
        // SAFETY: valid usage.
        let pool = unsafe { self.shared.client.device.create_query_pool(&info, None) };
        if let Some(pool) = self.judge("vkCreateQueryPool", pool) {
            let uid = self.uid();
            self.queries.push(Queries { uid, pool, kind, count, values });
        }
    }

    pub(super) fn make_target(&mut self) {
        if self.targets.len() >= 5 {
            return;
        }
        let size = [[16, 16], [32, 20], [64, 64], [8, 60]][self.r.below(4)];
        let samples = if self.r.one_in(4) { 4 } else { 1 };
        let n = [1, 1, 1, 2, 0][self.r.below(5)];
        let attachment = |w: &mut Self, format: vk::Format, samples: u32| {
            let img = w.image(vk::ImageType::TYPE_2D, format, [size[0], size[1], 1], 1, 1, samples)?;
            let range = vk::ImageSubresourceRange {
                aspect_mask: aspects(format),
                base_mip_level: 0,
                level_count: 1,
                base_array_layer: 0,
                layer_count: 1,
            };
            w.view(&img, vk::ImageViewType::TYPE_2D, range, true)
        };
        let (mut colors, mut formats) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let format = *self.r.pick(COLORS);
            let Some(view) = attachment(self, format, samples) else { return };
            colors.push(view);
            formats.push(format);
        }
        let resolve = match formats.first() {
            Some(&format) if samples > 1 && self.r.one_in(2) => attachment(self, format, 1),
            _ => None,
        };
        let mut depth = None;
        if n == 0 || self.r.one_in(2) {
            let format = *self.r.pick(DEPTHS);
            depth = attachment(self, format, samples).map(|v| (v, format));
        }
        if !colors.is_empty() || depth.is_some() {
            let formats = (formats, depth.map(|d| d.1), samples);
            self.targets.push(Target { colors, resolve, depth: depth.map(|d| d.0), formats, size });
            let last = self.targets.len() - 1;
            (0..2).for_each(|_| self.make_pipeline_for(last));
        }
    }

    pub(super) fn make_pipeline(&mut self) {
        if let Some(i) = self.index(self.targets.len()) {
            self.make_pipeline_for(i);
        }
    }

    fn make_pipeline_for(&mut self, i: usize) {
        if self.pipelines.len() >= MOST {
            return;
        }
        let formats = self.targets[i].formats.clone();
        let layout = self.r.below(KINDS.len());
        let attributes = self.r.one_in(2);
        let kind = FRAGMENTS[self.r.below(FRAGMENTS.len())];
        let types: Vec<&str> =
            formats.0.iter().map(|f| ["vec4", "uvec4", "ivec4"][class(*f) as usize]).collect();
        let modules = self
            .shared
            .shader(Stage::Vertex, &shaders::vertex(attributes))
            .and_then(|v| Ok([v, self.shared.shader(Stage::Fragment, &shaders::fragment(&types, kind))?]));
        let Some(modules) = self.judge("vkCreateShaderModule", modules) else { return };
        let stride = [8, 12, 20][self.r.below(3)];
        let made = graphics_pipeline(self.shared, &mut self.r, &formats, modules, layout, attributes, stride);
        if let Some(pipeline) = self.judge("vkCreateGraphicsPipelines", made) {
            let uid = self.uid();
            let (samples_image, stores) = (kind == Fragment::Sample, kind == Fragment::Store);
            self.pipelines.push(Pipeline {
                uid,
                pipeline,
                formats,
                layout,
                attributes,
                stride,
                samples_image,
                stores,
            });
        }
    }
}

/// A descriptor to be written.
pub(super) enum Write {
    Buffer(vk::DescriptorType, vk::DescriptorBufferInfo),
    Texel(vk::BufferView),
    Image(vk::DescriptorType, vk::DescriptorImageInfo),
}

impl Write {
    /// Calls `f` with the structure, which lacks its set and binding.
    pub fn with(&self, f: impl FnOnce(vk::WriteDescriptorSet<'_>)) {
        let write = vk::WriteDescriptorSet::default();
        match self {
            Write::Buffer(ty, info) => f(write.descriptor_type(*ty).buffer_info(std::slice::from_ref(info))),
            Write::Image(ty, info) => f(write.descriptor_type(*ty).image_info(std::slice::from_ref(info))),
            Write::Texel(view) => {
                let ty = vk::DescriptorType::UNIFORM_TEXEL_BUFFER;
                f(write.descriptor_type(ty).texel_buffer_view(std::slice::from_ref(view)));
            }
        }
    }
}

/// Something that fits a binding of a set of this kind.
pub(super) fn choose(w: &World<'_>, r: &mut Random, kind: Kind, binding: usize) -> Option<(Bound, Write)> {
    let ty = kind.written(binding);
    let bound = |uids: Vec<Uid>| Bound { uids, written: true, ..Bound::default() };
    match binding {
        0..=3 => {
            if w.buffers.is_empty() || r.one_in(12) {
                let info =
                    vk::DescriptorBufferInfo { buffer: vk::Buffer::null(), offset: 0, range: vk::WHOLE_SIZE };
                return Some((bound(Vec::new()), Write::Buffer(ty, info)));
            }
            let of = w.buffers[r.below(w.buffers.len())];
            let offset = 16 * r.below(of.range.size.div_ceil(16));
            let offset = if r.one_in(2) { 0 } else { offset };
            let left = of.range.size - offset;
            let size = if r.one_in(3) { left } else { 4 * (1 + r.below(left / 4)) };
            let whole = size == left && r.one_in(2);
            let range = if whole { vk::WHOLE_SIZE } else { size as u64 };
            let info = vk::DescriptorBufferInfo { buffer: of.buffer, offset: offset as u64, range };
            let at = Range { at: of.range.at + offset, size, ..of.range };
            let end = of.range.at + of.range.size;
            let uids = vec![of.uid];
            Some((Bound { range: Some(at), end, ..bound(uids) }, Write::Buffer(ty, info)))
        }
        4 => {
            if w.texel_views.is_empty() || r.one_in(12) {
                return Some((bound(Vec::new()), Write::Texel(vk::BufferView::null())));
            }
            let of = w.texel_views[r.below(w.texel_views.len())];
            let (range, uids) = (Some(of.range), vec![of.uid, of.buffer]);
            Some((Bound { range, ..bound(uids) }, Write::Texel(of.view)))
        }
        _ => {
            let sampler = w.samplers.get(r.below(w.samplers.len().max(1)))?;
            let fits = |v: &&View| if binding == 5 { v.storage } else { v.sampled };
            let views: Vec<&View> = w.views.iter().filter(fits).collect();
            let mut info = vk::DescriptorImageInfo {
                sampler: if binding == 6 { sampler.1 } else { vk::Sampler::null() },
                image_view: vk::ImageView::null(),
                image_layout: vk::ImageLayout::GENERAL,
            };
            let mut uids = if binding == 6 { vec![sampler.0] } else { Vec::new() };
            let mut image = None;
            if let Some(view) = views.get(r.below(views.len().max(1))).filter(|_| !r.one_in(12)) {
                info.image_view = view.view;
                uids.extend([view.uid, view.image]);
                image = Some(view.image);
            }
            Some((Bound { image, ..bound(uids) }, Write::Image(ty, info)))
        }
    }
}

fn graphics_pipeline(
    shared: &Shared,
    r: &mut Random,
    formats: &super::TargetKey,
    [vertex, fragment]: [vk::ShaderModule; 2],
    layout: usize,
    attributes: bool,
    stride: u32,
) -> Result<vk::Pipeline, vk::Result> {
    let stage = |module, stage| {
        vk::PipelineShaderStageCreateInfo::default().module(module).stage(stage).name(c"main")
    };
    let stages =
        [stage(vertex, vk::ShaderStageFlags::VERTEX), stage(fragment, vk::ShaderStageFlags::FRAGMENT)];
    let bindings = [vk::VertexInputBindingDescription {
        binding: 0,
        stride,
        input_rate: vk::VertexInputRate::from_raw(r.below(2) as i32),
    }];
    let attribute = |location, format, offset| vk::VertexInputAttributeDescription {
        location,
        binding: 0,
        format,
        offset,
    };
    let list = [attribute(0, vk::Format::R16G16_SNORM, 0), attribute(1, vk::Format::R8G8B8A8_UNORM, 4)];
    let mut input = vk::PipelineVertexInputStateCreateInfo::default();
    if attributes {
        input = input.vertex_binding_descriptions(&bindings).vertex_attribute_descriptions(&list);
    }
    use vk::PrimitiveTopology as T;
    let topologies = [
        T::TRIANGLE_LIST,
        T::TRIANGLE_LIST,
        T::TRIANGLE_STRIP,
        T::TRIANGLE_FAN,
        T::LINE_LIST,
        T::LINE_STRIP,
        T::POINT_LIST,
    ];
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(*r.pick(&topologies));
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
    let cull = if r.one_in(4) { vk::CullModeFlags::BACK } else { vk::CullModeFlags::NONE };
    let polygon = if r.one_in(5) { vk::PolygonMode::LINE } else { vk::PolygonMode::FILL };
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .cull_mode(cull)
        .polygon_mode(polygon)
        .depth_clamp_enable(r.one_in(4))
        .line_width(1.0);
    let samples = formats.2;
    let multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(samples))
        .sample_shading_enable(samples > 1 && r.one_in(3))
        .min_sample_shading(1.0);
    let compares = [
        vk::CompareOp::ALWAYS,
        vk::CompareOp::LESS,
        vk::CompareOp::GREATER_OR_EQUAL,
        vk::CompareOp::NOT_EQUAL,
    ];
    let ops = [
        vk::StencilOp::KEEP,
        vk::StencilOp::REPLACE,
        vk::StencilOp::INCREMENT_AND_WRAP,
        vk::StencilOp::INVERT,
    ];
    let mut face = || vk::StencilOpState {
        fail_op: *r.pick(&ops),
        pass_op: *r.pick(&ops),
        depth_fail_op: *r.pick(&ops),
        compare_op: *r.pick(&compares),
        compare_mask: 0xff,
        write_mask: 0xff,
        reference: 3,
    };
    let (front, back) = (face(), face());
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(r.one_in(2))
        .depth_write_enable(r.one_in(2))
        .depth_compare_op(*r.pick(&compares))
        .stencil_test_enable(r.one_in(2))
        .front(front)
        .back(back)
        .max_depth_bounds(1.0);
    let blends: Vec<_> = formats
        .0
        .iter()
        .map(|f| {
            vk::PipelineColorBlendAttachmentState::default()
                .blend_enable(class(*f) == 0 && samples == 1 && r.one_in(2))
                .src_color_blend_factor(vk::BlendFactor::SRC_ALPHA)
                .dst_color_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
                .src_alpha_blend_factor(vk::BlendFactor::ONE)
                .color_write_mask(if r.one_in(4) {
                    vk::ColorComponentFlags::R | vk::ColorComponentFlags::B
                } else {
                    vk::ColorComponentFlags::RGBA
                })
        })
        .collect();
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let states = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let of_depth = formats.1.unwrap_or(vk::Format::UNDEFINED);
    let of_stencil =
        if of_depth == vk::Format::D32_SFLOAT_S8_UINT { of_depth } else { vk::Format::UNDEFINED };
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&formats.0)
        .depth_attachment_format(of_depth)
        .stencil_attachment_format(of_stencil);
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(shared.layouts[layout].layout)
        .push_next(&mut rendering);
    // SAFETY: valid usage.
    let made =
        unsafe { shared.client.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    made.map(|p| p[0]).map_err(|e| e.1)
}
