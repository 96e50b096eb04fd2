//! The inner loop of wherefrom: from a content's bytes to its tokens, terms and stored form, in one call.
//!
//! The same in Python is in `wherefrom/analyzers`, which is the definition of what is done here, and hands over all rules:
//! tables of grammars, classes of characters, schemes, words. `wherefrom/analyzers/kernel.py` is the only caller.

mod chains;
mod characters;
mod document;
mod extension;
mod growth;
mod hashing;
mod kgrams;
mod numbering;
mod postings;
mod references;
mod sharing;
mod stream;
mod tokens;
mod tree;
mod winnowing;
