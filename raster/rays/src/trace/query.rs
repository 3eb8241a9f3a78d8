//! Commands of rays that walk through the trees.

use crate::layout::TopLevel;

use super::group::{self, GROUP};
use super::host::{Body, Host, Level};
use super::state::{Hit, Ray, RayFlags, RayQuery};
use super::walk;

/// The walk of a ray to its next candidate.
struct Proceed<'a>(&'a mut RayQuery, &'a TopLevel);

impl Body for Proceed<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<H: Host>(self, host: H) -> bool {
        walk::proceed(host, self.0, self.1)
    }
}

/// The walks of some rays, side by side.
struct ProceedAll<'a, 'q>(&'a mut [&'q mut RayQuery], &'a TopLevel);

impl Body for ProceedAll<'_, '_> {
    type Output = u32;

    #[inline(always)]
    fn run<H: Host>(self, host: H) -> u32 {
        group::proceed(host, self.0, self.1)
    }
}

impl RayQuery {
    /// Goes on until there is a candidate that the user must confirm. Returns `false` at the end.
    pub fn proceed(&mut self, top: &TopLevel) -> bool {
        self.proceed_with(top, Level::best())
    }

    /// [`RayQuery::proceed`] with other instructions of the host.
    pub fn proceed_with(&mut self, top: &TopLevel, level: Level) -> bool {
        level.run(Proceed(self, top))
    }

    /// [`RayQuery::proceed`] for up to 32 rays at once. Returns the results as bits. It is faster than one call for each.
    ///
    /// # Panics
    /// Panics if there are more rays.
    pub fn proceed_all(queries: &mut [&mut RayQuery], top: &TopLevel) -> u32 {
        RayQuery::proceed_all_with(queries, top, Level::best())
    }

    /// [`RayQuery::proceed_all`] with other instructions of the host.
    pub fn proceed_all_with(queries: &mut [&mut RayQuery], top: &TopLevel, level: Level) -> u32 {
        assert!(queries.len() <= 32, "too many rays");
        let mut results = 0;
        for (group, queries) in queries.chunks_mut(GROUP).enumerate() {
            results |= match queries {
                [query] => u32::from(query.proceed_with(top, level)),
                _ => level.run(ProceedAll(queries, top)),
            } << (group * GROUP);
        }
        results
    }

    /// The closest hit of a ray, if all geometries behave as if they were opaque. Boxes are missed.
    pub fn closest(&mut self, top: &TopLevel, ray: &Ray, flags: RayFlags, mask: u32) -> Option<Hit> {
        self.initialize(ray, flags | RayFlags::OPAQUE | RayFlags::SKIP_AABBS, mask);
        self.proceed(top);
        self.committed()
    }

    /// `true` if a ray hits a triangle. Boxes are missed.
    pub fn any(&mut self, top: &TopLevel, ray: &Ray, flags: RayFlags, mask: u32) -> bool {
        self.closest(top, ray, flags | RayFlags::TERMINATE_ON_FIRST_HIT, mask).is_some()
    }
}
