//! Counts the terms that pairs of files share, as `wherefrom/compare/counting.py` defines it.

use std::ops::Range;
use std::sync::OnceLock;

use super::ByScheme;
use super::members::Members;
use super::rules::Rules;

/// A pair of files that share terms, with the summed weights of these terms, and of the rare ones among them.
#[derive(Clone, Copy)]
pub struct Chosen {
    pub left: u32,
    pub right: u32,
    pub weight: f64,
    pub rare_weight: f64,
}

/// Of terms, this many leading bits have an entry in `Frequencies::begins`.
const LEADING: u32 = 14;

/// Terms that several units have, ascending, and the number of these units.
#[derive(Default)]
pub struct Frequencies {
    terms: Vec<u64>,
    units: Vec<u32>,
    /// Where the terms with each value of their leading bits begin; made when a term is first looked up.
    begins: OnceLock<(u32, Vec<u32>)>,
}

impl Frequencies {
    /// The number of units that have a term; 0 for a term that at most one has.
    pub fn of(&self, term: u64) -> usize {
        let (shift, begins) = self.begins.get_or_init(|| {
            let shift = (64 - self.terms.last().map_or(64, |last| last.leading_zeros())).saturating_sub(LEADING);
            let begin = |lead: u64| self.terms.partition_point(|term| term >> shift < lead) as u32;
            (shift, (0..=1 << LEADING).map(begin).collect())
        });
        let lead = (term >> shift) as usize;
        let Some(&[begin, end]) = begins.get(lead..lead.saturating_add(2)) else { return 0 };
        let near = begin as usize..end as usize;
        self.terms[near.clone()].binary_search(&term).map_or(0, |place| self.units[near.start + place] as usize)
    }
}

/// What the postings say of the terms.
pub struct Terms {
    /// For each file, the summed weights of all its terms.
    pub totals: Vec<f64>,
    pub frequencies: Vec<Frequencies>,
    /// The terms in too many units, which give no pairs; ascending.
    pub common: ByScheme,
    /// For each file, the number of these terms that it has.
    pub common_held: Vec<u32>,
    /// The files of the terms that give pairs, one term after the other; the number of files and the weight of each.
    files: Vec<u32>,
    sizes: Vec<u32>,
    weights: Vec<f64>,
}

impl Terms {
    pub fn new(files: usize, schemes: usize) -> Self {
        Self {
            totals: vec![0.0; files],
            frequencies: (0..schemes).map(|_| Frequencies::default()).collect(),
            common: vec![Vec::new(); schemes],
            common_held: vec![0; files],
            files: Vec::new(),
            sizes: Vec::new(),
            weights: Vec::new(),
        }
    }

    pub fn take(
        &mut self,
        scheme: usize,
        (terms, texts): (&[u64], &[u32]),
        members: &Members,
        excluded: &[u64],
        weights: &[f64],
        most: usize,
    ) {
        let (mut files, mut begin) = (Vec::new(), 0);
        for same in terms.chunk_by(|one, other| one == other) {
            let (term, holders) = (same[0], &texts[begin..begin + same.len()]);
            begin += same.len();
            if excluded.binary_search(&term).is_ok() {
                continue;
            }
            files.clear();
            for &text in holders {
                files.extend_from_slice(members.files_of(text));
            }
            files.sort_unstable();
            files.dedup();
            let units = files.chunk_by(|&one, &other| members.unit(one) == members.unit(other)).count();
            if units > most {
                self.common[scheme].push(term);
                for &file in &files {
                    self.common_held[file as usize] += 1;
                }
                continue;
            }
            let weight = weights[units];
            for &file in &files {
                self.totals[file as usize] += weight;
            }
            if units > 1 {
                self.frequencies[scheme].terms.push(term);
                self.frequencies[scheme].units.push(units as u32);
                self.files.extend_from_slice(&files);
                self.sizes.push(files.len() as u32);
                self.weights.push(weight);
            }
        }
    }

    /// Gives `take` the pairs of files that share terms, ascending. Returns the number of terms beyond the budget, and how
    /// often a pair was dropped.
    pub fn count(&self, members: &Members, rules: &Rules, take: impl FnMut(Chosen)) -> (usize, usize) {
        let mut begins = Vec::with_capacity(self.sizes.len());
        let mut end = 0;
        for &size in &self.sizes {
            begins.push(end);
            end += size as usize;
        }
        let order = self.affordable(rules);
        let unused = self.sizes.len() - order.len();
        let files = members.text_of.len();
        let span = |term: u32| {
            let begin = begins[term as usize];
            begin..begin + self.sizes[term as usize] as usize
        };
        let weights = |term: u32| {
            let weight = self.weights[term as usize];
            (weight, if self.sizes[term as usize] as usize <= rules.common { weight } else { 0.0 })
        };
        let meet = |left: u32, right: u32| members.all_meet || members.may_meet(left, right);
        if files.checked_mul(files).is_none_or(|pairs| pairs > rules.dense) {
            let mut pairs = Pairs::new(files, rules);
            for terms in order.chunk_by(|&one, &other| self.sizes[one as usize] == self.sizes[other as usize]) {
                for part in terms.chunks((rules.at_once / self.pairs_of(terms[0])).max(1)) {
                    for &term in part {
                        let (files, (weight, rare)) = (&self.files[span(term)], weights(term));
                        for (at, &left) in files.iter().enumerate() {
                            let others = files[at + 1..].iter().filter(|&&right| meet(left, right));
                            others.for_each(|&right| pairs.add(left, right, weight, rare));
                        }
                    }
                    pairs.bound();
                }
            }
            return (unused, pairs.give(take));
        }
        self.sum_each_file(&order, files, span, weights, meet, take);
        (unused, 0)
    }

    /// Gives `take` the pairs of files that share some of the terms, ascending. The weights of a pair are summed in the order
    /// of the terms. `span` gives the place of a term's files, `weights` its weight and that as a rare term (else 0). `meet`
    /// tells whether two files are compared.
    fn sum_each_file(
        &self,
        terms: &[u32],
        files: usize,
        span: impl Fn(u32) -> Range<usize>,
        weights: impl Fn(u32) -> (f64, f64),
        meet: impl Fn(u32, u32) -> bool,
        mut take: impl FnMut(Chosen),
    ) {
        // The terms of each file, in order, each with the place of the file among those that have it.
        let mut places = vec![0; files + 1];
        let all = || terms.iter().flat_map(|&term| span(term).map(move |at| (term, at)));
        all().for_each(|(_, at)| places[self.files[at] as usize + 1] += 1);
        for file in 0..files {
            places[file + 1] += places[file];
        }
        let (mut next, mut of_files) = (places.clone(), vec![(0, 0); places[files]]);
        for (term, at) in all() {
            let place: &mut usize = &mut next[self.files[at] as usize];
            of_files[*place] = (term, at as u32);
            *place += 1;
        }
        let mut sums = vec![(0.0, 0.0); files];
        for left in 0..files as u32 {
            for &(term, at) in &of_files[places[left as usize]..places[left as usize + 1]] {
                let (weight, rare) = weights(term);
                for &right in &self.files[at as usize + 1..span(term).end] {
                    if meet(left, right) {
                        let (sum, of_rare) = &mut sums[right as usize];
                        *sum += weight;
                        *of_rare += rare;
                    }
                }
            }
            for (right, sums) in (left + 1..).zip(&mut sums[left as usize + 1..]) {
                let (weight, rare_weight) = std::mem::take(sums);
                if weight != 0.0 {
                    take(Chosen { left, right, weight, rare_weight });
                }
            }
        }
    }

    /// The terms that give pairs, those in the fewest files first, as far as the budget goes.
    fn affordable(&self, rules: &Rules) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.sizes.len() as u32).collect();
        order.sort_by_key(|&term| self.sizes[term as usize]);
        let (mut budget, mut end) = (rules.most_counted, 0);
        for terms in order.chunk_by(|&one, &other| self.sizes[one as usize] == self.sizes[other as usize]) {
            let each = self.pairs_of(terms[0]);
            let affordable = if each <= rules.at_once { terms.len().min(budget / each) } else { 0 };
            budget -= each * affordable;
            end += affordable;
            if affordable < terms.len() {
                break;
            }
        }
        order.truncate(end);
        order
    }

    /// The number of pairs of the files that have a term.
    fn pairs_of(&self, term: u32) -> usize {
        let size = self.sizes[term as usize] as usize;
        size.saturating_mul(size - 1) / 2
    }

    /// Frees what only `count` needs.
    pub fn forget_files(&mut self) {
        self.files = Vec::new();
        self.sizes = Vec::new();
        self.weights = Vec::new();
    }
}

/// Sums the weights of the shared terms for each pair of files: the pairs that have sums, ascending, and what waits to be
/// added to them.
struct Pairs {
    files: u64,
    at_once: usize,
    most_held: usize,
    summed: Vec<(u64, f64, f64)>,
    waiting: Vec<(u64, f64, f64)>,
    dropped: usize,
}

impl Pairs {
    fn new(files: usize, rules: &Rules) -> Self {
        let (summed, waiting) = (Vec::new(), Vec::new());
        let (at_once, most_held) = (rules.at_once, rules.most_held);
        Self { files: files as u64, at_once, most_held, summed, waiting, dropped: 0 }
    }

    fn add(&mut self, left: u32, right: u32, weight: f64, rare: f64) {
        self.waiting.push((u64::from(left) * self.files + u64::from(right), weight, rare));
    }

    /// Keeps the memory bounded.
    fn bound(&mut self) {
        if self.waiting.len() >= self.at_once {
            self.merge();
        }
    }

    fn merge(&mut self) {
        let Self { summed, waiting, .. } = self;
        if waiting.is_empty() {
            return;
        }
        // A stable sort: the sums add up in the order of the terms.
        summed.append(waiting);
        summed.sort_by_key(|&(key, ..)| key);
        summed.dedup_by(|(key, weight, rare), (before, sum, of_rare)| {
            let is_same = key == before;
            if is_same {
                *sum += *weight;
                *of_rare += *rare;
            }
            is_same
        });
        if summed.len() > self.most_held {
            self.dropped += summed.len() - self.most_held / 2;
            summed.sort_by(|(_, one, _), (_, other, _)| other.total_cmp(one));
            summed.truncate(self.most_held / 2);
            summed.sort_unstable_by_key(|&(key, ..)| key);
        }
    }

    /// Gives `take` all pairs, ascending. Returns how many were dropped.
    fn give(mut self, mut take: impl FnMut(Chosen)) -> usize {
        self.merge();
        for (key, weight, rare_weight) in self.summed {
            let [left, right] = [key / self.files, key % self.files].map(|file| file as u32);
            take(Chosen { left, right, weight, rare_weight });
        }
        self.dropped
    }
}
