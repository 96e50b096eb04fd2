//! Finds the runs of tokens that two texts share anywhere, the longest first, as `matching_runs` in
//! `wherefrom/compare/matching.py` defines them. Also has the fingerprints of a text.

use std::sync::OnceLock;

use crate::hashing::mix;
use crate::kgrams::{self, Representation, Scheme, Writing};
use crate::numbering::KeyTable;
use crate::text::{Sieve, Stretch, Text};
use crate::tokens::CHARACTER;
use crate::winnowing::OpenClosed;

/// The rules for runs; `matching.py` describes the values.
pub struct Rules {
    /// The representations whose k-grams are compared, each with its k.
    pub aligned: Vec<(Representation, usize)>,
    pub repeated: usize,
    pub often: usize,
    pub band: usize,
    pub prose: usize,
}

/// The tokens `begin` to `end` of the left text match those of the right text `shift` tokens further on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub shift: i64,
    pub begin: u32,
    pub end: u32,
}

impl Run {
    pub fn length(self) -> usize {
        (self.end - self.begin) as usize
    }
}

/// All k-grams of a text in one representation, in order.
struct Grams {
    representation: Representation,
    k: usize,
    hashes: Vec<u64>,
    /// Of each segment with k-grams, its first token and their number.
    spans: Vec<(u32, usize)>,
}

impl Grams {
    fn of(text: &Text, writing: &Writing, aligned: impl Iterator<Item = (Representation, usize)>) -> Vec<Self> {
        let empty = |(representation, k)| Self { representation, k, hashes: Vec::new(), spans: Vec::new() };
        let mut grams: Vec<Self> = aligned.map(empty).collect();
        let mut hashes = Vec::new();
        by_segment(text, writing, |begin, segment| {
            for own in &mut grams {
                kgrams::hashes(segment, own.representation, own.k, writing, &mut hashes);
                if !hashes.is_empty() {
                    own.hashes.extend_from_slice(&hashes);
                    own.spans.push((begin as u32, hashes.len()));
                }
            }
        });
        grams
    }

    /// Gives `take` the first token of each k-gram, and its number among all of the text.
    fn each(&self, mut take: impl FnMut(u32, usize)) {
        let mut first = 0;
        for &(begin, count) in &self.spans {
            (begin..).zip(first..first + count).for_each(|(position, number)| take(position, number));
            first += count;
        }
    }
}

/// Calls `take` for each segment that is not empty, with the position of its first token and its symbols.
pub fn by_segment(text: &Text, writing: &Writing, mut take: impl FnMut(usize, &kgrams::Segment)) {
    let mut stretch = Stretch::default();
    for (begin, end) in text.spans().filter(|(begin, end)| begin < end) {
        stretch.fill(text, (begin, end), (begin, end), writing);
        take(begin, &stretch.segment());
    }
}

/// Distinct hashes: `places` numbers them, `numbers` has the number of each input hash, `counts` the occurrences of
/// each.
struct Counted {
    places: KeyTable,
    numbers: Vec<u32>,
    counts: Vec<usize>,
}

impl Counted {
    fn new(hashes: &[u64]) -> Self {
        let mut counted =
            Self { places: KeyTable::new(hashes.len()), numbers: Vec::with_capacity(hashes.len()), counts: Vec::new() };
        for &hash in hashes {
            let place = *counted.places.value(hash, counted.counts.len() as u32);
            if place as usize == counted.counts.len() {
                counted.counts.push(0);
            }
            counted.counts[place as usize] += 1;
            counted.numbers.push(place);
        }
        counted
    }
}

/// A lookup table from hashes of k-grams to the tokens at which they begin, ascending.
pub struct Table {
    sieve: Sieve,
    places: KeyTable,
    /// For each distinct hash, by its place, where its positions begin; then the end of all.
    begins: Vec<u32>,
    positions: Vec<u32>,
}

impl Table {
    /// Makes a table of the k-grams that `keeps` accepts by their position and the number of their occurrences. `counted`
    /// has their hashes.
    fn new(grams: &Grams, counted: Counted, keeps: impl Fn(u32, usize) -> bool) -> Self {
        let Counted { places, numbers, counts } = counted;
        let mut kept: Vec<(u32, u32)> = Vec::with_capacity(numbers.len());
        grams.each(|position, at| {
            if keeps(position, counts[numbers[at] as usize]) {
                kept.push((numbers[at], position));
            }
        });
        let mut begins = vec![0; counts.len() + 1];
        for &(number, _) in &kept {
            begins[number as usize + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let mut next = begins.clone();
        let mut positions = vec![0; kept.len()];
        for (number, position) in kept {
            let place: &mut u32 = &mut next[number as usize];
            positions[*place as usize] = position;
            *place += 1;
        }
        let sieve = Sieve::new(grams.hashes.iter().copied());
        Self { sieve, places, begins, positions }
    }

    /// The positions of the hash at a place.
    fn held(&self, place: u32) -> &[u32] {
        &self.positions[self.begins[place as usize] as usize..self.begins[place as usize + 1] as usize]
    }

    /// Adds a run for each k-gram that another text shares. K-grams that touch or overlap in both texts become one run.
    fn add_shared(&self, grams: &Grams, rules: &Rules, Looked { counts, found, runs }: &mut Looked) {
        found.clear();
        counts.resize(counts.len().max(self.begins.len()), (0, 0));
        grams.each(|position, at| {
            if self.sieve.may_hold(grams.hashes[at]) {
                if let Some(place) = self.places.get(grams.hashes[at]) {
                    counts[place as usize].0 += 1;
                    found.push((place, position));
                }
            }
        });
        for &(place, position) in &*found {
            let mut held = self.held(place);
            let (count, next) = &mut counts[place as usize];
            let rank = *next;
            *next += 1;
            if held.len() * *count > rules.often {
                let low = rank.saturating_sub(rules.band).min(held.len() - 1);
                let high = (rank + rules.band + 1).min(held.len());
                held = &held[low..high.max(low)];
            }
            for &begin in held {
                let run = Run { shift: i64::from(position) - i64::from(begin), begin, end: begin + grams.k as u32 };
                match runs.last_mut() {
                    Some(last) if last.shift == run.shift && last.begin <= begin && begin <= last.end => {
                        last.end = last.end.max(run.end);
                    }
                    _ => runs.push(run),
                }
            }
        }
        found.iter().for_each(|&(place, _)| counts[place as usize] = (0, 0));
    }
}

/// The lists that `Table::add_shared` fills, kept for the next pair of texts. All `counts` are 0 between two calls.
#[derive(Default)]
pub struct Looked {
    counts: Vec<(usize, usize)>,
    found: Vec<(u32, u32)>,
    runs: Vec<Run>,
}

/// A text ready to be compared with others.
pub struct Comparable {
    pub text: Text,
    /// For each token, 1 if it does not count.
    pub masked: Vec<u8>,
    /// The k-grams of `exact`, which few comparisons need, and those of the other representations.
    grams: [OnceLock<Vec<Grams>>; 2],
}

impl Comparable {
    pub fn new(text: Text, masked: Vec<u8>) -> Self {
        Self { text, masked, grams: Default::default() }
    }

    fn grams(&self, wanted: Representation, rules: &Rules, writing: &Writing) -> Option<&Grams> {
        let is_exact = |representation| representation == Representation::Exact;
        let those = || rules.aligned.iter().copied().filter(|(own, _)| is_exact(*own) == is_exact(wanted));
        let made = self.grams[usize::from(!is_exact(wanted))].get_or_init(|| Grams::of(&self.text, writing, those()));
        made.iter().find(|grams| grams.representation == wanted)
    }

    /// The tables in which the k-grams of other texts are looked up, each with its representation. Empty ones are left out.
    pub fn tables(&self, rules: &Rules, writing: &Writing) -> Vec<(Representation, Table)> {
        // Often repeated k-grams are rows of tables. There, the tokens themselves have to be equal.
        let mut is_row = vec![false; self.masked.len()];
        let mut renamed = None;
        if let Some(grams) = self.grams(Representation::Renamed, rules, writing) {
            let counted = Counted::new(&grams.hashes);
            grams.each(|position, at| {
                is_row[position as usize] = counted.counts[counted.numbers[at] as usize] > rules.repeated;
            });
            renamed = Some(counted);
        }
        let has_rows = is_row.contains(&true);
        let table = |&(representation, _): &(Representation, usize)| {
            if representation == Representation::Exact && !has_rows {
                return None;
            }
            let grams = self.grams(representation, rules, writing)?;
            let counted = match representation {
                Representation::Renamed => renamed.take()?,
                _ => Counted::new(&grams.hashes),
            };
            let made = Table::new(grams, counted, |position, count| match representation {
                Representation::Exact => is_row[position as usize],
                Representation::Renamed => !is_row[position as usize],
                Representation::PMatch => count <= rules.repeated,
                Representation::Text => true,
            });
            (!made.positions.is_empty()).then_some((representation, made))
        };
        rules.aligned.iter().filter_map(table).collect()
    }
}

/// The runs that two texts share, by their position in the left text, which has the `tables`. A run of code has at least
/// `least` tokens, unless only tokens that do not count are between it and such a run.
pub fn matching_runs(
    left: &Comparable,
    tables: &[(Representation, Table)],
    right: &Comparable,
    least: usize,
    (rules, writing): (&Rules, &Writing),
    looked: &mut Looked,
) -> Vec<Run> {
    looked.runs.clear();
    for (representation, table) in tables {
        if let Some(grams) = right.grams(*representation, rules, writing) {
            table.add_shared(grams, rules, looked);
        }
    }
    let stretches = &mut looked.runs;
    join(stretches);
    stretches.retain(|run| run.length() >= least);
    stretches.sort_unstable_by_key(|run| (usize::MAX - run.length(), run.begin, run.shift));
    let (mut here, mut there) = (vec![0; left.masked.len()], vec![0; right.masked.len()]);
    let mut runs = Vec::new();
    for &stretch in &*stretches {
        let free = longest_free(stretch, &here, &there);
        let factor = if left.text.class(stretch.begin as usize) == CHARACTER { rules.prose } else { 1 };
        let span = free.begin as usize..free.end as usize;
        let moved = |at: usize| (at as i64 + free.shift) as usize;
        let facing = moved(span.start)..moved(span.end);
        let masks = left.masked[span.clone()].iter().zip(&right.masked[facing.clone()]);
        let counts: Vec<bool> = masks.map(|(ours, theirs)| ours | theirs == 0).collect();
        let mut parts = Vec::new();
        let mut begin = free.begin;
        for same in counts.chunk_by(|one, other| one == other) {
            let end = begin + same.len() as u32;
            if same[0] {
                parts.push(Run { begin, end, ..free });
            }
            begin = end;
        }
        let longest = parts.iter().map(|part| part.length()).max().unwrap_or(0);
        if longest >= (least * factor).max(1) {
            there[facing].fill(1);
            here[span].fill(1);
            runs.append(&mut parts);
        }
    }
    runs.sort_unstable_by_key(|run| run.begin);
    runs
}

/// Joins runs with the same shift that overlap or touch.
fn join(runs: &mut Vec<Run>) {
    runs.sort_unstable_by_key(|run| (run.shift, run.begin));
    runs.dedup_by(|run, before| {
        let is_one = run.shift == before.shift && run.begin <= before.end;
        if is_one {
            before.end = before.end.max(run.end);
        }
        is_one
    });
}

/// The longest part of a run that has no taken token in either text; the first if several are equally long.
fn longest_free(run: Run, here: &[u8], there: &[u8]) -> Run {
    let there = &there[(i64::from(run.begin) + run.shift) as usize..];
    let mut best = Run { end: run.begin, ..run };
    let mut begin = run.begin;
    for (at, (&ours, &theirs)) in (run.begin..run.end).zip(here[run.begin as usize..].iter().zip(there)) {
        if ours | theirs != 0 {
            begin = at + 1;
        } else if at + 1 - begin > best.end - best.begin {
            best = Run { begin, end: at + 1, ..run };
        }
    }
    best
}

/// The sampled k-grams of a text under each scheme, as `Text.fingerprints` defines them: the tokens at which they
/// begin, and their terms.
pub fn fingerprints(text: &Text, schemes: &[Scheme], writing: &Writing) -> Vec<(Vec<u32>, Vec<u64>)> {
    let mut found = vec![(Vec::new(), Vec::new()); schemes.len()];
    let mut sampler = OpenClosed::default();
    by_segment(text, writing, |begin, segment| {
        for (scheme, (positions, terms)) in schemes.iter().zip(&mut found) {
            sampler.sample(segment, scheme, writing, |at, hash| {
                positions.push((begin + at) as u32);
                terms.push(mix(hash) >> (64 - scheme.bits));
            });
        }
    });
    found
}
