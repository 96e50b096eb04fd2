//! Robust winnowing, as `robust_winnow` in `wherefrom/analyzers/samplers.py` defines it.

/// Gives the places of the hashes that robust winnowing with window `w` keeps; fewer than `w` hashes keep the least.
pub fn robust_winnow(hashes: &[u64], w: usize, mut keep: impl FnMut(usize)) {
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
