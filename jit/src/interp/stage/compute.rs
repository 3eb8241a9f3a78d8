//! The workgroups of compute, task and mesh shaders.

use super::super::machine::Group;
use super::super::memory::Host;
use super::super::place::{ComputePlace, Place};
use super::super::program::Program;
use super::{all, finish, mesh, together};
use crate::ir::{BuiltIn, Stage};

/// Runs the workgroups from `first` to `end`; returns false if stopped.
pub(super) fn run(program: &Program, host: &Host, first: u32, end: u32) -> bool {
    let size: u64 = program.shader.local_size.iter().map(|&n| u64::from(n)).product();
    let groups = size.div_ceil(u64::from(program.lanes)) as u32;
    (first..end)
        .all(|unit| host.unit(unit, groups, || run_workgroup(program, host, size, unit, unit - first)))
}

/// Runs a workgroup of `size` invocations, number `index` of the call.
fn run_workgroup(program: &Program, host: &Host, size: u64, unit: u32, index: u32) -> bool {
    if host.stopped() {
        return false;
    }
    let ([nx, ny, _], base) = (host.ctx().num_workgroups, host.ctx().base_workgroup);
    let (nx, ny) = (nx.max(1), ny.max(1));
    let id = [unit % nx, unit / nx % ny, unit / nx / ny];
    let workgroup = std::array::from_fn(|i| base[i].wrapping_add(id[i]));
    host.zero(host.shared(program.shader.shared_size));
    mesh::start(program, host, index);
    let n_groups = size.div_ceil(u64::from(program.lanes)) as u32;
    let start = |group: &mut Group, number: u32| {
        let left = size - u64::from(number) * u64::from(program.lanes);
        let lanes = all(program.lanes) & all(left.min(32) as u32);
        group.start(Place::Compute(ComputePlace { index, workgroup, group: number }), lanes, 0);
    };
    if !program.shader.has_barrier {
        let mut group = Group::new(program, host);
        if program.checks.is_some() {
            start(&mut group, 0);
            group.proven = group.tests_hold();
        }
        return (0..n_groups).all(|number| {
            start(&mut group, number);
            finish(&mut group)
        });
    }
    let groups = (0..n_groups).map(|number| {
        let mut group = Group::new(program, host);
        start(&mut group, number);
        group
    });
    together(host, unit, groups.collect()).is_some()
}

impl Group<'_> {
    pub(super) fn compute_builtin(
        &self,
        place: &ComputePlace,
        builtin: BuiltIn,
        c: usize,
        lane: usize,
    ) -> u64 {
        let of = |v: [u32; 3]| u64::from(v.get(c).copied().unwrap_or(0));
        let lanes = self.program.lanes;
        let index = place.group * lanes + lane as u32;
        let size = self.program.shader.local_size;
        let local = || {
            let [x, y, _] = size.map(|n| n.max(1));
            [index % x, index / x % y, index / x / y]
        };
        match builtin {
            BuiltIn::NumWorkgroups => of(self.host.ctx().num_workgroups),
            BuiltIn::WorkgroupId => of(place.workgroup),
            BuiltIn::LocalInvocationIndex => u64::from(index),
            BuiltIn::LocalInvocationId => of(local()),
            BuiltIn::GlobalInvocationId => {
                let local = local();
                of(std::array::from_fn(|i| place.workgroup[i].wrapping_mul(size[i]).wrapping_add(local[i])))
            }
            BuiltIn::DrawIndex if self.program.shader.stage != Stage::Compute => {
                u64::from(self.host.ctx().draw_index)
            }
            BuiltIn::SubgroupId => u64::from(place.group),
            BuiltIn::NumSubgroups => {
                let size: u64 = size.iter().map(|&n| u64::from(n)).product();
                size.div_ceil(u64::from(lanes))
            }
            _ => 0,
        }
    }
}
