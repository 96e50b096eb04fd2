//! The k-grams of a query and those that are looked up, as `query_kgrams` in `wherefrom/analyzers/fingerprints.py` defines
//! them.

use crate::hashing::mix;
use crate::kgrams::{Scheme, Writing};
use crate::text::{Stretch, Text};
use crate::winnowing::OpenClosed;

/// By which windows a query is sampled in a representation. Of fewer than `least` k-grams, all are kept.
#[derive(Clone, Copy)]
pub struct Windows {
    pub kept: usize,
    pub common: usize,
    pub least: usize,
}

/// The k-grams of a query in one representation; the fields of `fingerprints.QueryKGrams`.
#[derive(Default)]
pub struct QueryKGrams {
    pub hashes: Vec<u64>,
    pub positions: Vec<usize>,
    /// Where the k-grams of each segment begin in `hashes`.
    pub bounds: Vec<usize>,
    pub kept: Vec<usize>,
    pub terms: Vec<u64>,
    pub numbers: Vec<usize>,
    pub is_common: Vec<bool>,
}

/// The k-grams of a text under each scheme.
pub fn kgrams(text: &Text, schemes: &[(Scheme, Windows)], writing: &Writing) -> Vec<QueryKGrams> {
    let mut found: Vec<QueryKGrams> = schemes.iter().map(|_| QueryKGrams::default()).collect();
    let mut common: Vec<Vec<u64>> = vec![Vec::new(); schemes.len()];
    let (mut stretch, mut sampler) = (Stretch::default(), OpenClosed::default());
    for (begin, end) in text.spans() {
        stretch.fill(text, (begin, end), (begin, end), writing);
        for ((scheme, windows), (own, common)) in schemes.iter().zip(found.iter_mut().zip(&mut common)) {
            let hashes = sampler.read(&stretch.segment(), scheme, writing);
            if hashes.is_empty() {
                continue;
            }
            let first = own.hashes.len();
            own.bounds.push(first);
            own.positions.extend(begin..begin + hashes.len());
            own.hashes.extend_from_slice(hashes);
            sampler.winnow(windows.kept, |at| own.kept.push(first + at));
            sampler.winnow(windows.common, |at| common.push(own.hashes[first + at]));
        }
    }
    for ((own, common), (scheme, windows)) in found.iter_mut().zip(&mut common).zip(schemes) {
        own.choose(common, windows.least, scheme.bits);
    }
    found
}

impl QueryKGrams {
    fn choose(&mut self, common: &mut [u64], least: usize, bits: u32) {
        if self.hashes.len() < least {
            self.kept = (0..self.hashes.len()).collect();
        }
        common.sort_unstable();
        self.is_common = self.kept.iter().map(|&at| common.binary_search(&self.hashes[at]).is_ok()).collect();
        let term = |&at: &usize| mix(self.hashes[at]) >> (64 - bits);
        let mut ordered: Vec<(u64, usize)> = self.kept.iter().map(term).zip(0..).collect();
        ordered.sort_unstable();
        self.numbers.resize(self.kept.len(), 0);
        for (term, place) in ordered {
            if self.terms.last() != Some(&term) {
                self.terms.push(term);
            }
            self.numbers[place] = self.terms.len() - 1;
        }
    }
}
