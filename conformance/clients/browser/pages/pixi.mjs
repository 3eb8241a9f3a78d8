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
