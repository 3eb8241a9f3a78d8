//! Binaries of shaders with mappings: whatever their words are, the driver refuses them or the shader reaches nothing else.

use super::*;

/// Flag of VkShaderCreateFlagBitsEXT: the shader has descriptor heaps.
const WITH_HEAPS: u32 = 1 << 10;
/// Offset of the number of words of the mappings in a binary. They are the last words of it.
const MAPPING_WORDS: usize = 28;
const COMPUTE: vk::ShaderStageFlags = vk::ShaderStageFlags::COMPUTE;

/// Creates a compute shader with heaps; `next` is null or a `Mappings`.
fn shader(
    objects: &ash::ext::shader_object::Device,
    (code, ty): (&[u8], vk::ShaderCodeTypeEXT),
    next: *const c_void,
) -> Result<vk::ShaderEXT, vk::Result> {
    // Vulkan requires binary code at an address that is a multiple of 16.
    let mut room = vec![0; code.len() + 15];
    let from = room.as_ptr().align_offset(16);
    room[from..from + code.len()].copy_from_slice(code);
    let mut info = vk::ShaderCreateInfoEXT::default()
        .flags(vk::ShaderCreateFlagsEXT::from_raw(WITH_HEAPS))
        .stage(COMPUTE)
        .name(c"main")
        .code_type(ty)
        .code(&room[from..from + code.len()]);
    info.p_next = next;
    // SAFETY: all parameters are valid, except for the contents of binaries, which the driver must check.
    let made = unsafe { objects.create_shaders(&[info], None) };
    made.map(|all| all[0]).map_err(|(_, code)| code)
}

/// Returns the binary of a shader that writes the contents of a uniform block; its mappings have an embedded sampler, too.
fn binary(objects: &ash::ext::shader_object::Device) -> Vec<u8> {
    let sampler = vk::SamplerCreateInfo::default().max_lod(7.5);
    let pointer = (&raw const sampler) as u64;
    // The storage buffer, the block by an index in the push data, and a sampler that the shader does not use.
    let all = [
        Mapping::of(0, 0, &[words(64, 0)]),
        Mapping::of(1, 1, &[words(992, 4), words(16, 0)]),
        Mapping::of(2, 0, &[0, pointer]),
    ];
    let mappings = Mappings { ty: 1_000_135_006, next: std::ptr::null(), n: 3, all: all.as_ptr() };
    let code = common::assemble(include_str!("../shaders/branch.comp.spvasm"));
    let code: Vec<u8> = code.iter().flat_map(|w| w.to_ne_bytes()).collect();
    let made = shader(objects, (&code, vk::ShaderCodeTypeEXT::SPIRV), (&raw const mappings).cast()).unwrap();
    // SAFETY: the shader is live, and not used afterwards.
    unsafe {
        let binary = objects.get_shader_binary_data(made).unwrap();
        objects.destroy_shader(made, None);
        binary
    }
}

/// Each byte of the mappings in a binary is changed, with and without a matching digest. Spec: Vulkan, "Binary Shader
/// Code": binaries that the driver cannot use give VK_INCOMPATIBLE_SHADER_BINARY_EXT.
#[test]
fn changed_mappings_of_binaries_do_no_harm() {
    let h = Heaps::new();
    let objects = ash::ext::shader_object::Device::new(&h.gpu.instance, &h.gpu.device);
    let (heap, heap_at) = h.buffer(4096, HEAP);
    let (out, out_at) = h.buffer(256, STORAGE);
    let (uniform, uniform_at) = h.buffer(256, UNIFORM);
    // Neither the heap nor the push data leads to this buffer.
    let (other, _) = h.buffer(256, STORAGE);
    other.write(&[0x5a5a_5a5au32; 64]);
    uniform.write(&[9u32]);
    let mut bytes = vec![0u8; 4096];
    let (storage, block) = (Range { address: out_at, size: 256 }, Range { address: uniform_at, size: 4 });
    let storage = h.descriptor(vk::DescriptorType::STORAGE_BUFFER, (&raw const storage).cast());
    let block = h.descriptor(vk::DescriptorType::UNIFORM_BUFFER, (&raw const block).cast());
    bytes[64..80].copy_from_slice(&storage);
    bytes[1024..1040].copy_from_slice(&block);
    heap.write(&bytes);
    // The shader reads the block if the first word is not 0; the second one is the index of its descriptor.
    let push = [words(1, 2)];
    let dispatch = |shader: vk::ShaderEXT| {
        let range = Range { address: heap_at, size: 4096 };
        let info = BindInfo { ty: 1_000_135_003, next: std::ptr::null(), range, reserved: [0; 2] };
        let data = HostRange { address: push.as_ptr().cast_mut().cast(), size: size_of_val(&push) };
        let push = PushInfo { ty: 1_000_135_004, next: std::ptr::null(), offset: 0, data };
        out.write(&[0u32]);
        // SAFETY: valid usage of Vulkan, except for the mappings of the shader, which the driver must check. No command
        // uses the shader after `run`, which waits.
        unsafe {
            h.gpu.run(|cmd| {
                objects.cmd_bind_shaders(cmd, &[COMPUTE], &[shader]);
                (h.bind_resources)(cmd, &info);
                (h.push)(cmd, &push);
                h.gpu.device.cmd_dispatch(cmd, 1, 1, 1);
            });
            objects.destroy_shader(shader, None);
        }
        out.read::<u32>()[0]
    };
    let genuine = binary(&objects);
    let given_back =
        |bytes: &[u8]| shader(&objects, (bytes, vk::ShaderCodeTypeEXT::BINARY), std::ptr::null());
    assert_eq!(dispatch(given_back(&genuine).unwrap()), 9);
    let n = u32::from_le_bytes(genuine[MAPPING_WORDS..MAPPING_WORDS + 4].try_into().unwrap()) as usize;
    assert!(n > 60, "{n} words of mappings");
    let incompatible = vk::Result::INCOMPATIBLE_SHADER_BINARY_EXT;
    let mut accepted = 0;
    for at in genuine.len() - 4 * n..genuine.len() {
        for bits in [1, 0xff] {
            let mut bytes = genuine.clone();
            bytes[at] ^= bits;
            assert_eq!(given_back(&bytes).err(), Some(incompatible), "byte {at}, {bits:#x}");
            vk_quadrille::forge_binary(&mut bytes);
            match given_back(&bytes) {
                Ok(shader) => {
                    dispatch(shader);
                    accepted += 1;
                }
                Err(code) => assert_eq!(code, incompatible, "byte {at}, {bits:#x}, forged"),
            }
        }
    }
    assert!(accepted > 0, "the driver reads mappings of binaries");
    // The device still does what it should.
    assert_eq!(dispatch(given_back(&genuine).unwrap()), 9);
    assert_eq!(other.read::<u32>(), [0x5a5a_5a5a; 64]);
    [heap, out, uniform, other].into_iter().for_each(|b| b.destroy(&h.gpu));
}
