//! Fixed function of the Quadrille GPU: tiles, texel formats, sampling, output merge.
