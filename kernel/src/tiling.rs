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
    positions: Vec<u32>,
}

impl Grams {
    fn of(text: &Text, writing: &Writing, aligned: &[(Representation, usize)]) -> Vec<Self> {
        let empty = |&(representation, k)| Self { representation, k, hashes: Vec::new(), positions: Vec::new() };
        let mut grams: Vec<Self> = aligned.iter().map(empty).collect();
        let mut hashes = Vec::new();
        by_segment(text, writing, |begin, segment| {
            for own in &mut grams {
                kgrams::hashes(segment, own.representation, own.k, writing, &mut hashes);
                own.hashes.extend_from_slice(&hashes);
                own.positions.extend((begin as u32..).take(hashes.len()));
            }
        });
        grams
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
        let kept: Vec<(u32, u32)> = numbers
            .into_iter()
            .zip(grams.positions.iter().copied())
            .filter(|&(number, position)| keeps(position, counts[number as usize]))
            .collect();
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
        let sieve = Sieve::new(if positions.is_empty() { &[][..] } else { &grams.hashes }.iter().copied());
        Self { sieve, places, begins, positions }
    }

    /// The positions of the hash at a place.
    fn held(&self, place: u32) -> &[u32] {
        &self.positions[self.begins[place as usize] as usize..self.begins[place as usize + 1] as usize]
    }

    /// Adds a run for each k-gram that another text shares. K-grams that touch or overlap in both texts become one run.
    fn add_shared(&self, grams: &Grams, rules: &Rules, Looked { counts, found, runs }: &mut Looked) {
        if self.positions.is_empty() {
            return;
        }
        found.clear();
        counts.resize(counts.len().max(self.begins.len()), (0, 0));
        for (&hash, &position) in grams.hashes.iter().zip(&grams.positions) {
            if self.sieve.may_hold(hash) {
                if let Some(place) = self.places.get(hash) {
                    counts[place as usize].0 += 1;
                    found.push((place, position));
                }
            }
        }
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
    grams: OnceLock<Vec<Grams>>,
}

impl Comparable {
    pub fn new(text: Text, masked: Vec<u8>) -> Self {
        Self { text, masked, grams: OnceLock::new() }
    }

    fn grams(&self, rules: &Rules, writing: &Writing) -> &[Grams] {
        self.grams.get_or_init(|| Grams::of(&self.text, writing, &rules.aligned))
    }

    /// The tables in which the k-grams of other texts are looked up.
    pub fn tables(&self, rules: &Rules, writing: &Writing) -> Vec<Table> {
        let (grams, repeated) = (self.grams(rules, writing), rules.repeated);
        // Often repeated k-grams are rows of tables. There, the tokens themselves have to be equal.
        let mut is_row = vec![false; self.masked.len()];
        let mut renamed = None;
        if let Some(grams) = grams.iter().find(|grams| grams.representation == Representation::Renamed) {
            let counted = Counted::new(&grams.hashes);
            for (&number, &position) in counted.numbers.iter().zip(&grams.positions) {
                is_row[position as usize] = counted.counts[number as usize] > repeated;
            }
            renamed = Some(counted);
        }
        let has_rows = is_row.contains(&true);
        let table = |grams: &Grams| {
            let counted = match grams.representation {
                Representation::Exact if !has_rows => Counted::new(&[]),
                Representation::Renamed => renamed.take().unwrap_or_else(|| Counted::new(&grams.hashes)),
                _ => Counted::new(&grams.hashes),
            };
            Table::new(grams, counted, |position, count| match grams.representation {
                Representation::Exact => is_row[position as usize],
                Representation::Renamed => !is_row[position as usize],
                Representation::PMatch => count <= repeated,
                Representation::Text => true,
            })
        };
        grams.iter().map(table).collect()
    }
}

/// The runs that two texts share, by their position in the left text, which has the `tables`. A run of code has at least
/// `least` tokens, unless only tokens that do not count are between it and such a run.
pub fn matching_runs(
    left: &Comparable,
    tables: &[Table],
    right: &Comparable,
    least: usize,
    (rules, writing): (&Rules, &Writing),
    looked: &mut Looked,
) -> Vec<Run> {
    looked.runs.clear();
    for (table, grams) in tables.iter().zip(right.grams(rules, writing)) {
        table.add_shared(grams, rules, looked);
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
