// A punctual light as the host writes it. Spec: KHR_lights_punctual.

struct Light {
    position: vec4f, // w is the kind
    direction: vec4f, // away from the light; w is the range, or 0
    color: vec4f, // w is the first layer of its shadow maps, or -1
    spot: vec4f, // scale and offset of the cone; width of a texel, in the scene or at distance 1
}

// Attenuation of a light by distance and cone. Spec: KHR_lights_punctual.
fn attenuation(light: Light, distance: f32, cosine: f32) -> f32 {
    if light.position.w == 0.0 {
        return 1.0;
    }
    var part = 1.0 / max(distance * distance, 1e-8);
    if light.direction.w > 0.0 {
        let x = distance / light.direction.w;
        let x2 = x * x;
        part *= clamp(1.0 - x2 * x2, 0.0, 1.0);
    }
    if light.position.w == 2.0 {
        let cone = clamp(cosine * light.spot.x + light.spot.y, 0.0, 1.0);
        part *= cone * cone;
    }
    return part;
}
