//! The k-grams that a stored text has in common with a query, as `Document.shared` in `wherefrom/queries/alignment.py`
//! defines them.

use crate::kgrams::{self, Representation, Writing};
use crate::stream::{Names, Stream};

const SIEVE_BITS: u32 = 16;

/// The distinct hashes of the k-grams of a query in one representation.
pub struct Sought {
    representation: Representation,
    k: usize,
    /// Ascending.
    hashes: Vec<u64>,
    /// A bit for each value of the leading bits of a hash: most k-grams of a document fall through.
    sieve: Vec<u64>,
}

impl Sought {
    /// None where the hashes do not rise.
    pub fn new(representation: Representation, k: usize, hashes: Vec<u64>) -> Option<Self> {
        if !hashes.is_sorted_by(|one, next| one < next) {
            return None;
        }
        let mut sieve = vec![0; 1 << (SIEVE_BITS - 6)];
        for hash in &hashes {
            let (word, bit) = place(*hash);
            sieve[word] |= bit;
        }
        Some(Self { representation, k, hashes, sieve })
    }

    #[inline]
    fn number(&self, hash: u64) -> Option<usize> {
        let (word, bit) = place(hash);
        if self.sieve[word] & bit == 0 { None } else { self.hashes.binary_search(&hash).ok() }
    }

    fn needs_names(&self) -> bool {
        matches!(self.representation, Representation::Renamed | Representation::PMatch)
    }
}

#[inline]
fn place(hash: u64) -> (usize, u64) {
    let lead = hash >> (64 - SIEVE_BITS);
    ((lead >> 6) as usize, 1 << (lead & 63))
}

/// A text as an index stores it: the codes and classes of its distinct symbols, the number of each token's symbol, and
/// the token at which each segment begins.
pub struct Text {
    pub codes: Vec<u64>,
    pub classes: Vec<u8>,
    pub numbers: Vec<u32>,
    pub segments: Vec<u32>,
}

impl Text {
    /// Whether all numbers are of symbols, and the segments rise.
    pub fn is_whole(&self) -> bool {
        let count = self.numbers.len();
        self.codes.len() == self.classes.len()
            && self.numbers.iter().all(|&number| (number as usize) < self.codes.len())
            && self.segments.is_sorted()
            && self.segments.last().is_none_or(|&last| last as usize <= count)
    }
}

/// The k-grams that are sought, where they begin in the text, ascending, and the number of the hash of each.
#[derive(Default)]
pub struct Shared {
    pub positions: Vec<i64>,
    pub numbers: Vec<i64>,
}

/// What a whole text shares with each of those that are sought.
pub fn shared(text: Text, sought: &[&Sought], writing: &Writing) -> Vec<Shared> {
    let spread = |number: &u32| text.codes[*number as usize];
    let stream = Stream {
        codes: text.numbers.iter().map(spread).collect(),
        classes: text.numbers.iter().map(|&number| text.classes[number as usize]).collect(),
        segments: text.segments,
        ..Stream::default()
    };
    let needs_names = sought.iter().any(|sought| sought.needs_names());
    let names =
        if needs_names { Names::new(&stream, &text.codes, &text.numbers, writing) } else { Names::none(stream.len()) };
    let mut hashes = Vec::new();
    let mut found: Vec<Shared> = sought.iter().map(|_| Shared::default()).collect();
    for (begin, end) in stream.spans() {
        let segment = names.segment(&stream, begin, end);
        for (sought, found) in sought.iter().zip(&mut found) {
            kgrams::hashes(&segment, sought.representation, sought.k, writing, &mut hashes);
            for (at, &hash) in hashes.iter().enumerate() {
                if let Some(number) = sought.number(hash) {
                    found.positions.push((begin + at) as i64);
                    found.numbers.push(number as i64);
                }
            }
        }
    }
    found
}
