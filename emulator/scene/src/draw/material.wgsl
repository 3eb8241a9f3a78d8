// A material as the host writes it.

struct Slot {
    // Rows of the matrix that transforms texture coordinates; u.w is the set of coordinates. In the path tracer, v.w is
    // the number of the texture, from 1.
    u: vec4f,
    v: vec4f,
}
struct Material {
    base_color: vec4f,
    emissive: vec4f,
    sheen: vec4f, // colour, roughness
    specular: vec4f, // colour, strength
    surface: vec4f, // metallic, roughness, normal scale, occlusion strength
    clearcoat: vec4f, // strength, roughness, normal scale
    volume: vec4f, // transmission, index of refraction, alpha cutoff, thickness
    absorption: vec4f, // of the interior, per metre
    reflection: vec4f, // colour at normal incidence, glossiness: KHR_materials_pbrSpecularGlossiness
    film: vec4f, // strength, index of refraction, least and largest thickness in nanometres
    anisotropy: vec4f, // strength, cosine and sine of the rotation, dispersion
    slots: array<Slot, SLOTS>,
}
