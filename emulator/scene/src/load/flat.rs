//! Generated normals, for files without normals.

use glam::Vec3;

use quadrille::Result;

use super::file::Budget;

/// Normal of a triangle; +Z if it has no area.
fn normal(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    // Scaled, so that tiny and huge triangles stay in the range of a float.
    let (ab, ac) = (b * 0.5 - a * 0.5, c * 0.5 - a * 0.5);
    let scale = ab.abs().max(ac.abs()).max_element();
    if scale <= 0.0 {
        return Vec3::Z;
    }
    (ab / scale).cross(ac / scale).normalize_or(Vec3::Z)
}

/// Flat normals for vertices of which every three form a triangle.
pub fn normals(positions: &[Vec3], budget: &Budget) -> Result<Vec<Vec3>> {
    let mut out = budget.room(positions.len())?;
    for triangle in positions.chunks_exact(3) {
        let normal = normal(triangle[0], triangle[1], triangle[2]);
        out.extend([normal; 3]);
    }
    Ok(out)
}

/// Changes of these normals if the positions change by `deltas`.
pub fn deltas(positions: &[Vec3], normals: &[Vec3], deltas: &[Vec3], budget: &Budget) -> Result<Vec<Vec3>> {
    let mut out = budget.room(positions.len())?;
    for at in (0..positions.len() / 3).map(|t| t * 3) {
        let corner = |i: usize| positions[at + i] + deltas[at + i];
        let moved = normal(corner(0), corner(1), corner(2));
        out.extend([moved - normals[at]; 3]);
    }
    Ok(out)
}

/// Replaces zero normals of vertices by the mean normal of their triangles.
pub fn mend(normals: &mut [Vec3], positions: &[Vec3], triangles: impl Iterator<Item = [u32; 3]>) {
    let missing: Vec<bool> = normals.iter().map(|n| *n == Vec3::ZERO).collect();
    if !missing.contains(&true) {
        return;
    }
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| positions[i as usize]);
        for vertex in triangle.map(|i| i as usize).into_iter().filter(|v| missing[*v]) {
            normals[vertex] += normal(a, b, c);
        }
    }
    for (normal, _) in normals.iter_mut().zip(&missing).filter(|(_, missing)| **missing) {
        *normal = normal.normalize_or(Vec3::Z);
    }
}
