//! Reads a source whose grammar gives up on a part of it, as `wherefrom/analyzers/mending.py` defines it.

use std::collections::HashSet;

use crate::hashing::Coding;
use crate::lexing::{Lexer, MOST_DOUBTED, Token, is_quote};
use crate::tokens::{COMMENT, Grammar, LAST_BLANK, NAME, STRING, SYMBOL, Tokens};
use crate::tree::Failure;

/// The span of a leaf that did not parse, and whether it is raw text.
pub type Broken = (u32, u32, bool);

/// The most bytes of a string up to its first quotation mark and with it.
const PREFIX: usize = 4;

/// Whether the grammar may have lost code.
pub fn gives_up(lexer: &Lexer, source: &[u8], parsed: &Tokens, broken: &[Broken]) -> bool {
    if 2 * parsed.errors > source.len() as u64 || broken.iter().any(|(.., is_raw)| *is_raw) || skips(source, parsed) {
        return true;
    }
    let spans = (0..parsed.classes.len()).filter(|at| parsed.classes[*at] == STRING);
    let is_long = |(start, end): &(usize, usize)| source[*start..*end].contains(&b'\n');
    let spans = spans.map(|at| (parsed.starts[at] as usize, parsed.ends[at] as usize));
    let long: Vec<(usize, usize)> = spans.filter(is_long).collect();
    if parsed.errors > 0 && !long.is_empty() {
        return true;
    }
    let comment = parsed.comments.last().map(|(start, end)| (*start as usize, *end as usize));
    let is_open = |(start, end)| is_blank(&source[end..]) && lexer.end_of(source, start) < end;
    let mut looks = MOST_DOUBTED;
    long.iter().any(|(start, end)| lexer.is_open(source, *start, *end, &mut looks))
        || comment.filter(is_long).into_iter().chain(long.last().copied()).any(is_open)
}

/// Whether the grammar left out text without an error at the end, or with an error anywhere.
fn skips(source: &[u8], parsed: &Tokens) -> bool {
    let tokens = parsed.starts.iter().copied().zip(parsed.ends.iter().copied());
    let mut spans: Vec<(u32, u32)> = tokens.chain(parsed.comments.iter().copied()).collect();
    let last = spans.iter().map(|(_, end)| *end as usize).max().unwrap_or(0);
    if !is_blank(&source[last..]) {
        return true;
    }
    if parsed.errors == 0 {
        return false;
    }
    spans.sort_unstable();
    let firsts = [(0, 0)];
    let pairs = firsts.iter().chain(&spans).zip(&spans);
    pairs.into_iter().any(|((_, end), (start, _))| end < start && !is_blank(&source[*end as usize..*start as usize]))
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| *byte <= LAST_BLANK || *byte == b'\\')
}

/// Merges tokens from the grammar with tokens from the lexical forms.
pub fn merged(
    grammar: &Grammar,
    lexer: &Lexer,
    text: &[u8],
    parsed: &Tokens,
    broken: &[Broken],
    coding: Coding,
    deadline: u64,
) -> Result<Tokens, Failure> {
    let lexical = lexer.split(text, deadline)?;
    let (grammatical, unsound) = grammatical(parsed, broken);
    let mut found = Tokens { errors: parsed.errors, ..Tokens::default() };
    let mut is_swallowing = false;
    let mut rest = (grammatical.as_slice(), lexical.as_slice());
    while let Some((own, lexed, end)) = stretch(&mut rest) {
        is_swallowing = swallows(text, own, lexed, is_swallowing);
        let mut is_sound = !own.is_empty() && own.iter().all(|token| !unsound.contains(&token.start));
        let likelier;
        let chosen = match (own, lexed) {
            ([one], [other]) if is_sound && (one.start, one.end) == (other.start, other.end) => {
                let is_word = one.class == NAME && other.class == SYMBOL;
                let is_keyword = is_word && lexer.is_keyword(&text[one.start..one.end]);
                likelier = [if is_keyword { *other } else { *one }];
                &likelier[..]
            }
            (_, []) => own,
            _ if is_sound
                && !(is_swallowing && own.iter().any(|token| is_quoted(text, token)))
                && (lexer.has_operators || !is_operator(text, own, lexed)) =>
            {
                own
            }
            _ => {
                is_sound = false;
                lexed
            }
        };
        if !is_sound {
            let begin = own.iter().chain(lexed).map(|token| token.start).min().unwrap_or(end);
            found.unparsed += (end - begin) as u64;
        }
        for Token { start, end, class } in chosen {
            if *class == COMMENT {
                found.comments.push((*start as u32, *end as u32));
            } else {
                found.add_text(*start as u32, *end as u32, *class, &text[*start..*end], grammar, coding);
            }
        }
    }
    Ok(found)
}

/// Whether the last string of several lines begins at a mark that does not begin such a string by the lexical forms, or
/// is a string or comment that only the end of the text ends. A mark counts that closes nothing by the forms, too, if the
/// grammar left it out or has a string there that ends at code.
fn swallows(text: &[u8], own: &[Token], lexed: &[Token], mut is_swallowing: bool) -> bool {
    let alone = lexed.iter().filter(|mark| mark.class == SYMBOL && is_quote(&text[mark.end - 1]));
    if own.is_empty() && alone.clone().next().is_some() {
        return true;
    }
    for token in own {
        let is_open = |mark: &&Token| token.end == token.start + 1 || text[token.end - 1] != text[mark.end - 1];
        if token.class == STRING && alone.clone().filter(|mark| mark.start == token.start).any(|mark| is_open(&mark)) {
            return true;
        }
        if !matches!(token.class, STRING | COMMENT) || !text[token.start..token.end].contains(&b'\n') {
            continue;
        }
        if is_blank(&text[token.end..]) {
            let is_ended = lexed.iter().any(|other| matches!(other.class, STRING | COMMENT) && other.end >= token.end);
            return !is_ended && !is_here_document(text, token);
        }
        if token.class == COMMENT {
            continue;
        }
        let is_mark = |text: &[u8]| matches!(text, b"%" | b"/") || text.last().is_some_and(is_quote);
        let is_inside = |other: &Token| other.class == STRING && (other.start + 1..other.end).contains(&token.start);
        let mark = lexed.iter().find(|other| {
            (is_inside(other) && is_quote(&text[token.start]))
                || ((token.start..token.start + PREFIX).contains(&other.start)
                    && !text[token.start..other.start].contains(&b' ')
                    && (other.class == STRING || is_mark(&text[other.start..other.end])))
        });
        if let Some(mark) = mark {
            let is_long = text[mark.start..mark.end].contains(&b'\n');
            is_swallowing = is_inside(mark) || mark.class != STRING || !is_long;
        }
        if is_swallowing {
            break;
        }
    }
    is_swallowing
}

fn is_quoted(text: &[u8], token: &Token) -> bool {
    matches!(token.class, STRING | COMMENT) || matches!(&text[token.start..token.end], [byte] if is_quote(byte))
}

/// Whether a string ends with a word of the line before it.
fn is_here_document(text: &[u8], token: &Token) -> bool {
    let inside = text[token.start..token.end].trim_ascii();
    let word = inside.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let before = text[..token.start].trim_ascii_end();
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    word.iter().all(u8::is_ascii_alphanumeric) && line.windows(word.len().max(1)).any(|part| part == word)
}

/// Whether the grammar split an operator that is one token. False for `>>`, which may be two brackets of types.
fn is_operator(text: &[u8], own: &[Token], lexed: &[Token]) -> bool {
    let [operator] = lexed else { return false };
    own.len() > 1
        && own.last().is_some_and(|last| last.end == operator.end)
        && text[operator.start] != b'>'
        && own.iter().chain(lexed).all(|token| token.class == SYMBOL)
}

/// The tokens and comments that the grammar found, in order, except those in raw text; and where those begin that did
/// not parse.
fn grammatical(parsed: &Tokens, broken: &[Broken]) -> (Vec<Token>, HashSet<usize>) {
    let mut found = Vec::with_capacity(parsed.starts.len());
    let mut unsound = HashSet::new();
    let tokens = (0..parsed.starts.len()).map(|at| (parsed.starts[at], parsed.ends[at], parsed.classes[at]));
    for (start, end, class) in tokens.chain(parsed.comments.iter().map(|&(start, end)| (start, end, COMMENT))) {
        let owner = broken[..broken.partition_point(|&(begin, ..)| begin <= start)].last();
        let owner = owner.filter(|(_, stop, _)| start < *stop);
        if owner.is_some() {
            unsound.insert(start as usize);
        }
        if owner.is_none_or(|(.., is_raw)| !is_raw) {
            found.push(Token { start: start as usize, end: end as usize, class });
        }
    }
    found.sort_unstable();
    (found, unsound)
}

/// Takes the shortest beginning of two readings of a text that no token crosses; and where it ends.
fn stretch<'a>(rest: &mut (&'a [Token], &'a [Token])) -> Option<(&'a [Token], &'a [Token], usize)> {
    let (first, second) = *rest;
    let start = |tokens: &[Token]| tokens.first().map_or(usize::MAX, |token| token.start);
    let begin = start(first).min(start(second));
    if begin == usize::MAX {
        return None;
    }
    let (mut at, mut other, mut end) = (0, 0, begin + 1);
    loop {
        if first.get(at).is_some_and(|token| token.start < end) {
            end = end.max(first[at].end);
            at += 1;
        } else if second.get(other).is_some_and(|token| token.start < end) {
            end = end.max(second[other].end);
            other += 1;
        } else {
            break;
        }
    }
    *rest = (&first[at..], &second[other..]);
    Some((&first[..at], &second[..other], end))
}
