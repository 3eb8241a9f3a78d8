//! Libraries of window systems, opened when first needed and never closed.
//!
//! A program that passes a window has already loaded the library; opening it finds the loaded one.

/// Defines a struct of the functions and objects of a library, and `get`, which opens the library once per process.
macro_rules! library {
    (
        $(#[$meta:meta])*
        $name:ident = $file:literal;
        $(fn $function:ident($($ty:ty),* $(,)?) $(-> $ret:ty)?;)*
        $(static $object:ident;)*
    ) => {
        $(#[$meta])*
        #[allow(non_snake_case, reason = "has the names in the library")]
        struct $name {
            $($function: unsafe extern "C" fn($($ty),*) $(-> $ret)?,)*
            $($object: *const std::ffi::c_void,)*
        }

        // SAFETY: the members are addresses of functions and constants in a library that is never closed, valid on
        // every thread.
        unsafe impl Send for $name {}
        // SAFETY: the members never change after `open`.
        unsafe impl Sync for $name {}

        impl $name {
            /// Returns the library; `None` if the system lacks it, or if it lacks a function or object.
            fn get() -> Option<&'static $name> {
                static LIBRARY: once_cell::race::OnceBox<Option<$name>> = once_cell::race::OnceBox::new();
                LIBRARY.get_or_init(|| Box::new($name::open())).as_ref()
            }

            fn open() -> Option<$name> {
                // SAFETY: the libraries of window systems have no initializers with requirements on the process.
                let library = unsafe { libloading::Library::new($file) };
                let library = library.inspect_err(|e| crate::interface::guard::log(e)).ok()?;
                // SAFETY: the declared types of functions and objects are those in the library's headers.
                let functions = unsafe {
                    $name {
                        $($function: *library.get(concat!(stringify!($function), "\0").as_bytes()).ok()?,)*
                        $($object: *library.get(concat!(stringify!($object), "\0").as_bytes()).ok()?,)*
                    }
                };
                // The library stays open, because its functions are used until the process ends.
                std::mem::forget(library);
                Some(functions)
            }
        }
    };
}
pub(super) use library;
