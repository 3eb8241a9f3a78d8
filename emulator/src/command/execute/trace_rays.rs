//! Execution of commands that trace rays.

use quadrille_check::events::{self, Event, RecordFault, RecordTable};
use quadrille_raster::ray_tracing::{
    self as raster, BadRecord, BadRecords, GroupKind, Table, TraceJob, trace_rays,
};

use super::super::binding_tables::{ShaderBindingTables, TraceSource};
use super::super::blamed::of_pipeline;
use super::super::list::{CommandList, Ref, Run, TraceSnapshot};
use super::super::resources::{dynamic_records, resources};
use super::Executor;
use crate::device::Order;
use crate::error::Result;
use crate::observation::watching::Watching;

impl<'d: 'l, 'l> Executor<'d, 'l> {
    pub(super) fn trace_rays(
        &mut self,
        list: &'l CommandList,
        snapshot: Ref<TraceSnapshot>,
        push: Run,
        source: &TraceSource,
    ) -> Result<()> {
        let Some((tables, size)) = source.read(self.device)? else { return Ok(()) };
        let snapshot = &list.trace_snapshots[snapshot];
        let options = self.device.options();
        let (pipeline, bindings) = (&list.ray_tracing[snapshot.pipeline], &list.bindings[snapshot.bindings]);
        self.observers.work_begins(std::mem::replace(&mut self.ordered, false));
        let (dynamic, push) = (dynamic_records(list, bindings), list.push(push));
        // Atomics of two shaders may not commute with each other, even if those of each shader do.
        let atomics = pipeline.variants().iter().filter(|v| v.rivalry.is_some()).count();
        let in_order = atomics > 1 || pipeline.variants().iter().any(|v| v.needs_order);
        let tell = |bad: &BadRecord| {
            if let Some(watch) = &options.watch {
                told(watch, &tables, bad);
            }
        };
        let job = TraceJob {
            pipeline: pipeline.trace(),
            resources: resources(self.device, list, bindings, &push, &dynamic, &[]),
            scenes: self.device.structures().scenes(),
            raygen: tables.raygen,
            miss: tables.miss,
            hit: tables.hit,
            callable: tables.callable,
            size,
            stack: snapshot.stack.into(),
            ordered: in_order && options.order == Order::Strict,
            budget: self.device.budget(),
            bad_records: options.watch.as_ref().map(|_| &tell as BadRecords<'_>),
        };
        trace_rays(self.device.pool(), &job).map_err(|e| of_pipeline(e, self.device, pipeline))
    }
}

/// Reports a record that names no suitable shaders to the device's watcher.
fn told(watch: &Watching, tables: &ShaderBindingTables, bad: &BadRecord) {
    let (table, region, must) = match bad.table {
        Table::RayGeneration => (RecordTable::RayGeneration, tables.raygen, "a ray generation shader"),
        Table::Miss => (RecordTable::Miss, tables.miss, "a miss shader"),
        Table::Hit => (RecordTable::Hit, tables.hit, "a hit group of the kind of the geometry"),
        Table::Callable => (RecordTable::Callable, tables.callable, "a callable shader"),
    };
    let fault = match bad.fault {
        raster::RecordFault::PastEnd => RecordFault::PastEnd { count: region.count() },
        raster::RecordFault::NoGroup => RecordFault::NoGroup,
        raster::RecordFault::OtherKind(kind) => {
            let is = match kind {
                GroupKind::General => "a general group",
                GroupKind::Triangles => "a hit group of triangles",
                GroupKind::Procedural => "a procedural hit group",
            };
            RecordFault::OtherKind { is, must }
        }
    };
    let bad = events::BadRecord { lane: bad.lane, table, index: bad.index, fault };
    watch.tell(&Event::BadRecord(&bad));
}
