// Imported for its effect, before a library that uses Vulkan.
import { enable } from './driver.js';

enable();
