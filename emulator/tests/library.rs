//! Tests of the library that share a process: one program, because most of the time of a small one is linking.
//!
//! Tests that start processes of themselves, fork, limit the process or read what all devices share are programs of their own,
//! in this package's manifest.

#![allow(clippy::duplicate_mod, reason = "files keep the modules that they had as programs")]

mod checks;

#[path = "aborts.rs"]
mod aborts;
#[path = "acceleration_structures.rs"]
mod acceleration_structures;
#[path = "addresses.rs"]
mod addresses;
#[path = "agsl.rs"]
mod agsl;
#[path = "bugs.rs"]
mod bugs;
#[path = "check_control.rs"]
mod check_control;
#[path = "check_counts.rs"]
mod check_counts;
#[path = "check_descriptors.rs"]
mod check_descriptors;
#[path = "check_gallery.rs"]
mod check_gallery;
#[path = "check_kernels.rs"]
mod check_kernels;
#[path = "check_matching.rs"]
mod check_matching;
#[path = "check_matrices.rs"]
mod check_matrices;
#[path = "check_memory.rs"]
mod check_memory;
#[path = "check_model.rs"]
mod check_model;
#[path = "check_order.rs"]
mod check_order;
#[path = "check_outputs.rs"]
mod check_outputs;
#[path = "check_restrict.rs"]
mod check_restrict;
#[path = "check_samplers.rs"]
mod check_samplers;
#[path = "check_stages.rs"]
mod check_stages;
#[path = "check_unwritten.rs"]
mod check_unwritten;
#[path = "check_values.rs"]
mod check_values;
#[path = "check_wgsl.rs"]
mod check_wgsl;
#[path = "command_buffers.rs"]
mod command_buffers;
#[path = "commands.rs"]
mod commands;
#[path = "compute.rs"]
mod compute;
#[path = "debug_information.rs"]
mod debug_information;
#[path = "decompression.rs"]
mod decompression;
#[path = "density_edges.rs"]
mod density_edges;
#[path = "density_maps.rs"]
mod density_maps;
#[path = "descriptors.rs"]
mod descriptors;
#[path = "draw.rs"]
mod draw;
#[path = "features.rs"]
mod features;
#[path = "fixed_function.rs"]
mod fixed_function;
#[path = "gpu_av.rs"]
mod gpu_av;
#[path = "gpu_av_resources.rs"]
mod gpu_av_resources;
#[path = "harness.rs"]
mod harness;
#[path = "hit_objects.rs"]
mod hit_objects;
#[path = "kernels.rs"]
mod kernels;
#[path = "layout.rs"]
mod layout;
#[path = "layouts.rs"]
mod layouts;
#[path = "matrices.rs"]
mod matrices;
#[path = "matrices_wgsl.rs"]
mod matrices_wgsl;
#[path = "micromaps.rs"]
mod micromaps;
#[path = "missing.rs"]
mod missing;
#[path = "missing_buffers.rs"]
mod missing_buffers;
#[path = "objects.rs"]
mod objects;
#[path = "ray_coverage.rs"]
mod ray_coverage;
#[path = "ray_query.rs"]
mod ray_query;
#[path = "ray_query_wgsl.rs"]
mod ray_query_wgsl;
#[path = "ray_tracing.rs"]
mod ray_tracing;
#[path = "samples.rs"]
mod samples;
#[path = "shadertoys.rs"]
mod shadertoys;
#[path = "shading_rates.rs"]
mod shading_rates;
#[path = "single_sampled.rs"]
mod single_sampled;
#[path = "stages.rs"]
mod stages;
#[path = "textures.rs"]
mod textures;
#[path = "vertex_input.rs"]
mod vertex_input;
#[path = "wgsl2021.rs"]
mod wgsl2021;
