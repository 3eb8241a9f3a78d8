// ONNX Runtime: compares a small network on the WebGPU provider (Dawn) with the CPU provider.
import { InferenceSession, Tensor } from "onnxruntime-node";

const path = process.argv[2];
const picture = new Tensor("float32", Float32Array.from({ length: 3 * 32 * 32 }, (_, i) => Math.sin(i * i % 1013)), [1, 3, 32, 32]);
// No node may fall back to the CPU.
const options = { logSeverityLevel: 3, extra: { session: { disable_cpu_ep_fallback: "1" } } };

async function outputs(...executionProviders) {
    const session = await InferenceSession.create(path, { ...(executionProviders[0] === "cpu" ? {} : options), executionProviders });
    // Run twice, because the first run of a provider may differ from later ones.
    await session.run({ picture });
    return session.run({ picture });
}

const cpu = await outputs("cpu");
const webgpu = await outputs("webgpu");
let most = 0;
for (const name of ["a", "head", "likely"]) {
    const [want, got] = [cpu[name].data, webgpu[name].data];
    if (got.length !== want.length) throw Error(`${name}: ${got.length} values`);
    const spread = Math.max(...want) - Math.min(...want);
    if (!(spread > 1e-3)) throw Error(`${name}: nothing to see`);
    for (let i = 0; i < want.length; i++) {
        const off = Math.abs(got[i] - want[i]) / spread;
        if (!(off < 1e-4)) throw Error(`${name}[${i}] is ${got[i]}, not ${want[i]}`);
        most = Math.max(most, off);
    }
}
console.log(`ONNX Runtime: three outputs within ${most.toExponential(1)} of the CPU's`);
process.exit(0);
