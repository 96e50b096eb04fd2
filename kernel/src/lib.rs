//! The inner loop of wherefrom: from a content's bytes to its tokens, terms and stored form, in one call.
//!
//! The same in Python is in `wherefrom/analyzers`, which is the definition of what is done here, and hands over all rules:
//! tables of grammars, classes of characters, schemes, words. `wherefrom/analyzers/kernel.py` calls it, and the embedded
//! engine, whose runs and joined token streams it reads.

mod alignment;
mod chains;
mod characters;
mod document;
mod extension;
mod growth;
mod hashing;
mod joined;
mod kgrams;
mod noise;
mod numbering;
mod postings;
mod references;
mod sharing;
mod stored;
mod stream;
mod tiling;
mod tokens;
mod tree;
mod values;
mod winnowing;
