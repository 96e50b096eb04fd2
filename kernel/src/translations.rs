//! Finds the texts whose words may be those of another text, as `_Words` in `wherefrom/compare/translated.py` defines them.

use std::cmp::Ordering;
use std::sync::OnceLock;

use crate::kgrams::Writing;
use crate::words::Rules;

/// What the evidence in an alignment has to be: `pairs` multiplies the logarithm of 1 + the pairs of neighboring words,
/// and `share` that of the share of the words' bits. The sum is at least `least`.
pub struct Odds {
    pub pairs: f64,
    pub share: f64,
    pub least: f64,
}

/// The words of some texts. The terms of all ascend, each with a text that has it.
pub struct Worded {
    pub words: Vec<Vec<u32>>,
    /// The bits of each word by its code.
    pub bits: Vec<i32>,
    pub terms: Vec<u64>,
    pub holders: Vec<u32>,
    /// The weight of a term by the number of texts that have it.
    pub weights: Vec<f64>,
    /// The square root of the number of tokens of each text.
    pub lengths: Vec<f64>,
    /// The most texts that are aligned with one.
    pub most: usize,
    pub odds: Odds,
    distinct: Vec<OnceLock<Distinct>>,
}

/// The different words of a text, and its pairs of neighboring words; both ascend.
struct Distinct {
    words: Vec<u32>,
    neighbors: Vec<(u32, u32)>,
}

impl Worded {
    /// Returns None if the parts do not belong together. `distinct` is made later.
    #[expect(clippy::too_many_arguments, reason = "they are the fields")]
    pub fn new(
        words: Vec<Vec<u32>>,
        bits: Vec<i32>,
        terms: Vec<u64>,
        holders: Vec<u32>,
        weights: Vec<f64>,
        lengths: Vec<f64>,
        most: usize,
        odds: Odds,
    ) -> Option<Self> {
        let texts = words.len();
        let is_right = words.iter().flatten().all(|&word| (word as usize) < bits.len())
            && terms.is_sorted()
            && terms.len() == holders.len()
            && holders.iter().all(|&text| (text as usize) < texts)
            && weights.len() > texts
            && lengths.len() == texts;
        let distinct = (0..texts).map(|_| OnceLock::new()).collect();
        is_right.then_some(Self { words, bits, terms, holders, weights, lengths, most, odds, distinct })
    }

    /// Of the `allowed` texts that share the most terms with a text for their length, those whose alignment may be
    /// evidence enough; each with the weight of the terms.
    pub fn likely(&self, text: usize, allowed: &[bool], rules: &Rules, writing: &Writing) -> Vec<(usize, f64)> {
        let mut shared = vec![0.0; self.words.len()];
        for term in rules.terms(&self.words[text], writing, true).unwrap_or_default() {
            let begin = self.terms.partition_point(|&other| other < term);
            let count = self.terms[begin..].iter().take_while(|&&other| other == term).count().min(shared.len());
            for &holder in &self.holders[begin..begin + count] {
                shared[holder as usize] += self.weights[count];
            }
        }
        let mut best: Vec<(usize, f64)> =
            shared.into_iter().enumerate().filter(|&(other, weight)| allowed[other] && weight > 0.0).collect();
        let rank = |&(other, weight): &(usize, f64)| weight / self.lengths[other];
        best.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
        best.truncate(self.most);
        best.retain(|&(other, _)| self.may_be_likely(text.min(other), text.max(other)));
        best
    }

    /// Whether the words that both texts have, and their pairs, would be evidence enough if all of them were aligned.
    fn may_be_likely(&self, left: usize, right: usize) -> bool {
        let is_right = self.words[right].len() < self.words[left].len();
        let (query, other) = if is_right { (right, left) } else { (left, right) };
        let (ours, theirs) = (self.distinct(query), self.distinct(other));
        let bits = |word: &u32| i64::from(self.bits[*word as usize]);
        let whole: i64 = ours.words.iter().map(bits).sum();
        let most: i64 = common(&ours.words, &theirs.words).map(|word| bits(word).max(0)).sum();
        let pairs = common(&ours.neighbors, &theirs.neighbors).count() as f64;
        let odds = self.odds.pairs * pairs.ln_1p() + self.odds.share * (most as f64 / whole as f64).ln();
        whole <= 0 || odds >= self.odds.least
    }

    fn distinct(&self, text: usize) -> &Distinct {
        self.distinct[text].get_or_init(|| {
            let mut words = self.words[text].clone();
            let mut neighbors: Vec<(u32, u32)> = words.windows(2).map(|two| (two[0], two[1])).collect();
            words.sort_unstable();
            words.dedup();
            neighbors.sort_unstable();
            neighbors.dedup();
            Distinct { words, neighbors }
        })
    }
}

/// The values that are in both lists, which ascend.
fn common<'a, Value: Ord>(ours: &'a [Value], mut theirs: &'a [Value]) -> impl Iterator<Item = &'a Value> {
    ours.iter().filter(move |value| {
        while let [first, rest @ ..] = theirs {
            match first.cmp(value) {
                Ordering::Less => theirs = rest,
                order => return order == Ordering::Equal,
            }
        }
        false
    })
}
