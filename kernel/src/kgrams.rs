//! The hashes of k-grams in each representation, as `wherefrom/analyzers/representations.py` defines them.

use crate::hashing::mix;
use crate::text::{Sieve, Stretch, Text};
use crate::tokens::{CHARACTER, NAME, NUMBER, STRING};

/// How tokens are written, and how k-grams are hashed.
pub struct Writing {
    /// The base of the polynomial.
    pub base: u64,
    /// The codes of the marks before the name of a member.
    pub member_marks: Vec<u64>,
    /// The code of an opening parenthesis.
    pub call_mark: u64,
    /// The codes of a string and of a number.
    pub string: u64,
    pub number: u64,
    /// The code of a name by its distance to its previous occurrence; entry 0 is for a first occurrence.
    pub distances: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Representation {
    Exact,
    Renamed,
    PMatch,
    Text,
}

impl Representation {
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "exact" => Some(Self::Exact),
            "renamed" => Some(Self::Renamed),
            "p_match" => Some(Self::PMatch),
            "text" => Some(Self::Text),
            _ => None,
        }
    }
}

/// How the terms of a representation are made.
#[derive(Clone, Copy)]
pub struct Scheme {
    pub representation: Representation,
    pub k: usize,
    /// The number of tokens in the s-grams by which the sampler orders k-grams.
    pub inner: usize,
    pub w: usize,
    pub bits: u32,
}

/// The symbols of one segment, and for each name the distances to the next and the previous name of the same code: 0 if
/// none is within 255 tokens. `all` counts all names, `renamed` only those that `renamed` does not keep.
pub struct Segment<'a> {
    pub codes: &'a [u64],
    pub classes: &'a [u8],
    pub all: Distances<'a>,
    pub renamed: Distances<'a>,
    pub is_kept: &'a [bool],
}

#[derive(Clone, Copy)]
pub struct Distances<'a> {
    pub forward: &'a [u8],
    pub back: &'a [u8],
}

/// The k-grams of a text: of each segment that has some the first token and their number, and the hashes of all.
pub fn of_text(text: &Text, kind: Representation, k: usize, writing: &Writing) -> (Vec<(usize, usize)>, Vec<u64>) {
    let (mut spans, mut all) = (Vec::new(), Vec::new());
    let (mut stretch, mut own) = (Stretch::default(), Vec::new());
    for (begin, end) in text.spans() {
        stretch.fill(text, (begin, end), (begin, end), writing);
        hashes(&stretch.segment(), kind, k, writing, &mut own);
        if !own.is_empty() {
            spans.push((begin, own.len()));
            all.append(&mut own);
        }
    }
    (spans, all)
}

/// Which of some ascending hashes of k-grams a text has, for each representation with its k.
pub fn shared(text: &Text, wanted: &[(Representation, usize, Vec<u64>)], writing: &Writing) -> Vec<Vec<bool>> {
    let sieves: Vec<Sieve> = wanted.iter().map(|(.., hashes)| Sieve::new(hashes.iter().copied())).collect();
    let mut found: Vec<Vec<bool>> = wanted.iter().map(|(.., hashes)| vec![false; hashes.len()]).collect();
    let (mut stretch, mut own) = (Stretch::default(), Vec::new());
    for (begin, end) in text.spans() {
        stretch.fill(text, (begin, end), (begin, end), writing);
        for (((kind, k, known), sieve), found) in wanted.iter().zip(&sieves).zip(&mut found) {
            hashes(&stretch.segment(), *kind, *k, writing, &mut own);
            for at in own.iter().filter(|&&hash| sieve.may_hold(hash)).filter_map(|hash| known.binary_search(hash).ok())
            {
                found[at] = true;
            }
        }
    }
    found
}

/// The least distinct mixed hashes of the exact k-grams of a text and of those of its prose, with their lengths `ks`,
/// that begin before the token `end`: at most `size`, ascending.
pub fn sketch(text: &Text, ks: [usize; 2], end: usize, size: usize, writing: &Writing) -> Vec<u64> {
    let (mut hashes, mut codes) = (Vec::new(), Vec::new());
    for (begin, behind) in text.spans() {
        let k = ks[usize::from(begin < behind && text.class(begin) == CHARACTER)];
        if behind - begin >= k && begin < end {
            codes.clear();
            codes.extend((begin..behind.min(end.saturating_add(k - 1))).map(|at| text.code(at)));
            rolling(&codes, k, writing.base, &mut hashes);
        }
    }
    hashes.iter_mut().for_each(|hash| *hash = mix(*hash));
    let least = |bound: u64| {
        let mut found: Vec<u64> = hashes.iter().copied().filter(|&hash| hash <= bound).collect();
        found.sort_unstable();
        found.dedup();
        found.truncate(size);
        found
    };
    // Most often the least of all are among those below a bound, which are few to sort.
    let found = least(u64::MAX / (hashes.len() / size.saturating_mul(2)).max(1) as u64);
    if found.len() < size { least(u64::MAX) } else { found }
}

/// Whether the Jaccard index of two texts reaches `least`, as estimated from their sketches of at most `size` hashes.
pub fn are_near(one: &[u64], other: &[u64], size: usize, least: f64) -> bool {
    let (mut here, mut there, mut union, mut shared) = (0, 0, 0, 0);
    // Most texts are too different after a few hashes.
    let unlike = ((1.0 - least) * size as f64) as usize + 1;
    while here < one.len() && there < other.len() && union < size && union - shared <= unlike {
        let (own, facing) = (one[here], other[there]);
        shared += usize::from(own == facing);
        here += usize::from(own <= facing);
        there += usize::from(facing <= own);
        union += 1;
    }
    // No other hash is shared; after an early stop, too few are.
    union = size.min(union + one.len() - here + other.len() - there);
    union == 0 || shared as f64 / union as f64 >= least
}

/// Fills `hashes` with the hash of every k-gram of a segment, in order. It stays empty if the segment is too short, or
/// if only one of segment and representation is for prose.
pub fn hashes(segment: &Segment, representation: Representation, k: usize, writing: &Writing, hashes: &mut Vec<u64>) {
    hashes.clear();
    let is_prose = segment.classes.first() == Some(&CHARACTER);
    if segment.codes.len() < k || is_prose != (representation == Representation::Text) {
        return;
    }
    match representation {
        Representation::Exact | Representation::Text => rolling(segment.codes, k, writing.base, hashes),
        Representation::Renamed => {
            with_distances(segment, segment.renamed, k, writing, hashes, |at| segment.is_kept[at])
        }
        Representation::PMatch => with_distances(segment, segment.all, k, writing, hashes, |_| false),
    }
}

/// Adds the hash of every k-gram of codes, which are hashed unchanged, to `hashes`. Needs at least `k` codes.
pub fn rolling(codes: &[u64], k: usize, base: u64, hashes: &mut Vec<u64>) {
    let highest = (0..k).fold(1, |power: u64, _| power.wrapping_mul(base));
    let mut hash = codes[..k].iter().fold(0, |hash: u64, &code| hash.wrapping_add(code).wrapping_mul(base));
    hashes.reserve(codes.len() - k + 1);
    hashes.push(hash);
    for (&first, &next) in codes.iter().zip(&codes[k..]) {
        hash = hash.wrapping_sub(first.wrapping_mul(highest)).wrapping_add(next).wrapping_mul(base);
        hashes.push(hash);
    }
}

/// Fills `hashes` for a representation with distances. A name is written as its distance to its previous occurrence
/// inside the k-gram. So when a name leaves, the next name of the same code becomes a first occurrence.
fn with_distances(
    segment: &Segment,
    distances: Distances,
    k: usize,
    writing: &Writing,
    hashes: &mut Vec<u64>,
    is_kept: impl Fn(usize) -> bool,
) {
    let (base, first) = (writing.base, writing.distances[0]);
    // The tokens as written where no name is repeated. The hashes take their places.
    hashes.extend((segment.codes.iter().zip(segment.classes).enumerate()).map(|(at, (&code, &class))| match class {
        NAME if !is_kept(at) => first,
        STRING => writing.string,
        NUMBER => writing.number,
        _ => code,
    }));
    // By distance: how much more a name adds that repeats another in the k-gram than a first occurrence would, when it
    // enters, and when the other leaves. After the loop, `power` is the factor of the token that leaves.
    let (mut entering, mut leaving) = ([0; 256], [0; 256]);
    let mut power = base;
    for distance in (1..k).rev() {
        entering[distance] = writing.distances[distance].wrapping_sub(first);
        leaving[distance] = entering[distance].wrapping_mul(power);
        power = power.wrapping_mul(base);
    }
    let added = |written: u64, at: usize| written.wrapping_add(entering[usize::from(distances.back[at])]);
    let mut hash = (0..k).fold(0, |hash: u64, at| hash.wrapping_add(added(hashes[at], at)).wrapping_mul(base));
    let last = hashes.len() - k;
    for at in 0..last {
        let gone = hashes[at].wrapping_mul(power).wrapping_add(leaving[usize::from(distances.forward[at])]);
        hashes[at] = hash;
        hash = hash.wrapping_sub(gone).wrapping_add(added(hashes[at + k], at + k)).wrapping_mul(base);
    }
    hashes[last] = hash;
    hashes.truncate(last + 1);
}
