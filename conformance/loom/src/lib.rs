//! The protocols by which threads of the rasterizer pass work to each other, compiled from the sources of the
//! rasterizer with primitives of loom: every interleaving of a model's threads runs, with every value that a load may
//! return under the C11 memory model. A host with weakly ordered memory can do no more.
//!
//! `cargo test --manifest-path conformance/loom/Cargo.toml` runs the models.
//!
//! loom takes sequentially consistent accesses for acquire and release ones, so it cannot show that of a sleeper and an
//! owner one sees the other (`raster/src/pool/crew.rs`); PORTING.md argues it.

#![allow(dead_code, reason = "models use parts of the protocols")]

mod activity {
    //! Names of activities, which the models do not need.

    pub enum Activity {
        Wait,
    }

    impl Activity {
        pub fn begin(self) {}
    }
}

mod pool {
    mod primitives {
        pub(super) use loom::hint::spin_loop;
        pub(super) use loom::sync::Mutex;
        pub(super) use loom::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};
        pub(super) use loom::thread::{Thread, current, park, yield_now};
    }

    #[path = "../../../../raster/src/pool/job.rs"]
    mod job;
    #[path = "../../../../raster/src/pool/watched.rs"]
    mod watched;

    #[cfg(test)]
    mod models;
}
