//! Compares submissions: counts the terms that pairs of files share, finds the matching runs of the likely pairs, and
//! joins them into pairs of submissions. `wherefrom/compare/comparing.py` defines the result.
//!
//! A caller makes a `Comparison`, gives it the postings of its texts (`take`), lets it choose pairs of files (`choose`),
//! masks the texts (`mask`), compares the chosen pairs (`step`), and asks for the answer (`answer`). Texts are numbered;
//! the caller gives their stored token streams when they are needed.

mod answer;
mod counting;
mod json;
mod matching;
mod members;
mod pairing;
mod regions;
mod rules;
#[cfg(feature = "web")]
mod template;
mod texts;

use std::sync::Arc;

pub use members::{Members, Role};
pub use pairing::MatchedFiles;
pub use rules::Rules;
#[cfg(feature = "web")]
pub use template::Template;
pub use texts::{Contents, Damaged};

use counting::{Chosen, Terms};
use matching::Left;
use texts::{Masks, Prepared, Texts};

use crate::evidence::UNIT;
use crate::kgrams::Scheme;
use crate::tiling::Looked;

/// Hashes or terms by scheme.
pub type ByScheme = Vec<Vec<u64>>;

/// What the comparison left out, by cause (`results.CutOff`).
#[derive(Default)]
struct LeftOut {
    terms_beyond_budget: usize,
    light_pairs: usize,
    pairs_beyond_budget: usize,
    short_pairs: usize,
}

pub struct Comparison {
    rules: Rules,
    members: Members,
    /// The number of tokens of each text.
    tokens: Vec<u32>,
    /// The weight of a term by the number of units that have it, from 0 to their number, and at least to 2.
    weights: Vec<f64>,
    /// The k-grams of template code and boilerplate, ascending, by set and scheme; their terms by scheme.
    sets: Vec<ByScheme>,
    excluded: ByScheme,
    terms: Terms,
    sharing: usize,
    chosen: Vec<Chosen>,
    /// The number of chosen pairs that were compared.
    done: usize,
    masks: Masks,
    matches: Vec<MatchedFiles>,
    /// The matches without a probability that may be likely: each with the text that has fewer tokens, and its number.
    unjudged: Vec<(u32, usize)>,
    left_out: LeftOut,
    texts: Texts,
    left: Option<(u32, Arc<Left>)>,
    looked: Looked,
    /// Whether the k-grams of common code are among the sets.
    is_gathered: bool,
}

impl Comparison {
    /// `tokens` has the number of tokens of each text, `sets` the k-grams of template code and boilerplate (ascending),
    /// `weights` the weights of terms (`Comparison.weights`). Returns None if these do not belong together.
    pub fn new(
        rules: Rules,
        members: Members,
        tokens: Vec<u32>,
        sets: Vec<ByScheme>,
        schemes: &[Scheme],
        weights: Vec<f64>,
    ) -> Option<Self> {
        let is_right = members.text_of.iter().all(|&text| (text as usize) < tokens.len())
            && sets.iter().all(|set| set.len() == schemes.len())
            && weights.len() > members.units().max(2);
        is_right.then(|| Self {
            terms: Terms::new(members.text_of.len(), schemes.len()),
            excluded: texts::excluded(&sets, schemes, rules.shortened()),
            masks: Masks::new(tokens.len()),
            rules,
            members,
            tokens,
            weights,
            sets,
            sharing: 0,
            chosen: Vec::new(),
            done: 0,
            matches: Vec::new(),
            unjudged: Vec::new(),
            left_out: LeftOut::default(),
            texts: Texts::default(),
            left: None,
            looked: Looked::default(),
            is_gathered: false,
        })
    }

    /// Takes postings of one scheme: each term (ascending) with a text that has it. All postings of a term must be in
    /// the same call. Returns false if there is no such scheme or text.
    pub fn take(&mut self, scheme: usize, terms: &[u64], texts: &[u32]) -> bool {
        let is_right = terms.len() == texts.len()
            && scheme < self.excluded.len()
            && texts.iter().all(|&text| (text as usize) < self.tokens.len());
        if is_right {
            let most = self.rules.common.max((self.rules.max_share * self.members.units() as f64) as usize);
            let excluded = &self.excluded[scheme];
            self.terms.take(scheme, (terms, texts), &self.members, excluded, &self.weights, most);
        }
        is_right
    }

    /// Counts the terms that pairs of files share, and chooses the pairs to compare. Returns their number.
    pub fn choose(&mut self) -> usize {
        let (rules, rarest, totals) = (&self.rules, self.rarest(), &self.terms.totals);
        let share = |pair: &Chosen| pair.weight / totals[pair.left as usize].min(totals[pair.right as usize]);
        let (mut sharing, mut likely) = (0, Vec::new());
        // Those that share a part of their code, or many rare terms.
        let (unused, dropped) = self.terms.count(&self.members, rules, |pair| {
            sharing += 1;
            let is_heavy = pair.weight >= rules.rare_terms * rarest && share(&pair) >= rules.least_shared;
            if is_heavy || pair.rare_weight >= rules.many_rare_terms * rarest {
                likely.push(pair);
            }
        });
        self.left_out.terms_beyond_budget = unused;
        self.left_out.light_pairs = dropped + sharing - likely.len();
        if likely.len() > rules.most_compared {
            self.left_out.pairs_beyond_budget = likely.len() - rules.most_compared;
            likely.sort_by(|one, other| share(other).total_cmp(&share(one)));
            likely.truncate(rules.most_compared);
            likely.sort_by_key(|pair| (pair.left, pair.right));
        }
        self.sharing = sharing;
        self.chosen = likely;
        self.terms.forget_files();
        self.chosen.len()
    }

    /// The weight of a term that only two units have.
    fn rarest(&self) -> f64 {
        self.weights[2]
    }

    /// The texts to mask: all if there is template code or common code.
    pub fn to_mask(&self) -> Vec<u32> {
        if self.sets.is_empty() && self.holders().is_empty() {
            return Vec::new();
        }
        sorted(self.members.text_of.clone())
    }

    /// The texts that have several common terms. One common term may be a coincidence.
    fn holders(&self) -> Vec<u32> {
        let files = (0..self.members.text_of.len()).filter(|&file| self.terms.common_held[file] > 1);
        sorted(files.map(|file| self.members.text_of[file]).collect())
    }

    /// Masks the ignored tokens of a text: those of template code, and of common code.
    pub fn mask<E: From<Damaged>>(
        &mut self,
        text: u32,
        contents: &Contents<impl Fn(usize) -> Result<Vec<u8>, E>>,
    ) -> Result<(), E> {
        if !self.is_gathered {
            let mut common = vec![Vec::new(); contents.schemes.len()];
            for holder in self.holders() {
                let opened = contents.opened(holder as usize)?;
                contents.add_common(&opened, &self.terms.common, self.rules.shortened(), &mut common);
            }
            self.sets.push(common.into_iter().map(sorted).collect());
            self.is_gathered = true;
        }
        let opened = contents.opened(text as usize)?;
        self.masks.set(text, &contents.masked(&opened, &self.sets));
        Ok(())
    }

    /// Compares the next chosen pair of files token by token, or after the last one, judges the matches of a text.
    /// Returns false if none is left.
    pub fn step<E: From<Damaged>>(
        &mut self,
        contents: &Contents<impl Fn(usize) -> Result<Vec<u8>, E>>,
    ) -> Result<bool, E> {
        let Some(&pair) = self.chosen.get(self.done) else { return self.judge(contents) };
        let [ours, theirs] = [pair.left, pair.right].map(|file| self.members.text_of[file as usize]);
        let left = match &self.left {
            Some((text, left)) if *text == ours => Arc::clone(left),
            _ => {
                let text = self.texts.prepared(ours, &self.masks, contents)?;
                let left = Left::new(text, &self.terms, &self.weights, &self.rules, contents);
                let left = Arc::new(left);
                self.left = Some((ours, Arc::clone(&left)));
                left
            }
        };
        let right = self.texts.prepared(theirs, &self.masks, contents)?;
        let runs = if ours == theirs {
            left.unmasked_runs()
        } else {
            left.runs_from_lines(&right, &self.rules, contents, &mut self.looked)
        };
        if runs.is_empty() {
            self.left_out.short_pairs += 1;
        } else {
            let is_left = left.text.counted(&self.rules) <= right.counted(&self.rules);
            let (text, own) = if is_left { (ours, &left.text) } else { (theirs, &right) };
            let found = MatchedFiles {
                left: pair.left,
                right: pair.right,
                runs: left.weighed(runs, self.members.units(), self.rarest()),
                shared_weight: pair.weight,
                probability: 0.0,
                is_identical: ours == theirs,
            };
            // Most pairs are found not to be evidence without a look at what is around their tokens.
            let most = own.most_bits(found.placed(is_left).map(|(_, begin, end)| (begin, end)), contents.model);
            if self.probability(own, most, &found) >= self.rules.min_probability {
                self.unjudged.push((text, self.matches.len()));
            }
            self.matches.push(found);
        }
        self.done += 1;
        if self.done == self.chosen.len() {
            self.left = None;
            self.unjudged.sort_unstable();
        }
        Ok(true)
    }

    /// Tells how probably the texts of some matches are copies: the matches of one text, which has fewer tokens than the
    /// others. So its evidence is found once, and only in the tokens of their runs. Returns false if none is left.
    fn judge<E: From<Damaged>>(
        &mut self,
        contents: &Contents<impl Fn(usize) -> Result<Vec<u8>, E>>,
    ) -> Result<bool, E> {
        let Some(&(text, _)) = self.unjudged.last() else { return Ok(false) };
        let begin = self.unjudged.partition_point(|&(other, _)| other < text);
        let own = self.texts.prepared(text, &self.masks, contents)?;
        let sides = |found: &MatchedFiles| [found.left, found.right].map(|file| self.members.text_of[file as usize]);
        let group = self.unjudged.split_off(begin);
        let runs = |&(_, number): &(u32, usize)| {
            let found = &self.matches[number];
            found.placed(sides(found)[0] == text).map(|(_, begin, end)| (begin, end)).collect()
        };
        let runs: Vec<Vec<_>> = group.iter().map(runs).collect();
        let is_likely = |at: usize, most: f64| {
            self.probability(&own, most, &self.matches[group[at].1]) >= self.rules.min_probability
        };
        let Some((evidence, kept)) = own.evidence(&runs, is_likely, &self.rules, contents.model) else {
            return Ok(true);
        };
        for (_, number) in group.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(pair, _)| pair) {
            let found = &self.matches[number];
            let [left, right] = sides(found);
            let other = self.texts.prepared(if left == text { right } else { left }, &self.masks, contents)?;
            let bits = evidence.weighed(other.symbols(), found.placed(left == text));
            let bits = f64::from(bits) / UNIT as f64;
            self.matches[number].probability = self.probability(&own, bits, found);
        }
        Ok(true)
    }

    /// How probably a match with these bits of evidence is a copy; `own` is the text with fewer tokens.
    fn probability(&self, own: &Prepared, bits: f64, found: &MatchedFiles) -> f64 {
        let units = (self.members.units() as f64).ln_1p();
        self.rules.probability(bits, own.counted(&self.rules), found.shared_weight / units)
    }

    /// The number of tokens of a file that count.
    fn remaining(&self, file: usize) -> usize {
        let text = self.members.text_of[file];
        (self.tokens[text as usize] as usize).saturating_sub(self.masks.count(text))
    }

    /// All pairs of files that match.
    pub fn matches(&self) -> &[MatchedFiles] {
        &self.matches
    }
}

/// The different values, ascending.
fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}

/// The weights of terms (idf, as in a search) by the number of units that have them, as `weight_of` in
/// `wherefrom/compare/counting.py` defines them.
#[cfg(feature = "web")]
pub fn weights(units: usize) -> Vec<f64> {
    let total = units as f64;
    (0..=units.max(2)).map(|having| (total - having as f64 + 0.5) / (having as f64 + 0.5)).map(f64::ln_1p).collect()
}
