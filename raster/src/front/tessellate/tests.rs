use std::collections::{HashMap, HashSet};

use quadrille_jit::ir::TessellationSpacing as Spacing;

use super::stitch::Line;
use super::*;

const SPACINGS: [Spacing; 3] = [Spacing::Equal, Spacing::FractionalEven, Spacing::FractionalOdd];

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }

    /// Random levels: values around the limits, whole numbers, and others.
    fn level(&mut self) -> f32 {
        match self.next() % 8 {
            0 => 1.0,
            1 => [0.5, 1.0000001, 2.0, 2.0000002, 62.5, 63.0, 63.0001, 64.0, 1e9][self.next() as usize % 9],
            2 | 3 => (1 + self.next() % 64) as f32,
            4 => 1.0 + (self.next() % 1000) as f32 / 500.0,
            _ => 1.0 + (self.next() % 65536) as f32 / 1024.0,
        }
    }
}

fn levels(domain: Domain, spacing: Spacing, outer: [f32; 4], inner: [f32; 2]) -> Levels {
    Levels::new(domain, spacing, outer, inner).expect("not discarded")
}

/// Fixed-point coordinates of a point; the conversion is exact, so sums and areas are exact.
fn exact(t: &Tessellation, i: u16) -> [i64; 3] {
    [0, 1, 2].map(|c| {
        let v = t.points[c][usize::from(i)];
        let fixed = f64::from(v) * f64::from(ONE);
        assert!((0.0..=1.0).contains(&v) && fixed.fract() == 0.0, "{v}");
        fixed as i64
    })
}

/// Checks orientation and area, and that every edge belongs to two triangles, or to one on the border.
fn check_triangles(domain: Domain, l: &Levels) {
    let t = Tessellation::new(l);
    assert_eq!(t.n_points, l.points(), "{l:?}");
    assert_eq!(t.indices.len(), 3 * l.primitives(), "{l:?}");
    let one = i64::from(ONE);
    let (mut area, mut edges) = (0, HashMap::<[u16; 2], i32>::new());
    for i in t.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| exact(&t, i[k]));
        let doubled = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        assert!(doubled >= 0, "{l:?}: {i:?} winds the other way");
        area += doubled;
        for [p, q] in [[i[0], i[1]], [i[1], i[2]], [i[2], i[0]]] {
            assert_ne!(p, q);
            // Each directed edge occurs once, in the triangle on its left.
            assert_eq!(edges.insert([p, q], 1), None, "{l:?}: {p} {q} twice");
        }
    }
    let whole = if domain == Domain::Triangles { one * one } else { 2 * one * one };
    assert_eq!(area, whole, "{l:?}");
    // A triangulation of a disc: edges without a neighbour form the outer edge, once around.
    let border: Vec<_> = edges.keys().filter(|[p, q]| !edges.contains_key(&[*q, *p])).collect();
    let sides = if domain == Domain::Triangles { 3 } else { 4 };
    let around: u32 = l.outer[..sides].iter().map(|l| l.n).sum();
    assert_eq!(border.len(), around as usize, "{l:?}");
    for [p, q] in border {
        assert!(u32::from(*p) < around && u32::from(*q) == (u32::from(*p) + 1) % around, "{l:?}");
        let (p, q) = (exact(&t, *p), exact(&t, *q));
        let on = |c: usize, v| p[c] == v && q[c] == v;
        let quad = domain == Domain::Quads;
        assert!(on(0, 0) || on(1, 0) || if quad { on(0, one) || on(1, one) } else { on(2, 0) }, "{l:?}");
    }
    for i in 0..t.n_points as u16 {
        let sum: i64 = exact(&t, i).iter().sum();
        assert!(domain != Domain::Triangles || sum == one, "{l:?}");
    }
    let used: HashSet<u16> = t.indices.iter().copied().collect();
    assert_eq!(used.len(), t.n_points, "{l:?}: a point that no triangle uses");
}

#[test]
fn all_levels_of_all_spacings_cover_the_domain_once() {
    for domain in [Domain::Triangles, Domain::Quads] {
        for spacing in SPACINGS {
            for n in 1..=64 {
                for other in [[1.0, 5.0], [2.0, 64.0]][n as usize % 2] {
                    let n = n as f32;
                    check_triangles(domain, &levels(domain, spacing, [n; 4], [other; 2]));
                    check_triangles(domain, &levels(domain, spacing, [other; 4], [n, other]));
                    check_triangles(domain, &levels(domain, spacing, [n - 0.5; 4], [n - 0.25, other]));
                }
            }
        }
    }
}

#[test]
fn random_levels_cover_the_domain_once() {
    let mut rng = Rng(5);
    for i in 0..1500 {
        let domain = [Domain::Triangles, Domain::Quads][i % 2];
        let (outer, inner) = ([(); 4].map(|()| rng.level()), [(); 2].map(|()| rng.level()));
        check_triangles(domain, &levels(domain, SPACINGS[i / 2 % 3], outer, inner));
    }
}

/// Spec: Vulkan, "Tessellator Spacing".
#[test]
fn levels_are_clamped_and_rounded() {
    let n = |spacing, f| levels(Domain::Quads, spacing, [f; 4], [f; 2]).outer[0].n;
    let cases: [(f32, [u32; 3]); 13] = [
        (f32::MIN_POSITIVE, [1, 2, 1]),
        (0.5, [1, 2, 1]),
        (1.0, [1, 2, 1]),
        (1.000_000_1, [2, 2, 3]),
        (2.0, [2, 2, 3]),
        (2.000_000_2, [3, 4, 3]),
        (3.0, [3, 4, 3]),
        (3.1, [4, 4, 5]),
        (62.0, [62, 62, 63]),
        (62.1, [63, 64, 63]),
        (63.5, [64, 64, 63]),
        (64.0, [64, 64, 63]),
        (f32::INFINITY, [64, 64, 63]),
    ];
    for (f, want) in cases {
        assert_eq!(SPACINGS.map(|s| n(s, f)), want, "{f}");
    }
}

/// Spec: Vulkan, "Tessellator Patch Discard".
#[test]
fn outer_levels_that_are_not_positive_discard_the_patch() {
    for (domain, relevant) in [(Domain::Triangles, 3), (Domain::Quads, 4), (Domain::Isolines, 2)] {
        for bad in [0.0, -0.0, -1.0, f32::NAN, f32::NEG_INFINITY] {
            for i in 0..4 {
                let mut outer = [3.0; 4];
                outer[i] = bad;
                let l = Levels::new(domain, Spacing::Equal, outer, [3.0; 2]);
                assert_eq!(l.is_none(), i < relevant, "{domain:?} {i} {bad}");
            }
            // Inner levels are clamped.
            for spacing in SPACINGS {
                let got = Levels::new(domain, spacing, [3.0; 4], [bad; 2]);
                assert_eq!(got, Levels::new(domain, spacing, [3.0; 4], [1.0; 2]), "{domain:?} {bad}");
            }
        }
    }
}

/// Counts derived by hand from the text and the figures of the specification.
#[test]
fn counts_of_the_specification() {
    use Spacing::{Equal, FractionalEven, FractionalOdd};
    let count = |domain, spacing, outer, inner| {
        let t = Tessellation::new(&levels(domain, spacing, outer, inner));
        [t.n_points, t.indices.len() / if domain == Domain::Isolines { 2 } else { 3 }]
    };
    // A single triangle, a pair of triangles.
    assert_eq!(count(Domain::Triangles, Equal, [1.0; 4], [1.0; 2]), [3, 1]);
    assert_eq!(count(Domain::Triangles, FractionalOdd, [0.1; 4], [-7.0; 2]), [3, 1]);
    assert_eq!(count(Domain::Quads, Equal, [1.0; 4], [1.0; 2]), [4, 2]);
    // Triangles between each vertex of the outer edges and the middle vertex: two segments for 1 + epsilon.
    assert_eq!(count(Domain::Triangles, Equal, [2.0, 1.0, 1.0, 9.0], [1.0; 2]), [5, 4]);
    assert_eq!(count(Domain::Triangles, Equal, [3.0; 4], [2.0; 2]), [10, 9]);
    assert_eq!(count(Domain::Quads, Equal, [2.0, 1.0, 1.0, 1.0], [1.0; 2]), [6, 5]);
    assert_eq!(count(Domain::Quads, FractionalEven, [1.0; 4], [1.0; 2]), [9, 8]);
    // Three segments for 1 + epsilon: an inner triangle, an inner square.
    assert_eq!(count(Domain::Triangles, FractionalOdd, [1.5, 1.0, 1.0, 1.0], [1.0; 2]), [8, 9]);
    assert_eq!(count(Domain::Quads, FractionalOdd, [1.5, 1.0, 1.0, 1.0], [1.0; 2]), [10, 12]);
    // "Inner Triangle Tessellation": levels of four and of five.
    assert_eq!(count(Domain::Triangles, Equal, [4.0; 4], [4.0; 2]), [12 + 7, 12 + 6 + 6]);
    assert_eq!(count(Domain::Triangles, Equal, [5.0; 4], [5.0; 2]), [15 + 12, 15 + 9 + 12 + 1]);
    // "Inner Quad Tessellation": levels of (4, 2) and of (7, 4), here with outer levels of one.
    assert_eq!(count(Domain::Quads, Equal, [1.0; 4], [4.0, 2.0]), [4 + 3, 4 + 4]);
    assert_eq!(count(Domain::Quads, Equal, [1.0; 4], [7.0, 4.0]), [4 + 18, 4 + 2 * 5 + 2 * 2 + 20]);
    assert_eq!(count(Domain::Isolines, Equal, [1.0; 4], [9.0; 2]), [2, 1]);
    assert_eq!(count(Domain::Isolines, FractionalOdd, [3.5, 3.5, 9.0, 9.0], [9.0; 2]), [24, 20]);
    assert_eq!(count(Domain::Isolines, FractionalEven, [64.0; 4], [9.0; 2]), [64 * 65, 64 * 64]);
}

/// Spec: Vulkan, "Triangle Tessellation": the only triangle.
#[test]
fn the_single_triangle_has_the_coordinates_of_the_specification() {
    let t = Tessellation::new(&levels(Domain::Triangles, Spacing::Equal, [1.0; 4], [1.0; 2]));
    let corner = |i: usize| [t.points[0][i], t.points[1][i], t.points[2][i]];
    assert_eq!([0, 1, 2].map(corner), [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(t.indices, [0, 1, 2]);
}

/// Spec: Vulkan, "Isoline Tessellation".
#[test]
fn isolines_are_evenly_spaced_and_span_the_domain() {
    let l = levels(Domain::Isolines, Spacing::FractionalOdd, [3.5, 2.5, 0.0, 0.0], [0.0; 2]);
    let t = Tessellation::new(&l);
    assert_eq!((l.points(), l.primitives()), (16, 12));
    for line in 0..4 {
        let u = &t.points[0][4 * line..4 * line + 4];
        assert!(u[0] == 0.0 && u[3] == 1.0 && u[1] == 1.0 - u[2] && u[1] > 0.0 && u[1] < u[2]);
        assert!(t.points[1][4 * line..4 * line + 4].iter().all(|&v| v == line as f32 / 4.0));
    }
    let pairs: Vec<_> = t.indices.chunks_exact(2).map(|p| p[1] - p[0]).collect();
    assert_eq!(pairs, [1; 12]);
}

/// Spec: Vulkan, "Tessellator Spacing": lengths of segments.
#[test]
fn segments_have_the_lengths_of_the_specification() {
    for spacing in SPACINGS {
        let mut before = None;
        for i in 1..64 * 32 {
            let f = i as f32 / 32.0;
            let level = levels(Domain::Quads, spacing, [f; 4], [f; 2]).outer[0];
            let s = level.subdivide();
            let lengths: Vec<i64> = s.at().windows(2).map(|w| i64::from(w[1]) - i64::from(w[0])).collect();
            // Two segments, on opposite sides, are at most as long as the others.
            let n = lengths.len();
            let short = (0..n).min_by_key(|&i| lengths[i]).unwrap();
            assert!((0..n).all(|i| lengths[i] == lengths[n - 1 - i]), "{spacing:?} {f}: not symmetrical");
            let others: Vec<_> = (0..n).filter(|&i| i != short && i != n - 1 - short).collect();
            let one = others.first().map_or(lengths[short], |&i| lengths[i]);
            assert!(others.iter().all(|&i| (lengths[i] - one).abs() <= 2), "{spacing:?} {f}");
            // The added segments grow with the level, up to the length of the others.
            let first = lengths[short];
            if let (Some((n, length)), true) = (before, level.n > 2 && spacing != Spacing::Equal) {
                assert!(n != level.n || first >= length, "{spacing:?} {f}");
            }
            if level.f == level.n as f32 {
                assert!((one - first).abs() <= 2, "{spacing:?} {f}");
            }
            before = Some((level.n, first));
        }
    }
}

/// Direct3D's tessellator adds a segment after point 2 (s - b) + 1, where s is the number of segments of the half and b
/// the value of its highest bit. Reference images of Vulkan's conformance suite (`dgc.ext.graphics.tess_state`) agree.
#[test]
fn segments_are_added_where_others_add_them() {
    let place = |spacing, f: f32| {
        let level = levels(Domain::Quads, spacing, [f; 4], [f; 2]).outer[0];
        let at: Vec<u32> = level.subdivide().at().to_vec();
        let lengths: Vec<u32> = at.windows(2).map(|w| w[1] - w[0]).collect();
        (0..lengths.len()).min_by_key(|&i| lengths[i]).unwrap()
    };
    // Levels just above an even or odd number of segments: two segments have almost no length.
    let even = (1..8).map(|half| place(Spacing::FractionalEven, 2.0 * half as f32 + 0.1));
    assert_eq!(even.collect::<Vec<_>>(), [1, 1, 3, 1, 3, 5, 7]);
    let odd = (0..8).map(|half| place(Spacing::FractionalOdd, 2.0 * half as f32 + 1.1));
    assert_eq!(odd.collect::<Vec<_>>(), [0, 1, 1, 3, 1, 3, 5, 7]);
}

/// The points of an edge, ascending.
fn along(t: &Tessellation, coordinate: usize, on: impl Fn([f32; 3]) -> bool) -> Vec<f32> {
    let at = |i: usize| [0, 1, 2].map(|c| t.points[c][i]);
    let mut list: Vec<f32> = (0..t.n_points).map(at).filter(|&p| on(p)).map(|p| p[coordinate]).collect();
    list.sort_by(f32::total_cmp);
    list
}

/// Rules 2 to 4 and 8 of "Tessellation Invariance": edges of the same level have the same points in every patch,
/// counted from either end, and `1 - x` is exact.
#[test]
fn edges_of_one_level_have_the_same_bits_everywhere() {
    let mut rng = Rng(77);
    for i in 0..600 {
        let (spacing, f) = (SPACINGS[i % 3], rng.level());
        let want: Vec<f32> = levels(Domain::Quads, spacing, [f; 4], [f; 2]).outer[0]
            .subdivide()
            .at()
            .iter()
            .map(|&c| coordinate(c))
            .collect();
        let back: Vec<f32> = want.iter().rev().map(|v| 1.0 - v).collect();
        assert_eq!(want, back, "{spacing:?} {f}");
        let mut other = || 1.5 + rng.level();
        for edge in 0..4 {
            let mut outer = [other(), other(), other(), other()];
            outer[edge] = f;
            let inner = [other(), other()];
            let t = Tessellation::new(&levels(Domain::Quads, spacing, outer, inner));
            let got = match edge {
                0 => along(&t, 1, |p| p[0] == 0.0),
                1 => along(&t, 0, |p| p[1] == 0.0),
                2 => along(&t, 1, |p| p[0] == 1.0),
                _ => along(&t, 0, |p| p[1] == 1.0),
            };
            assert_eq!(got, want, "quad {spacing:?} {f} {edge}");
            if edge < 3 {
                let t = Tessellation::new(&levels(Domain::Triangles, spacing, outer, inner));
                for c in (0..3).filter(|&c| c != edge) {
                    assert_eq!(along(&t, c, |p| p[edge] == 0.0), want, "triangle {spacing:?} {f} {edge}");
                }
            }
        }
    }
}

/// Rules 6 and 7 of "Tessellation Invariance": the inside does not depend on outer levels, and the connection to an
/// edge does not depend on the levels of other edges.
#[test]
fn the_inside_does_not_depend_on_outer_levels() {
    let mut rng = Rng(9);
    for i in 0..200 {
        let domain = [Domain::Triangles, Domain::Quads][i % 2];
        let spacing = SPACINGS[i / 2 % 3];
        let inner = [2.5 + rng.level(), 2.5 + rng.level()];
        let first = 1.0 + rng.level();
        let mut sets = [(); 2].map(|()| {
            let outer = [first, rng.level(), rng.level(), rng.level()];
            let l = levels(domain, spacing, outer, inner);
            let t = Tessellation::new(&l);
            let sides = if domain == Domain::Triangles { 3 } else { 4 };
            let around = l.outer[..sides].iter().map(|l| l.n).sum::<u32>() as u16;
            let (mut inside, mut at_edge) = (Vec::new(), Vec::new());
            for tri in t.indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|k| exact(&t, tri[k]));
                // Points of the edge u = 0 come last, before the first one. Their coordinates do not identify them:
                // segments of another edge may have zero length.
                let of_edge = around - l.outer[0].n as u16..around;
                let on_edge = tri.iter().filter(|&i| *i == 0 || of_edge.contains(i)).count();
                if tri.iter().all(|&i| i >= around) {
                    inside.push(corners);
                } else if on_edge == 2 {
                    at_edge.push(corners);
                }
            }
            [inside, at_edge]
        });
        for list in sets.iter_mut().flatten() {
            list.sort();
        }
        assert_eq!(sets[0], sets[1], "{domain:?} {spacing:?} {inner:?}");
    }
}

#[test]
fn what_is_remembered_is_what_was_made_and_is_bounded() {
    let (mut cache, mut rng) = (Tessellator::default(), Rng(31));
    for i in 0..3000 {
        let domain = [Domain::Triangles, Domain::Quads, Domain::Isolines][i % 3];
        let (outer, inner) = ([(); 4].map(|()| rng.level()), [(); 2].map(|()| rng.level()));
        let l = levels(domain, SPACINGS[i / 3 % 3], outer, inner);
        let made = cache.divide(&l);
        assert!(Rc::ptr_eq(&made, &cache.divide(&l)));
        assert!(i % 16 != 0 || *made == Tessellation::new(&l));
        assert!(cache.bytes <= CACHE_BYTES + size_of::<(Levels, Rc<Tessellation>)>());
        let held: usize = cache.made.values().map(|t| t.bytes()).sum();
        assert!(i % 64 != 0 || held <= cache.bytes);
    }
}

/// Triangles along an edge of the patch, as two strings: the line with two of their corners, and the line with their
/// first corner. Derived by hand from the description of Direct3D's tessellator: half a line of four segments keeps its
/// middle when it has eight, and the inner line advances first, up to the middle.
#[test]
fn edges_are_stitched_in_the_order_of_direct3d() {
    let order = |outer: u32, inner: u32| -> [String; 2] {
        let mut t = Tessellation::default();
        t.fill_at_edge(Line { n: outer, point: |i| i }, Line { n: inner, point: |j| 100 + j });
        let name = |is_inner| if is_inner { 'i' } else { 'o' };
        let base =
            t.indices.chunks_exact(3).map(|v| name(v.iter().filter(|&&i| i >= 100).count() == 2)).collect();
        [base, t.indices.chunks_exact(3).map(|v| name(v[0] >= 100)).collect()]
    };
    // The inner line has two segments fewer, as in rings.
    assert_eq!([0, 1, 2].map(|n| order(n + 2, n)), [["oo", "oo"], ["oioo", "oiio"], ["oiooio", "oiooio"]]);
    assert_eq!(order(5, 3), ["oioiooio", "oioiioio"]);
    // One line is a single segment, or has more segments than the other.
    assert_eq!([order(1, 0), order(1, 1), order(1, 3)], [["o", "i"], ["io", "ii"], ["iioi", "iiii"]]);
    assert_eq!([order(5, 1), order(2, 6)], [["ooiooo", "ooiioo"], ["oiiiiiio", "oiiiiiio"]]);
    assert_eq!(order(4, 6), ["oiioiioiio", "oiioiioiio"]);
    assert_eq!([order(8, 2), order(7, 4)], [["ooiooooioo", "ooiooooioo"], ["oioioooioio", "oioioioioio"]]);
}

/// Direct3D's choice for squares: (u, v) of both ends of the diagonal of each square.
#[test]
fn squares_are_halved_as_direct3d_does() {
    let diagonals = |m: u32, n: u32| -> Vec<String> {
        let level = |i: u32| i as f32;
        let t = Tessellation::new(&levels(Domain::Quads, Spacing::Equal, [1.0; 4], [level(m), level(n)]));
        let at =
            |i: u16| [(0, m), (1, n)].map(|(c, n)| (t.points[c][usize::from(i)] * level(n)).round() as usize);
        let mut rows = vec![vec![' '; m as usize - 2]; n as usize - 2];
        for v in t.indices.chunks_exact(3).filter(|v| v.iter().all(|&i| i >= 4)) {
            for [a, b] in [[v[0], v[1]], [v[1], v[2]], [v[2], v[0]]].map(|ends| ends.map(at)) {
                if a[0] != b[0] && a[1] != b[1] {
                    let down = (a[0] < b[0]) == (a[1] < b[1]);
                    rows[a[1].min(b[1]) - 1][a[0].min(b[0]) - 1] = if down { '\\' } else { '/' };
                }
            }
        }
        rows.into_iter().map(String::from_iter).collect()
    };
    assert_eq!(diagonals(4, 4), [r"\/", r"/\"]);
    assert_eq!(diagonals(3, 3), ["/"]);
    assert_eq!(diagonals(5, 5), [r"\\/", "///", r"/\\"]);
    assert_eq!(diagonals(6, 3), ["////"]);
    assert_eq!(diagonals(3, 6), [r"\"; 4]);
    assert_eq!(diagonals(3, 5), [r"\", "/", r"\"]);
    assert_eq!(diagonals(6, 5), [r"\\//", "////", r"//\\"]);
    let t = Tessellation::new(&levels(Domain::Quads, Spacing::Equal, [1.0; 4], [1.0; 2]));
    assert_eq!(t.indices, [0, 1, 3, 1, 2, 3]);
}

/// The specification leaves the diagonal of squares open. The conformance suite's images of rings require that no
/// diagonal cuts off a ring's corner.
#[test]
fn edges_across_squares_run_from_a_ring_to_the_next() {
    for m in 3..=20u32 {
        for n in 3..=20u32 {
            let t = Tessellation::new(&levels(Domain::Quads, Spacing::Equal, [7.0; 4], [m as f32, n as f32]));
            let at = |i: u16| {
                let [u, v] = [0, 1].map(|c| t.points[c][usize::from(i)]);
                [(u * m as f32).round() as u32, (v * n as f32).round() as u32]
            };
            let ring = |[x, y]: [u32; 2]| x.min(m - x).min(y).min(n - y);
            for v in t.indices.chunks_exact(3).filter(|v| v.iter().all(|&i| i >= 28)) {
                let corners = [at(v[0]), at(v[1]), at(v[2])];
                let rings = corners.map(ring);
                let across = |i: usize, k: usize| (0..2).all(|c| corners[i][c] != corners[k][c]);
                for [i, k, l] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
                    // In the middle, a whole square may lie in one ring.
                    let cut = across(i, k) && rings[i] == rings[k] && rings[l] != rings[i];
                    assert!(!cut, "{m} x {n}: {corners:?}");
                }
            }
        }
    }
}
