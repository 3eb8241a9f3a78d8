//! Objects that all programs share: set layouts of every kind, their kernels, and shaders.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;
use quadrille::Stage;
use quadrille::frontend::{Options, compile_glsl};

use super::super::kernels::{BLOCK_WORDS, KERNELS};
use super::client::Client;
use super::rays::Tracing;
use super::{KINDS, Kind, Layout, Shared};

impl Kind {
    pub(super) fn types(self) -> [vk::DescriptorType; 7] {
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

    /// Returns the descriptor type to write to a binding.
    pub(super) fn written(self, binding: usize) -> vk::DescriptorType {
        if self == Kind::Mutable { Kind::Plain.types()[binding] } else { self.types()[binding] }
    }
}

impl Shared {
    /// Creates the client, the layouts and the kernels.
    ///
    /// # Errors
    /// An error of the driver.
    pub fn new(entry: ash::Entry) -> Result<Shared, String> {
        let client = Client::new(entry)?;
        let mut layouts = Vec::new();
        for kind in KINDS {
            layouts.push(layout(&client, kind).map_err(|e| format!("{kind:?}: {e}"))?);
        }
        let shared = Shared { client, layouts, shaders: Default::default(), tracing: Default::default() };
        let tracing = Tracing::new(&shared).map_err(|e| format!("ray tracing pipeline: {e}"))?;
        let _ = shared.tracing.set(tracing);
        Ok(shared)
    }

    pub(super) fn shader(&self, stage: Stage, text: &str) -> Result<vk::ShaderModule, vk::Result> {
        let mut shaders = self.shaders.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(&module) = shaders.get(text) {
            return Ok(module);
        }
        let words = compile_glsl(text, stage, &Options::named("shader.glsl")).expect("a shader compiles");
        // SAFETY: the device is live, and the words are valid SPIR-V from the GLSL compiler.
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
        // SAFETY: nothing is in flight, and programs have destroyed all objects that they created.
        unsafe {
            for layout in &self.layouts {
                layout.kernels.iter().for_each(|&p| d.destroy_pipeline(p, None));
                d.destroy_pipeline_layout(layout.layout, None);
                d.destroy_descriptor_set_layout(layout.set, None);
            }
            self.tracing.get().into_iter().for_each(|tracing| tracing.destroy(d));
            let shaders = self.shaders.lock().unwrap_or_else(|e| e.into_inner());
            shaders.values().for_each(|&m| d.destroy_shader_module(m, None));
        }
    }
}

/// Creates a layout of a kind, with its kernels.
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
    // SAFETY: all parameters are valid and outlive the calls; a module may be destroyed once its pipelines exist.
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
