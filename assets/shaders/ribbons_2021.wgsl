// Ribbons on Truchet tiles, in WGSL as it was drafted in January 2021: inputs and outputs are variables, `%` has the
// sign of its divisor, and a function writes through a pointer that is not marked where it is called.

[[block]] struct Inputs {
  [[offset(0)]] resolution : vec2<f32>;
  [[offset(8)]] time : f32;
  [[offset(12)]] frame : u32;
  [[offset(16)]] mouse : vec4<f32>;
};

[[group(0), binding(0)]] var<uniform> inputs : Inputs;
[[builtin(frag_coord)]] var<in> coord : vec4<f32>;
[[location(0)]] var<out> color : vec4<f32>;

const layers : u32 = 4u;

// A number from 0 to 1 for a cell.
fn hash(cell : vec2<f32>, seed : u32) -> f32 {
  var h : u32 = bitcast<u32>(i32(cell.x)) * 374761393u + bitcast<u32>(i32(cell.y)) * 668265263u + seed * 2246822519u;
  h = (h ^ h >> 13u) * 1274126177u;
  return f32((h ^ h >> 16u) & 65535u) / 65535.0;
}

// Distance to the nearer of the two arcs of a tile; how far along the ribbon goes through the pointer.
fn arcs(p : vec2<f32>, turned : bool, along : ptr<function, f32>) -> f32 {
  const q : vec2<f32> = vec2<f32>(select(1.0 - p.x, p.x, turned), p.y);
  const far : bool = q.x + q.y > 1.0;
  const r : vec2<f32> = select(vec2<f32>(1.0, 1.0) - q, q, vec2<bool>(far, far));
  along = atan2(r.y, r.x) / 1.5707963;
  return abs(length(r) - 0.5);
}

fn palette(t : f32) -> vec3<f32> {
  return vec3<f32>(0.56, 0.44, 0.5) + vec3<f32>(0.44, 0.36, 0.42) * vec3<f32>(
    cos(6.2831853 * (t + 0.02)), cos(6.2831853 * (t + 0.22)), cos(6.2831853 * (t + 0.48)));
}

[[stage(fragment)]]
fn main() -> void {
  const at : vec2<f32> = coord.xy / inputs.resolution.y;
  var sum : vec3<f32> = vec3<f32>(0.055, 0.06, 0.1) * (1.4 - length(at - vec2<f32>(0.9, 0.5)));
  for (var layer : u32 = 0u; layer < layers; layer = layer + 1u) {
    const depth : f32 = f32(layers - layer);
    const scale : f32 = 2.2 + 1.35 * depth;
    const turn : f32 = 0.35 * depth + 0.12;
    const x : vec2<f32> = vec2<f32>(cos(turn), sin(turn));
    const y : vec2<f32> = vec2<f32>(-x.y, x.x);
    const p : vec2<f32> = (x * at.x + y * at.y) * scale + vec2<f32>(0.3, 0.17) * inputs.time / depth;
    const cell : vec2<f32> = floor(p);
    const turned : bool = hash(cell, layer) > 0.5;
    var along : f32;
    const distance_to : f32 = arcs(p % vec2<f32>(1.0, 1.0), turned, along);
    const width : f32 = 0.16 - 0.018 * depth;
    const edge : f32 = 1.5 * scale / inputs.resolution.y;
    const covered : f32 = 1.0 - smoothStep(width - edge, width + edge, distance_to);
    const shadow : f32 = 1.0 - smoothStep(width, width + 0.2, distance_to);
    const round : f32 = sqrt(max(0.0, 1.0 - distance_to * distance_to / (width * width)));
    // Stripes along the ribbon, a groove beside them.
    var shade : f32 = 0.35 + 0.65 * round;
    switch (i32(floor(along * 8.0)) % 4) {
      case 0: { shade = shade * 0.82; fallthrough; }
      case 2: { shade = shade * 0.94; }
      default: { }
    }
    const tint : vec3<f32> = palette(0.19 * depth + 0.06 * (cell.x - cell.y) / scale + 0.1);
    const light : vec3<f32> = tint * shade + vec3<f32>(0.28, 0.28, 0.28) * pow(round, 24.0);
    const fog : f32 = 1.0 - 0.16 * (depth - 1.0);
    sum = mix(sum, sum * 0.35, vec3<f32>(shadow, shadow, shadow));
    sum = mix(sum, light * fog, vec3<f32>(covered, covered, covered));
  }
  color = vec4<f32>(sum, 1.0);
}
