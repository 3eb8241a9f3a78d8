//! Decompression of memory: VK_EXT_memory_decompression and VK_NV_memory_decompression.
//!
//! The compressed pages are those of another encoder, in `conformance/assets/gdeflate`.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};
use std::path::Path;

use crate::common::{Gpu, Mapped};
use ash::vk;

const EXTENSIONS: [&CStr; 5] = [
    c"VK_KHR_buffer_device_address",
    c"VK_KHR_maintenance5",
    c"VK_KHR_synchronization2",
    c"VK_EXT_memory_decompression",
    c"VK_NV_memory_decompression",
];

/// VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_EXT.
const GDEFLATE: u64 = 1;
/// VK_BUFFER_USAGE_2_MEMORY_DECOMPRESSION_BIT_EXT.
const MEMORY_DECOMPRESSION: u64 = 1 << 32;
/// VK_PIPELINE_STAGE_2_MEMORY_DECOMPRESSION_BIT_EXT.
const STAGE: vk::PipelineStageFlags2 = vk::PipelineStageFlags2::from_raw(1 << 45);
/// VK_ACCESS_2_MEMORY_DECOMPRESSION_READ_BIT_EXT.
const READ: vk::AccessFlags2 = vk::AccessFlags2::from_raw(1 << 55);
/// VK_ACCESS_2_MEMORY_DECOMPRESSION_WRITE_BIT_EXT.
const WRITE: vk::AccessFlags2 = vk::AccessFlags2::from_raw(1 << 56);

/// Byte of destinations before a command.
const OLD: u8 = 0xa5;

/// VkDecompressMemoryRegionEXT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct Region {
    src: u64,
    dst: u64,
    compressed: u64,
    decompressed: u64,
}

/// VkDecompressMemoryInfoEXT.
#[repr(C)]
struct Info {
    ty: i32,
    next: *const c_void,
    method: u64,
    n: u32,
    regions: *const Region,
}

type Direct = unsafe extern "system" fn(vk::CommandBuffer, *const Info);
type Indirect = unsafe extern "system" fn(vk::CommandBuffer, u64, u64, u64, u32, u32);

/// A device, and the commands.
struct Lab {
    gpu: Gpu,
    direct: Direct,
    indirect: Indirect,
    direct_nv: vk::PFN_vkCmdDecompressMemoryNV,
    indirect_nv: vk::PFN_vkCmdDecompressMemoryIndirectCountNV,
}

/// Content of a buffer, and its device address.
struct Memory(Mapped, u64);

impl Lab {
    fn new() -> Lab {
        let mut address =
            vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
        let mut five = vk::PhysicalDeviceMaintenance5FeaturesKHR::default().maintenance5(true);
        let mut sync = vk::PhysicalDeviceSynchronization2Features::default().synchronization2(true);
        let mut decompression =
            vk::PhysicalDeviceMemoryDecompressionFeaturesNV::default().memory_decompression(true);
        let gpu = Gpu::with(&EXTENSIONS, |info| {
            let info = info.push_next(&mut address).push_next(&mut five).push_next(&mut sync);
            info.push_next(&mut decompression)
        });
        let gpu = gpu.unwrap();
        let command = |name: &CStr| {
            // SAFETY: valid usage of Vulkan: the device is live, and the name is a C string.
            let found = unsafe { gpu.instance.get_device_proc_addr(gpu.device.handle(), name.as_ptr()) };
            found.unwrap_or_else(|| panic!("no {name:?}"))
        };
        // SAFETY: the commands have these types in the specification.
        unsafe {
            let direct: Direct = std::mem::transmute(command(c"vkCmdDecompressMemoryEXT"));
            let indirect: Indirect = std::mem::transmute(command(c"vkCmdDecompressMemoryIndirectCountEXT"));
            let direct_nv: vk::PFN_vkCmdDecompressMemoryNV =
                std::mem::transmute(command(c"vkCmdDecompressMemoryNV"));
            let indirect_nv: vk::PFN_vkCmdDecompressMemoryIndirectCountNV =
                std::mem::transmute(command(c"vkCmdDecompressMemoryIndirectCountNV"));
            Lab { gpu, direct, indirect, direct_nv, indirect_nv }
        }
    }

    /// Creates a buffer with these bytes.
    fn memory(&self, bytes: &[u8], usage: vk::BufferUsageFlags) -> Memory {
        let usage = u64::from((usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS).as_raw());
        let usage = vk::BufferUsageFlags2KHR::from_raw(usage | MEMORY_DECOMPRESSION);
        let mut wide = vk::BufferUsageFlags2CreateInfoKHR::default().usage(usage);
        let info = vk::BufferCreateInfo::default().size(bytes.len() as u64).push_next(&mut wide);
        let buffer = self.gpu.buffer_with(&info);
        buffer.write(bytes);
        let commands = ash::khr::buffer_device_address::Device::new(&self.gpu.instance, &self.gpu.device);
        let info = vk::BufferDeviceAddressInfo::default().buffer(buffer.buffer);
        // SAFETY: valid usage of Vulkan: the buffer is live and bound.
        let address = unsafe { commands.get_buffer_device_address(&info) };
        Memory(buffer, address)
    }

    /// Memory of 64-bit words with parameters.
    fn parameters(&self, words: &[u64]) -> Memory {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.memory(&bytes, vk::BufferUsageFlags::INDIRECT_BUFFER)
    }

    /// Decompresses recorded regions.
    fn decompress(&self, method: u64, regions: &[Region]) -> ash::prelude::VkResult<()> {
        self.gpu.try_run(|commands| {
            // SAFETY: the structure is valid; the driver checks addresses and sizes.
            unsafe { (self.direct)(commands, &info(method, regions)) }
        })
    }
}

fn info(method: u64, regions: &[Region]) -> Info {
    let (ty, next, n) = (1_000_550_002, std::ptr::null(), regions.len() as u32);
    Info { ty, next, method, n, regions: regions.as_ptr() }
}

fn asset(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/assets/gdeflate");
    std::fs::read(folder.join(name)).unwrap()
}

/// The compressed pages one after the other, each at a multiple of 4, with the places and sizes of all.
fn pages() -> (Vec<u8>, [(u64, u64); 3]) {
    let mut all = Vec::new();
    let places = ["prose_0.gdeflate", "prose_6.gdeflate", "prose_12.gdeflate"].map(|name| {
        let (at, page) = (all.len() as u64, asset(name));
        all.extend(&page);
        all.resize(all.len().next_multiple_of(4), 0);
        (at, page.len() as u64)
    });
    (all, places)
}

/// Regions of all pages, for destinations `step` bytes apart that have room for `room` bytes.
fn regions(src: &Memory, dst: &Memory, step: u64, room: u64) -> Vec<Region> {
    let region = |(i, (at, size)): (u64, (u64, u64))| Region {
        src: src.1 + at,
        dst: dst.1 + i * step,
        compressed: size,
        decompressed: room,
    };
    (0..).zip(pages().1).map(region).collect()
}

/// The text of the pages, `n` times, with room for `step` bytes each; old bytes elsewhere.
fn expected(found: [usize; 3], step: usize) -> Vec<u8> {
    let prose = asset("prose.txt");
    let one = |n: usize| [&prose[..n], &vec![OLD; step - n]].concat();
    found.map(one).concat()
}

/// Spec: Vulkan, VkPhysicalDeviceMemoryDecompressionPropertiesEXT.
#[test]
fn the_device_has_gdeflate() {
    let lab = Lab::new();
    let mut features = vk::PhysicalDeviceMemoryDecompressionFeaturesNV::default();
    let mut properties = vk::PhysicalDeviceMemoryDecompressionPropertiesNV::default();
    // SAFETY: valid usage of Vulkan: the structures are valid.
    unsafe {
        let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut features);
        lab.gpu.instance.get_physical_device_features2(lab.gpu.physical, &mut all);
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut properties);
        lab.gpu.instance.get_physical_device_properties2(lab.gpu.physical, &mut all);
    }
    assert_eq!(features.memory_decompression, vk::TRUE);
    assert_eq!(properties.decompression_methods.as_raw(), GDEFLATE);
    assert!(properties.max_decompression_indirect_count >= 1 << 16);
}

/// The pages are copied to the source by a command before, and the destination is copied by one after, so that the bytes
/// are those at the time of execution. Spec: Vulkan, vkCmdDecompressMemoryEXT.
#[test]
fn commands_decompress_when_they_run() {
    let lab = Lab::new();
    let d = &lab.gpu.device;
    let (bytes, _) = pages();
    let step = 2048;
    let from = lab.memory(&bytes, vk::BufferUsageFlags::TRANSFER_SRC);
    let src = lab.memory(&vec![0; bytes.len()], vk::BufferUsageFlags::TRANSFER_DST);
    let dst = lab.memory(&vec![OLD; 3 * step as usize], vk::BufferUsageFlags::TRANSFER_SRC);
    let out = lab.memory(&vec![0; 3 * step as usize], vk::BufferUsageFlags::TRANSFER_DST);
    let all = regions(&src, &dst, step, asset("prose.txt").len() as u64);
    let sync = ash::khr::synchronization2::Device::new(&lab.gpu.instance, d);
    let barrier = |commands, before: (_, _), after: (_, _)| {
        let barrier = vk::MemoryBarrier2::default()
            .src_stage_mask(before.0)
            .src_access_mask(before.1)
            .dst_stage_mask(after.0)
            .dst_access_mask(after.1);
        let barriers = [barrier];
        let info = vk::DependencyInfo::default().memory_barriers(&barriers);
        // SAFETY: valid usage of Vulkan: the command buffer is being recorded.
        unsafe { sync.cmd_pipeline_barrier2(commands, &info) };
    };
    let transfer = vk::PipelineStageFlags2::ALL_TRANSFER;
    let copy = |size: u64| [vk::BufferCopy::default().size(size)];
    lab.gpu.run(|commands| {
        // SAFETY: valid usage of Vulkan: the buffers are live, and have the sizes of the copies and regions.
        unsafe {
            d.cmd_copy_buffer(commands, from.0.buffer, src.0.buffer, &copy(bytes.len() as u64));
            barrier(commands, (transfer, vk::AccessFlags2::TRANSFER_WRITE), (STAGE, READ));
            (lab.direct)(commands, &info(GDEFLATE, &all));
            barrier(commands, (STAGE, WRITE), (transfer, vk::AccessFlags2::TRANSFER_READ));
            d.cmd_copy_buffer(commands, dst.0.buffer, out.0.buffer, &copy(3 * step));
        }
    });
    assert!(out.0.read::<u8>() == expected([1604; 3], step as usize));
    [from, src, dst, out].into_iter().for_each(|m| m.0.destroy(&lab.gpu));
}

/// The number and the regions are in memory; the stride may be longer than a region. Regions that do not lie in a buffer,
/// and those behind the end of the parameters, do nothing. Spec: Vulkan, vkCmdDecompressMemoryIndirectCountEXT.
#[test]
fn regions_are_read_from_memory() {
    let lab = Lab::new();
    let (bytes, _) = pages();
    let step = 2048;
    // Number in memory, greatest number, changes to regions 0 and 1, and lengths of the decompressed pages.
    type Change = fn([&mut Region; 2]);
    let cases: [(u32, u32, Change, [usize; 3]); 11] = [
        (3, 3, |_| {}, [1604; 3]),
        (2, 3, |_| {}, [1604, 1604, 0]),
        (3, 1, |_| {}, [1604, 0, 0]),
        (0, 3, |_| {}, [0; 3]),
        (u32::MAX, 1 << 20, |_| {}, [1604; 3]),
        (3, 3, |[a, b]| (a.src, b.dst) = (7 << 40, u64::MAX - 3), [0, 0, 1604]),
        (3, 3, |[a, b]| (a.compressed, b.decompressed) = (u64::MAX, 6145), [0, 0, 1604]),
        (3, 3, |[a, b]| (a.compressed, b.decompressed) = (0, 0), [0, 0, 1604]),
        (3, 3, |[a, b]| (a.decompressed, b.compressed) = (65_537, 1 << 20), [0, 0, 1604]),
        (3, 3, |[a, b]| (a.src, b.dst) = (a.src + 1, b.dst + 2), [0, 0, 1604]),
        (3, 3, |[a, b]| (a.decompressed, b.decompressed) = (1000, 1), [1000, 1, 1604]),
    ];
    let src = lab.memory(&bytes, vk::BufferUsageFlags::empty());
    for (number, most, change, found) in cases {
        let dst = lab.memory(&vec![OLD; 3 * step as usize], vk::BufferUsageFlags::empty());
        let mut all = regions(&src, &dst, step, 1604);
        let [a, b, _] = all.as_mut_slice() else { panic!("three regions") };
        change([a, b]);
        let words: Vec<u64> =
            all.iter().flat_map(|r| [r.src, r.dst, r.compressed, r.decompressed, 77]).collect();
        let (parameters, count) = (lab.parameters(&words), lab.parameters(&[number.into()]));
        lab.gpu.run(|commands| {
            // SAFETY: the command buffer is being recorded; the driver checks what it reads from memory.
            unsafe { (lab.indirect)(commands, GDEFLATE, parameters.1, count.1, most, 40) };
        });
        assert!(dst.0.read::<u8>() == expected(found, step as usize), "{number}, {most}, {all:?}");
        [dst, parameters, count].into_iter().for_each(|m| m.0.destroy(&lab.gpu));
    }
    src.0.destroy(&lab.gpu);
}

/// The recorded regions must be valid. Spec: Vulkan, VkDecompressMemoryRegionEXT.
#[test]
fn wrong_regions_are_refused() {
    let lab = Lab::new();
    let (bytes, _) = pages();
    let src = lab.memory(&bytes, vk::BufferUsageFlags::empty());
    let dst = lab.memory(&vec![OLD; 1 << 17], vk::BufferUsageFlags::empty());
    let good = regions(&src, &dst, 0, 1604)[1];
    assert_eq!(lab.decompress(GDEFLATE, &[good]), Ok(()));
    let mut expected = vec![OLD; 1 << 17];
    expected[..1604].copy_from_slice(&asset("prose.txt"));
    let end = dst.1 + (1 << 17);
    let wrong = [
        Region { src: 7 << 40, ..good },
        Region { src: good.src + 2, ..good },
        Region { dst: dst.1 + 1 + (1 << 16), ..good },
        Region { compressed: bytes.len() as u64, ..good },
        Region { compressed: u64::MAX, ..good },
        Region { compressed: 0, ..good },
        Region { decompressed: 0, ..good },
        Region { decompressed: 65_537, ..good },
        Region { dst: end - 1600, ..good },
        Region { dst: 0, ..good },
    ];
    for region in wrong {
        assert!(lab.decompress(GDEFLATE, &[region]).is_err(), "{region:?}");
    }
    for method in [0, 2, 3, 1 << 63] {
        assert!(lab.decompress(method, &[good]).is_err(), "{method}");
    }
    let parameters = lab.parameters(&[1; 8]);
    let indirect = |method, stride, most| {
        lab.gpu.try_run(|commands| {
            // SAFETY: the command buffer is being recorded, and the parameters are live; the driver checks the rest.
            unsafe { (lab.indirect)(commands, method, parameters.1, parameters.1, most, stride) };
        })
    };
    assert_eq!(indirect(GDEFLATE, 32, 1), Ok(()));
    assert!(indirect(2, 32, 1).is_err() && indirect(GDEFLATE, 28, 1).is_err());
    assert!(indirect(GDEFLATE, 34, 1).is_err() && indirect(GDEFLATE, 32, u32::MAX).is_err());
    assert!(dst.0.read::<u8>() == expected);
    [src, dst, parameters].into_iter().for_each(|m| m.0.destroy(&lab.gpu));
}

/// A damaged page gives bytes before the damage, and a page that is too long for its destination some of the first bytes.
#[test]
fn damaged_pages_end_at_the_damage() {
    let lab = Lab::new();
    let (mut bytes, places) = pages();
    let step = 2048;
    // A stored page without its second half, a block of no type, and a destination for 500 bytes.
    bytes[places[1].0 as usize] |= 6;
    let src = lab.memory(&bytes, vk::BufferUsageFlags::empty());
    let dst = lab.memory(&vec![OLD; 3 * step as usize], vk::BufferUsageFlags::empty());
    let mut all = regions(&src, &dst, step, 1604);
    all[0].compressed /= 2;
    all[2].decompressed = 500;
    assert_eq!(lab.decompress(GDEFLATE, &all), Ok(()));
    let found = dst.0.read::<u8>();
    let len = |part: &[u8]| part.iter().position(|byte| *byte == OLD).unwrap();
    let parts = [0, 1, 2].map(|i| len(&found[i * step as usize..]));
    // The first sub-stream of the half page has 7.5 words, of which the headers take 19 bits: its bytes end first.
    assert_eq!(parts[..2], [27 * 32, 0]);
    assert!((400..=500).contains(&parts[2]), "{parts:?}");
    assert!(found == expected(parts, step as usize));
    [src, dst].into_iter().for_each(|m| m.0.destroy(&lab.gpu));
}

/// The regions have their methods. Spec: Vulkan, vkCmdDecompressMemoryNV and vkCmdDecompressMemoryIndirectCountNV.
#[test]
fn regions_of_the_nv_extension_have_methods() {
    let lab = Lab::new();
    let (bytes, _) = pages();
    let step = 2048;
    let src = lab.memory(&bytes, vk::BufferUsageFlags::empty());
    for indirect in [false, true] {
        let dst = lab.memory(&vec![OLD; 3 * step as usize], vk::BufferUsageFlags::empty());
        let method = |i| if indirect && i == 1 { 2 } else { GDEFLATE };
        let region = |(i, r): (usize, Region)| vk::DecompressMemoryRegionNV {
            src_address: r.src,
            dst_address: r.dst,
            compressed_size: r.compressed,
            decompressed_size: r.decompressed,
            decompression_method: vk::MemoryDecompressionMethodFlagsNV::from_raw(method(i)),
        };
        let mut all: Vec<_> = regions(&src, &dst, step, 1604).into_iter().enumerate().map(region).collect();
        let words = all.iter().flat_map(|r| {
            let method = r.decompression_method.as_raw();
            [r.src_address, r.dst_address, r.compressed_size, r.decompressed_size, method]
        });
        let (parameters, count) = (lab.parameters(&words.collect::<Vec<_>>()), lab.parameters(&[3]));
        lab.gpu.run(|commands| {
            // SAFETY: the command buffer is being recorded, and the regions lie in live buffers.
            unsafe {
                match indirect {
                    false => (lab.direct_nv)(commands, 3, all.as_ptr()),
                    true => (lab.indirect_nv)(commands, parameters.1, count.1, 40),
                }
            }
        });
        let second = if indirect { 0 } else { 1604 };
        assert!(dst.0.read::<u8>() == expected([1604, second, 1604], step as usize));
        all[1].decompression_method = vk::MemoryDecompressionMethodFlagsNV::from_raw(2);
        // SAFETY: the command buffer is being recorded; the driver checks the methods.
        let refused = lab.gpu.try_run(|commands| unsafe { (lab.direct_nv)(commands, 3, all.as_ptr()) });
        assert!(refused.is_err());
        [dst, parameters, count].into_iter().for_each(|m| m.0.destroy(&lab.gpu));
    }
    src.0.destroy(&lab.gpu);
}
