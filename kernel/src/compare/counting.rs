//! Counts the terms that pairs of files share, as `wherefrom/compare/counting.py` defines it.

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

    /// Adds the pairs of each term, terms in the fewest files first. Returns the number of terms beyond the budget.
    pub fn count(&self, members: &Members, rules: &Rules, pairs: &mut Pairs) -> usize {
        let mut begins = Vec::with_capacity(self.sizes.len());
        let mut end = 0;
        for &size in &self.sizes {
            begins.push(end);
            end += size as usize;
        }
        let mut order: Vec<u32> = (0..self.sizes.len() as u32).collect();
        order.sort_by_key(|&term| self.sizes[term as usize]);
        let (mut budget, mut counted) = (rules.most_counted, 0);
        for terms in order.chunk_by(|&one, &other| self.sizes[one as usize] == self.sizes[other as usize]) {
            let size = self.sizes[terms[0] as usize] as usize;
            let each = size.saturating_mul(size - 1) / 2;
            let affordable = if each <= rules.at_once { terms.len().min(budget / each) } else { 0 };
            for part in terms[..affordable].chunks((rules.at_once / each).max(1)) {
                for &term in part {
                    let begin = begins[term as usize];
                    let files = &self.files[begin..begin + size];
                    let weight = self.weights[term as usize];
                    let rare = if size <= rules.common { weight } else { 0.0 };
                    for (at, &left) in files.iter().enumerate() {
                        for &right in &files[at + 1..] {
                            if members.all_meet || members.may_meet(left, right) {
                                pairs.add(left, right, weight, rare);
                            }
                        }
                    }
                }
                pairs.bound();
            }
            budget -= each * affordable;
            counted += affordable;
            if affordable < terms.len() {
                break;
            }
        }
        order.len() - counted
    }

    /// Frees what only `count` needs.
    pub fn forget_files(&mut self) {
        self.files = Vec::new();
        self.sizes = Vec::new();
        self.weights = Vec::new();
    }
}

/// Sums the weights of the shared terms for each pair of files.
pub struct Pairs {
    files: usize,
    at_once: usize,
    most_held: usize,
    sums: Sums,
    dropped: usize,
}

/// The sums of all terms and of the rare ones.
enum Sums {
    /// A place for each pair, ascending, if there are few files.
    Table(Vec<(f64, f64)>),
    /// The pairs that have sums, ascending, and what waits to be added to them.
    Sorted { held: Vec<(u64, f64, f64)>, waiting: Vec<(u64, f64, f64)> },
}

impl Pairs {
    pub fn new(files: usize, rules: &Rules) -> Self {
        let sums = match files.checked_mul(files) {
            Some(pairs) if pairs <= rules.dense => Sums::Table(vec![(0.0, 0.0); (pairs - files) / 2]),
            _ => Sums::Sorted { held: Vec::new(), waiting: Vec::new() },
        };
        Self { files, at_once: rules.at_once, most_held: rules.most_held, sums, dropped: 0 }
    }

    #[inline]
    fn add(&mut self, left: u32, right: u32, weight: f64, rare: f64) {
        match &mut self.sums {
            Sums::Table(sums) => {
                let (left, right) = (left as usize, right as usize);
                let (all, of_rare) = &mut sums[left * (2 * self.files - left - 1) / 2 + right - left - 1];
                *all += weight;
                *of_rare += rare;
            }
            Sums::Sorted { waiting, .. } => {
                waiting.push((u64::from(left) * self.files as u64 + u64::from(right), weight, rare));
            }
        }
    }

    /// Keeps the memory bounded.
    fn bound(&mut self) {
        if matches!(&self.sums, Sums::Sorted { waiting, .. } if waiting.len() >= self.at_once) {
            self.merge();
        }
    }

    fn merge(&mut self) {
        let Sums::Sorted { held, waiting } = &mut self.sums else { return };
        if waiting.is_empty() {
            return;
        }
        // A stable sort: the sums add up in the order of the terms.
        held.append(waiting);
        held.sort_by_key(|&(key, ..)| key);
        held.dedup_by(|(key, weight, rare), (before, sum, of_rare)| {
            let is_same = key == before;
            if is_same {
                *sum += *weight;
                *of_rare += *rare;
            }
            is_same
        });
        if held.len() > self.most_held {
            self.dropped += held.len() - self.most_held / 2;
            held.sort_by(|(_, one, _), (_, other, _)| other.total_cmp(one));
            held.truncate(self.most_held / 2);
            held.sort_unstable_by_key(|&(key, ..)| key);
        }
    }

    /// All pairs, ascending, and how many were dropped.
    pub fn all(mut self) -> (Vec<Chosen>, usize) {
        self.merge();
        let files = self.files.max(1) as u64;
        let chosen = |(key, weight, rare_weight): (u64, f64, f64)| Chosen {
            left: (key / files) as u32,
            right: (key % files) as u32,
            weight,
            rare_weight,
        };
        let pairs = match self.sums {
            Sums::Table(sums) => {
                let pairs = (0..files).flat_map(|left| (left + 1..files).map(move |right| left * files + right));
                let filled = pairs.zip(sums).filter(|(_, (weight, _))| *weight != 0.0);
                filled.map(|(key, (weight, rare))| chosen((key, weight, rare))).collect()
            }
            Sums::Sorted { held, .. } => held.into_iter().map(chosen).collect(),
        };
        (pairs, self.dropped)
    }
}
