// Scenes of three.js on WebGPU. Each function returns a function that draws the frame of a time in seconds.
import * as THREE from 'three/webgpu';
import { Fn, color, float, hash, instanceIndex, instancedArray, mix, normalWorld, pass, positionLocal, sin, texture3D, uniform, vec3 } from 'three/tsl';
import { bloom as bloomOf } from 'three/addons/tsl/display/BloomNode.js';
import { createNoiseVolume } from './made.mjs';

const [WIDTH, HEIGHT] = [960, 540];

export async function stage(canvas) {
  const renderer = new THREE.WebGPURenderer({ canvas, antialias: true });
  renderer.setSize(WIDTH, HEIGHT, false);
  await renderer.init();
  if (!renderer.backend.isWebGPUBackend) throw Error('three.js fell back to WebGL');
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x202830);
  const camera = new THREE.PerspectiveCamera(45, WIDTH / HEIGHT, 0.1, 200);
  camera.position.set(0, 3, 9);
  camera.lookAt(0, 0, 0);
  const light = new THREE.DirectionalLight(0xffffff, 3);
  light.position.set(4, 8, 5);
  scene.add(light, new THREE.HemisphereLight(0x8090ff, 0x605040, 0.6));
  return { renderer, scene, camera, light };
}

/** Meshes of physical material with shadows. */
export async function physical(canvas) {
  const { renderer, scene, camera, light } = await stage(canvas);
  renderer.shadowMap.enabled = true;
  light.castShadow = true;
  Object.assign(light.shadow.camera, { left: -8, right: 8, top: 8, bottom: -8 });
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(30, 30), new THREE.MeshStandardMaterial({ color: 0x808080 }));
  floor.rotation.x = -Math.PI / 2;
  floor.position.y = -1;
  floor.receiveShadow = true;
  scene.add(floor);
  const meshes = Array.from({ length: 40 }, (_, i) => {
    const material = new THREE.MeshPhysicalMaterial({ color: new THREE.Color().setHSL(i / 40, 0.7, 0.5), roughness: (i % 5) / 5, metalness: (i % 3) / 2, clearcoat: i % 2 });
    const mesh = new THREE.Mesh(i % 2 ? new THREE.TorusKnotGeometry(0.3, 0.1, 96, 16) : new THREE.SphereGeometry(0.45, 48, 24), material);
    mesh.position.set((i % 8) - 3.5, 0, Math.floor(i / 8) - 2.5).multiplyScalar(1.1);
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(mesh);
    return mesh;
  });
  return async (seconds) => {
    meshes.forEach((mesh, i) => mesh.rotation.set(seconds, seconds + i, 0));
    renderer.render(scene, camera);
  };
}

/** 20,000 particles that a compute shader moves. */
export async function particles(canvas) {
  const { renderer, scene, camera } = await stage(canvas);
  const count = 20000;
  const places = instancedArray(count, 'vec3'), seconds = uniform(0);
  const move = Fn(() => {
    const seed = float(instanceIndex);
    const angle = hash(seed).mul(6.2832).add(seconds.mul(hash(seed.add(7)).add(0.2)));
    const radius = hash(seed.add(1)).mul(4);
    places.element(instanceIndex).assign(vec3(sin(angle.add(1.5708)).mul(radius), hash(seed.add(2)).sub(0.5).mul(3), sin(angle).mul(radius)));
  })().compute(count);
  const material = new THREE.SpriteNodeMaterial({ blending: THREE.AdditiveBlending, depthWrite: false });
  material.positionNode = places.toAttribute();
  material.colorNode = mix(color(0xff4010), color(0x2060ff), hash(instanceIndex));
  material.scaleNode = float(0.04);
  const sprites = new THREE.Sprite(material);
  sprites.count = count;
  sprites.frustumCulled = false;
  scene.add(sprites);
  return async (at) => {
    seconds.value = at;
    renderer.compute(move);
    renderer.render(scene, camera);
  };
}

/** Light that blurs over its edges, in several passes. */
export async function bloom(canvas) {
  const { renderer, scene, camera } = await stage(canvas);
  const material = new THREE.MeshStandardNodeMaterial({ roughness: 0.4 });
  material.emissiveNode = normalWorld.mul(0.5).add(0.5).pow(4);
  const knot = new THREE.Mesh(new THREE.TorusKnotGeometry(1.5, 0.5, 200, 32), material);
  scene.add(knot);
  const drawn = pass(scene, camera);
  const pipeline = new (THREE.RenderPipeline ?? THREE.PostProcessing)(renderer, drawn.add(bloomOf(drawn.getTextureNode(), 0.6, 0.5, 0.4)));
  return async (seconds) => {
    knot.rotation.set(0, seconds, 0);
    pipeline.render();
  };
}

/** A 3D texture as colour, and vertices that a node moves. */
export async function nodes(canvas) {
  const { renderer, scene, camera } = await stage(canvas);
  const size = 32, seconds = uniform(0);
  const map = new THREE.Data3DTexture(createNoiseVolume(size), size, size, size);
  Object.assign(map, { format: THREE.RedFormat, minFilter: THREE.LinearFilter, magFilter: THREE.LinearFilter, unpackAlignment: 1, needsUpdate: true });
  const material = new THREE.MeshStandardNodeMaterial({ roughness: 0.6 });
  material.colorNode = mix(color(0x103060), color(0xffd080), texture3D(map, positionLocal.mul(0.15).add(0.5), 0).r);
  material.positionNode = positionLocal.mul(sin(positionLocal.y.mul(4).add(seconds)).mul(0.1).add(1));
  scene.add(new THREE.Mesh(new THREE.IcosahedronGeometry(2.5, 40), material));
  return async (at) => {
    seconds.value = at;
    renderer.render(scene, camera);
  };
}
