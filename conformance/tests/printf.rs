//! DebugPrintf: the output of shaders reaches the sink.

use std::sync::{Arc, Mutex};

use quadrille::ShaderTest;

#[test]
fn shaders_print_to_the_sink() -> quadrille::Result<()> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = lines.clone();
    quadrille::set_print_sink(Some(Arc::new(move |line: &str| {
        if let Ok(mut lines) = sink.lock() {
            lines.push(line.to_owned());
        }
    })));
    let source = "#version 450
        #extension GL_EXT_debug_printf : require
        layout(local_size_x = 4) in;
        layout(set = 0, binding = 0) buffer B { float v[]; };
        void main() {
            uint i = gl_LocalInvocationIndex;
            if (i > 1) debugPrintfEXT(\"%u: %v2f %5.1f\", i, vec2(v[i], 0.5), 2.0);
        }";
    ShaderTest::glsl(source)?.bind(0, 0, &[0.0f32, 1.0, 2.0, 3.0]).dispatch([1, 1, 1])?;
    quadrille::set_print_sink(None);
    let lines = lines.lock().map(|l| l.clone()).unwrap_or_default();
    assert_eq!(lines, ["[2, 0, 0] 2: 2.000000, 0.500000   2.0", "[3, 0, 0] 3: 3.000000, 0.500000   2.0"]);
    Ok(())
}
