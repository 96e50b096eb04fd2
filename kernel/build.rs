//! Compiles the parser's core with the walk over its trees, as one unit of C.

use std::{env, fs};

const INTERFACE: &str = "../wherefrom/_kernel.pyi";

fn main() {
    let version = fs::read_to_string("core/VERSION").expect("kernel/core/VERSION says which core this is");
    println!("cargo:rustc-env=CORE_VERSION={}", version.trim());
    let interface = fs::read(INTERFACE).expect("wherefrom/_kernel.pyi describes the extension");
    println!("cargo:rustc-env=INTERFACE={}", crc32(&interface));
    for path in
        [INTERFACE, "core", "src/walk.c", "src/walk.h", "src/memory.h", "src/quick.h", "src/quick.c", "src/lookups.h"]
    {
        println!("cargo:rerun-if-changed={path}");
    }
    if env::var_os("CARGO_FEATURE_PYTHON").is_none() {
        return; // `release/wasm.py` compiles the C part itself, with a compiler that brings a C library
    }
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("macos") {
        // The symbols of Python are found when Python loads the extension.
        println!("cargo:rustc-link-arg-cdylib=-undefined");
        println!("cargo:rustc-link-arg-cdylib=dynamic_lookup");
    }
    println!("cargo:rerun-if-env-changed=WHEREFROM_KERNEL_SANITIZE");
    let mut build = cc::Build::new();
    build
        .std("c11")
        .file("src/walk.c")
        .include("core/src")
        .include("core/include")
        .define("TREE_SITTER_HIDE_SYMBOLS", None)
        .flag_if_supported("-fvisibility=hidden")
        .flag_if_supported("-fno-semantic-interposition")
        .flag("-Werror=implicit-function-declaration")
        .extra_warnings(false);
    if env::var_os("WHEREFROM_KERNEL_SANITIZE").is_some_and(|set| !set.is_empty()) {
        build
            .flag("-fsanitize=address,undefined")
            .flag("-fno-sanitize=alignment")
            .flag("-fno-omit-frame-pointer")
            .debug(true);
    } else {
        build.opt_level(2).define("NDEBUG", None);
        // Measured: with these flags, the parser takes a twentieth less time. A load of 16 bytes waits if they were
        // just stored in pieces, and a loop clears short blocks faster than `rep stos`.
        for flag in [
            "-fno-tree-slp-vectorize",
            "-fno-tree-vectorize",
            "-mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign",
        ] {
            build.flag_if_supported(flag);
        }
        // Measured: with the default inlining of GCC, the parser takes a tenth longer.
        for flag in [
            "-finline-functions",
            "--param=inline-unit-growth=400",
            "--param=large-function-growth=3000",
            "--param=max-inline-insns-auto=80",
        ] {
            build.flag_if_supported(flag);
        }
    }
    build.compile("wherefrom_walk");
}

/// The same checksum as `zlib.crc32` in Python.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    })
}
