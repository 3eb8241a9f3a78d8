//! Shader maths stays within Vulkan's precision table and within our own promises, in every variant.
//!
//! Operands are all values for unary f16 functions, and otherwise special values and a sweep, eight times as fine with
//! `QUADRILLE_VARIANTS=all`. `quadrille-conformance ulp` measures more and prints the table.

use std::sync::Mutex;

use quadrille_conformance::ulp::{self, Effort};
use quadrille_jit::env;

#[test]
fn errors_are_bounded() {
    let tuples = if env::is_on(env::VARIANTS) { 1 << 15 } else { 1 << 12 };
    let effort = Effort { tuples, exhaustive: false, compare_every: 2 };
    let functions = ulp::all();
    let work: Vec<_> = functions.iter().flat_map(|f| f.widths.iter().map(move |w| (f, *w))).collect();
    let queue = Mutex::new(work.into_iter());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().ok().and_then(|mut q| q.next());
                    let Some((f, width)) = next else { break };
                    let m = ulp::measure(f, width, effort);
                    if let Ok(mut list) = failures.lock() {
                        if m.compared == 0 {
                            list.push(format!("{} f{width}: nothing was compared", m.name));
                        }
                        list.extend(m.failures.iter().map(|e| format!("{} f{width}: {e}", m.name)));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no thread panicked");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
