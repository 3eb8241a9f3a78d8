//! Libraries of window systems: opened when first needed, and kept.
//!
//! A program that brings a window has the library in memory already, so that opening it finds that one.

/// Defines a struct of functions and objects of a library, and `get`, which opens it once for the process.
macro_rules! library {
    (
        $(#[$meta:meta])*
        $name:ident = $file:literal;
        $(fn $function:ident($($ty:ty),* $(,)?) $(-> $ret:ty)?;)*
        $(static $object:ident;)*
    ) => {
        $(#[$meta])*
        #[allow(non_snake_case, reason = "named as in the library")]
        struct $name {
            $($function: unsafe extern "C" fn($($ty),*) $(-> $ret)?,)*
            $($object: *const std::ffi::c_void,)*
        }

        // SAFETY: addresses of functions and of constants of a library that stays open.
        unsafe impl Send for $name {}
        // SAFETY: none of them ever changes.
        unsafe impl Sync for $name {}

        impl $name {
            /// The library; `None` if the system has none, or one that lacks something.
            fn get() -> Option<&'static $name> {
                static LIBRARY: std::sync::OnceLock<Option<$name>> = std::sync::OnceLock::new();
                LIBRARY.get_or_init($name::open).as_ref()
            }

            fn open() -> Option<$name> {
                // SAFETY: libraries of window systems do nothing when they are opened.
                let library = unsafe { libloading::Library::new($file) };
                let library = library.inspect_err(|e| crate::guard::log(e)).ok()?;
                // SAFETY: the functions have the types that the headers of the library give them.
                let functions = unsafe {
                    $name {
                        $($function: *library.get(concat!(stringify!($function), "\0").as_bytes()).ok()?,)*
                        $($object: *library.get(concat!(stringify!($object), "\0").as_bytes()).ok()?,)*
                    }
                };
                // Its functions are used as long as the process lives.
                std::mem::forget(library);
                Some(functions)
            }
        }
    };
}
pub(super) use library;
