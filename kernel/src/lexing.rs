//! Splits text by the lexical forms of its language alone, as `wherefrom/analyzers/lexing.py` defines it.

use std::collections::HashSet;

use crate::forms::{Form, is_word};
use crate::tokens::{COMMENT, LAST_BLANK, NAME, STRING, SYMBOL};
use crate::tree::{Failure, processor_nanoseconds};

/// The fields of `lexing.Lexer`.
pub struct Lexer {
    /// The forms in the order in which they are tried, with the classes of what they match.
    forms: Vec<(u8, Form)>,
    keywords: HashSet<Vec<u8>>,
    /// By quotation mark, what begins code in such a string.
    strings: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
    before_long: Form,
    pub has_operators: bool,
    pub has_here_documents: bool,
    pub has_pages: bool,
}

/// The fields of a `Lexer` as Python gives them.
pub struct Rules {
    pub forms: Vec<(u8, Vec<u8>)>,
    pub keywords: HashSet<Vec<u8>>,
    pub strings: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
    pub before_long: Vec<u8>,
    /// Whether the language lists forms of operators, has here-documents, and is in pages.
    pub flags: (bool, bool, bool),
}

/// A token or comment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token {
    pub start: usize,
    pub end: usize,
    pub class: u8,
}

/// Code in a string: the string's mark, with what begins code in it.
struct Code<'a> {
    string: &'a (Vec<u8>, Vec<Vec<u8>>),
    bracket: u8,
    depth: isize,
}

/// How much text after a string tells whether its mark closes nothing.
const AHEAD: usize = 4_000;

/// A quotation mark that closes nothing is as unlikely as this number of lines inside of strings.
const ALONE: usize = 2;

/// At most this many strings of a text are doubted: each costs as much as reading twice `AHEAD` bytes.
pub const MOST_DOUBTED: usize = 300;

/// How many tokens are read for each look at the clock.
const TOKENS_PER_LOOK: usize = 64;

impl Code<'_> {
    fn ends_with(&mut self, word: &[u8]) -> bool {
        let closing = if self.bracket == b'(' { b')' } else { b'}' };
        self.depth += isize::from(word.last() == Some(&self.bracket)) - isize::from(word == [closing]);
        self.depth == 0
    }
}

impl Lexer {
    /// None if a form cannot be compiled.
    pub fn new(rules: Rules) -> Option<Self> {
        let forms = rules.forms.iter().map(|(class, form)| Some((*class, Form::new(form)?)));
        Some(Self {
            forms: forms.collect::<Option<_>>()?,
            keywords: rules.keywords,
            strings: rules.strings,
            before_long: Form::new(&rules.before_long)?,
            has_operators: rules.flags.0,
            has_here_documents: rules.flags.1,
            has_pages: rules.flags.2,
        })
    }

    pub fn is_keyword(&self, word: &[u8]) -> bool {
        self.keywords.contains(word)
    }

    /// The tokens and comments of a text in order.
    pub fn split(&self, text: &[u8], deadline: u64) -> Result<Vec<Token>, Failure> {
        let mut tokens: Vec<Token> = Vec::new();
        let mut around: Vec<Code> = Vec::new();
        let (mut before, mut at, mut count): (&[u8], usize, usize) = (b"", 0, 0);
        let mut limit = text.len();
        let mut looks = MOST_DOUBTED;
        loop {
            let Some(Token { start, mut end, mut class }) = self.next(&text[..limit], at) else {
                if limit == text.len() {
                    break;
                }
                at = limit;
                limit = text.len();
                continue;
            };
            count += 1;
            if count % TOKENS_PER_LOOK == 0 && processor_nanoseconds() > deadline {
                return Err(Failure::Late);
            }
            at = end;
            if class == COMMENT {
                tokens.push(Token { start, end, class });
                continue;
            }
            if class == STRING {
                if let Some(quote) = self.doubted(text, start, end, &mut looks) {
                    (class, at, end, limit) = (SYMBOL, quote, quote, line_end(text, quote));
                }
            }
            let word = &text[start..end];
            let begins = |(mark, _): &&(Vec<u8>, _)| word.len() >= 2 * mark.len() && word.starts_with(mark);
            if let Some(string) = self.strings.iter().find(begins).filter(|_| class == STRING) {
                at = self.in_string(text, string, start, start + string.0.len(), &mut tokens, &mut around);
                before = &string.0;
                continue;
            }
            if class == NAME && self.is_keyword(word) && !matches!(before, b"." | b"?." | b"->") {
                class = SYMBOL;
            }
            tokens.push(Token { start, end, class });
            before = word;
            if around.last_mut().is_some_and(|code| code.ends_with(word)) {
                if let Some(code) = around.pop() {
                    at = self.in_string(text, code.string, end, end, &mut tokens, &mut around);
                }
            }
        }
        Ok(tokens)
    }

    /// The next token or comment; None if only white space is left. A backslash at the end of a line continues it.
    fn next(&self, text: &[u8], at: usize) -> Option<Token> {
        let continues = |at: usize| text[at] == b'\\' && text.get(at + 1).is_none_or(|next| *next == b'\n');
        let start = (at..text.len()).find(|at| text[*at] > LAST_BLANK && !continues(*at))?;
        let found = self.forms.iter().find_map(|(class, form)| Some((form.end(text, start)?, *class)));
        found.map(|(end, class)| Token { start, end, class })
    }

    /// Where a string or comment that begins at `start` ends; 0 if none begins there or it is not closed.
    pub fn end_of(&self, text: &[u8], start: usize) -> usize {
        self.next(text, start).filter(|token| matches!(token.class, STRING | COMMENT)).map_or(0, |token| token.end)
    }

    /// Whether the grammar, without an error, ended a string over several lines at a mark that probably begins one.
    pub fn is_open(&self, text: &[u8], start: usize, end: usize, looks: &mut usize) -> bool {
        if !self.strings.is_empty() && start > 0 && (text[start - 1].is_ascii_alphanumeric() || text[start - 1] == b'}')
        {
            return false;
        }
        let found = match self.end_of(text, start) {
            0 if is_quote(&text[start]) => end,
            found => found,
        };
        let is_call = |begin: &Vec<u8>| {
            begin.ends_with(b"(") && text[start..found.max(start)].windows(begin.len()).any(|part| part == begin)
        };
        !self.begins_of(text[start]).iter().any(is_call) && self.doubted(text, start, found, looks).is_some()
    }

    /// Where the quotation mark ends that begins a string over several lines but probably closes nothing. `looks` is how
    /// many strings may still be doubted.
    pub fn doubted(&self, text: &[u8], start: usize, end: usize, looks: &mut usize) -> Option<usize> {
        let quote =
            start + text[start..end.max(start)].iter().take(4).take_while(|byte| **byte != b'\n').position(is_quote)?;
        let lines = newlines(&text[start..end]);
        if lines == 0 || !self.begins(text, quote, end) || *looks == 0 {
            return None;
        }
        *looks -= 1;
        let near = &text[..text.len().min(end + AHEAD)];
        let (believed, dropped) = (self.cost(near, end), self.cost(near, line_end(text, start)));
        (dropped + ALONE < believed + lines).then_some(quote + 1)
    }

    /// What begins code in a string with this quotation mark.
    fn begins_of(&self, mark: u8) -> &[Vec<u8>] {
        self.strings.iter().find(|(other, _)| other[..] == [mark]).map_or(&[], |(_, begins)| begins)
    }

    /// Whether the quotation mark at the end of a string over several lines looks like the beginning of another.
    fn begins(&self, text: &[u8], quote: usize, end: usize) -> bool {
        let mark = text[quote];
        let is_long = text[quote..].starts_with(&[mark; 3]);
        if text.get(end).is_some_and(u8::is_ascii_alphanumeric) {
            return true;
        }
        if is_long && end >= quote + 3 {
            let near = &text[..end - 3];
            let from = quote.max(end.saturating_sub(NEAR));
            if (from..near.len()).any(|at| self.before_long.end(near, at).is_some()) {
                return true;
            }
        }
        let rest = &text[end..line_end(text, end)];
        let is_code = self.begins_of(mark).iter().any(|begin| text[end..].starts_with(begin));
        (!is_long && (is_code || text[end..].starts_with(&[mark; 2])))
            || rest.iter().filter(|byte| **byte == mark).count() % 2 == 1
    }

    /// How many lines of a text are inside of strings, and `ALONE` for each mark that is alone.
    fn cost(&self, text: &[u8], mut at: usize) -> usize {
        let mut cost = 0;
        while let Some(token) = self.next(text, at.min(text.len())) {
            at = token.end;
            let word = &text[token.start..at];
            cost += match (token.class, word) {
                (STRING, _) => newlines(word),
                (_, [byte]) if is_quote(byte) => ALONE,
                _ => 0,
            };
        }
        cost
    }

    /// Adds the tokens of a string from `start` to its end or to code. Returns the position after the last token.
    fn in_string<'a>(
        &self,
        text: &[u8],
        string: &'a (Vec<u8>, Vec<Vec<u8>>),
        mut start: usize,
        mut at: usize,
        tokens: &mut Vec<Token>,
        around: &mut Vec<Code<'a>>,
    ) -> usize {
        let (mark, begins) = string;
        loop {
            let mut code = None;
            while at < text.len() && !text[at..].starts_with(mark) {
                code = begins.iter().find_map(|begin| code_length(&text[at..], begin));
                if code.is_some() {
                    break;
                }
                at += if text[at] == b'\\' && at + 1 < text.len() { 2 } else { 1 };
            }
            let end = if at < text.len() && code.is_none() { at + mark.len() } else { at };
            let is_solid = |byte: &u8| *byte > LAST_BLANK;
            if let Some(first) = text[start..end].iter().position(is_solid) {
                let last = text[start..end].iter().rposition(is_solid).unwrap_or(first);
                tokens.push(Token { start: start + first, end: start + last + 1, class: STRING });
            }
            let Some((length, word)) = code else { return end };
            at += length;
            tokens.push(Token { start: at - length, end: at - word, class: SYMBOL });
            start = at;
            if word == 0 {
                around.push(Code { string, bracket: text[at - 1], depth: 1 });
                return at;
            }
            tokens.push(Token { start: at - word, end: at, class: NAME });
        }
    }
}

/// How far before a long quotation mark the sign is that makes it the beginning of a string.
const NEAR: usize = 80;

/// The length of what begins code, and the length of the word in it if the code is one word.
fn code_length(text: &[u8], begin: &[u8]) -> Option<(usize, usize)> {
    if !text.starts_with(begin) {
        return None;
    }
    if matches!(begin.last(), Some(b'(' | b'{')) {
        return Some((begin.len(), 0));
    }
    let rest = &text[begin.len()..];
    let is_special = matches!(rest.first(), Some(b'@' | b'*' | b'#' | b'?'));
    let word = if is_special { 1 } else { rest.iter().take_while(|byte| is_word(byte)).count() };
    (word > 0).then_some((begin.len() + word, word))
}

pub fn is_quote(byte: &u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

fn newlines(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte == b'\n').count()
}

fn line_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |length| at + length)
}
