//! Look-up of commands by name, with the commands that look up. The index of names is built when the driver is compiled,
//! because a loader looks up some hundred names before an application can begin.

use std::ffi::{CStr, c_char};

use ash::vk;

use super::initial::{create_instance, enumerate_instance_extension_properties};
use crate::capabilities::identity::identity;
use crate::device::Device;
use crate::device::instance::Instance;
use crate::interface::guard::commands;
use crate::interface::handle::get_opt;
use crate::registry::extensions::Offer;
use crate::registry::row::{Extension, Function, Kind, Level, Row, Version};
use crate::table::{NOT_PROMOTED, OWN_SUFFIX, ROWS};

/// A command found by name.
pub struct Command<'a> {
    /// Type of the command's first argument.
    pub level: Level,
    /// The function.
    pub function: Function,
    /// The name to find in the table; `None` for a command outside of it, which is one of Vulkan 1.0.
    name: Option<Name<'a>>,
}

/// A version or extension that makes a command available; any one of a command's gates suffices.
#[derive(Clone, Copy, Debug)]
enum Gate {
    Core(Version),
    Extension(Kind, Extension),
}

impl<'a> Command<'a> {
    /// `true` if `vkGetInstanceProcAddr` returns the command for an instance with these extensions.
    pub fn open_for_instance(&self, offer: &Offer, enabled: &[Extension]) -> bool {
        self.gates().any(|gate| match gate {
            Gate::Core(version) => offer.has(version),
            Gate::Extension(Kind::Instance, name) => enabled.contains(&name),
            Gate::Extension(_, name) => !offer.hidden.contains(&name),
        })
    }

    /// `true` if `vkGetDeviceProcAddr` returns the command for a device with these extensions. Commands of versions
    /// later than the application's are not returned (VK_KHR_maintenance5).
    pub fn open_for_device(&self, offer: &Offer, application: u32, enabled: &[Extension]) -> bool {
        let offer = Offer { version: offer.version.min(application), ..*offer };
        self.gates().any(|gate| match gate {
            Gate::Core(version) => offer.has(version),
            Gate::Extension(_, name) => enabled.contains(&name),
        })
    }

    fn gates(&self) -> impl Iterator<Item = Gate> + use<'a> {
        let first = self.name.is_none().then_some(Gate::Core((1, 0)));
        let rows = self.name.into_iter().flat_map(entries).filter_map(|entry| match entry {
            Entry { row, suffixed: true, .. } => Some(Gate::Extension(row.kind, row.name)),
            Entry { row, .. } => row.core.map(Gate::Core),
        });
        first.into_iter().chain(rows)
    }
}

/// Commands that use the table themselves, and cannot be in it for this reason; all are of Vulkan 1.0.
const INITIAL: [(&CStr, Level, Function); 4] = {
    use std::mem::transmute;
    // SAFETY: all types are function pointers; callers convert the pointers back to the commands' types before they
    // call them.
    let [instance, device, create, extensions] = unsafe {
        [
            transmute::<vk::PFN_vkGetInstanceProcAddr, Function>(get_instance_proc_addr),
            transmute::<vk::PFN_vkGetDeviceProcAddr, Function>(get_device_proc_addr),
            transmute::<vk::PFN_vkCreateInstance, Function>(create_instance),
            transmute::<vk::PFN_vkEnumerateInstanceExtensionProperties, Function>(
                enumerate_instance_extension_properties,
            ),
        ]
    };
    [
        (c"vkGetInstanceProcAddr", Level::Global, instance),
        (c"vkGetDeviceProcAddr", Level::Device, device),
        (c"vkCreateInstance", Level::Global, create),
        (c"vkEnumerateInstanceExtensionProperties", Level::Global, extensions),
    ]
};

/// Looks a command up as `vkGetInstanceProcAddr` defines.
///
/// # Safety
/// `instance` is null or a live instance.
unsafe fn instance_command(instance: vk::Instance, name: &CStr) -> vk::PFN_vkVoidFunction {
    let command = command(name)?;
    // SAFETY: the caller promises a live instance or null.
    let Some(instance) = (unsafe { get_opt::<Instance>(instance) }) else {
        return (command.level == Level::Global).then_some(command.function);
    };
    let open = command.open_for_instance(&instance.offer, &instance.extensions);
    open.then_some(command.function)
}

commands! {
    fn get_instance_proc_addr(instance: vk::Instance, name: *const c_char) -> vk::PFN_vkVoidFunction {
        instance_command(instance, CStr::from_ptr(name))
    }

    fn get_device_proc_addr(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
        let command = command(CStr::from_ptr(name))?;
        let device = get_opt::<Device>(device)?;
        let version = match identity().commands_of_all_versions {
            true => device.offer.version,
            false => device.api_version,
        };
        let open = command.open_for_device(&device.offer, version, &device.enabled);
        (command.level == Level::Device && open).then_some(command.function)
    }
}

/// Finds a command by its name.
pub fn command(name: &CStr) -> Option<Command<'_>> {
    let hashed = Name::new(name.to_bytes());
    if let Some(entry) = entries(hashed).next() {
        return Some(Command { level: entry.level, function: entry.function, name: Some(hashed) });
    }
    let &(_, level, function) = INITIAL.iter().find(|(initial, ..)| *initial == name)?;
    Some(Command { level, function, name: None })
}

/// A name to look up.
#[derive(Clone, Copy)]
struct Name<'a> {
    bytes: &'a [u8],
    hash: u32,
}

impl Name<'_> {
    fn new(bytes: &[u8]) -> Name<'_> {
        Name { bytes, hash: hash(bytes) }
    }
}

/// A command of a row, under the name that the row gives it.
#[derive(Clone, Copy)]
struct Entry {
    row: &'static Row,
    level: Level,
    function: Function,
    /// `true` if the name has the suffix of the row's extension.
    suffixed: bool,
}

/// Returns the entries of a name.
fn entries(name: Name<'_>) -> impl Iterator<Item = Entry> + use<'_> {
    let slots = (0..SLOTS).map(move |i| INDEX[(name.hash as usize + i) % SLOTS]).map_while(|slot| slot);
    slots.filter(move |slot| slot.tag == tag(name.hash)).filter_map(move |slot| {
        let row = &ROWS[slot.row as usize];
        let (level, pfn, function) = ROWS[slot.of as usize].commands[slot.command as usize];
        let rest = name.bytes.strip_prefix(base_name(pfn).as_bytes())?;
        // Comparing an empty slice with a dangling address would take as long as the rest of the look-up.
        let same = if slot.suffixed { rest == suffix_of(pfn, row.name).as_bytes() } else { rest.is_empty() };
        same.then_some(Entry { row, level, function, suffixed: slot.suffixed })
    })
}

/// Number of slots of the index; more than half of them are empty.
const SLOTS: usize = 4096;

/// An entry in compact form.
#[derive(Clone, Copy)]
struct Slot {
    /// Part of the name's hash, so that few other names are compared.
    tag: u16,
    row: u16,
    /// Row that lists the command, and index of the command in it.
    of: u16,
    command: u16,
    /// `true` if the name has the suffix of the row's extension.
    suffixed: bool,
}

/// Hash table with linear probing: the entries of a name follow the slot of its hash, up to an empty slot.
static INDEX: [Option<Slot>; SLOTS] = index();

const fn index() -> [Option<Slot>; SLOTS] {
    let mut index = [None; SLOTS];
    let mut filled = 0;
    let mut r = 0;
    while r < ROWS.len() {
        filled += enter_commands(&mut index, r, r);
        let mut i = 0;
        while i < ROWS[r].commands_of.len() {
            filled += enter_commands(&mut index, r, find_row(ROWS[r].commands_of[i]));
            i += 1;
        }
        r += 1;
    }
    assert!(filled <= SLOTS / 2, "the index of commands needs more slots");
    index
}

/// Enters the commands listed in row `of` as commands of row `r`; returns the number of entries.
const fn enter_commands(index: &mut [Option<Slot>; SLOTS], r: usize, of: usize) -> usize {
    let row = &ROWS[r];
    let (mut filled, mut c) = (0, 0);
    while c < ROWS[of].commands.len() {
        let pfn = ROWS[of].commands[c].1;
        let base = base_name(pfn);
        let mut slot = Slot { tag: 0, row: r as u16, of: of as u16, command: c as u16, suffixed: false };
        if row.core.is_some() && !stays_behind(base) {
            enter(index, slot, base, "");
            filled += 1;
        }
        if !matches!(row.kind, Kind::Version) {
            slot.suffixed = true;
            enter(index, slot, base, suffix_of(pfn, row.name));
            filled += 1;
        }
        c += 1;
    }
    filled
}

/// Returns the row of an extension.
const fn find_row(name: &str) -> usize {
    let mut r = 0;
    while r < ROWS.len() {
        if same(ROWS[r].name.as_bytes(), name.as_bytes()) {
            return r;
        }
        r += 1;
    }
    panic!("commands of an extension without a row")
}

/// Stores an entry in the first empty slot for a name, which is given in two parts.
const fn enter(index: &mut [Option<Slot>; SLOTS], slot: Slot, base: &str, suffix: &str) {
    let mut name = [0; 128];
    let (start, rest) = name.split_at_mut(base.len());
    start.copy_from_slice(base.as_bytes());
    rest.split_at_mut(suffix.len()).0.copy_from_slice(suffix.as_bytes());
    let hash = hash(name.split_at(base.len() + suffix.len()).0);
    let mut at = hash as usize % SLOTS;
    while index[at].is_some() {
        at = (at + 1) % SLOTS;
    }
    index[at] = Some(Slot { tag: tag(hash), ..slot });
}

/// Hashes a name, eight bytes at a time.
const fn hash(mut name: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = name.len() as u64;
    while let Some((eight, rest)) = name.split_first_chunk() {
        hash = (hash ^ u64::from_le_bytes(*eight)).wrapping_mul(FACTOR).rotate_left(29);
        name = rest;
    }
    while let Some((&one, rest)) = name.split_first() {
        hash = (hash ^ one as u64).wrapping_mul(FACTOR).rotate_left(29);
        name = rest;
    }
    (hash ^ hash >> 32) as u32
}

const fn tag(hash: u32) -> u16 {
    (hash >> 16) as u16
}

/// Returns the suffix of an extension's command. A vendor's commands in another extension keep the vendor's suffix.
const fn suffix_of<'a>(pfn: &str, extension: &'a str) -> &'a str {
    if ends_with(pfn.as_bytes(), VENDOR.as_bytes()) {
        VENDOR
    } else if is_among(base_name(pfn), OWN_SUFFIX) {
        "EXT"
    } else {
        suffix(extension)
    }
}

/// The only vendor suffix in the table.
const VENDOR: &str = "NV";

const fn stays_behind(base: &str) -> bool {
    is_among(base, NOT_PROMOTED)
}

const fn is_among(base: &str, list: &[&str]) -> bool {
    let mut i = 0;
    while i < list.len() {
        if same(base.as_bytes(), list[i].as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    ends_with(a, b) && a.len() == b.len()
}

const fn ends_with(text: &[u8], end: &[u8]) -> bool {
    let Some(rest) = text.len().checked_sub(end.len()) else { return false };
    let mut i = 0;
    while i < end.len() {
        if text[rest + i] != end[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns the name of a command without suffix, from the name of its function pointer type.
const fn base_name(pfn: &str) -> &str {
    const PREFIX: usize = "PFN_".len();
    let (_, name) = pfn.split_at(PREFIX);
    let suffixes = ["KHR", "EXT", VENDOR];
    let mut i = 0;
    while i < suffixes.len() {
        if ends_with(name.as_bytes(), suffixes[i].as_bytes()) {
            return name.split_at(name.len() - suffixes[i].len()).0;
        }
        i += 1;
    }
    name
}

/// Returns the suffix of an extension's commands: the part between the first two underscores of its name.
const fn suffix(extension: &str) -> &str {
    const PREFIX: usize = "VK_".len();
    let (_, rest) = extension.split_at(PREFIX);
    let mut end = 0;
    while end < rest.len() && rest.as_bytes()[end] != b'_' {
        end += 1;
    }
    rest.split_at(end).0
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use super::*;

    /// Looks up a name that has no zero byte.
    fn find(name: &str) -> Option<Function> {
        command(&CString::new(name).unwrap()).map(|c| c.function)
    }

    const ALL: Offer = Offer { version: vk::make_api_version(0, 1, 4, 0), hidden: &[], rows: ROWS };

    #[test]
    fn commands_have_the_specifications_names() {
        for name in ["vkCmdDraw", "vkCreateRenderPass2", "vkCreateRenderPass2KHR", "vkCmdSetLineStippleEXT"] {
            assert!(find(name).is_some(), "{name}");
        }
        let vendors = command(c"vkCmdSetViewportSwizzleNV").unwrap();
        assert!(vendors.open_for_device(&ALL, ALL.version, &["VK_EXT_shader_object"]));
        assert!(!vendors.open_for_device(&ALL, ALL.version, &["VK_EXT_extended_dynamic_state3"]));
        for name in [
            "",
            "vkCmdSetViewportSwizzleEXT",
            "PFN_vkCmdDraw",
            "vkCmdDrawKHR",
            "vkCmdSetLogicOp",
            "vkCmdSetPatchControlPoints",
        ] {
            assert!(find(name).is_none(), "{name}");
        }
    }

    #[test]
    fn commands_of_promoted_extensions_open_by_either_name() {
        let (core, khr) = (command(c"vkQueueSubmit2").unwrap(), command(c"vkQueueSubmit2KHR").unwrap());
        let old = Offer { version: vk::API_VERSION_1_2, ..ALL };
        assert!(core.open_for_device(&ALL, vk::API_VERSION_1_3, &[]));
        assert!(!core.open_for_device(&ALL, vk::API_VERSION_1_2, &[]), "later than the application");
        assert!(!core.open_for_device(&old, vk::API_VERSION_1_3, &[]), "later than the device");
        assert!(!khr.open_for_device(&ALL, vk::API_VERSION_1_3, &[]));
        assert!(khr.open_for_device(&old, vk::API_VERSION_1_0, &["VK_KHR_synchronization2"]));
    }

    /// Compares the index with a linear search of the rows.
    #[test]
    fn the_index_has_every_name_of_every_row() {
        for row in ROWS {
            let of = |name: &&str| ROWS.iter().find(|other| other.name == *name).unwrap().commands;
            let shared = row.commands_of.iter().flat_map(of);
            for &(level, pfn, function) in row.commands.iter().chain(shared) {
                let base = pfn.strip_prefix("PFN_").unwrap();
                let base = ["KHR", "EXT", "NV"].iter().find_map(|s| base.strip_suffix(s)).unwrap_or(base);
                let mut names = Vec::new();
                if row.kind != Kind::Version {
                    let suffix = row.name.split('_').nth(1).unwrap();
                    let suffix = match () {
                        () if pfn.ends_with("NV") => "NV",
                        () if OWN_SUFFIX.contains(&base) => "EXT",
                        () => suffix,
                    };
                    names.push(format!("{base}{suffix}"));
                }
                if row.core.is_some() && !NOT_PROMOTED.contains(&base) {
                    names.push(base.to_string());
                }
                for name in names {
                    let found = entries(Name::new(name.as_bytes()))
                        .any(|e| std::ptr::eq(e.row, row) && std::ptr::fn_addr_eq(e.function, function));
                    assert!(found && find(&name).is_some(), "{name}");
                    assert_eq!(command(&CString::new(name).unwrap()).unwrap().level, level);
                }
            }
        }
    }
}
