// llama.cpp: compares the most likely continuation of a prompt on Vulkan with that of its CPU code.
import { getLlama } from "node-llama-cpp";

const [path, count] = [process.argv[2], 32];
const name = process.env.CLIENT_DEVICE ?? "Quadrille";

async function continuation(gpu) {
    const llama = await getLlama({ gpu, build: "never", progressLogs: false, logLevel: "error" });
    if (gpu) {
        // ggml uses a device of type CPU only if GGML_VK_VISIBLE_DEVICES names it, otherwise its own CPU code.
        const devices = await llama.getGpuDeviceNames();
        if (devices.length !== 1 || !devices[0].toLowerCase().includes(name.toLowerCase())) throw Error(`another device: ${devices}`);
    }
    const model = await llama.loadModel({ modelPath: path, gpuLayers: gpu ? "max" : 0 });
    if (gpu && model.gpuLayers < 5) throw Error(`${model.gpuLayers} layers on the device`);
    const context = await model.createContext({ contextSize: 256, batchSize: 64 });
    const sequence = context.getSequence();
    const [tokens, likely] = [[], []];
    // The prompt is evaluated at once (matrix-matrix products), further tokens one by one (matrix-vector products).
    const prompt = [1, ...Array.from({ length: 99 }, (_, i) => 259 + (i * 37) % 253)];
    for await (const { token, confidence } of sequence.evaluateWithMetadata(prompt, { confidence: true }, { temperature: 0, yieldEogToken: true })) {
        tokens.push(token);
        likely.push(confidence);
        if (tokens.length === count) break;
    }
    await llama.dispose();
    return { tokens, likely };
}

const cpu = await continuation(false);
const vulkan = await continuation("vulkan");
if (new Set(cpu.tokens).size < 8) throw Error(`always the same: ${cpu.tokens}`);
if (vulkan.tokens.join() !== cpu.tokens.join()) throw Error(`${vulkan.tokens} instead of ${cpu.tokens}`);
const off = Math.max(...cpu.likely.map((p, i) => Math.abs(p - vulkan.likely[i])));
// The CPU rounds activations to 8 bits before products with quantized weights.
if (off > 0.05) throw Error(`probabilities differ by ${off}`);
console.log(`llama.cpp: ${count} tokens as on the CPU, their probabilities within ${off.toExponential(1)}`);
process.exit(0);
