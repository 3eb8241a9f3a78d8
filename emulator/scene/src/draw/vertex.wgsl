// The vertex stage: morph targets, skin, world, clip space.

struct Vertex {
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) tangent: vec4f,
    @location(3) uv: vec4f,
    @location(4) color: vec4f,
}

// Adds the morph targets, weighted. Spec: glTF 2.0, "Morph Targets".
fn morphed(v: Vertex) -> Vertex {
    var m = v;
    for (var t = 0u; t < draw.targets; t++) {
        let weight = weights[draw.first_weight + t];
        let at = (t * draw.vertices + v.index) * 3u;
        m.position += weight * deltas[at].xyz;
        m.normal += weight * deltas[at + 1u].xyz;
        m.tangent += vec4f(weight * deltas[at + 2u].xyz, 0.0);
    }
    return m;
}

// Weighted sum of the joints' matrices. Spec: glTF 2.0, "Skinned Mesh Attributes".
fn skin(index: u32) -> mat4x4f {
    var sum = mat4x4f();
    for (var s = 0u; s < draw.joint_sets; s++) {
        let i = influences[index * draw.joint_sets + s];
        sum += i.weights.x * joints[draw.first_joint + i.joints.x];
        sum += i.weights.y * joints[draw.first_joint + i.joints.y];
        sum += i.weights.z * joints[draw.first_joint + i.joints.z];
        sum += i.weights.w * joints[draw.first_joint + i.joints.w];
    }
    return sum;
}

fn unit(v: vec3f) -> vec3f {
    let squared = dot(v, v);
    return select(vec3f(0.0), v * inverseSqrt(squared), squared > 0.0);
}

@vertex
fn vertex(in: Vertex) -> Varying {
    var v = in;
    if has(MORPHED) {
        v = morphed(in);
    }
    var world = draw.world;
    if has(SKINNED) {
        world = draw.world * skin(in.index);
    }
    let x = world[0].xyz;
    let y = world[1].xyz;
    let z = world[2].xyz;
    // Cofactors transform normals: the inverse transpose times the determinant, whose sign is removed.
    let cofactors = mat3x3f(cross(y, z), cross(z, x), cross(x, y));
    let mirrored = select(1.0, -1.0, dot(x, cofactors[0]) < 0.0);
    let position = world * vec4f(v.position, 1.0);
    var out: Varying;
    out.clip = view.clip_from_world * vec4f(position.xyz, 1.0);
    out.position = position.xyz;
    out.normal = mirrored * unit(cofactors * v.normal);
    // The bitangent is a cross product in the space of the mesh: a mirrored one has the other sign.
    out.tangent = vec4f(unit(mat3x3f(x, y, z) * v.tangent.xyz), mirrored * v.tangent.w);
    out.uv = v.uv;
    out.color = v.color;
    return out;
}
