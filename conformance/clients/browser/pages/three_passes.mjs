// Post-processing passes of three.js on WebGL 2, each over the same solids. Each function returns a function that draws
// the frame of a time in seconds.
import * as THREE from 'three';
import { AfterimagePass } from 'three/addons/postprocessing/AfterimagePass.js';
import { BloomPass } from 'three/addons/postprocessing/BloomPass.js';
import { DotScreenPass } from 'three/addons/postprocessing/DotScreenPass.js';
import { FilmPass } from 'three/addons/postprocessing/FilmPass.js';
import { HalftonePass } from 'three/addons/postprocessing/HalftonePass.js';
import { LUTPass } from 'three/addons/postprocessing/LUTPass.js';
import { OutlinePass } from 'three/addons/postprocessing/OutlinePass.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';
import { RenderPixelatedPass } from 'three/addons/postprocessing/RenderPixelatedPass.js';
import { SAOPass } from 'three/addons/postprocessing/SAOPass.js';
import { SMAAPass } from 'three/addons/postprocessing/SMAAPass.js';
import { SSAARenderPass } from 'three/addons/postprocessing/SSAARenderPass.js';
import { SSAOPass } from 'three/addons/postprocessing/SSAOPass.js';
import { SSRPass } from 'three/addons/postprocessing/SSRPass.js';
import { ShaderPass } from 'three/addons/postprocessing/ShaderPass.js';
import { FXAAShader } from 'three/addons/shaders/FXAAShader.js';
import { HueSaturationShader } from 'three/addons/shaders/HueSaturationShader.js';
import { KaleidoShader } from 'three/addons/shaders/KaleidoShader.js';
import { RGBShiftShader } from 'three/addons/shaders/RGBShiftShader.js';
import { SobelOperatorShader } from 'three/addons/shaders/SobelOperatorShader.js';
import { HorizontalTiltShiftShader } from 'three/addons/shaders/HorizontalTiltShiftShader.js';
import { HEIGHT, WIDTH, bright } from './three_stage.mjs';

/** A scene whose passes `make` gives; the last one converts to the colour space of the canvas. */
const passes = (make) => (canvas) => {
  const all = bright(canvas);
  for (const pass of make(all)) all.composer.addPass(pass);
  all.composer.addPass(new OutputPass());
  return all.draw;
};
const shader = (from, uniforms) => {
  const pass = new ShaderPass(from);
  for (const [name, value] of Object.entries(uniforms)) pass.uniforms[name].value = value;
  return pass;
};
const texel = new THREE.Vector2(1 / WIDTH, 1 / HEIGHT);

/** A lookup table that swaps and bends the components. */
function lookup() {
  const size = 16;
  const data = new Uint8Array(size ** 3 * 4);
  for (let i = 0; i < size ** 3; i++) {
    const [r, g, b] = [i % size, Math.floor(i / size) % size, Math.floor(i / size ** 2)].map((c) => c / (size - 1));
    data.set([255 * Math.sqrt(b), 255 * g, 255 * r * r, 255], 4 * i);
  }
  const map = new THREE.Data3DTexture(data, size, size, size);
  Object.assign(map, { minFilter: THREE.LinearFilter, magFilter: THREE.LinearFilter, needsUpdate: true });
  return map;
}

export const afterimage = passes(() => [new AfterimagePass(0.8)]);
export const blurredLight = passes(() => [new BloomPass(1.5, 25, 4)]);
export const dots = passes(() => [new DotScreenPass(new THREE.Vector2(0.5, 0.5), 0.5, 0.8)]);
export const film = passes(() => [new FilmPass(0.4, true)]);
export const halftone = passes(() => [new HalftonePass({ radius: 5, scatter: 0 })]);
export const table = passes(() => [new LUTPass({ lut: lookup(), intensity: 0.8 })]);
export const outline = passes(({ scene, camera, meshes }) => {
  const pass = new OutlinePass(new THREE.Vector2(WIDTH, HEIGHT), scene, camera, meshes.slice(0, 20));
  Object.assign(pass, { edgeStrength: 4, edgeThickness: 2 });
  return [pass];
});
export const pixelated = passes(({ scene, camera }) => [new RenderPixelatedPass(6, scene, camera)]);
export const sao = passes(({ scene, camera }) => {
  const pass = new SAOPass(scene, camera);
  Object.assign(pass.params, { saoIntensity: 0.05, saoScale: 3, saoKernelRadius: 30 });
  return [pass];
});
export const smaa = passes(() => [new SMAAPass()]);
export const supersampled = passes(({ scene, camera }) => {
  const pass = new SSAARenderPass(scene, camera);
  pass.sampleLevel = 2;
  return [pass];
});
export const ssao = passes(({ scene, camera }) => [new SSAOPass(scene, camera, WIDTH, HEIGHT, 16)]);
export const reflections = passes(({ renderer, scene, camera }) => [new SSRPass({ renderer, scene, camera, width: WIDTH, height: HEIGHT })]);
export const fxaa = passes(() => [shader(FXAAShader, { resolution: texel })]);
export const hue = passes(() => [shader(HueSaturationShader, { hue: 0.4, saturation: 0.3 })]);
export const kaleidoscope = passes(() => [shader(KaleidoShader, { sides: 7 })]);
export const shifted = passes(() => [shader(RGBShiftShader, { amount: 0.006 })]);
export const sobel = passes(() => [shader(SobelOperatorShader, { resolution: new THREE.Vector2(WIDTH, HEIGHT) })]);
export const tilted = passes(() => [shader(HorizontalTiltShiftShader, { h: 2 / WIDTH, r: 0.5 })]);
