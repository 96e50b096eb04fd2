//! The texts of a comparison: their tokens, and which of these do not count.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

use super::{ByScheme, Rules};
use crate::background::Model;
use crate::evidence::{self, UNIT};
use crate::hashing;
use crate::kgrams::{self, Representation, Scheme, Writing};
use crate::stored::{Places, opened, opened_with_places};
use crate::text::Text;
use crate::tiling::{Comparable, by_segment, fingerprints};
use crate::tokens::CHARACTER;

/// Texts with this many tokens in all stay open (250 MB). A text counts as at least `LEAST_TOKENS`.
const MOST_TOKENS: usize = 3 << 20;
const LEAST_TOKENS: usize = 256;

/// A stored token stream cannot be read.
#[derive(Debug)]
pub struct Damaged;

/// How the tokens of texts are read: `load` gives the stored stream of a text, uncompressed.
pub struct Contents<'a, Load> {
    pub writing: &'a Writing,
    pub schemes: &'a [Scheme],
    pub model: &'a Model,
    pub load: Load,
}

/// An open text.
pub struct Prepared {
    pub comparable: Comparable,
    pub places: Places,
    symbols: OnceLock<evidence::Text>,
    counted: OnceLock<f64>,
    /// The most units of evidence in a token with each symbol.
    most: OnceLock<Vec<i32>>,
}

impl Prepared {
    /// The number of tokens that count, at least 1. Some letters of prose are one token.
    pub fn counted(&self, rules: &Rules) -> f64 {
        *self.counted.get_or_init(|| {
            let Comparable { text, masked, .. } = &self.comparable;
            let counted = masked.iter().filter(|&&masked| masked == 0).count() as f64;
            let is_prose = (0..text.numbers.len()).all(|at| text.class(at) == CHARACTER);
            (counted / if is_prose { rules.characters } else { 1.0 }).max(1.0)
        })
    }

    /// The most units of evidence in a token with each symbol, whatever is around it.
    fn most(&self, model: &Model) -> &[i32] {
        self.most.get_or_init(|| {
            let text = &self.comparable.text;
            let mut salts: Vec<u64> = text.named().map(|language| model.salt(language.as_bytes())).collect();
            salts.sort_unstable();
            salts.dedup();
            let of = |(&code, &class)| salts.iter().map(|&salt| model.most(code, class, salt)).max().unwrap_or(0);
            text.codes.iter().zip(&text.classes).map(of).collect()
        })
    }

    /// The most bits of evidence in the tokens of some runs (begin and end), whatever is around them.
    pub fn most_bits(&self, runs: impl Iterator<Item = (usize, usize)>, model: &Model) -> f64 {
        let (most, numbers) = (self.most(model), &self.comparable.text.numbers);
        let units = runs.flat_map(|(begin, end)| &numbers[begin..end]).map(|&symbol| i64::from(most[symbol as usize]));
        units.sum::<i64>() as f64 / UNIT as f64
    }

    /// The tokens, without the evidence in them.
    pub fn symbols(&self) -> &evidence::Text {
        self.symbols.get_or_init(|| evidence::Text::of_symbols(&self.comparable.text))
    }

    /// The text with the evidence in the tokens of its `matches` (begin and end of each run) that may be likely, and marks
    /// for these. `is_likely` tells it of a match by its number and the most bits that it may have. None if none is likely.
    pub fn evidence(
        &self,
        matches: &[Vec<(usize, usize)>],
        is_likely: impl Fn(usize, f64) -> bool,
        rules: &Rules,
        model: &Model,
    ) -> Option<(evidence::Query, Vec<bool>)> {
        let text = &self.comparable.text;
        let each = || text.numbers.iter().map(|&number| number as usize);
        let codes: Vec<u64> = each().map(|at| text.codes[at]).collect();
        let classes: Vec<u8> = each().map(|at| text.classes[at]).collect();
        let mut quiet = vec![true; codes.len()];
        let mut read = |run: &(usize, usize)| quiet[run.0..run.1].fill(false);
        matches.iter().flatten().for_each(&mut read);
        let (mut repeated, mut kept) = (None, vec![true; matches.len()]);
        if classes.iter().any(|&class| class != CHARACTER) {
            // A token is at most as much evidence as after the same tokens earlier in the text.
            let (most, again) = (self.most(model), model.expected(&codes, &quiet));
            let units =
                |at: usize| ((again[at] * UNIT as f64) as i32).saturating_add(2).min(most[text.numbers[at] as usize]);
            for (number, (runs, kept)) in matches.iter().zip(&mut kept).enumerate() {
                let all: i64 = runs.iter().flat_map(|&(begin, end)| begin..end).map(|at| i64::from(units(at))).sum();
                *kept = is_likely(number, all as f64 / UNIT as f64);
            }
            repeated = Some(again);
            quiet.fill(true);
            let mut read = |run: &(usize, usize)| quiet[run.0..run.1].fill(false);
            matches.iter().zip(&kept).filter(|(_, kept)| **kept).flat_map(|(runs, _)| runs).for_each(&mut read);
        }
        if !kept.contains(&true) {
            return None;
        }
        let mut salts = vec![0; codes.len()];
        for ((begin, end), language) in text.spans().zip(text.named()) {
            salts[begin..end].fill(model.salt(language.as_bytes()));
        }
        let bits = model.bits(&codes, &classes, &salts, &quiet, repeated);
        let made = evidence::Query::new(evidence::Text::of_symbols(text), bits, rules.of_alignment());
        Some((made.expect("the model gives bits for each token"), kept))
    }
}

impl<E: From<Damaged>, Load: Fn(usize) -> Result<Vec<u8>, E>> Contents<'_, Load> {
    pub fn opened(&self, text: usize) -> Result<Text, E> {
        opened(&(self.load)(text)?).ok_or_else(|| Damaged.into())
    }

    fn prepared(&self, text: usize, mask: &[(u32, u32)]) -> Result<Prepared, E> {
        let (text, places) = opened_with_places(&(self.load)(text)?).ok_or(Damaged)?;
        let mut masked = vec![0; text.numbers.len()];
        for &(begin, end) in mask {
            masked[begin as usize..end as usize].fill(1);
        }
        Ok(Prepared {
            comparable: Comparable::new(text, masked),
            places,
            symbols: OnceLock::new(),
            counted: OnceLock::new(),
            most: OnceLock::new(),
        })
    }

    /// Adds the k-grams of a text that are wholly in its code with `common` terms, as `common_grams` in
    /// `wherefrom/compare/matching.py` does.
    pub fn add_common(&self, text: &Text, common: &[Vec<u64>], shortened: u32, known: &mut ByScheme) {
        let mut inside = vec![false; text.numbers.len()];
        let found = fingerprints(text, self.schemes, self.writing);
        for ((scheme, (positions, terms)), wanted) in self.schemes.iter().zip(found).zip(common) {
            if !matches!(scheme.representation, Representation::Exact | Representation::Text) {
                continue;
            }
            // Tokens between two such k-grams count too if the sampler kept nothing in between.
            let is_common: Vec<bool> =
                terms.iter().map(|term| wanted.binary_search(&(term >> shortened)).is_ok()).collect();
            let mut begin = 0;
            for same in is_common.chunk_by(|one, other| one == other) {
                let end = begin + same.len();
                if same[0] {
                    inside[positions[begin] as usize..positions[end - 1] as usize + scheme.k].fill(true);
                }
                begin = end;
            }
        }
        // For each token how many before it are not inside.
        let mut outside = vec![0; inside.len() + 1];
        for (at, &is_inside) in inside.iter().enumerate() {
            outside[at + 1] = outside[at] + usize::from(!is_inside);
        }
        let mut hashes = Vec::new();
        by_segment(text, self.writing, |begin, segment| {
            for (scheme, known) in self.schemes.iter().zip(known.iter_mut()) {
                kgrams::hashes(segment, scheme.representation, scheme.k, self.writing, &mut hashes);
                let placed = (begin..).zip(&hashes);
                known.extend(placed.filter(|(at, _)| outside[at + scheme.k] == outside[*at]).map(|(_, hash)| hash));
            }
        });
    }

    /// Marks the tokens of a text that are in a k-gram of one of the `sets`, as `boilerplate_mask` in
    /// `wherefrom/queries/preparation/preparing.py` does. K-grams of `p_match` count only in a row.
    pub fn masked(&self, text: &Text, sets: &[ByScheme]) -> Vec<bool> {
        let mut masked = vec![false; text.numbers.len()];
        let mut hashes = Vec::new();
        for (number, scheme) in self.schemes.iter().enumerate() {
            let least = if scheme.representation == Representation::PMatch { scheme.w } else { 1 };
            // K-grams of neighboring segments may be neighbors too.
            let mut rows = vec![(0, 0); sets.len()];
            by_segment(text, self.writing, |begin, segment| {
                kgrams::hashes(segment, scheme.representation, scheme.k, self.writing, &mut hashes);
                for (set, (first, end)) in sets.iter().zip(&mut rows) {
                    for (position, hash) in (begin..).zip(&hashes) {
                        if set[number].binary_search(hash).is_err() {
                            continue;
                        }
                        if position != *end {
                            *first = position;
                        }
                        *end = position + 1;
                        if *end - *first == least {
                            masked[*first..position + scheme.k].fill(true);
                        } else if *end - *first > least {
                            masked[position + scheme.k - 1] = true;
                        }
                    }
                }
            });
        }
        masked
    }
}

/// The spans of tokens (half-open, ascending) that do not count, by text.
pub struct Masks(Vec<Vec<(u32, u32)>>);

impl Masks {
    pub fn new(texts: usize) -> Self {
        Self(vec![Vec::new(); texts])
    }

    pub fn set(&mut self, text: u32, masked: &[bool]) {
        let mut begin = 0;
        for same in masked.chunk_by(|one, other| one == other) {
            let end = begin + same.len() as u32;
            if same[0] {
                self.0[text as usize].push((begin, end));
            }
            begin = end;
        }
    }

    pub fn of(&self, text: u32) -> &[(u32, u32)] {
        &self.0[text as usize]
    }

    /// The number of tokens of a text that do not count.
    pub fn count(&self, text: u32) -> usize {
        self.of(text).iter().map(|(begin, end)| (end - begin) as usize).sum()
    }
}

/// The texts that are open. Those that were opened first are closed first.
#[derive(Default)]
pub struct Texts {
    open: HashMap<u32, Arc<Prepared>>,
    order: VecDeque<(u32, usize)>,
    tokens: usize,
}

impl Texts {
    pub fn prepared<E: From<Damaged>>(
        &mut self,
        text: u32,
        masks: &Masks,
        contents: &Contents<impl Fn(usize) -> Result<Vec<u8>, E>>,
    ) -> Result<Arc<Prepared>, E> {
        if let Some(found) = self.open.get(&text) {
            return Ok(Arc::clone(found));
        }
        let made = Arc::new(contents.prepared(text as usize, masks.of(text))?);
        let tokens = made.places.starts.len().max(LEAST_TOKENS);
        while self.tokens + tokens > MOST_TOKENS {
            let Some((first, freed)) = self.order.pop_front() else { break };
            self.open.remove(&first);
            self.tokens -= freed;
        }
        self.tokens += tokens;
        self.order.push_back((text, tokens));
        self.open.insert(text, Arc::clone(&made));
        Ok(made)
    }
}

/// The terms of the k-grams in some sets, ascending, by scheme.
pub fn excluded(sets: &[ByScheme], schemes: &[Scheme], shortened: u32) -> ByScheme {
    let of_scheme = |(number, scheme): (usize, &Scheme)| {
        let hashes: Vec<u64> = sets.iter().flat_map(|set| &set[number]).copied().collect();
        let mut terms = hashing::terms(&hashes, scheme.bits);
        terms.iter_mut().for_each(|term| *term >>= shortened);
        terms.dedup();
        terms
    };
    schemes.iter().enumerate().map(of_scheme).collect()
}
