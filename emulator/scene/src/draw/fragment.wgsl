// The fragment stages: the picture, shadows of masked surfaces, and the background.

struct Pixel {
    // Alpha is the weight of tone mapping or, for blended colours, the coverage.
    @location(0) color: vec4f,
}

@fragment
fn fragment(v: Varying, @builtin(front_facing) front: bool) -> Pixel {
    if has(UNLIT) {
        var base = base_color_of(v);
        // Lines and points without normals. Spec: glTF 2.0, "Point or line primitives".
        base = vec4f(base.rgb + emissive_of(v), base.a);
        cut(base.a);
        return Pixel(vec4f(base.rgb, select(0.0, clamp(base.a, 0.0, 1.0), has(BLEND))));
    }
    let s = surface_of(v, front);
    cut(s.alpha);
    var to_eye = frame.eye.xyz - v.position;
    if frame.eye.w == 0.0 {
        // All rays of an orthographic camera are parallel.
        to_eye = -frame.ray.xyz;
    }
    to_eye = normalize(to_eye);
    var color = from_environment(s, v.position, to_eye, v.clip.xy);
    if has(LIGHTS) {
        for (var i = 0u; i < u32(frame.size.z); i++) {
            color += from_light(s, v.position, to_eye, lights[i]);
        }
    }
    var emissive = s.emissive;
    if has(CLEARCOAT) {
        let cosine = clamp(dot(s.clearcoat_normal, to_eye), 0.0, 1.0);
        emissive *= 1.0 - s.clearcoat * schlick(vec3f(0.04), vec3f(1.0), cosine);
    }
    color = clamp(color + emissive, vec3f(0.0), vec3f(1e6));
    return Pixel(vec4f(color, select(1.0, clamp(s.alpha, 0.0, 1.0), has(BLEND))));
}

fn cut(alpha: f32) {
    if has(MASK) && alpha < material.volume.z {
        discard;
    }
}

@fragment
fn shadow_fragment(v: Varying) {
    cut(base_color_of(v).a);
}

struct Ray {
    @builtin(position) clip: vec4f,
    @location(0) direction: vec3f,
}

@vertex
fn background_vertex(@builtin(vertex_index) i: u32) -> Ray {
    let at = vec2f(select(-1.0, 3.0, i == 1u), select(-1.0, 3.0, i == 2u));
    let direction = frame.ray.xyz + at.x * frame.ray_right.xyz + at.y * frame.ray_up.xyz;
    // Depth is reversed: 0 is far away.
    return Ray(vec4f(at, 0.0, 1.0), direction);
}

@fragment
fn background_fragment(r: Ray) -> Pixel {
    let d = turned(normalize(r.direction));
    let seen = environment(d, 0.0) * frame.environment.z;
    // A background colour is shown without tone mapping.
    return Pixel(vec4f(mix(seen, frame.background.rgb, frame.background.a), 1.0 - frame.background.a));
}
