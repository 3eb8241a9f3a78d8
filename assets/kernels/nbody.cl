// Accelerations of bodies by gravity; the fourth component of a position is the mass.
kernel void nbody(global const float4 *bodies, global float4 *accelerations, uint n) {
    size_t i = get_global_id(0);
    float3 here = bodies[i].xyz;
    float3 sum = (float3)(0.0f);
    for (uint k = 0; k < n; k++) {
        float4 other = bodies[k];
        float3 to = other.xyz - here;
        float square = dot(to, to) + 0.01f;
        float inverse = 1.0f / sqrt(square);
        sum += to * (other.w * inverse * inverse * inverse);
    }
    accelerations[i] = (float4)(sum, 0.0f);
}
