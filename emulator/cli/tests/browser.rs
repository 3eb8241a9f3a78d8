//! Installing the driver instead of a browser's software GPU.

use std::fs;

use crate::common::{Folder, bad, good};

const LIBRARY: &str = "chrome/libvk_swiftshader.so";
const BACKUP: &str = "chrome/libvk_swiftshader.so.before-quadrille";

#[test]
fn the_driver_takes_the_place_and_gives_it_back() {
    let folder = Folder::new("browser");
    let library = folder.write(LIBRARY, "swiftshader");
    let program = folder.write("chrome/chrome", "");
    let (first, second) =
        (folder.write("first.so", "\x7fELF first"), folder.write("second.so", "\x7fELF second"));
    let (chrome, backup) = (folder.path("chrome"), folder.path(BACKUP));

    let said = good(&["browser", "install", &chrome, "--driver", &first]);
    assert!(said.contains(&library) && said.contains("before-quadrille"), "{said}");
    assert_eq!(fs::read_to_string(&library).unwrap(), "\x7fELF first");
    assert_eq!(fs::read_to_string(&backup).unwrap(), "swiftshader");
    // A second installation replaces the driver, not the backup. The program in the folder stands for the folder.
    good(&["browser", "install", &program, "--driver", &second]);
    assert_eq!(fs::read_to_string(&library).unwrap(), "\x7fELF second");
    assert_eq!(fs::read_to_string(&backup).unwrap(), "swiftshader");

    good(&["browser", "uninstall", &chrome]);
    assert_eq!(fs::read_to_string(&library).unwrap(), "swiftshader");
    assert_eq!(fs::read_dir(&chrome).unwrap().count(), 2);
    assert!(bad(&["browser", "uninstall", &chrome]).contains("is not installed"));
}

#[test]
fn other_folders_are_refused() {
    let folder = Folder::new("no-browser");
    folder.write("notes.txt", "");
    let text = bad(&["browser", "install", &folder.path("")]);
    assert!(
        text.contains("there is no libvk_swiftshader.so") && text.contains("/usr/lib/chromium"),
        "{text}"
    );
    assert!(bad(&["browser", "install", &folder.path("nowhere")]).contains("nowhere"));
    // The driver is checked before anything changes.
    let library = folder.write(LIBRARY, "swiftshader");
    bad(&["browser", "install", &folder.path("chrome"), "--driver", &folder.path("none.so")]);
    assert_eq!(fs::read_to_string(library).unwrap(), "swiftshader");
    assert_eq!(fs::read_dir(folder.path("chrome")).unwrap().count(), 1);
}
