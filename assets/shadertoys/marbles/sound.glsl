// Marbles that touch: bells of a pentatonic scale, left and right as they lie.

float bell(float t, float pitch) {
    float f = 220.0 * exp2(pitch / 12.0);
    float sum = sin(6.2831853 * f * t) + 0.5 * sin(6.2831853 * 2.76 * f * t) * exp(-4.0 * t)
        + 0.25 * sin(6.2831853 * 5.4 * f * t) * exp(-9.0 * t);
    return sum * exp(-2.2 * t) * smoothstep(0.0, 0.004, t);
}

vec2 mainSound(in int samp, float time) {
    const int SCALE[5] = int[](0, 3, 5, 7, 10);
    vec2 sum = vec2(0.0);
    // Each of the last 12 quarters of a second may have touched one.
    int now = int(floor(time * 4.0));
    for (int back = 0; back < 12; back++) {
        int beat = now - back;
        float chance = hash(vec3(beat, 1, 0));
        if (beat < 0 || chance > 0.62) continue;
        int note = int(hash(vec3(beat, 2, 0)) * 14.99);
        float start = (float(beat) + 0.6 * hash(vec3(beat, 3, 0))) / 4.0;
        if (time < start) continue;
        float side = hash(vec3(beat, 4, 0));
        float pitch = float(SCALE[note % 5] + 12 * (note / 5));
        sum += bell(time - start, pitch) * vec2(1.0 - side, side) * (0.35 + 0.3 * chance);
    }
    return 0.9 * sum;
}
