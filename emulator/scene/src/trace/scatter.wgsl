// Scattering at a surface: evaluation and sampling of its lobes. Spec: glTF 2.0, appendix B; KHR_materials_clearcoat,
// sheen, transmission, volume, ior, specular, iridescence, anisotropy.
//
// Each layer takes from the layers below exactly as much light as it reflects into all directions, by the table of
// albedos, so that a white furnace stays white. GGX is scaled for multiple scattering: Turquin, "Practical multiple
// scattering compensation for microfacet models".

// Lobes below are mirrors for lights without extent.
const SMOOTH = 2e-3;

// Part of the samples of rough boundaries of a volume that leave on the right side, from outside and from inside, by
// viewing cosine, roughness and index of refraction.
fn kept(cosine: f32, roughness: f32, ior: f32) -> vec2f {
    let last = f32(KEPT_SIDE - 1u);
    let at = vec3f(vec2f(sqrt(clamp(cosine, 0.0, 1.0)), roughness) * last, clamp((ior - 1.0) / KEPT_STEP, 0.0, f32(KEPT_LEVELS - 1u)));
    let i = min(vec3u(at), vec3u(KEPT_SIDE - 2u, KEPT_SIDE - 2u, KEPT_LEVELS - 2u));
    let part = at - vec3f(i);
    var both: array<vec2f, 2>;
    for (var level = 0u; level < 2u; level++) {
        let j = TABLE_SIDE * TABLE_SIDE + ((i.z + level) * KEPT_SIDE + i.y) * KEPT_SIDE + i.x;
        let upper = mix(albedos[j].xy, albedos[j + 1u].xy, part.x);
        let lower = mix(albedos[j + KEPT_SIDE].xy, albedos[j + KEPT_SIDE + 1u].xy, part.x);
        both[level] = mix(upper, lower, part.y);
    }
    return mix(both[0], both[1], part.z);
}

fn table(cosine: f32, roughness: f32) -> vec3f {
    let last = f32(TABLE_SIDE - 1u);
    let at = vec2f(sqrt(clamp(cosine, 0.0, 1.0)), clamp(roughness, 0.0, 1.0)) * last;
    let i = min(vec2u(at), vec2u(TABLE_SIDE - 2u));
    let part = at - vec2f(i);
    let j = i.y * TABLE_SIDE + i.x;
    let upper = mix(albedos[j], albedos[j + 1u], part.x);
    let lower = mix(albedos[j + TABLE_SIDE], albedos[j + TABLE_SIDE + 1u], part.x);
    return mix(upper, lower, part.y).xyz;
}

// As `table` for two alphas: `around` is the azimuth of the view from the direction of the larger roughness, from 0 to 1.
fn stretched_table(cosine: f32, around: f32, roughness: f32, strength: f32) -> vec2f {
    let sides = vec4f(f32(STRETCHED_SIDE - 1u), f32(STRETCHED_STEPS - 1u), f32(STRETCHED_SIDE - 1u), f32(STRETCHED_STEPS - 1u));
    let at = clamp(vec4f(sqrt(clamp(cosine, 0.0, 1.0)), around, roughness, strength), vec4f(0.0), vec4f(1.0)) * sides;
    let i = min(vec4u(at), vec4u(sides) - 1u);
    let part = at - vec4f(i);
    let first = TABLE_SIDE * TABLE_SIDE + KEPT_SIDE * KEPT_SIDE * KEPT_LEVELS;
    var sum = vec2f(0.0);
    for (var corner = 0u; corner < 16u; corner++) {
        let bits = (vec4u(corner) >> vec4u(0u, 1u, 2u, 3u)) & vec4u(1u);
        let weights = mix(1.0 - part, part, vec4f(bits));
        let j = i + bits;
        let row = j.w * STRETCHED_SIDE + j.z;
        let element = albedos[first + row * STRETCHED_SIDE * STRETCHED_STEPS + j.y * STRETCHED_SIDE + j.x];
        sum += weights.x * weights.y * weights.z * weights.w * element.xy;
    }
    return sum;
}

struct Lobes {
    to_eye: vec3f,
    normal: vec3f,
    color: vec3f,
    metallic: f32,
    alpha: f32,
    f0: vec3f,
    f90: f32,
    // Direction of the larger roughness, and both alphas; zero without anisotropy.
    along: vec3f,
    alphas: vec2f,
    // Strength, index of refraction and thickness of a film, and its factors for multiple scattering.
    film: vec3f,
    film_more: vec3f,
    film_more_metal: vec3f,
    // Weight of GGX below the other layers, and its factors for multiple scattering: of the dielectric, of the metal.
    specular: f32,
    more: vec3f,
    more_metal: vec3f,
    // Albedo of the diffuse lobe, below the other layers.
    diffuse: vec3f,
    // Albedo of the transmitting lobe, its roughness, its factor for multiple scattering, and the index of refraction
    // of the other side relative to this one; 0 for a thin wall.
    through: vec3f,
    through_alpha: f32,
    through_more: f32,
    ratio: f32,
    // Factor for lost samples of the boundary of a volume.
    kept_more: f32,
    // Weight of the boundary seen from inside a volume, and its colour.
    inside: f32,
    tint: vec3f,
    sheen: vec3f,
    sheen_alpha: f32,
    coat: f32,
    coat_normal: vec3f,
    coat_alpha: f32,
    // Probabilities of the lobes: coat, sheen, GGX, diffuse; the rest transmits.
    p: vec4f,
    p_through: f32,
}

fn lobes_of(s: Surface, instance: u32, to_eye: vec3f) -> Lobes {
    var b: Lobes;
    b.to_eye = to_eye;
    b.normal = s.normal;
    b.color = s.color;
    b.metallic = s.metallic;
    b.alpha = max(s.roughness * s.roughness, LEAST_ALPHA);
    b.f0 = s.f0;
    b.f90 = s.f90;
    let n_o = clamp(dot(s.normal, to_eye), 0.0, 1.0);
    let volume = has(instance, VOLUME);
    var below = 1.0;
    let outer = s.front || !volume;
    if has(instance, CLEARCOAT) && outer && s.clearcoat > 0.0 {
        let c_o = clamp(dot(s.clearcoat_normal, to_eye), 0.0, 1.0);
        let part = s.clearcoat * schlick(vec3f(0.04), vec3f(1.0), c_o).x;
        let t = table(c_o, s.clearcoat_roughness);
        b.coat_normal = s.clearcoat_normal;
        b.coat_alpha = max(s.clearcoat_roughness * s.clearcoat_roughness, LEAST_ALPHA);
        b.coat = part / max(t.x + t.y, 1e-4);
        b.p.x = part;
        below -= part;
    }
    if has(instance, SHEEN) && outer && largest(s.sheen) > 0.0 {
        let albedo = min(table(n_o, s.sheen_roughness).z, 1.0 / max(largest(s.sheen), 1e-6));
        b.sheen = s.sheen * below;
        b.sheen_alpha = s.sheen_roughness * s.sheen_roughness;
        b.p.y = below * luminance(s.sheen) * albedo;
        below *= max(1.0 - largest(s.sheen) * albedo, 0.0);
    }
    var t = table(n_o, s.roughness).xy;
    if has(instance, ANISOTROPY) && outer && s.anisotropy > 0.0 {
        b.along = unit_or(s.along - s.normal * dot(s.normal, s.along), perpendicular(s.normal));
        b.alphas = stretched(b.alpha, s.anisotropy);
        let seen = abs(vec2f(dot(to_eye, b.along), dot(to_eye, cross(s.normal, b.along))));
        t = stretched_table(n_o, atan2(seen.y, max(seen.x, 1e-6)) * (2.0 / PI), s.roughness, s.anisotropy);
    }
    let lost = (1.0 - t.x - t.y) / max(t.x + t.y, 1e-4);
    // f0 without its strength, which scales the whole reflection.
    let plain = s.f0 / max(s.f90, 1e-6);
    b.more = 1.0 + plain * lost;
    b.more_metal = 1.0 + s.color * lost;
    var dielectric = min((s.f0 * t.x + s.f90 * t.y) * b.more, vec3f(1.0));
    var metal = (s.color * t.x + t.y) * b.more_metal;
    var shaded = dielectric;
    if has(instance, IRIDESCENCE) && outer && s.film.x > 0.0 {
        b.film = s.film;
        let of_dielectric = film(n_o, s.film.y, s.film.z, s.f0);
        let of_metal = film(n_o, s.film.y, s.film.z, s.color);
        b.film_more = 1.0 + of_dielectric * lost;
        b.film_more_metal = 1.0 + of_metal * lost;
        dielectric = mix(dielectric, of_dielectric, s.film.x);
        metal = mix(metal, of_metal, s.film.x);
        // A film takes as much of all colours as of the one that it reflects most.
        shaded = mix(shaded, vec3f(largest(of_dielectric)), s.film.x);
    }
    var transmission = s.transmission * (1.0 - s.metallic);
    if volume && !s.front {
        b.inside = transmission;
        b.kept_more = 1.0;
        if b.alpha > SMOOTH {
            b.kept_more = 1.0 / max(kept(n_o, s.roughness, s.ior).y, 0.1);
        }
        b.tint = sqrt(max(s.color, vec3f(0.0)));
        b.ratio = 1.0 / max(select(s.ior, 1.5, s.ior == 0.0), 1.005);
        b.through_alpha = b.alpha;
        b.p_through = b.inside;
        below = 1.0 - transmission;
        transmission = 0.0;
    }
    b.specular = below;
    b.p.z = below * max(luminance(mix(dielectric, metal, s.metallic)), 0.0);
    let rest = below * (1.0 - shaded);
    let matt = select(1.0 - s.metallic - transmission, 1.0 - s.metallic, b.inside > 0.0);
    b.diffuse = rest * s.color * matt;
    b.p.w = luminance(b.diffuse);
    if transmission > 0.0 {
        b.through = rest * transmission * select(s.color, sqrt(max(s.color, vec3f(0.0))), volume);
        b.p_through = luminance(b.through);
        if volume {
            b.kept_more = 1.0;
            if b.alpha > SMOOTH {
                b.kept_more = 1.0 / max(kept(n_o, s.roughness, s.ior).x, 0.1);
            }
            b.ratio = max(select(s.ior, 1.5, s.ior == 0.0), 1.005);
            b.through_alpha = b.alpha;
        } else {
            // An index near 1 does not scatter.
            let rough = s.roughness * clamp(s.ior * 2.0 - 2.0, 0.0, 1.0);
            let through = table(n_o, rough);
            b.through_alpha = max(rough * rough, LEAST_ALPHA);
            b.through_more = 1.0 / max(through.x + through.y, 1e-4);
        }
    }
    let sum = b.p.x + b.p.y + b.p.z + b.p.w + b.p_through;
    let scale = select(0.0, 1.0 / sum, sum > 0.0);
    b.p *= scale;
    b.p_through *= scale;
    return b;
}

// Fresnel term of a facet, from inside.
fn fresnel_inside(b: Lobes, cosine: f32) -> vec3f {
    let sine = (1.0 - cosine * cosine) / (b.ratio * b.ratio);
    if sine >= 1.0 {
        return vec3f(1.0);
    }
    return schlick(b.f0, vec3f(b.f90), sqrt(1.0 - sine));
}

// GGX times the cosine without the Fresnel term, and its density.
fn reflected(n: vec3f, to_eye: vec3f, to_light: vec3f, alpha: f32) -> vec2f {
    let n_o = max(dot(n, to_eye), 1e-5);
    let n_l = dot(n, to_light);
    let distribution = facets(n, unit_or(to_eye + to_light, n), alpha);
    let density = 0.25 * visible_facets(n_o, distribution, alpha);
    return vec2f(distribution * ggx_visibility(n_l, n_o, alpha) * n_l, density);
}

// `reflected` for the lobe of GGX, which may be anisotropic.
fn reflected_ggx(b: Lobes, to_light: vec3f) -> vec2f {
    if !present(ANISOTROPY) || b.alphas.x == 0.0 {
        return reflected(b.normal, b.to_eye, to_light, b.alpha);
    }
    let space = transpose(mat3x3f(b.along, cross(b.normal, b.along), b.normal));
    var o = space * b.to_eye;
    o.z = max(o.z, 1e-5);
    let l = space * to_light;
    let distribution = stretched_distribution(space * unit_or(b.to_eye + to_light, b.normal), b.alphas);
    let density = 0.5 * distribution / (o.z + length(vec3f(b.alphas * o.xy, o.z)));
    return vec2f(distribution * stretched_visibility(l, o, b.alphas) * l.z, density);
}

// True if the lobe of GGX is rough.
fn is_rough(b: Lobes) -> bool {
    return max(b.alpha, b.alphas.x) > SMOOTH;
}

// Normal of the facet that refracts to `to_light`; zero if there is none.
fn refracting_facet(b: Lobes, to_light: vec3f) -> vec3f {
    let sum = b.to_eye + b.ratio * to_light;
    let m = unit_or(sum, b.normal) * select(1.0, -1.0, dot(sum, b.normal) < 0.0);
    if dot(m, b.to_eye) <= 0.0 || dot(m, to_light) >= 0.0 {
        return vec3f(0.0);
    }
    return m;
}

// Density of refraction.
fn refracted(b: Lobes, m: vec3f, to_light: vec3f) -> f32 {
    let m_o = dot(m, b.to_eye);
    let m_l = dot(m, to_light);
    let n_o = max(dot(b.normal, b.to_eye), 1e-5);
    let density = visible_facets(n_o, facets(b.normal, m, b.through_alpha), b.through_alpha) * m_o;
    let root = m_o + b.ratio * m_l;
    return density * b.ratio * b.ratio * abs(m_l) / max(root * root, 1e-20);
}

struct Scattered {
    // Scattered part times the cosine.
    light: vec3f,
    // Density of `sample_lobes` per solid angle.
    density: f32,
}

// True if light from a direction passes the surface; no light passes opaque ones.
fn passes(b: Lobes, to_light: vec3f) -> bool {
    return b.p_through > 0.0 && dot(b.normal, to_light) < 0.0;
}

// True if light from a direction passes a thin wall.
fn passes_wall(b: Lobes, to_light: vec3f) -> bool {
    return b.ratio == 0.0 && passes(b, to_light);
}

// Absorption on the way to the light in a direction, if it is `here` on the eye's side of the surface.
fn absorption_towards(s: Surface, b: Lobes, to_light: vec3f, here: vec3f) -> vec3f {
    if b.ratio == 0.0 || !passes(b, to_light) {
        return here;
    }
    return select(vec3f(0.0), s.absorption, s.front);
}

// Scatters light from a direction. `mirrors` is false if lobes of smooth surfaces do not count.
fn scattered(b: Lobes, to_light: vec3f, mirrors: bool) -> Scattered {
    var r: Scattered;
    let n_l = dot(b.normal, to_light);
    if b.p.x > 0.0 && dot(b.coat_normal, to_light) > 0.0 && (mirrors || b.coat_alpha > SMOOTH) {
        let lobe = reflected(b.coat_normal, b.to_eye, to_light, b.coat_alpha);
        r.light += b.coat * lobe.x;
        r.density += b.p.x * lobe.y;
    }
    if n_l > 0.0 {
        let h = unit_or(b.to_eye + to_light, b.normal);
        if b.p.y > 0.0 {
            let n_o = clamp(dot(b.normal, b.to_eye), 1e-4, 1.0);
            let n_h = clamp(dot(b.normal, h), 0.0, 1.0);
            r.light += b.sheen * (sheen_distribution(n_h, b.sheen_alpha) * sheen_visibility(n_l, n_o, b.sheen_alpha) * n_l);
            r.density += b.p.y * n_l / PI;
        }
        r.light += b.diffuse * (n_l / PI);
        r.density += b.p.w * n_l / PI;
        if b.p.z > 0.0 && (mirrors || is_rough(b)) {
            let lobe = reflected_ggx(b, to_light);
            let h_o = clamp(dot(h, b.to_eye), 0.0, 1.0);
            var dielectric = schlick(b.f0, vec3f(b.f90), h_o) * b.more;
            var metal = schlick(b.color, vec3f(1.0), h_o) * b.more_metal;
            if present(IRIDESCENCE) && b.film.x > 0.0 {
                dielectric = mix(dielectric, film(h_o, b.film.y, b.film.z, b.f0) * b.film_more, b.film.x);
                metal = mix(metal, film(h_o, b.film.y, b.film.z, b.color) * b.film_more_metal, b.film.x);
            }
            r.light += b.specular * lobe.x * mix(dielectric, metal, b.metallic);
            r.density += b.p.z * lobe.y;
        }
    }
    if b.p_through > 0.0 && (mirrors || b.through_alpha > SMOOTH) {
        add_through(b, to_light, n_l, &r);
    }
    return r;
}

// Adds the lobe through the surface.
fn add_through(b: Lobes, to_light: vec3f, n_l: f32, r: ptr<function, Scattered>) {
    if b.ratio == 0.0 {
        if n_l < 0.0 {
            let lobe = reflected(b.normal, b.to_eye, to_light - 2.0 * n_l * b.normal, b.through_alpha);
            (*r).light += b.through * (b.through_more * lobe.x);
            (*r).density += b.p_through * lobe.y;
        }
    } else if n_l < 0.0 {
        let m = refracting_facet(b, to_light);
        if dot(m, m) == 0.0 {
            return;
        }
        var density = refracted(b, m, to_light);
        if b.inside > 0.0 {
            let fresnel = fresnel_inside(b, dot(m, b.to_eye));
            (*r).light += b.kept_more * b.inside * (1.0 - fresnel) * b.tint * density;
            (*r).density += b.p_through * (1.0 - luminance(fresnel)) * density;
        } else {
            (*r).light += b.kept_more * b.through * density;
            (*r).density += b.p_through * density;
        }
    } else if b.inside > 0.0 && n_l > 0.0 {
        let m = unit_or(b.to_eye + to_light, b.normal);
        let fresnel = fresnel_inside(b, dot(m, b.to_eye));
        let density = reflected(b.normal, b.to_eye, to_light, b.through_alpha).y;
        (*r).light += b.kept_more * b.inside * fresnel * density;
        (*r).density += b.p_through * luminance(fresnel) * density;
    }
}

struct Sampled {
    // Direction, or zero if the sample is lost.
    direction: vec3f,
    // True if the lobe is rough.
    rough: bool,
}

// Chooses a lobe, and a direction from it.
fn sample_lobes(b: Lobes, choice: vec2f, u: vec2f) -> Sampled {
    var r: Sampled;
    var rest = choice.x - b.p.x;
    if rest < 0.0 {
        r.direction = reflect(-b.to_eye, sample_facet(b.coat_normal, b.to_eye, b.coat_alpha, u));
        r.rough = b.coat_alpha > SMOOTH;
        return lost_below(r, b.coat_normal);
    }
    rest -= b.p.y + b.p.w;
    if rest < 0.0 {
        r.direction = sample_cosine(b.normal, u);
        r.rough = true;
        return r;
    }
    rest -= b.p.z;
    if rest < 0.0 || b.p_through <= 0.0 {
        var m: vec3f;
        if !present(ANISOTROPY) || b.alphas.x == 0.0 {
            m = sample_facet(b.normal, b.to_eye, b.alpha, u);
        } else {
            m = sample_stretched(b.normal, b.along, b.to_eye, b.alphas, u);
        }
        r.direction = reflect(-b.to_eye, m);
        r.rough = is_rough(b);
        return lost_below(r, b.normal);
    }
    let m = sample_facet(b.normal, b.to_eye, b.through_alpha, u);
    r.rough = b.through_alpha > SMOOTH;
    if b.ratio == 0.0 {
        r.direction = reflect(-b.to_eye, m);
        r = lost_below(r, b.normal);
        r.direction -= 2.0 * dot(b.normal, r.direction) * b.normal;
        return r;
    }
    if b.inside > 0.0 && choice.y < luminance(fresnel_inside(b, dot(m, b.to_eye))) {
        r.direction = reflect(-b.to_eye, m);
        return lost_below(r, b.normal);
    }
    r.direction = refract(-b.to_eye, m, 1.0 / b.ratio);
    if dot(b.normal, r.direction) >= 0.0 {
        r.direction = vec3f(0.0);
    }
    return r;
}

fn lost_below(r: Sampled, n: vec3f) -> Sampled {
    var s = r;
    if dot(n, r.direction) <= 0.0 {
        s.direction = vec3f(0.0);
    }
    return s;
}
