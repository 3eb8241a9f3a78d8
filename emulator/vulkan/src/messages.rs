//! Messages to the application: who listens, and how they are told. What applications call is in `debug_utils`.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use ash::vk;
use quadrille::check::{self, Level};

/// What a messenger is told, and by which function.
#[derive(Clone, Copy)]
pub struct Listener {
    /// A number of its own.
    pub number: u64,
    /// What it is told.
    pub severities: vk::DebugUtilsMessageSeverityFlagsEXT,
    /// Likewise.
    pub types: vk::DebugUtilsMessageTypeFlagsEXT,
    /// Whom it tells.
    pub callback: vk::PFN_vkDebugUtilsMessengerCallbackEXT,
    /// An address, which is handed back and not looked at.
    pub user_data: usize,
}

/// An object that a message is about.
pub struct About {
    /// Its type.
    pub ty: vk::ObjectType,
    /// Its handle.
    pub raw: u64,
    /// What the application calls it.
    pub name: Option<Box<str>>,
}

impl fmt::Display for About {
    /// `VkDeviceMemory 0x5581 "textures"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ty = format!("{:?}", self.ty);
        f.write_str("Vk")?;
        for word in ty.split('_') {
            match word {
                "KHR" | "EXT" => f.write_str(word)?,
                _ => {
                    let (first, rest) = word.split_at(word.len().min(1));
                    write!(f, "{first}{}", rest.to_lowercase())?;
                }
            }
        }
        write!(f, " {:#x}", self.raw)?;
        self.name.iter().try_for_each(|name| write!(f, " {name:?}"))
    }
}

/// By number: in the order in which they came.
static LISTENERS: Mutex<BTreeMap<u64, Listener>> = Mutex::new(BTreeMap::new());

/// The process has a loader between the application and this driver.
pub static LOADER: AtomicBool = AtomicBool::new(false);

/// Calls the messengers that want such messages.
///
/// # Safety
/// `data` is valid.
pub unsafe fn tell(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
) {
    // Callbacks run without the lock.
    let listeners = LISTENERS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for l in listeners.values().filter(|l| l.severities.intersects(severity) && l.types.intersects(types)) {
        let Some(callback) = l.callback else { continue };
        // SAFETY: the application gave a callback of this type with its data, both valid until the messenger is
        // destroyed, which it does not do while commands run that may call it.
        unsafe { callback(severity, types, data, l.user_data as *mut _) };
    }
}

/// Tells messengers something that the driver has to say: `id` names the message.
pub fn send(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    types: vk::DebugUtilsMessageTypeFlagsEXT,
    id: &str,
    message: &str,
    about: &[About],
) {
    if LISTENERS.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
        return;
    }
    // No zero byte ends a text early.
    let text = |text: &str| CString::new(text.replace('\0', "")).unwrap_or_default();
    let (id, message) = (text(id), text(message));
    let names: Vec<_> = about.iter().map(|object| object.name.as_deref().map(text)).collect();
    let objects = about.iter().zip(&names).map(|(object, name)| vk::DebugUtilsObjectNameInfoEXT {
        object_type: object.ty,
        object_handle: object.raw,
        p_object_name: name.as_ref().map_or(std::ptr::null(), |name| name.as_ptr()),
        ..Default::default()
    });
    let objects: Vec<_> = objects.collect();
    let data = vk::DebugUtilsMessengerCallbackDataEXT::default();
    let data = data.message_id_name(&id).message(&message).objects(&objects);
    // SAFETY: a structure whose texts and objects live.
    unsafe { tell(severity, types, &data) };
}

/// Tells messengers what is found where shaders are checked (`QUADRILLE_CHECK=1`): each report is a message of validation,
/// named by its kind.
pub fn tell_reports() {
    use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
    check::listen(Box::new(|report, text| {
        let severity = match report.level {
            Level::Error => Severity::ERROR,
            Level::Warning => Severity::WARNING,
            Level::Note | Level::Off => Severity::INFO,
        };
        send(severity, vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION, report.kind.id(), text, &[]);
    }));
}

/// Listens from now on.
pub fn add(listener: Listener) {
    LISTENERS.lock().unwrap_or_else(PoisonError::into_inner).insert(listener.number, listener);
}

/// Listens no more.
pub fn remove(number: u64) {
    LISTENERS.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
}
