//! Embree 4, the ray tracer to compare with, where a machine has its library.
//!
//! Owns the calls of its C interface. Names and values are those of `embree4/rtcore.h`.

#![expect(unsafe_code, reason = "a library in C")]

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use libloading::Library;
use quadrille_rays::{Point, Ray};

type Object = *mut c_void;

const GEOMETRY_TYPE_TRIANGLE: i32 = 0;
const BUFFER_TYPE_INDEX: i32 = 0;
const BUFFER_TYPE_VERTEX: i32 = 1;
const FORMAT_UINT3: i32 = 0x5003;
const FORMAT_FLOAT3: i32 = 0x9003;
const INVALID_ID: u32 = u32::MAX;

/// Qualities of a build, by the names of the rows.
pub const QUALITIES: [(&str, i32); 3] = [("embree_low", 0), ("embree_medium", 1), ("embree_high", 2)];

/// `RTCRayHit`, with room for larger hits of other versions.
#[repr(C, align(16))]
struct RayHit {
    origin: [f32; 3],
    near: f32,
    direction: [f32; 3],
    time: f32,
    far: f32,
    mask: u32,
    id: u32,
    flags: u32,
    normal: [f32; 3],
    uv: [f32; 2],
    primitive: u32,
    geometry: u32,
    instances: [u32; 9],
}

impl RayHit {
    fn new(ray: &Ray) -> Self {
        RayHit {
            origin: ray.origin,
            near: ray.tmin,
            direction: ray.direction,
            time: 0.0,
            far: ray.tmax,
            mask: u32::MAX,
            id: 0,
            flags: 0,
            normal: [0.0; 3],
            uv: [0.0; 2],
            primitive: INVALID_ID,
            geometry: INVALID_ID,
            instances: [INVALID_ID; 9],
        }
    }
}

/// The functions, and a device of one thread.
pub struct Embree {
    device: Object,
    new_scene: unsafe extern "C" fn(Object) -> Object,
    release_scene: unsafe extern "C" fn(Object),
    set_quality: unsafe extern "C" fn(Object, i32),
    new_geometry: unsafe extern "C" fn(Object, i32) -> Object,
    release_geometry: unsafe extern "C" fn(Object),
    new_buffer: unsafe extern "C" fn(Object, i32, u32, i32, usize, usize) -> *mut c_void,
    commit_geometry: unsafe extern "C" fn(Object),
    attach_geometry: unsafe extern "C" fn(Object, Object) -> u32,
    commit_scene: unsafe extern "C" fn(Object),
    intersect: unsafe extern "C" fn(Object, *mut RayHit, *mut c_void),
    occluded: unsafe extern "C" fn(Object, *mut RayHit, *mut c_void),
    // Last, since the functions are in it.
    _library: Library,
}

/// A built scene.
pub struct Scene<'a> {
    embree: &'a Embree,
    scene: Object,
}

impl Embree {
    /// Loads the library; `None` if the machine has none.
    pub fn load() -> Option<Self> {
        // SAFETY: initialization of the library has no requirements.
        let library = unsafe { Library::new("libembree4.so.4") }.ok()?;
        macro_rules! get {
            ($name:literal) => {
                // SAFETY: `embree4/rtcore.h` declares the function with the type of the member that it initializes.
                *unsafe { library.get($name) }.ok()?
            };
        }
        let new_device: unsafe extern "C" fn(*const c_char) -> Object = get!(b"rtcNewDevice");
        let one_thread: &CStr = c"threads=1";
        // SAFETY: the text ends with a null byte.
        let device = unsafe { new_device(one_thread.as_ptr()) };
        (!device.is_null()).then_some(())?;
        Some(Embree {
            device,
            new_scene: get!(b"rtcNewScene"),
            release_scene: get!(b"rtcReleaseScene"),
            set_quality: get!(b"rtcSetSceneBuildQuality"),
            new_geometry: get!(b"rtcNewGeometry"),
            release_geometry: get!(b"rtcReleaseGeometry"),
            new_buffer: get!(b"rtcSetNewGeometryBuffer"),
            commit_geometry: get!(b"rtcCommitGeometry"),
            attach_geometry: get!(b"rtcAttachGeometry"),
            commit_scene: get!(b"rtcCommitScene"),
            intersect: get!(b"rtcIntersect1"),
            occluded: get!(b"rtcOccluded1"),
            _library: library,
        })
    }

    /// Builds a scene of triangles, three positions each.
    pub fn build(&self, positions: &[Point], quality: i32) -> Scene<'_> {
        let indices: Vec<u32> = (0..positions.len() as u32).collect();
        // SAFETY: the device lives as long as `self`; each buffer has the size that it is created with, and is filled
        // before the geometry is committed.
        unsafe {
            let scene = (self.new_scene)(self.device);
            (self.set_quality)(scene, quality);
            let geometry = (self.new_geometry)(self.device, GEOMETRY_TYPE_TRIANGLE);
            let count = positions.len();
            let vertices = (self.new_buffer)(geometry, BUFFER_TYPE_VERTEX, 0, FORMAT_FLOAT3, 12, count);
            assert!(!vertices.is_null(), "no memory for vertices");
            ptr::copy_nonoverlapping(positions.as_ptr(), vertices.cast(), count);
            let triangles = (self.new_buffer)(geometry, BUFFER_TYPE_INDEX, 0, FORMAT_UINT3, 12, count / 3);
            assert!(!triangles.is_null(), "no memory for indices");
            ptr::copy_nonoverlapping(indices.as_ptr(), triangles.cast(), count / 3 * 3);
            (self.commit_geometry)(geometry);
            (self.attach_geometry)(scene, geometry);
            (self.release_geometry)(geometry);
            (self.commit_scene)(scene);
            Scene { embree: self, scene }
        }
    }
}

impl Scene<'_> {
    /// Distance of the closest hit.
    pub fn closest(&self, ray: &Ray) -> Option<f32> {
        let mut hit = RayHit::new(ray);
        // SAFETY: the scene is committed, and the structure is at least as large as `RTCRayHit`.
        unsafe { (self.embree.intersect)(self.scene, &raw mut hit, ptr::null_mut()) };
        (hit.geometry != INVALID_ID).then_some(hit.far)
    }

    /// True if there is a hit.
    pub fn any(&self, ray: &Ray) -> bool {
        let mut hit = RayHit::new(ray);
        // SAFETY: the scene is committed, and the structure begins with an `RTCRay`.
        unsafe { (self.embree.occluded)(self.scene, &raw mut hit, ptr::null_mut()) };
        hit.far == f32::NEG_INFINITY
    }
}

impl Drop for Scene<'_> {
    fn drop(&mut self) {
        // SAFETY: this is the only reference to the scene.
        unsafe { (self.embree.release_scene)(self.scene) };
    }
}
