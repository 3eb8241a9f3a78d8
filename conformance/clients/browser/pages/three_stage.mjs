// The renderer, camera, lights and meshes that scenes of three.js on WebGL 2 start from.
import * as THREE from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';

export const [WIDTH, HEIGHT] = [960, 540];

export function stage(canvas, { antialias = true, environment = false, background = 0x202830 } = {}) {
  const renderer = new THREE.WebGLRenderer({ canvas, antialias });
  renderer.setSize(WIDTH, HEIGHT, false);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(background);
  const camera = new THREE.PerspectiveCamera(45, WIDTH / HEIGHT, 0.1, 200);
  camera.position.set(0, 3, 9);
  camera.lookAt(0, 0, 0);
  if (environment) scene.environment = new THREE.PMREMGenerator(renderer).fromScene(new RoomEnvironment(), 0.04).texture;
  return { renderer, scene, camera };
}

export function sun(scene, shadows) {
  const light = new THREE.DirectionalLight(0xffffff, 3);
  light.position.set(4, 8, 5);
  if (shadows) {
    light.castShadow = true;
    light.shadow.mapSize.set(2048, 2048);
    Object.assign(light.shadow.camera, { left: -8, right: 8, top: 8, bottom: -8 });
  }
  scene.add(light, new THREE.HemisphereLight(0x8090ff, 0x605040, 0.6));
}

export function add(scene, geometry, material, [x, y, z] = [0, 0, 0]) {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.position.set(x, y, z);
  scene.add(mesh);
  return mesh;
}

/** Glowing and lit solids, and a composer that has drawn them: callers add passes to it. */
export function bright(canvas) {
  const all = stage(canvas, { antialias: false, background: 0x05060a });
  sun(all.scene);
  all.meshes = Array.from({ length: 60 }, (_, i) => {
    const glows = i % 4 === 0;
    const material = new THREE.MeshStandardMaterial({
      color: new THREE.Color().setHSL(i / 60, 0.7, 0.5), emissive: new THREE.Color().setHSL(i / 60, 1, 0.5), emissiveIntensity: glows ? 2 : 0, roughness: 0.5,
    });
    return add(all.scene, new THREE.DodecahedronGeometry(0.35), material, [(Math.random() - 0.5) * 8, (Math.random() - 0.5) * 4, (Math.random() - 0.5) * 6]);
  });
  all.composer = new EffectComposer(all.renderer);
  all.composer.addPass(new RenderPass(all.scene, all.camera));
  all.draw = (time) => {
    all.meshes.forEach((mesh, i) => mesh.rotation.set(time + i, time, 0));
    all.composer.render();
  };
  return all;
}
