//! Parts of a launch: dispatches whose workgroups have one size. Leaves running them to the kernel.

/// Properties of a launch that its code depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// Size of a workgroup.
    pub local: [u32; 3],
    /// Bytes of workgroup memory that are arguments.
    pub shared: u32,
    /// For a part of a launch: the size of workgroups that are not smaller than others.
    pub whole: Option<[u32; 3]>,
}

/// Workgroups of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Size of a workgroup.
    pub local: [u32; 3],
    /// Number of workgroups before these in each dimension.
    pub before: [u32; 3],
    /// Number of workgroups in each dimension.
    pub groups: [u32; 3],
}

/// Most parts of a launch: in each dimension, workgroups have one of two sizes.
pub(super) const MOST_PARTS: usize = 8;

/// The parts of a launch; all numbers are positive.
pub(super) fn parts(global: [u32; 3], local: [u32; 3]) -> Vec<Part> {
    let mut all = vec![Part { local, before: [0; 3], groups: [0; 3] }];
    for c in 0..3 {
        let (whole, rest) = (global[c] / local[c], global[c] % local[c]);
        let last = all.iter().filter(|_| rest > 0).map(|part| {
            let mut part = *part;
            (part.local[c], part.before[c], part.groups[c]) = (rest, whole, 1);
            part
        });
        let last: Vec<Part> = last.collect();
        all.retain(|_| whole > 0);
        all.iter_mut().for_each(|part| part.groups[c] = whole);
        all.extend(last);
    }
    all
}
