// More scenes of Babylon.js on WebGL 2 and WebGPU. Each function returns a function that draws the frame of a time in
// seconds.
import { fill, webgl, webgpu } from './babylon.mjs';
import { BlurPostProcess } from 'babylon/PostProcesses/blurPostProcess.js';
import { Color3, Color4, Vector2, Vector3 } from 'babylon/Maths/math.js';
import { DepthOfFieldEffectBlurLevel } from 'babylon/PostProcesses/depthOfFieldEffect.js';
import { DefaultRenderingPipeline } from 'babylon/PostProcesses/RenderPipeline/Pipelines/defaultRenderingPipeline.js';
import { DynamicTexture } from 'babylon/Materials/Textures/dynamicTexture.js';
import { GlowLayer } from 'babylon/Layers/glowLayer.js';
import { HighlightLayer } from 'babylon/Layers/highlightLayer.js';
import { MeshBuilder } from 'babylon/Meshes/meshBuilder.js';
import { MirrorTexture } from 'babylon/Materials/Textures/mirrorTexture.js';
import { PBRMaterial } from 'babylon/Materials/PBR/pbrMaterial.js';
import { ParticleSystem } from 'babylon/Particles/particleSystem.js';
import { Plane } from 'babylon/Maths/math.plane.js';
import { PointLight } from 'babylon/Lights/pointLight.js';
import { RawTexture } from 'babylon/Materials/Textures/rawTexture.js';
import { RefractionTexture } from 'babylon/Materials/Textures/refractionTexture.js';
import { SSAO2RenderingPipeline } from 'babylon/PostProcesses/RenderPipeline/Pipelines/ssao2RenderingPipeline.js';
import { ShadowGenerator } from 'babylon/Lights/Shadows/shadowGenerator.js';
import { StandardMaterial } from 'babylon/Materials/standardMaterial.js';
import 'babylon/Layers/effectLayerSceneComponent.js';
import 'babylon/Meshes/instancedMesh.js';
import 'babylon/Particles/particleSystemComponent.js';
import 'babylon/PostProcesses/RenderPipeline/postProcessRenderPipelineManagerSceneComponent.js';
import 'babylon/Rendering/edgesRenderer.js';
import 'babylon/Rendering/geometryBufferRendererSceneComponent.js';
import 'babylon/Rendering/prePassRendererSceneComponent.js';
import 'babylon/Rendering/depthRendererSceneComponent.js';

const paint = (i) => Color3.FromHSV((i * 37) % 360, 0.8, 0.9);

function solids(scene, make = (i) => Object.assign(new StandardMaterial(`s${i}`, scene), { diffuseColor: paint(i) }), count = 12) {
  return Array.from({ length: count }, (_, i) => {
    const mesh = i % 2 ? MeshBuilder.CreateTorusKnot(`m${i}`, { radius: 0.5, tube: 0.17, radialSegments: 96 }, scene) : MeshBuilder.CreateBox(`m${i}`, { size: 1 }, scene);
    mesh.position.set((i % 4) * 2 - 3, Math.floor(i / 4) - 1, Math.floor(i / 4) * 1.6 - 1.6);
    mesh.material = make(i);
    return mesh;
  });
}

/** A scene on an engine; `make` fills it and returns what moves it. */
const on = (start, make) => async (canvas) => {
  const engine = await start(canvas);
  const all = fill(engine);
  const move = make(all);
  return async (seconds) => {
    move(seconds);
    await all.scene.whenReadyAsync();
    engine.beginFrame();
    all.scene.render();
    engine.endFrame();
  };
};
const turn = (meshes) => (seconds) => meshes.forEach((mesh, i) => mesh.rotation.set(seconds, seconds + i, 0));

function glow({ scene }) {
  const layer = new GlowLayer('glow', scene, { blurKernelSize: 32 });
  layer.intensity = 0.8;
  return turn(solids(scene, (i) => Object.assign(new StandardMaterial(`s${i}`, scene), { emissiveColor: i % 3 ? Color3.Black() : paint(i), diffuseColor: paint(i) })));
}
export const glowWebgl = on(webgl, glow);
export const glowWebgpu = on(webgpu, glow);

export const highlight = on(webgl, ({ scene }) => {
  const meshes = solids(scene), layer = new HighlightLayer('edges', scene);
  meshes.filter((_, i) => i % 3 === 0).forEach((mesh) => layer.addMesh(mesh, Color3.Green()));
  return turn(meshes);
});

export const edges = on(webgl, ({ scene }) => {
  const meshes = solids(scene);
  for (const mesh of meshes) Object.assign(mesh.enableEdgesRendering(), { edgesWidth: 4, edgesColor: new Color4(1, 1, 1, 1) });
  return turn(meshes);
});

function occlusion({ scene, camera }) {
  const pipeline = new SSAO2RenderingPipeline('ssao', scene, { ssaoRatio: 1, blurRatio: 1 }, [camera]);
  Object.assign(pipeline, { radius: 1.5, totalStrength: 1.2, samples: 16 });
  return turn(solids(scene));
}
export const occlusionWebgl = on(webgl, occlusion);

export const depthOfField = on(webgl, ({ scene, camera }) => {
  const pipeline = new DefaultRenderingPipeline('pipeline', true, scene, [camera]);
  Object.assign(pipeline, { depthOfFieldEnabled: true, depthOfFieldBlurLevel: DepthOfFieldEffectBlurLevel.Medium });
  Object.assign(pipeline.depthOfField, { focusDistance: 11000, focalLength: 300, fStop: 1.4 });
  return turn(solids(scene));
});

export const blurred = on(webgl, ({ scene, camera }) => {
  for (const [k, way] of [new Vector2(1, 0), new Vector2(0, 1)].entries()) new BlurPostProcess(`blur${k}`, way, 24, 1, camera);
  return turn(solids(scene));
});

function mirror({ scene }) {
  const meshes = solids(scene);
  const ground = MeshBuilder.CreateGround('ground', { width: 14, height: 14 }, scene);
  ground.position.y = -2;
  const texture = new MirrorTexture('mirror', 512, scene, true);
  texture.mirrorPlane = new Plane(0, -1, 0, -2);
  texture.renderList = meshes;
  texture.level = 0.7;
  ground.material = Object.assign(new StandardMaterial('ground', scene), { reflectionTexture: texture });
  return turn(meshes);
}
export const mirrorWebgl = on(webgl, mirror);
export const mirrorWebgpu = on(webgpu, mirror);

export const refraction = on(webgl, ({ scene }) => {
  const meshes = solids(scene);
  const ball = MeshBuilder.CreateSphere('ball', { diameter: 3, segments: 48 }, scene);
  ball.position.set(1, 1, -4);
  const texture = new RefractionTexture('bend', 512, scene, true);
  texture.renderList = meshes;
  texture.refractionPlane = new Plane(0, 0, -1, 0);
  texture.depth = 2;
  ball.material = Object.assign(new StandardMaterial('ball', scene), { refractionTexture: texture, indexOfRefraction: 0.7, diffuseColor: Color3.Black() });
  return turn(meshes);
});

function physical({ scene }) {
  return turn(solids(scene, (i) => {
    const material = Object.assign(new PBRMaterial(`p${i}`, scene), { albedoColor: paint(i), metallic: (i % 3) / 2, roughness: 0.1 + (i % 4) / 5 });
    material.clearCoat.isEnabled = i % 2 === 0;
    material.sheen.isEnabled = i % 3 === 0;
    material.anisotropy.isEnabled = i % 5 === 0;
    material.iridescence.isEnabled = i % 4 === 0;
    return material;
  }));
}
export const physicalWebgl = on(webgl, physical);
export const physicalWebgpu = on(webgpu, physical);

export const cubeShadows = on(webgl, ({ scene, light }) => {
  light.intensity = 0.2;
  const lamp = new PointLight('lamp', new Vector3(0, 3, -3), scene);
  const shadow = new ShadowGenerator(512, lamp);
  const meshes = solids(scene);
  const ground = MeshBuilder.CreateGround('ground', { width: 14, height: 14 }, scene);
  ground.position.y = -2;
  ground.receiveShadows = true;
  meshes.forEach((mesh) => shadow.addShadowCaster(mesh));
  return turn(meshes);
});

export const text = on(webgl, ({ scene }) => {
  const size = 256;
  const noise = RawTexture.CreateRGBATexture(Uint8Array.from({ length: size * size * 4 }, (_, k) => (k % 4 === 3 ? 255 : ((k >> 2) ^ (k >> 10)) & 255)), size, size, scene);
  const sign = new DynamicTexture('sign', { width: 256, height: 256 }, scene);
  sign.drawText('QUADRILLE', 10, 140, 'bold 36px sans-serif', 'white', 'darkred');
  return turn(solids(scene, (i) => Object.assign(new StandardMaterial(`s${i}`, scene), { diffuseTexture: i % 2 ? noise : sign })));
});

export const particles = on(webgl, ({ scene }) => {
  const system = new ParticleSystem('sparks', 1500, scene);
  const size = 32;
  system.particleTexture = RawTexture.CreateRGBATexture(Uint8Array.from({ length: size * size * 4 }, (_, k) => 255 * Math.max(0, 1 - Math.hypot(((k >> 2) % size) - 15.5, (k >> 7) - 15.5) / 16)), size, size, scene);
  Object.assign(system, { emitter: Vector3.Zero(), emitRate: 2000, minLifeTime: 1, maxLifeTime: 2, minSize: 0.1, maxSize: 0.4, updateSpeed: 0.02, preWarmCycles: 60, preWarmStepOffset: 1 });
  system.start();
  return () => {};
});
