//! The words of a text, as `wherefrom/analyzers/words.py` defines them, and their alignment, as
//! `wherefrom/queries/translation/alignment.py` does.

use std::collections::HashSet;

use crate::hashing::{self, Coding};
use crate::kgrams::{Distances, Scheme, Segment, Writing};
use crate::numbering::KeyTable;
use crate::tokens::{NAME, NUMBER, STRING};
use crate::winnowing::OpenClosed;

/// The bits of a token code that are the code of a word.
const MASK: u64 = (1 << (8 * WORD_BYTES)) - 1;
/// Bytes of a stored word.
const WORD_BYTES: usize = 2;
/// The stored number of words of a symbol that is a word itself.
const OWN: u8 = 255;

pub struct Rules {
    pub coding: Coding,
    /// Words that every language has.
    pub left_out: HashSet<Vec<u8>>,
    /// The words of this many first bytes of a name or literal count.
    pub longest: usize,
    pub scheme: Scheme,
}

/// The words of some symbols: those of symbol n end where those of symbol n + 1 begin.
pub struct Words {
    codes: Vec<u32>,
    spans: Vec<(u32, u32)>,
}

impl Rules {
    /// The words of symbols, each given as code, class and first text; symbols of one code have the words of the first.
    pub fn of_symbols<'a>(&self, symbols: impl Iterator<Item = (u64, u8, &'a [u8])>) -> Words {
        let (mut found, mut firsts) = (Words { codes: Vec::new(), spans: Vec::new() }, KeyTable::new(0));
        for (number, (code, class, text)) in (0..).zip(symbols) {
            let first = if matches!(class, NAME | STRING | NUMBER) { *firsts.value(code, number) } else { number };
            let begin = found.codes.len() as u32;
            if first == number {
                self.add(&text[..text.len().min(self.longest)], class, &mut found.codes);
            }
            let own = (begin, found.codes.len() as u32);
            found.spans.push(if first == number { own } else { found.spans[first as usize] });
        }
        found
    }

    fn add(&self, text: &[u8], class: u8, codes: &mut Vec<u32>) {
        if class == NUMBER {
            codes.extend(number(text).map(|word| self.code(&word)));
        } else if class == NAME || class == STRING && !is_prose(text) {
            let mut at = 0;
            while at < text.len() {
                let end = end_of_word(text, at);
                let word = text[at..end].to_ascii_lowercase();
                let is_escape = class == STRING && text[at] == b'\\';
                if word.len() > 1 && !is_escape && !self.left_out.contains(&word) {
                    codes.push(self.code(&word));
                }
                at = if is_escape { at + 2 } else { end };
            }
        }
    }

    fn code(&self, word: &[u8]) -> u32 {
        (self.coding.code(word) & MASK) as u32
    }

    /// The terms of a text's words: all for a query, or else those that an index stores. None if it has no k-gram.
    pub fn terms(&self, words: &[u32], writing: &Writing, is_query: bool) -> Option<Vec<u64>> {
        let codes: Vec<u64> = words.iter().map(|&word| u64::from(word)).collect();
        let classes = vec![NAME; codes.len()];
        let none = Distances { forward: &[], back: &[] };
        let segment = Segment { codes: &codes, classes: &classes, all: none, renamed: none, is_kept: &[] };
        let (mut kept, w) = (Vec::new(), if is_query { 1 } else { self.scheme.w });
        let scheme = Scheme { w, ..self.scheme };
        let has_kgrams = OpenClosed::default().sample(&segment, &scheme, writing, |_, hash| kept.push(hash));
        has_kgrams.then(|| hashing::terms(&kept, self.scheme.bits))
    }
}

/// Whether a literal is in triple quotes, perhaps after a prefix of one or two letters.
fn is_prose(text: &[u8]) -> bool {
    let prefix = text.iter().take(2).take_while(|byte| byte.is_ascii_alphabetic()).count();
    text[prefix..].starts_with(b"\"\"\"") || text[prefix..].starts_with(b"'''")
}

/// Where the word that begins at a byte ends; the next byte if none begins there.
fn end_of_word(text: &[u8], begin: usize) -> usize {
    let run =
        |from: usize, is_part: fn(&u8) -> bool| from + text[from..].iter().take_while(|byte| is_part(byte)).count();
    match text[begin] {
        b'A'..=b'Z' => {
            let end = run(begin, u8::is_ascii_uppercase);
            match (end - begin, text.get(end).is_some_and(u8::is_ascii_lowercase)) {
                (_, false) => end,
                (1, true) => run(end, u8::is_ascii_lowercase),
                (_, true) => end - 1,
            }
        }
        b'a'..=b'z' => run(begin, u8::is_ascii_lowercase),
        b'0'..=b'9' => run(begin, u8::is_ascii_digit),
        0x80.. => run(begin, |byte| *byte >= 0x80),
        _ => begin + 1,
    }
}

/// The word of a number: its value if it is a whole one above 2, or else its text.
fn number(text: &[u8]) -> Option<Vec<u8>> {
    let text: Vec<u8> = text.iter().filter(|byte| !b"_'".contains(byte)).map(u8::to_ascii_lowercase).collect();
    let (digits, base) = text.strip_prefix(b"0x").map_or((&text[..], 10), |digits| (digits, 16));
    let length = digits.iter().take_while(|byte| char::from(**byte).is_digit(base)).count();
    let rest = &digits[length..];
    let is_suffix = match rest.first() {
        None => true,
        Some(first) => b"uilnsz".contains(first) && rest.iter().all(u8::is_ascii_alphanumeric),
    };
    let most = if base == 16 { 16 } else { 19 };
    if (1..=most).contains(&length) && is_suffix {
        let digits = std::str::from_utf8(&digits[..length]).ok()?;
        let value = u64::from_str_radix(digits, base).ok()?;
        return (value > 2).then(|| format!("#{value}").into_bytes());
    }
    let end = text.iter().rposition(|byte| !b"fdm".contains(byte)).map_or(0, |last| last + 1);
    (end > 2).then(|| [b"#", &text[..end]].concat())
}

impl Words {
    /// The words of a text, given the number of each token's symbol.
    pub fn in_order(&self, numbers: &[u32]) -> Vec<u32> {
        numbers.iter().flat_map(|&number| self.of(number as usize)).copied().collect()
    }

    fn of(&self, symbol: usize) -> &[u32] {
        let (begin, end) = self.spans[symbol];
        &self.codes[begin as usize..end as usize]
    }

    /// The stored form: how many words each symbol has, and the words of each. Empty without words.
    pub fn stored(&self, symbols: impl Iterator<Item = (u64, usize)>) -> Vec<u8> {
        let (mut counts, mut codes): (Vec<u8>, Vec<u32>) = (Vec::new(), Vec::new());
        for (code, symbol) in symbols {
            let own = self.of(symbol);
            let is_own = matches!(own, [word] if u64::from(*word) == code & MASK);
            counts.push(if is_own { OWN } else { own.len() as u8 });
            codes.extend(own.iter().filter(|_| !is_own));
        }
        if self.codes.is_empty() {
            return Vec::new();
        }
        counts.extend(codes.iter().flat_map(|code| code.to_le_bytes().into_iter().take(WORD_BYTES)));
        counts
    }

    /// The words of stored symbols with these codes, or None if they are damaged.
    pub fn opened(stored: &[u8], symbols: &[u64]) -> Option<Self> {
        if stored.is_empty() {
            return Some(Self { codes: Vec::new(), spans: vec![(0, 0); symbols.len()] });
        }
        let (counts, codes) = stored.split_at_checked(symbols.len())?;
        let mut words = codes.chunks_exact(WORD_BYTES).map(|code| u32::from(u16::from_le_bytes([code[0], code[1]])));
        let mut found = Self { codes: Vec::with_capacity(words.len()), spans: Vec::new() };
        for (&number, code) in counts.iter().zip(symbols) {
            let begin = found.codes.len() as u32;
            if number == OWN {
                found.codes.push((code & MASK) as u32);
            } else {
                if words.len() < usize::from(number) {
                    return None;
                }
                found.codes.extend(words.by_ref().take(usize::from(number)));
            }
            found.spans.push((begin, found.codes.len() as u32));
        }
        (words.len() == 0 && codes.len() % WORD_BYTES == 0).then_some(found)
    }

    /// The words of a text in order, and the token of each.
    pub fn placed(&self, numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let placed = (0..)
            .zip(numbers)
            .flat_map(|(token, &number)| self.of(number as usize).iter().map(move |&word| (word, token)));
        placed.unzip()
    }
}

/// The best local alignment of a query's words with those of a document: its bits, and the pairs of equal words as their
/// positions in the query and in the document. A pair adds the `bits` of the word, and each word that is skipped on
/// either side costs `gap`. A word that makes more than `most` pairs is left out.
pub fn aligned(query: &[u32], bits: &[i32], gap: i32, most: usize, document: &[u32]) -> (i32, Vec<(u32, u32)>) {
    let mut numbers = KeyTable::new(query.len());
    let mut counts: Vec<usize> = Vec::new();
    for &word in query {
        let number = *numbers.value(u64::from(word), counts.len() as u32) as usize;
        counts.resize(counts.len().max(number + 1), 0);
        counts[number] += 1;
    }
    // The places of each word of the query in the document, each with its rank among the places of all of them.
    let mut places = vec![Vec::new(); counts.len()];
    let mut ranks = 0;
    for (at, &word) in (0..).zip(document) {
        if let Some(number) = numbers.get(u64::from(word)) {
            places[number as usize].push((ranks, at));
            ranks += 1;
        }
    }
    let mut best_before = Rising(vec![Rising::NONE; ranks + 1]);
    // Of each pair: its places in both texts, and the number of the pair before it plus one.
    let mut pairs: Vec<(u32, u32, u32)> = Vec::new();
    let (mut best, mut last) = (0, 0);
    let mut values = Vec::new();
    for ((here, word), &own) in (0_u32..).zip(query).zip(bits) {
        let Some(number) = numbers.get(u64::from(*word)) else { continue };
        let there = &places[number as usize];
        if own <= 0 || there.len() * counts[number as usize] > most {
            continue;
        }
        for &(rank, place) in there {
            let steps = gap * (here + place) as i32;
            let value = best_before.best(rank);
            let before = if value == Rising::NONE { 0 } else { (value >> 32) as i32 - steps + 2 * gap };
            let sum = own + before.max(0);
            values.push((rank, i64::from(sum + steps) << 32 | pairs.len() as i64));
            pairs.push((here, place, if before > 0 { value as u32 + 1 } else { 0 }));
            if sum > best {
                (best, last) = (sum, pairs.len());
            }
        }
        for (rank, value) in values.drain(..) {
            best_before.put(rank, value);
        }
    }
    let mut chain = Vec::new();
    while last > 0 {
        let (here, there, before) = pairs[last - 1];
        chain.push((here, there));
        last = before as usize;
    }
    chain.reverse();
    (best, chain)
}

/// The number of different pairs of neighboring words in an alignment, and the bits of its different words together.
pub fn evidence(query: &[u32], bits: &[i32], aligned: &[(u32, u32)]) -> (usize, i64) {
    let mut words: Vec<_> = aligned.iter().map(|&(here, _)| (query[here as usize], bits[here as usize])).collect();
    let is_next = |two: &&[(u32, u32)]| (two[0].0 + 1, two[0].1 + 1) == two[1];
    let mut pairs: Vec<_> =
        aligned.windows(2).filter(is_next).map(|two| (query[two[0].0 as usize], query[two[1].0 as usize])).collect();
    words.sort_unstable();
    words.dedup();
    pairs.sort_unstable();
    pairs.dedup();
    (pairs.len(), words.iter().map(|&(_, bits)| i64::from(bits)).sum())
}

/// The greatest value among the first places (a Fenwick tree). The upper half of a value is that of a chain, the lower
/// half the number of its last pair.
struct Rising(Vec<i64>);

impl Rising {
    const NONE: i64 = i64::MIN;

    /// The greatest value at a place below `end`.
    fn best(&self, end: usize) -> i64 {
        let (mut at, mut best) = (end, Self::NONE);
        while at > 0 {
            best = best.max(self.0[at]);
            at &= at - 1;
        }
        best
    }

    fn put(&mut self, place: usize, value: i64) {
        let mut at = place + 1;
        while at < self.0.len() {
            self.0[at] = self.0[at].max(value);
            at += at & at.wrapping_neg();
        }
    }
}
