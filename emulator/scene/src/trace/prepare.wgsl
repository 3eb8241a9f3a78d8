// Tables that paths read: weights of the environment's cells, and albedos.

struct Task {
    columns: u32,
    rows: u32,
    points: u32,
    samples: u32,
}
@group(0) @binding(0) var<uniform> task: Task;
@group(0) @binding(1) var<storage, read_write> results: array<vec4f>;
@group(0) @binding(2) var panorama: texture_2d<f32>;
@group(0) @binding(3) var panorama_sampler: sampler;

// Brightness of a cell, from points inside.
@compute @workgroup_size(8, 8)
fn weigh(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= task.columns || id.y >= task.rows {
        return;
    }
    var sum = 0.0;
    for (var j = 0u; j < task.points; j++) {
        for (var i = 0u; i < task.points; i++) {
            let inside = (vec2f(f32(i), f32(j)) + 0.5) / f32(task.points);
            let at = (vec2f(id.xy) + inside) / vec2f(f32(task.columns), f32(task.rows));
            let phi = (at.x - 0.5) * 2.0 * PI;
            let sine = sin(at.y * PI);
            let light = environment(vec3f(cos(phi) * sine, cos(at.y * PI), sin(phi) * sine), 0.0);
            sum += dot(light, vec3f(0.2126, 0.7152, 0.0722)) * sine;
        }
    }
    results[id.y * task.columns + id.x] = vec4f(sum / f32(task.points * task.points), 0.0, 0.0, 0.0);
}

// Point i of n of Hammersley's set.
fn hammersley(i: u32, n: u32) -> vec2f {
    return vec2f((f32(i) + 0.5) / f32(n), f32(reverseBits(i)) * 2.3283064365386963e-10);
}

// Scale and bias of GGX by the Fresnel term of Schlick, and the albedo of sheen.
@compute @workgroup_size(8, 8)
fn measure(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= task.columns || id.y >= task.rows {
        return;
    }
    let root = f32(id.x) / f32(task.columns - 1u);
    let n_o = max(root * root, 1e-5);
    let roughness = f32(id.y) / f32(task.rows - 1u);
    let n = vec3f(0.0, 0.0, 1.0);
    let to_eye = vec3f(sqrt(1.0 - n_o * n_o), 0.0, n_o);
    let alpha = max(roughness * roughness, LEAST_ALPHA);
    let fibres = max(roughness, 0.05) * max(roughness, 0.05);
    var sum = vec3f(0.0);
    for (var i = 0u; i < task.samples; i++) {
        let u = hammersley(i, task.samples);
        let m = sample_facet(n, to_eye, alpha, u);
        let m_o = dot(m, to_eye);
        let l = reflect(-to_eye, m);
        if l.z > 0.0 {
            let squared = alpha * alpha;
            // Masking and shadowing divided by masking, which the density of visible normals contains.
            let part = 2.0 * l.z * (n_o + sqrt(n_o * n_o * (1.0 - squared) + squared)) * ggx_visibility(l.z, n_o, alpha);
            let x = clamp(1.0 - m_o, 0.0, 1.0);
            let grazing = x * x * x * x * x;
            sum += vec3f(1.0 - grazing, grazing, 0.0) * part;
        }
        let d = sample_cosine(n, u);
        let h = normalize(d + to_eye);
        sum.z += PI * sheen_distribution(h.z, fibres) * sheen_visibility(d.z, n_o, fibres);
    }
    results[id.y * task.columns + id.x] = vec4f(sum / f32(task.samples), 0.0);
}

// As `measure` with two alphas, without sheen. Columns are cosines for each azimuth, rows roughness for each strength.
@compute @workgroup_size(8, 8)
fn measure_stretched(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= STRETCHED_SIDE * STRETCHED_STEPS || id.y >= STRETCHED_SIDE * STRETCHED_STEPS {
        return;
    }
    let last = vec2f(vec2u(STRETCHED_SIDE, STRETCHED_STEPS) - 1u);
    let root = f32(id.x % STRETCHED_SIDE) / last.x;
    let azimuth = f32(id.x / STRETCHED_SIDE) / last.y * (0.5 * PI);
    let roughness = f32(id.y % STRETCHED_SIDE) / last.x;
    let n_o = max(root * root, 1e-5);
    let n = vec3f(0.0, 0.0, 1.0);
    let sine = sqrt(1.0 - n_o * n_o);
    let to_eye = vec3f(sine * cos(azimuth), sine * sin(azimuth), n_o);
    let alphas = stretched(max(roughness * roughness, LEAST_ALPHA), f32(id.y / STRETCHED_SIDE) / last.y);
    var sum = vec2f(0.0);
    for (var i = 0u; i < task.samples; i++) {
        let m = sample_stretched(n, vec3f(1.0, 0.0, 0.0), to_eye, alphas, hammersley(i, task.samples));
        let l = reflect(-to_eye, m);
        if l.z > 0.0 {
            let masked = n_o + length(vec3f(alphas * to_eye.xy, n_o));
            let part = 2.0 * l.z * masked * stretched_visibility(l, to_eye, alphas);
            let x = clamp(1.0 - dot(m, to_eye), 0.0, 1.0);
            let grazing = x * x * x * x * x;
            sum += vec2f(1.0 - grazing, grazing) * part;
        }
    }
    results[id.y * STRETCHED_SIDE * STRETCHED_STEPS + id.x] = vec4f(sum / f32(task.samples), 0.0, 0.0);
}

// Part of the samples of a volume's boundary that are not lost: see `kept`. Rows are roughness, for each index.
@compute @workgroup_size(8, 8)
fn keep(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= KEPT_SIDE || id.y >= KEPT_SIDE * KEPT_LEVELS {
        return;
    }
    let root = f32(id.x) / f32(KEPT_SIDE - 1u);
    let n_o = max(root * root, 1e-5);
    let roughness = f32(id.y % KEPT_SIDE) / f32(KEPT_SIDE - 1u);
    let ior = max(1.0 + f32(id.y / KEPT_SIDE) * KEPT_STEP, 1.005);
    let n = vec3f(0.0, 0.0, 1.0);
    let to_eye = vec3f(sqrt(1.0 - n_o * n_o), 0.0, n_o);
    let alpha = max(roughness * roughness, LEAST_ALPHA);
    let f0 = (ior - 1.0) / (ior + 1.0) * (ior - 1.0) / (ior + 1.0);
    var sum = vec2f(0.0);
    for (var i = 0u; i < task.samples; i++) {
        let m = sample_facet(n, to_eye, alpha, hammersley(i, task.samples));
        let m_o = dot(m, to_eye);
        sum.x += select(0.0, 1.0, refract(-to_eye, m, 1.0 / ior).z < 0.0);
        let sine = (1.0 - m_o * m_o) * ior * ior;
        var fresnel = 1.0;
        if sine < 1.0 {
            fresnel = schlick(vec3f(f0), vec3f(1.0), sqrt(1.0 - sine)).x;
        }
        sum.y += fresnel * select(0.0, 1.0, reflect(-to_eye, m).z > 0.0);
        sum.y += (1.0 - fresnel) * select(0.0, 1.0, refract(-to_eye, m, ior).z < 0.0);
    }
    results[id.y * KEPT_SIDE + id.x] = vec4f(sum / f32(task.samples), 0.0, 0.0);
}
