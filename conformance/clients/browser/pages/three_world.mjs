// Lights, shadows, materials and objects of three.js on WebGL 2. Each function returns a function that draws the frame of
// a time in seconds.
import * as THREE from 'three';
import { CSM } from 'three/addons/csm/CSM.js';
import { DecalGeometry } from 'three/addons/geometries/DecalGeometry.js';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { RectAreaLightUniformsLib } from 'three/addons/lights/RectAreaLightUniformsLib.js';
import { GroundedSkybox } from 'three/addons/objects/GroundedSkybox.js';
import { Lensflare, LensflareElement } from 'three/addons/objects/Lensflare.js';
import { Refractor } from 'three/addons/objects/Refractor.js';
import { Water } from 'three/addons/objects/Water.js';
import { Wireframe } from 'three/addons/lines/Wireframe.js';
import { WireframeGeometry2 } from 'three/addons/lines/WireframeGeometry2.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { OutlineEffect } from 'three/addons/effects/OutlineEffect.js';
import { AnaglyphEffect } from 'three/addons/effects/AnaglyphEffect.js';
import { HEIGHT, WIDTH, add, stage, sun } from './three_stage.mjs';

const knot = () => new THREE.TorusKnotGeometry(0.8, 0.25, 160, 24);
const paint = (hue) => new THREE.Color().setHSL(hue, 0.7, 0.5);

function floor(scene, material = new THREE.MeshStandardMaterial({ color: 0x909090, roughness: 0.8 })) {
  const mesh = add(scene, new THREE.PlaneGeometry(24, 24), material, [0, -1.3, 0]);
  mesh.rotation.x = -Math.PI / 2;
  mesh.receiveShadow = true;
  return mesh;
}

/** Solids in a row that cast and receive shadows. */
function row(scene, count = 5) {
  return Array.from({ length: count }, (_, i) => {
    const mesh = add(scene, i % 2 ? new RoundedBoxGeometry(1, 1, 1, 4, 0.15) : knot(), new THREE.MeshStandardMaterial({ color: paint(i / count), roughness: 0.5 }), [2.2 * (i - (count - 1) / 2), 0, 0]);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  });
}

const turning = ({ renderer, scene, camera }, meshes) => (time) => {
  meshes.forEach((mesh, i) => mesh.rotation.set(0.3 * i, time + i, 0));
  renderer.render(scene, camera);
};

/** A scene of solids on a floor, with shadows of one kind from one light. */
function shadowed(canvas, type, light) {
  const all = stage(canvas);
  all.renderer.shadowMap.enabled = true;
  all.renderer.shadowMap.type = type;
  light.castShadow = true;
  light.shadow.mapSize.set(1024, 1024);
  all.scene.add(light, new THREE.AmbientLight(0xffffff, 0.3));
  floor(all.scene);
  return turning(all, row(all.scene));
}

function placed(light, x, y, z) {
  light.position.set(x, y, z);
  return light;
}

export const pointShadows = (canvas) => shadowed(canvas, THREE.PCFShadowMap, placed(new THREE.PointLight(0xfff0d0, 80), 1, 3, 2));
export const spotShadows = (canvas) => shadowed(canvas, THREE.PCFShadowMap, placed(new THREE.SpotLight(0xffffff, 300, 0, 0.6, 0.4), 3, 7, 3));
export const varianceShadows = (canvas) => {
  const light = placed(new THREE.DirectionalLight(0xffffff, 3), 3, 6, 2);
  Object.assign(light.shadow.camera, { left: -7, right: 7, top: 7, bottom: -7 });
  Object.assign(light.shadow, { radius: 6, blurSamples: 16 });
  return shadowed(canvas, THREE.VSMShadowMap, light);
};
export const hardShadows = (canvas) => {
  const light = placed(new THREE.DirectionalLight(0xffffff, 3), 3, 6, 2);
  Object.assign(light.shadow.camera, { left: -7, right: 7, top: 7, bottom: -7 });
  return shadowed(canvas, THREE.BasicShadowMap, light);
};

/** Shadows in cascades along the view. */
export function cascades(canvas) {
  const all = stage(canvas);
  const { renderer, scene, camera } = all;
  renderer.shadowMap.enabled = true;
  scene.add(new THREE.AmbientLight(0xffffff, 0.5));
  const csm = new CSM({ maxFar: 30, cascades: 3, shadowMapSize: 1024, lightDirection: new THREE.Vector3(-1, -1.5, -0.7).normalize(), camera, parent: scene });
  const ground = floor(scene);
  const meshes = row(scene, 7);
  for (const { material } of [ground, ...meshes]) csm.setupMaterial(material);
  return (time) => {
    meshes.forEach((mesh, i) => mesh.rotation.set(0.3 * i, time + i, 0));
    camera.updateMatrixWorld();
    csm.update();
    renderer.render(scene, camera);
  };
}

/** Rectangular lights, by textures of fitted lobes. */
export function areaLights(canvas) {
  const all = stage(canvas, { background: 0 });
  RectAreaLightUniformsLib.init();
  [0xff4040, 0x40ff40, 0x4060ff].forEach((color, i) => {
    const light = new THREE.RectAreaLight(color, 8, 2, 4);
    light.position.set(3 * (i - 1), 1, -4);
    light.lookAt(3 * (i - 1), 0, 2);
    all.scene.add(light);
  });
  floor(all.scene, new THREE.MeshStandardMaterial({ color: 0xb0b0b0, roughness: 0.15, metalness: 0.3 }));
  return turning(all, row(all.scene));
}

/** One solid for each lit and unlit material. */
export function materials(canvas) {
  const all = stage(canvas, { environment: true });
  sun(all.scene);
  const steps = new THREE.DataTexture(Uint8Array.from([40, 130, 255]), 3, 1, THREE.RedFormat);
  Object.assign(steps, { minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter, needsUpdate: true });
  const made = [
    new THREE.MeshBasicMaterial({ color: 0xd08040 }), new THREE.MeshLambertMaterial({ color: 0xd08040 }), new THREE.MeshPhongMaterial({ color: 0xd08040, shininess: 90 }),
    new THREE.MeshToonMaterial({ color: 0xd08040, gradientMap: steps }), new THREE.MeshNormalMaterial(), new THREE.MeshDepthMaterial(),
    new THREE.MeshStandardMaterial({ color: 0xd08040, metalness: 1, roughness: 0.2 }), new THREE.MeshPhysicalMaterial({ color: 0x202020, iridescence: 1, roughness: 0.1 }),
    new THREE.MeshPhysicalMaterial({ color: 0xd08040, sheen: 1, sheenColor: 0x4080ff, roughness: 0.8 }), new THREE.MeshPhysicalMaterial({ color: 0xd08040, anisotropy: 0.9, metalness: 1, roughness: 0.3 }),
  ];
  return turning(all, made.map((material, i) => add(all.scene, knot(), material, [2.4 * (i % 5 - 2), i < 5 ? 1.3 : -1.3, 0])));
}

/** Reflections of a cube that is drawn in every frame. */
export function cubeCamera(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  sun(scene);
  const target = new THREE.WebGLCubeRenderTarget(256, { generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter });
  const cubes = new THREE.CubeCamera(0.1, 100, target);
  const ball = add(scene, new THREE.SphereGeometry(1.3, 64, 32), new THREE.MeshStandardMaterial({ envMap: target.texture, metalness: 1, roughness: 0.05 }));
  const around = Array.from({ length: 10 }, (_, i) => add(scene, new THREE.BoxGeometry(0.8, 0.8, 0.8), new THREE.MeshLambertMaterial({ color: paint(i / 10) })));
  floor(scene);
  return (time) => {
    around.forEach((mesh, i) => mesh.position.set(3 * Math.cos(time + i * 0.6283), Math.sin(i), 3 * Math.sin(time + i * 0.6283)));
    ball.visible = false;
    cubes.update(renderer, scene);
    ball.visible = true;
    renderer.render(scene, camera);
  };
}

/** Waves that reflect the scene, by two normal maps. */
export function water(canvas) {
  const all = stage(canvas, { background: 0x80a0d0 });
  sun(all.scene);
  const size = 128;
  const slopes = Uint8Array.from({ length: size * size * 4 }, (_, k) => {
    const [x, y] = [(k >> 2) % size, k >> 9].map((c) => c / size * 6.2832);
    return [128 + 60 * Math.cos(3 * x + Math.sin(2 * y)), 128 + 60 * Math.cos(4 * y + Math.sin(3 * x)), 230, 255][k % 4];
  });
  const normals = new THREE.DataTexture(slopes, size, size);
  Object.assign(normals, { wrapS: THREE.RepeatWrapping, wrapT: THREE.RepeatWrapping, minFilter: THREE.LinearFilter, magFilter: THREE.LinearFilter, needsUpdate: true });
  const surface = new Water(new THREE.PlaneGeometry(40, 40), { textureWidth: 512, textureHeight: 512, waterNormals: normals, sunDirection: new THREE.Vector3(0.5, 0.7, -0.5), sunColor: 0xffffff, waterColor: 0x001e2f, distortionScale: 2 });
  surface.rotation.x = -Math.PI / 2;
  surface.position.y = -1;
  all.scene.add(surface);
  const draw = turning(all, row(all.scene, 3));
  return (time) => {
    surface.material.uniforms.time.value = time;
    draw(time);
  };
}

/** A pane that bends the picture behind it. */
export function refraction(canvas) {
  const all = stage(canvas);
  sun(all.scene);
  const pane = new Refractor(new THREE.CircleGeometry(2, 48), { color: 0xb0d0ff, textureWidth: 512, textureHeight: 512 });
  pane.position.set(0, 0.8, 3);
  all.scene.add(pane);
  return turning(all, row(all.scene));
}

/** Flares of lights, by reading the depth where they are. */
export function flares(canvas) {
  const all = stage(canvas, { background: 0x101018 });
  const size = 64;
  const disc = new THREE.DataTexture(Uint8Array.from({ length: size * size * 4 }, (_, k) => 255 * Math.max(0, 1 - Math.hypot(((k >> 2) % size) - 31.5, (k >> 8) - 31.5) / 32)), size, size);
  disc.needsUpdate = true;
  for (const [i, x] of [-3, 0, 3].entries()) {
    const light = placed(new THREE.PointLight(paint(i / 3), 40), x, 2, -1);
    const flare = new Lensflare();
    flare.addElement(new LensflareElement(disc, 300, 0, light.color));
    for (const at of [0.3, 0.6, 1]) flare.addElement(new LensflareElement(disc, 60, at));
    light.add(flare);
    all.scene.add(light);
  }
  floor(all.scene);
  return turning(all, row(all.scene));
}

/** A panorama that touches the ground, from a formula. */
export function panorama(canvas) {
  const all = stage(canvas);
  const [width, height] = [512, 256];
  const sky = new THREE.DataTexture(Float32Array.from({ length: width * height * 4 }, (_, k) => {
    const [x, y] = [(k >> 2) % width / width, Math.floor((k >> 2) / width) / height];
    const light = Math.hypot(x - 0.3, y - 0.7) < 0.04 ? 30 : 0;
    return [light + 0.3 + 0.5 * y, light + 0.4 + 0.3 * y, light + 0.5 + 0.2 * Math.sin(40 * x), 1][k % 4];
  }), width, height, THREE.RGBAFormat, THREE.FloatType);
  Object.assign(sky, { mapping: THREE.EquirectangularReflectionMapping, minFilter: THREE.LinearFilter, magFilter: THREE.LinearFilter, needsUpdate: true });
  all.scene.environment = sky;
  const box = new GroundedSkybox(sky, 4, 40);
  box.position.y = 2.7;
  all.scene.add(box);
  return turning(all, row(all.scene));
}

/** Pictures that are thrown onto a solid. */
export function decals(canvas) {
  const all = stage(canvas);
  sun(all.scene);
  const ball = add(all.scene, new THREE.SphereGeometry(2.2, 64, 48), new THREE.MeshStandardMaterial({ color: 0xc0c0c0 }));
  ball.updateMatrixWorld();
  for (let i = 0; i < 20; i++) {
    const out = new THREE.Vector3().setFromSphericalCoords(2.2, 0.5 + (i % 5) * 0.5, i * 1.3);
    const turn = new THREE.Euler().setFromQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), out.clone().normalize()));
    const material = new THREE.MeshPhongMaterial({ color: paint(i / 20), depthTest: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -4 });
    ball.add(new THREE.Mesh(new DecalGeometry(ball, out, turn, new THREE.Vector3(0.8, 0.8, 0.8)), material));
  }
  return turning(all, [ball]);
}

/** Caps of clipped solids, by the stencil buffer. */
export function stencil(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  const made = new THREE.WebGLRenderer({ canvas: renderer.domElement, context: renderer.getContext(), antialias: true, stencil: true });
  made.setSize(WIDTH, HEIGHT, false);
  made.localClippingEnabled = true;
  sun(scene);
  const plane = new THREE.Plane(new THREE.Vector3(0, -1, 0.3), 0.2);
  const parts = [[THREE.BackSide, THREE.IncrementWrapStencilOp], [THREE.FrontSide, THREE.DecrementWrapStencilOp]].map(([side, op]) => {
    const material = new THREE.MeshBasicMaterial({ depthWrite: false, depthTest: false, colorWrite: false, stencilWrite: true, stencilFunc: THREE.AlwaysStencilFunc, side, clippingPlanes: [plane] });
    Object.assign(material, { stencilFail: op, stencilZFail: op, stencilZPass: op });
    const mesh = add(scene, knot(), material);
    mesh.renderOrder = 1;
    return mesh;
  });
  const cap = add(scene, new THREE.PlaneGeometry(8, 8), new THREE.MeshStandardMaterial({ color: 0xe91e63, stencilWrite: true, stencilRef: 0, stencilFunc: THREE.NotEqualStencilFunc, stencilFail: THREE.ReplaceStencilOp, stencilZFail: THREE.ReplaceStencilOp, stencilZPass: THREE.ReplaceStencilOp }));
  plane.coplanarPoint(cap.position);
  cap.lookAt(cap.position.clone().sub(plane.normal));
  cap.renderOrder = 2;
  const shown = add(scene, knot(), new THREE.MeshStandardMaterial({ color: 0xffc107, side: THREE.DoubleSide, clippingPlanes: [plane] }));
  shown.renderOrder = 3;
  for (const mesh of [...parts, shown]) mesh.scale.setScalar(2);
  return (time) => {
    for (const mesh of [...parts, shown]) mesh.rotation.y = time;
    made.render(scene, camera);
  };
}

/** 400 geometries in one draw. */
export function batch(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  sun(scene);
  const shapes = [new THREE.BoxGeometry(0.4, 0.4, 0.4), new THREE.ConeGeometry(0.3, 0.6, 12), new THREE.SphereGeometry(0.3, 16, 12)];
  const mesh = new THREE.BatchedMesh(400, 4000, 8000, new THREE.MeshLambertMaterial());
  const kinds = shapes.map((shape) => mesh.addGeometry(shape));
  const ids = Array.from({ length: 400 }, (_, i) => mesh.addInstance(kinds[i % 3]));
  ids.forEach((id, i) => mesh.setColorAt(id, paint(i / 400)));
  scene.add(mesh);
  const at = new THREE.Object3D();
  return (time) => {
    ids.forEach((id, i) => {
      at.position.set((i % 20) * 0.6 - 5.7, Math.sin(time + i) * 0.3, Math.floor(i / 20) * 0.6 - 6);
      at.rotation.set(time, i, 0);
      at.updateMatrix();
      mesh.setMatrixAt(id, at.matrix);
    });
    renderer.render(scene, camera);
  };
}

/** Targets of several colours: position, normal and colour, then lit in one pass. */
export function deferred(canvas) {
  const all = stage(canvas);
  const { renderer, scene, camera } = all;
  const target = new THREE.WebGLRenderTarget(WIDTH, HEIGHT, { count: 2, type: THREE.HalfFloatType });
  const material = (hue) => new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, uniforms: { tint: { value: paint(hue) } },
    vertexShader: `in vec3 position, normal; uniform mat4 modelViewMatrix, projectionMatrix; uniform mat3 normalMatrix; out vec3 n;
      void main() { n = normalMatrix * normal; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1); }`,
    fragmentShader: `precision highp float; in vec3 n; uniform vec3 tint; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;
      void main() { a = vec4(tint, 1); b = vec4(normalize(n), gl_FragCoord.z); }`,
  });
  const meshes = Array.from({ length: 7 }, (_, i) => add(scene, knot(), material(i / 7), [2 * (i - 3), Math.sin(i), 0]));
  const quad = new THREE.Scene();
  quad.add(new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, uniforms: { a: { value: target.textures[0] }, b: { value: target.textures[1] } },
    vertexShader: 'in vec3 position; in vec2 uv; out vec2 at; void main() { at = uv; gl_Position = vec4(position, 1); }',
    fragmentShader: `precision highp float; in vec2 at; uniform sampler2D a, b; out vec4 colour;
      void main() { vec4 c = texture(a, at), n = texture(b, at); colour = vec4(c.rgb * (0.2 + max(dot(n.xyz, vec3(0.5, 0.7, 0.5)), 0.0)) + 0.1 * n.w, 1); }`,
  })));
  return (time) => {
    meshes.forEach((mesh, i) => mesh.rotation.set(time, time + i, 0));
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    renderer.render(quad, camera);
  };
}

/** Layers of an array texture, and targets with samples. */
export function layers(canvas) {
  const all = stage(canvas);
  const data = Uint8Array.from({ length: 64 * 64 * 8 * 4 }, (_, k) => {
    const [x, y, layer] = [(k >> 2) % 64, (k >> 8) % 64, k >> 14];
    return [(x * (layer + 1)) % 256, (y * (8 - layer)) % 256, layer * 32, 255][k % 4];
  });
  const map = new THREE.DataArrayTexture(data, 64, 64, 8);
  map.needsUpdate = true;
  const material = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, uniforms: { map: { value: map }, layer: { value: 0 } },
    vertexShader: 'in vec3 position; in vec2 uv; uniform mat4 modelViewMatrix, projectionMatrix; out vec2 at; void main() { at = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1); }',
    fragmentShader: 'precision highp float; precision highp sampler2DArray; in vec2 at; uniform sampler2DArray map; out vec4 colour; void main() { colour = texture(map, vec3(at * 2.0, floor(at.x * 8.0))); }',
  });
  return turning(all, [-3, 0, 3].map((x) => add(all.scene, new THREE.BoxGeometry(2, 2, 2), material, [x, 0, 0])));
}

/** Wide lines of a mesh, sprites that turn, and levels of detail. */
export function details(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  sun(scene);
  const wires = new Wireframe(new WireframeGeometry2(new THREE.IcosahedronGeometry(1.2, 2)), new LineMaterial({ color: 0x4080ff, linewidth: 4 }));
  scene.add(wires);
  const levels = Array.from({ length: 30 }, (_, i) => {
    const lod = new THREE.LOD();
    [4, 2, 1, 0].forEach((detail, k) => lod.addLevel(new THREE.Mesh(new THREE.IcosahedronGeometry(0.4, detail), new THREE.MeshLambertMaterial({ color: paint(k / 4), flatShading: true })), k * 6));
    lod.position.set((i % 6) * 1.5 - 3.75, 0.5 * Math.sin(i), 4 - Math.floor(i / 6) * 5);
    scene.add(lod);
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ color: paint(i / 30), opacity: 0.7, rotation: i }));
    sprite.position.copy(lod.position).add(new THREE.Vector3(0, 1.5, 0));
    scene.add(sprite);
    return lod;
  });
  return (time) => {
    wires.rotation.y = time;
    levels.forEach((lod) => lod.update(camera));
    renderer.render(scene, camera);
  };
}

/** Four views of one scene, in scissors. */
export function views(canvas) {
  const all = stage(canvas, { environment: true });
  const meshes = row(all.scene, 3);
  const { renderer, scene, camera } = all;
  return (time) => {
    meshes.forEach((mesh, i) => mesh.rotation.set(0.3 * i, time + i, 0));
    renderer.setScissorTest(true);
    for (const [i, [x, y]] of [[0, 0], [1, 0], [0, 1], [1, 1]].entries()) {
      renderer.setViewport(x * WIDTH / 2, y * HEIGHT / 2, WIDTH / 2, HEIGHT / 2);
      renderer.setScissor(x * WIDTH / 2 + 2, y * HEIGHT / 2 + 2, WIDTH / 2 - 4, HEIGHT / 2 - 4);
      camera.position.set(8 * Math.sin(i * 1.5), 3, 8 * Math.cos(i * 1.5));
      camera.lookAt(0, 0, 0);
      renderer.render(scene, camera);
    }
  };
}

function effect(canvas, make) {
  const all = stage(canvas);
  sun(all.scene);
  const meshes = row(all.scene);
  const drawn = make(all.renderer);
  drawn.setSize(WIDTH, HEIGHT);
  return turning({ ...all, renderer: drawn }, meshes);
}
export const contours = (canvas) => effect(canvas, (renderer) => new OutlineEffect(renderer));
export const anaglyph = (canvas) => effect(canvas, (renderer) => new AnaglyphEffect(renderer, WIDTH, HEIGHT));

/** Tone mapping, depth in logarithms, and a camera that looks far. */
export function far(canvas) {
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, logarithmicDepthBuffer: true });
  renderer.setSize(WIDTH, HEIGHT, false);
  renderer.toneMapping = THREE.AgXToneMapping;
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(45, WIDTH / HEIGHT, 1e-3, 1e7);
  sun(scene);
  const meshes = Array.from({ length: 8 }, (_, i) => {
    const size = 10 ** (i - 2);
    const mesh = add(scene, knot(), new THREE.MeshStandardMaterial({ color: paint(i / 8), emissive: paint(i / 8), emissiveIntensity: i }), [size * 2 * (i % 2 ? 1 : -1), size, -size * 6]);
    mesh.scale.setScalar(size);
    return mesh;
  });
  return turning({ renderer, scene, camera }, meshes);
}

/** Morph targets in a texture, over 40 shapes. */
export function morphs(canvas) {
  const { renderer, scene, camera } = stage(canvas);
  sun(scene);
  const geometry = new THREE.SphereGeometry(1.8, 64, 48);
  const base = geometry.attributes.position;
  geometry.morphAttributes.position = Array.from({ length: 40 }, (_, k) => {
    const moved = base.clone();
    for (let i = 0; i < base.count; i++) {
      const at = new THREE.Vector3().fromBufferAttribute(base, i);
      at.multiplyScalar(1 + 0.3 * Math.sin((k + 2) * at.x) * Math.cos((k + 1) * at.y));
      moved.setXYZ(i, at.x, at.y, at.z);
    }
    return moved;
  });
  const mesh = add(scene, geometry, new THREE.MeshStandardMaterial({ color: 0x60a0d0, flatShading: true }));
  return (time) => {
    mesh.morphTargetInfluences.forEach((_, k, all) => { all[k] = 0.2 * Math.max(0, Math.sin(time * 2 + k)); });
    renderer.render(scene, camera);
  };
}
