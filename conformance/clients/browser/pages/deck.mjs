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
