// Scenes of Babylon.js on WebGL 2 and WebGPU. Each function returns a function that draws the frame of a time in seconds.
import { Engine } from 'babylon/Engines/engine.js';
import { WebGPUEngine } from 'babylon/Engines/webgpuEngine.js';
import { Scene } from 'babylon/scene.js';
import { ArcRotateCamera } from 'babylon/Cameras/arcRotateCamera.js';
import { DirectionalLight } from 'babylon/Lights/directionalLight.js';
import { HemisphericLight } from 'babylon/Lights/hemisphericLight.js';
import { ShadowGenerator } from 'babylon/Lights/Shadows/shadowGenerator.js';
import 'babylon/Lights/Shadows/shadowGeneratorSceneComponent.js';
import { StandardMaterial } from 'babylon/Materials/standardMaterial.js';
import { PBRMaterial } from 'babylon/Materials/PBR/pbrMaterial.js';
import { Color3, Vector3 } from 'babylon/Maths/math.js';
import { MeshBuilder } from 'babylon/Meshes/meshBuilder.js';
import 'babylon/Meshes/thinInstanceMesh.js';
import { Matrix } from 'babylon/Maths/math.vector.js';
import { DefaultRenderingPipeline } from 'babylon/PostProcesses/RenderPipeline/Pipelines/defaultRenderingPipeline.js';
import 'babylon/PostProcesses/RenderPipeline/postProcessRenderPipelineManagerSceneComponent.js';
import 'babylon/Engines/WebGPU/Extensions/index.js';

export function fill(engine) {
  const scene = new Scene(engine);
  const camera = new ArcRotateCamera('camera', -1.2, 1.1, 11, Vector3.Zero(), scene);
  new HemisphericLight('sky', new Vector3(0, 1, 0), scene).intensity = 0.5;
  const light = new DirectionalLight('sun', new Vector3(-1, -2, -1), scene);
  light.position = new Vector3(5, 10, 5);
  return { scene, camera, light };
}

function shadows(engine) {
  const { scene, light } = fill(engine);
  const shadow = new ShadowGenerator(1024, light);
  shadow.usePercentageCloserFiltering = true;
  const ground = MeshBuilder.CreateGround('ground', { width: 14, height: 14, subdivisions: 2 }, scene);
  ground.receiveShadows = true;
  ground.position.y = -1.5;
  const meshes = Array.from({ length: 20 }, (_, i) => {
    const mesh = i % 2 ? MeshBuilder.CreateTorusKnot(`m${i}`, { radius: 0.4, tube: 0.15, radialSegments: 96 }, scene) : MeshBuilder.CreateSphere(`m${i}`, { diameter: 1 }, scene);
    mesh.position.set((i % 5) * 1.5 - 3, 0, Math.floor(i / 5) * 1.5 - 2);
    const material = i % 3 ? new PBRMaterial(`p${i}`, scene) : new StandardMaterial(`s${i}`, scene);
    const paint = Color3.FromHSV(i * 18, 0.8, 0.9);
    if (i % 3) Object.assign(material, { albedoColor: paint, metallic: 0.1, roughness: (i % 5) / 5 + 0.1 });
    else material.diffuseColor = paint;
    mesh.material = material;
    shadow.addShadowCaster(mesh);
    return mesh;
  });
  return async (seconds) => {
    meshes.forEach((mesh, i) => mesh.rotation.set(seconds, seconds + i, 0));
    await scene.whenReadyAsync();
    engine.beginFrame();
    scene.render();
    engine.endFrame();
  };
}

function bloom(engine) {
  const { scene, camera } = fill(engine);
  const box = MeshBuilder.CreateBox('box', { size: 0.3 }, scene);
  const material = new StandardMaterial('s', scene);
  material.emissiveColor = new Color3(0.4, 0.2, 0.1);
  box.material = material;
  const matrices = new Float32Array(16 * 2000);
  for (let i = 0; i < 2000; i++) {
    Matrix.Translation(...[0, 0, 0].map(() => (Math.random() - 0.5) * 9)).copyToArray(matrices, 16 * i);
  }
  box.thinInstanceSetBuffer('matrix', matrices, 16);
  const pipeline = new DefaultRenderingPipeline('pipeline', true, scene, [camera]);
  Object.assign(pipeline, { bloomEnabled: true, bloomThreshold: 0.5, fxaaEnabled: true, samples: 4 });
  return async (seconds) => {
    camera.alpha = seconds * 0.3;
    await scene.whenReadyAsync();
    engine.beginFrame();
    scene.render();
    engine.endFrame();
  };
}

export const webgl = (canvas) => new Engine(canvas, true, { preserveDrawingBuffer: true });
export async function webgpu(canvas) {
  const engine = new WebGPUEngine(canvas, { antialias: true });
  await engine.initAsync();
  return engine;
}

export const shadowsWebgl = (canvas) => shadows(webgl(canvas));
export const bloomWebgl = (canvas) => bloom(webgl(canvas));
export const shadowsWebgpu = async (canvas) => shadows(await webgpu(canvas));
