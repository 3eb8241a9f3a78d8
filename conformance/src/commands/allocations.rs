//! `allocations`: makes as many allocations of device memory as the limit allows, and frees them again.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use quadrille::{Device, DeviceOptions, LIMITS, Memory};
use quadrille_jit::guarded;

/// Number and size of the allocations.
#[derive(Args)]
pub struct Options {
    /// Number of allocations
    #[arg(long, default_value_t = LIMITS.max_memory_allocation_count)]
    count: u32,
    /// Bytes of each allocation
    #[arg(long, default_value_t = 1024)]
    size: u64,
    /// Free the allocations in the order of their creation, instead of every second one first
    #[arg(long)]
    in_order: bool,
}

/// Number of mappings, and resident MiB, of this process.
fn state() -> (usize, u64) {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default().lines().count();
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
    (maps, (pages * 4096) >> 20)
}

/// Makes, writes and frees the allocations, and prints the cost. Fails if an allocation fails or is not zero, or if
/// memory remains in use.
pub fn run(options: &Options) -> ExitCode {
    // With guard pages, each allocation would have its own mappings.
    guarded::enable(guarded::Mode::Off);
    match make_and_free(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn make_and_free(options: &Options) -> Result<(), String> {
    let device = Device::new(DeviceOptions::default()).map_err(|e| e.to_string())?;
    let (_, before) = state();
    let start = Instant::now();
    let mut all = Vec::new();
    for i in 0..options.count {
        let memory = device.allocate(options.size).map_err(|e| format!("allocation {i}: {e}"))?;
        all.push(memory);
    }
    let made = start.elapsed() / options.count.max(1);
    for (i, memory) in all.iter().enumerate() {
        let word: Vec<u8> = memory.read(options.size - 1, 1).map_err(|e| e.to_string())?;
        if word != [0] {
            return Err(format!("allocation {i} is not zero"));
        }
        memory.write(options.size - 1, &[1u8]).map_err(|e| e.to_string())?;
    }
    let (maps, most) = state();
    println!(
        "{} allocations of {} bytes: {made:?} each, {maps} mappings, {most} MiB",
        options.count, options.size
    );
    let start = Instant::now();
    if !options.in_order {
        let (even, odd): (Vec<_>, Vec<_>) = all.drain(..).enumerate().partition(|(i, _)| i % 2 == 0);
        let without = |list: Vec<(usize, Memory)>| list.into_iter().map(|(_, m)| m);
        all = without(odd).chain(without(even)).collect();
    }
    all.into_iter().for_each(drop);
    let freed = start.elapsed() / options.count.max(1);
    let (maps, after) = state();
    println!("freed: {freed:?} each, {maps} mappings, {after} MiB, {} bytes in use", device.heap_used());
    // The host's allocator keeps some of the memory of the handles.
    let kept = after.saturating_sub(before);
    if device.heap_used() != 0 || kept > 64 + most / 4 {
        return Err(format!("{kept} MiB stay"));
    }
    Ok(())
}
