//! The inner loop of wherefrom: from a content's bytes to its tokens, terms and stored form, in one call; and comparisons.
//!
//! `wherefrom/analyzers` and `wherefrom/compare` do the same in Python. That code defines the results, and passes in all
//! rules: tables of grammars, classes of characters, schemes, words, numbers. `wherefrom/analyzers/kernel.py` calls the
//! kernel, and so does the embedded engine to read its runs and joined token streams.

#![cfg_attr(not(feature = "python"), expect(dead_code, reason = "a page only analyzes files and compares them"))]

mod background;
#[cfg(feature = "web")]
mod c_border;
mod chains;
mod characters;
mod compare;
mod document;
mod evidence;
#[cfg(feature = "python")]
mod extension;
mod forms;
mod hashing;
mod insides;
mod joined;
mod kgrams;
mod lexing;
mod marks;
mod mending;
mod noise;
mod numbering;
mod postings;
#[cfg(feature = "python")]
mod querying;
mod references;
mod stored;
mod stream;
mod text;
mod tiling;
mod tokens;
#[cfg(feature = "python")]
mod translations;
mod tree;
mod values;
mod winnowing;
mod words;
