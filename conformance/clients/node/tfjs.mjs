// TensorFlow.js on WebGPU (Dawn): trains a small network, and compares its losses and answers with the CPU backend's.
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);
const gpu = create(["backend=vulkan"]);
const { info } = await gpu.requestAdapter();
const name = process.env.CLIENT_DEVICE ?? "Quadrille";
if (!`${info.description} ${info.device}`.toLowerCase().includes(name.toLowerCase())) throw Error(`another driver: ${info.description}`);
Object.defineProperty(globalThis, "navigator", { value: { gpu }, configurable: true });
const { default: tf } = await import("@tensorflow/tfjs");
await import("@tensorflow/tfjs-backend-webgpu");

function layers() {
    const random = (seed, scale) => tf.initializers.randomUniform({ minval: -scale, maxval: scale, seed });
    return tf.sequential({ layers: [
        tf.layers.conv2d({ inputShape: [16, 16, 3], filters: 8, kernelSize: 3, activation: "relu", kernelInitializer: random(1, 0.3) }),
        tf.layers.maxPooling2d({ poolSize: 2 }),
        tf.layers.batchNormalization(),
        tf.layers.flatten(),
        tf.layers.dense({ units: 5, activation: "softmax", kernelInitializer: random(2, 0.1) }),
    ] });
}

async function trained(backend) {
    if (!await tf.setBackend(backend)) throw Error(`no backend ${backend}`);
    await tf.ready();
    const model = layers();
    model.compile({ optimizer: tf.train.sgd(0.1), loss: "categoricalCrossentropy" });
    const pictures = tf.randomUniform([20, 16, 16, 3], 0, 1, "float32", 3);
    const kinds = tf.oneHot(tf.tensor1d(Array.from({ length: 20 }, (_, i) => i % 5), "int32"), 5);
    const { history } = await model.fit(pictures, kinds, { epochs: 4, batchSize: 10, shuffle: false, verbose: 0 });
    return [...history.loss.map(Number), ...await model.predict(pictures).data()];
}

const got = await trained("webgpu");
if (tf.getBackend() !== "webgpu") throw Error(tf.getBackend());
const want = await trained("cpu");
if (!(want[0] > 1.1 * want[3])) throw Error(`the CPU learns nothing: ${want.slice(0, 4)}`);
const off = Math.max(...want.map((w, i) => Math.abs(w - got[i])));
if (!(off < 1e-4)) throw Error(`it differs by ${off}: ${got.slice(0, 4)}, not ${want.slice(0, 4)}`);
console.log(`${info.description}: losses and answers within ${off.toExponential(1)} of the CPU's`);
process.exit(0);
