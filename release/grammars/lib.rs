//! Nothing: Cargo.toml only names sources.
