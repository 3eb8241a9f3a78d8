//! Advice about the memory of large lists. Allocation is left to the standard library.
#![cfg_attr(target_os = "linux", expect(unsafe_code, reason = "advises the kernel"))]

/// Asks the system for huge pages in the unused room of a list. Builders fill hundreds of megabytes once, and clearing
/// them in pages of 4 KiB takes up to a third of the time of a fast build; rays read them in any order.
#[cfg(target_os = "linux")]
pub fn prefer_huge<T>(list: &mut Vec<T>) {
    use rustix::mm::{Advice, madvise};
    /// Size and alignment of huge pages of x86-64, and of others with pages of 4 KiB.
    const HUGE: usize = 2 << 20;
    let room = list.spare_capacity_mut().as_mut_ptr_range();
    let skipped = room.start.addr().next_multiple_of(HUGE) - room.start.addr();
    let bytes = room.end.addr() - room.start.addr();
    let len = bytes.saturating_sub(skipped) / HUGE * HUGE;
    if len > 0 {
        // SAFETY: `skipped + len <= bytes`, so the pages are part of the room of the list. The advice changes no byte. Pages
        // have the usual size if the system does not follow it.
        let _ = unsafe { madvise(room.start.byte_add(skipped).cast(), len, Advice::LinuxHugepage) };
    }
}

/// Does nothing: other systems choose the sizes of pages themselves.
#[cfg(not(target_os = "linux"))]
pub fn prefer_huge<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_any_size_keep_their_items() {
        for room in [0, 1, 5 << 20, 9 << 20] {
            let mut list = Vec::with_capacity(room);
            list.extend_from_slice(&[7u8; 3]);
            prefer_huge(&mut list);
            list.resize(room.max(3), 9);
            prefer_huge(&mut list);
            assert_eq!(list.len(), room.max(3));
            assert!(list[..3] == [7; 3] && list[3..].iter().all(|&byte| byte == 9));
        }
    }
}
