//! What stands inside long literals and comments, as `wherefrom/analyzers/insides.py` defines it.

use crate::tokens::{LAST_BLANK, STRING, Tokens};

/// Which literals and comments have words inside, in numbers and words of Python.
pub struct Rules {
    /// The least number of words, and how many letters they have at most on average.
    pub words: usize,
    pub letters: usize,
    /// A comment that begins in this many bytes of a text and has one of these words, in lower case, is a notice.
    pub head: u32,
    pub notices: Vec<Vec<u8>>,
}

impl Rules {
    /// The spans of a text that may have words inside.
    pub fn spans(&self, text: &[u8], tokens: &Tokens) -> Vec<(u32, u32)> {
        let mut comments: Vec<(u32, u32)> = Vec::new();
        let mut sorted = tokens.comments.clone();
        sorted.sort_unstable();
        for (start, end) in sorted {
            match comments.last_mut() {
                Some((_, last)) if start <= *last || are_neighbors(&text[*last as usize..start as usize]) => {
                    *last = end.max(*last);
                }
                _ => comments.push((start, end)),
            }
        }
        comments.retain(|&span| !self.is_notice(text, span));
        let mut strings: Vec<(u32, u32)> = Vec::new();
        let mut is_long = false;
        for at in (0..tokens.starts.len()).filter(|&at| tokens.classes[at] == STRING) {
            let (start, end) = (tokens.starts[at], tokens.ends[at]);
            let was_long = std::mem::replace(&mut is_long, has_line(text, start, end));
            match strings.last_mut() {
                Some((_, last)) if (was_long || is_long) && !has_line(text, *last, start) => {
                    (*last, is_long) = (end, true);
                }
                _ => strings.push((start, end)),
            }
        }
        comments.append(&mut strings);
        comments.sort_unstable();
        let mut reached = 0;
        comments.retain(|&(start, end)| {
            let is_kept = start >= reached && (end - start) as usize >= 2 * self.words;
            reached = if is_kept { end } else { reached };
            is_kept
        });
        comments
    }

    /// Whether these letters are words, and not data.
    pub fn are_words(&self, letters: &Tokens) -> bool {
        let count = letters.starts.len();
        let words = count.min(1) + (1..count).filter(|&at| letters.starts[at] != letters.ends[at - 1]).count();
        words >= self.words && count <= self.letters * words
    }

    fn is_notice(&self, text: &[u8], (start, end): (u32, u32)) -> bool {
        let comment = &text[start as usize..end as usize];
        let has = |word: &Vec<u8>| comment.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
        start < self.head && self.notices.iter().any(has)
    }
}

/// Whether there are only blanks and at most one line break between two comments.
fn are_neighbors(between: &[u8]) -> bool {
    between.iter().all(|&byte| byte <= LAST_BLANK) && between.iter().filter(|&&byte| byte == b'\n').count() <= 1
}

fn has_line(text: &[u8], start: u32, end: u32) -> bool {
    text[start as usize..end as usize].contains(&b'\n')
}
