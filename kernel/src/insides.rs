//! Reads the text inside long literals and comments, as `wherefrom/analyzers/insides.py` defines it.

use crate::tokens::{LAST_BLANK, STRING, Tokens};

/// The numbers and marks of Python's rules.
pub struct Rules {
    /// The least number of words; how many letters they have at most, and at most on average.
    pub words: usize,
    pub longest: usize,
    pub average: usize,
    /// What joins two strings, and what begins code in a string.
    pub joining: Vec<Vec<u8>>,
    pub opening: Vec<Vec<u8>>,
    /// A comment that begins in this many bytes of a text and has one of these words is a notice.
    pub head: u32,
    pub notices: Vec<Vec<u8>>,
}

type Span = (u32, u32);

impl Rules {
    /// The spans of a text that may have words inside, in order.
    pub fn spans(&self, text: &[u8], tokens: &Tokens) -> Vec<Span> {
        let are_neighbors = |between: &[u8]| trimmed(between).is_empty() && breaks(between) <= 1;
        let mut comments = tokens.comments.clone();
        comments.sort_unstable();
        let mut found = joined(text, comments.into_iter(), are_neighbors);
        found.retain(|&span| !self.is_notice(text, span));
        let is_one = |between: &[u8]| {
            let code = trimmed(between);
            self.joining.iter().any(|mark| mark == code) && breaks(between) <= 1
                || self.opening.iter().any(|mark| code.starts_with(mark)) && breaks(code) == 0
        };
        let strings = (0..tokens.starts.len()).filter(|&at| tokens.classes[at] == STRING);
        found.append(&mut joined(text, strings.map(|at| (tokens.starts[at], tokens.ends[at])), is_one));
        found.sort_unstable();
        let mut reached = 0;
        found.retain(|&(start, end)| {
            let is_kept = start >= reached && (end - start) as usize >= 2 * self.words;
            reached = if is_kept { end } else { reached };
            is_kept
        });
        found
    }

    /// Leaves out words that are too long. Whether the others are words, and not data.
    pub fn are_words(&self, letters: &mut Tokens) -> bool {
        let count = letters.starts.len();
        let (mut words, mut kept, mut begin) = (0, 0, 0);
        while begin < count {
            let end = (begin + 1..count).find(|&at| letters.starts[at] != letters.ends[at - 1]).unwrap_or(count);
            if end - begin <= self.longest {
                words += 1;
                letters.keep(begin..end, kept);
                kept += end - begin;
            }
            begin = end;
        }
        letters.truncate(kept);
        words >= self.words && kept <= self.average * words
    }

    fn is_notice(&self, text: &[u8], (start, end): Span) -> bool {
        let comment = &text[start as usize..end as usize];
        let has = |word: &Vec<u8>| comment.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
        start < self.head && self.notices.iter().any(has)
    }
}

/// Joins ascending spans that overlap, or are one text by what is between them.
fn joined(text: &[u8], spans: impl Iterator<Item = Span>, is_one: impl Fn(&[u8]) -> bool) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for (start, end) in spans {
        match found.last_mut() {
            Some((_, last)) if start <= *last || is_one(&text[*last as usize..start as usize]) => {
                *last = end.max(*last);
            }
            _ => found.push((start, end)),
        }
    }
    found
}

fn trimmed(text: &[u8]) -> &[u8] {
    let is_solid = |byte: &u8| *byte > LAST_BLANK;
    let begin = text.iter().position(is_solid).unwrap_or(text.len());
    let end = text.iter().rposition(is_solid).map_or(begin, |at| at + 1);
    &text[begin..end]
}

fn breaks(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}
