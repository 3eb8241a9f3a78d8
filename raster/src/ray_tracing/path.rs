//! A ray of a call, with what its query does not know.

use quadrille_rays::RayQuery;

/// Words of a hit attribute.
pub(super) type Attribute = [u32; quadrille_jit::ir::MAX_ATTRIBUTE_WORDS as usize];

/// A hit, apart from what the query knows.
#[derive(Clone, Copy, Default)]
pub(super) struct Told {
    pub t: f32,
    pub kind: u32,
    pub attribute: Attribute,
}

/// A ray of a call.
#[derive(Default)]
pub(super) struct Path {
    /// Lane of the caller.
    pub lane: usize,
    /// Number of the top level among those of the trace.
    pub scene: usize,
    pub query: RayQuery,
    /// Ray flags and cull mask, as the shader gave them.
    pub flags: u32,
    pub mask: u32,
    /// Offset and stride of records of hit groups.
    pub offset: u32,
    pub stride: u32,
    pub miss: u32,
    /// The record of the hit group, if the hit does not select it.
    pub record: Option<u32>,
    /// `true` once the ray has ended.
    pub ended: bool,
    /// The hit that an intersection shader reported last, and the closest one of those that were accepted.
    pub reported: Told,
    pub accepted: Told,
}
