//! AGSL through `ShaderTest`: results of programs, and errors of invalid programs.

use quadrille::frontend::{Options, compile_agsl};
use quadrille::{Format, ShaderTest};

/// Result of `main` for the pixel at (0.5, 0.5).
fn color(source: &str) -> [f32; 4] {
    color_of(ShaderTest::agsl(source).unwrap_or_else(|e| panic!("{e}\n{source}")))
}

fn color_of(test: ShaderTest) -> [f32; 4] {
    let run = test.target(Format::R32G32B32A32_SFLOAT).draw(1, 1).unwrap();
    let values: Vec<f32> = run.read_target().unwrap();
    values.try_into().unwrap()
}

/// Line, column and text of every message.
fn errors(source: &str) -> Vec<(u32, u32, String)> {
    let error = compile_agsl(source, &Options::named("test.agsl")).expect_err(source);
    error.diagnostics().map(|d| (d.line, d.column, d.message)).collect()
}

#[test]
fn programs_compute() {
    assert_eq!(color("half4 main(float2 p) { return half4(p, 1, 0.25); }"), [0.5, 0.5, 1.0, 0.25]);
    let source = "
        struct Light { float power; float3 at; } lamp;
        const int N = 3;
        float total(in float2 v, inout float count, out float last) {
            float sum = 0;
            for (int i = 0; i < N; ++i) {
                if (i == 1) continue;
                sum += float(i) * v.x;
                count++;
            }
            last = sum;
            return sum + v.y;
        }
        half4 main(float2 p) {
            lamp = Light(2, float3(1, 2, 3.0));
            float count = 0, last;
            float sum = total(lamp.at.xy, count, last);
            float values[3];
            for (int i = 0; i < 3; i++) { values[i] = float(i * i); }
            float2x2 m = float2x2(1, 2, 3, 4);
            m[1] *= 2;
            float2 r = m * float2(1, 10);
            return half4(sum + last, count + values[2] * 10, r);
        }";
    // 0 * 1 + 2 * 1 = 2, and v.y = 2: 4 + 2; two iterations counted, 4 * 10; columns (1, 2) and (6, 8).
    assert_eq!(color(source), [6.0, 42.0, 61.0, 82.0]);
}

#[test]
fn all_errors_come_at_once() {
    let source =
        "half4 main(float2 p) {\n  float x = y;\n  int k = 1.5;\n  while (true) {}\n  return half3(1);\n}\n";
    let all = errors(source);
    let places: Vec<(u32, u32)> = all.iter().map(|(line, column, _)| (*line, *column)).collect();
    assert_eq!(places, [(2, 13), (3, 11), (4, 3), (5, 10)], "{all:?}");
}

/// A token that the parser has skipped causes no second error.
#[test]
fn one_mistake_is_one_error() {
    let all = errors("half4 main(float2 p) {\n  return half4(1)\n}\n");
    assert_eq!(all.len(), 1, "{all:?}");
}
