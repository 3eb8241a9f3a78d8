//! The examples, as modules.

#![allow(dead_code, reason = "the `main` functions, which write large pictures, are not called")]

#[path = "../../../../examples/add_buffers.rs"]
pub mod add_buffers;
#[path = "../../../../examples/image_filter.rs"]
pub mod image_filter;
#[path = "../../../../examples/meadow.rs"]
pub mod meadow;
#[path = "../../../../examples/path_tracer.rs"]
pub mod path_tracer;
#[path = "../../../../examples/ray_query.rs"]
pub mod ray_query;
#[path = "../../../../examples/reaction_diffusion.rs"]
pub mod reaction_diffusion;
#[path = "../../../../examples/shader_unit_test.rs"]
pub mod shader_unit_test;
#[path = "../../../../examples/shadertoy.rs"]
pub mod shadertoy;
#[path = "../../../../examples/terrain.rs"]
pub mod terrain;
#[path = "../../../../examples/torus_knot.rs"]
pub mod torus_knot;
#[path = "../../../../examples/triangle.rs"]
pub mod triangle;
