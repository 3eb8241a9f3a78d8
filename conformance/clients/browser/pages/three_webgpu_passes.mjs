// Post-processing nodes of three.js on WebGPU, each over the same solids. Each function returns a function that draws the
// frame of a time in seconds.
import * as THREE from 'three/webgpu';
import { mrt, normalView, output, pass, uniform, vec2, vec4, velocity } from 'three/tsl';
import { afterImage } from 'three/addons/tsl/display/AfterImageNode.js';
import { bleach } from 'three/addons/tsl/display/BleachBypass.js';
import { chromaticAberration } from 'three/addons/tsl/display/ChromaticAberrationNode.js';
import { dof } from 'three/addons/tsl/display/DepthOfFieldNode.js';
import { dotScreen } from 'three/addons/tsl/display/DotScreenNode.js';
import { film } from 'three/addons/tsl/display/FilmNode.js';
import { fxaa } from 'three/addons/tsl/display/FXAANode.js';
import { gaussianBlur } from 'three/addons/tsl/display/GaussianBlurNode.js';
import { ao } from 'three/addons/tsl/display/GTAONode.js';
import { pixelationPass } from 'three/addons/tsl/display/PixelationPassNode.js';
import { rgbShift } from 'three/addons/tsl/display/RGBShiftNode.js';
import { sepia } from 'three/addons/tsl/display/Sepia.js';
import { smaa } from 'three/addons/tsl/display/SMAANode.js';
import { sobel } from 'three/addons/tsl/display/SobelOperatorNode.js';
import { ssaaPass } from 'three/addons/tsl/display/SSAAPassNode.js';
import { traa } from 'three/addons/tsl/display/TRAANode.js';
import { stage } from './three_webgpu.mjs';

/** A scene of solids, drawn through the node that `make` gives. */
const passes = (make) => async (canvas) => {
  const all = await stage(canvas);
  const { renderer, scene, camera } = all;
  const meshes = Array.from({ length: 40 }, (_, i) => {
    const material = new THREE.MeshStandardMaterial({ color: new THREE.Color().setHSL(i / 40, 0.7, 0.5), roughness: 0.5 });
    const mesh = new THREE.Mesh(i % 2 ? new THREE.TorusKnotGeometry(0.4, 0.12, 96, 16) : new THREE.BoxGeometry(0.8, 0.8, 0.8), material);
    mesh.position.set((i % 8) * 1.2 - 4.2, Math.floor(i / 8) * 1.1 - 2.2, Math.sin(i) * 2);
    scene.add(mesh);
    return mesh;
  });
  const pipeline = new (THREE.RenderPipeline ?? THREE.PostProcessing)(renderer, make(all));
  return async (seconds) => {
    meshes.forEach((mesh, i) => mesh.rotation.set(seconds, seconds + i, 0));
    pipeline.render();
  };
};
const over = (make) => passes(({ scene, camera }) => make(pass(scene, camera), camera));

export const afterimage = over((drawn) => afterImage(drawn, uniform(0.8)));
export const bleached = over((drawn) => bleach(drawn, 0.8));
export const aberration = over((drawn) => chromaticAberration(drawn.getTextureNode(), uniform(2)));
export const depthOfField = over((drawn) => dof(drawn, drawn.getViewZNode(), uniform(7), uniform(2), uniform(4)));
export const dots = over((drawn) => dotScreen(drawn, 0.5, 0.4));
export const grain = over((drawn) => film(drawn));
export const smoothEdges = over((drawn) => fxaa(drawn));
export const blurred = over((drawn) => gaussianBlur(drawn, vec2(2), 4));
export const pixelated = passes(({ scene, camera }) => pixelationPass(scene, camera, uniform(6), uniform(0.3), uniform(0.4)));
export const shifted = over((drawn) => rgbShift(drawn, 0.006));
export const brown = over((drawn) => sepia(drawn));
export const morphological = over((drawn) => smaa(drawn));
export const edges = over((drawn) => sobel(drawn));
export const supersampled = passes(({ scene, camera }) => {
  const drawn = ssaaPass(scene, camera);
  drawn.sampleLevel = 2;
  return drawn;
});

/** Ambient occlusion from depth and normals that the scene's pass writes beside the colour. */
export const occlusion = over((drawn, camera) => {
  drawn.setMRT(mrt({ output, normal: normalView }));
  const occluded = ao(drawn.getTextureNode('depth'), drawn.getTextureNode('normal'), camera);
  return drawn.getTextureNode('output').mul(vec4(occluded.getTextureNode().rrr, 1));
});

/** Antialiasing over frames, with velocities. */
export const temporal = over((drawn, camera) => {
  drawn.setMRT(mrt({ output, velocity }));
  return traa(drawn.getTextureNode('output'), drawn.getTextureNode('depth'), drawn.getTextureNode('velocity'), camera);
});
