//! The sampler of an index, as `open_closed` in `wherefrom/analyzers/samplers.py` defines it.

use crate::kgrams::{self, Scheme, Segment, Writing};

/// Samples segments. It reuses its memory for the next segment.
#[derive(Default)]
pub struct OpenClosed {
    hashes: Vec<u64>,
    inner: Vec<u64>,
    order: Vec<u64>,
}

impl OpenClosed {
    /// Calls `keep` with position and hash of each k-gram that the scheme keeps. Returns whether there is any k-gram.
    pub fn sample(
        &mut self,
        segment: &Segment,
        scheme: &Scheme,
        writing: &Writing,
        mut keep: impl FnMut(usize, u64),
    ) -> bool {
        let hashes = self.read(segment, scheme, writing);
        if hashes.is_empty() {
            return false;
        }
        self.winnow(scheme.w, |at| keep(at, self.hashes[at]));
        true
    }

    /// The hashes of the k-grams of a segment, which `winnow` then samples.
    pub fn read(&mut self, segment: &Segment, scheme: &Scheme, writing: &Writing) -> &[u64] {
        kgrams::hashes(segment, scheme.representation, scheme.k, writing, &mut self.hashes);
        self.order.clear();
        if !self.hashes.is_empty() {
            kgrams::hashes(segment, scheme.representation, scheme.inner, writing, &mut self.inner);
            self.put_in_order(scheme.k - scheme.inner);
        }
        &self.hashes
    }

    /// Calls `keep` with the position of each k-gram that is kept with a window.
    pub fn winnow(&self, w: usize, keep: impl FnMut(usize)) {
        robust_winnow(&self.order, w, keep);
    }

    /// Fills `order`: open k-grams come first, then closed ones, then others; within each kind, smaller hashes come
    /// first. `last` is the offset of the last s-gram in a k-gram.
    fn put_in_order(&mut self, last: usize) {
        let inner = &self.inner;
        let mut least = rightmost_least(inner, 0, last + 1);
        self.order.reserve(self.hashes.len());
        for (begin, hash) in self.hashes.iter().enumerate() {
            let end = begin + last;
            if inner[end] <= inner[least] {
                least = end;
            } else if least < begin {
                least = rightmost_least(inner, begin, end + 1);
            }
            let offset = least - begin;
            let kind = if offset == last / 2 {
                0
            } else if offset == 0 || offset == last {
                1
            } else {
                2
            };
            self.order.push(kind << 62 | hash >> 2);
        }
    }
}

/// Calls `keep` with the position of each hash that robust winnowing with window `w` keeps. Of fewer than `w` hashes,
/// it keeps the least.
fn robust_winnow(hashes: &[u64], w: usize, mut keep: impl FnMut(usize)) {
    if hashes.is_empty() {
        return;
    }
    let mut at = rightmost_least(hashes, 0, w.min(hashes.len()));
    let mut least = hashes[at];
    keep(at);
    for (end, &hash) in hashes.iter().enumerate().skip(w) {
        if hash < least {
            (at, least) = (end, hash);
        } else if at + w > end {
            continue; // the selection of the window before is still a minimum of this one
        } else {
            at = rightmost_least(hashes, end + 1 - w, end + 1);
            least = hashes[at];
        }
        keep(at);
    }
}

fn rightmost_least(hashes: &[u64], begin: usize, end: usize) -> usize {
    let mut at = end - 1;
    for position in (begin..end - 1).rev() {
        if hashes[position] < hashes[at] {
            at = position;
        }
    }
    at
}
