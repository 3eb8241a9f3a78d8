// The sky, the same in every frame.

void mainCubemap(out vec4 fragColor, in vec2 fragCoord, in vec3 rayOri, in vec3 rayDir) {
    if (rayDir.y < -0.08) {
        fragColor = vec4(0.05, 0.035, 0.04, 1.0);
        return;
    }
    float up = max(rayDir.y, 0.0);
    float toSun = max(dot(rayDir, SUN), 0.0);
    vec3 color = mix(vec3(1.0, 0.56, 0.34), vec3(0.13, 0.22, 0.52), smoothstep(0.0, 0.55, up));
    color = mix(color, vec3(0.42, 0.22, 0.40), 0.55 * (1.0 - toSun) * (1.0 - smoothstep(0.0, 0.5, up)));
    float c = clouds(vec3(rayDir.xz / (rayDir.y + 0.22) * 1.3, 3.0));
    float cover = smoothstep(0.46, 0.72, c) * smoothstep(-0.02, 0.2, rayDir.y);
    color = mix(color, mix(vec3(0.85, 0.60, 0.62), vec3(1.9, 1.25, 0.8), pow(toSun, 3.0)), 0.8 * cover);
    color += vec3(1.6, 0.8, 0.3) * pow(toSun, 24.0);
    // A window of soft light above, which marbles mirror.
    vec2 at = rayDir.xz / max(rayDir.y, 0.05) - vec2(0.35, 0.1);
    vec2 pane = abs(fract(at * 2.2 + 0.5) - 0.5);
    float window = smoothstep(0.92, 0.82, max(abs(at.x), abs(at.y)) / 0.45) * step(0.2, rayDir.y);
    color += window * smoothstep(0.48, 0.44, max(pane.x, pane.y)) * vec3(3.2, 3.3, 3.5);
    // Below the horizon.
    color = mix(color, vec3(0.05, 0.035, 0.04), smoothstep(0.0, -0.08, rayDir.y));
    fragColor = vec4(color, 1.0);
}
