// Paths from the camera, and the sums of what they find.

// Numbers of the sums of a pixel.
const LIGHT = 0u;
const PLAIN = 3u;
const PLAIN_PART = 6u;
const SQUARE = 7u;
const ALBEDO = 8u;
const NORMAL = 11u;
const DEPTH = 14u;
const HITS = 15u;
const SEEN = 16u;

struct Found {
    light: vec3f,
    // Colours that are shown without tone mapping, and 1 if the camera sees only them.
    plain: vec3f,
    plain_part: f32,
    albedo: vec3f,
    normal: vec3f,
    depth: f32,
    // Part of the sample that a surface covers; of a transparent picture, less where thin walls let the background through.
    hits: f32,
    // 1 if the sample met a surface, which has the depth.
    seen: f32,
}

struct Ray {
    origin: vec3f,
    direction: vec3f,
    range: vec2f,
}

// A point in the unit disc.
fn disc(u: vec2f) -> vec2f {
    let r = sqrt(u.x);
    return r * vec2f(cos(2.0 * PI * u.y), sin(2.0 * PI * u.y));
}

fn camera_ray(pixel: vec2u) -> Ray {
    let place = vec2f(pixel) + random();
    return ray_through(place, disc(random()));
}

// The ray through a place in the picture and a point of the unit lens.
fn ray_through(place: vec2f, lens: vec2f) -> Ray {
    let at = place / vec2f(view.size.xy) * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
    let aside = at.x * view.right.xyz + at.y * view.up.xyz;
    let moved = lens.x * view.lens_x.xyz + lens.y * view.lens_y.xyz;
    var r: Ray;
    var direction = view.forward.xyz;
    if view.forward.w == 1.0 {
        direction += aside;
        r.origin = view.eye.xyz;
    } else {
        r.origin = view.eye.xyz + aside;
    }
    // All rays from the lens meet in the plane in focus.
    direction -= moved / view.eye.w;
    r.origin += moved;
    let long = length(direction);
    r.direction = direction / long;
    r.range = view.range.xy * long;
    return r;
}

fn trace(pixel: vec2u) -> Found {
    var found: Found;
    var ray = camera_ray(pixel);
    var part = vec3f(1.0);
    var density = 0.0;
    var absorption = vec3f(0.0);
    // True while the path only passed thin walls; true after it met a rough surface.
    var straight = true;
    var rough = false;
    // The colour of the path after a volume with dispersion; 3 before.
    var color = 3u;
    for (var bounce = 0u; ; bounce++) {
        let flags = select(RAY_FLAG_NONE, RAY_FLAG_CULL_BACK_FACING, bounce == 0u);
        let hit = nearest(ray.origin, ray.direction, ray.range, flags);
        if !hit.found {
            if straight && view.background.w == 2.0 {
                // It may be negative: the part of a sample is right in the mean alone.
                let covered = 1.0 - luminance(part);
                found.plain_part = select(0.0, 1.0, bounce == 0u);
                found.hits *= covered;
            } else if straight && view.background.w > 0.0 {
                if bounce == 0u {
                    found.plain = view.background.rgb;
                    found.plain_part = 1.0;
                } else {
                    found.light += part * view.background.rgb;
                }
            } else if view.size.w == 1u {
                var share = 1.0;
                if density > 0.0 {
                    share = weight(density, environment_density(ray.direction) / f32(kinds()));
                }
                found.light += part * surroundings(ray.direction) * share;
            }
            break;
        }
        var s = surface_of(hit, ray.direction);
        let instance = hit.instance;
        if has(instance, DISPERSION) && s.transmission > 0.0 {
            if color == 3u {
                color = min(u32(random().x * 3.0), 2u);
                part = select(vec3f(0.0), 3.0 * part, vec3u(0u, 1u, 2u) == vec3u(color));
            }
            // Spec: KHR_materials_dispersion.
            let spread = (s.ior - 1.0) * 0.025 * materials[instances[instance].material].anisotropy.w;
            s.ior = max(s.ior + spread * (f32(color) - 1.0), 1.0);
        }
        if bounce == 0u {
            found.albedo = s.color;
            found.normal = select(s.normal, s.face, has(instance, UNLIT));
            found.depth = hit.t * dot(ray.direction, view.forward.xyz);
            found.hits = 1.0;
            found.seen = 1.0;
        }
        if has(instance, VOLUME) && !s.front {
            absorption = s.absorption;
        }
        part *= exp(-absorption * hit.t);
        if has(instance, UNLIT) {
            if bounce == 0u {
                found.plain = s.color;
                found.plain_part = 1.0;
            } else {
                found.light += part * s.color;
            }
            break;
        }
        let first = instances[instance].first_emitter;
        if first != NONE {
            let emitted = emission(instance, hit.primitive, hit.barycentrics, s.cosine);
            var share = 1.0;
            if density > 0.0 {
                let other = emitter_density(first + hit.primitive, hit.t * hit.t, s.cosine) / f32(kinds());
                share = weight(density, other);
            }
            found.light += part * emitted * share;
        }
        if bounce > view.size.z {
            break;
        }
        let lobes = lobes_of(s, instance, -ray.direction);
        found.light += part * direct(s, lobes, rough, straight, absorption);

        let sample = sample_lobes(lobes, random(), random());
        let survival = random().x;
        if dot(sample.direction, sample.direction) == 0.0 {
            break;
        }
        let direction = normalize(sample.direction);
        let scatter = scattered(lobes, direction, true);
        if !(scatter.density > 0.0) {
            break;
        }
        part *= scatter.light / scatter.density;
        density = scatter.density;
        rough = rough || sample.rough;
        straight = straight && passes_wall(lobes, direction);
        if bounce >= 3u {
            // Russian roulette; a long path ends even between white walls.
            let chance = min(largest(part), select(1.0, 0.95, bounce >= 32u));
            if survival >= chance {
                break;
            }
            part /= chance;
        }
        ray.origin = leaving(s, lobes, direction);
        ray.direction = direction;
        ray.range = vec2f(0.0, 1e30);
        absorption = absorption_towards(s, lobes, direction, absorption);
    }
    return found;
}

// A number in 64-bit fixed point with 28 bits after the point. Sums do not depend on their order.
fn fixed(x: f32) -> vec2u {
    let bounded = clamp(select(x, 0.0, x != x), -134217728.0, 134217728.0);
    let high = floor(bounded * 0.0625);
    let low = (bounded - high * 16.0) * 268435456.0;
    return vec2u(u32(low), bitcast<u32>(i32(high)));
}

fn add(at: u32, x: f32) {
    let term = fixed(x);
    let old = sums[at];
    let low = old.x + term.x;
    sums[at] = vec2u(low, old.y + term.y + select(0u, 1u, low < old.x));
}

fn add3(at: u32, v: vec3f) {
    add(at, v.x);
    add(at + 1u, v.y);
    add(at + 2u, v.z);
}

@compute @workgroup_size(8, 8)
fn accumulate(@builtin(global_invocation_id) id: vec3u) {
    let pixel = id.xy + vec2u(job.x, job.y);
    if any(pixel >= view.size.xy) {
        return;
    }
    let at = (pixel.y * view.size.x + pixel.x) * SUMS;
    for (var i = 0u; i < job.samples; i++) {
        begin_sample(pixel, job.first + i);
        let found = trace(pixel);
        let bright = luminance(found.light + found.plain);
        add3(at + LIGHT, found.light);
        add3(at + PLAIN, found.plain);
        add(at + PLAIN_PART, found.plain_part);
        add(at + SQUARE, bright * bright);
        add3(at + ALBEDO, found.albedo);
        add3(at + NORMAL, found.normal);
        add(at + DEPTH, found.depth);
        add(at + HITS, found.hits);
        add(at + SEEN, found.seen);
    }
}

// Names of what the ray through the middle of each pixel meets first.
@compute @workgroup_size(8, 8)
fn identify(@builtin(global_invocation_id) id: vec3u) {
    let pixel = id.xy + vec2u(job.x, job.y);
    if any(pixel >= view.size.xy) {
        return;
    }
    let ray = ray_through(vec2f(pixel) + 0.5, vec2f(0.0));
    let instance = first_covered(ray.origin, ray.direction, ray.range);
    var name = vec2u(0u);
    if instance != NONE {
        name = vec2u(instances[instance].object, instances[instance].material + 1u);
    }
    names[pixel.y * view.size.x + pixel.x] = name;
}
