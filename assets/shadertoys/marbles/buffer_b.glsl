// What glares: the bright part of the light, as a mean.

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec4 sum = texelFetch(iChannel0, ivec2(fragCoord), 0);
    vec3 light = sum.rgb / sum.a;
    fragColor = vec4(max(light - 1.1, 0.0), 1.0);
}
