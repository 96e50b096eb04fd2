//! Runs of tokens as regions of texts, as `wherefrom/queries/alignment/regions.py` defines them.

use super::json::Json;
use super::texts::Prepared;
use crate::kgrams::Writing;
use crate::tiling::Run;
use crate::tokens::{CHARACTER, NAME};

impl Prepared {
    /// Writes the tokens `begin` to `end` (half-open, at least one) as a region. Gaps of fewer than `shortest` bytes hold
    /// no comment.
    pub fn write_region(&self, json: &mut Json, begin: u32, end: u32, shortest: i64) {
        let (text, places) = (&self.comparable.text, &self.places);
        let (begin, end) = (begin as usize, end as usize);
        let gaps = (begin..end - 1).map(|at| (at, places.ends[at], places.starts[at + 1]));
        let wide = gaps.filter(|&(at, from, to)| {
            let is_prose = text.class(at) == CHARACTER && text.class(at + 1) == CHARACTER;
            i64::from(to) - i64::from(from) >= shortest && !is_prose
        });
        json.object(|json| {
            json.name("start_byte").value(places.starts[begin]);
            json.name("end_byte").value(places.ends[end - 1]);
            json.name("start_line").value(places.start_lines[begin]);
            json.name("end_line").value(places.end_lines[end - 1]);
            json.name("gaps").array(wide.flat_map(|(_, from, to)| [from, to]), |json, at| json.value(at));
        });
    }

    /// The number of lines with a token of some spans, which ascend and do not overlap.
    pub fn lines(&self, spans: impl Iterator<Item = (u32, u32)>) -> usize {
        let mut last = None;
        let mut count = 0;
        for line in spans.flat_map(|(begin, end)| &self.places.start_lines[begin as usize..end as usize]) {
            count += usize::from(last != Some(line));
            last = Some(line);
        }
        count
    }

    /// Whether `renamed` keeps the name at a token: it comes after the mark of a member or before a parenthesis.
    fn is_kept(&self, at: usize, writing: &Writing) -> bool {
        let text = &self.comparable.text;
        let is_first = |at: usize| text.segments.binary_search(&(at as u32)).is_ok();
        let is_member = at > 0 && writing.member_marks.contains(&text.code(at - 1)) && !is_first(at);
        let is_called = || at + 1 < text.numbers.len() && text.code(at + 1) == writing.call_mark && !is_first(at + 1);
        is_member || is_called()
    }
}

/// The name of the strictest representation that matches all tokens of a run.
pub fn strictest(left: &Prepared, right: &Prepared, run: Run, writing: &Writing) -> &'static str {
    let (ours, theirs) = (&left.comparable.text, &right.comparable.text);
    let mut differs = false;
    for (here, there) in facing(run) {
        if ours.code(here) == theirs.code(there) {
            continue;
        }
        differs = true;
        if ours.class(here) == NAME && (left.is_kept(here, writing) || right.is_kept(there, writing)) {
            return "p_match";
        }
    }
    match (differs, ours.class(run.begin as usize)) {
        (true, _) => "renamed",
        (false, CHARACTER) => "text",
        (false, _) => "exact",
    }
}

/// The pairs of facing lines of a run: a pair for each token that begins a line in either text.
pub fn facing_lines(left: &Prepared, right: &Prepared, run: Run) -> Vec<[u32; 2]> {
    let lines = facing(run).map(|(here, there)| [left.places.start_lines[here], right.places.start_lines[there]]);
    let mut lines: Vec<[u32; 2]> = lines.collect();
    lines.dedup();
    lines
}

/// The tokens of both texts that face each other in a run.
fn facing(run: Run) -> impl Iterator<Item = (usize, usize)> {
    let there = (i64::from(run.begin) + run.shift) as usize;
    (run.begin as usize..run.end as usize).zip(there..)
}
