//! Lines of shaders whose modules have none.

use std::sync::Arc;

use quadrille_jit::ir::Stage;
use quadrille_jit::ir::debug::Debug;
use quadrille_jit::spirv::listing;

use crate::lcov;

/// Debug information with lines. If a compute shader or a kernel has none, its instructions become the source, one per
/// line, in a file whose name depends on the module. Graphics shaders without lines belong to no user, for example the
/// vertex shader of a picture.
pub(crate) fn lined(stage: Stage, debug: &Arc<Debug>) -> Arc<Debug> {
    if stage != Stage::Compute {
        return debug.clone();
    }
    listing::with_lines(debug, || {
        let hash = lcov::hash(debug.words.iter().flat_map(|word| word.to_le_bytes()));
        format!("disassembly-{:08x}.spvasm", hash as u32)
    })
}
