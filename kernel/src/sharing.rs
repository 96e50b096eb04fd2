//! The k-grams that a stored text has in common with a window of a query, as `Document.shared` in
//! `wherefrom/queries/alignment.py` defines them.
//!
//! Most tokens of most documents have nothing to do with the query, so two cheap passes find the stretches that may: for
//! `exact` the runs of symbols that the query has as well, for `renamed` and `p_match` the runs of its skeleton k-grams,
//! in which all names are alike. K-grams are made of these stretches alone.

use crate::hashing::Coding;
use crate::kgrams::{self, Distances, Representation, Segment, Writing};
use crate::numbering::KeyTable;
use crate::stream::note;
use crate::tokens::{CHARACTER, NAME, NUMBER, STRING};

const SIEVE_BITS: u32 = 16;

/// Bytes of a `Sieve`.
pub const SIEVE_BYTES: usize = 1 << (SIEVE_BITS - 3);

/// Tells which hashes cannot be in a set, by a bit for each value of their leading bits.
pub struct Sieve(Box<[u8; SIEVE_BYTES]>);

impl Sieve {
    /// None where there are not `SIEVE_BYTES`.
    pub fn new(bits: Vec<u8>) -> Option<Self> {
        bits.into_boxed_slice().try_into().ok().map(Self)
    }

    fn of(hashes: &[u64]) -> Self {
        let mut bits = Box::new([0; SIEVE_BYTES]);
        for hash in hashes {
            let (byte, bit) = place(*hash);
            bits[byte] |= 1 << bit;
        }
        Self(bits)
    }

    #[inline]
    fn may_hold(&self, hash: u64) -> bool {
        let (byte, bit) = place(hash);
        self.0[byte] >> bit & 1 == 1
    }
}

#[inline]
fn place(hash: u64) -> (usize, u64) {
    let lead = hash >> (64 - SIEVE_BITS);
    ((lead >> 3) as usize, lead & 7)
}

/// The k-grams of a window in one representation.
pub struct Grams {
    representation: Representation,
    k: usize,
    /// Distinct, ascending.
    hashes: Vec<u64>,
    sieve: Sieve,
}

impl Grams {
    /// None where the hashes do not rise.
    pub fn new(representation: Representation, k: usize, hashes: Vec<u64>) -> Option<Self> {
        let rises = hashes.is_sorted_by(|one, next| one < next);
        rises.then(|| Self { representation, k, sieve: Sieve::of(&hashes), hashes })
    }

    fn has_distances(&self) -> bool {
        matches!(self.representation, Representation::Renamed | Representation::PMatch)
    }

    /// Notes those of some k-grams that begin at `begin` and behind it.
    fn note(&self, hashes: &[u64], begin: usize, shared: &mut Shared) {
        for (at, &hash) in hashes.iter().enumerate() {
            if self.sieve.may_hold(hash) {
                if let Ok(number) = self.hashes.binary_search(&hash) {
                    shared.positions.push((begin + at) as i64);
                    shared.numbers.push(number as i64);
                }
            }
        }
    }
}

/// What documents are compared with.
pub struct Sought {
    pub grams: Vec<Grams>,
    /// Of the skeleton k-grams, of so many tokens each.
    pub skeletons: Sieve,
    pub skeleton_k: usize,
    /// Of the codes of symbols, shifted so that their bits lead.
    pub symbols: Sieve,
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
        self.codes.len() == self.classes.len()
            && self.numbers.iter().max().is_none_or(|&most| (most as usize) < self.codes.len())
            && self.segments.is_sorted()
            && self.segments.last().is_none_or(|&last| last as usize <= self.numbers.len())
    }

    fn code(&self, at: usize) -> u64 {
        self.codes[self.numbers[at] as usize]
    }

    fn class(&self, at: usize) -> u8 {
        self.classes[self.numbers[at] as usize]
    }
}

/// The k-grams that are sought: where they begin in the text, ascending, and the number of the hash of each.
#[derive(Default)]
pub struct Shared {
    pub positions: Vec<i64>,
    pub numbers: Vec<i64>,
}

/// What a text shares with each of the representations of a window.
pub fn shared(text: &Text, sought: &Sought, writing: &Writing, coding: Coding) -> Vec<Shared> {
    let mut search = Search::new(text, sought, writing, coding);
    let count = text.numbers.len();
    let ends = text.segments.iter().skip(1).map(|&begin| begin as usize).chain([count]);
    for (begin, end) in text.segments.iter().map(|&begin| begin as usize).zip(ends) {
        if begin == end {
            continue;
        }
        if text.class(begin) == CHARACTER {
            search.prose(begin, end);
        } else {
            search.exact(begin, end);
            search.with_distances(begin, end);
        }
    }
    search.found
}

struct Search<'a> {
    text: &'a Text,
    sought: &'a Sought,
    writing: &'a Writing,
    /// By number: all bits where the window may have the symbol as well, else none.
    possible: Vec<usize>,
    /// By number: as a skeleton has the symbol, and that times the factor with which it leaves a k-gram.
    skeletons: Vec<(u64, u64)>,
    stretch: Stretch,
    hashes: Vec<u64>,
    found: Vec<Shared>,
}

impl<'a> Search<'a> {
    fn new(text: &'a Text, sought: &'a Sought, writing: &'a Writing, coding: Coding) -> Self {
        let is_possible = |&code: &u64| sought.symbols.may_hold(code << (64 - coding.bits));
        let factor = (0..sought.skeleton_k).fold(1, |power: u64, _| power.wrapping_mul(writing.base));
        let written = |(&code, &class): (&u64, &u8)| match class {
            NAME => writing.distances[0],
            STRING => writing.string,
            NUMBER => writing.number,
            _ => code,
        };
        let skeletons = text.codes.iter().zip(&text.classes).map(written);
        Self {
            text,
            sought,
            writing,
            possible: text.codes.iter().map(|code| if is_possible(code) { usize::MAX } else { 0 }).collect(),
            skeletons: skeletons.map(|code| (code, code.wrapping_mul(factor))).collect(),
            stretch: Stretch::default(),
            hashes: Vec::new(),
            found: sought.grams.iter().map(|_| Shared::default()).collect(),
        }
    }

    fn prose(&mut self, begin: usize, end: usize) {
        for (number, grams) in self.sought.grams.iter().enumerate() {
            if grams.representation == Representation::Text {
                self.note_codes(number, begin, end);
            }
        }
    }

    fn exact(&mut self, begin: usize, end: usize) {
        for (number, grams) in self.sought.grams.iter().enumerate() {
            if grams.representation != Representation::Exact {
                continue;
            }
            let mut run = 0;
            for at in begin..end {
                let next = (run + 1) & self.possible[self.text.numbers[at] as usize];
                if (next == 0) & (run >= grams.k) {
                    self.note_codes(number, at - run, at);
                }
                run = next;
            }
            self.note_codes(number, end - run, end);
        }
    }

    /// Notes what a stretch shares in a representation that writes tokens as their symbols.
    fn note_codes(&mut self, number: usize, begin: usize, end: usize) {
        let grams = &self.sought.grams[number];
        self.hashes.clear();
        if end - begin >= grams.k {
            let codes = &mut self.stretch.codes;
            codes.clear();
            codes.extend((begin..end).map(|at| self.text.code(at)));
            kgrams::rolling(codes, grams.k, self.writing.base, &mut self.hashes);
        }
        grams.note(&self.hashes, begin, &mut self.found[number]);
    }

    fn with_distances(&mut self, begin: usize, end: usize) {
        let of_distances = self.sought.grams.iter().filter(|grams| grams.has_distances());
        let Some(least) = of_distances.map(|grams| grams.k).min() else { return };
        let k = self.sought.skeleton_k;
        if k == 0 || least < k {
            self.note_names(begin, end, begin, end);
            return;
        }
        let Some(last) = (end - begin).checked_sub(k).map(|count| begin + count) else { return };
        let entering = |at: usize| self.skeletons[self.text.numbers[at] as usize].0;
        let mut hash =
            (begin..begin + k).fold(0, |hash: u64, at| hash.wrapping_add(entering(at)).wrapping_mul(self.writing.base));
        let mut run = 0;
        for at in begin..=last {
            if at > begin {
                let leaving = self.skeletons[self.text.numbers[at - 1] as usize].1;
                let entering = self.skeletons[self.text.numbers[at + k - 1] as usize].0;
                hash = hash.wrapping_sub(leaving).wrapping_add(entering).wrapping_mul(self.writing.base);
            }
            if self.sought.skeletons.may_hold(hash) {
                run += 1;
                continue;
            }
            if run + k > least {
                self.note_names(begin, end, at - run, at - 1 + k);
            }
            run = 0;
        }
        if run + k > least {
            self.note_names(begin, end, last + 1 - run, end);
        }
    }

    /// Notes what the stretch from `from` to `to` of a segment shares in the representations that write names as
    /// distances.
    fn note_names(&mut self, begin: usize, end: usize, from: usize, to: usize) {
        self.stretch.fill(self.text, (begin, end), (from, to), self.writing);
        let segment = self.stretch.segment();
        for (grams, found) in self.sought.grams.iter().zip(&mut self.found) {
            if grams.has_distances() {
                kgrams::hashes(&segment, grams.representation, grams.k, self.writing, &mut self.hashes);
                grams.note(&self.hashes, from, found);
            }
        }
    }
}

/// A stretch of code with what `renamed` and `p_match` need to know of its names.
#[derive(Default)]
struct Stretch {
    codes: Vec<u64>,
    classes: Vec<u8>,
    is_kept: Vec<bool>,
    all: (Vec<u8>, Vec<u8>),
    renamed: (Vec<u8>, Vec<u8>),
}

impl Stretch {
    fn fill(&mut self, text: &Text, (begin, end): (usize, usize), (from, to): (usize, usize), writing: &Writing) {
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

    fn segment(&self) -> Segment<'_> {
        Segment {
            codes: &self.codes,
            classes: &self.classes,
            all: Distances { forward: &self.all.0, back: &self.all.1 },
            renamed: Distances { forward: &self.renamed.0, back: &self.renamed.1 },
            is_kept: &self.is_kept,
        }
    }
}
