// Scenes of deck.gl. Each function returns a function that draws the frame of a time in seconds.

const library = new Promise((done, failed) => {
  const script = document.createElement('script');
  Object.assign(script, { src: '/modules/deck.gl/dist.min.js', onload: () => done(window.deck), onerror: failed });
  document.head.append(script);
});

async function deck(canvas, layers) {
  const { Deck, MapView } = await library;
  const view = { longitude: 0, latitude: 0, zoom: 11, pitch: 50, bearing: 20 };
  const drawn = () => new Promise((done) => { instance.setProps({ onAfterRender: done }); });
  const instance = new Deck({ canvas, width: 960, height: 540, views: new MapView(), viewState: view, layers: [], _animate: false });
  await new Promise((done) => instance.setProps({ onLoad: done }));
  return async (seconds) => {
    const done = drawn();
    instance.setProps({ viewState: { ...view, bearing: 20 + 20 * seconds }, layers: await layers(seconds) });
    instance.redraw('a frame');
    await done;
  };
}

const places = (count) => Array.from({ length: count }, () => [(Math.random() - 0.5) * 0.4, (Math.random() - 0.5) * 0.3]);

export function columns(canvas) {
  const data = places(1500);
  return deck(canvas, async () => {
    const { ColumnLayer } = await library;
    return [new ColumnLayer({
      id: 'columns', data, radius: 300, extruded: true, getPosition: (d) => d, getElevation: (_, { index }) => (index % 37) * 120,
      getFillColor: (_, { index }) => [index % 255, 120, 255 - (index % 255)],
    })];
  });
}

export function arcs(canvas) {
  const data = places(2000);
  return deck(canvas, async (seconds) => {
    const { ArcLayer, ScatterplotLayer } = await library;
    return [
      new ScatterplotLayer({ id: 'points', data, getPosition: (d) => d, getRadius: 150 + 10 * seconds, getFillColor: [255, 200, 40], stroked: true }),
      new ArcLayer({
        id: 'arcs', data: data.slice(0, 400), getSourcePosition: (d) => d, getTargetPosition: ([x, y]) => [-x, y], getWidth: 3,
        getSourceColor: [40, 120, 255], getTargetColor: [255, 40, 40],
      }),
    ];
  });
}

/** A scene of one layer, whose properties `make` gives for a time. */
const layer = (kind, make) => (canvas) => deck(canvas, async (seconds) => [new (await library)[kind]({ id: kind, ...make(seconds) })]);
const near = places(1500);
const colour = (i) => [(i * 37) % 255, 120, 255 - ((i * 17) % 255)];

export const paths = layer('PathLayer', () => ({
  data: near.slice(0, 80), getPath: ([x, y], { index }) => Array.from({ length: 30 }, (_, k) => [x + 0.02 * Math.cos(k / 4 + index), y + 0.02 * Math.sin(k / 3)]),
  getColor: (_, { index }) => colour(index), getWidth: 120, jointRounded: true, capRounded: true,
}));
export const polygons = layer('PolygonLayer', () => ({
  data: near.slice(0, 120), getPolygon: ([x, y]) => [0, 1, 2, 3, 4].map((k) => [x + 0.008 * Math.cos(k * 1.2566), y + 0.008 * Math.sin(k * 1.2566)]),
  extruded: true, getElevation: (_, { index }) => 300 + (index % 11) * 300, getFillColor: (_, { index }) => colour(index), wireframe: true, getLineColor: [255, 255, 255],
}));
export const cells = layer('GridCellLayer', () => ({
  data: near.slice(0, 600), getPosition: (d) => d, cellSize: 500, extruded: true, getElevation: (_, { index }) => (index % 23) * 80, getFillColor: (_, { index }) => colour(index),
}));
export const lines = layer('LineLayer', (seconds) => ({
  data: near.slice(0, 800), getSourcePosition: (d) => d, getTargetPosition: ([x, y]) => [x + 0.02 * Math.cos(seconds), y + 0.02], getColor: (_, { index }) => colour(index), getWidth: 4,
}));
export const cloud = layer('PointCloudLayer', () => ({
  data: near, getPosition: ([x, y], { index }) => [x, y, (index % 50) * 60], getNormal: [0, 0.5, 1], getColor: (_, { index }) => colour(index), pointSize: 6,
}));
export const heat = layer('HeatmapLayer', () => ({ data: near, getPosition: (d) => d, getWeight: (_, { index }) => index % 7, radiusPixels: 40 }));
export const hexagons = layer('HexagonLayer', () => ({ data: near, getPosition: (d) => d, radius: 700, extruded: true, elevationScale: 40, gpuAggregation: true }));
export const words = layer('TextLayer', () => ({
  data: near.slice(0, 150), getPosition: (d) => d, getText: (_, { index }) => `place ${index}`, getSize: 18, getColor: (_, { index }) => colour(index), background: true, getBackgroundColor: [20, 20, 40],
}));
