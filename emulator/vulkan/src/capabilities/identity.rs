//! The identity that the physical device reports: its ids, its type and its name.
//!
//! Chromium and Electron bring a software device, SwiftShader, and accept no other device in its place: ANGLE and Dawn
//! compare the ids and the start of the name. A copy of this library under the name of SwiftShader's library reports
//! that identity; its name and its driver properties say that it is Quadrille. `QUADRILLE_IDENTITY` overrides the file
//! name.
//!
//! Dawn in Chromium prefers its own SwiftShader to every other device of the type CPU. The identity `integrated` has the
//! type of an integrated GPU, which Dawn prefers to SwiftShader; its name says so.

use std::path::Path;

use ash::vk::PhysicalDeviceType;
use once_cell::race::OnceBox;
use quadrille::env;

use crate::interface::guard::log;
use crate::sys::own_file;

/// Ids, type and name of a physical device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `vendorID`.
    pub vendor: u32,
    /// `deviceID`.
    pub device: u32,
    /// `deviceType`.
    pub kind: PhysicalDeviceType,
    /// `deviceName`.
    pub name: &'static str,
    /// `true` if `vkGetDeviceProcAddr` returns commands of all versions. SwiftShader does, and Chromium calls commands
    /// of later versions than it asks for. Spec: only with VK_KHR_maintenance5 must they be null.
    pub commands_of_all_versions: bool,
}

const QUADRILLE: Identity = Identity {
    vendor: 0,
    device: 1,
    kind: PhysicalDeviceType::CPU,
    name: "Quadrille",
    commands_of_all_versions: false,
};
const INTEGRATED: Identity = Identity {
    kind: PhysicalDeviceType::INTEGRATED_GPU,
    name: "Quadrille (as an integrated GPU)",
    ..QUADRILLE
};
/// Vendor 0x1ae0 is Google. The name begins as ANGLE requires.
const SWIFTSHADER: Identity = Identity {
    vendor: 0x1ae0,
    device: 0xc0de,
    kind: PhysicalDeviceType::CPU,
    name: "SwiftShader Device (in its place: Quadrille)",
    commands_of_all_versions: true,
};

/// Name of SwiftShader's library in the folder of a browser.
const SWIFTSHADER_LIBRARY: &str = "libvk_swiftshader.so";

/// Returns the identity of this process.
pub fn identity() -> Identity {
    static IDENTITY: OnceBox<Identity> = OnceBox::new();
    *IDENTITY.get_or_init(|| {
        let identity = chosen(env::IDENTITY.get(), own_file().as_deref());
        if identity == SWIFTSHADER {
            log(&"the device reports the identity of SwiftShader, in whose place this library is");
        }
        if identity == INTEGRATED {
            log(&"the device reports the type of an integrated GPU");
        }
        Box::new(identity)
    })
}

/// The identity for a value of `QUADRILLE_IDENTITY`, and otherwise for the file of this library.
fn chosen(asked: Option<env::Identity>, file: Option<&Path>) -> Identity {
    match asked {
        Some(env::Identity::SwiftShader) => SWIFTSHADER,
        Some(env::Identity::Integrated) => INTEGRATED,
        Some(env::Identity::Quadrille) => QUADRILLE,
        None if file.and_then(Path::file_name).is_some_and(|name| name == SWIFTSHADER_LIBRARY) => SWIFTSHADER,
        None => QUADRILLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_is_that_of_the_place() {
        let browser = Path::new("/usr/lib/chromium/libvk_swiftshader.so");
        let own = Path::new("/usr/lib/libvk_quadrille.so");
        assert_eq!(chosen(None, Some(own)), QUADRILLE);
        assert_eq!(chosen(None, None), QUADRILLE);
        assert_eq!(chosen(None, Some(browser)), SWIFTSHADER);
        assert_eq!(chosen(Some(env::Identity::Quadrille), Some(browser)), QUADRILLE);
        assert_eq!(chosen(Some(env::Identity::SwiftShader), Some(own)), SWIFTSHADER);
        assert_eq!(chosen(Some(env::Identity::Integrated), Some(browser)), INTEGRATED);
        // Only the type and the name differ.
        assert_eq!(Identity { kind: QUADRILLE.kind, name: QUADRILLE.name, ..INTEGRATED }, QUADRILLE);
        // ANGLE compares the start of the name.
        assert!(SWIFTSHADER.name.starts_with("SwiftShader Device") && SWIFTSHADER.name.contains("Quadrille"));
    }

    #[test]
    fn this_test_knows_its_file() {
        let file = own_file().unwrap();
        assert_eq!(file.canonicalize().unwrap(), std::env::current_exe().unwrap().canonicalize().unwrap());
        assert_eq!(identity(), QUADRILLE);
    }
}
