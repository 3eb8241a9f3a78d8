// Sources of light: the environment, emitting triangles, punctual lights; their sampling and densities.

fn surroundings(direction: vec3f) -> vec3f {
    return environment(direction, 0.0) * view.range.z;
}

// Row and column of the environment's cell in a direction, and the sine of the angle from the pole.
fn cell_of(direction: vec3f) -> vec3f {
    let u = atan2(direction.z, direction.x) / (2.0 * PI) + 0.5;
    let v = acos(clamp(direction.y, -1.0, 1.0)) / PI;
    let size = vec2f(view.counts.zw);
    let at = clamp(floor(vec2f(u, v) * size), vec2f(0.0), size - 1.0);
    return vec3f(at, sqrt(max(1.0 - direction.y * direction.y, 0.0)));
}

// Density per solid angle of `sample_environment`.
fn environment_density(direction: vec3f) -> f32 {
    let at = cell_of(direction);
    let densities = view.counts.w * (1u + view.counts.z);
    let density = cells[densities + u32(at.y) * view.counts.z + u32(at.x)];
    return density / (2.0 * PI * PI * max(at.z, 1e-6));
}

// First of `n` ascending cells that is greater than `x`.
fn first_above(first: u32, n: u32, x: f32) -> u32 {
    var low = 0u;
    var high = n - 1u;
    while low < high {
        let middle = (low + high) / 2u;
        if cells[first + middle] > x {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return low;
}

// Part of the way through element `i` of ascending sums.
fn part_of(first: u32, i: u32, x: f32) -> f32 {
    let before = select(0.0, cells[first + max(i, 1u) - 1u], i > 0u);
    let width = cells[first + i] - before;
    return clamp((x - before) / max(width, 1e-20), 0.0, 0.99999994);
}

// A direction, with probability by brightness.
fn sample_environment(u: vec2f) -> vec3f {
    let columns = view.counts.z;
    let rows = view.counts.w;
    let row = first_above(0u, rows, u.y);
    let y = (f32(row) + part_of(0u, row, u.y)) / f32(rows);
    let first = rows + row * columns;
    let column = first_above(first, columns, u.x);
    let x = (f32(column) + part_of(first, column, u.x)) / f32(columns);
    let phi = (x - 0.5) * 2.0 * PI;
    let sine = sin(y * PI);
    return vec3f(cos(phi) * sine, cos(y * PI), sin(phi) * sine);
}

fn sample_emitter(u: f32) -> u32 {
    var low = 0u;
    var high = view.counts.y - 1u;
    while low < high {
        let middle = (low + high) / 2u;
        if emitters[middle].a.w > u {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return low;
}

// Number of kinds of sources; each is chosen with the same probability.
fn kinds() -> u32 {
    return view.size.w + select(0u, 1u, view.counts.y > 0u) + select(0u, 1u, view.counts.x > 0u);
}

// Weight of a sample with density `a` if another strategy has density `b`: the power heuristic.
fn weight(a: f32, b: f32) -> f32 {
    let larger = max(max(a, b), 1e-30);
    let x = a / larger;
    let y = b / larger;
    return x * x / (x * x + y * y);
}

// Light from one source, chosen at random, scattered to the eye. `rough` is true if a rough surface is between here and
// the camera: smooth ones then do not reflect punctual lights. `straight` is true if only thin walls are: behind them and
// this surface the camera sees the background, if there is one. `absorption` is that of the volume around the eye.
fn direct(s: Surface, b: Lobes, rough: bool, straight: bool, absorption: vec3f) -> vec3f {
    let choice = random();
    let u = random();
    let n = kinds();
    if n == 0u {
        return vec3f(0.0);
    }
    var kind = min(u32(choice.x * f32(n)), n - 1u);
    if view.size.w == 1u {
        if kind == 0u {
            return from_environment(s, b, u, straight && view.background.w > 0.0) * f32(n);
        }
        kind -= 1u;
    }
    if view.counts.y > 0u {
        if kind == 0u {
            return from_emitter(s, b, choice.y, u, absorption) * f32(n);
        }
    }
    return from_punctual(s, b, choice.y, rough, absorption) * f32(n);
}

// A point from which rays leave on the side of a direction, unless an opaque surface is seen there.
fn leaving(s: Surface, b: Lobes, direction: vec3f) -> vec3f {
    return beside(s.position, select(s.face, -s.face, passes(b, direction)));
}

// `hidden` is true if the background hides the environment behind a thin wall.
fn from_environment(s: Surface, b: Lobes, u: vec2f, hidden: bool) -> vec3f {
    let direction = sample_environment(u);
    if hidden && passes_wall(b, direction) {
        return vec3f(0.0);
    }
    let density = environment_density(direction) / f32(kinds());
    let part = scattered(b, direction, true);
    if density <= 0.0 || largest(part.light) <= 0.0 {
        return vec3f(0.0);
    }
    if !is_free(leaving(s, b, direction), direction, 1e30) {
        return vec3f(0.0);
    }
    let of_kind = density * f32(kinds());
    return surroundings(direction) * part.light * (weight(density, part.density) / of_kind);
}

fn from_emitter(s: Surface, b: Lobes, choice: f32, u: vec2f, absorption: vec3f) -> vec3f {
    let i = sample_emitter(choice);
    let a = emitters[i].a.xyz;
    let edge_b = emitters[i].b.xyz - a;
    let edge_c = emitters[i].c.xyz - a;
    let root = sqrt(u.x);
    let barycentrics = vec2f(root * (1.0 - u.y), root * u.y);
    let point = a + barycentrics.x * edge_b + barycentrics.y * edge_c;
    let way = point - s.position;
    let squared = dot(way, way);
    let direction = way * inverseSqrt(max(squared, 1e-30));
    let instance = emitters[i].instance;
    let turned = select(1.0, -1.0, emitters[i].mirrored == 1u);
    let outward = turned * unit_or(cross(edge_b, edge_c), direction);
    let cosine = -dot(outward, direction);
    let density = emitter_density(i, squared, cosine) / f32(kinds());
    let part = scattered(b, direction, true);
    if density <= 0.0 || largest(part.light) <= 0.0 {
        return vec3f(0.0);
    }
    var light = emission(instance, emitters[i].primitive, barycentrics, cosine);
    if has(instance, MASK | BLEND) {
        light *= coverage(instance, emitters[i].primitive, barycentrics);
    }
    if largest(light) <= 0.0 {
        return vec3f(0.0);
    }
    // The ray ends beside the emitter.
    let origin = leaving(s, b, direction);
    let end = beside(point, select(outward, -outward, cosine < 0.0)) - origin;
    let distance = length(end);
    if !is_free(origin, end / max(distance, 1e-30), distance * 0.99999) {
        return vec3f(0.0);
    }
    light *= exp(-absorption_towards(s, b, direction, absorption) * distance);
    let of_kind = density * f32(kinds());
    return light * part.light * (weight(density, part.density) / of_kind);
}

// Density per solid angle of `sample_emitter`, for a point at a squared distance.
fn emitter_density(i: u32, squared: f32, cosine: f32) -> f32 {
    return emitters[i].b.w / max(emitters[i].c.w, 1e-30) * squared / max(abs(cosine), 1e-6);
}

// Strength of a light at a point, and the direction to the light.
fn arriving(i: u32, position: vec3f) -> vec4f {
    var to_light = -lights[i].direction.xyz;
    var distance = 1.0;
    if lights[i].position.w != 0.0 {
        let way = lights[i].position.xyz - position;
        distance = length(way);
        to_light = way / max(distance, 1e-8);
    }
    return vec4f(to_light, attenuation(lights[i], distance, dot(-to_light, lights[i].direction.xyz)));
}

// One of the lights, with probability by what it could scatter here without shadows.
fn from_punctual(s: Surface, b: Lobes, choice: f32, rough: bool, absorption: vec3f) -> vec3f {
    var sum = 0.0;
    var left = choice;
    var chosen = vec3f(0.0);
    var taken = 0.0;
    var which = NONE;
    for (var i = 0u; i < view.counts.x; i++) {
        let to_light = arriving(i, s.position);
        if to_light.w <= 0.0 {
            continue;
        }
        let part = scattered(b, to_light.xyz, !rough).light * lights[i].color.rgb * to_light.w;
        let strength = luminance(part);
        if !(strength > 0.0) {
            continue;
        }
        // Reservoir of one: the number is stretched again after each decision.
        sum += strength;
        let p = strength / sum;
        if left < p {
            which = i;
            chosen = part;
            taken = strength;
            left = left / p;
        } else {
            left = (left - p) / (1.0 - p);
        }
    }
    if which == NONE {
        return vec3f(0.0);
    }
    let to_light = arriving(which, s.position).xyz;
    var distance = 1e30;
    var light = chosen * (sum / taken);
    if lights[which].position.w != 0.0 {
        distance = length(lights[which].position.xyz - s.position);
        light *= exp(-absorption_towards(s, b, to_light, absorption) * distance);
    }
    if !is_free(leaving(s, b, to_light), to_light, distance) {
        return vec3f(0.0);
    }
    return light;
}
