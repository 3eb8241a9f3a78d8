//! C structures: chains, arrays, strings, and the two-call idiom of queries.

use std::ffi::{CStr, c_char, c_void};

use ash::prelude::VkResult;
use ash::vk;
use ash::vk::TaggedStructure;

use crate::newer::{PhysicalDeviceLayeredApiPropertiesListKHR, PhysicalDeviceVulkan14Properties};

/// Returns the first structure of type `T` in an input chain.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn find<'a, T: TaggedStructure>(next: *const c_void) -> Option<&'a T> {
    let mut p = next.cast::<vk::BaseInStructure<'a>>();
    while !p.is_null() {
        // SAFETY: the caller promises a valid chain, so each element begins with `sType` and `pNext`. A structure with
        // the type of `T` is a `T`.
        unsafe {
            if (*p).s_type == T::STRUCTURE_TYPE {
                return Some(&*p.cast::<T>());
            }
            p = (*p).p_next;
        }
    }
    None
}

/// Returns all structures of type `T` in an input chain.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn all<'a, T: TaggedStructure>(mut next: *const c_void) -> Vec<&'a T> {
    let mut found = Vec::new();
    // SAFETY: the caller promises a valid chain, of which `next` starts a part.
    while let Some(one) = unsafe { find::<T>(next) } {
        found.push(one);
        // SAFETY: structures of a chain begin with `sType` and `pNext`.
        next = unsafe { (*std::ptr::from_ref(one).cast::<vk::BaseInStructure<'a>>()).p_next.cast() };
    }
    found
}

/// A structure in an output chain.
pub struct Link {
    at: *mut vk::BaseOutStructure<'static>,
    /// `true` once [`Self::fill`] has cleared the structure.
    cleared: bool,
}

/// Structures with members that the application sets: arrays for the answer, and their lengths.
pub const WITH_ARRAYS: [vk::StructureType; 3] = [
    vk::PhysicalDeviceHostImageCopyPropertiesEXT::STRUCTURE_TYPE,
    PhysicalDeviceVulkan14Properties::STRUCTURE_TYPE,
    PhysicalDeviceLayeredApiPropertiesListKHR::STRUCTURE_TYPE,
];

impl Link {
    /// Type of the structure.
    pub fn structure(&self) -> vk::StructureType {
        // SAFETY: `each`, the only constructor of links, passes valid elements of a chain.
        unsafe { (*self.at).s_type }
    }

    /// As [`Self::get`], for features and properties. The first call sets all members to 0, so that a member that nobody writes
    /// does not keep the bytes of the application.
    pub fn fill<T: TaggedStructure>(&mut self) -> Option<&mut T> {
        const HEADER: usize = size_of::<vk::BaseOutStructure>();
        let clear = !self.cleared && !WITH_ARRAYS.contains(&T::STRUCTURE_TYPE);
        let found = self.get::<T>().map(std::ptr::from_mut)?;
        if clear {
            // SAFETY: `found` is a structure of this size, whose members behind the header are numbers.
            unsafe { found.cast::<u8>().add(HEADER).write_bytes(0, size_of::<T>() - HEADER) };
            self.cleared = true;
        }
        self.get()
    }

    /// Returns the structure as `T`, if it is one.
    pub fn get<T: TaggedStructure>(&mut self) -> Option<&mut T> {
        // SAFETY: `each`, the only constructor of links, passes valid elements of a chain; a structure with the type of
        // `T` is a `T`.
        unsafe { ((*self.at).s_type == T::STRUCTURE_TYPE).then(|| &mut *self.at.cast::<T>()) }
    }
}

/// Visits every structure of an output chain.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn each(next: *mut c_void, mut visit: impl FnMut(&mut Link)) {
    let mut p = next.cast::<vk::BaseOutStructure<'static>>();
    while !p.is_null() {
        visit(&mut Link { at: p, cleared: false });
        // SAFETY: the caller promises a valid chain, so each element begins with `sType` and `pNext`.
        p = unsafe { (*p).p_next };
    }
}

/// Converted elements of a C array. The few elements of a typical command need no allocation.
pub type Few<T> = smallvec::SmallVec<[T; 4]>;

/// `few!(NAME = ITERATOR)` collects elements into a local [`Few`]. A macro, because returning one from a function would
/// move it.
macro_rules! few {
    ($name:ident = $elements:expr) => {
        let elements = $elements;
        let mut $name = $crate::interface::chain::Few::new();
        $name.extend(elements);
    };
}
pub(crate) use few;

/// Returns a C array; empty when null.
///
/// # Safety
/// `data` is null or has `n` elements.
pub unsafe fn slice<'a, T>(data: *const T, n: u32) -> &'a [T] {
    if data.is_null() || n == 0 {
        return &[];
    }
    // SAFETY: `data` is not null, so the caller promises `n` elements.
    unsafe { std::slice::from_raw_parts(data, n as usize) }
}

/// Returns a C array that is written to; empty when null.
///
/// # Safety
/// `data` is null or has `n` valid elements, which nothing else uses for the lifetime of the result.
pub unsafe fn slice_mut<'a, T>(data: *mut T, n: u32) -> &'a mut [T] {
    if data.is_null() || n == 0 {
        return &mut [];
    }
    // SAFETY: the caller promises `n` valid elements that nothing else uses.
    unsafe { std::slice::from_raw_parts_mut(data, n as usize) }
}

/// Returns the elements of a C array, or of an array of pointers to elements if the first is null.
///
/// # Safety
/// One of the arrays has `n` elements, and the pointers are valid; or both are null.
pub unsafe fn slice_or_pointers<'a, T: 'a>(
    data: *const T,
    pointers: *const *const T,
    n: u32,
) -> impl Iterator<Item = &'a T> {
    // SAFETY: an array that is not null has the `n` elements that the caller promises.
    let (data, pointers) = unsafe { (slice(data, n), slice(pointers, n)) };
    let pointers = if data.is_empty() { pointers } else { &[] };
    // SAFETY: the caller promises valid pointers.
    data.iter().chain(pointers.iter().map(|&one| unsafe { &*one }))
}

/// Returns a C string; empty when null or not UTF-8.
///
/// # Safety
/// `text` is null or ends with a zero byte.
pub unsafe fn text<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    // SAFETY: `text` is not null, so the caller promises a zero byte at its end.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("")
}

/// Answers a query by the two-call idiom.
///
/// # Safety
/// `count` is valid; `out` is null or has room for `*count` elements.
pub unsafe fn enumerate<T: Copy>(items: &[T], count: *mut u32, out: *mut T) -> VkResult<()> {
    // SAFETY: the caller promises the conditions of `enumerate_from`, which are the same.
    unsafe { enumerate_from(items.len(), items.iter().copied(), count, out) }
}

/// Answers a query for data, which is written whole or, where it does not fit, not at all.
///
/// # Safety
/// `size` is valid; `out` is null or has room for `*size` bytes.
pub unsafe fn write_whole(data: &[u8], size: *mut usize, out: *mut c_void) -> VkResult<()> {
    // SAFETY: the caller promises that `size` is valid and that `out`, if not null, has room for `*size` bytes, which are
    // at least as many as are copied.
    unsafe {
        if !out.is_null() && *size < data.len() {
            *size = 0;
            return Err(vk::Result::INCOMPLETE);
        }
        if !out.is_null() {
            std::ptr::copy_nonoverlapping(data.as_ptr(), out.cast(), data.len());
        }
        *size = data.len();
    }
    Ok(())
}

/// Answers a query by the two-call idiom with `n` values that an iterator produces.
///
/// # Safety
/// `count` is valid; `out` is null or has room for `*count` elements.
pub unsafe fn enumerate_from<T: Copy>(
    n: usize,
    items: impl Iterator<Item = T>,
    count: *mut u32,
    out: *mut T,
) -> VkResult<()> {
    // SAFETY: the caller promises that `count` is valid and that `out`, if not null, has room for `*count` elements.
    unsafe {
        if out.is_null() {
            *count = n as u32;
            return Ok(());
        }
        let given = n.min(*count as usize);
        for (i, item) in items.take(given).enumerate() {
            out.add(i).write(item);
        }
        *count = given as u32;
        if given < n { Err(vk::Result::INCOMPLETE) } else { Ok(()) }
    }
}

/// Answers a query by the two-call idiom with extensible structures: `write` sets the members of one.
///
/// # Safety
/// `count` is valid; `out` is null or has `*count` initialized elements.
pub unsafe fn enumerate_with<T>(
    n: usize,
    count: *mut u32,
    out: *mut T,
    mut write: impl FnMut(usize, &mut T),
) -> VkResult<()> {
    // SAFETY: the caller promises that `count` is valid and that `out`, if not null, has `*count` initialized elements.
    unsafe {
        if out.is_null() {
            *count = n as u32;
            return Ok(());
        }
        let given = n.min(*count as usize);
        for i in 0..given {
            write(i, &mut *out.add(i));
        }
        *count = given as u32;
        if given < n { Err(vk::Result::INCOMPLETE) } else { Ok(()) }
    }
}

/// Copies a string into a fixed array, truncated to the whole characters that fit; the last byte is always zero.
pub fn fixed<const N: usize>(text: &str) -> [c_char; N] {
    let mut out = [0; N];
    // Readers may refuse bytes that are not UTF-8.
    let end = text.floor_char_boundary(N.saturating_sub(1));
    for (to, from) in out.iter_mut().zip(text.bytes().take(end)) {
        *to = from as c_char;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_searched_and_filled() {
        let mut a = vk::PhysicalDeviceMultiviewFeatures::default();
        let mut b = vk::PhysicalDeviceSynchronization2Features::default();
        let f = vk::PhysicalDeviceFeatures2::default().push_next(&mut a).push_next(&mut b);
        // SAFETY: the chain consists of live local structures.
        unsafe {
            assert!(find::<vk::PhysicalDeviceMultiviewFeatures>(f.p_next).is_some());
            assert!(find::<vk::PhysicalDeviceSubgroupProperties>(f.p_next).is_none());
            each(f.p_next, |link| {
                if let Some(p) = link.get::<vk::PhysicalDeviceSynchronization2Features>() {
                    p.synchronization2 = vk::TRUE;
                }
            });
        }
        assert_eq!((a.multiview, b.synchronization2), (vk::FALSE, vk::TRUE));
    }

    #[test]
    fn queries_in_two_calls() {
        let (mut count, mut out) = (0, [0; 2]);
        // SAFETY: `out` has room for two elements, and `count` is at most two.
        unsafe {
            assert_eq!(enumerate(&[7, 8, 9], &mut count, std::ptr::null_mut()), Ok(()));
            assert_eq!(count, 3);
            count = 2;
            let result = enumerate(&[7, 8, 9], &mut count, out.as_mut_ptr());
            assert_eq!((result, count, out), (Err(vk::Result::INCOMPLETE), 2, [7, 8]));
        }
    }

    #[test]
    fn strings_are_cut_and_ended() {
        assert_eq!(fixed::<4>("abcdef"), [b'a', b'b', b'c', 0].map(|c| c as c_char));
        assert_eq!(fixed::<4>("ab\u{e9}"), [b'a', b'b', 0, 0].map(|c| c as c_char));
        assert_eq!(fixed::<4>("ab"), [b'a', b'b', 0, 0].map(|c| c as c_char));
        // SAFETY: the argument is null or a C string.
        unsafe {
            assert_eq!(text(std::ptr::null()), "");
            assert_eq!(text(c"main".as_ptr()), "main");
        }
    }
}
