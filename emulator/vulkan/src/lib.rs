//! Vulkan driver over the Quadrille device.
