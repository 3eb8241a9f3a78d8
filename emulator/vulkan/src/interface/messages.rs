//! Messages to the application: the registered messengers, and delivery to them. `debug_utils` has the commands.

use std::collections::BTreeMap;
use std::ffi::{CString, c_void};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;
use quadrille::check::{Level, Report, ReportSink};
use quadrille::process::PerProcess;

use super::chain::all;

/// A messenger: its filters and its callback.
#[derive(Clone, Copy)]
struct Listener {
    /// Severities that it receives.
    severities: vk::DebugUtilsMessageSeverityFlagsEXT,
    /// Message types that it receives.
    types: vk::DebugUtilsMessageTypeFlagsEXT,
    /// Function that receives the messages.
    callback: vk::PFN_vkDebugUtilsMessengerCallbackEXT,
    /// Address that is passed to the callback and never dereferenced.
    user_data: usize,
}

/// An object that a message is about.
pub struct About {
    /// Type of the object.
    pub ty: vk::ObjectType,
    /// Handle of the object.
    pub raw: u64,
    /// Name that the application gave to the object.
    pub name: Option<Box<str>>,
}

impl fmt::Display for About {
    /// Writes `VkDeviceMemory 0x5581 "textures"`.
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

/// Messengers by number, which is the order of their creation.
static LISTENERS: PerProcess<Mutex<BTreeMap<u64, Listener>>> = PerProcess::new();

/// `true` if the process has a loader between the application and this driver.
pub static LOADER: AtomicBool = AtomicBool::new(false);

/// Calls the messengers that receive messages of this severity and type.
///
/// # Safety
/// `data` is valid.
pub unsafe fn tell(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
) {
    // The lock is released while callbacks run.
    let listeners = LISTENERS.get().lock().unwrap_or_else(PoisonError::into_inner).clone();
    for l in listeners.values().filter(|l| l.severities.intersects(severity) && l.types.intersects(types)) {
        let Some(callback) = l.callback else { continue };
        // SAFETY: the application passed a callback of this type with its data. Both are valid until the messenger is
        // destroyed, which must not happen while commands run that may call it.
        unsafe { callback(severity, types, data, l.user_data as *mut _) };
    }
}

/// Sends a message of the driver to messengers: `id` names the message.
pub fn send(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    types: vk::DebugUtilsMessageTypeFlagsEXT,
    id: &str,
    message: &str,
    about: &[About],
) {
    deliver((severity, types), id, message, about, vk::DebugUtilsMessengerCallbackDataEXT::default());
}

/// Sends a message like [`send`], with a structure that extends its data.
pub fn send_with<T: vk::ExtendsDebugUtilsMessengerCallbackDataEXT>(
    of: (vk::DebugUtilsMessageSeverityFlagsEXT, vk::DebugUtilsMessageTypeFlagsEXT),
    id: &str,
    message: &str,
    about: &[About],
    more: &mut T,
) {
    deliver(of, id, message, about, vk::DebugUtilsMessengerCallbackDataEXT::default().push_next(more));
}

fn deliver(
    (severity, types): (vk::DebugUtilsMessageSeverityFlagsEXT, vk::DebugUtilsMessageTypeFlagsEXT),
    id: &str,
    message: &str,
    about: &[About],
    data: vk::DebugUtilsMessengerCallbackDataEXT<'_>,
) {
    if LISTENERS.get().lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
        return;
    }
    // A zero byte within a text would end it early.
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
    let data = data.message_id_name(&id).message(&message).objects(&objects);
    // SAFETY: the structure is initialized, and its texts and objects live until the call returns.
    unsafe { tell(severity, types, &data) };
}

/// Returns a sink that sends reports of checked execution (`QUADRILLE_CHECK=1`) to messengers: each report is a
/// validation message whose name is the kind of report.
pub fn report_sink() -> ReportSink {
    use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
    ReportSink(Arc::new(|report: &Report, text: &str| {
        let severity = match report.level {
            Level::Error => Severity::ERROR,
            Level::Warning => Severity::WARNING,
            Level::Note | Level::Off => Severity::INFO,
        };
        send(severity, vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION, report.kind.id(), text, &[]);
    }))
}

/// Adds a messenger, and returns its number.
pub fn add(info: &vk::DebugUtilsMessengerCreateInfoEXT<'_>) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let listener = Listener {
        severities: info.message_severity,
        types: info.message_type,
        callback: info.pfn_user_callback,
        user_data: info.p_user_data as usize,
    };
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    LISTENERS.get().lock().unwrap_or_else(PoisonError::into_inner).insert(number, listener);
    number
}

/// Removes a messenger.
pub fn remove(number: u64) {
    LISTENERS.get().lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
}

/// The messengers in the chain of VkInstanceCreateInfo, which receive messages while this lives. The destruction of an
/// instance, for which they are meant, too, sends none.
#[derive(Default)]
pub struct Chained(Vec<u64>);

impl Chained {
    /// Adds the messengers of a chain.
    ///
    /// # Safety
    /// `next` starts a valid chain.
    pub unsafe fn add(&mut self, next: *const c_void) {
        // SAFETY: the caller promises a valid chain.
        let infos = unsafe { all::<vk::DebugUtilsMessengerCreateInfoEXT<'_>>(next) };
        self.0.extend(infos.into_iter().map(add));
    }
}

impl Drop for Chained {
    fn drop(&mut self) {
        self.0.iter().copied().for_each(remove);
    }
}
