//! Transform feedback after each pre-rasterization stage: captured vertices, their order, and the end of the buffers.

use std::sync::Arc;

use quadrille_jit::ir::{Stage, Xfb, XfbOutput};

use super::harness::*;
use super::stages::*;
use crate::feedback::{FeedbackRange, TransformFeedback};
use crate::state::Topology;

/// Captures the third component of location 1 in buffer 0 and Position's x in buffer 1, then draws. Returns both
/// buffers and the numbers of primitives generated and captured.
fn captured(s: &mut Scene, threads: usize, sizes: [usize; 2], levels: [f32; 6]) -> ([Vec<f32>; 2], [u64; 2]) {
    let mut buffers = sizes.map(|n| vec![-1.0f32; n]);
    let info = &mut s.desc.stages.last_mut().unwrap().info;
    let word = |slot| crate::interface::word_offsets(&info.outputs).find(|(_, o)| o.slot == slot).unwrap().0;
    use quadrille_jit::ir::{BuiltIn, Slot};
    let outputs = vec![
        XfbOutput {
            word: word(Slot::Location { location: 1, component: 2, index: 0 }),
            buffer: 0,
            offset: 4,
        },
        XfbOutput { word: word(Slot::BuiltIn(BuiltIn::Position, 0)), buffer: 1, offset: 0 },
    ];
    info.xfb = Xfb { outputs, strides: [8, 4, 0, 0], streams: [0; 4] };
    // SAFETY: `draw` ends its pass before it returns. `buffers` lives until after that call, and only the pass uses its
    // memory meanwhile.
    #[expect(unsafe_code, reason = "binds test memory")]
    let [a, b] = buffers
        .each_mut()
        .map(|b| unsafe { FeedbackRange::new(b.as_mut_ptr().cast(), size_of_val(&b[..]) as u64) });
    let feedback =
        Arc::new(TransformFeedback::new([a, b, FeedbackRange::EMPTY, FeedbackRange::EMPTY], [0; 4]));
    s.feedback = Some(feedback.clone());
    let (_, stats) = draw(threads, s, levels);
    s.feedback = None;
    let written = feedback.offsets();
    assert_eq!(written[0], 2 * written[1]);
    ([0, 1].map(|i| std::mem::take(&mut buffers[i])), [stats.generated[0], stats.captured[0]])
}

/// Draws `n` vertices and returns the number of each captured vertex, in order.
fn numbers(topology: Topology, n: usize, last: bool) -> Vec<f32> {
    let mut s = scene();
    s.desc.topology = topology;
    s.desc.provoking_last = last;
    for i in 0..n {
        s.vertex([0.1, 0.2, 0.5, 1.0], &[0.0, 0.0, i as f32, 0.0]);
    }
    let ([a, b], [generated, written]) = captured(&mut s, 1, [100, 50], [0.0; 6]);
    assert_eq!(generated, written);
    let all: Vec<f32> = a.chunks(2).take_while(|v| v[1] >= 0.0).map(|v| v[1]).collect();
    assert!(a.chunks(2).all(|v| v[0] == -1.0), "only the words that are captured are written");
    assert!(b[..all.len()].iter().all(|&x| x == 0.1) && b[all.len()..].iter().all(|&x| x == -1.0));
    all
}

/// Spec: Vulkan, "Transform Feedback": primitives are captured one after the other, with vertices in the order of
/// "Primitive Topologies".
#[test]
fn strips_and_fans_are_captured_as_separate_primitives() {
    use Topology::*;
    assert_eq!(numbers(PointList, 3, false), [0.0, 1.0, 2.0]);
    assert_eq!(numbers(LineStrip, 4, false), [0.0, 1.0, 1.0, 2.0, 2.0, 3.0]);
    assert_eq!(numbers(LineListWithAdjacency, 4, true), [1.0, 2.0]);
    assert_eq!(numbers(TriangleStrip, 5, false), [0.0, 1.0, 2.0, 1.0, 3.0, 2.0, 2.0, 3.0, 4.0]);
    assert_eq!(numbers(TriangleFan, 4, false), [1.0, 2.0, 0.0, 2.0, 3.0, 0.0]);
    assert_eq!(numbers(TriangleListWithAdjacency, 6, false), [0.0, 2.0, 4.0]);
    // The provoking vertex is the last one, and the winding stays the same.
    assert_eq!(numbers(TriangleStrip, 4, true), [0.0, 1.0, 2.0, 2.0, 1.0, 3.0]);
    assert_eq!(numbers(TriangleFan, 4, true), [0.0, 1.0, 2.0, 0.0, 2.0, 3.0]);
}

#[test]
fn later_stages_are_captured_in_order_whatever_threads_and_flushes() {
    for geometry in [false, true] {
        let mut s = scene();
        // With rasterizer discard, primitives are still captured.
        s.desc.rasterizer_discard = geometry;
        s.tessellate(EVALUATION, Way::Compiled(8));
        if geometry {
            s.then(stage(TRIANGLES, Stage::Geometry, Way::Compiled(8)));
        }
        let n = 30;
        (0..n).for_each(|_| s.patch(WHOLE, [1.0; 4]));
        // The third component is the patch's number: 3 vertices of 2 * 32 * 32 triangles each.
        let per_patch = 3 * 2 * 32 * 32;
        let size = n * per_patch;
        let ([a, b], counts) = captured(&mut s, 3, [2 * size + 5, size], [32.0; 6]);
        assert_eq!(counts, [(size / 3) as u64; 2]);
        for (i, v) in a[..2 * size].chunks(2).enumerate() {
            assert_eq!(v, [-1.0, (i / per_patch) as f32], "vertex {i}");
        }
        assert_eq!(a[2 * size..], [-1.0; 5]);
        let ([a1, b1], _) = captured(&mut s, 1, [2 * size + 5, size], [32.0; 6]);
        assert!(a == a1 && b == b1);
        // Buffer 1 has room for 100 triangles and one more vertex.
        let ([a, b], counts) = captured(&mut s, 2, [2 * size, 301], [32.0; 6]);
        assert_eq!(counts, [(size / 3) as u64, 100]);
        assert!(a[599] == 0.0 && a[600..].iter().all(|&v| v == -1.0));
        assert!(b[300] == -1.0 && b[..300] == b1[..300]);
    }
}
