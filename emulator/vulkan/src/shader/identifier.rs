//! Chapter "Shaders", identifiers of shader modules: digests of their words, the same in every run of one version.
//!
//! No compiled pipeline is kept for later processes, so that a pipeline with an identifier in place of a module is
//! always one that must be compiled: [`super::stage`] then answers with VK_PIPELINE_COMPILE_REQUIRED.

use ash::vk;
use quadrille::ShaderModule;

use super::binary::Mix;
use crate::interface::chain::slice;
use crate::interface::guard::commands;
use crate::interface::handle::get;

/// Writes the identifier of these words.
fn identify(words: &[u32], out: &mut vk::ShaderModuleIdentifierEXT<'_>) {
    let mut mix = Mix::new();
    mix.add_all(words);
    let digest = mix.end();
    out.identifier_size = digest.len() as u32;
    out.identifier[..digest.len()].copy_from_slice(&digest);
}

commands! {
    fn get_shader_module_identifier(
        _d: vk::Device,
        module: vk::ShaderModule,
        out: *mut vk::ShaderModuleIdentifierEXT<'_>,
    ) {
        identify(get::<ShaderModule>(module).module().words(), &mut *out);
    }

    fn get_shader_module_create_info_identifier(
        _d: vk::Device,
        info: *const vk::ShaderModuleCreateInfo<'_>,
        out: *mut vk::ShaderModuleIdentifierEXT<'_>,
    ) {
        identify(slice((*info).p_code, ((*info).code_size / 4) as u32), &mut *out);
    }
}
