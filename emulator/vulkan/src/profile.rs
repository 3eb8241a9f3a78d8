//! What the device says of itself to which application: the version of Vulkan that it names, and what it leaves
//! out where a program would hide it otherwise.

use ash::vk;

use crate::extensions::Offer;
use crate::row::Extension;
use crate::table::ROWS;

/// What an application sees that asks for an engine by name.
struct Profile {
    /// `pEngineName` of VkApplicationInfo.
    engine: &'static str,
    /// The version named, at most.
    version: (u32, u32),
    /// Extensions left out.
    hidden: &'static [Extension],
}

/// The profiles. Who has no row sees everything.
const PROFILES: &[Profile] = &[
    // wgpu hides devices that state no version of the conformance suite that they have passed. Devices of 1.1
    // without VK_KHR_driver_properties cannot state one.
    Profile { engine: "wgpu-hal", version: (1, 1), hidden: &["VK_KHR_driver_properties"] },
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
        Some(profile) => Offer { version: at_most(profile.version), hidden: profile.hidden, rows: ROWS },
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
        let asked = with("wgpu-hal", Some((1, 2)));
        assert_eq!((minor(asked), asked.hidden), (2.min(minor(with("", None))), &[][..]));
    }
}
