// The mean of the light with its glare, on film.

vec3 film(vec3 x) {
    x *= 0.88;
    return (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 uv = fragCoord / iResolution.xy;
    vec4 sum = texelFetch(iChannel0, ivec2(fragCoord), 0);
    vec3 color = sum.rgb / sum.a;
    // Smaller levels of the glare, each smoothed by four looks.
    for (int level = 2; level < 6; level++) {
        vec2 step_ = 0.5 * exp2(float(level)) / iResolution.xy;
        for (int i = 0; i < 4; i++) {
            vec2 at = uv + step_ * (vec2(i & 1, i >> 1) - 0.5);
            color += 0.018 * textureLod(iChannel1, at, float(level)).rgb;
        }
    }
    vec2 from = uv - 0.5;
    color *= 1.0 - 0.75 * dot(from, from);
    color = pow(film(color), vec3(1.0 / 2.2));
    fragColor = vec4(color, 1.0);
}
