//! Finds the k-grams that a stored text shares with a query, or with a window of the query, as `Document.shared` in
//! `wherefrom/queries/alignment/aligning.py` defines them.
//!
//! Most tokens of most documents have nothing to do with the query, so two cheap passes find the stretches that may
//! share something. For `exact`, these are runs of symbols that the query also has. For `renamed` and `p_match`, they
//! are runs of skeleton k-grams (k-grams with all names treated as equal) that the query also has. Only the k-grams of
//! these stretches are computed.

use crate::hashing::Coding;
use crate::kgrams::{self, Distances, Representation, Segment, Writing};
use crate::numbering::KeyTable;
use crate::stream::note;
use crate::tokens::{CHARACTER, NAME, NUMBER, STRING};

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
    pub fn new(hashes: &[u64]) -> Self {
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

/// The k-grams of a query, or of a window of it, in one representation.
pub struct Grams {
    representation: Representation,
    k: usize,
    sieve: Sieve,
    /// For each distinct hash, its place in ascending order.
    places: KeyTable,
}

impl Grams {
    /// Returns None if the hashes are not ascending.
    pub fn new(representation: Representation, k: usize, hashes: &[u64]) -> Option<Self> {
        if !hashes.is_sorted_by(|one, next| one < next) {
            return None;
        }
        let mut places = KeyTable::new(hashes.len());
        for (place, &hash) in (0..).zip(hashes) {
            places.value(hash, place);
        }
        Some(Self { representation, k, sieve: Sieve::new(hashes), places })
    }

    fn has_distances(&self) -> bool {
        matches!(self.representation, Representation::Renamed | Representation::PMatch)
    }

    /// Adds those of `hashes`, the k-grams of a text from `begin` on, that are in the query.
    fn note(&self, hashes: &[u64], begin: usize, shared: &mut Shared) {
        for (at, &hash) in hashes.iter().enumerate() {
            if self.sieve.may_hold(hash) {
                if let Some(number) = self.places.get(hash) {
                    shared.positions.push((begin + at) as u32);
                    shared.numbers.push(number);
                }
            }
        }
    }
}

/// What is sought in documents: the k-grams of a query, and what the cheap passes need.
pub struct Sought {
    pub grams: Vec<Grams>,
    /// The hashes of the query's skeleton k-grams, and their k.
    pub skeletons: Sieve,
    pub skeleton_k: usize,
    /// The codes of the query's symbols, shifted to the leading bits.
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

    pub fn code(&self, at: usize) -> u64 {
        self.codes[self.numbers[at] as usize]
    }

    pub fn class(&self, at: usize) -> u8 {
        self.classes[self.numbers[at] as usize]
    }
}

/// The shared k-grams: where each begins in the text, ascending, and the place of its hash in the query.
#[derive(Default)]
pub struct Shared {
    pub positions: Vec<u32>,
    pub numbers: Vec<u32>,
}

/// The k-grams of a window of a query in one representation, as a part of those of the whole query.
pub struct Part {
    /// A bit for each hash of the whole query, set if the window has it. `before` counts the bits set before each word.
    bits: Vec<u64>,
    before: Vec<u32>,
}

impl Part {
    /// Returns None if the places of the window's hashes among those of the whole query are not ascending.
    pub fn new(places: &[u32]) -> Option<Self> {
        if !places.is_sorted_by(|one, next| one < next) {
            return None;
        }
        let mut bits = vec![0_u64; places.last().map_or(0, |&last| last as usize / 64 + 1)];
        for &place in places {
            bits[place as usize / 64] |= 1 << (place % 64);
        }
        let before = bits
            .iter()
            .scan(0, |sum, word| {
                let before = *sum;
                *sum += word.count_ones();
                Some(before)
            })
            .collect();
        Some(Self { bits, before })
    }

    /// The place, among the hashes of the window, of a hash of the whole query; None if the window does not have it.
    #[inline]
    fn place(&self, number: u32) -> Option<u32> {
        let (at, bit) = (number as usize / 64, number % 64);
        let word = *self.bits.get(at)?;
        (word >> bit & 1 == 1).then(|| self.before[at] + (word & ((1 << bit) - 1)).count_ones())
    }

    /// The part of the shared k-grams that the window has.
    pub fn of(&self, whole: &Shared) -> Shared {
        let mut own = Shared::default();
        for (&position, &number) in whole.positions.iter().zip(&whole.numbers) {
            if let Some(place) = self.place(number) {
                own.positions.push(position);
                own.numbers.push(place);
            }
        }
        own
    }
}

/// The k-grams that a text shares with a query, for each representation.
pub fn shared(text: &Text, sought: &Sought, writing: &Writing, coding: Coding) -> Vec<Shared> {
    let mut search = Search::new(text, sought, writing, coding);
    for (begin, end) in text.spans() {
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
    /// For each symbol, by number: all bits set if the query may have the symbol, or else 0.
    possible: Vec<usize>,
    /// For each symbol, by number: its code in a skeleton, and that times the factor with which it leaves a k-gram.
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

    /// Adds the shared k-grams of a stretch, in a representation that writes tokens as their symbols.
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

    /// Adds the shared k-grams of the stretch `from` to `to` of a segment, in the representations that write names as
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
