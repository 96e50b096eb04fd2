//! Makes tokens from the leaves of a tree, as `wherefrom/analyzers/parsing.py` defines them.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::hashing::Coding;
use crate::lexing::Lexer;
use crate::mending::Broken;
use crate::noise::Noise;
use crate::tree::{KINDS, Language, Leaves};
use crate::values::{self, Spelling};

// The values of `TokenClass`, then the classes of leaves that are not tokens themselves.
pub const SYMBOL: u8 = 0;
pub const NAME: u8 = 1;
pub const STRING: u8 = 2;
pub const NUMBER: u8 = 3;
pub const CHARACTER: u8 = 4;
pub const COMMENT: u8 = 8;
const BLANK: u8 = 9;
const FRAGMENT: u8 = 10;
const LITERAL: u8 = 12;

pub const LAST_BLANK: u8 = 0x20;

/// A grammar with its tables, which are indexed by kind id; `grammars.LoadedGrammar` describes them.
pub struct Grammar {
    pub language: Language,
    pub actions: Box<[u8; KINDS]>,
    pub classes: Box<[u8; KINDS]>,
    pub texts: Vec<Box<[u8]>>,
    pub codes: Vec<u64>,
    pub keywords: HashSet<Vec<u8>>,
    pub spelling: Option<Spelling>,
    pub noise: Option<Noise>,
    pub lexer: Option<Lexer>,
}

/// The tokens of a text in order, without empty ones and without overlaps.
#[derive(Default)]
pub struct Tokens {
    pub starts: Vec<u32>,
    pub ends: Vec<u32>,
    pub classes: Vec<u8>,
    pub codes: Vec<u64>,
    pub comments: Vec<(u32, u32)>,
    /// The number of bytes under ERROR nodes plus the number of tokens that the parser made up.
    pub errors: u64,
    /// The number of bytes that the grammar did not parse.
    pub unparsed: u64,
}

impl Tokens {
    #[inline]
    pub fn add(&mut self, start: u32, end: u32, class: u8, code: u64) {
        self.starts.push(start);
        self.ends.push(end);
        self.classes.push(class);
        self.codes.push(code);
    }

    /// Adds a token with the code of its text or, for a literal, of its value. Does not add a piece of a string that is
    /// only a quotation mark.
    #[inline]
    pub fn add_text(&mut self, start: u32, end: u32, class: u8, text: &[u8], grammar: &Grammar, coding: Coding) {
        let value = match (class, &grammar.spelling) {
            (NUMBER, _) => values::number(text),
            (STRING, Some(spelling)) => spelling.string(text),
            _ => Cow::Borrowed(text),
        };
        if !value.is_empty() {
            self.add(start, end, class, coding.code(&value));
        }
    }

    /// Moves the tokens `from` to `to`, where they replace others.
    pub fn keep(&mut self, from: std::ops::Range<usize>, to: usize) {
        self.starts.copy_within(from.clone(), to);
        self.ends.copy_within(from.clone(), to);
        self.classes.copy_within(from.clone(), to);
        self.codes.copy_within(from, to);
    }

    pub fn truncate(&mut self, count: usize) {
        self.starts.truncate(count);
        self.ends.truncate(count);
        self.classes.truncate(count);
        self.codes.truncate(count);
    }

    fn reserve(&mut self, count: usize) {
        self.starts.reserve(count);
        self.ends.reserve(count);
        self.classes.reserve(count);
        self.codes.reserve(count);
    }
}

/// Turns leaves into tokens: leaves out comments and white space, splits raw text, and codes symbols. Returns also the
/// leaves that did not parse.
pub fn tokens(grammar: &Grammar, source: &[u8], leaves: &Leaves, coding: Coding) -> (Tokens, Vec<Broken>) {
    let mut broken = Vec::new();
    let mut tokens = Tokens { errors: leaves.error_bytes, ..Tokens::default() };
    tokens.reserve(leaves.leaves.len());
    let size = source.len() as u32; // a parser refuses longer sources
    for leaf in leaves.leaves {
        let (start, end) = (leaf.start.min(size), leaf.end.min(size));
        if start >= end {
            tokens.errors += u64::from(leaves.has_error && start == end);
            continue;
        }
        let (kind, text) = (usize::from(leaf.kind), &source[start as usize..end as usize]);
        let class = grammar.classes[kind];
        if leaf.is_broken != 0 {
            broken.push((start, end, is_raw(kind, class, text)));
        }
        if grammar.texts.get(kind).is_some_and(|fixed| is_fixed(fixed, text)) {
            tokens.add(end - grammar.texts[kind].len() as u32, end, class, grammar.codes[kind]);
        } else if class == COMMENT {
            tokens.comments.push((start, start + trimmed_end(text) as u32));
        } else if is_token(class, source, start as usize, end as usize) {
            tokens.add_text(start, end, class, text, grammar, coding);
        } else {
            split(text, class, &grammar.keywords, |begin, stop, part| {
                let (from, to) = (start + begin as u32, start + stop as u32);
                if part == COMMENT {
                    tokens.comments.push((from, to));
                } else {
                    tokens.add_text(from, to, part, &text[begin..stop], grammar, coding);
                }
            });
        }
    }
    (tokens, broken)
}

/// Whether a leaf that did not parse is raw text: several words that the grammar did not split.
fn is_raw(kind: usize, class: u8, text: &[u8]) -> bool {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let words = text.split(is_blank).filter(|word| !word.is_empty());
    kind == KINDS - 1 || (class < COMMENT && class != STRING && words.take(2).count() > 1)
}

/// Whether a leaf is a fixed text. White space or a line continuation may precede it, as in Bash's ` $(` in a string.
#[inline]
fn is_fixed(fixed: &[u8], text: &[u8]) -> bool {
    let is_blank = |at: usize| text[at] <= LAST_BLANK || text[at] == b'\\' && text[at + 1] == b'\n';
    !fixed.is_empty() && (*fixed == *text || text.ends_with(fixed) && (0..text.len() - fixed.len()).all(is_blank))
}

/// Whether a leaf is exactly one token: its class is a `TokenClass`, and it has no white space, except inside a string.
#[inline]
fn is_token(class: u8, source: &[u8], start: usize, end: usize) -> bool {
    if class >= COMMENT {
        return false;
    }
    if class == STRING {
        return source[start] > LAST_BLANK && source[end - 1] > LAST_BLANK;
    }
    // A line continuation is white space in the C family, Python and shells.
    (start..end).all(|at| source[at] > LAST_BLANK && !(source[at] == b'\\' && source.get(at + 1) == Some(&b'\n')))
}

/// The length without the white space at the end, as `bytes.rstrip` defines white space.
fn trimmed_end(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)).map_or(0, |at| at + 1)
}

/// Splits a leaf: calls `add` with start, end (both in the leaf) and class of each token and comment in it.
fn split(leaf: &[u8], class: u8, keywords: &HashSet<Vec<u8>>, mut add: impl FnMut(usize, usize, u8)) {
    match class {
        LITERAL | STRING => {
            let Some(start) = leaf.iter().position(|&byte| byte > LAST_BLANK) else { return };
            let end = leaf.iter().rposition(|&byte| byte > LAST_BLANK).map_or(0, |at| at + 1);
            let kind = if class == LITERAL { literal_class(&leaf[start..end]) } else { class };
            add(start, end, kind);
        }
        BLANK => {}
        FRAGMENT => {
            let mut at = 0;
            loop {
                while leaf.get(at).is_some_and(|&byte| byte <= LAST_BLANK || byte == b'\\') {
                    at += 1;
                }
                if at == leaf.len() {
                    return;
                }
                let (length, part) = fragment_part(&leaf[at..]);
                let is_keyword = part == NAME && keywords.contains(&leaf[at..at + length]);
                add(at, at + length, if is_keyword { SYMBOL } else { part });
                at += length;
            }
        }
        // Names with white space in them are under an ERROR node, or keywords of two words.
        _ => {
            let mut at = 0;
            loop {
                while leaf.get(at).is_some_and(|&byte| byte <= LAST_BLANK) {
                    at += 1;
                }
                if at == leaf.len() {
                    return;
                }
                let length =
                    run(&leaf[at..], |byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80).max(1);
                add(at, at + length, SYMBOL);
                at += length;
            }
        }
    }
}

fn run(text: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| !belongs(byte)).unwrap_or(text.len())
}

/// Where a text first has a part.
pub fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

const OPERATORS: [&[u8]; 13] =
    [b"<<=", b">>=", b"...", b"->*", b"->", b"++", b"--", b"<<", b">>", b"&&", b"||", b"::", b"##"];

/// The length and class of the first token or comment of a fragment that begins with neither a blank nor a backslash.
fn fragment_part(text: &[u8]) -> (usize, u8) {
    if text.starts_with(b"/*") {
        return (find(&text[2..], b"*/").map_or(text.len(), |at| at + 4), COMMENT);
    }
    if text.starts_with(b"//") {
        return (run(text, |byte| byte != b'\n'), COMMENT);
    }
    if let Some(length) = quoted(text) {
        return (length, STRING);
    }
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    if is_digit(0) || (text[0] == b'.' && is_digit(1)) {
        return (number(text), NUMBER);
    }
    let begins_name = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80;
    if begins_name(text[0]) {
        return (run(text, |byte| begins_name(byte) || byte.is_ascii_digit()), NAME);
    }
    (operator(text), SYMBOL)
}

/// The length of a string or character literal with its prefix; None if the text does not begin with a closed one.
fn quoted(text: &[u8]) -> Option<usize> {
    let prefix = match text {
        [b'"' | b'\'', ..] => 0,
        [b'L' | b'u' | b'U', b'"' | b'\'', ..] => 1,
        [b'u', b'8', b'"' | b'\'', ..] => 2,
        _ => return None,
    };
    let quote = text[prefix];
    let mut at = prefix + 1;
    loop {
        match text.get(at)? {
            b'\n' => return None,
            b'\\' => {
                text.get(at + 1)?;
                at += 2;
            }
            &byte if byte == quote => {
                let is_empty = at == prefix + 1;
                return (quote == b'"' || !is_empty).then_some(at + 1);
            }
            _ => at += 1,
        }
    }
}

fn number(text: &[u8]) -> usize {
    let mut at = if text[0] == b'.' { 2 } else { 1 };
    while let Some(&byte) = text.get(at) {
        let is_exponent = matches!(byte, b'e' | b'E' | b'p' | b'P');
        if is_exponent && matches!(text.get(at + 1), Some(b'+' | b'-')) {
            at += 2;
        } else if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' {
            at += 1;
        } else {
            break;
        }
    }
    at
}

fn operator(text: &[u8]) -> usize {
    if let Some(found) = OPERATORS.iter().find(|operator| text.starts_with(operator)) {
        return found.len();
    }
    let may_assign = |byte: u8| b"-+*/%&|^!=<>".contains(&byte);
    if text.get(1) == Some(&b'=') && may_assign(text[0]) { 2 } else { 1 }
}

/// The class of a literal by its first and last byte: a string, a number, or a word such as NULL.
fn literal_class(text: &[u8]) -> u8 {
    match (text.first(), text.last()) {
        (_, Some(b'\'' | b'"' | b'`' | b'$')) => STRING,
        (Some(b'0'..=b'9' | b'+' | b'-' | b'.'), _) => NUMBER,
        _ => SYMBOL,
    }
}
