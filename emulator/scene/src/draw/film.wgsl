// Reflection of a thin film between air and a material. Spec: KHR_materials_iridescence, "Implementation Notes", which
// follow Belcour and Barla, "A Practical Extension to Microfacet Theory for the Modeling of Varying Iridescence".

// Colour of the interference with this optical path difference in nanometres and these phase shifts.
fn film_sensitivity(difference: f32, shift: vec3f) -> vec3f {
    let phase = 2.0 * PI * difference * 1e-9;
    let variance = vec3f(4.3278e+09, 9.3046e+09, 6.6121e+09);
    let position = vec3f(1.6810e+06, 1.7953e+06, 2.2084e+06);
    let value = vec3f(5.4856e-13, 4.4201e-13, 5.2481e-13);
    var xyz = value * sqrt(2.0 * PI * variance) * cos(position * phase + shift) * exp(-phase * phase * variance);
    let second = 9.7470e-14 * sqrt(2.0 * PI * 4.5282e+09) * cos(2.2399e+06 * phase + shift.x) * exp(-4.5282e+09 * phase * phase);
    xyz = vec3f(xyz.x + second, xyz.yz) / 1.0685e-7;
    let rec709 = mat3x3f(
        3.2404542, -0.9692660, 0.0556434,
        -1.5371385, 1.8760108, -0.2040259,
        -0.4985314, 0.0415560, 1.0572252,
    );
    return rec709 * xyz;
}

// Part of the light that a film reflects; `f0` is the reflectance of the material below at normal incidence.
fn film(cosine: f32, index: f32, thickness: f32, f0: vec3f) -> vec3f {
    // A film without thickness has no index of its own.
    let ior = mix(1.0, index, smoothstep(0.0, 0.03, thickness));
    let sine = (1.0 - cosine * cosine) / (ior * ior);
    let inner = sqrt(max(1.0 - sine, 0.0));
    let upper = (ior - 1.0) / (ior + 1.0);
    let r12 = schlick(vec3f(upper * upper), vec3f(1.0), cosine).x;
    let t121 = 1.0 - r12;
    let root = sqrt(clamp(f0 + 0.0001, vec3f(0.0), vec3f(0.9999)));
    let base = (1.0 + root) / (1.0 - root);
    let lower = (base - ior) / (base + ior);
    let r23 = schlick(lower * lower, vec3f(1.0), inner);
    let shift = PI + select(vec3f(0.0), vec3f(PI), base < vec3f(ior));
    let r123 = clamp(r12 * r23, vec3f(1e-5), vec3f(0.9999));
    let all = t121 * t121 * r23 / (1.0 - r123);
    var light = r12 + all;
    var order = all - t121;
    let difference = 2.0 * ior * thickness * inner;
    for (var m = 1.0; m <= 2.0; m += 1.0) {
        order *= sqrt(r123);
        light += order * (2.0 * film_sensitivity(m * difference, m * shift));
    }
    return clamp(light, vec3f(0.0), vec3f(1.0));
}
