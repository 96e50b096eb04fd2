//! Template code, which is ignored in every file.

use super::ByScheme;
use crate::kgrams::{self, Scheme, Writing};
use crate::text::Text;
use crate::tiling::by_segment;

/// Gathers the k-grams of template code, as `SetBuilder` in `wherefrom/queries/boilerplate.py` does.
#[derive(Default)]
pub struct Template(ByScheme);

impl Template {
    /// Adds all k-grams of a text.
    pub fn add(&mut self, text: &Text, schemes: &[Scheme], writing: &Writing) {
        self.0.resize(schemes.len(), Vec::new());
        let mut hashes = Vec::new();
        by_segment(text, writing, |_, segment| {
            for (scheme, known) in schemes.iter().zip(&mut self.0) {
                kgrams::hashes(segment, scheme.representation, scheme.k, writing, &mut hashes);
                known.extend_from_slice(&hashes);
            }
        });
        for known in &mut self.0 {
            known.sort_unstable();
            known.dedup();
        }
    }

    /// The number of different k-grams.
    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    pub fn into_set(self) -> ByScheme {
        self.0
    }
}
