//! Wrapper of every entry point: a panic is caught and becomes an error code. A command that returns no code reports its
//! failure through its first argument: the end of recording fails, or the device is lost.
//!
//! `commands!` gives each command its C signature. Its body runs inside one `unsafe` block: the caller of a Vulkan
//! command promises valid usage (live handles, pointers to structures of the stated type, arrays of the stated length,
//! external synchronization), and only that block relies on the promise directly. `messages` delivers what is logged
//! here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use ash::vk;
use once_cell::race::OnceBool;
use quadrille::error::caught;
use quadrille::process::PerProcess;
use quadrille::reserve::carry;

use super::hand;
use super::handle::in_hand;
use super::messages::{About, send};

/// Result of the body of a command that returns a `VkResult`. Codes that are neither success nor failure, such as
/// `VK_INCOMPLETE`, are `Err` too.
pub type VkResult<T = ()> = Result<T, vk::Result>;

/// A value that a command returns to C.
pub trait Reply {
    /// Type of the body's value.
    type Body;
    /// `true` if the value can say that the command has failed.
    const TELLS: bool;
    /// Converts the body's value.
    fn reply(body: Self::Body) -> Self;
    /// Returns the reply after a panic.
    fn after_panic(error: &quadrille::Error) -> Self;
    /// Returns the code of the reply, if it is a failure.
    fn failure(&self) -> Option<vk::Result>;
}

impl Reply for vk::Result {
    type Body = VkResult;
    const TELLS: bool = true;
    fn reply(body: VkResult) -> Self {
        match body {
            Ok(()) => vk::Result::SUCCESS,
            Err(code) => code,
        }
    }
    fn after_panic(error: &quadrille::Error) -> Self {
        code(error)
    }
    fn failure(&self) -> Option<vk::Result> {
        (self.as_raw() < 0).then_some(*self)
    }
}

macro_rules! plain_reply {
    ($($ty:ty = $panic:expr, $tells:literal);* $(;)?) => {$(
        impl Reply for $ty {
            type Body = $ty;
            const TELLS: bool = $tells;
            fn reply(body: $ty) -> $ty {
                body
            }
            fn after_panic(_: &quadrille::Error) -> $ty {
                $panic
            }
            fn failure(&self) -> Option<vk::Result> {
                None
            }
        }
    )*};
}
plain_reply!(() = (), false; u32 = 0, false; u64 = 0, false; vk::PFN_vkVoidFunction = None, true);

/// The first argument of a command, which reports failures of commands that return no code.
pub trait Subject: Copy {
    /// Makes the failure known to the application, if there is a way.
    ///
    /// # Safety
    /// The handle is live or null, and externally synchronized as the command requires.
    unsafe fn fail(self, code: vk::Result);
}

/// Assigns no reports to first arguments: their commands have other ways, or only give information.
macro_rules! silent {
    ($($ty:ty),* $(,)?) => {
        $(impl Subject for $ty {
            unsafe fn fail(self, _: vk::Result) {}
        })*
    };
}
silent!(vk::Instance, vk::PhysicalDevice, *const std::ffi::c_char, *mut u32);
// Commands on queues that return no code are labels.
silent!(Nobody, *const vk::InstanceCreateInfo<'_>, vk::Queue);

/// Subject of a command without one, and of one that destroys it.
#[derive(Clone, Copy)]
pub struct Nobody;

/// Runs the body of command `name`. A panic becomes an error code, or a failure of its subject; its message is logged
/// unless the panic only carries an error. Failures are reported to messengers.
///
/// # Safety
/// The subject is a live or null handle while the command runs, and externally synchronized as the command requires.
pub unsafe fn guard<R: Reply>(
    name: &'static str,
    subject: impl Subject,
    body: impl FnOnce() -> R::Body,
) -> R {
    let _running = hand::begin(name);
    let reply: R = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(value) => R::reply(value),
        Err(panic) => {
            let error = caught(name, panic);
            if matches!(error, quadrille::Error::Internal(_)) {
                to_stderr(&error);
            }
            if !R::TELLS {
                // SAFETY: the caller promises a live or null handle that is synchronized.
                unsafe { subject.fail(code(&error)) };
            }
            R::after_panic(&error)
        }
    };
    if let Some(code) = reply.failure() {
        failed(name, code);
    }
    reply
}

/// Reports which command failed with which code, after messages about the cause. Failures of queries, codes that
/// programs expect, and codes whose cause is reported once are skipped.
#[cold]
fn failed(command: &str, code: vk::Result) {
    const EXPECTED: [vk::Result; 4] = [
        vk::Result::ERROR_OUT_OF_POOL_MEMORY,
        vk::Result::ERROR_OUT_OF_DATE_KHR,
        vk::Result::ERROR_SURFACE_LOST_KHR,
        vk::Result::ERROR_DEVICE_LOST,
    ];
    if !command.starts_with("get_") && !command.starts_with("enumerate_") && !EXPECTED.contains(&code) {
        say(format!("{} fails: {code:?}", in_c(command)), about());
    }
}

/// Returns the name of a command in the specification, without the suffix of an extension: `vkCreateDevice`.
fn in_c(command: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    command.split('_').map(capital).fold("vk".to_owned(), |name, word| name + &word)
}

/// Ends a command that returns no code if memory, or the room in a table, is exhausted: its subject reports the failure.
/// Any other error is invalid usage, which [`code`] has logged.
pub fn report(done: VkResult) {
    use vk::Result as R;
    if let Err(code @ (R::ERROR_OUT_OF_HOST_MEMORY | R::ERROR_OUT_OF_DEVICE_MEMORY)) = done {
        carry(Err(quadrille::Error::OutOfMemory(format!("{code:?}"))))
    }
}

/// Returns the name of the running command in the specification.
pub fn running() -> String {
    hand::command().map_or_else(|| "a command".into(), in_c)
}

/// Returns the code of an error in a command that allocates from the heap, or creates what lies there: exhaustion, the
/// limit of one allocation and that of one image are out of device memory. Spec: Vulkan, `maxMemoryAllocationSize`,
/// `maxResourceSize`.
pub fn heap_code(error: &quadrille::Error) -> vk::Result {
    match error {
        quadrille::Error::OutOfMemory(_) | quadrille::Error::Limit(_) => {
            log(error);
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
        }
        _ => code(error),
    }
}

/// Returns the best matching code of a device library error, and logs its text.
pub fn code(error: &quadrille::Error) -> vk::Result {
    match error {
        // A lost device returns this error from every call, so the command and its objects are left out.
        error if error.is_loss() => say(error.to_string(), Vec::new()),
        error => log(error),
    }
    code_of(error)
}

/// Returns the code of an error of a command that uses the device: that of a lost device, once it is lost. Any error loses the
/// device if it occurs while commands run. Spec: Vulkan, "Lost Device".
pub fn device_code(device: &quadrille::Device, error: &quadrille::Error) -> vk::Result {
    let code = code(error);
    if device.check_lost().is_err() { vk::Result::ERROR_DEVICE_LOST } else { code }
}

/// Fails if the device is lost. Commands that can tell of the loss do so, even if what they ask for has happened. Spec: Vulkan,
/// "Lost Device", `maintenance5`.
pub fn check_lost(device: &quadrille::Device) -> VkResult {
    device.check_lost().map_err(|e| device_code(device, &e))
}

/// Logs an error about binary data from the application and returns its code: `refusal`, unless the data is not the
/// cause.
pub fn foreign(error: &quadrille::Error, refusal: vk::Result) -> vk::Result {
    use quadrille::Error;
    match error {
        Error::OutOfMemory(_)
        | Error::DeviceLost(_)
        | Error::ChecksFailed(_)
        | Error::Aborted { .. }
        | Error::Internal(_) => code(error),
        Error::Invalid { .. } | Error::Unsupported { .. } | Error::Limit(_) => {
            log(error);
            refusal
        }
    }
}

/// Returns the code of an error about binary data that is a code already, like [`foreign`].
pub fn foreign_code(code: vk::Result, refusal: vk::Result) -> vk::Result {
    use vk::Result as R;
    match code {
        R::ERROR_OUT_OF_HOST_MEMORY | R::ERROR_OUT_OF_DEVICE_MEMORY | R::ERROR_DEVICE_LOST => code,
        _ => refusal,
    }
}

/// Returns the best matching code of an error that has been logged.
pub fn code_of(error: &quadrille::Error) -> vk::Result {
    use quadrille::Error;
    match error {
        Error::OutOfMemory(_) => vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        Error::DeviceLost(_) | Error::ChecksFailed(_) | Error::Aborted { .. } => {
            vk::Result::ERROR_DEVICE_LOST
        }
        Error::Unsupported { .. } => vk::Result::ERROR_FEATURE_NOT_PRESENT,
        Error::Limit(_) => vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        Error::Invalid { .. } | Error::Internal(_) => vk::Result::ERROR_UNKNOWN,
    }
}

/// Logs an error with the running command and the objects that it used last: to standard error if `QUADRILLE_LOG` is
/// set, and to debug messengers.
pub fn log(error: &dyn std::fmt::Display) {
    match hand::command() {
        Some(command) => say(format!("{}: {error}", in_c(command)), about()),
        None => say(error.to_string(), Vec::new()),
    }
}

/// Returns the objects that the command used last, without instances, physical devices, and devices without a name.
fn about() -> Vec<About> {
    let of = |((ty, raw), name): (hand::Held, Option<Box<str>>)| About { ty, raw, name };
    let known = |about: &About| match about.ty {
        vk::ObjectType::INSTANCE | vk::ObjectType::PHYSICAL_DEVICE => false,
        vk::ObjectType::DEVICE => about.name.is_some(),
        _ => true,
    };
    in_hand().map(of).filter(known).collect()
}

/// Logs a text with the objects that it is about. A repetition of the previous text, as from every call to a lost
/// device, is skipped.
fn say(mut text: String, objects: Vec<About>) {
    static LAST: PerProcess<Mutex<String>> = PerProcess::new();
    for (i, object) in objects.iter().enumerate() {
        text += if i == 0 { ", about " } else { ", " };
        text += &object.to_string();
    }
    if !is_news(LAST.get(), &text) {
        return;
    }
    static ON: OnceBool = OnceBool::new();
    if ON.get_or_init(quadrille::env::log) {
        to_stderr(&text);
    }
    use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Type};
    send(Severity::WARNING, Type::GENERAL, "quadrille", &text, &objects);
    quadrille::events::error(format_args!("{text}"));
}

fn to_stderr(text: &dyn std::fmt::Display) {
    quadrille::terminal::to_stderr(format_args!("quadrille: {text}"));
}

/// `true` if a text differs from the previous one.
fn is_news(last: &Mutex<String>, text: &str) -> bool {
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    let news = *last != text;
    if news {
        last.clear();
        last.push_str(text);
    }
    news
}

/// Defines commands: `fn name(args) -> Return { body }`.
macro_rules! commands {
    ($($(#[$meta:meta])* fn $name:ident($subject:ident: $of:ty $(, $arg:ident: $ty:ty)* $(,)?) $(-> $ret:ty)? $body:block)*) => {$(
        $(#[$meta])*
        #[allow(unused_unsafe, reason = "some bodies have no unsafe operation")]
        pub unsafe extern "system" fn $name($subject: $of $(, $arg: $ty)*) $(-> $ret)? {
            let body = || {
                // SAFETY: the caller obeys the valid usage of the command; see the module comment.
                unsafe { $body }
            };
            // SAFETY: the caller obeys the valid usage of the command. Of the commands of this macro, those that
            // destroy their first argument have a silent one.
            unsafe { $crate::interface::guard::guard(stringify!($name), $subject, body) }
        }
    )*};
}
pub(crate) use commands;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_said_once() {
        let last = Mutex::new(String::new());
        let said = ["lost", "lost", "lost", "invalid", "lost"].map(|text| is_news(&last, text));
        assert_eq!(said, [true, false, false, true, true]);
    }
}
