//! Rules about the operands of rays and hits.

use crate::kind::Kind;

/// Returns the rules that a ray breaks: origin, t minimum, direction, t maximum. Spec: Vulkan,
/// VUID-RuntimeSpirv-OpTraceRayKHR-06355 to -06358, VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06348 to -06351.
pub fn ray(&[ox, oy, oz, least, dx, dy, dz, most]: &[f32; 8]) -> Vec<(Kind, String)> {
    let mut broken = Vec::new();
    for (name, v) in [("Ray Origin", [ox, oy, oz]), ("Ray Direction", [dx, dy, dz])] {
        if v.iter().any(|x| !x.is_finite()) {
            broken.push((Kind::InvalidRay, format!("{name} ({}, {}, {})", v[0], v[1], v[2])));
        }
    }
    for (name, t) in [("Ray Tmin", least), ("Ray Tmax", most)] {
        // Negative zero is not negative, and an infinite maximum is allowed.
        if t.is_nan() || t < 0.0 {
            broken.push((Kind::InvalidRay, format!("{name} {t}")));
        }
    }
    if least > most {
        broken.push((Kind::InvalidRay, format!("Ray Tmin {least} greater than Ray Tmax {most}")));
    }
    if [dx, dy, dz] == [0.0; 3] {
        broken.push((Kind::ZeroRayDirection, "Ray Direction (0, 0, 0)".into()));
    }
    broken
}

/// Flags that exclude each other. Spec: Vulkan, VUID-RuntimeSpirv-OpTraceRayKHR-06552, -06892 and -06893,
/// VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06889 to -06891.
const EXCLUSIVE: [&[(u32, &str)]; 3] = [
    &[(0x100, "SkipTrianglesKHR"), (0x200, "SkipAABBsKHR")],
    &[
        (0x100, "SkipTrianglesKHR"),
        (0x10, "CullBackFacingTrianglesKHR"),
        (0x20, "CullFrontFacingTrianglesKHR"),
    ],
    &[(0x1, "OpaqueKHR"), (0x2, "NoOpaqueKHR"), (0x40, "CullOpaqueKHR"), (0x80, "CullNoOpaqueKHR")],
];

/// Returns the rules that ray flags break.
pub fn flags(flags: u32) -> Vec<(Kind, String)> {
    let together = |set: &&[(u32, &str)]| {
        let names: Vec<&str> =
            set.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| *name).collect();
        (names.len() > 1).then(|| (Kind::RayFlagsConflict, format!("Ray Flags {}", names.join(" and "))))
    };
    EXCLUSIVE.iter().filter_map(together).collect()
}

/// Greatest hit kind of an intersection shader. Spec: Vulkan, VUID-RuntimeSpirv-OpReportIntersectionKHR-06998.
const MAX_HIT_KIND: u32 = 127;

/// Returns the rules that a reported hit breaks.
pub fn hit(t: f32, kind: u32) -> Vec<String> {
    let mut broken = Vec::new();
    if kind > MAX_HIT_KIND {
        broken.push(format!("Hit Kind {kind}, but at most {MAX_HIT_KIND} is allowed"));
    }
    if t.is_nan() {
        broken.push("Hit NaN".into());
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_break_one_rule_each() {
        let right = [0.0, 1.0, -2.0, 0.5, 0.0, 0.0, -1.0, 8.0];
        let with = |i: usize, x: f32| {
            let mut ray = right;
            ray[i] = x;
            ray
        };
        let kinds = |ray: &[f32; 8]| super::ray(ray).into_iter().map(|b| b.0).collect::<Vec<_>>();
        assert!(kinds(&right).is_empty());
        assert!(kinds(&with(7, f32::INFINITY)).is_empty() && kinds(&with(3, -0.0)).is_empty());
        assert!(kinds(&with(7, 0.5)).is_empty());
        for i in [0, 1, 2, 4, 5, 6] {
            for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert_eq!(kinds(&with(i, x)), [Kind::InvalidRay], "{i} {x}");
            }
        }
        for (i, x) in [(3, f32::NAN), (7, f32::NAN), (3, -1.0), (3, 9.0)] {
            assert_eq!(kinds(&with(i, x)), [Kind::InvalidRay], "{i} {x}");
        }
        assert_eq!(kinds(&with(7, -1.0)), [Kind::InvalidRay; 2]);
        assert_eq!(kinds(&with(6, 0.0)), [Kind::ZeroRayDirection]);
    }

    #[test]
    fn flags_exclude_each_other() {
        for bit in 0..10 {
            assert!(flags(1 << bit).is_empty());
        }
        assert!(flags(0x1 | 0x4 | 0x8 | 0x10 | 0x200).is_empty());
        assert_eq!(flags(0x300)[0].1, "Ray Flags SkipTrianglesKHR and SkipAABBsKHR");
        assert_eq!((flags(0x30).len(), flags(0x81).len(), flags(0x330).len()), (1, 1, 2));
        assert_eq!((hit(1.0, 127).len(), hit(f32::NAN, 128).len()), (0, 2));
    }
}
