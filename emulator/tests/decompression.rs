//! Decompression of memory through the library: order of commands, endless pages, sparse buffers.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use quadrille::check::{self, Session};
use quadrille::{
    Barrier, BarrierOf, Buffer, BufferDesc, BufferUsage, DecompressRegion, Dependency, Device, DeviceOptions,
    Error,
};

/// Bits of VkPipelineStageFlagBits2 and of VkAccessFlagBits2.
const COPY: u64 = 1 << 32;
const CLEAR: u64 = 1 << 35;
const TRANSFER_READ: u64 = 1 << 11;
const TRANSFER_WRITE: u64 = 1 << 12;
const MEMORY_READ: u64 = 1 << 15;
const MEMORY_WRITE: u64 = 1 << 16;
const MEMORY_DECOMPRESSION: u64 = 1 << 45;
const DECOMPRESSION_READ: u64 = 1 << 55;
const DECOMPRESSION_WRITE: u64 = 1 << 56;

fn asset(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/assets/gdeflate");
    std::fs::read(folder.join(name)).unwrap()
}

fn buffer(device: &Device, size: u64) -> Buffer {
    let usage = BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST | BufferUsage::SHADER_DEVICE_ADDRESS;
    device.create_bound_buffer(BufferDesc { size, usage }).unwrap()
}

fn region(src: &Buffer, compressed_size: u64, dst: &Buffer, decompressed_size: u64) -> DecompressRegion {
    let [src_address, dst_address] = [src, dst].map(|of| of.device_address().unwrap());
    DecompressRegion { src_address, dst_address, compressed_size, decompressed_size }
}

/// Findings for an update of compressed bytes, a decompression and a fill of its destination, with these barriers.
fn found(barriers: [Option<Dependency>; 2]) -> Vec<String> {
    let session = Arc::new(Session::default());
    let watch = Some(check::watching(&session));
    let device =
        Device::new(DeviceOptions { watch, explicit_order: true, ..DeviceOptions::default() }).unwrap();
    let page = asset("short_9.gdeflate");
    let (src, dst) = (buffer(&device, page.len() as u64), buffer(&device, 40));
    let mut c = device.create_command_buffer();
    let [before, after] =
        barriers.map(|dependency| dependency.map(|dependency| Barrier { dependency, of: BarrierOf::Memory }));
    c.update_buffer(&src, 0, &page);
    c.pipeline_barriers(before.as_slice());
    c.decompress_memory(&[region(&src, page.len() as u64, &dst, 40)]);
    c.pipeline_barriers(after.as_slice());
    c.fill_buffer(&dst, 0, Some(4), 7);
    c.end().unwrap();
    device.queue().run(&c).unwrap();
    assert_eq!(
        dst.read::<u8>(4, 36).unwrap(),
        asset("prose.txt")[4..40],
        "commands run in order all the same"
    );
    session.reports.take().into_iter().map(|report| report.message).collect()
}

/// Spec: Vulkan, VK_PIPELINE_STAGE_2_MEMORY_DECOMPRESSION_BIT_EXT and its accesses.
#[test]
fn barriers_order_decompressions() {
    let before = Dependency {
        src_stages: COPY | CLEAR,
        src_access: TRANSFER_WRITE,
        dst_stages: MEMORY_DECOMPRESSION,
        dst_access: DECOMPRESSION_READ,
    };
    let after = Dependency {
        src_stages: MEMORY_DECOMPRESSION,
        src_access: DECOMPRESSION_WRITE,
        dst_stages: COPY | CLEAR,
        dst_access: TRANSFER_WRITE,
    };
    assert_eq!(found([Some(before), Some(after)]), [""; 0]);
    assert_eq!(found([Some(before), Some(Dependency { src_access: MEMORY_WRITE, ..after })]), [""; 0]);
    let cases = [
        [None, Some(after)],
        [Some(before), None],
        [Some(Dependency { dst_access: TRANSFER_READ, ..before }), Some(after)],
        [Some(Dependency { dst_stages: COPY, ..before }), Some(after)],
        [Some(before), Some(Dependency { src_access: DECOMPRESSION_READ, ..after })],
        [Some(before), Some(Dependency { src_access: MEMORY_READ, ..after })],
    ];
    for barriers in cases {
        let found = found(barriers);
        assert_eq!(found.len(), 1, "{barriers:?}: {found:?}");
        assert!(found[0].contains("`vkCmdDecompressMemoryEXT`"), "{}", found[0]);
    }
}

/// Zeros are blocks without bytes: one page of many takes longer than the budget.
#[test]
fn endless_pages_exceed_the_budget() {
    let budget = Duration::from_millis(50);
    let device = Device::new(DeviceOptions { budget, ..DeviceOptions::default() }).unwrap();
    let size = 1 << 28;
    let (src, dst) = (buffer(&device, size), buffer(&device, 4));
    let mut c = device.create_command_buffer();
    let all = vec![region(&src, size, &dst, 4); 1000];
    c.decompress_memory(&all).end().unwrap();
    let lost = device.queue().run(&c);
    assert!(matches!(&lost, Err(Error::DeviceLost(why)) if why.contains("decompress_memory")), "{lost:?}");
}

/// Regions and their number are in memory; the regions end with the buffer.
#[test]
fn regions_in_memory_end_with_their_buffer() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let page = asset("short_9.gdeflate");
    let (src, dst) = (buffer(&device, 256), buffer(&device, 700 * 40));
    src.write(0, &page).unwrap();
    let address = |i: u64| dst.device_address().unwrap() + 40 * i;
    let words = |i| [src.device_address().unwrap(), address(i), 256, 40];
    let words: Vec<u64> = (0..700).flat_map(words).collect();
    let parameters = device.create_buffer_with(&words, BufferUsage::INDIRECT).unwrap();
    let count = device.create_buffer_with(&[u32::MAX], BufferUsage::INDIRECT).unwrap();
    let mut c = device.create_command_buffer();
    c.decompress_memory_indirect_count((&parameters, 32), (&count, 0), 1 << 20, 32, false).end().unwrap();
    device.queue().run(&c).unwrap();
    let mut expected = vec![0; 40];
    (1..700).for_each(|_| expected.extend(&asset("prose.txt")[..40]));
    assert!(dst.read::<u8>(0, 700 * 40).unwrap() == expected);
    // Inside of rendering, and with a number outside of its buffer.
    let mut c = device.create_command_buffer();
    assert!(c.decompress_memory_indirect_count((&parameters, 0), (&count, 4), 1, 32, false).end().is_err());
}
