// Assertions in WGSL: quadrille_assert(invocation, condition).
//
// Tests with Quadrille append this text to a shader that calls it, insert the line before the arguments of each call,
// and bind and read the buffer automatically. Elsewhere, call quadrille_assert(line, invocation, condition) and bind
// 16 bytes of zeros, plus 16 for each failure to record.
struct QuadrilleFailures { count: atomic<u32>, rows: array<vec4<u32>> }
@group(0) @binding(999) var<storage, read_write> quadrille_failures: QuadrilleFailures;
fn quadrille_assert(line: u32, invocation: vec3<u32>, condition: bool) {
    if !condition {
        let row = atomicAdd(&quadrille_failures.count, 1u);
        if row < arrayLength(&quadrille_failures.rows) {
            quadrille_failures.rows[row] = vec4<u32>(line, invocation);
        }
    }
}
