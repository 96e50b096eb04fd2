//! Where references may stand: the stretches of comments, doc strings and prose that hold one of the words that begin
//! one, as `wherefrom/analyzers/references` defines them.

use crate::stream::Stream;
use crate::tokens::STRING;

/// The words without which no text holds a reference, in lower case; at most 64.
pub struct Words {
    words: Vec<Vec<u8>>,
    /// For each pair of bytes, the first one the higher: whether a word may begin there.
    pairs: Vec<bool>,
}

impl Words {
    /// None where there are more than 64, or an empty one.
    pub fn new(words: Vec<Vec<u8>>) -> Option<Self> {
        if words.len() > 64 {
            return None;
        }
        let mut pairs = vec![false; 1 << 16];
        for word in &words {
            match word[..] {
                [] => return None,
                [only] => pairs[pair(only, 0)..=pair(only, u8::MAX)].fill(true),
                [first, second, ..] => pairs[pair(first, second)] = true,
            }
        }
        Some(Self { words, pairs })
    }

    /// Which words stand in a text, the case of ASCII letters aside: a bit for each.
    pub fn found(&self, text: &[u8]) -> u64 {
        let Some(&last) = text.last() else { return 0 };
        let is_word = self.pairs[pair(last.to_ascii_lowercase(), 0)];
        let mut found = if is_word { self.at(&text[text.len() - 1..]) } else { 0 };
        for (at, two) in text.windows(2).enumerate() {
            if self.pairs[pair(two[0].to_ascii_lowercase(), two[1].to_ascii_lowercase())] {
                found |= self.at(&text[at..]);
            }
        }
        found
    }

    fn at(&self, text: &[u8]) -> u64 {
        let stands = |word: &[u8]| text.get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word));
        (0..).zip(&self.words).filter(|(_, word)| stands(word)).fold(0, |found, (bit, _)| found | 1 << bit)
    }
}

fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// What is known of the language of a part.
#[derive(Clone, Copy)]
pub struct Speech {
    /// Whether documentation is a string that stands alone.
    pub has_doc_strings: bool,
    /// Whether it is in no language with a grammar: all of it may speak of its source.
    pub is_prose: bool,
}

/// The bytes that decide about doc strings and joined comments.
pub struct Marks {
    /// The last byte of a line whose expression goes on.
    pub continued: Vec<u8>,
    /// White space between two comments that are read as one text.
    pub blanks: Vec<u8>,
}

/// The byte spans of the stretches of a content in order, those with only blanks between them as one.
pub fn stretches(
    content: &[u8],
    stream: &Stream,
    comments: Vec<(u32, u32)>,
    speech: &[Speech],
    marks: &Marks,
) -> Vec<(u32, u32)> {
    let mut spans = comments;
    for ((begin, end), &owner) in stream.spans().zip(&stream.owners) {
        let Speech { has_doc_strings, is_prose } = speech[owner as usize];
        if has_doc_strings {
            let found = (begin..end).filter(|&at| is_doc_string(content, stream, at, marks));
            spans.extend(found.map(|at| (stream.starts[at], stream.ends[at])));
        }
        if is_prose {
            let last = stream.ends[end - 1] as usize;
            let rest = content.get(last..).unwrap_or_default();
            let stop = rest.iter().position(|&byte| byte == b'\n').map_or(content.len(), |at| last + at);
            spans.push((stream.starts[begin], stop as u32));
        }
    }
    spans.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (first, last) in spans {
        match joined.last_mut() {
            Some((_, end)) if first <= *end || are_blanks(&content[*end as usize..first as usize], marks) => {
                *end = (*end).max(last);
            }
            _ => joined.push((first, last)),
        }
    }
    joined
}

/// Whether a token is a string that begins a line and belongs to no expression of the line before.
fn is_doc_string(content: &[u8], stream: &Stream, at: usize, marks: &Marks) -> bool {
    if stream.classes[at] != STRING {
        return false;
    }
    let Some(before) = at.checked_sub(1) else { return true };
    if stream.start_lines[at] <= stream.end_lines[before] || stream.classes[before] == STRING {
        return false;
    }
    let token = &content[stream.starts[before] as usize..stream.ends[before] as usize];
    let last = token.iter().rfind(|&&byte| byte != 0); // as UTF-16 it ends in one
    !last.is_some_and(|byte| marks.continued.contains(byte))
}

fn are_blanks(text: &[u8], marks: &Marks) -> bool {
    text.iter().all(|byte| marks.blanks.contains(byte))
}
