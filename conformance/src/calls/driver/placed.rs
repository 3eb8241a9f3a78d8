//! Maps of memory at addresses of the program: new maps, maps that move, and their ends.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;
use quadrille_jit::sys::memory::{self, Backing};

use super::super::model::Range;
use super::{Mem, UNFOLLOWED, World};

/// `true` if the driver maps memory at addresses of the program.
pub(super) const OFFERED: bool = quadrille::PLACED_MAPS;

/// Addresses that the program owns. The owner gives them back, unless the driver has done so by the end of a map.
pub(super) struct Place {
    at: *mut u8,
    len: usize,
}

impl Place {
    /// Reserves addresses for `len` bytes, a multiple of the alignment; none if the host has none.
    pub(super) fn new(len: u64) -> Option<Place> {
        let len = usize::try_from(len).ok()?;
        memory::map(len, Backing::Inaccessible).ok().map(|at| Place { at, len })
    }

    fn give_back(self) {
        // SAFETY: the addresses were reserved by `new`, and their map has ended with the flag that keeps them reserved.
        let _ = unsafe { memory::unmap(self.at, self.len) };
    }
}

/// The alignment of places: every host's pages divide it.
pub(super) const ALIGNMENT: u64 = 65_536;

impl World<'_> {
    /// Maps memory at a place.
    pub(super) fn map_at(&mut self, memory: vk::DeviceMemory, place: &Place) -> Option<*mut u8> {
        let maps = &self.shared.client.tools.maps;
        let mut where_to =
            vk::MemoryMapPlacedInfoEXT { p_placed_address: place.at.cast(), ..Default::default() };
        let info = vk::MemoryMapInfoKHR::default()
            .flags(vk::MemoryMapFlags::PLACED_EXT)
            .memory(memory)
            .size(vk::WHOLE_SIZE)
            .push_next(&mut where_to);
        let mut at = std::ptr::null_mut();
        // SAFETY: the memory is host-visible and not mapped, its size is a multiple of the alignment, and the program owns
        // the addresses.
        let mapped = unsafe { (maps.fp().map_memory2_khr)(maps.device(), &info, &mut at) };
        self.judge("maps at places", mapped.result())?;
        if at != place.at.cast() {
            self.fail(format!("memory is mapped at {at:p}, not at {:p}", place.at));
        }
        Some(at.cast())
    }

    /// Ends the map of memory. Returns `false` if it has not ended. With `reserve`, the program keeps its addresses.
    fn unmap(&mut self, memory: vk::DeviceMemory, reserve: bool) -> bool {
        let maps = &self.shared.client.tools.maps;
        let mut info = vk::MemoryUnmapInfoKHR::default().memory(memory);
        if reserve {
            info.flags = vk::MemoryUnmapFlagsKHR::RESERVE_EXT;
        }
        // SAFETY: the memory is mapped, and nothing uses its addresses.
        let ended = unsafe { (maps.fp().unmap_memory2_khr)(maps.device(), &info) };
        self.judge("vkUnmapMemory2KHR", ended.result()).is_some()
    }

    /// Ends the map of some memory and maps it again, at the same or at another place. The bytes stay.
    pub(super) fn move_map(&mut self) {
        let placed: Vec<usize> =
            (0..self.memories.len()).filter(|&i| self.memories[i].place.is_some()).collect();
        let Some(i) = self.index(placed.len()).map(|k| placed[k]) else { return };
        self.wait_all();
        let memory = self.memories[i].memory;
        let Some(mut place) = self.memories[i].place.take() else { return };
        if !self.unmap(memory, true) {
            return;
        }
        if self.r.one_in(2)
            && let Some(other) = Place::new(place.len as u64)
        {
            std::mem::replace(&mut place, other).give_back();
        }
        let Some(mapped) = self.map_at(memory, &place) else { return };
        let of = &mut self.memories[i];
        (of.mapped, of.place) = (mapped, Some(place));
        if of.number != UNFOLLOWED {
            let range = Range { memory: of.number, at: 0, size: of.size };
            self.compare(range);
        }
    }

    /// Ends the map of memory that is freed next, or leaves that to the free.
    pub(super) fn leave(&mut self, of: &mut Mem) {
        let Some(place) = of.place.take() else { return };
        match self.r.below(3) {
            0 if self.unmap(of.memory, true) => place.give_back(),
            // The driver gives the addresses back.
            1 => drop(self.unmap(of.memory, false)),
            _ => {}
        }
    }
}
