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
    strings: Vec<(u8, Vec<Vec<u8>>)>,
    before_long: Form,
    pub has_operators: bool,
}

/// The fields of a `Lexer` as Python gives them.
pub struct Rules {
    pub forms: Vec<(u8, Vec<u8>)>,
    pub keywords: HashSet<Vec<u8>>,
    pub strings: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
    pub before_long: Vec<u8>,
    pub has_operators: bool,
}

/// A token or comment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token {
    pub start: usize,
    pub end: usize,
    pub class: u8,
}

/// Code in a string.
struct Code {
    mark: u8,
    bracket: u8,
    depth: isize,
}

/// How many tokens are read for each look at the clock.
const TOKENS_PER_LOOK: usize = 64;

impl Code {
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
        let strings = rules.strings.into_iter().map(|(mark, begins)| Some((*mark.first()?, begins)));
        Some(Self {
            forms: forms.collect::<Option<_>>()?,
            keywords: rules.keywords,
            strings: strings.collect::<Option<_>>()?,
            before_long: Form::new(&rules.before_long)?,
            has_operators: rules.has_operators,
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
        while let Some(Token { start, mut end, mut class }) = self.next(text, at) {
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
                if let Some(quote) = self.doubted(text, start, end) {
                    (class, at, end) = (SYMBOL, quote, quote);
                }
            }
            let word = &text[start..end];
            if class == STRING && self.begins_of(text[start]).is_some() {
                at = self.in_string(text, text[start], start, start + 1, &mut tokens, &mut around);
                before = &text[start..start + 1];
                continue;
            }
            if class == NAME && self.is_keyword(word) && !matches!(before, b"." | b"?." | b"->") {
                class = SYMBOL;
            }
            tokens.push(Token { start, end, class });
            before = word;
            if around.last_mut().is_some_and(|code| code.ends_with(word)) {
                if let Some(code) = around.pop() {
                    at = self.in_string(text, code.mark, end, end, &mut tokens, &mut around);
                }
            }
        }
        Ok(tokens)
    }

    fn begins_of(&self, mark: u8) -> Option<&[Vec<u8>]> {
        self.strings.iter().find(|(other, _)| *other == mark).map(|(_, begins)| begins.as_slice())
    }

    /// The next token or comment; None if only white space is left.
    fn next(&self, text: &[u8], at: usize) -> Option<Token> {
        let start = at + text[at..].iter().position(|byte| *byte > LAST_BLANK && *byte != b'\\')?;
        let found = self.forms.iter().find_map(|(class, form)| Some((form.end(text, start)?, *class)));
        found.map(|(end, class)| Token { start, end, class })
    }

    /// Where the quotation mark ends that begins a string over several lines but probably closes nothing.
    fn doubted(&self, text: &[u8], start: usize, end: usize) -> Option<usize> {
        let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
        let place = start + text[start..end].iter().take(4).take_while(|byte| **byte != b'\n').position(is_quote)?;
        if !text[start..end].contains(&b'\n') {
            return None;
        }
        let mark = text[place];
        if text.get(end).is_some_and(u8::is_ascii_alphanumeric) {
            return Some(place + 1);
        }
        if text[place..].starts_with(&[mark; 3]) && end >= start + 3 {
            let near = &text[..end - 3];
            let from = start.max(end.saturating_sub(NEAR));
            if (from..near.len()).any(|at| self.before_long.end(near, at).is_some()) {
                return Some(place + 1);
            }
        }
        let line =
            &text[..text[end..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |length| end + length)];
        let mut at = end;
        while let Some(token) = self.next(line, at) {
            at = token.end;
            if line[token.start..at] == [mark] {
                return Some(place + 1);
            }
        }
        None
    }

    /// Adds the tokens of a string from `start` to its end or to code. Returns the position after the last token.
    fn in_string(
        &self,
        text: &[u8],
        mark: u8,
        mut start: usize,
        mut at: usize,
        tokens: &mut Vec<Token>,
        around: &mut Vec<Code>,
    ) -> usize {
        let begins = self.begins_of(mark).unwrap_or_default();
        loop {
            let mut code = None;
            while at < text.len() && text[at] != mark {
                code = begins.iter().find_map(|begin| code_length(&text[at..], begin));
                if code.is_some() {
                    break;
                }
                at += if text[at] == b'\\' && at + 1 < text.len() { 2 } else { 1 };
            }
            let end = if at < text.len() && code.is_none() { at + 1 } else { at };
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
                around.push(Code { mark, bracket: text[at - 1], depth: 1 });
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
    let word = text[begin.len()..].iter().take_while(|byte| is_word(byte)).count();
    (word > 0).then_some((begin.len() + word, word))
}
