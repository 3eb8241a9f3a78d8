//! What every entry point is wrapped in: panics stop here and become error codes.
//!
//! `commands!` gives each command its C signature. Its body runs inside one `unsafe` block: the
//! caller of a Vulkan command vouches for its valid usage (handles alive, pointers to structures of
//! the stated type, arrays of the stated length, external synchronization), and this is the one
//! place that relies on it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use ash::vk;
use quadrille::error::caught;

use crate::hand;
use crate::handle::in_hand;
use crate::messages::{About, send};

/// What bodies of commands that return `VkResult` evaluate to. Codes that are neither success nor
/// failure, such as `VK_INCOMPLETE`, are `Err` too.
pub type VkResult<T = ()> = Result<T, vk::Result>;

/// A value that a command returns to C.
pub trait Reply {
    /// What the body evaluates to.
    type Body;
    /// Converts the body's value.
    fn reply(body: Self::Body) -> Self;
    /// The answer after a panic.
    fn after_panic(error: &quadrille::Error) -> Self;
    /// The code of a failure, if it is one.
    fn failure(&self) -> Option<vk::Result>;
}

impl Reply for vk::Result {
    type Body = VkResult;
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
    ($($ty:ty = $panic:expr),* $(,)?) => {$(
        impl Reply for $ty {
            type Body = $ty;
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
plain_reply!(() = (), u32 = 0, u64 = 0, vk::PFN_vkVoidFunction = None);

/// Runs the body of command `name`; a panic becomes an error code, and is logged unless it only carries an
/// error. Failures are told.
pub fn guard<R: Reply>(name: &'static str, body: impl FnOnce() -> R::Body) -> R {
    let _running = hand::begin(name);
    let reply: R = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(value) => R::reply(value),
        Err(panic) => {
            let error = caught(name, panic);
            if matches!(error, quadrille::Error::Internal(_)) {
                to_stderr(&error);
            }
            R::after_panic(&error)
        }
    };
    if let Some(code) = reply.failure() {
        failed(name, code);
    }
    reply
}

/// Tells which command failed with which code, after what there is to say about why. Not of queries, nor of codes that programs
/// wait for, or whose cause is told once.
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

/// The name of a command as the specification has it, without the suffix of an extension: `vkCreateDevice`.
fn in_c(command: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    command.split('_').map(capital).fold("vk".to_owned(), |name, word| name + &word)
}

/// The code of an error of commands that take memory of the heap, be it more than there is or more than one allocation may
/// have. Spec: Vulkan, `maxMemoryAllocationSize`.
pub fn heap_code(error: &quadrille::Error) -> vk::Result {
    match error {
        quadrille::Error::OutOfMemory(_) | quadrille::Error::Limit(_) => {
            log(error);
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
        }
        _ => code(error),
    }
}

/// Turns an error of the device library into the code that fits best, and logs its text.
pub fn code(error: &quadrille::Error) -> vk::Result {
    match error {
        // It says so at every call, whatever that is given.
        quadrille::Error::DeviceLost(_) => say(error.to_string(), Vec::new()),
        _ => log(error),
    }
    code_of(error)
}

/// The code of an error that has been told.
pub fn code_of(error: &quadrille::Error) -> vk::Result {
    use quadrille::Error;
    match error {
        Error::OutOfMemory(_) => vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        Error::DeviceLost(_) => vk::Result::ERROR_DEVICE_LOST,
        Error::Unsupported { .. } => vk::Result::ERROR_FEATURE_NOT_PRESENT,
        Error::Limit(_) => vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        _ => vk::Result::ERROR_UNKNOWN,
    }
}

/// Writes an error to standard error when `QUADRILLE_LOG` asks for it, and tells debug messengers: with the command that runs, and
/// the objects that it has used last.
pub fn log(error: &dyn std::fmt::Display) {
    match hand::command() {
        Some(command) => say(format!("{}: {error}", in_c(command)), about()),
        None => say(error.to_string(), Vec::new()),
    }
}

/// The objects that the command has used last. That it is one of a device need not be said of devices without a name.
fn about() -> Vec<About> {
    let of = |((ty, raw), name): (hand::Held, Option<Box<str>>)| About { ty, raw, name };
    let known = |about: &About| match about.ty {
        vk::ObjectType::INSTANCE | vk::ObjectType::PHYSICAL_DEVICE => false,
        vk::ObjectType::DEVICE => about.name.is_some(),
        _ => true,
    };
    in_hand().map(of).filter(known).collect()
}

/// Tells a text, with the objects that it is about. The same again and again, as a lost device gives it at every call, is told
/// once.
fn say(mut text: String, objects: Vec<About>) {
    static LAST: Mutex<String> = Mutex::new(String::new());
    for (i, object) in objects.iter().enumerate() {
        text += if i == 0 { ", about " } else { ", " };
        text += &object.to_string();
    }
    if !is_news(&LAST, &text) {
        return;
    }
    static ON: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    if *ON.get_or_init(quadrille::env::log) {
        to_stderr(&text);
    }
    use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Type};
    send(Severity::WARNING, Type::GENERAL, "quadrille", &text, &objects);
    tracing::error!("{text}");
}

fn to_stderr(text: &dyn std::fmt::Display) {
    quadrille::terminal::to_stderr(format_args!("quadrille: {text}"));
}

/// Whether a text is another than the last one.
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
    ($($(#[$meta:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block)*) => {$(
        $(#[$meta])*
        #[allow(unused_unsafe, reason = "some bodies need nothing unsafe")]
        pub unsafe extern "system" fn $name($($arg: $ty),*) $(-> $ret)? {
            $crate::guard::guard(stringify!($name), || {
                // SAFETY: the caller obeys the valid usage of the command; see the module comment.
                unsafe { $body }
            })
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
