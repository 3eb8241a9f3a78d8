// The surface at a point of a triangle: interpolated vertices, textures, factors.

const FLOATS = 18u;

// True if a material of the scene has a feature: known to the compiler.
fn present(feature: u32) -> bool {
    return (PRESENT & feature) != 0u;
}

fn has(instance: u32, feature: u32) -> bool {
    if !present(feature) {
        return false;
    }
    return (instances[instance].features & feature) != 0u;
}

// First floats of the three vertices of a triangle.
fn corners(instance: u32, primitive: u32) -> vec3u {
    let first = instances[instance].first_index + 3u * primitive;
    let base = instances[instance].first_vertex;
    return (vec3u(indices[first], indices[first + 1u], indices[first + 2u]) + base) * FLOATS;
}

fn float3(at: u32) -> vec3f {
    return vec3f(vertices[at], vertices[at + 1u], vertices[at + 2u]);
}

fn float4(at: u32) -> vec4f {
    return vec4f(vertices[at], vertices[at + 1u], vertices[at + 2u], vertices[at + 3u]);
}

fn weights_of(barycentrics: vec2f) -> vec3f {
    return vec3f(1.0 - barycentrics.x - barycentrics.y, barycentrics);
}

fn mixed3(c: vec3u, offset: u32, w: vec3f) -> vec3f {
    return w.x * float3(c.x + offset) + w.y * float3(c.y + offset) + w.z * float3(c.z + offset);
}

fn mixed4(c: vec3u, offset: u32, w: vec3f) -> vec4f {
    return w.x * float4(c.x + offset) + w.y * float4(c.y + offset) + w.z * float4(c.z + offset);
}

// Index of a texel under a wrap mode: 0 clamps, 1 mirrors, 2 repeats.
fn wrapped(i: i32, n: i32, mode: u32) -> i32 {
    if mode == 0u {
        return clamp(i, 0, n - 1);
    }
    let period = select(n, 2 * n, mode == 1u);
    let r = ((i % period) + period) % period;
    return select(r, 2 * n - 1 - r, r >= n);
}

fn texel(p: Picture, x: i32, y: i32) -> vec4f {
    let i = wrapped(x, i32(p.width), (p.sampler >> 1u) & 3u);
    let j = wrapped(y, i32(p.height), (p.sampler >> 3u) & 3u);
    let word = texels[p.offset + u32(j) * p.width + u32(i)];
    let plain = unpack4x8unorm(word);
    if (p.sampler & 32u) == 0u {
        return plain;
    }
    let bytes = vec3u(word, word >> 8u, word >> 16u) & vec3u(255u);
    let linear = vec3u(texels[bytes.x], texels[bytes.y], texels[bytes.z]);
    return vec4f(bitcast<vec3f>(linear), plain.a);
}

// Texel at coordinates. Bit 0 of the sampler is the nearest filter, bits 1 and 3 begin the wrap modes, bit 5 is sRGB.
fn sampled(number: u32, uv: vec2f) -> vec4f {
    let p = pictures[number];
    // Coordinates far away have lost their fraction anyway.
    let at = clamp(uv, vec2f(-1e4), vec2f(1e4)) * vec2f(f32(p.width), f32(p.height));
    if (p.sampler & 1u) != 0u {
        let nearest = vec2i(floor(at));
        return texel(p, nearest.x, nearest.y);
    }
    let corner = floor(at - 0.5);
    let part = at - 0.5 - corner;
    let i = vec2i(corner);
    let upper = mix(texel(p, i.x, i.y), texel(p, i.x + 1, i.y), part.x);
    let lower = mix(texel(p, i.x, i.y + 1), texel(p, i.x + 1, i.y + 1), part.x);
    return mix(upper, lower, part.y);
}

// Texture coordinates of a slot. Spec: KHR_texture_transform.
fn coordinates(material: u32, slot: u32, uv: vec4f) -> vec2f {
    let u = materials[material].slots[slot].u;
    let v = materials[material].slots[slot].v;
    let chosen = select(uv.xy, uv.zw, u.w > 0.5);
    return vec2f(dot(u.xyz, vec3f(chosen, 1.0)), dot(v.xyz, vec3f(chosen, 1.0)));
}

// Number of the texture in a slot, from 1.
fn picture_of(material: u32, slot: u32) -> u32 {
    return u32(materials[material].slots[slot].v.w);
}

// Texel of a slot; white without a texture.
fn looked_up(material: u32, slot: u32, uv: vec4f) -> vec4f {
    let number = picture_of(material, slot);
    if number == 0u {
        return vec4f(1.0);
    }
    return sampled(number - 1u, coordinates(material, slot, uv));
}

// Part of a surface that is there: alpha as coverage.
fn coverage(instance: u32, primitive: u32, barycentrics: vec2f) -> f32 {
    let c = corners(instance, primitive);
    let w = weights_of(barycentrics);
    let material = instances[instance].material;
    let color = w.x * vertices[c.x + 17u] + w.y * vertices[c.y + 17u] + w.z * vertices[c.z + 17u];
    let alpha = materials[material].base_color.a * color * looked_up(material, BASE_COLOR_SLOT, mixed4(c, 10u, w)).a;
    if has(instance, MASK) {
        return select(0.0, 1.0, alpha >= materials[material].volume.z);
    }
    return clamp(alpha, 0.0, 1.0);
}

// Light that a triangle emits at a point in a direction with this cosine.
fn emission(instance: u32, primitive: u32, barycentrics: vec2f, cosine: f32) -> vec3f {
    if cosine <= 0.0 && !has(instance, DOUBLE_SIDED) {
        return vec3f(0.0);
    }
    let material = instances[instance].material;
    let uv = mixed4(corners(instance, primitive), 10u, weights_of(barycentrics));
    var light = materials[material].emissive.rgb * looked_up(material, EMISSIVE_SLOT, uv).rgb;
    if has(instance, CLEARCOAT) {
        let strength = materials[material].clearcoat.x * looked_up(material, CLEARCOAT_SLOT, uv).r;
        light *= 1.0 - strength * schlick(vec3f(0.04), vec3f(1.0), abs(cosine));
    }
    return light;
}

struct Surface {
    position: vec3f,
    // Normals of the visible side: of the triangle, and interpolated with the normal map.
    face: vec3f,
    normal: vec3f,
    // True if the ray met the front.
    front: bool,
    // Cosine between the ray and the normal of the triangle; positive at the front.
    cosine: f32,
    color: vec3f,
    metallic: f32,
    roughness: f32,
    f0: vec3f,
    f90: f32,
    clearcoat: f32,
    clearcoat_roughness: f32,
    clearcoat_normal: vec3f,
    transmission: f32,
    ior: f32,
    sheen: vec3f,
    sheen_roughness: f32,
    absorption: vec3f,
    // Strength, index of refraction and thickness of a film.
    film: vec3f,
    // Direction of the larger roughness, and the strength of its anisotropy.
    along: vec3f,
    anisotropy: f32,
}

// A normal of a slot's map.
fn mapped(instance: u32, slot: u32, scale: f32, normal: vec3f, tangent: vec4f, uv: vec4f, side: f32, edges: array<vec3f, 2>, c: vec3u) -> vec3f {
    let t = looked_up(instances[instance].material, slot, uv).xyz * 2.0 - 1.0;
    let v = t * vec3f(scale, scale, 1.0);
    return unit_or(frame_of(instance, slot, normal, tangent, side, edges, c) * v, normal);
}

// The frame of the tangents or of a slot's texture coordinates: tangent, bitangent and normal as columns. The caller has reversed
// the normal of a back face, for which `side` is -1; the others are reversed here.
fn frame_of(instance: u32, slot: u32, normal: vec3f, tangent: vec4f, side: f32, edges: array<vec3f, 2>, c: vec3u) -> mat3x3f {
    let material = instances[instance].material;
    if has(instance, TANGENTS) {
        let along = tangent.xyz - normal * dot(normal, tangent.xyz);
        let x = side * unit_or(along, perpendicular(normal));
        return mat3x3f(x, side * tangent.w * cross(normal, x), normal);
    }
    let at = coordinates(material, slot, float4(c.x + 10u));
    let tx = coordinates(material, slot, float4(c.y + 10u)) - at;
    let ty = coordinates(material, slot, float4(c.z + 10u)) - at;
    let sign = select(-1.0, 1.0, tx.x * ty.y - tx.y * ty.x > 0.0);
    let along = (edges[0] * ty.y - edges[1] * tx.y) * sign;
    let x = unit_or(along - normal * dot(normal, along), perpendicular(normal));
    // The +Y of a normal texture is up in its picture, opposite to v; so are bitangents.
    let across = (edges[1] * tx.x - edges[0] * ty.x) * sign;
    let bitangent = cross(normal, x);
    return mat3x3f(side * x, side * bitangent * select(1.0, -1.0, dot(bitangent, across) > 0.0), normal);
}

// A normal that the ray's origin can see.
fn facing(normal: vec3f, to_eye: vec3f) -> vec3f {
    let cosine = dot(normal, to_eye);
    if cosine >= 1e-3 {
        return normal;
    }
    return normalize(normal + (2e-3 - cosine) * to_eye);
}

fn surface_of(hit: Hit, direction: vec3f) -> Surface {
    var s: Surface;
    let instance = hit.instance;
    let material = instances[instance].material;
    let c = corners(instance, hit.primitive);
    let w = weights_of(hit.barycentrics);
    let m = hit.world;
    // Cofactors transform normals; the sign of the determinant is removed.
    let cofactors = mat3x3f(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
    let mirrored = select(1.0, -1.0, dot(m[0], cofactors[0]) < 0.0);
    let a = float3(c.x);
    let edge_b = float3(c.y) - a;
    let edge_c = float3(c.z) - a;
    s.position = m * vec4f(a + w.y * edge_b + w.z * edge_c, 1.0);
    let outward = mirrored * unit_or(cofactors * cross(edge_b, edge_c), -direction);
    s.cosine = -dot(outward, direction);
    s.front = s.cosine > 0.0;
    let side = select(-1.0, 1.0, s.front);
    s.face = side * outward;
    let uv = mixed4(c, 10u, w);
    let smooth_normal = side * mirrored * unit_or(cofactors * mixed3(c, 3u, w), mirrored * outward);

    let base = materials[material].base_color * mixed4(c, 14u, w) * looked_up(material, BASE_COLOR_SLOT, uv);
    s.color = base.rgb;
    if has(instance, UNLIT) {
        return s;
    }
    s.normal = smooth_normal;
    let linear = mat3x3f(m[0], m[1], m[2]);
    let edges = array<vec3f, 2>(linear * edge_b, linear * edge_c);
    let turned = mixed4(c, 6u, w);
    // The bitangent is a cross product in the space of the mesh: a mirrored one has the other sign.
    let tangent = vec4f(linear * turned.xyz, mirrored * select(-1.0, 1.0, turned.w >= 0.0));
    let factors = materials[material].surface;
    if picture_of(material, NORMAL_SLOT) != 0u {
        s.normal = mapped(instance, NORMAL_SLOT, factors.z, smooth_normal, tangent, uv, side, edges, c);
    }
    s.normal = facing(s.normal, -direction);
    let rough = looked_up(material, METALLIC_ROUGHNESS_SLOT, uv);
    s.metallic = clamp(factors.x * rough.b, 0.0, 1.0);
    s.roughness = clamp(factors.y * rough.g, 0.0, 1.0);

    // Spec: KHR_materials_ior, KHR_materials_specular. An index of 0 means infinity.
    var specular = materials[material].specular;
    specular.a *= looked_up(material, SPECULAR_SLOT, uv).a;
    specular = vec4f(specular.rgb * looked_up(material, SPECULAR_COLOR_SLOT, uv).rgb, specular.a);
    s.ior = materials[material].volume.y;
    let root = select((s.ior - 1.0) / (s.ior + 1.0), 1.0, s.ior == 0.0);
    s.f0 = min(root * root * specular.rgb, vec3f(1.0)) * specular.a;
    s.f90 = specular.a;

    if has(instance, SPECULAR_GLOSSINESS) {
        // Spec: KHR_materials_pbrSpecularGlossiness.
        let reflection = materials[material].reflection * looked_up(material, SPECULAR_GLOSSINESS_SLOT, uv);
        s.f0 = reflection.rgb;
        s.f90 = 1.0;
        s.color *= 1.0 - largest(s.f0);
        s.metallic = 0.0;
        s.roughness = clamp(1.0 - reflection.a, 0.0, 1.0);
    }
    if has(instance, IRIDESCENCE) {
        let layer = materials[material].film;
        let thickness = mix(layer.z, layer.w, looked_up(material, IRIDESCENCE_THICKNESS_SLOT, uv).g);
        s.film = vec3f(layer.x * looked_up(material, IRIDESCENCE_SLOT, uv).r, layer.y, thickness);
    }
    if has(instance, ANISOTROPY) {
        var t = vec3f(1.0, 0.5, 1.0);
        if picture_of(material, ANISOTROPY_SLOT) != 0u {
            t = looked_up(material, ANISOTROPY_SLOT, uv).xyz;
        }
        let d = stretch_of(materials[material].anisotropy, t);
        s.along = frame_of(instance, ANISOTROPY_SLOT, s.normal, tangent, side, edges, c) * vec3f(d.xy, 0.0);
        s.anisotropy = d.z;
    }
    if has(instance, CLEARCOAT) {
        s.clearcoat = materials[material].clearcoat.x * looked_up(material, CLEARCOAT_SLOT, uv).r;
        s.clearcoat_roughness = materials[material].clearcoat.y * looked_up(material, CLEARCOAT_ROUGHNESS_SLOT, uv).g;
        s.clearcoat_normal = smooth_normal;
        if picture_of(material, CLEARCOAT_NORMAL_SLOT) != 0u {
            let scale = materials[material].clearcoat.z;
            s.clearcoat_normal = mapped(instance, CLEARCOAT_NORMAL_SLOT, scale, smooth_normal, tangent, uv, side, edges, c);
        }
        s.clearcoat_normal = facing(s.clearcoat_normal, -direction);
    }
    if has(instance, TRANSMISSION) {
        s.transmission = materials[material].volume.x * looked_up(material, TRANSMISSION_SLOT, uv).r;
        s.absorption = materials[material].absorption.rgb;
    }
    if has(instance, SHEEN) {
        s.sheen = materials[material].sheen.rgb * looked_up(material, SHEEN_COLOR_SLOT, uv).rgb;
        s.sheen_roughness = clamp(materials[material].sheen.a * looked_up(material, SHEEN_ROUGHNESS_SLOT, uv).a, 0.05, 1.0);
    }
    return s;
}
