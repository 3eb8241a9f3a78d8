//! Passes over the shader IR.
