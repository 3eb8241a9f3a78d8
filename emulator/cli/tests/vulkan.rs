//! `quadrille vulkan`: the choice of a driver, and when it builds one.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

use crate::common::Folder;

/// A source tree with the command in its `target/debug`, and a fake cargo that records its arguments.
struct Tree {
    folder: Folder,
    target: PathBuf,
    cargo: PathBuf,
}

impl Tree {
    fn new(name: &str) -> Tree {
        let folder = Folder::new(name);
        let target = PathBuf::from(folder.path("target/debug"));
        fs::create_dir_all(target.join("deps")).unwrap();
        fs::create_dir_all(folder.path("emulator/vulkan")).unwrap();
        folder.write("Cargo.toml", "");
        folder.write("emulator/vulkan/Cargo.toml", "");
        let (from, to) = (env!("CARGO_BIN_EXE_quadrille"), target.join("quadrille"));
        fs::hard_link(from, &to).or_else(|_| fs::copy(from, &to).map(drop)).unwrap();
        let cargo = PathBuf::from(folder.path("cargo"));
        let library = target.join("libvk_quadrille.so");
        let script = format!(
            "#!/bin/sh\necho \"built by $*\" >&2\ntouch '{}' '{}'\n",
            library.display(),
            folder.path("built")
        );
        fs::write(&cargo, script).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        Tree { folder, target, cargo }
    }

    /// Returns true if cargo was started.
    fn has_built(&self) -> bool {
        fs::exists(self.folder.path("built")).unwrap()
    }

    /// The output of `--print-env` on both streams.
    fn print_env(&self) -> (String, String) {
        let out = Command::new(self.target.join("quadrille"))
            .args(["vulkan", "--print-env"])
            .env("CARGO", &self.cargo)
            .env("XDG_CACHE_HOME", self.folder.path("cache"))
            .output()
            .unwrap();
        let [text, said] = [out.stdout, out.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(out.status.success(), "{said}");
        (text, said)
    }
}

/// The library in the printed manifest.
fn library(printed: &str) -> PathBuf {
    let manifest = printed.trim().strip_prefix("VK_DRIVER_FILES=").unwrap();
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(manifest).unwrap()).unwrap();
    json["ICD"]["library_path"].as_str().unwrap().into()
}

#[test]
fn a_driver_beside_the_command_is_taken_as_it_is() {
    let tree = Tree::new("driver_there");
    let driver = tree.target.join("libvk_quadrille.so");
    fs::write(&driver, "").unwrap();
    let (printed, said) = tree.print_env();
    assert_eq!(library(&printed), driver.canonicalize().unwrap());
    assert!(!tree.has_built(), "{said}");
}

#[test]
fn a_driver_in_lib_is_taken_as_it_is() {
    let tree = Tree::new("driver_lib");
    let lib = tree.target.join("../lib");
    fs::create_dir_all(&lib).unwrap();
    fs::write(lib.join("libvk_quadrille.so"), "").unwrap();
    let (printed, said) = tree.print_env();
    assert_eq!(library(&printed), lib.join("libvk_quadrille.so").canonicalize().unwrap());
    assert!(!tree.has_built(), "{said}");
}

#[test]
fn a_driver_that_is_not_there_is_built_and_that_is_said_before() {
    let tree = Tree::new("driver_built");
    let (printed, said) = tree.print_env();
    assert_eq!(library(&printed), tree.target.join("libvk_quadrille.so").canonicalize().unwrap());
    let (note, cargo) =
        (said.find("building it now").unwrap(), said.find("built by build -p quadrille-vulkan").unwrap());
    assert!(note < cargo && !said.contains("--quiet"), "{said}");
}

#[test]
fn the_driver_of_a_package_is_taken() {
    let tree = Tree::new("driver_packaged");
    let lib = tree.target.join(format!("../lib/{}-linux-gnu/quadrille", std::env::consts::ARCH));
    fs::create_dir_all(&lib).unwrap();
    fs::write(lib.join("libvk_quadrille.so"), "").unwrap();
    let (printed, said) = tree.print_env();
    assert_eq!(library(&printed), lib.join("libvk_quadrille.so").canonicalize().unwrap());
    assert!(!tree.has_built(), "{said}");
    // A manifest beside the driver is that of the package.
    fs::write(lib.join("quadrille_icd.json"), r#"{ "ICD": { "library_path": "./libvk_quadrille.so" } }"#)
        .unwrap();
    let (printed, _) = tree.print_env();
    let manifest = lib.join("quadrille_icd.json").canonicalize().unwrap();
    assert_eq!(printed.trim(), format!("VK_DRIVER_FILES={}", manifest.display()));
}

/// The Vulkan loader takes VK_DRIVER_FILES for names with colons between them.
#[test]
fn a_manifest_has_one_name_in_a_list() {
    let tree = Tree::new("driver_list");
    fs::write(tree.target.join("libvk_quadrille.so"), "").unwrap();
    let print = |cache: &str, temporary: &str| {
        let out = Command::new(tree.target.join("quadrille"))
            .args(["vulkan", "--print-env"])
            .env("XDG_CACHE_HOME", tree.folder.path(cache))
            .env("TMPDIR", tree.folder.path(temporary))
            .output()
            .unwrap();
        (out.status.success(), text(out.stdout), text(out.stderr))
    };
    let (_, printed, said) = print("a:b", "c d");
    let user = fs::metadata(tree.folder.path("c d")).unwrap().uid();
    let private = tree.folder.path(&format!("c d/quadrille-{user}"));
    let start = format!("VK_DRIVER_FILES={private}/");
    assert!(printed.starts_with(&start), "{printed}{said}");
    assert_eq!(fs::metadata(&private).unwrap().mode() & 0o777, 0o700);
    assert_eq!(library(&printed), tree.target.join("libvk_quadrille.so").canonicalize().unwrap());
    // Other users could exchange the files of these folders.
    fs::set_permissions(&private, fs::Permissions::from_mode(0o777)).unwrap();
    let (done, _, said) = print("a:b", "c d");
    assert!(!done && said.contains("another user owns its folder"), "{said}");
    fs::rename(&private, tree.folder.path("elsewhere")).unwrap();
    fs::set_permissions(tree.folder.path("elsewhere"), fs::Permissions::from_mode(0o700)).unwrap();
    symlink(tree.folder.path("elsewhere"), &private).unwrap();
    let (done, _, said) = print("a:b", "c d");
    assert!(!done && said.contains("another user owns its folder"), "{said}");
    let (done, _, said) = print("a:b", "c:d");
    assert!(!done && said.contains("its value is a list"), "{said}");
}

#[test]
fn a_driver_is_registered_for_the_user_and_removed() {
    let folder = Folder::new("driver_registered");
    let [first, second] = ["first", "second"].map(|name| folder.write(&format!("{name}.so"), "\x7fELF"));
    let manifest = folder.path("data/vulkan/icd.d/quadrille_icd.json");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        let out =
            command.arg("vulkan").args(args).env("XDG_DATA_HOME", folder.path("data")).output().unwrap();
        (out.status.success(), format!("{}{}", text(out.stdout), text(out.stderr)))
    };
    // A second registration takes the place of the first.
    for library in [&first, &second] {
        let (done, said) = run(&["--install", "--driver", library]);
        assert!(done && said.contains(&manifest) && said.contains(library.as_str()), "{said}");
        let json: serde_json::Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
        let named = json["ICD"]["library_path"].as_str().unwrap();
        assert_eq!(PathBuf::from(named), fs::canonicalize(library).unwrap());
    }
    assert_eq!(fs::read_dir(folder.path("data/vulkan/icd.d")).unwrap().count(), 1);
    assert!(run(&["--uninstall"]).0);
    assert!(!fs::exists(&manifest).unwrap());
    let (done, said) = run(&["--uninstall"]);
    assert!(!done && said.contains("is not installed"), "{said}");
    // A missing library changes nothing, nor does another file.
    assert!(!run(&["--install", "--driver", &folder.path("none.so")]).0);
    let (done, said) = run(&["--install", "--driver", &folder.write("notes.txt", "hello")]);
    assert!(!done && said.contains("notes.txt is not a library"), "{said}");
    assert!(!fs::exists(&manifest).unwrap());
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}
