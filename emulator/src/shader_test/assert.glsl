// Assertions in GLSL: #include "quadrille/assert.glsl", then ASSERT(condition).
//
// Each failure is a row of the buffer below: line and invocation. Tests with Quadrille bind and read the buffer
// automatically. Elsewhere, bind 16 bytes of zeros, plus 16 for each failure to record.
#ifndef ASSERT
#ifndef ASSERT_SET
#define ASSERT_SET 0
#endif
#ifndef ASSERT_BINDING
#define ASSERT_BINDING 999
#endif
#ifndef ASSERT_INVOCATION
#define ASSERT_INVOCATION gl_GlobalInvocationID
#endif
layout(std430, set = ASSERT_SET, binding = ASSERT_BINDING) buffer QuadrilleFailures {
    uint count;
    uvec4 rows[];
} quadrille_failures;
void quadrille_assertion_failed(uint line, uvec3 invocation) {
    uint row = atomicAdd(quadrille_failures.count, 1u);
    if (row < quadrille_failures.rows.length()) {
        quadrille_failures.rows[row] = uvec4(line, invocation);
    }
}
#define ASSERT(condition) \
    do { if (!(condition)) quadrille_assertion_failed(uint(__LINE__), uvec3(ASSERT_INVOCATION)); } while (false)
// For floats and float vectors.
#define ASSERT_NEAR(a, b, tolerance) ASSERT(distance((a), (b)) <= (tolerance))
#endif
