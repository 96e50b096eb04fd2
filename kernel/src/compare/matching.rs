//! Finds and weighs the matching runs of two texts, as `wherefrom/compare/matching.py` defines them.

use std::sync::Arc;

use super::counting::Terms;
use super::rules::Rules;
use super::texts::{Contents, Prepared};
use crate::kgrams::Representation;
use crate::tiling::{self, Looked, Run, Table, fingerprints, matching_runs};
use crate::tokens::SYMBOL;

/// A run with its weight; the last three are as in `results.MatchedRegion`.
#[derive(Clone, Copy)]
pub struct Weighed {
    pub run: Run,
    pub weight: f64,
    pub rarity: f64,
    pub submissions: u32,
}

/// The sampled k-grams of a text whose terms other units have too, at ascending `positions`. `weights_before` has for
/// each the summed weights of those before it, and a last entry with the sum of all.
struct SharedTerms {
    k: usize,
    positions: Vec<u32>,
    weights_before: Vec<f64>,
}

/// The left text of pairs, with what only a left text needs.
pub struct Left {
    pub text: Arc<Prepared>,
    rules: tiling::Rules,
    tables: Vec<(Representation, Table)>,
    shared: Vec<SharedTerms>,
}

impl Rules {
    /// The rules for runs.
    fn of_runs(&self) -> tiling::Rules {
        let aligned = vec![
            (Representation::Exact, self.aligned_exact),
            (Representation::Renamed, self.aligned_renamed),
            (Representation::PMatch, self.aligned_p_match),
            (Representation::Text, self.aligned_text),
        ];
        tiling::Rules { aligned, repeated: self.table, often: self.table, band: self.band, prose: self.prose }
    }
}

impl Left {
    pub fn new<Load>(
        text: Arc<Prepared>,
        terms: &Terms,
        weights: &[f64],
        rules: &Rules,
        contents: &Contents<Load>,
    ) -> Self {
        let of_runs = rules.of_runs();
        let tables = text.comparable.tables(&of_runs, contents.writing);
        let found = fingerprints(&text.comparable.text, contents.schemes, contents.writing);
        let shared = contents.schemes.iter().zip(found).zip(&terms.frequencies);
        let shared = shared.map(|((scheme, (positions, terms)), frequencies)| {
            let mut made = SharedTerms { k: scheme.k, positions: Vec::new(), weights_before: vec![0.0] };
            let mut sum = 0.0;
            for (position, term) in positions.into_iter().zip(terms) {
                let units = frequencies.of(term >> rules.shortened());
                if units > 0 {
                    sum += weights[units];
                    made.positions.push(position);
                    made.weights_before.push(sum);
                }
            }
            made
        });
        let shared = shared.collect();
        Self { text, rules: of_runs, tables, shared }
    }

    /// The runs that the text shares with a copy of itself: all tokens that are not ignored.
    pub fn unmasked_runs(&self) -> Vec<Run> {
        let (mut runs, mut begin) = (Vec::new(), 0);
        for same in self.text.comparable.masked.chunk_by(|one, other| one == other) {
            let end = begin + same.len() as u32;
            if same[0] == 0 {
                runs.push(Run { shift: 0, begin, end });
            }
            begin = end;
        }
        runs
    }

    /// The matching runs, without stray punctuation at their begin. A run keeps at least `min_tokens` tokens.
    pub fn runs_from_lines<Load>(
        &self,
        right: &Prepared,
        rules: &Rules,
        contents: &Contents<Load>,
        looked: &mut Looked,
    ) -> Vec<Run> {
        let least = rules.min_tokens;
        let (ours, theirs) = (&self.text.comparable, &right.comparable);
        let mut runs = matching_runs(ours, &self.tables, theirs, least, (&self.rules, contents.writing), looked);
        for run in &mut runs {
            let moved = |at: u32| (i64::from(at) + run.shift) as usize;
            let strays = self
                .text
                .strays(run.begin as usize, run.end as usize)
                .max(right.strays(moved(run.begin), moved(run.end)));
            if strays > 0 && strays + least <= run.length() {
                run.begin += strays as u32;
            }
        }
        runs
    }

    /// Weighs each run by the terms that the text has inside it and that other units have too. `total` is the number of
    /// units, `rarest` the weight of a term that only two have.
    pub fn weighed(&self, runs: Vec<Run>, total: usize, rarest: f64) -> Vec<Weighed> {
        let weigh = |run: Run| {
            let (mut weight, mut count) = (0.0, 0);
            for shared in &self.shared {
                let before = |at: usize| shared.positions.partition_point(|&position| (position as usize) < at);
                let first = before(run.begin as usize);
                let end = before((run.end as usize + 1).saturating_sub(shared.k)).max(first);
                weight += shared.weights_before[end] - shared.weights_before[first];
                count += end - first;
            }
            let mean = weight / count.max(1) as f64;
            // The inverse of a weight: the number of units that have such a term.
            let having = ((total as f64 + 1.0) / mean.exp() - 0.5).round_ties_even().max(2.0);
            let submissions = if count > 0 { having as u32 } else { 0 };
            Weighed { run, weight, rarity: (mean / rarest).min(1.0), submissions }
        };
        runs.into_iter().map(weigh).collect()
    }
}

impl Prepared {
    /// The number of symbols that begin a run and end a line; 0 if the run has all of the line or other tokens of it.
    fn strays(&self, begin: usize, end: usize) -> usize {
        let (text, places) = (&self.comparable.text, &self.places);
        let line = places.start_lines[begin];
        if begin == 0 || places.end_lines[begin - 1] != line {
            return 0;
        }
        let is_stray = |&at: &usize| places.start_lines[at] == line && text.class(at) == SYMBOL;
        let at = begin + (begin..end).take_while(is_stray).count();
        if at < end && places.start_lines[at] != line { at - begin } else { 0 }
    }
}
