//! Device addresses that one run captures and another run, in another process, requests again.

use std::process::Command;

use ash::vk;

use super::common::Mapped;
use super::scene::{Scene, Structure, TRIANGLES, Type, expected, instance, instances_at, triangles};
use super::{BuildFlags, BuildInfo, CHILD};

type CreateFlags = vk::AccelerationStructureCreateFlagsKHR;

const ADDRESS: vk::BufferUsageFlags = vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
const STORAGE: vk::BufferUsageFlags = vk::BufferUsageFlags::ACCELERATION_STRUCTURE_STORAGE_KHR;
/// Offset of a structure in its buffer.
const OFFSET: u64 = 256;
const SIZE: u64 = 1 << 14;

/// Creates an unbound buffer that can be captured, with this opaque address, or any.
fn buffer(scene: &Scene, opaque: u64) -> ash::prelude::VkResult<vk::Buffer> {
    let mut address = vk::BufferOpaqueCaptureAddressCreateInfo::default().opaque_capture_address(opaque);
    let info = vk::BufferCreateInfo::default()
        .flags(vk::BufferCreateFlags::DEVICE_ADDRESS_CAPTURE_REPLAY)
        .size(OFFSET + SIZE)
        .usage(STORAGE | ADDRESS | vk::BufferUsageFlags::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR)
        .push_next(&mut address);
    // SAFETY: valid usage of Vulkan, except for some addresses, which the driver refuses.
    unsafe { scene.gpu.device.create_buffer(&info, None) }
}

/// Opaque address of a buffer.
fn opaque(scene: &Scene, buffer: vk::Buffer) -> u64 {
    let of = ash::khr::buffer_device_address::Device::new(&scene.gpu.instance, &scene.gpu.device);
    let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
    // SAFETY: the buffer is live, and can be captured.
    unsafe { (of.fp().get_buffer_opaque_capture_address_khr)(scene.gpu.device.handle(), &info) }
}

/// Binds a buffer to memory with this opaque address, and maps it.
fn bound(scene: &Scene, buffer: vk::Buffer, opaque: u64) -> ash::prelude::VkResult<(Mapped, u64)> {
    let d = &scene.gpu.device;
    let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(
        vk::MemoryAllocateFlags::DEVICE_ADDRESS | vk::MemoryAllocateFlags::DEVICE_ADDRESS_CAPTURE_REPLAY,
    );
    let mut address = vk::MemoryOpaqueCaptureAddressAllocateInfo::default().opaque_capture_address(opaque);
    let of = ash::khr::buffer_device_address::Device::new(&scene.gpu.instance, d);
    // SAFETY: valid usage of Vulkan: memory type 0 exists and is host-visible.
    unsafe {
        let size = d.get_buffer_memory_requirements(buffer).size;
        let info = vk::MemoryAllocateInfo::default().allocation_size(size);
        let memory = d.allocate_memory(&info.push_next(&mut flags).push_next(&mut address), None)?;
        let room = scene.gpu.bound(buffer, memory, OFFSET + SIZE);
        let info = vk::DeviceMemoryOpaqueCaptureAddressInfo::default().memory(memory);
        let opaque = (of.fp().get_device_memory_opaque_capture_address_khr)(d.handle(), &info);
        Ok((room, opaque))
    }
}

/// A structure in a buffer, at a captured address or any.
fn structure(
    scene: &Scene,
    storage: vk::Buffer,
    ty: Type,
    address: u64,
) -> ash::prelude::VkResult<vk::AccelerationStructureKHR> {
    let info = vk::AccelerationStructureCreateInfoKHR::default()
        .create_flags(CreateFlags::DEVICE_ADDRESS_CAPTURE_REPLAY)
        .buffer(storage)
        .offset(OFFSET)
        .size(SIZE)
        .ty(ty)
        .device_address(address);
    // SAFETY: valid usage of Vulkan, except for some addresses, which the driver refuses.
    unsafe { scene.rays.create_acceleration_structure(&info, None) }
}

/// Addresses of a run: those of the buffers of two structures and of instances, of the memory of each, and of the
/// structures.
type Addresses = [u64; 8];

/// Runs the program: an instance of a bottom level, of which the instances have the captured address if there is one.
/// Returns the addresses of the run.
fn run(captured: Option<Addresses>) -> Addresses {
    let scene = Scene::new();
    // A replay has buffers that the captured run did not have, and creates the others in another order.
    let others: Vec<Mapped> = (0..3).filter(|_| captured.is_some()).map(|_| scene.input(&[0u32])).collect();
    let asked = captured.unwrap_or_default();
    let mut order = [0, 1, 2];
    if captured.is_some() {
        order.reverse();
    }
    let mut buffers = [vk::Buffer::null(); 3];
    let mut found = [0; 8];
    for i in order {
        buffers[i] = buffer(&scene, asked[i]).unwrap();
        // Before memory is bound.
        found[i] = opaque(&scene, buffers[i]);
    }
    let mut rooms = Vec::new();
    for i in 0..3 {
        let (room, memory) = bound(&scene, buffers[i], asked[3 + i]).unwrap();
        assert_eq!(scene.address(&room), opaque(&scene, room.buffer));
        found[3 + i] = memory;
        rooms.push(room);
    }
    let [bottom_room, top_room, instances]: [Mapped; 3] = rooms.try_into().ok().unwrap();
    let make = |storage: Mapped, ty, address| {
        let handle = structure(&scene, storage.buffer, ty, address).unwrap();
        Structure { handle, storage }
    };
    let bottom = make(bottom_room, Type::BOTTOM_LEVEL, asked[6]);
    let top = make(top_room, Type::TOP_LEVEL, asked[7]);
    (found[6], found[7]) = (scene.address_of(&bottom), scene.address_of(&top));
    assert_eq!(found[6], found[0] + OFFSET);

    let vertices = scene.input(&TRIANGLES);
    let geometry = [triangles(scene.address(&vertices), 5)];
    let info = BuildInfo::default().ty(Type::BOTTOM_LEVEL).flags(BuildFlags::empty()).geometries(&geometry);
    scene.build(&scene.with_dst(info, &bottom), &[2]);
    // These words come from the trace of the captured run.
    let of = captured.map_or(found[6], |captured| captured[6]);
    let at = captured.map_or(found[2], |captured| captured[2]);
    instances.write(&instance(of, 0.25, 6));
    let geometry = [instances_at(at)];
    let info = BuildInfo::default().ty(Type::TOP_LEVEL).geometries(&geometry);
    scene.build(&scene.with_dst(info, &top), &[1]);
    assert_eq!(scene.look(Some(&top)), expected(0.25, 6));
    scene.destroy_all([bottom, top]);
    others.into_iter().chain([vertices, instances]).for_each(|buffer| buffer.destroy(&scene.gpu));
    scene.end();
    found
}

/// Addresses of buffers, memory and structures are the same in another process that requests them. Spec: Vulkan,
/// VkBufferOpaqueCaptureAddressCreateInfo, VkMemoryOpaqueCaptureAddressAllocateInfo and
/// VkAccelerationStructureCreateInfoKHR.
#[test]
fn addresses_are_replayed_in_another_process() {
    const TEST: &str = "replay::addresses_are_replayed_in_another_process";
    const MARK: &str = "captured:";
    if std::env::var_os(CHILD).is_some() {
        println!("{MARK}{}", run(None).map(|address| address.to_string()).join(" "));
        return;
    }
    let program = std::env::current_exe().unwrap();
    let out = Command::new(program).args(["--exact", TEST, "--nocapture"]).env(CHILD, "1").output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    let (_, line) = text.split_once(MARK).unwrap_or_else(|| panic!("{text}"));
    let words: Vec<u64> = line.lines().next().unwrap().split(' ').map(|word| word.parse().unwrap()).collect();
    let captured: Addresses = words.try_into().unwrap();
    assert_eq!(run(Some(captured)), captured);
}

/// An address that cannot be given back is refused, and can be given once its buffer is destroyed. Spec: Vulkan,
/// VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS.
#[test]
fn addresses_in_use_are_refused() {
    const REFUSED: vk::Result = vk::Result::ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS;
    let scene = Scene::new();
    let ordinary = scene.input(&[0u32]);
    let first = buffer(&scene, 0).unwrap();
    let address = opaque(&scene, first);
    assert!(address != 0);
    for wrong in [address, address + 256, scene.address(&ordinary), 1, u64::MAX] {
        assert_eq!(buffer(&scene, wrong).err(), Some(REFUSED), "{wrong:#x}");
    }
    // Memory has no address of its own.
    assert_eq!(bound(&scene, first, 77).err(), Some(REFUSED));
    let (storage, of_memory) = bound(&scene, first, 0).unwrap();
    assert_eq!(of_memory, 0);
    for wrong in [address, address + 2 * OFFSET, scene.address(&ordinary)] {
        let made = structure(&scene, storage.buffer, Type::BOTTOM_LEVEL, wrong);
        assert_eq!(made.err(), Some(REFUSED), "{wrong:#x}");
    }
    let made = structure(&scene, ordinary.buffer, Type::BOTTOM_LEVEL, scene.address(&ordinary) + OFFSET);
    assert!(made.is_err());
    let handle = structure(&scene, storage.buffer, Type::BOTTOM_LEVEL, address + OFFSET).unwrap();
    scene.destroy(Structure { handle, storage });
    let again = buffer(&scene, address).unwrap();
    assert_eq!(opaque(&scene, again), address);
    // SAFETY: the buffer is not used.
    unsafe { scene.gpu.device.destroy_buffer(again, None) };
    ordinary.destroy(&scene.gpu);
    scene.end();
}

/// A VkMicromapEXT takes the address of its place in a captured buffer. Spec: Vulkan, VkMicromapCreateInfoEXT.
#[test]
fn micromaps_have_captured_addresses() {
    let mut features =
        vk::PhysicalDeviceOpacityMicromapFeaturesEXT::default().micromap(true).micromap_capture_replay(true);
    let scene = Scene::with(&[c"VK_EXT_opacity_micromap"], |info| info.push_next(&mut features));
    let maps = ash::ext::opacity_micromap::Device::new(&scene.gpu.instance, &scene.gpu.device);
    let storage = buffer(&scene, 0).unwrap();
    let address = opaque(&scene, storage);
    for (at, accepted) in [(address + OFFSET, true), (address, false), (0, true)] {
        let info = vk::MicromapCreateInfoEXT::default()
            .create_flags(vk::MicromapCreateFlagsEXT::DEVICE_ADDRESS_CAPTURE_REPLAY)
            .buffer(storage)
            .offset(OFFSET)
            .size(SIZE)
            .ty(vk::MicromapTypeEXT::OPACITY_MICROMAP)
            .device_address(at);
        let mut map = vk::MicromapEXT::null();
        let d = scene.gpu.device.handle();
        // SAFETY: valid usage of Vulkan, except for one address, which the driver refuses.
        unsafe {
            let code = (maps.fp().create_micromap_ext)(d, &info, std::ptr::null(), &mut map);
            assert_eq!(code == vk::Result::SUCCESS, accepted, "{at:#x}");
            (maps.fp().destroy_micromap_ext)(d, map, std::ptr::null());
        }
    }
    // SAFETY: the buffer is not used.
    unsafe { scene.gpu.device.destroy_buffer(storage, None) };
    scene.end();
}
