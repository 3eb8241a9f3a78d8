// Scenes of three.js on WebGL 2. Each function returns a function that draws the frame of a time in seconds.
import * as THREE from 'three';
import { MarchingCubes } from 'three/addons/objects/MarchingCubes.js';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { Sky } from 'three/addons/objects/Sky.js';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { UnrealBloomPass } from 'three/addons/postprocessing/UnrealBloomPass.js';
import { BokehPass } from 'three/addons/postprocessing/BokehPass.js';
import { GTAOPass } from 'three/addons/postprocessing/GTAOPass.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';
import { GPUComputationRenderer } from 'three/addons/misc/GPUComputationRenderer.js';
import { TeapotGeometry } from 'three/addons/geometries/TeapotGeometry.js';
import { createLandscape, createNoiseVolume } from './made.mjs';
import { HEIGHT, WIDTH, add, bright, stage, sun } from './three_stage.mjs';

/** 40 meshes of physical material with soft shadows. */
export function physical(canvas) {
  const { renderer, scene, camera } = stage(canvas, { environment: true });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  sun(scene, true);
  const floor = add(scene, new THREE.PlaneGeometry(30, 30), new THREE.MeshStandardMaterial({ color: 0x808080 }), [0, -1, 0]);
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  const meshes = Array.from({ length: 40 }, (_, i) => {
    const material = new THREE.MeshPhysicalMaterial({
      color: new THREE.Color().setHSL(i / 40, 0.7, 0.5), roughness: (i % 5) / 5, metalness: (i % 3) / 2, clearcoat: (i % 2),
      sheen: i % 7 === 0 ? 1 : 0,
    });
    const geometry = i % 2 ? new THREE.TorusKnotGeometry(0.3, 0.1, 96, 16) : new THREE.SphereGeometry(0.45, 48, 24);
    const mesh = add(scene, geometry, material, [(i % 8) - 3.5, 0, Math.floor(i / 8) - 2.5].map((v) => v * 1.1));
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  });
  return (time) => {
    meshes.forEach((mesh, i) => mesh.rotation.set(time, time + i, 0));
    renderer.render(scene, camera);
  };
}

/** Glass before other meshes: transmission needs a copy of the frame with levels. */
export function glass(canvas) {
  const { renderer, scene, camera } = stage(canvas, { environment: true });
  const teapot = add(scene, new TeapotGeometry(1.2, 12), new THREE.MeshPhysicalMaterial({ transmission: 1, thickness: 1, roughness: 0.15, ior: 1.4 }));
  for (let i = 0; i < 12; i++) {
    const at = [Math.cos(i / 12 * 6.2832) * 3, Math.sin(i) * 0.8, Math.sin(i / 12 * 6.2832) * 3];
    add(scene, new THREE.IcosahedronGeometry(0.5, 1), new THREE.MeshStandardMaterial({ color: 0xff8000 + i * 20, flatShading: true }), at);
  }
  return (time) => {
    teapot.rotation.y = time;
    renderer.render(scene, camera);
  };
}

/** 8,000 instances with a colour each. */
export function instances(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  sun(scene);
  const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(0.2, 0.2, 0.2), new THREE.MeshLambertMaterial(), 8000);
  const at = new THREE.Object3D();
  for (let i = 0; i < 8000; i++) mesh.setColorAt(i, new THREE.Color().setHSL(i / 8000, 1, 0.5));
  scene.add(mesh);
  return (time) => {
    for (let i = 0; i < 8000; i++) {
      at.position.set((i % 20) - 9.5, (Math.floor(i / 20) % 20) - 9.5, Math.floor(i / 400) - 9.5).multiplyScalar(0.4);
      at.rotation.set(time + i, time, 0);
      at.updateMatrix();
      mesh.setMatrixAt(i, at.matrix);
    }
    mesh.instanceMatrix.needsUpdate = true;
    renderer.render(scene, camera);
  };
}

/** 50,000 points with a sprite, added up. */
export function points(canvas) {
  const { renderer, scene, camera } = stage(canvas, { background: 0 });
  const places = Float32Array.from({ length: 150000 }, () => Math.random() * 12 - 6);
  const colours = Float32Array.from({ length: 150000 }, () => Math.random());
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  const pixels = Uint8Array.from({ length: 32 * 32 * 4 }, (_, k) => {
    const d = Math.hypot(((k >> 2) % 32) - 15.5, (k >> 7) - 15.5) / 16;
    return 255 * Math.max(0, 1 - d);
  });
  const map = new THREE.DataTexture(pixels, 32, 32);
  map.needsUpdate = true;
  const material = new THREE.PointsMaterial({ size: 0.12, map, vertexColors: true, blending: THREE.AdditiveBlending, depthWrite: false });
  const cloud = new THREE.Points(geometry, material);
  scene.add(cloud);
  return (time) => {
    cloud.rotation.y = time * 0.3;
    renderer.render(scene, camera);
  };
}

/** Lines of several pixels. */
export function lines(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  const places = [], colours = [];
  for (let i = 0; i <= 2000; i++) {
    const a = i / 2000 * 6.2832;
    places.push((2 + Math.cos(15 * a)) * Math.cos(2 * a), Math.sin(15 * a), (2 + Math.cos(15 * a)) * Math.sin(2 * a));
    colours.push(...new THREE.Color().setHSL(i / 2000, 1, 0.5).toArray());
  }
  const line = new Line2(new LineGeometry().setPositions(places).setColors(colours), new LineMaterial({ linewidth: 5, vertexColors: true, dashed: true, dashSize: 0.3, gapSize: 0.1 }));
  line.computeLineDistances();
  const box = new THREE.LineSegments(new THREE.EdgesGeometry(new THREE.DodecahedronGeometry(2.5)), new THREE.LineBasicMaterial({ color: 0xffffff }));
  scene.add(line, box);
  return (time) => {
    line.rotation.y = box.rotation.x = time;
    renderer.render(scene, camera);
  };
}

/** Metaballs, meshed on the CPU in every frame. */
export function balls(canvas) {
  const { renderer, scene, camera } = stage(canvas, { environment: true });
  sun(scene);
  const cubes = new MarchingCubes(40, new THREE.MeshPhongMaterial({ specular: 0xc1c1c1, shininess: 250, vertexColors: true }), true, true, 60000);
  cubes.scale.setScalar(3);
  scene.add(cubes);
  return (time) => {
    cubes.reset();
    for (let i = 0; i < 12; i++) {
      const at = [Math.sin(i + 1.26 * time * (1.03 + 0.5 * Math.cos(0.21 * i))), Math.cos(i + 1.12 * time), Math.cos(i * 1.32 + 0.1 * time)];
      cubes.addBall(...at.map((v) => v * 0.27 + 0.5), 0.4, 12, new THREE.Color().setHSL(i / 12, 0.8, 0.5));
    }
    cubes.update();
    renderer.render(scene, camera);
  };
}

/** A sky, and a mirror that draws the scene a second time. */
export function mirror(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  renderer.toneMapping = THREE.ACESFilmicToneMapping;
  const sky = new Sky();
  sky.scale.setScalar(100);
  sky.material.uniforms.sunPosition.value.set(1, 0.15, -1);
  scene.add(sky);
  sun(scene);
  const ground = new Reflector(new THREE.PlaneGeometry(30, 30), { textureWidth: WIDTH, textureHeight: HEIGHT, color: 0xa0a0a0 });
  ground.rotation.x = -Math.PI / 2;
  ground.position.y = -1.2;
  scene.add(ground);
  const knot = add(scene, new THREE.TorusKnotGeometry(1, 0.35, 200, 32), new THREE.MeshStandardMaterial({ color: 0xd04020, roughness: 0.4 }));
  return (time) => {
    knot.rotation.y = time;
    renderer.render(scene, camera);
  };
}

export function bloom(canvas) {
  const { composer, draw } = bright(canvas);
  composer.addPass(new UnrealBloomPass(new THREE.Vector2(WIDTH, HEIGHT), 1, 0.5, 0.3));
  composer.addPass(new OutputPass());
  return draw;
}

export function depthOfField(canvas) {
  const { composer, draw, scene, camera } = bright(canvas);
  composer.addPass(new BokehPass(scene, camera, { focus: 9, aperture: 0.003, maxblur: 0.01 }));
  composer.addPass(new OutputPass());
  return draw;
}

export function ambientOcclusion(canvas) {
  const { composer, draw, scene, camera } = bright(canvas);
  composer.addPass(new GTAOPass(scene, camera, WIDTH, HEIGHT));
  composer.addPass(new OutputPass());
  return draw;
}

/** A fluid by textures of floats: a step of a wave equation in each frame. */
export function waves(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  sun(scene);
  const compute = new GPUComputationRenderer(256, 256, renderer);
  const first = compute.createTexture();
  first.image.data.forEach((_, k, data) => {
    const d = Math.hypot(((k >> 2) % 256) - 100, (k >> 10) - 128);
    if (k % 4 === 0) data[k] = d < 30 ? 1 + Math.cos(d / 30 * Math.PI) : 0;
    if (k % 4 === 1) data[k] = data[k - 1];
  });
  const heights = compute.addVariable('heights', `void main() {
    vec2 at = gl_FragCoord.xy / resolution.xy, d = 1.0 / resolution.xy;
    vec4 h = texture2D(heights, at);
    float n = texture2D(heights, at + vec2(d.x, 0)).x + texture2D(heights, at - vec2(d.x, 0)).x
      + texture2D(heights, at + vec2(0, d.y)).x + texture2D(heights, at - vec2(0, d.y)).x;
    gl_FragColor = vec4((0.5 * n - h.y) * 0.998, h.x, 0, 0); }`, first);
  heights.wrapS = heights.wrapT = THREE.RepeatWrapping;
  compute.setVariableDependencies(heights, [heights]);
  const error = compute.init();
  if (error) throw Error(error);
  const material = new THREE.ShaderMaterial({
    uniforms: { heights: { value: null } },
    vertexShader: `uniform sampler2D heights; varying vec3 n;
      void main() {
        float e = 1.0 / 256.0, h = texture2D(heights, uv).x;
        n = normalize(vec3(h - texture2D(heights, uv + vec2(e, 0)).x, h - texture2D(heights, uv + vec2(0, e)).x, 0.06));
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position + vec3(0, 0, h), 1);
      }`,
    fragmentShader: 'varying vec3 n; void main() { gl_FragColor = vec4(vec3(0.1, 0.3, 0.6) + 0.7 * dot(normalize(n), normalize(vec3(1, 1, 2))), 1); }',
  });
  const water = add(scene, new THREE.PlaneGeometry(10, 10, 255, 255), material);
  water.rotation.x = -1.2;
  return () => {
    compute.compute();
    material.uniforms.heights.value = compute.getCurrentRenderTarget(heights).texture;
    renderer.render(scene, camera);
  };
}

/** Ray marching through a 3D texture. */
export function volume(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  const size = 64;
  const map = new THREE.Data3DTexture(createNoiseVolume(size), size, size, size);
  Object.assign(map, { format: THREE.RedFormat, minFilter: THREE.LinearFilter, magFilter: THREE.LinearFilter, unpackAlignment: 1, needsUpdate: true });
  const material = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, side: THREE.BackSide, transparent: true,
    uniforms: { map: { value: map }, eye: { value: new THREE.Vector3() } },
    vertexShader: `in vec3 position; uniform mat4 modelViewMatrix, projectionMatrix; out vec3 at;
      void main() { at = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1); }`,
    fragmentShader: `precision highp float; precision highp sampler3D;
      in vec3 at; out vec4 colour; uniform sampler3D map; uniform vec3 eye;
      void main() {
        vec3 ray = normalize(at - eye), near = min((-0.5 - eye) / ray, (0.5 - eye) / ray);
        float from = max(max(near.x, near.y), max(near.z, 0.0)), to = distance(at, eye), light = 0.0;
        for (float t = from; t < to; t += 0.02) light += 0.05 * smoothstep(0.4, 0.7, texture(map, eye + t * ray + 0.5).r);
        colour = vec4(vec3(1.0, 0.8, 0.5) * light, min(light, 1.0));
      }`,
  });
  const box = add(scene, new THREE.BoxGeometry(1, 1, 1), material);
  box.scale.setScalar(5);
  return (time) => {
    box.rotation.y = time;
    box.updateMatrixWorld();
    material.uniforms.eye.value.copy(box.worldToLocal(camera.position.clone()));
    renderer.render(scene, camera);
  };
}

/** A landscape with fog, wireframe over it, and clipping. */
export function landscape(canvas) {
  const { renderer, scene, camera } = stage(canvas, { background: 0xa0b0c0 });
  scene.fog = new THREE.Fog(0xa0b0c0, 4, 18);
  sun(scene);
  renderer.localClippingEnabled = true;
  const geometry = new THREE.PlaneGeometry(20, 20, 199, 199);
  geometry.rotateX(-Math.PI / 2);
  createLandscape(geometry.attributes.position.array);
  geometry.computeVertexNormals();
  const plane = new THREE.Plane(new THREE.Vector3(1, 0, 0), 4);
  const land = add(scene, geometry, new THREE.MeshPhongMaterial({ color: 0x407030, clippingPlanes: [plane] }));
  const wires = add(scene, geometry, new THREE.MeshBasicMaterial({ color: 0x102008, wireframe: true }), [0, 0.02, 0]);
  return (time) => {
    land.rotation.y = wires.rotation.y = time * 0.2;
    renderer.render(scene, camera);
  };
}

/** Skinned and morphed tubes under textures with levels and anisotropy. */
export function skins(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  sun(scene);
  const checks = Uint8Array.from({ length: 256 * 256 * 4 }, (_, k) => (k % 4 === 3 ? 255 : ((k >> 4) ^ (k >> 12)) & 1 ? 240 : 60 + 50 * (k % 4)));
  const map = new THREE.DataTexture(checks, 256, 256);
  Object.assign(map, { generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter, magFilter: THREE.LinearFilter, anisotropy: 8, needsUpdate: true });
  const geometry = new THREE.CylinderGeometry(0.5, 0.5, 6, 24, 60);
  const places = geometry.attributes.position;
  const [indices, weights] = [[], []];
  for (let i = 0; i < places.count; i++) {
    const y = (places.getY(i) + 3) / 6 * 4;
    indices.push(Math.min(Math.floor(y), 4), Math.min(Math.floor(y) + 1, 4), 0, 0);
    weights.push(1 - (y % 1), y % 1, 0, 0);
  }
  geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
  const bones = Array.from({ length: 5 }, () => new THREE.Bone());
  bones.forEach((bone, i) => {
    bone.position.y = i ? 1.5 : -3;
    if (i) bones[i - 1].add(bone);
  });
  const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshStandardMaterial({ map }));
  mesh.add(bones[0]);
  mesh.bind(new THREE.Skeleton(bones));
  scene.add(mesh);
  const floor = add(scene, new THREE.PlaneGeometry(60, 60), new THREE.MeshBasicMaterial({ map }), [0, -3, 0]);
  floor.rotation.x = -Math.PI / 2;
  return (time) => {
    bones.forEach((bone) => { bone.rotation.z = 0.5 * Math.sin(time + 0.5); });
    renderer.render(scene, camera);
  };
}
