//! Joins matching pairs of files into pairs of submissions, as `wherefrom/compare/pairing.py` defines them.

use super::Comparison;
use super::matching::Weighed;
use super::rules::Rules;

/// Two files that match; `pairing.MatchedFiles` describes the fields.
pub struct MatchedFiles {
    pub left: u32,
    pub right: u32,
    pub runs: Vec<Weighed>,
    pub shared_weight: f64,
    /// 0 if it cannot be `min_probability`.
    pub probability: f64,
    pub is_identical: bool,
}

/// Matching tokens: file, begin, end (half-open).
pub type Span = (u32, u32, u32);

impl MatchedFiles {
    /// The matching tokens of the left and of the right file.
    pub fn spans(&self) -> impl Iterator<Item = [Span; 2]> {
        self.runs.iter().map(|Weighed { run, .. }| {
            let moved = |at: u32| (i64::from(at) + run.shift) as u32;
            [(self.left, run.begin, run.end), (self.right, moved(run.begin), moved(run.end))]
        })
    }

    /// Its runs as shift, begin and end: by their position in the left file, or in the right one.
    pub fn placed(&self, is_left: bool) -> impl Iterator<Item = (isize, usize, usize)> {
        self.runs.iter().map(move |Weighed { run, .. }| {
            let (shift, begin, end) = (run.shift as isize, run.begin as usize, run.end as usize);
            let moved = |at: usize| at.wrapping_add_signed(shift);
            if is_left { (shift, begin, end) } else { (-shift, moved(begin), moved(end)) }
        })
    }

    pub fn tokens(&self) -> usize {
        self.runs.iter().map(|weighed| weighed.run.length()).sum()
    }

    pub fn weight(&self) -> f64 {
        self.runs.iter().fold(0.0, |sum, weighed| sum + weighed.weight)
    }
}

/// Two submissions that match; `results.SubmissionPair` explains the figures. Of pairs, the first side is the left one.
pub struct MatchedSubmissions {
    pub sides: [u32; 2],
    /// The matching pairs of files, the heaviest first, by their numbers among all.
    pub files: Vec<u32>,
    pub tokens: [usize; 2],
    pub containments: [f64; 2],
    pub resemblance: f64,
    pub similarity: f64,
    pub score: f64,
    pub probability: f64,
    pub weight: f64,
    pub longest_run: usize,
    pub id: String,
    pub is_dismissed: bool,
}

impl Comparison {
    /// The pairs of submissions, the highest score first.
    pub fn paired(&self, is_dismissed: impl Fn(&str) -> bool) -> Vec<MatchedSubmissions> {
        let submissions = &self.members.submissions;
        let sum = |part: &[f64]| part.iter().fold(0.0, |sum, weight| sum + weight);
        let tokens: Vec<usize> =
            submissions.iter().map(|own| own.files.clone().map(|file| self.remaining(file)).sum()).collect();
        let weights: Vec<f64> = submissions.iter().map(|own| sum(&self.terms.totals[own.files.clone()])).collect();

        let all = &self.matches;
        let owners = |&number: &u32| {
            let of = |file: u32| self.members.submission_of[file as usize];
            [of(all[number as usize].left), of(all[number as usize].right)]
        };
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        order.sort_by_key(owners);
        let mut pairs = Vec::new();
        for same in order.chunk_by(|one, other| owners(one) == owners(other)) {
            let sides @ [left, right] = owners(&same[0]).map(|side| side as usize);
            let mut heaviest: Vec<(f64, usize, u32)> = Vec::new();
            for &number in same {
                let own = &all[number as usize];
                heaviest.push((own.weight(), own.tokens(), number));
            }
            heaviest.sort_by(|(weight, tokens, number), (other, others, other_number)| {
                let files = |number: u32| (all[number as usize].left, all[number as usize].right);
                let by_size = other.total_cmp(weight).then(others.cmp(tokens));
                by_size.then_with(|| files(*number).cmp(&files(*other_number)))
            });
            let matched = [0, 1].map(|side| {
                let spans = same.iter().flat_map(|&number| all[number as usize].spans().map(|both| both[side]));
                disjoint(spans.collect()).iter().map(|(_, begin, end)| (end - begin) as usize).sum::<usize>()
            });
            let both = (matched[0] + matched[1]) as f64;
            let similarity = share(both / 2.0, tokens[left].max(tokens[right]) as f64);
            let shared = heaviest.iter().fold(0.0, |sum, &(.., number)| sum + all[number as usize].shared_weight);
            let rarity = share(shared, weights[left].max(weights[right]));
            let id = pair_id(sides.map(|side| submissions[side].name.as_slice()));
            pairs.push(MatchedSubmissions {
                sides: sides.map(|side| side as u32),
                tokens: matched,
                containments: [0, 1].map(|side| share(matched[side] as f64, tokens[sides[side]] as f64)),
                resemblance: share(both, (tokens[left] + tokens[right]) as f64),
                similarity,
                score: (similarity + rarity) / 2.0,
                probability: same.iter().map(|&number| all[number as usize].probability).fold(0.0, f64::max),
                weight: heaviest.iter().fold(0.0, |sum, (weight, ..)| sum + weight),
                longest_run: same.iter().filter_map(|&number| longest(&all[number as usize])).max().unwrap_or(0),
                files: heaviest.into_iter().map(|(.., number)| number).collect(),
                is_dismissed: is_dismissed(&id),
                id,
            });
        }
        let figures = |pair: &MatchedSubmissions| [-pair.score, -pair.similarity];
        pairs.sort_by(|one, other| {
            let [(score, similarity), (score_there, similarity_there)] = [one, other].map(figures).map(|[a, b]| (a, b));
            let by_figures = score.total_cmp(&score_there).then(similarity.total_cmp(&similarity_there));
            by_figures.then_with(|| one.sides.cmp(&other.sides))
        });
        pairs
    }
}

fn longest(files: &MatchedFiles) -> Option<usize> {
    files.runs.iter().map(|weighed| weighed.run.length()).max()
}

/// A share, 0 to 1. Rounding can make a part slightly larger than the whole.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 }
}

/// Spans with the same tokens, ascending, without overlaps.
pub fn disjoint(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    spans.dedup_by(|(file, begin, end), (before, _, reached)| {
        let is_one = file == before && begin <= reached;
        if is_one {
            *reached = (*reached).max(*end);
        }
        is_one
    });
    spans
}

/// The id of a pair of submissions with these names, in any order: 12 hexadecimal digits.
fn pair_id(mut names: [&[u8]; 2]) -> String {
    names.sort_unstable();
    let digest = blake2b_simd::Params::new().hash_length(6).hash(&names.join(&0));
    digest.to_hex().to_string()
}

/// Submissions that are linked by pairs.
pub struct Cluster {
    pub submissions: Vec<u32>,
    /// The numbers of the linking pairs, ascending.
    pub pairs: Vec<usize>,
    pub similarity: f64,
}

/// Which pairs link: those with at least the similarity `cluster_similarity`, and for a submission that has none, the
/// first pair that has nearly all of it, since a small part of another is not similar to it. Dismissed pairs link nothing.
fn linking_pairs(pairs: &[MatchedSubmissions], rules: &Rules, submissions: usize) -> Vec<bool> {
    let mut is_linking: Vec<bool> =
        pairs.iter().map(|pair| pair.similarity >= rules.cluster_similarity && !pair.is_dismissed).collect();
    let mut is_placed = vec![false; submissions];
    for (pair, _) in pairs.iter().zip(&is_linking).filter(|(_, is_linking)| **is_linking) {
        pair.sides.iter().for_each(|&side| is_placed[side as usize] = true);
    }
    for (pair, is_linking) in pairs.iter().zip(&mut is_linking).filter(|(pair, _)| !pair.is_dismissed) {
        for (&side, share) in pair.sides.iter().zip(pair.containments) {
            if !is_placed[side as usize] && share >= rules.cluster_similarity.max(rules.copied) {
                *is_linking = true;
                is_placed[side as usize] = true;
            }
        }
    }
    is_linking
}

/// Groups submissions that pairs link, the largest clusters first.
pub fn clusters(pairs: &[MatchedSubmissions], rules: &Rules, submissions: usize) -> Vec<Cluster> {
    let mut above: Vec<u32> = (0..submissions as u32).collect();
    let is_linking = linking_pairs(pairs, rules, submissions);
    for (pair, _) in pairs.iter().zip(&is_linking).filter(|(_, is_linking)| **is_linking) {
        let [one, other] = pair.sides.map(|side| top(&mut above, side));
        above[one.max(other) as usize] = one.min(other);
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); submissions];
    for submission in 0..submissions as u32 {
        members[top(&mut above, submission) as usize].push(submission);
    }
    let mut linking: Vec<Vec<usize>> = vec![Vec::new(); submissions];
    for (number, pair) in pairs.iter().enumerate().filter(|(number, _)| is_linking[*number]) {
        linking[top(&mut above, pair.sides[0]) as usize].push(number);
    }
    let groups = members.into_iter().zip(linking).filter(|(_, linking)| !linking.is_empty());
    let mut clusters: Vec<Cluster> = groups
        .map(|(submissions, own)| Cluster {
            submissions,
            similarity: own.iter().map(|&number| pairs[number].similarity).fold(0.0, f64::max),
            pairs: own,
        })
        .collect();
    clusters.sort_by_key(|cluster| (usize::MAX - cluster.submissions.len(), cluster.submissions[0]));
    clusters
}

/// The least submission of a group.
fn top(above: &mut [u32], submission: u32) -> u32 {
    let mut at = submission;
    while above[at as usize] != at {
        above[at as usize] = above[above[at as usize] as usize];
        at = above[at as usize];
    }
    at
}
