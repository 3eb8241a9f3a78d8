// Reflection functions. Spec: glTF 2.0, appendix B; KHR_materials_sheen.

// Normal distribution of Trowbridge and Reitz; alpha is the square of the roughness.
fn ggx_distribution(n_h: f32, alpha: f32) -> f32 {
    let squared = alpha * alpha;
    let f = (n_h * n_h) * (squared - 1.0) + 1.0;
    return squared / (PI * f * f);
}

// Height-correlated masking and shadowing of Smith, divided by 4 n_l n_v.
fn ggx_visibility(n_l: f32, n_v: f32, alpha: f32) -> f32 {
    let squared = alpha * alpha;
    let masking = n_l * sqrt(n_v * n_v * (1.0 - squared) + squared);
    let shadowing = n_v * sqrt(n_l * n_l * (1.0 - squared) + squared);
    return 0.5 / max(masking + shadowing, 1e-7);
}

// As `ggx_distribution` with two alphas; the facet is given along the tangent, the bitangent and the normal. Spec:
// KHR_materials_anisotropy.
fn stretched_distribution(h: vec3f, alphas: vec2f) -> f32 {
    let product = alphas.x * alphas.y;
    let f = vec3f(alphas.y * h.x, alphas.x * h.y, product * h.z);
    let w = product / max(dot(f, f), 1e-20);
    return product * w * w / PI;
}

// As `ggx_visibility` with two alphas, for directions in the same space.
fn stretched_visibility(l: vec3f, v: vec3f, alphas: vec2f) -> f32 {
    let masking = l.z * length(vec3f(alphas * v.xy, v.z));
    let shadowing = v.z * length(vec3f(alphas * l.xy, l.z));
    return 0.5 / max(masking + shadowing, 1e-7);
}

// Direction of the larger roughness from the texel of its texture: in the tangents, with the strength. Spec:
// KHR_materials_anisotropy.
fn stretch_of(factors: vec4f, t: vec3f) -> vec3f {
    let d = t.xy * 2.0 - 1.0;
    let squared = dot(d, d);
    let unit = select(vec2f(1.0, 0.0), d * inverseSqrt(squared), squared > 1e-8);
    let turned = vec2f(unit.x * factors.y - unit.y * factors.z, unit.x * factors.z + unit.y * factors.y);
    return vec3f(turned, clamp(factors.x * t.z, 0.0, 1.0));
}

fn schlick(f0: vec3f, f90: vec3f, cosine: f32) -> vec3f {
    let x = clamp(1.0 - cosine, 0.0, 1.0);
    let x2 = x * x;
    return f0 + (f90 - f0) * (x2 * x2 * x);
}

// Fibre distribution of Estevez and Kulla; alpha is the square of the roughness.
fn sheen_distribution(n_h: f32, alpha: f32) -> f32 {
    let inverse = 1.0 / alpha;
    let sine_squared = max(1.0 - n_h * n_h, 0.0);
    return (2.0 + inverse) * pow(sine_squared, 0.5 * inverse) / (2.0 * PI);
}

fn sheen_fit(x: f32, alpha: f32) -> f32 {
    let t = (1.0 - alpha) * (1.0 - alpha);
    let a = mix(21.5473, 25.3245, t);
    let b = mix(3.82987, 3.32435, t);
    let c = mix(0.19823, 0.16801, t);
    let d = mix(-1.97760, -1.27393, t);
    let e = mix(-4.32054, -4.85967, t);
    return a / (1.0 + b * pow(x, c)) + d * x + e;
}

fn sheen_lambda(cosine: f32, alpha: f32) -> f32 {
    if cosine < 0.5 {
        return exp(sheen_fit(cosine, alpha));
    }
    return exp(2.0 * sheen_fit(0.5, alpha) - sheen_fit(1.0 - cosine, alpha));
}

fn sheen_visibility(n_l: f32, n_v: f32, alpha: f32) -> f32 {
    let all = 1.0 + sheen_lambda(n_v, alpha) + sheen_lambda(n_l, alpha);
    return clamp(1.0 / (all * 4.0 * max(n_v * n_l, 1e-6)), 0.0, 1.0);
}
