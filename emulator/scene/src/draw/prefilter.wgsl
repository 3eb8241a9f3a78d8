// Prefiltered light of the environment: cubes by roughness, and the table of albedos.

struct Job {
    // Side of the faces written, side of the faces read, number of samples.
    side: u32,
    source_side: u32,
    samples: u32,
    roughness: f32,
}
@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var source: texture_cube<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;
@group(0) @binding(3) var faces: texture_storage_2d_array<rgba32float, write>;
@group(0) @binding(4) var table: texture_storage_2d<rgba32float, write>;
@group(0) @binding(5) var panorama: texture_2d<f32>;
@group(0) @binding(6) var panorama_sampler: sampler;

// Direction of a point on a face, with coordinates from -1 to 1 rightwards and downwards. Spec: Vulkan, "Cube Map Face Selection".
fn direction(face: u32, p: vec2f) -> vec3f {
    switch face {
        case 0u: { return vec3f(1.0, -p.y, -p.x); }
        case 1u: { return vec3f(-1.0, -p.y, p.x); }
        case 2u: { return vec3f(p.x, 1.0, p.y); }
        case 3u: { return vec3f(p.x, -1.0, -p.y); }
        case 4u: { return vec3f(p.x, -p.y, 1.0); }
        default: { return vec3f(-p.x, -p.y, -1.0); }
    }
}

fn texel(at: vec2u, side: u32) -> vec2f {
    return (vec2f(at) + 0.5) * (2.0 / f32(side)) - 1.0;
}

// Point i of n of Hammersley's set.
fn hammersley(i: u32, n: u32) -> vec2f {
    return vec2f((f32(i) + 0.5) / f32(n), f32(reverseBits(i)) * 2.3283064365386963e-10);
}

fn in_frame(n: vec3f, phi: f32, sine: f32, cosine: f32) -> vec3f {
    let axis = select(vec3f(0.0, 0.0, 1.0), vec3f(1.0, 0.0, 0.0), abs(n.z) > 0.999);
    let t = normalize(cross(axis, n));
    return normalize(t * (cos(phi) * sine) + cross(n, t) * (sin(phi) * sine) + n * cosine);
}

@compute @workgroup_size(8, 8)
fn fill(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(job.side)) {
        return;
    }
    // Reads the level of the panorama whose texels are as large as those of the cube.
    let level = max(log2(f32(textureDimensions(panorama).x) / (4.0 * f32(job.side))), 0.0);
    let seen = environment(normalize(direction(id.z, texel(id.xy, job.side))), level);
    textureStore(faces, id.xy, id.z, vec4f(clamp(seen, vec3f(0.0), vec3f(1e6)), 1.0));
}

// Level of the source whose texels are as large as the solid angle of one of n samples.
fn level_of(density: f32) -> f32 {
    let texels = 6.0 * f32(job.source_side) * f32(job.source_side) / (4.0 * PI);
    return clamp(0.5 * log2(texels / (f32(job.samples) * max(density, 1e-6))) + 1.0, 0.0, log2(f32(job.source_side)));
}

@compute @workgroup_size(8, 8)
fn specular(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(job.side)) {
        return;
    }
    let n = normalize(direction(id.z, texel(id.xy, job.side)));
    let alpha = job.roughness * job.roughness;
    var sum = vec4f(0.0);
    for (var i = 0u; i < job.samples; i++) {
        let xi = hammersley(i, job.samples);
        let cosine = sqrt((1.0 - xi.y) / (1.0 + (alpha * alpha - 1.0) * xi.y));
        let h = in_frame(n, 2.0 * PI * xi.x, sqrt(max(1.0 - cosine * cosine, 0.0)), cosine);
        let l = 2.0 * dot(n, h) * h - n;
        let n_l = dot(n, l);
        if n_l > 0.0 {
            // View and normal are equal, so n_h / (4 v_h) is a quarter.
            let level = level_of(0.25 * ggx_distribution(dot(n, h), alpha));
            sum += vec4f(textureSampleLevel(source, smooth_sampler, l, level).rgb, 1.0) * n_l;
        }
    }
    textureStore(faces, id.xy, id.z, vec4f(sum.rgb / max(sum.a, 1e-6), 1.0));
}

@compute @workgroup_size(8, 8)
fn sheen(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(job.side)) {
        return;
    }
    let n = normalize(direction(id.z, texel(id.xy, job.side)));
    let alpha = job.roughness * job.roughness;
    var sum = vec4f(0.0);
    for (var i = 0u; i < job.samples; i++) {
        let xi = hammersley(i, job.samples);
        let sine = pow(xi.y, alpha / (2.0 * alpha + 1.0));
        let cosine = sqrt(max(1.0 - sine * sine, 0.0));
        let h = in_frame(n, 2.0 * PI * xi.x, sine, cosine);
        let l = 2.0 * dot(n, h) * h - n;
        let n_l = dot(n, l);
        if n_l > 0.0 {
            let level = level_of(0.25 * sheen_distribution(dot(n, h), alpha));
            sum += vec4f(textureSampleLevel(source, smooth_sampler, l, level).rgb, 1.0) * n_l;
        }
    }
    textureStore(faces, id.xy, id.z, vec4f(sum.rgb / max(sum.a, 1e-6), 1.0));
}

// Cosine-weighted average over the hemisphere, from all texels of a small level of the source.
@compute @workgroup_size(8, 8)
fn diffuse(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(job.side)) {
        return;
    }
    let n = normalize(direction(id.z, texel(id.xy, job.side)));
    let level = log2(f32(textureDimensions(source).x) / f32(job.source_side));
    var sum = vec4f(0.0);
    for (var face = 0u; face < 6u; face++) {
        for (var y = 0u; y < job.source_side; y++) {
            for (var x = 0u; x < job.source_side; x++) {
                let d = direction(face, texel(vec2u(x, y), job.source_side));
                let squared = dot(d, d);
                let cosine = dot(n, d);
                if cosine > 0.0 {
                    // The cosine divided by the length, and the solid angle divided by the cubed length.
                    let light = textureSampleLevel(source, smooth_sampler, d, level).rgb;
                    sum += vec4f(light, 1.0) * (cosine / (squared * squared));
                }
            }
        }
    }
    textureStore(faces, id.xy, id.z, vec4f(sum.rgb / sum.a, 1.0));
}

@compute @workgroup_size(8, 8)
fn albedos(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(job.side)) {
        return;
    }
    let n_v = (f32(id.x) + 0.5) / f32(job.side);
    let roughness = (f32(id.y) + 0.5) / f32(job.side);
    let alpha = roughness * roughness;
    let v = vec3f(sqrt(1.0 - n_v * n_v), 0.0, n_v);
    var sum = vec3f(0.0);
    for (var i = 0u; i < job.samples; i++) {
        let xi = hammersley(i, job.samples);
        let phi = 2.0 * PI * xi.x;
        let cosine = sqrt((1.0 - xi.y) / (1.0 + (alpha * alpha - 1.0) * xi.y));
        let sine = sqrt(max(1.0 - cosine * cosine, 0.0));
        let h = vec3f(sine * cos(phi), sine * sin(phi), cosine);
        let v_h = dot(v, h);
        let n_l = 2.0 * v_h * h.z - v.z;
        if n_l > 0.0 && v_h > 0.0 {
            let part = ggx_visibility(n_l, n_v, alpha) * 4.0 * v_h * n_l / h.z;
            let x = 1.0 - v_h;
            let grazing = x * x * x * x * x;
            sum += vec3f((1.0 - grazing) * part, grazing * part, 0.0);
        }
        let fibre_sine = pow(xi.y, alpha / (2.0 * alpha + 1.0));
        let fibre_cosine = sqrt(max(1.0 - fibre_sine * fibre_sine, 0.0));
        let f = vec3f(fibre_sine * cos(phi), fibre_sine * sin(phi), max(fibre_cosine, 1e-3));
        let v_f = dot(v, f);
        let f_l = 2.0 * v_f * f.z - v.z;
        if f_l > 0.0 && v_f > 0.0 {
            sum.z += sheen_visibility(f_l, n_v, alpha) * 4.0 * v_f * f_l / f.z;
        }
    }
    textureStore(table, id.xy, vec4f(sum / f32(job.samples), 1.0));
}
