/** Makes Vulkan libraries that are imported later use Quadrille. */
export {};
