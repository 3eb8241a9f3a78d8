// Facets of GGX: densities and samples.

// Sizes of the tables of albedos and of kept samples, and the step of the index of refraction in the latter.
const TABLE_SIDE = 64u;
const KEPT_SIDE = 32u;
const KEPT_LEVELS = 16u;
const KEPT_STEP = 0.1;
// Sizes of the table of anisotropic albedos: viewing cosines and azimuths, roughness and strengths.
const STRETCHED_SIDE = 16u;
const STRETCHED_STEPS = 8u;

// Roughness is at least that of a mirror whose lobe is finite.
const LEAST_ALPHA = 1e-3;

fn unit_or(v: vec3f, other: vec3f) -> vec3f {
    let squared = dot(v, v);
    return select(other, v * inverseSqrt(squared), squared > 1e-30);
}

fn perpendicular(n: vec3f) -> vec3f {
    let axis = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(n.x) > 0.7);
    return normalize(cross(axis, n));
}

fn luminance(c: vec3f) -> f32 {
    return dot(c, vec3f(0.2126, 0.7152, 0.0722));
}

fn largest(c: vec3f) -> f32 {
    return max(c.r, max(c.g, c.b));
}

// Normal distribution of Trowbridge and Reitz, as `ggx_distribution`, but precise near the normal.
fn facets(n: vec3f, h: vec3f, alpha: f32) -> f32 {
    let across = cross(n, h);
    let sine = dot(across, across);
    let squared = alpha * alpha;
    let f = sine + squared * (1.0 - sine);
    return squared / (PI * f * f);
}

// Density of visible normals per cosine between the direction and the normal.
fn visible_facets(n_o: f32, distribution: f32, alpha: f32) -> f32 {
    let squared = alpha * alpha;
    return 2.0 * distribution / (n_o + sqrt(n_o * n_o * (1.0 - squared) + squared));
}

// A visible normal: Dupuy and Benyoub, "Sampling Visible GGX Normals with Spherical Caps".
fn sample_facet(n: vec3f, to_eye: vec3f, alpha: f32, u: vec2f) -> vec3f {
    let x = perpendicular(n);
    let y = cross(n, x);
    let local = vec3f(dot(to_eye, x), dot(to_eye, y), dot(to_eye, n));
    let stretched = normalize(vec3f(local.xy * alpha, local.z));
    let phi = 2.0 * PI * u.x;
    let z = (1.0 - u.y) * (1.0 + stretched.z) - stretched.z;
    let sine = sqrt(clamp(1.0 - z * z, 0.0, 1.0));
    let h = vec3f(sine * cos(phi), sine * sin(phi), z) + stretched;
    let m = vec3f(h.xy * alpha, max(h.z, 0.0));
    return unit_or(m.x * x + m.y * y + m.z * n, n);
}

// Alphas along and across the direction of anisotropy. Spec: KHR_materials_anisotropy.
fn stretched(alpha: f32, strength: f32) -> vec2f {
    return vec2f(mix(alpha, 1.0, strength * strength), alpha);
}

// As `sample_facet` with two alphas, along `x` and across it.
fn sample_stretched(n: vec3f, x: vec3f, to_eye: vec3f, alphas: vec2f, u: vec2f) -> vec3f {
    let y = cross(n, x);
    let local = vec3f(dot(to_eye, x), dot(to_eye, y), dot(to_eye, n));
    let scaled = normalize(vec3f(local.xy * alphas, local.z));
    let phi = 2.0 * PI * u.x;
    let z = (1.0 - u.y) * (1.0 + scaled.z) - scaled.z;
    let sine = sqrt(clamp(1.0 - z * z, 0.0, 1.0));
    let h = vec3f(sine * cos(phi), sine * sin(phi), z) + scaled;
    let m = vec3f(h.xy * alphas, max(h.z, 0.0));
    return unit_or(m.x * x + m.y * y + m.z * n, n);
}

fn sample_cosine(n: vec3f, u: vec2f) -> vec3f {
    let x = perpendicular(n);
    let r = sqrt(u.x);
    let phi = 2.0 * PI * u.y;
    let v = r * cos(phi) * x + r * sin(phi) * cross(n, x) + sqrt(max(1.0 - u.x, 0.0)) * n;
    return unit_or(v, n);
}
