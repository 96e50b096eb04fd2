//! A text as an index stores it, and what comparisons of its k-grams need.

use crate::kgrams::{Distances, Segment, Writing};
use crate::numbering::KeyTable;
use crate::stream::note;
use crate::tokens::NAME;

/// The least number of bits of a sieve for each hash; the logarithms of its least and greatest number of bits.
const SPARSE: usize = 16;
const LEAST_BITS: u32 = 16;
const MOST_BITS: u32 = 23;

/// Tells quickly that a hash is not in a set: it has one bit for each value of a hash's leading bits.
pub struct Sieve {
    bits: Vec<u64>,
    shift: u32,
}

impl Sieve {
    pub fn new(hashes: impl ExactSizeIterator<Item = u64>) -> Self {
        let bits = (hashes.len() * SPARSE).next_power_of_two().ilog2().clamp(LEAST_BITS, MOST_BITS);
        let mut sieve = Self { bits: vec![0; 1 << (bits - 6)], shift: 64 - bits };
        for hash in hashes {
            let lead = hash >> sieve.shift;
            sieve.bits[(lead >> 6) as usize] |= 1 << (lead & 63);
        }
        sieve
    }

    #[inline]
    pub fn may_hold(&self, hash: u64) -> bool {
        let lead = hash >> self.shift;
        self.bits[(lead >> 6) as usize] >> (lead & 63) & 1 == 1
    }
}

/// A text as an index stores it: the codes and classes of its distinct symbols, the number of each token's symbol, the
/// token at which each segment begins, the languages of the segments, with a NUL between two, and the stored words
/// (`Words::stored`).
pub struct Text {
    pub codes: Vec<u64>,
    pub classes: Vec<u8>,
    pub numbers: Vec<u32>,
    pub segments: Vec<u32>,
    pub languages: String,
    pub words: Vec<u8>,
}

impl Text {
    /// The tokens at which each segment begins and ends.
    pub fn spans(&self) -> impl Iterator<Item = (usize, usize)> {
        let ends = self.segments.iter().skip(1).map(|&begin| begin as usize).chain([self.numbers.len()]);
        self.segments.iter().map(|&begin| begin as usize).zip(ends)
    }

    /// Whether each number has a symbol, and the segments are ascending.
    pub fn is_whole(&self) -> bool {
        self.codes.len() == self.classes.len()
            && self.numbers.iter().max().is_none_or(|&most| (most as usize) < self.codes.len())
            && self.segments.is_sorted()
            && self.segments.last().is_none_or(|&last| last as usize <= self.numbers.len())
    }

    /// The language of each segment.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        self.languages.split('\0')
    }

    pub fn code(&self, at: usize) -> u64 {
        self.codes[self.numbers[at] as usize]
    }

    pub fn class(&self, at: usize) -> u8 {
        self.classes[self.numbers[at] as usize]
    }
}

/// A stretch of code, with the facts about its names that `renamed` and `p_match` need.
#[derive(Default)]
pub struct Stretch {
    codes: Vec<u64>,
    classes: Vec<u8>,
    is_kept: Vec<bool>,
    all: (Vec<u8>, Vec<u8>),
    renamed: (Vec<u8>, Vec<u8>),
}

impl Stretch {
    /// Replaces the stretch with the tokens `from` to `to` of a segment, and computes the facts.
    pub fn fill(&mut self, text: &Text, (begin, end): (usize, usize), (from, to): (usize, usize), writing: &Writing) {
        let count = to - from;
        self.codes.clear();
        self.codes.extend((from..to).map(|at| text.code(at)));
        self.classes.clear();
        self.classes.extend((from..to).map(|at| text.class(at)));
        self.is_kept.clear();
        self.is_kept.resize(count, false);
        for values in [&mut self.all.0, &mut self.all.1, &mut self.renamed.0, &mut self.renamed.1] {
            values.clear();
            values.resize(count, 0);
        }
        let (mut of_all, mut of_renamed) = (KeyTable::new(0), KeyTable::new(0));
        for at in 0..count {
            if self.classes[at] != NAME {
                continue;
            }
            let place = from + at;
            let is_member = place > begin && writing.member_marks.contains(&text.code(place - 1));
            let is_kept = is_member || (place + 1 < end && text.code(place + 1) == writing.call_mark);
            self.is_kept[at] = is_kept;
            note(of_all.value(self.codes[at], 0), 0, at, &mut self.all);
            if !is_kept {
                note(of_renamed.value(self.codes[at], 0), 0, at, &mut self.renamed);
            }
        }
    }

    pub fn segment(&self) -> Segment<'_> {
        Segment {
            codes: &self.codes,
            classes: &self.classes,
            all: Distances { forward: &self.all.0, back: &self.all.1 },
            renamed: Distances { forward: &self.renamed.0, back: &self.renamed.1 },
            is_kept: &self.is_kept,
        }
    }
}
