//! Extends runs of shared tokens at both ends, as `_grow` in `wherefrom/queries/alignment/runs.py` defines it.

use std::collections::HashMap;

use crate::tokens::{CHARACTER, NAME, SYMBOL};

/// A text, token by token: `kept` marks the names that `renamed` keeps, `taken` the tokens that runs may not enter.
pub struct Side {
    pub codes: Vec<u64>,
    pub classes: Vec<u8>,
    pub kept: Vec<u8>,
    pub taken: Vec<u8>,
}

impl Side {
    /// Whether all fields have a value for each token.
    pub fn is_whole(&self) -> bool {
        [self.classes.len(), self.kept.len(), self.taken.len()].iter().all(|&length| length == self.codes.len())
    }

    fn len(&self) -> usize {
        self.codes.len()
    }
}

/// The tokens `begin` to `end` of the query match those of the document at `shift` tokens further on. With `keeps`, names
/// that `renamed` keeps must be equal.
#[derive(Clone, Copy)]
pub struct Run {
    pub shift: isize,
    pub begin: usize,
    pub end: usize,
    pub keeps: bool,
}

impl Run {
    /// Whether the run is in both texts.
    pub fn is_inside(&self, query: &Side, document: &Side) -> bool {
        self.begin <= self.end
            && self.end <= query.len()
            && self.begin.checked_add_signed(self.shift).is_some()
            && self.end.checked_add_signed(self.shift).is_some_and(|end| end <= document.len())
    }
}

/// The span of the query to which a run grows. The run has to be inside of both texts.
pub fn grown(query: &Side, document: &Side, run: Run) -> (usize, usize) {
    // All positions below are in both texts.
    let there = |at: usize| at.wrapping_add_signed(run.shift);
    let first = usize::try_from(-run.shift).unwrap_or(0);
    let last = query.len().min(document.len().saturating_add_signed(-run.shift));
    let backward = Names::new(query, document, run, (run.begin..run.end).rev());
    let begin = backward.reach((first..run.begin).rev(), there).unwrap_or(run.begin);
    let forward = Names::new(query, document, run, run.begin..run.end);
    let end = forward.reach(run.end..last, there).map_or(run.end, |at| at + 1);
    (begin, end)
}

/// The renaming that a run implies: each name of the query replaces one name of the document, and vice versa.
struct Names<'a> {
    query: &'a Side,
    document: &'a Side,
    keeps: bool,
    forth: HashMap<u64, u64>,
    back: HashMap<u64, u64>,
}

impl<'a> Names<'a> {
    /// If tokens of the run imply different renamings, the last one in the order of `tokens` counts.
    fn new(query: &'a Side, document: &'a Side, run: Run, tokens: impl Iterator<Item = usize>) -> Self {
        let mut names = Self { query, document, keeps: run.keeps, forth: HashMap::new(), back: HashMap::new() };
        for at in tokens {
            if query.classes[at] == NAME && !(run.keeps && query.kept[at] != 0) {
                let (ours, theirs) = (query.codes[at], document.codes[at.wrapping_add_signed(run.shift)]);
                names.forth.insert(ours, theirs);
                names.back.insert(theirs, ours);
            }
        }
        names
    }

    /// The last of the given positions to which the run grows, None if it does not grow.
    fn reach(mut self, positions: impl Iterator<Item = usize>, there: impl Fn(usize) -> usize) -> Option<usize> {
        let mut reached = None;
        for at in positions {
            let other = there(at);
            if self.query.taken[at] != 0 || self.document.taken[other] != 0 {
                break;
            }
            match self.agree(at, other) {
                None => break,
                Some(true) => reached = Some(at),
                Some(false) => {}
            }
        }
        reached
    }

    /// Whether two tokens agree: Some(true) if they are equal or a known renaming, Some(false) if they may be a new
    /// renaming or are different literals, None if they contradict.
    fn agree(&mut self, at: usize, other: usize) -> Option<bool> {
        let (ours, theirs) = (self.query.codes[at], self.document.codes[other]);
        let kind = self.query.classes[at];
        let is_same = ours == theirs;
        if kind != self.document.classes[other] || matches!(kind, SYMBOL | CHARACTER) {
            return is_same.then_some(true);
        }
        if kind != NAME {
            return Some(is_same);
        }
        if self.keeps && (self.query.kept[at] != 0 || self.document.kept[other] != 0) {
            return is_same.then_some(true);
        }
        let known = self.forth.get(&ours);
        if known.is_some_and(|&known| known != theirs) || self.back.get(&theirs).is_some_and(|&known| known != ours) {
            return None;
        }
        let is_known = is_same || known.is_some();
        self.forth.insert(ours, theirs);
        self.back.insert(theirs, ours);
        Some(is_known)
    }
}
