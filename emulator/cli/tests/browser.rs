//! Installing the driver instead of a browser's software GPU.

use std::fs;

use crate::common::{Folder, bad, good};

const LIBRARY: &str = "chrome/libvk_swiftshader.so";
const BACKUP: &str = "chrome/libvk_swiftshader.so.before-quadrille";
/// Drivers in miniature: they are known by the name of one of their variables.
const FIRST: &str = "\x7fELF first QUADRILLE_TRACE";
const SECOND: &str = "\x7fELF second QUADRILLE_TRACE";

#[test]
fn the_driver_takes_the_place_and_gives_it_back() {
    let folder = Folder::new("browser");
    let library = folder.write(LIBRARY, "swiftshader");
    let program = folder.write("chrome/chrome", "");
    let (first, second) = (folder.write("first.so", FIRST), folder.write("second.so", SECOND));
    let (chrome, backup) = (folder.path("chrome"), folder.path(BACKUP));

    let said = good(&["browser", "install", &chrome, "--driver", &first]);
    assert!(said.contains(&library) && said.contains("before-quadrille"), "{said}");
    assert_eq!(fs::read_to_string(&library).unwrap(), FIRST);
    assert_eq!(fs::read_to_string(&backup).unwrap(), "swiftshader");
    // A second installation replaces the driver, not the backup. The program in the folder stands for the folder.
    good(&["browser", "install", &program, "--driver", &second]);
    assert_eq!(fs::read_to_string(&library).unwrap(), SECOND);
    assert_eq!(fs::read_to_string(&backup).unwrap(), "swiftshader");

    good(&["browser", "uninstall", &chrome]);
    assert_eq!(fs::read_to_string(&library).unwrap(), "swiftshader");
    assert_eq!(fs::read_dir(&chrome).unwrap().count(), 2);
    assert!(bad(&["browser", "uninstall", &chrome]).contains("is not installed"));
}

/// An update writes a new original over the driver: that one is kept and given back, not the one before.
#[test]
fn the_original_of_an_updated_browser_is_kept() {
    let folder = Folder::new("browser-update");
    let library = folder.write(LIBRARY, "swiftshader");
    let driver = folder.write("driver.so", FIRST);
    let (chrome, backup) = (folder.path("chrome"), folder.path(BACKUP));
    let install: [&str; 5] = ["browser", "install", &chrome, "--driver", &driver];
    let update = |text: &str| {
        fs::remove_file(&library).unwrap();
        folder.write(LIBRARY, text);
    };

    good(&install);
    update("second swiftshader");
    good(&install);
    assert_eq!(fs::read_to_string(&backup).unwrap(), "second swiftshader");
    good(&["browser", "uninstall", &chrome]);
    assert_eq!(fs::read_to_string(&library).unwrap(), "second swiftshader");

    good(&install);
    update("third swiftshader");
    good(&["browser", "uninstall", &chrome]);
    assert_eq!(fs::read_to_string(&library).unwrap(), "third swiftshader");
    assert_eq!(fs::read_dir(&chrome).unwrap().count(), 1);

    // Without the original there is nothing to give back, so the driver is not taken for it.
    good(&install);
    fs::remove_file(&backup).unwrap();
    assert!(bad(&install).contains("is Quadrille, and there is no"));
    assert!(!fs::exists(&backup).unwrap());
}

/// An interrupted installation left another name of the original, and no copy goes into it.
#[cfg(unix)]
#[test]
fn an_interrupted_installation_is_repeated() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("browser-again");
    let library = folder.write(LIBRARY, "swiftshader");
    let driver = folder.write("driver.so", FIRST);
    fs::set_permissions(&library, fs::Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(&driver, fs::Permissions::from_mode(0o600)).unwrap();
    for name in [format!("{LIBRARY}.new"), format!("{BACKUP}.new"), BACKUP.to_owned()] {
        fs::hard_link(&library, folder.path(&name)).unwrap();
    }
    good(&["browser", "install", &folder.path("chrome"), "--driver", &driver]);
    assert_eq!(fs::read_to_string(&library).unwrap(), FIRST);
    assert_eq!(fs::read_to_string(folder.path(BACKUP)).unwrap(), "swiftshader");
    assert_eq!(fs::read_dir(folder.path("chrome")).unwrap().count(), 2);
    // Other users load the driver as they load the original.
    assert_eq!(fs::metadata(&library).unwrap().permissions().mode() & 0o777, 0o644);
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
    // Another library would not be known again: the next command would keep it as the original.
    let other = folder.write("other.so", "\x7fELF other");
    let text = bad(&["browser", "install", &folder.path("chrome"), "--driver", &other]);
    assert!(text.contains("other.so is not the driver of Quadrille"), "{text}");
    assert_eq!(fs::read_to_string(library).unwrap(), "swiftshader");
    assert_eq!(fs::read_dir(folder.path("chrome")).unwrap().count(), 1);
}
