// Light of the environment and of punctual lights, on a surface.

fn turned(d: vec3f) -> vec3f {
    let t = frame.environment;
    return vec3f(t.x * d.x + t.y * d.z, d.y, t.x * d.z - t.y * d.x);
}

// Part of a white environment that GGX reflects, including multiple scattering: Fdez-Agüera,
// "A Multiple-Scattering Microfacet Model for Real-Time Image Based Lighting".
fn ggx_albedo(n_v: f32, roughness: f32, f0: vec3f, weight: f32) -> vec3f {
    let table = textureSampleLevel(albedo_table, smooth_sampler, vec2f(n_v, roughness), 0.0).xy;
    let rough = max(vec3f(1.0 - roughness), f0) - f0;
    let x = 1.0 - n_v;
    let x2 = x * x;
    let single = weight * ((f0 + rough * (x2 * x2 * x)) * table.x + table.y);
    let lost = 1.0 - (table.x + table.y);
    let average = weight * (f0 + (1.0 - f0) / 21.0);
    return single + lost * single * average / (1.0 - average * lost);
}

fn specular_light(direction: vec3f, roughness: f32) -> vec3f {
    let level = roughness * frame.environment.w;
    return textureSampleLevel(specular_cube, smooth_sampler, turned(direction), level).rgb * frame.environment.z;
}

fn sheen_albedo(n_v: f32, roughness: f32) -> f32 {
    return textureSampleLevel(albedo_table, smooth_sampler, vec2f(n_v, roughness), 0.0).z;
}

// Light through a surface. Spec: KHR_materials_transmission, KHR_materials_volume.
fn transmitted(s: Surface, position: vec3f, to_eye: vec3f, at: vec2f) -> vec3f {
    // An index near 1 does not scatter.
    let rough = s.roughness * clamp(material.volume.y * 2.0 - 2.0, 0.0, 1.0);
    let level = min(rough * log2(frame.size.x), frame.size.w);
    var uv = at / frame.size.xy;
    var passed = s.color;
    let index = max(material.volume.y, 1.0);
    if has(DISPERSION) {
        // Spec: KHR_materials_dispersion. Each colour has its own path.
        var seen: vec3f;
        for (var i = 0; i < 3; i++) {
            let spread = (index - 1.0) * 0.025 * material.anisotropy.w * f32(i - 1);
            let way = through_volume(s, to_eye, max(index + spread, 1.0));
            let light = textureSampleLevel(backdrop, smooth_sampler, seen_at(position + way), level);
            seen[i] = light[i] * exp(-material.absorption[i] * length(way));
        }
        return seen * passed;
    }
    if has(VOLUME) {
        let way = through_volume(s, to_eye, index);
        uv = seen_at(position + way);
        passed *= exp(-material.absorption.rgb * length(way));
    }
    return textureSampleLevel(backdrop, smooth_sampler, uv, level).rgb * passed;
}

// A straight path through the volume, as if the other side were at the distance of the thickness.
fn through_volume(s: Surface, to_eye: vec3f, index: f32) -> vec3f {
    let scale = vec3f(length(draw.world[0].xyz), length(draw.world[1].xyz), length(draw.world[2].xyz));
    return refract(-to_eye, s.bent, 1.0 / index) * scale * s.thickness;
}

// Coordinates of a point in the picture.
fn seen_at(position: vec3f) -> vec2f {
    let out = view.clip_from_world * vec4f(position, 1.0);
    return out.xy / out.w * vec2f(0.5, -0.5) + 0.5;
}

// A normal for the reflection of the environment by an anisotropic surface: turned to the eye around the direction of the
// smaller roughness.
fn turned_normal(s: Surface, to_eye: vec3f) -> vec3f {
    let across = cross(s.bent, s.along);
    let seen = unit_or(cross(cross(across, to_eye), across), s.bent);
    let smooth_part = 1.0 - s.anisotropy * (1.0 - s.roughness);
    let squared = smooth_part * smooth_part;
    return unit_or(mix(seen, s.bent, squared * squared), s.bent);
}

// Reflection of the film of a surface.
fn film_of(s: Surface, cosine: f32, f0: vec3f) -> vec3f {
    return film(cosine, material.film.y, s.film.y, f0);
}

// Light of a base below a film.
fn below_film(base: vec3f, layer: vec3f, part: vec3f) -> vec3f {
    return base * (1.0 - max(part.r, max(part.g, part.b))) + layer * part;
}

// Light of the environment; `at` is the pixel.
fn from_environment(s: Surface, position: vec3f, to_eye: vec3f, at: vec2f) -> vec3f {
    let n_v = clamp(dot(s.bent, to_eye), 0.0, 1.0);
    var mirrored = reflect(-to_eye, s.bent);
    if has(ANISOTROPY) {
        mirrored = reflect(-to_eye, turned_normal(s, to_eye));
    }
    let specular = specular_light(mirrored, s.roughness) * s.occlusion;
    let irradiance = textureSampleLevel(diffuse_cube, smooth_sampler, turned(s.bent), 0.0).rgb;
    var diffuse = irradiance * frame.environment.z * s.color * s.occlusion;
    if has(TRANSMISSION) {
        diffuse = mix(diffuse, transmitted(s, position, to_eye, at), s.transmission);
    }
    // The dielectric's f0 without its strength, which scales the whole reflection.
    let f0 = s.f0 / max(s.f90, 1e-6);
    var dielectric = mix(diffuse, specular, ggx_albedo(n_v, s.roughness, f0, s.f90));
    var metal = specular * ggx_albedo(n_v, s.roughness, s.color, 1.0);
    if has(IRIDESCENCE) {
        dielectric = mix(dielectric, below_film(diffuse, specular, film_of(s, n_v, s.f0)), s.film.x);
        metal = mix(metal, specular * film_of(s, n_v, s.color), s.film.x);
    }
    var color = mix(dielectric, metal, s.metallic);
    if has(SHEEN) {
        let albedo = sheen_albedo(n_v, s.sheen_roughness);
        let level = s.sheen_roughness * frame.environment.w;
        let light = textureSampleLevel(sheen_cube, smooth_sampler, turned(mirrored), level).rgb;
        let strongest = max(s.sheen.r, max(s.sheen.g, s.sheen.b));
        color = color * (1.0 - strongest * albedo)
            + light * frame.environment.z * s.sheen * albedo * s.occlusion;
    }
    if has(CLEARCOAT) {
        let cosine = clamp(dot(s.clearcoat_normal, to_eye), 0.0, 1.0);
        let coat = specular_light(reflect(-to_eye, s.clearcoat_normal), s.clearcoat_roughness) * s.occlusion;
        color = mix(color, coat, s.clearcoat * schlick(vec3f(0.04), vec3f(1.0), cosine));
    }
    return color;
}

// Part of a light that reaches a point, from its shadow maps.
fn lit(light: Light, position: vec3f, normal: vec3f, to_light: vec3f, distance: f32) -> f32 {
    if light.color.w < 0.0 {
        return 1.0;
    }
    let texel = light.spot.z * select(distance, 1.0, light.position.w == 0.0);
    let n_l = clamp(dot(normal, to_light), 0.0, 1.0);
    let moved = position + (normal * (2.0 * sqrt(1.0 - n_l * n_l)) + to_light) * texel;
    var layer = u32(light.color.w);
    if light.position.w == 1.0 {
        let d = moved - light.position.xyz;
        let a = abs(d);
        var face = select(4u, 5u, d.z < 0.0);
        if a.x >= a.y && a.x >= a.z {
            face = select(0u, 1u, d.x < 0.0);
        } else if a.y >= a.z {
            face = select(2u, 3u, d.y < 0.0);
        }
        layer += face;
    }
    let p = shadow_views[layer] * vec4f(moved, 1.0);
    let projected = p.xyz / p.w;
    let at = projected.xy * vec2f(0.5, -0.5) + 0.5;
    if p.w <= 0.0 || projected.z > 1.0 || any(at < vec2f(0.0)) || any(at > vec2f(1.0)) {
        return 1.0;
    }
    let texel_size = 1.0 / vec2f(textureDimensions(shadow_maps));
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let uv = at + vec2f(f32(x), f32(y)) * texel_size;
            sum += textureSampleCompareLevel(shadow_maps, shadow_sampler, uv, layer, projected.z);
        }
    }
    return sum / 9.0;
}

fn from_light(s: Surface, position: vec3f, to_eye: vec3f, light: Light) -> vec3f {
    var to_light = -light.direction.xyz;
    var distance = 1.0;
    if light.position.w != 0.0 {
        let way = light.position.xyz - position;
        distance = length(way);
        to_light = way / max(distance, 1e-8);
    }
    let strength = attenuation(light, distance, dot(-to_light, light.direction.xyz));
    let raw = dot(s.bent, to_light);
    let n_l = clamp(raw, 0.0, 1.0);
    let through = has(TRANSMISSION) && raw < 0.0;
    if strength <= 0.0 || (n_l <= 0.0 && !through && !has(CLEARCOAT)) {
        return vec3f(0.0);
    }
    let arrives = light.color.rgb * strength * lit(light, position, s.normal, to_light, distance);
    let n_v = clamp(abs(dot(s.bent, to_eye)), 1e-4, 1.0);
    let half = normalize(to_light + to_eye);
    let n_h = clamp(dot(s.bent, half), 0.0, 1.0);
    let v_h = clamp(dot(to_eye, half), 0.0, 1.0);
    let alpha = max(s.roughness * s.roughness, 1e-3);
    var specular = n_l * ggx_distribution(n_h, alpha) * ggx_visibility(n_l, n_v, alpha);
    if has(ANISOTROPY) {
        let space = transpose(mat3x3f(s.along, cross(s.bent, s.along), s.bent));
        let alphas = vec2f(mix(alpha, 1.0, s.anisotropy * s.anisotropy), alpha);
        let l = vec3f((space * to_light).xy, n_l);
        let v = vec3f((space * to_eye).xy, n_v);
        specular = n_l * stretched_distribution(space * half, alphas) * stretched_visibility(l, v, alphas);
    }
    var diffuse = n_l * s.color / PI;
    if has(TRANSMISSION) {
        diffuse = mix(diffuse, from_behind(s, to_light, to_eye), s.transmission);
    }
    var dielectric = mix(diffuse, vec3f(specular), schlick(s.f0, vec3f(s.f90), v_h));
    var metal = specular * schlick(s.color, vec3f(1.0), v_h);
    if has(IRIDESCENCE) {
        dielectric = mix(dielectric, below_film(diffuse, vec3f(specular), film_of(s, v_h, s.f0)), s.film.x);
        metal = mix(metal, specular * film_of(s, v_h, s.color), s.film.x);
    }
    var color = mix(dielectric, metal, s.metallic);
    if has(SHEEN) {
        let a = s.sheen_roughness * s.sheen_roughness;
        let fibres = sheen_distribution(n_h, a) * sheen_visibility(n_l, n_v, a) * n_l;
        let strongest = max(s.sheen.r, max(s.sheen.g, s.sheen.b));
        let albedo = max(sheen_albedo(n_v, s.sheen_roughness), sheen_albedo(n_l, s.sheen_roughness));
        color = color * (1.0 - strongest * albedo) + s.sheen * fibres;
    }
    if has(CLEARCOAT) {
        let c_l = clamp(dot(s.clearcoat_normal, to_light), 0.0, 1.0);
        let c_v = clamp(abs(dot(s.clearcoat_normal, to_eye)), 1e-4, 1.0);
        let c_h = clamp(dot(s.clearcoat_normal, half), 0.0, 1.0);
        let a = max(s.clearcoat_roughness * s.clearcoat_roughness, 1e-3);
        let coat = c_l * ggx_distribution(c_h, a) * ggx_visibility(c_l, c_v, a);
        let cosine = clamp(dot(s.clearcoat_normal, to_eye), 0.0, 1.0);
        color = mix(color, vec3f(coat), s.clearcoat * schlick(vec3f(0.04), vec3f(1.0), cosine));
    }
    return color * arrives;
}

// Light through a thin surface: the lobe of the light, mirrored to this side.
fn from_behind(s: Surface, to_light: vec3f, to_eye: vec3f) -> vec3f {
    let rough = s.roughness * clamp(material.volume.y * 2.0 - 2.0, 0.0, 1.0);
    let alpha = max(rough * rough, 1e-3);
    let mirrored = normalize(to_light - 2.0 * s.bent * dot(to_light, s.bent));
    let half = normalize(mirrored + to_eye);
    let n_h = clamp(dot(s.bent, half), 0.0, 1.0);
    let n_l = clamp(dot(s.bent, mirrored), 0.0, 1.0);
    let n_v = clamp(dot(s.bent, to_eye), 1e-4, 1.0);
    return s.color * (n_l * ggx_distribution(n_h, alpha) * ggx_visibility(n_l, n_v, alpha));
}
