// The surface at a fragment: factors of the material times its textures.

struct Surface {
    color: vec3f,
    alpha: f32,
    metallic: f32,
    roughness: f32,
    occlusion: f32,
    emissive: vec3f,
    // Reflectance of the dielectric at normal incidence and at grazing angle.
    f0: vec3f,
    f90: f32,
    // Normal of the visible side, without and with the normal map.
    normal: vec3f,
    bent: vec3f,
    clearcoat: f32,
    clearcoat_roughness: f32,
    clearcoat_normal: vec3f,
    transmission: f32,
    thickness: f32,
    sheen: vec3f,
    sheen_roughness: f32,
    // Strength and thickness of a film.
    film: vec2f,
    // Direction of the larger roughness, and the strength of its anisotropy.
    along: vec3f,
    anisotropy: f32,
}

// Texture coordinates of a slot. Spec: KHR_texture_transform.
fn coordinates(v: Varying, slot: u32) -> vec2f {
    let s = material.slots[slot];
    let uv = select(v.uv.xy, v.uv.zw, s.u.w > 0.5);
    return vec2f(dot(s.u.xyz, vec3f(uv, 1.0)), dot(s.v.xyz, vec3f(uv, 1.0)));
}

// Tangent, bitangent and normal as columns; without tangents, from derivatives of texture coordinates. The caller has reversed
// the normal of a back face, for which `side` is -1; the others are reversed here.
fn frame_of(v: Varying, slot: u32, normal: vec3f, side: f32) -> mat3x3f {
    if has(TANGENTS) {
        let t = v.tangent.xyz - normal * dot(normal, v.tangent.xyz);
        let tangent = side * unit_or(t, perpendicular(normal));
        return mat3x3f(tangent, side * v.tangent.w * cross(normal, tangent), normal);
    }
    let uv = coordinates(v, slot);
    let px = dpdx(v.position);
    let py = dpdy(v.position);
    let tx = dpdx(uv);
    let ty = dpdy(uv);
    let determinant = tx.x * ty.y - tx.y * ty.x;
    let along = (px * ty.y - py * tx.y) * select(-1.0, 1.0, determinant > 0.0);
    let tangent = unit_or(along - normal * dot(normal, along), perpendicular(normal));
    // The +Y of a normal texture is up in its picture, opposite to v; so are bitangents.
    let across = (py * tx.x - px * ty.x) * select(-1.0, 1.0, determinant > 0.0);
    let bitangent = cross(normal, tangent);
    return mat3x3f(side * tangent, side * bitangent * select(1.0, -1.0, dot(bitangent, across) > 0.0), normal);
}

fn unit_or(v: vec3f, other: vec3f) -> vec3f {
    let squared = dot(v, v);
    return select(other, v * inverseSqrt(squared), squared > 1e-30);
}

fn perpendicular(n: vec3f) -> vec3f {
    let axis = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(n.x) > 0.7);
    return normalize(cross(axis, n));
}

// Base colour and alpha.
fn base_color_of(v: Varying) -> vec4f {
    var color = material.base_color * v.color;
    if has_texture(BASE_COLOR_SLOT) {
        color *= textureSample(base_color_map, base_color_sampler, coordinates(v, BASE_COLOR_SLOT));
    }
    return color;
}

fn emissive_of(v: Varying) -> vec3f {
    var emissive = material.emissive.rgb;
    if has_texture(EMISSIVE_SLOT) {
        emissive *= textureSample(emissive_map, emissive_sampler, coordinates(v, EMISSIVE_SLOT)).rgb;
    }
    return emissive;
}

fn surface_of(v: Varying, front: bool) -> Surface {
    var s: Surface;
    let base = base_color_of(v);
    s.color = base.rgb;
    s.alpha = base.a;
    s.emissive = emissive_of(v);

    s.metallic = material.surface.x;
    s.roughness = material.surface.y;
    if has_texture(METALLIC_ROUGHNESS_SLOT) {
        let t = textureSample(metallic_roughness_map, metallic_roughness_sampler, coordinates(v, METALLIC_ROUGHNESS_SLOT));
        s.metallic *= t.b;
        s.roughness *= t.g;
    }
    s.metallic = clamp(s.metallic, 0.0, 1.0);
    s.roughness = clamp(s.roughness, 0.0, 1.0);

    let side = select(-1.0, 1.0, front);
    s.normal = side * unit_or(v.normal, vec3f(0.0, 0.0, 1.0));
    s.bent = s.normal;
    if has_texture(NORMAL_SLOT) {
        let t = textureSample(normal_map, normal_sampler, coordinates(v, NORMAL_SLOT)).xyz * 2.0 - 1.0;
        let scaled = t * vec3f(material.surface.zz, 1.0);
        s.bent = unit_or(frame_of(v, NORMAL_SLOT, s.normal, side) * scaled, s.normal);
    }
    s.occlusion = 1.0;
    if has_texture(OCCLUSION_SLOT) {
        let t = textureSample(occlusion_map, occlusion_sampler, coordinates(v, OCCLUSION_SLOT)).r;
        s.occlusion = 1.0 + material.surface.w * (t - 1.0);
    }

    // Spec: KHR_materials_ior, KHR_materials_specular.
    var specular = material.specular;
    if has_texture(SPECULAR_SLOT) {
        specular.a *= textureSample(specular_map, specular_sampler, coordinates(v, SPECULAR_SLOT)).a;
    }
    if has_texture(SPECULAR_COLOR_SLOT) {
        let t = textureSample(specular_color_map, specular_color_sampler, coordinates(v, SPECULAR_COLOR_SLOT)).rgb;
        specular = vec4f(specular.rgb * t, specular.a);
    }
    // An index of 0 means infinity.
    let ior = material.volume.y;
    let root = select((ior - 1.0) / (ior + 1.0), 1.0, ior == 0.0);
    s.f0 = min(root * root * specular.rgb, vec3f(1.0)) * specular.a;
    s.f90 = specular.a;

    if has(SPECULAR_GLOSSINESS) {
        // Spec: KHR_materials_pbrSpecularGlossiness.
        var reflection = material.reflection;
        if has_texture(SPECULAR_GLOSSINESS_SLOT) {
            let uv = coordinates(v, SPECULAR_GLOSSINESS_SLOT);
            reflection *= textureSample(specular_glossiness_map, specular_glossiness_sampler, uv);
        }
        s.f0 = reflection.rgb;
        s.f90 = 1.0;
        s.color *= 1.0 - max(s.f0.r, max(s.f0.g, s.f0.b));
        s.metallic = 0.0;
        s.roughness = clamp(1.0 - reflection.a, 0.0, 1.0);
    }
    if has(IRIDESCENCE) {
        s.film = material.film.xw;
        if has_texture(IRIDESCENCE_SLOT) {
            s.film.x *= textureSample(iridescence_map, iridescence_sampler, coordinates(v, IRIDESCENCE_SLOT)).r;
        }
        if has_texture(IRIDESCENCE_THICKNESS_SLOT) {
            let uv = coordinates(v, IRIDESCENCE_THICKNESS_SLOT);
            let t = textureSample(iridescence_thickness_map, iridescence_thickness_sampler, uv).g;
            s.film.y = mix(material.film.z, material.film.w, t);
        }
    }
    if has(ANISOTROPY) {
        var t = vec3f(1.0, 0.5, 1.0);
        if has_texture(ANISOTROPY_SLOT) {
            t = textureSample(anisotropy_map, anisotropy_sampler, coordinates(v, ANISOTROPY_SLOT)).xyz;
        }
        let d = stretch_of(material.anisotropy, t);
        s.along = unit_or(frame_of(v, ANISOTROPY_SLOT, s.bent, side) * vec3f(d.xy, 0.0), perpendicular(s.bent));
        s.anisotropy = d.z;
    }
    if has(CLEARCOAT) {
        s.clearcoat = material.clearcoat.x;
        s.clearcoat_roughness = material.clearcoat.y;
        s.clearcoat_normal = s.normal;
        if has_texture(CLEARCOAT_SLOT) {
            s.clearcoat *= textureSample(clearcoat_map, clearcoat_sampler, coordinates(v, CLEARCOAT_SLOT)).r;
        }
        if has_texture(CLEARCOAT_ROUGHNESS_SLOT) {
            let uv = coordinates(v, CLEARCOAT_ROUGHNESS_SLOT);
            s.clearcoat_roughness *= textureSample(clearcoat_roughness_map, clearcoat_roughness_sampler, uv).g;
        }
        if has_texture(CLEARCOAT_NORMAL_SLOT) {
            let uv = coordinates(v, CLEARCOAT_NORMAL_SLOT);
            let t = textureSample(clearcoat_normal_map, clearcoat_normal_sampler, uv).xyz * 2.0 - 1.0;
            let scaled = t * vec3f(material.clearcoat.zz, 1.0);
            s.clearcoat_normal = unit_or(frame_of(v, CLEARCOAT_NORMAL_SLOT, s.normal, side) * scaled, s.normal);
        }
        s.clearcoat_roughness = clamp(s.clearcoat_roughness, 0.0, 1.0);
    }
    if has(TRANSMISSION) {
        s.transmission = material.volume.x;
        if has_texture(TRANSMISSION_SLOT) {
            s.transmission *= textureSample(transmission_map, transmission_sampler, coordinates(v, TRANSMISSION_SLOT)).r;
        }
    }
    if has(VOLUME) {
        s.thickness = material.volume.w;
        if has_texture(THICKNESS_SLOT) {
            s.thickness *= textureSample(thickness_map, thickness_sampler, coordinates(v, THICKNESS_SLOT)).g;
        }
    }
    if has(SHEEN) {
        s.sheen = material.sheen.rgb;
        s.sheen_roughness = material.sheen.a;
        if has_texture(SHEEN_COLOR_SLOT) {
            s.sheen *= textureSample(sheen_color_map, sheen_color_sampler, coordinates(v, SHEEN_COLOR_SLOT)).rgb;
        }
        if has_texture(SHEEN_ROUGHNESS_SLOT) {
            let uv = coordinates(v, SHEEN_ROUGHNESS_SLOT);
            s.sheen_roughness *= textureSample(sheen_roughness_map, sheen_roughness_sampler, uv).a;
        }
        s.sheen_roughness = clamp(s.sheen_roughness, 0.05, 1.0);
    }
    return s;
}
