//! Writes the answer of a comparison as JSON, with the names of `wherefrom/results/comparison.py`. Pairs of numbers
//! (`gaps` and `facing`) are written one after the other in one list, since a list for each would take longer to read.

use std::sync::Arc;

use super::json::Json;
use super::matching::Weighed;
use super::pairing::{Cluster, MatchedFiles, MatchedSubmissions, clusters, disjoint};
use super::regions::{facing_lines, strictest};
use super::texts::{Contents, Damaged, Prepared};
use super::{Comparison, Role};

/// The pairs that were found, and what follows from them.
struct Found {
    /// The pairs of the answer, then those beyond the limit.
    pairs: Vec<MatchedSubmissions>,
    shown: usize,
    unlikely: usize,
    clusters: Vec<Cluster>,
}

const DIGITS: usize = 6;

impl Comparison {
    /// The answer, once all chosen pairs are compared; `is_dismissed` tells of an id whether a reader dismissed the pair.
    pub fn answer<E: From<Damaged>>(
        &mut self,
        contents: &Contents<impl Fn(usize) -> Result<Vec<u8>, E>>,
        is_dismissed: impl Fn(&str) -> bool,
    ) -> Result<String, E> {
        let found = self.found(is_dismissed);
        let mut json = Json::default();
        let mut failed = None;
        json.object(|json| {
            self.write_counts(json, &found);
            self.write_submissions(json, &found);
            json.name("clusters").array(&found.clusters, |json, cluster| write_cluster(json, cluster, found.shown));
            let shown = &found.pairs[..found.shown];
            let mut named: Vec<u32> = shown.iter().flat_map(|pair| &pair.files).copied().collect();
            named = named.iter().flat_map(|&pair| self.sides(pair)).collect();
            named.sort_unstable();
            named.dedup();
            json.name("named_files").array(named, |json, file| json.value(file));
            let written = self.write_files(json.name("files"), contents);
            failed = written.and_then(|()| self.write_pairs(json.name("pairs"), shown, contents)).err();
        });
        failed.map_or_else(|| Ok(json.finished()), Err)
    }

    fn sides(&self, pair: u32) -> [u32; 2] {
        [self.matches[pair as usize].left, self.matches[pair as usize].right]
    }

    fn found(&self, is_dismissed: impl Fn(&str) -> bool) -> Found {
        let (rules, least) = (&self.rules, self.rules.rare_terms * self.rarest());
        let mut pairs = self.paired(is_dismissed);
        let all = pairs.len();
        pairs.retain(|pair| {
            let containment = pair.containments[0].max(pair.containments[1]);
            let is_likely = pair.probability >= rules.min_probability;
            containment >= rules.min_containment && pair.weight >= least && is_likely
        });
        // Dismissed pairs do not count towards the limit.
        let mut place = 0;
        let is_shown = |pair: &MatchedSubmissions| {
            place += usize::from(!pair.is_dismissed);
            pair.is_dismissed || place <= rules.limit
        };
        let unlikely = all - pairs.len();
        let (mut found, beyond): (Vec<_>, Vec<_>) = pairs.into_iter().partition(is_shown);
        let shown = found.len();
        found.extend(beyond);
        let clusters = clusters(&found, rules, self.members.submissions.len());
        Found { pairs: found, shown, unlikely, clusters }
    }

    fn write_counts(&self, json: &mut Json, found: &Found) {
        let counting: Vec<_> = found.pairs.iter().filter(|pair| !pair.is_dismissed).collect();
        let bins = self.rules.bins;
        let mut histogram = vec![0; bins];
        for pair in &counting {
            histogram[((pair.similarity * bins as f64) as usize).min(bins.saturating_sub(1))] += 1;
        }
        let files = self.members.text_of.len();
        let tokens: usize = self.members.text_of.iter().map(|&text| self.tokens[text as usize] as usize).sum();
        let remaining: usize = (0..files).map(|file| self.remaining(file)).sum();
        let (possible, of_authors) = self.members.possible_pairs();
        json.name("counts").object(|json| {
            for (name, value) in [
                ("submissions", self.members.submissions.len()),
                ("files", files),
                ("tokens", tokens),
                ("boilerplate_tokens", tokens - remaining),
                ("sharing_pairs", self.sharing),
                ("compared_pairs", self.chosen.len()),
                ("found_pairs", counting.len()),
                ("dismissed_pairs", found.pairs.len() - counting.len()),
            ] {
                json.name(name).value(value);
            }
            json.name("possible_pairs").value(possible);
            json.name("histogram").array(histogram, |json, count| json.value(count));
        });
        json.name("cut_off").object(|json| {
            for (name, value) in [
                ("common-terms", self.terms.common.iter().map(Vec::len).sum()),
                ("terms-beyond-budget", self.left_out.terms_beyond_budget),
                ("light-pairs", self.left_out.light_pairs),
                ("pairs-beyond-budget", self.left_out.pairs_beyond_budget),
                ("short-pairs", self.left_out.short_pairs),
                ("unlikely-pairs", found.unlikely),
                ("pairs-beyond-limit", found.pairs.len() - found.shown),
            ] {
                if value > 0 {
                    json.name(name).value(value);
                }
            }
            if of_authors > 0 {
                json.name("shared-author").value(of_authors);
            }
        });
    }

    fn write_submissions(&self, json: &mut Json, found: &Found) {
        let count = self.members.submissions.len();
        let mut best: Vec<Option<usize>> = vec![None; count];
        for (number, pair) in found.pairs.iter().enumerate().filter(|(_, pair)| !pair.is_dismissed) {
            for side in pair.sides {
                let own = &mut best[side as usize];
                if own.is_none_or(|before| found.pairs[before].similarity < pair.similarity) {
                    *own = Some(number);
                }
            }
        }
        let mut cluster_of = vec![None; count];
        for (number, cluster) in found.clusters.iter().enumerate() {
            for &submission in &cluster.submissions {
                cluster_of[submission as usize] = Some(number);
            }
        }
        let all = self.members.submissions.iter().zip(best).zip(cluster_of);
        json.name("submissions").array(all, |json, ((submission, best), cluster)| {
            let tokens = |file: usize| self.tokens[self.members.text_of[file] as usize] as usize;
            let role = match submission.role {
                Role::Submission => "submission",
                Role::Archive => "archive",
                Role::With => "with",
            };
            json.object(|json| {
                json.name("role").text(role);
                json.name("files").array(submission.files.clone(), |json, file| json.value(file));
                json.name("tokens").value(submission.files.clone().map(tokens).sum::<usize>());
                let masked = submission.files.clone().map(|file| tokens(file) - self.remaining(file));
                json.name("boilerplate_tokens").value(masked.sum::<usize>());
                write_number(json.name("best_pair"), best.filter(|&pair| pair < found.shown));
                let similarity = best.map_or(0.0, |pair| found.pairs[pair].similarity);
                json.name("best_similarity").rounded(similarity, DIGITS);
                write_number(json.name("cluster"), cluster);
            });
        });
    }

    fn write_files<E: From<Damaged>>(
        &mut self,
        json: &mut Json,
        contents: &Contents<impl Fn(usize) -> Result<Vec<u8>, E>>,
    ) -> Result<(), E> {
        let mut failed = None;
        json.array(0..self.members.text_of.len(), |json, file| {
            let text = self.members.text_of[file];
            let masked = self.masks.count(text);
            let opened = if masked > 0 && failed.is_none() { Some(self.prepared(file, contents)) } else { None };
            json.object(|json| {
                json.name("submission").value(self.members.submission_of[file]);
                json.name("tokens").value(self.tokens[text as usize]);
                json.name("boilerplate_tokens").value(masked);
                json.name("boilerplate");
                match opened {
                    None => json.array([(); 0], |_, ()| ()),
                    Some(Ok(opened)) => json.array(self.masks.of(text), |json, &(begin, end)| {
                        opened.write_region(json, begin, end, self.rules.shortest_comment);
                    }),
                    Some(Err(error)) => failed = Some(error),
                }
            });
        });
        failed.map_or(Ok(()), Err)
    }

    fn prepared<E: From<Damaged>>(
        &mut self,
        file: usize,
        contents: &Contents<impl Fn(usize) -> Result<Vec<u8>, E>>,
    ) -> Result<Arc<Prepared>, E> {
        self.texts.prepared(self.members.text_of[file], &self.masks, contents)
    }

    fn write_pairs<E: From<Damaged>>(
        &mut self,
        json: &mut Json,
        shown: &[MatchedSubmissions],
        contents: &Contents<impl Fn(usize) -> Result<Vec<u8>, E>>,
    ) -> Result<(), E> {
        let mut failed = None;
        json.array(shown, |json, pair| {
            if failed.is_none() {
                let mut written = Ok(());
                json.object(|json| written = self.write_pair(json, pair, contents));
                failed = written.err();
            }
        });
        failed.map_or(Ok(()), Err)
    }

    fn write_pair<E: From<Damaged>>(
        &mut self,
        json: &mut Json,
        pair: &MatchedSubmissions,
        contents: &Contents<impl Fn(usize) -> Result<Vec<u8>, E>>,
    ) -> Result<(), E> {
        json.name("id").text(&pair.id);
        json.name("left").value(pair.sides[0]);
        json.name("right").value(pair.sides[1]);
        for (name, share) in [
            ("score", pair.score),
            ("similarity", pair.similarity),
            ("probability", pair.probability),
            ("left_containment", pair.containments[0]),
            ("right_containment", pair.containments[1]),
            ("resemblance", pair.resemblance),
        ] {
            json.name(name).rounded(share, DIGITS);
        }
        json.name("longest_run").value(pair.longest_run);
        json.name("left_matched_tokens").value(pair.tokens[0]);
        json.name("right_matched_tokens").value(pair.tokens[1]);
        for (side, name) in ["left_matched_lines", "right_matched_lines"].into_iter().enumerate() {
            let spans = pair.files.iter().flat_map(|&files| self.matches[files as usize].spans());
            let mut lines = 0;
            let spans = disjoint(spans.map(|both| both[side]).collect());
            for of_file in spans.chunk_by(|(one, ..), (other, ..)| one == other) {
                let text = self.prepared(of_file[0].0 as usize, contents)?;
                lines += text.lines(of_file.iter().map(|&(_, begin, end)| (begin, end)));
            }
            json.name(name).value(lines);
        }
        for (side, name) in ["left_boilerplate_tokens", "right_boilerplate_tokens"].into_iter().enumerate() {
            let files = self.members.submissions[pair.sides[side] as usize].files.clone();
            let masked = files.map(|file| self.masks.count(self.members.text_of[file]));
            json.name(name).value(masked.sum::<usize>());
        }
        json.name("omitted_files").value(pair.files.len().saturating_sub(self.rules.most_files));
        let mut failed = None;
        let named = &pair.files[..pair.files.len().min(self.rules.most_files)];
        json.name("files").array(named, |json, &number| {
            let opened = self.sides(number).map(|file| self.prepared(file as usize, contents));
            match opened {
                [Ok(left), Ok(right)] => self.write_file_pair(json, number, [&left, &right], contents),
                [Err(error), _] | [_, Err(error)] => failed = Some(error),
            }
        });
        failed.map_or(Ok(()), Err)
    }

    fn write_file_pair<Load>(
        &self,
        json: &mut Json,
        number: u32,
        [left, right]: [&Prepared; 2],
        contents: &Contents<Load>,
    ) {
        let pair: &MatchedFiles = &self.matches[number as usize];
        let mut heaviest: Vec<usize> = (0..pair.runs.len()).collect();
        heaviest.sort_by(|&one, &other| pair.runs[other].weight.total_cmp(&pair.runs[one].weight));
        heaviest.truncate(self.rules.most_regions);
        heaviest.sort_unstable();
        let runs: Vec<Weighed> = heaviest.into_iter().map(|at| pair.runs[at]).collect();
        let is_moved = moved(&runs);
        json.object(|json| {
            json.name("left").value(pair.left);
            json.name("right").value(pair.right);
            json.name("is_identical").value(pair.is_identical);
            json.name("is_translated").value(false);
            for (name, file) in [("left_containment", pair.left), ("right_containment", pair.right)] {
                let containment = pair.tokens() as f64 / self.remaining(file as usize) as f64;
                json.name(name).rounded(containment, DIGITS);
            }
            json.name("omitted_regions").value(pair.runs.len() - runs.len());
            json.name("regions").array(runs.iter().zip(is_moved), |json, (weighed, is_moved)| {
                let run = weighed.run;
                let span = [run.begin, run.end];
                let span_there = span.map(|at| (i64::from(at) + run.shift) as u32);
                let shortest = self.rules.shortest_comment;
                json.object(|json| {
                    left.write_region(json.name("left"), span[0], span[1], shortest);
                    right.write_region(json.name("right"), span_there[0], span_there[1], shortest);
                    json.name("left_span").array(span, |json, at| json.value(at));
                    json.name("right_span").array(span_there, |json, at| json.value(at));
                    json.name("tokens").value(run.length());
                    json.name("representation").text(strictest(left, right, run, contents.writing));
                    json.name("weight").rounded(weighed.weight, 3);
                    json.name("rarity").rounded(weighed.rarity, 3);
                    json.name("submissions").value(weighed.submissions);
                    json.name("is_moved").value(is_moved);
                    let facing = facing_lines(left, right, run);
                    json.name("facing").array(facing.into_iter().flatten(), |json, line| json.value(line));
                });
            });
        });
    }
}

fn write_number(json: &mut Json, number: Option<usize>) {
    match number {
        Some(number) => json.value(number),
        None => json.value("null"),
    }
}

/// Writes a cluster with its pairs among the first `shown` pairs.
fn write_cluster(json: &mut Json, cluster: &Cluster, shown: usize) {
    json.object(|json| {
        json.name("submissions").array(&cluster.submissions, |json, submission| json.value(submission));
        let pairs = cluster.pairs.iter().filter(|&&pair| pair < shown);
        json.name("pairs").array(pairs, |json, pair| json.value(pair));
        json.name("similarity").value(format_args!("{:?}", cluster.similarity));
    });
}

/// Marks the moved runs: all except the longest sequence (by its tokens) of runs in the same order on both sides.
fn moved(runs: &[Weighed]) -> Vec<bool> {
    let there = |at: usize| i64::from(runs[at].run.begin) + runs[at].run.shift;
    // For each run: the tokens of the longest sequence that ends with it, and the run before it.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(runs.len());
    for (number, weighed) in runs.iter().enumerate() {
        let before = (0..number).filter(|&at| there(at) < there(number));
        let longest = before.map(|at| (best[at].0, Some(at))).max().unwrap_or((0, None));
        best.push((longest.0 + weighed.run.length(), longest.1));
    }
    let mut is_moved = vec![true; runs.len()];
    let mut at = (0..runs.len()).rev().max_by_key(|&number| best[number].0);
    while let Some(number) = at {
        is_moved[number] = false;
        at = best[number].1;
    }
    is_moved
}
