//! Finds where references may be: the stretches of comments, doc strings and prose with a word that can begin a
//! reference. `wherefrom/analyzers/references` defines them.

use crate::stream::Stream;
use crate::tokens::STRING;

/// The words that are searched for: at most 64, in lower case. Every text with a reference contains one of them.
pub struct Words {
    words: Vec<Vec<u8>>,
    /// For each byte and each of the first four positions in a word: a bit for each word that may have this byte there.
    /// Word 32 shares the bit of word 0, and so on.
    places: Box<[[u32; PREFIX]; 256]>,
}

const PREFIX: usize = 4;

/// The words in a text, and where they are.
#[derive(Default)]
pub struct Found {
    /// A bit for each word.
    pub words: u64,
    /// For each occurrence, by position: its first and last byte, and the bit of its word.
    places: Vec<(u32, u32, u64)>,
}

impl Found {
    /// Which words appear in a part of the text.
    pub fn within(&self, start: u32, end: u32) -> u64 {
        let from = self.places.partition_point(|&(first, ..)| first < start);
        let inside = self.places[from..].iter().take_while(|(first, ..)| *first < end);
        inside.filter(|(_, last, _)| *last < end).fold(0, |words, (.., bit)| words | bit)
    }
}

impl Words {
    /// Returns None if there are more than 64 words, or if a word is empty.
    pub fn new(words: Vec<Vec<u8>>) -> Option<Self> {
        if words.len() > 64 || words.iter().any(Vec::is_empty) {
            return None;
        }
        let mut places = Box::new([[0; PREFIX]; 256]);
        for (number, word) in words.iter().enumerate() {
            for at in 0..PREFIX {
                for byte in 0..=u8::MAX {
                    if word.get(at).is_none_or(|wanted| wanted.eq_ignore_ascii_case(&byte)) {
                        places[usize::from(byte)][at] |= 1 << (number % 32);
                    }
                }
            }
        }
        Some(Self { words, places })
    }

    /// Finds the words in a text. The case of ASCII letters does not matter.
    pub fn find(&self, text: &[u8]) -> Found {
        let mut found = Found::default();
        let place = |byte: u8, at: usize| self.places[usize::from(byte)][at];
        for (at, begin) in text.windows(PREFIX).enumerate() {
            let may = place(begin[0], 0) & place(begin[1], 1) & place(begin[2], 2) & place(begin[3], 3);
            if may != 0 {
                self.compare(text, at, may, &mut found);
            }
        }
        for at in text.len().saturating_sub(PREFIX - 1)..text.len() {
            self.compare(text, at, u32::MAX, &mut found);
        }
        found
    }

    /// Notes which of the words whose bits are set in `may` begin at `at`.
    fn compare(&self, text: &[u8], at: usize, may: u32, found: &mut Found) {
        for (number, word) in self.words.iter().enumerate() {
            let is_possible = may >> (number % 32) & 1 == 1
                && text[at..].get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word));
            if is_possible {
                let bit = 1 << number;
                found.words |= bit;
                found.places.push((at as u32, (at + word.len() - 1) as u32, bit));
            }
        }
    }
}

/// What is known of the language of a part.
#[derive(Clone, Copy)]
pub struct Speech {
    /// Whether a string that is a statement by itself is documentation.
    pub has_doc_strings: bool,
    /// Whether the part has no grammar, so that all of it may have references.
    pub is_prose: bool,
}

/// The bytes that decide about doc strings and joined comments.
pub struct Marks {
    /// The last bytes of lines whose expression continues.
    pub continued: Vec<u8>,
    /// White space between two comments that are read as one text.
    pub blanks: Vec<u8>,
}

/// The byte spans of the stretches of a content, in order. Stretches with only blanks between them are joined.
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
    let last = token.iter().rfind(|&&byte| byte != 0); // text in UTF-16 may end in a 0
    !last.is_some_and(|byte| marks.continued.contains(byte))
}

fn are_blanks(text: &[u8], marks: &Marks) -> bool {
    text.iter().all(|byte| marks.blanks.contains(byte))
}
