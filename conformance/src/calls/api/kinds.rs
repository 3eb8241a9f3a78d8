//! The kinds of objects of the library, and how random programs create them.

/// Creation of a kind of object in random programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// Programs make this call, by its name in a [`Tally`](crate::calls::Tally).
    By(&'static str),
    /// Programs create none, for this reason.
    Not(&'static str),
}

/// Kinds of objects, by their names in errors of the library.
pub const KINDS: [(&str, Made); 25] = [
    ("acceleration structure", Made::By("create_acceleration_structure")),
    ("buffer", Made::By("create_buffer")),
    ("buffer view", Made::By("create_buffer_view")),
    ("command buffer", Made::By("end")),
    ("compute pipeline", Made::By("create_compute_pipeline")),
    (
        "descriptor pool",
        Made::Not("sets of a pool keep nothing alive, which is unsafe: only the driver has pools"),
    ),
    ("descriptor set", Made::By("create_descriptor_set")),
    ("descriptor set layout", Made::By("create_descriptor_set_layout")),
    ("device", Made::Not("the programs of a device share it, and one of another device")),
    ("event", Made::By("create_event")),
    ("fence", Made::By("create_fence")),
    ("framebuffer", Made::By("create_framebuffer")),
    ("graphics pipeline", Made::By("create_graphics_pipeline")),
    ("image", Made::By("create_image")),
    ("image view", Made::By("create_image_view")),
    ("memory", Made::By("allocate")),
    ("pipeline layout", Made::By("create_pipeline_layout")),
    ("query pool", Made::By("create_query_pool")),
    ("queue", Made::Not("a device has one")),
    ("ray tracing pipeline", Made::By("create_ray_tracing_pipeline")),
    ("render pass", Made::By("create_render_pass")),
    ("sampler", Made::By("create_sampler")),
    ("semaphore", Made::By("create_semaphore")),
    ("shader module", Made::By("create_shader_module")),
    ("shader object", Made::By("create_shader_object")),
];
