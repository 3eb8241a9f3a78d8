//! What the device says of itself to which application: the version of Vulkan that it names, and what it leaves
//! out where a program would hide it otherwise, or show wrong pictures by its own doing.

use ash::vk;

use crate::extensions::Offer;
use crate::row::Extension;
use crate::table::ROWS;

/// What an application sees that asks for an engine by name.
struct Profile {
    /// `pEngineName` of VkApplicationInfo.
    engine: &'static str,
    /// The version named, at most, if not the latest.
    version: Option<(u32, u32)>,
    /// Extensions left out.
    hidden: &'static [Extension],
}

/// The profiles. Who has no row sees everything.
const PROFILES: &[Profile] = &[
    // wgpu hides devices that state no version of the conformance suite that they have passed. Devices of 1.1
    // without VK_KHR_driver_properties cannot state one.
    Profile { engine: "wgpu-hal", version: Some((1, 1)), hidden: &["VK_KHR_driver_properties"] },
    // ANGLE renders multisampled to textures of other devices by this: it makes the image anew, with the flag that its
    // maker did not know of, and what it draws is seen by nobody else. WebGL pages of Chromium stay empty.
    Profile { engine: "ANGLE", version: None, hidden: &["VK_EXT_multisampled_render_to_single_sampled"] },
];

/// The version of Vulkan that is implemented.
pub fn implemented() -> u32 {
    let [major, minor, patch] = quadrille::limits::VULKAN_VERSION;
    vk::make_api_version(0, major, minor, patch)
}

/// What applications for `engine` are offered. `QUADRILLE_API_VERSION` overrides the profiles.
pub fn offer(engine: &str) -> Offer {
    with(engine, quadrille::env::api_version())
}

fn with(engine: &str, asked: Option<(u32, u32)>) -> Offer {
    let at_most = |(major, minor)| {
        let patch = vk::api_version_patch(implemented());
        implemented().min(vk::make_api_version(0, major, minor, patch))
    };
    if let Some(version) = asked {
        return Offer { version: at_most(version), hidden: &[], rows: ROWS };
    }
    match PROFILES.iter().find(|profile| profile.engine == engine) {
        Some(Profile { version, hidden, .. }) => {
            Offer { version: version.map_or(implemented(), at_most), hidden, rows: ROWS }
        }
        None => Offer { version: implemented(), hidden: &[], rows: ROWS },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_go_by_the_engine() {
        let minor = |offer: Offer| vk::api_version_minor(offer.version);
        let plain = with("", None);
        assert_eq!((plain.version, plain.hidden), (implemented(), &[][..]));
        let wgpu = with("wgpu-hal", None);
        assert_eq!((minor(wgpu), wgpu.hidden), (1, &["VK_KHR_driver_properties"][..]));
        let angle = with("ANGLE", None);
        assert_eq!(angle.version, implemented());
        assert_eq!(angle.hidden, &["VK_EXT_multisampled_render_to_single_sampled"][..]);
        let asked = with("wgpu-hal", Some((1, 2)));
        assert_eq!((minor(asked), asked.hidden), (2.min(minor(with("", None))), &[][..]));
    }
}
