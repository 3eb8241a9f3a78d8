//! Cube maps: face selection, and neighbours across edges. Filtering across edges is left to [`super::scalar`] and
//! `fast`.
//!
//! Spec: Vulkan, "Cube Map Face Selection" (textures-cubemapface) and following.

/// Face that a direction selects.
///
/// Ties go to z, then y: "rz wins over ry, ry over rx".
pub fn select([x, y, z]: [f32; 3]) -> u32 {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    if az >= ax && az >= ay {
        if z < 0.0 { 5 } else { 4 }
    } else if ay >= ax {
        if y < 0.0 { 3 } else { 2 }
    } else if x < 0.0 {
        1
    } else {
        0
    }
}

/// Components (sc, tc, rc) of a vector for a face. rc is the major component, with the sign that makes it positive for
/// directions that select the face.
pub fn project(face: u32, [x, y, z]: [f32; 3]) -> [f32; 3] {
    match face {
        0 => [-z, -y, x],
        1 => [z, -y, -x],
        2 => [x, z, y],
        3 => [x, -z, -y],
        4 => [x, -y, z],
        _ => [-x, -y, -z],
    }
}

/// Face coordinates (s, t) in [0, 1] of a direction on its face.
pub fn face_coords([sc, tc, rc]: [f32; 3]) -> [f32; 2] {
    let scale = 0.5 / rc;
    [sc * scale + 0.5, tc * scale + 0.5]
}

/// Derivative of [`face_coords`] for a change of (sc, tc, rc).
pub fn face_gradient([sc, tc, rc]: [f32; 3], [dsc, dtc, drc]: [f32; 3]) -> [f32; 2] {
    let d = 0.5 / (rc * rc);
    [(rc * dsc - sc * drc) * d, (rc * dtc - tc * drc) * d]
}

/// Finds the texel at (i, j) of a face, as face, i, j. One of i and j, but not both, may be one texel outside [0, n);
/// the result is then the texel across that edge.
pub fn across_edge(face: u32, i: i32, j: i32, n: i32) -> (u32, i32, i32) {
    // Texel centres on a cube of half side n, in integers: the face's own plane is at n, texels are at odd distances
    // from the middle.
    let (mut s, mut t) = (2 * i + 1 - n, 2 * j + 1 - n);
    let inside = |v: i32| (-n..=n).contains(&v);
    if inside(s) && inside(t) {
        return (face, i, j);
    }
    // Across an edge, the coordinate is clamped to the neighbour's plane, and the texel is the first one below this
    // face's plane.
    if !inside(s) {
        s = s.clamp(-n, n);
    } else {
        t = t.clamp(-n, n);
    }
    let r = n - 1;
    let v = match face {
        0 => [r, -t, -s],
        1 => [-r, -t, s],
        2 => [s, r, t],
        3 => [s, -r, -t],
        4 => [s, -t, r],
        _ => [-s, -t, -r],
    };
    let face = match v {
        [x, _, _] if x == n => 0,
        [x, _, _] if x == -n => 1,
        [_, y, _] if y == n => 2,
        [_, y, _] if y == -n => 3,
        [_, _, z] if z == n => 4,
        _ => 5,
    };
    let [x, y, z] = v;
    let (s, t) = match face {
        0 => (-z, -y),
        1 => (z, -y),
        2 => (x, z),
        3 => (x, -z),
        4 => (x, -y),
        _ => (-x, -y),
    };
    (face, (s + n - 1) / 2, (t + n - 1) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_of_axes() {
        let axes = [[1., 0., 0.], [-1., 0., 0.], [0., 1., 0.], [0., -1., 0.], [0., 0., 1.], [0., 0., -1.]];
        for (face, axis) in axes.into_iter().enumerate() {
            assert_eq!(select(axis), face as u32);
            assert_eq!(face_coords(project(face as u32, axis)), [0.5, 0.5]);
        }
        assert_eq!(select([1.0, 1.0, 1.0]), 4);
        assert_eq!(select([1.0, 1.0, 0.0]), 2);
    }

    #[test]
    fn crossing_an_edge_and_back_gives_the_texel_itself() {
        for n in [1, 2, 5] {
            for face in 0..6 {
                for k in 0..n {
                    for (i, j, own) in
                        [(-1, k, (0, k)), (n, k, (n - 1, k)), (k, -1, (k, 0)), (k, n, (k, n - 1))]
                    {
                        let (f, a, b) = across_edge(face, i, j, n);
                        assert_ne!(f, face);
                        assert!((0..n).contains(&a) && (0..n).contains(&b));
                        // The original texel is one of the four neighbours of the texel found.
                        let back = [(a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)]
                            .into_iter()
                            .any(|(i, j)| across_edge(f, i, j, n) == (face, own.0, own.1));
                        assert!(back, "n {n} face {face} ({i}, {j})");
                    }
                }
            }
        }
        // Across the left edge of +x lies the right column of +z (same row).
        assert_eq!(across_edge(0, -1, 1, 4), (4, 3, 1));
        // Across the top edge of +z lies the bottom row of +y.
        assert_eq!(across_edge(4, 2, -1, 4), (2, 2, 3));
    }
}
