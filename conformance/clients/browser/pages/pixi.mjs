// Scenes of Pixi on WebGL 2 and WebGPU. Each function returns a function that draws the frame of a time in seconds.

/** The whole library is a classic script. */
const library = new Promise((done, failed) => {
  const script = document.createElement('script');
  Object.assign(script, { src: '/modules/pixi.js/dist/pixi.js', onload: () => done(window.PIXI), onerror: failed });
  document.head.append(script);
});

async function app(canvas, preference) {
  const PIXI = await library;
  const app = new PIXI.Application();
  await app.init({ canvas, width: 960, height: 540, preference, antialias: true, autoStart: false, background: 0x102030 });
  return { PIXI, app };
}

async function sprites(canvas, preference) {
  const { PIXI, app: { stage, renderer } } = await app(canvas, preference);
  const texture = renderer.generateTexture(new PIXI.Graphics().star(24, 24, 5, 24).fill(0xffffff));
  const all = Array.from({ length: 3000 }, () => {
    const sprite = new PIXI.Sprite(texture);
    sprite.anchor.set(0.5);
    sprite.tint = Math.floor(Math.random() * 0xffffff);
    sprite.alpha = 0.7;
    sprite.position.set(Math.random() * 960, Math.random() * 540);
    stage.addChild(sprite);
    return sprite;
  });
  return async (seconds) => {
    all.forEach((sprite, i) => { sprite.rotation = seconds + i; });
    renderer.render(stage);
  };
}

export const spritesWebgl = (canvas) => sprites(canvas, 'webgl');
export const spritesWebgpu = (canvas) => sprites(canvas, 'webgpu');

/** Shapes under a blur, a colour matrix and a mask. */
export async function filters(canvas) {
  const { PIXI, app: { stage, renderer } } = await app(canvas, 'webgl');
  const group = new PIXI.Container();
  for (let i = 0; i < 60; i++) {
    group.addChild(new PIXI.Graphics().roundRect(Math.random() * 900, Math.random() * 480, 80, 60, 12).fill(Math.floor(Math.random() * 0xffffff)).stroke({ width: 3, color: 0xffffff }));
  }
  const colour = new PIXI.ColorMatrixFilter();
  colour.hue(90, false);
  const blur = new PIXI.BlurFilter({ strength: 6 });
  group.filters = [blur, colour];
  group.mask = new PIXI.Graphics().circle(480, 270, 250).fill(0xffffff);
  stage.addChild(group, group.mask);
  return async (seconds) => {
    blur.strength = 4 + 2 * Math.sin(seconds);
    renderer.render(stage);
  };
}

/** Text, with shadows and gradients. */
export async function text(canvas) {
  const { PIXI, app: { stage, renderer } } = await app(canvas, 'webgl');
  const lines = Array.from({ length: 24 }, (_, i) => {
    const line = new PIXI.Text({ text: `line ${i} of 24`, style: { fontSize: 14 + i, fill: Math.floor(Math.random() * 0xffffff), stroke: { color: 0xffffff, width: i % 4 }, dropShadow: i % 2 === 0 } });
    line.position.set((i % 3) * 320 + 20, Math.floor(i / 3) * 64 + 10);
    stage.addChild(line);
    return line;
  });
  return async (seconds) => {
    lines.forEach((line, i) => { line.skew.x = 0.2 * Math.sin(seconds + i); });
    renderer.render(stage);
  };
}

/** Sprites in each blend mode, over a gradient. */
async function blends(canvas, preference) {
  const { PIXI, app: { stage, renderer } } = await app(canvas, preference);
  for (let i = 0; i < 16; i++) stage.addChild(new PIXI.Graphics().rect(i * 60, 0, 60, 540).fill((i * 16) << 16 | (255 - i * 16) << 8 | 0x40));
  const texture = renderer.generateTexture(new PIXI.Graphics().circle(70, 70, 70).fill(0xff8040));
  const all = ['normal', 'add', 'multiply', 'screen', 'erase', 'min', 'max'].map((mode, i) => {
    const sprite = new PIXI.Sprite(texture);
    Object.assign(sprite, { blendMode: mode, alpha: 0.8 });
    sprite.position.set(30 + i * 130, 200);
    stage.addChild(sprite);
    return sprite;
  });
  return async (seconds) => {
    all.forEach((sprite, i) => { sprite.y = 200 + 120 * Math.sin(seconds + i); });
    renderer.render(stage);
  };
}
export const blendsWebgl = (canvas) => blends(canvas, 'webgl');
export const blendsWebgpu = (canvas) => blends(canvas, 'webgpu');

/** A mesh that waves under a tiled texture. */
export async function mesh(canvas) {
  const { PIXI, app: { stage, renderer } } = await app(canvas, 'webgl');
  const texture = renderer.generateTexture(new PIXI.Graphics().rect(0, 0, 64, 64).fill(0x204080).circle(32, 32, 24).fill(0xffc040));
  const tiles = new PIXI.TilingSprite({ texture, width: 960, height: 540 });
  const plane = new PIXI.MeshPlane({ texture, verticesX: 24, verticesY: 16 });
  const rope = new PIXI.MeshRope({ texture, points: Array.from({ length: 30 }, (_, i) => new PIXI.Point(i * 30 + 30, 430)) });
  plane.scale.set(5);
  plane.position.set(300, 60);
  stage.addChild(tiles, plane, rope);
  return async (seconds) => {
    tiles.tilePosition.x = seconds * 40;
    tiles.tileScale.set(0.7);
    const { data } = plane.geometry.getAttribute('aPosition').buffer;
    for (let i = 0; i < data.length; i += 2) data[i + 1] = Math.floor(i / 2 / 24) * 64 / 15 + 4 * Math.sin(seconds * 3 + data[i] / 9);
    plane.geometry.getAttribute('aPosition').buffer.update();
    renderer.render(stage);
  };
}

/** Displacement and noise over sprites. */
export async function displaced(canvas) {
  const { PIXI, app: { stage, renderer } } = await app(canvas, 'webgl');
  const group = new PIXI.Container();
  for (let i = 0; i < 80; i++) group.addChild(new PIXI.Graphics().rect(Math.random() * 900, Math.random() * 500, 50, 50).fill(Math.floor(Math.random() * 0xffffff)));
  const wave = new PIXI.Sprite(renderer.generateTexture(new PIXI.Graphics().rect(0, 0, 128, 128).fill(0x808080).circle(64, 64, 50).fill(0xff2080)));
  wave.scale.set(4);
  group.filters = [new PIXI.DisplacementFilter({ sprite: wave, scale: 40 }), new PIXI.NoiseFilter({ noise: 0.2, seed: 0.5 })];
  stage.addChild(wave, group);
  return async (seconds) => {
    wave.x = 100 * seconds;
    renderer.render(stage);
  };
}

/** 20,000 particles in one container. */
export async function particles(canvas) {
  const { PIXI, app: { stage, renderer } } = await app(canvas, 'webgl');
  const texture = renderer.generateTexture(new PIXI.Graphics().circle(4, 4, 4).fill(0xffffff));
  const container = new PIXI.ParticleContainer({ dynamicProperties: { position: true } });
  const all = Array.from({ length: 20000 }, () => new PIXI.Particle({ texture, tint: Math.floor(Math.random() * 0xffffff), alpha: 0.6 }));
  all.forEach((particle) => container.addParticle(particle));
  stage.addChild(container);
  return async (seconds) => {
    all.forEach((particle, i) => { [particle.x, particle.y] = [480 + 450 * Math.sin(i * 1.7 + seconds), 270 + 250 * Math.cos(i * 2.3 + seconds * 0.7)]; });
    container.update();
    renderer.render(stage);
  };
}
