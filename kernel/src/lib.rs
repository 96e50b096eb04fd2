//! The inner loop of wherefrom: from a content's bytes to its tokens, terms and stored form, in one call.
//!
//! The same in Python is in `wherefrom/analyzers`, which is the definition of what is done here, and hands over all rules:
//! tables of grammars, classes of characters, schemes, words. `wherefrom/analyzers/kernel.py` is the only caller.

pub mod characters;
pub mod hashing;
pub mod kgrams;
pub mod numbering;
pub mod references;
pub mod stream;
pub mod tokens;
pub mod tree;
pub mod winnowing;

#[cfg(feature = "extension")]
mod extension;
