//! The chains of a document within its best windows, as `align` in `wherefrom/queries/alignment/aligning.py` defines them.

use std::collections::HashMap;

use crate::chains::heaviest_chain;

/// The k-grams of a window of a query in one representation (`chains.Grams`).
pub struct Grams {
    k: usize,
    /// For each distinct hash, by its number: where its occurrences end, and the greatest of their weights.
    ends: Vec<usize>,
    heaviest: Vec<f64>,
    /// The occurrences, ordered by hash and then position: where each begins in the query, and its weight.
    positions: Vec<i64>,
    weights: Vec<f64>,
}

impl Grams {
    /// Returns None if the lengths of the values differ, or a k-gram begins before the first token.
    pub fn new(k: usize, counts: &[u32], heaviest: Vec<f64>, positions: Vec<i64>, weights: Vec<f64>) -> Option<Self> {
        let running = counts.iter().scan(0, |end, &count| {
            *end += count as usize;
            Some(*end)
        });
        let ends: Vec<usize> = running.collect();
        let end = ends.last().copied().unwrap_or(0);
        let fits = heaviest.len() == counts.len() && positions.len() == end && weights.len() == end;
        (fits && k > 0 && positions.iter().all(|&at| at >= 0)).then_some(Self { k, ends, heaviest, positions, weights })
    }

    fn begin(&self, number: usize) -> usize {
        number.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// The number of tokens that a query needs to have all these k-grams.
    fn tokens(&self) -> usize {
        self.positions.iter().max().map_or(0, |&last| last as usize + self.k)
    }
}

/// The k-grams of one representation that a document shares with the window.
pub struct Shared {
    /// The index of the representation's `Grams`.
    pub grams: usize,
    /// Where the k-grams begin in the document, ascending.
    pub positions: Vec<i64>,
    /// For each of them, the number of its hash.
    pub numbers: Vec<i64>,
}

/// A chain of one representation (`alignment.Chain`).
pub struct Chain {
    pub grams: usize,
    pub weight: f64,
    pub query: Vec<i64>,
    pub document: Vec<i64>,
    pub covered: usize,
    pub distinct: usize,
}

/// If a hash makes more than `often` pairs, only occurrences whose ranks differ by at most `band` are paired.
#[derive(Clone, Copy)]
pub struct Bands {
    pub often: usize,
    pub band: usize,
}

/// Whether `shared` refers only to these k-grams, and `masked` covers all their tokens.
pub fn fits(grams: &[Grams], shared: &[Shared], masked: &[u8]) -> bool {
    let are_there = shared.iter().all(|own| {
        own.positions.len() == own.numbers.len()
            && own.positions.is_sorted()
            && grams.get(own.grams).is_some_and(|of| {
                own.numbers.iter().all(|&number| usize::try_from(number).is_ok_and(|number| number < of.ends.len()))
            })
    });
    are_there && grams.iter().all(|of| of.tokens() <= masked.len())
}

/// The chains within each window of a document that `align` chooses, in the order of the windows.
pub fn chains(grams: &[Grams], shared: &[Shared], width: i64, masked: &[u8], bands: Bands) -> Vec<Vec<Chain>> {
    let mut windows = [true, false].map(|repeats| best_window(grams, shared, width, repeats)).to_vec();
    windows.sort_unstable();
    windows.dedup();
    let within = |begin: i64| {
        let own = shared.iter().filter_map(|own| within(&grams[own.grams], own, (begin, begin + width), masked, bands));
        own.collect()
    };
    windows.into_iter().map(within).collect()
}

/// The start of the window whose k-grams weigh most. Without `repeats`, a k-gram that occurs again within the width
/// counts once.
fn best_window(grams: &[Grams], shared: &[Shared], width: i64, repeats: bool) -> i64 {
    let mut places = Vec::new();
    for own in shared {
        let of = &grams[own.grams];
        let mut last = vec![None; of.ends.len()];
        for (&position, &number) in own.positions.iter().zip(&own.numbers) {
            let number = number as usize;
            let before = last[number].replace(position);
            let counts = repeats || before.is_none_or(|before: i64| position - before >= width);
            let weight = if counts { of.heaviest[number] / of.k as f64 } else { 0.0 };
            places.push((position, weight));
        }
    }
    places.sort_by_key(|&(position, _)| position);
    let mut sums = Vec::with_capacity(places.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    for (_, weight) in &places {
        sum += weight;
        sums.push(sum);
    }
    let (mut best, mut most, mut behind) = (0, f64::NEG_INFINITY, 0);
    for (at, &(position, _)) in places.iter().enumerate() {
        while places.get(behind).is_some_and(|place| place.0 < position + width) {
            behind += 1;
        }
        let weight = sums[behind] - sums[at];
        if weight > most {
            (best, most) = (position, weight);
        }
    }
    best
}

/// The heaviest chain of one representation within a window of the document, None if nothing is shared there.
fn within(of: &Grams, shared: &Shared, (begin, end): (i64, i64), masked: &[u8], bands: Bands) -> Option<Chain> {
    let low = shared.positions.partition_point(|&position| position < begin);
    let high = shared.positions.partition_point(|&position| position < end);
    if low == high {
        return None;
    }
    let (positions, numbers) = (&shared.positions[low..high], &shared.numbers[low..high]);
    let pairs = Pairs::new(of, numbers, bands);
    let (weight, chosen) = heaviest_chain(&pairs.query, &pairs.weights);
    let query: Vec<i64> = chosen.iter().map(|&pair| pairs.query[pair]).collect();
    let mut distinct: Vec<i64> = chosen.iter().map(|&pair| numbers[pairs.index[pair]]).collect();
    distinct.sort_unstable();
    distinct.dedup();
    Some(Chain {
        grams: shared.grams,
        weight,
        covered: covered(&query, of.k, masked),
        distinct: distinct.len(),
        document: chosen.iter().map(|&pair| positions[pairs.index[pair]]).collect(),
        query,
    })
}

/// The pairs of occurrences of the same hash, as `Grams.pairs` gives them. `index` refers to the shared k-grams.
struct Pairs {
    query: Vec<i64>,
    weights: Vec<f64>,
    index: Vec<usize>,
}

impl Pairs {
    fn new(of: &Grams, numbers: &[i64], bands: Bands) -> Self {
        let mut counts: HashMap<i64, (usize, usize)> = HashMap::new();
        for &number in numbers {
            counts.entry(number).or_default().0 += 1;
        }
        let mut pairs = Self { query: Vec::new(), weights: Vec::new(), index: Vec::new() };
        for (index, &number) in numbers.iter().enumerate() {
            let (mut begin, mut end) = (of.begin(number as usize), of.ends[number as usize]);
            let count = end - begin;
            let (in_document, rank) = counts.entry(number).or_default();
            if count * *in_document > bands.often {
                let low = rank.saturating_sub(bands.band).min(count.saturating_sub(1));
                let high = (*rank + bands.band + 1).min(count);
                (begin, end) = (begin + low, begin + high.max(low));
            }
            *rank += 1;
            // For one document position, the query's positions descend, so that a chain takes at most one of them.
            for at in (begin..end).rev() {
                pairs.query.push(of.positions[at]);
                pairs.weights.push(of.weights[at]);
                pairs.index.push(index);
            }
        }
        pairs
    }
}

/// The number of tokens that k-grams at these ascending positions cover and that are not masked.
fn covered(positions: &[i64], k: usize, masked: &[u8]) -> usize {
    let (mut count, mut behind) = (0, 0);
    for &position in positions {
        let (begin, end) = (behind.max(position as usize), position as usize + k);
        count += masked[begin..end].iter().filter(|&&is_masked| is_masked == 0).count();
        behind = end;
    }
    count
}
