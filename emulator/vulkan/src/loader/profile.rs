//! Profiles: the version and extensions reported to an application, by its engine. A profile works around engines that
//! would otherwise hide the device or draw wrong pictures.

use ash::vk;

use crate::device::instance::implemented;
use crate::registry::extensions::Offer;
use crate::registry::row::Extension;
use crate::table::ROWS;

/// The version and extensions for applications of one engine.
struct Profile {
    /// `pEngineName` of VkApplicationInfo.
    engine: &'static str,
    /// Greatest reported version; `None` is the latest.
    version: Option<(u32, u32)>,
    /// Hidden extensions.
    hidden: &'static [Extension],
}

/// The profiles. Applications of other engines see everything.
const PROFILES: &[Profile] = &[
    // wgpu hides devices that report no version of a passed conformance suite. Devices of 1.1 without
    // VK_KHR_driver_properties cannot report one.
    Profile { engine: "wgpu-hal", version: Some((1, 1)), hidden: &["VK_KHR_driver_properties"] },
    // SDL's GPU API hides devices that report no version of a passed conformance suite, if they can report one.
    Profile { engine: "SDLGPU", version: None, hidden: &["VK_KHR_driver_properties"] },
    // ANGLE uses this extension to render multisampled to textures of other devices. It recreates the image with a flag
    // that the original lacks, so the other device never sees the result: WebGL pages of Chromium stay empty.
    Profile { engine: "ANGLE", version: None, hidden: &["VK_EXT_multisampled_render_to_single_sampled"] },
    // ffmpeg makes its queues with this extension if it can, and its filter `libplacebo` then fails at once: libplacebo
    // knows the flag of such queues since interface 365 only, which releases until 7.360 lack.
    Profile { engine: "libavutil", version: None, hidden: &["VK_KHR_internally_synchronized_queues"] },
];

/// Returns the version and extensions for applications of `engine`. `QUADRILLE_API_VERSION` overrides the profiles.
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
        let sdl = with("SDLGPU", None);
        assert_eq!((sdl.version, sdl.hidden), (implemented(), &["VK_KHR_driver_properties"][..]));
        let angle = with("ANGLE", None);
        assert_eq!(angle.version, implemented());
        assert_eq!(angle.hidden, &["VK_EXT_multisampled_render_to_single_sampled"][..]);
        let ffmpeg = with("libavutil", None);
        assert_eq!(ffmpeg.version, implemented());
        assert_eq!(ffmpeg.hidden, &["VK_KHR_internally_synchronized_queues"][..]);
        let asked = with("wgpu-hal", Some((1, 2)));
        assert_eq!((minor(asked), asked.hidden), (2.min(minor(with("", None))), &[][..]));
    }
}
