//! Checked execution of everything in this crate. Each report is an intended mistake, which [`MEANT`] lists with a
//! reason, or a false alarm.
//!
//! This includes file tests of programs (tables leave the domain of instructions on purpose), scenes, cases of AGSL,
//! and the kernels of the benchmarks. `emulator/cli/tests/corpus.rs` checks the gallery, Shadertoys and examples,
//! `emulator/scene/tests/checked.rs` glTF scenes.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::Arc;

use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::check::{self, Level, Report, Session, Sources, words};
use quadrille::{Device, DeviceOptions};
use quadrille_conformance::scenes::{self, client::Client};
use quadrille_conformance::{agsl, assets, filetest};
use quadrille_jit::env;

/// Prefixes of names, with the kinds of reports that are expected there, and the reason.
const MEANT: &[(&str, &[&str], &str)] = &[
    ("file/control/OpUndef_types.spvasm", &["undef-used"], "undefined values are 0"),
    ("file/control/OpUnreachable.spvasm", &["undef-used"], "undefined values are 0"),
    ("file/control/counter_wraps.spvasm", &["index-out-of-range"], "the index is a counter that wraps"),
    (
        "file/fragment/derivative_uniform.frag",
        &["derivative-divergent"],
        "other invocations of the quad are inactive",
    ),
    (
        "file/geometry/late_write.geom",
        &["unwritten-output"],
        "vertices are emitted before outputs are written",
    ),
    ("file/geometry/invocations.geom", &["too-many-outputs"], MORE),
    ("file/geometry/many.geom", &["too-many-outputs"], MORE),
    ("file/geometry/streams_max_vertices.geom", &["too-many-outputs"], MORE),
    ("file/image/OpImageFetch.comp", &["texel-out-of-bounds"], OUTSIDE),
    ("file/image/OpUndef.spvasm", &["missing-descriptor"], "an undefined image is a null descriptor"),
    ("file/image/float_atomics.comp", &["texel-out-of-bounds"], OUTSIDE),
    (
        "file/image/implicit_cube_part.frag",
        &["implicit-lod-divergent"],
        "the first invocation of the quad is inactive",
    ),
    ("file/image/int64.comp", &["texel-out-of-bounds"], OUTSIDE),
    ("file/image/int64_fetch.spvasm", &["texel-out-of-bounds"], OUTSIDE),
    ("file/image/read_write.comp", &["texel-out-of-bounds"], OUTSIDE),
    ("file/image/rgba8.comp", &["texel-out-of-bounds"], OUTSIDE),
    ("file/image/texel_pointer.comp", &["texel-out-of-bounds"], OUTSIDE),
    ("file/image/uint.comp", &["texel-out-of-bounds"], OUTSIDE),
    ("file/kernels/misaligned_atomics.spvasm", &["misaligned-access"], "the atomics are at odd addresses"),
    ("file/kernels/wrapping_quotient.spvasm", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/language/expressions.glsl/out_of_bounds.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/language/storage.glsl/infinities.comp", &["infinity-surfaced"], "the test stores infinities"),
    ("file/memory/signaling_halves.comp", &["infinity-surfaced"], "the test stores infinities"),
    ("file/conversion/microscaling.spvasm", &["infinity-surfaced"], "the test stores infinities"),
    ("file/language/types.glsl/arrays_run_time.comp", &["buffer-out-of-bounds"], OUTSIDE),
    (
        "file/matrix/cooperative_small_floats.spvasm",
        &["race-buffer"],
        "each subgroup of the workgroup stores the same matrices and loads them again",
    ),
    ("file/matrix/cooperative_halves.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/matrix/cooperative_blocks.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/matrix/cooperative_wide.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/constant_array.comp", &["index-out-of-range"], OUTSIDE),
    (
        "file/memory/index_shifted.spvasm",
        &["shift-too-wide", "index-out-of-range", "buffer-out-of-bounds"],
        OUTSIDE,
    ),
    ("file/memory/index_shifted_uniform.spvasm", &["shift-too-wide", "buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/load_store.comp", &["race-buffer"], LOCKSTEP),
    ("file/memory/memory_model.spvasm", &["race-workgroup"], LOCKSTEP),
    (
        "file/memory/memory_model.spvasm",
        &["race-buffer", "race-visibility"],
        "the scope of the last atomic is the invocation",
    ),
    ("file/memory/narrow_runs.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/few_scalars.comp", &["index-out-of-range"], OUTSIDE),
    ("file/memory/store_runs.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/computed_lines.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/robust.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/quotients.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/blocks.comp", &["buffer-out-of-bounds", "index-out-of-range"], OUTSIDE),
    ("file/memory/superblocks.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/tested_distances.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/strided.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/unrolled_arrays.comp", &["index-out-of-range"], OUTSIDE),
    ("file/memory/robust_wrap.comp", &["buffer-out-of-bounds", "index-out-of-range"], OUTSIDE),
    ("file/memory/wide_indices.comp", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/memory/wide_pointers.spvasm", &["buffer-out-of-bounds"], OUTSIDE),
    ("file/pointer/wide_addresses.comp", &["address-out-of-bounds"], OUTSIDE),
    ("file/memory/shared.comp", &["uninitialized-workgroup"], ZERO),
    ("file/kernels/generic_atomics.spvasm", &["uninitialized-workgroup"], ZERO),
    (
        "file/kernels/halves.spvasm",
        &["race-buffer"],
        "two workgroups store to the same places, of which only those with equal values are compared",
    ),
    ("file/mesh/amplify.task", &["uninitialized-workgroup"], ZERO),
    ("file/mesh/barriers.mesh", &["uninitialized-workgroup"], ZERO),
    ("file/image/implicit_shadow.frag", COMPARISON, COLOR),
    ("file/image/shadow.comp", COMPARISON, COLOR),
    ("file/image/sparse_implicit.frag", COMPARISON, COLOR),
    ("file/image/sparse_shadow.comp", COMPARISON, COLOR),
    ("file/language/opaque.glsl/sampler", COMPARISON, COLOR),
    ("file/language/storage.glsl/separate.comp", COMPARISON, COLOR),
    ("file/language/textures.glsl/texture", COMPARISON, COLOR),
    ("file/tessellation/control.tesc", &["index-out-of-range"], OUTSIDE),
    ("file/tessellation/evaluation.tese", &["index-out-of-range"], OUTSIDE),
    ("file/tessellation/indices.tesc", &["index-out-of-range"], OUTSIDE),
    ("file/mesh/payload.mesh", &["index-out-of-range"], OUTSIDE),
    ("file/mesh/undefined.spvasm", &["index-out-of-range", "too-many-outputs"], OUTSIDE),
    (
        "file/module/float_controls.spvasm",
        &["infinity-surfaced"],
        "the sign of a zero is read from its quotient",
    ),
    ("file/pointer/address.comp", &["buffer-out-of-bounds", "address-out-of-bounds"], OUTSIDE),
    ("file/pointer/address.comp", &["race-buffer"], LOCKSTEP),
    ("file/pointer/untyped.spvasm", &["race-buffer"], LOCKSTEP),
    ("file/pointer/variable_storage.spvasm", &["buffer-out-of-bounds", "address-out-of-bounds"], OUTSIDE),
    ("file/pointer/variable_workgroup.spvasm", &["workgroup-out-of-bounds"], OUTSIDE),
    (
        "file/rays/ray_trace_record_past_end.spvasm",
        &["bad-shader-record"],
        "records past the end run no shader",
    ),
    ("file/pointer/signed_index.comp", &["address-out-of-bounds"], OUTSIDE),
    ("file/subgroup/ShuffleDown.comp", &["subgroup-inactive"], "lanes outside of the subgroup give 0"),
    ("file/subgroup/ShuffleUp.comp", &["subgroup-inactive"], "lanes outside of the subgroup give 0"),
    ("file/vertex/blocks.vert", &["unwritten-output"], ZERO),
    ("file/vertex/capture.vert", &["unwritten-output"], ZERO),
    (
        "scene/feedback_queries",
        &["race-commands"],
        "each query overwrites the captured data of the one before: only counts are compared",
    ),
    ("file/wgsl_2021/features.wgsl/sampler_comparison.wgsl", COMPARISON, COLOR),
    ("file/wgsl_2021/functions.wgsl/textureSampleCompare", COMPARISON, COLOR),
    ("scene/statistics", &["buffer-out-of-bounds"], "rows of pixels past the last result are black"),
];

const COMPARISON: &[&str] = &["comparison-of-color"];
const COLOR: &str = "images of file tests have a colour format, which is compared as depth";
const OUTSIDE: &str = "accesses out of bounds are dropped or return 0";
const MORE: &str = "vertices past the declared number are dropped";
const LOCKSTEP: &str = "the barrier orders other memory; the interpreter and the code use a defined order";
const ZERO: &str = "unwritten memory is 0";

/// Returns the session of all devices of this process, which runs one test, in a child of the test process. In the test
/// process, runs the child and returns `None`.
fn session(test: &str) -> Option<&'static Arc<Session>> {
    if env::TEST_CHILD.get().as_deref() == Some(test) {
        return Some(check::of_environment().expect("the parent requests checks"));
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test]).env(env::TEST_CHILD.name, test).env(env::CHECK.name, "1");
    let out = child.output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && text.contains("1 passed"), "{text}");
    None
}

/// Reports by name of the program.
#[derive(Default)]
struct Found(BTreeMap<String, Vec<Report>>);

impl Found {
    /// Records the reports since the last call.
    fn take(&mut self, session: &Session, name: &str) {
        let mut found = session.reports.take();
        found.retain(|r| r.level > Level::Note);
        self.0.entry(name.to_owned()).or_default().extend(found);
    }

    /// Checks that the reports of programs whose names begin with `about` are exactly the expected ones.
    fn verify(&self, about: &str) {
        let mut wrong = Vec::new();
        let mut used = BTreeSet::new();
        for (name, reports) in &self.0 {
            let full = format!("{about}{name}");
            let kinds: BTreeSet<&str> = reports.iter().map(|r| r.kind.id()).collect();
            let meant = MEANT.iter().enumerate().filter(|(_, m)| full.starts_with(m.0));
            let mut rest = reports.clone();
            for (i, (_, list, _)) in meant {
                used.extend(list.iter().filter(|k| kinds.contains(**k)).map(|k| (i, *k)));
                rest.retain(|r| !list.contains(&r.kind.id()));
            }
            if !rest.is_empty() {
                wrong.push(format!("{full}:\n{}", words::all(&rest, &Sources::default())));
            }
        }
        if env::FILETEST.get().is_none() {
            for (i, (name, kinds, _)) in MEANT.iter().enumerate().filter(|(_, m)| m.0.starts_with(about)) {
                let unused = kinds.iter().filter(|k| !used.contains(&(i, **k)));
                wrong.extend(unused.map(|kind| format!("{name}: {kind} is expected and not reported")));
            }
        }
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), self.0.len(), wrong.join("\n"));
    }
}

#[test]
fn file_tests() {
    let Some(session) = session("file_tests") else { return };
    let (mut found, mut refused) = (Found::default(), Vec::new());
    let filter = env::FILETEST.get().unwrap_or_default();
    for file in filetest::all().into_iter().filter(|f| f.name.contains(&filter)) {
        if let Err(e) = file.check() {
            refused.push(format!("{}: {e}", file.name));
        }
        found.take(session, &file.name);
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    found.verify("file/");
}

#[test]
fn all_scenes() {
    let Some(session) = session("all_scenes") else { return };
    let client = Client::new(vk_quadrille::entry()).unwrap();
    let mut found = Found::default();
    for scene in scenes::all() {
        scene.make(&client).unwrap().unwrap_or_else(|lacks| panic!("{}: {lacks}", scene.name));
        found.take(session, scene.name);
    }
    found.verify("scene/");
}

#[test]
fn cases_of_agsl() {
    let Some(session) = session("cases_of_agsl") else { return };
    let device = agsl::device().unwrap();
    let mut found = Found::default();
    for section in agsl::functions().unwrap().into_iter().chain(agsl::features().unwrap()) {
        let wrong = agsl::run(&section, &device);
        assert!(wrong.is_empty(), "{}: {wrong:?}", section.row);
        found.take(session, &section.row);
    }
    found.verify("agsl/");
}

#[test]
fn kernels() {
    const N: u32 = 256;
    let Some(session) = session("kernels") else { return };
    let device = Device::new(DeviceOptions::default()).unwrap();
    let mut found = Found::default();
    for &(name, spv) in assets::KERNELS {
        let words = assets::words(spv);
        let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
        let mut kernel = Compute::new(&device, &desc).unwrap();
        // One of the kernels gathers from all 2^16 elements.
        let bytes: Vec<u8> =
            (0..(1u32 << 16) + 512).flat_map(|i| (i as f32 / 16.0 - 8.0).to_le_bytes()).collect();
        for binding in kernel.unbound().map(|b| b.binding).collect::<Vec<_>>() {
            kernel.bind(0, binding, &bytes).unwrap();
        }
        kernel.dispatch([N / 64, 1, 1]).unwrap();
        found.take(session, name);
    }
    found.verify("kernel/");
}
