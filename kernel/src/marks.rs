//! Reads a source without the one quotation mark, or other mark of a string or comment, that is too many, as
//! `wherefrom/analyzers/marks.py` defines it.

use std::collections::HashMap;

use crate::forms::is_word;
use crate::lexing::{Lexer, is_quote};
use crate::mending::Broken;
use crate::tokens::{STRING, Tokens, find};
use crate::tree::Failure;

/// The tokens of a source, and what did not parse.
pub type Parsed = (Tokens, Vec<Broken>);

/// The mark, from `start` to `stop`, of a string or comment over several lines, and where that ends; or a mark that
/// nothing ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    start: usize,
    stop: usize,
    end: usize,
}

/// The cost of a source without a part, and its reading unless that took too long.
type Reading = (u64, Option<(Vec<u8>, Parsed)>);
type Tried = HashMap<usize, Reading>;

const QUOTES: [&[u8]; 5] = [b"\"\"\"", b"'''", b"\"", b"'", b"`"];
const COMMENTS: [&[u8]; 4] = [b"/*", b"(*", b"{-", b"#="];
const MOST_HERE_DOCUMENTS: usize = 100;

/// The most bytes of a string before its quotation mark.
const PREFIX: usize = 12;

/// The length of `%w[`, which begins a list of words.
const LIST: usize = 3;

/// A source is read again at most this often, each time without another mark.
pub const TRIES: u64 = 8;

/// A line of at most this many bytes is left out as a whole.
const LONGEST_LINE: usize = 200;

/// Another reading is taken if it is better by one part in this many.
const WORTH: u64 = 200;

/// A byte that did not parse is as bad as this many bytes in strings and comments of several lines.
const OF_ERROR: u64 = 25;

/// The marks of a source, in order.
fn marks(lexer: &Lexer, text: &[u8], parsed: &Tokens) -> Vec<Mark> {
    let mut found = Vec::new();
    let is_long = |start: usize, end: usize| text[start..end].contains(&b'\n');
    for &(start, end) in &parsed.comments {
        let (start, end) = (start as usize, end as usize);
        if COMMENTS.iter().any(|mark| text[start..].starts_with(mark)) && is_long(start, end) {
            found.push(Mark { start, stop: start + 2, end });
        }
    }
    let mut line_end = 0;
    let mut alone: Vec<&[u8]> = Vec::new();
    for at in 0..parsed.starts.len() {
        let (start, end) = (parsed.starts[at] as usize, parsed.ends[at] as usize);
        if parsed.classes[at] == STRING && is_long(start, end) {
            found.push(Mark { start, stop: start + opening(&text[start..]), end });
        } else if let Some(begin) =
            unclosed(&text[start..end], parsed.classes[at] == STRING).filter(|_| parsed.errors > 0)
        {
            if start >= line_end {
                line_end = find(&text[start..], b"\n").map_or(text.len(), |length| start + length + 1);
                let line =
                    &text[text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1)..line_end];
                alone = QUOTES.into_iter().filter(|quote| count(line, quote) % 2 == 1).collect();
            }
            let is_list = begin.len() == LIST && begin.starts_with(b"%");
            if is_list || alone.iter().any(|quote| begin.ends_with(quote)) {
                let stop = start + begin.len();
                found.push(Mark { start, stop, end: stop });
            }
        }
    }
    if lexer.has_here_documents {
        found.extend(here_document(text));
    }
    if lexer.has_pages {
        let end = rfind(text, b"?>").filter(|end| rfind(text, b"<?").is_none_or(|begin| begin < *end));
        let end = end.filter(|end| !is_inside(parsed, *end));
        found.extend(end.map(|end| {
            let line = text[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
            let begin = rfind(&text[line..end], b"<?").map_or(0, |begin| line + begin);
            Mark { start: if begin > 0 { begin } else { end }, stop: end + 2, end: text.len() }
        }));
    }
    found.sort_unstable();
    found
}

/// How a token begins that may begin a string or list and does not end it.
fn unclosed(token: &[u8], is_string: bool) -> Option<&[u8]> {
    let begin = &token[..opening(token)];
    let quote = QUOTES.into_iter().find(|quote| begin.ends_with(quote)).filter(|_| is_string);
    let is_open = begin == token || quote.is_some_and(|quote| !token.ends_with(quote));
    (is_open && !begin.is_empty()).then_some(begin)
}

/// Whether a place is behind the first byte of a token or comment, and before its end.
fn is_inside(parsed: &Tokens, place: usize) -> bool {
    let at = parsed.starts.partition_point(|start| (*start as usize) < place);
    (at > 0 && place < parsed.ends[at - 1] as usize)
        || parsed.comments.iter().any(|&(start, end)| (start as usize) < place && place < end as usize)
}

/// The length of the mark with which a string begins.
fn opening(text: &[u8]) -> usize {
    for (at, byte) in text.iter().take(PREFIX + 1).enumerate() {
        if is_quote(byte) {
            let is_triple = *byte != b'`' && text[at..].starts_with(&[*byte; 3]);
            return at + if is_triple { 3 } else { 1 };
        }
        if is_space(byte) {
            break;
        }
    }
    let is_sign = |byte: &u8| !is_word(byte) && !is_space(byte);
    match text {
        [b'%', letter, sign, ..] if is_word(letter) && is_sign(sign) => 3,
        [b'%', sign, ..] if is_sign(sign) => 2,
        [b'[', rest @ ..] => {
            let level = rest.iter().take_while(|byte| **byte == b'=').count();
            if rest.get(level) == Some(&b'[') { level + 2 } else { 0 }
        }
        _ => 0,
    }
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

/// The first here-document that nothing ends.
fn here_document(text: &[u8]) -> Option<Mark> {
    let (mut at, mut seen) = (0, 0);
    while seen < MOST_HERE_DOCUMENTS {
        let start = at + find(&text[at..], b"<<")?;
        let mut begin = start + 2;
        for signs in [&b"-~<"[..], b" ", b"\"'"] {
            begin += usize::from(text.get(begin).is_some_and(|byte| signs.contains(byte)));
        }
        let is_upper = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
        if !text.get(begin).is_some_and(is_upper) {
            at = start + 1;
            continue;
        }
        let length = text[begin..].iter().take_while(|byte| is_upper(byte) || byte.is_ascii_digit()).count();
        let word = &text[begin..begin + length];
        at = begin + length;
        at += usize::from(text.get(at).is_some_and(|byte| b"\"'".contains(byte)));
        seen += 1;
        let is_end = |line: &[u8]| {
            let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            line[blanks..].strip_prefix(word).is_some_and(|rest| !rest.first().is_some_and(is_word))
        };
        if !text[at..].split(|byte| *byte == b'\n').skip(1).any(is_end) {
            return Some(Mark { start, stop: at, end: at });
        }
    }
    None
}

/// Whether a string or comment has its own mark once more, nothing ends a comment, a here-document or a list of words,
/// or the text behind the code of a page has no line that begins with a tag.
fn is_doubtful(text: &[u8], mark: &Mark) -> bool {
    let own = &text[mark.start.max(mark.stop.saturating_sub(3))..mark.stop];
    if text[..mark.stop].ends_with(b"?>") {
        let mut lines = text[mark.stop..mark.end].split(|byte| *byte == b'\n');
        let is_tag = |line: &[u8]| line.iter().find(|byte| !is_space(byte)) == Some(&b'<');
        return lines.clone().count() > 2 && !lines.any(is_tag);
    }
    if COMMENTS.contains(&own) && !text[mark.stop..mark.end].ends_with(&[own[1], own[0]]) {
        return true;
    }
    let inside = &text[mark.stop..mark.end.saturating_sub(own.len()).max(mark.stop)];
    let is_list = text[mark.start..].starts_with(b"<<") || text[mark.start..].starts_with(b"%");
    (is_list && mark.stop == mark.end)
        || ((QUOTES[..2].contains(&own) || COMMENTS.contains(&own)) && find(inside, own).is_some())
}

/// A source without the one of its marks that is too many, or without the line of that mark, and its reading; None if no
/// other reading is better. `is_lost` says that the grammar gave up.
pub fn without_one(
    lexer: &Lexer,
    source: &[u8],
    (parsed, broken): (&Tokens, &[Broken]),
    is_lost: bool,
    parse: impl Fn(&[u8]) -> Result<Parsed, Failure>,
) -> Result<Option<(Vec<u8>, Parsed)>, Failure> {
    let found = marks(lexer, source, parsed).into_iter().filter(|mark| mark.start < mark.stop);
    let whole = found.map(|mark| (mark, is_doubtful(source, &mark)));
    let is_comment = |mark: &Mark| COMMENTS.contains(&&source[mark.start..mark.stop]);
    let looked_at: Vec<(Mark, bool)> =
        whole.filter(|(mark, is_in)| *is_in || (parsed.errors > 0 && !is_comment(mark))).collect();
    let worth = cost(lexer, source, parsed);
    let is_wanted = worth > 0 && (is_lost || looked_at.iter().any(|(_, is_in)| *is_in));
    let Some(last) = looked_at.len().checked_sub(1).filter(|_| is_wanted) else { return Ok(None) };
    let mut tried: Tried = HashMap::new();
    let reading = |mut start: usize, mut stop: usize, is_line: bool| -> Result<Reading, Failure> {
        let line = source[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
        let line_end = find(&source[start..], b"\n").map_or(source.len(), |length| start + length);
        if is_line && line_end - line <= LONGEST_LINE {
            (start, stop) = (line, line_end);
        }
        let mut text = source.to_vec();
        text[start..stop].fill(b' ');
        match parse(&text) {
            Ok(again) => Ok((cost(lexer, &text, &again.0), Some((text, again)))),
            Err(Failure::Late) => Ok((u64::MAX, None)),
            Err(failure) => Err(failure),
        }
    };
    // Up to `last`, the number of a mark means its line, and beyond it the mark alone.
    let cost_of = |tried: &mut Tried, at: usize| {
        if let Some((known, _)) = tried.get(&at) {
            return Ok(*known);
        }
        let mark = looked_at[at % (last + 1)].0;
        let made = reading(mark.start, mark.stop, at <= last)?;
        let cost = made.0;
        tried.insert(at, made);
        Ok(cost)
    };
    let least = |tried: &mut _, chosen: &[usize]| {
        let mut best = (u64::MAX, chosen[0]);
        for at in chosen {
            let cost = cost_of(tried, *at)?;
            if cost < best.0 {
                best = (cost, *at);
            }
        }
        Ok(best)
    };
    least(&mut tried, &[0])?;
    let mut chosen = vec![0];
    chosen.extend((0..=last).filter(|at| looked_at[*at].1).take(2));
    chosen.push(last);
    if let Some((_, Some((text, (tokens, errors))))) = tried.get(&0) {
        let places: Vec<usize> = looked_at.iter().map(|(mark, _)| mark.start).collect();
        let here = costs_before(lexer, source, parsed, broken, &places);
        let there = costs_before(lexer, text, tokens, errors, &places);
        chosen.extend((0..=last).min_by_key(|at| here[*at] as i64 - there[*at] as i64));
    }
    let mut best = least(&mut tried, &chosen)?;
    while tried.len() < TRIES as usize {
        let nearest = least(&mut tried, &[best.1, best.1.saturating_sub(1), (best.1 + 1).min(last)])?;
        if nearest.1 == best.1 {
            break;
        }
        best = nearest;
    }
    best = least(&mut tried, &[best.1 + last + 1, best.1])?;
    if best.0 == u64::MAX || WORTH * best.0 >= (WORTH - 1) * worth {
        return Ok(None);
    }
    let mark = looked_at[best.1 % (last + 1)].0;
    if let Some(&(start, stop, _)) = broken.iter().find(|(start, ..)| *start as usize >= mark.start) {
        if reading(start as usize, stop as usize, true)?.0 < best.0 {
            return Ok(None);
        }
    }
    Ok(tried.remove(&best.1).and_then(|(_, reading)| reading))
}

fn cost(lexer: &Lexer, text: &[u8], parsed: &Tokens) -> u64 {
    let inside: usize = marks(lexer, text, parsed).iter().map(|mark| mark.end - mark.stop).sum();
    OF_ERROR * parsed.errors + inside as u64
}

/// The cost of the text before each place.
fn costs_before(lexer: &Lexer, text: &[u8], parsed: &Tokens, broken: &[Broken], places: &[usize]) -> Vec<u64> {
    let errors = broken.iter().map(|(start, end, _)| (*start as usize, OF_ERROR * u64::from(end - start)));
    let inside = marks(lexer, text, parsed).into_iter().map(|mark| (mark.start, (mark.end - mark.stop) as u64));
    let mut costs: Vec<(usize, u64)> = errors.chain(inside).collect();
    costs.sort_unstable();
    let mut sums = vec![0];
    for (at, (_, cost)) in costs.iter().enumerate() {
        sums.push(sums[at] + cost);
    }
    places.iter().map(|place| sums[costs.partition_point(|(start, _)| start < place)]).collect()
}

fn rfind(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).rposition(|part| part == wanted)
}

/// How often a text has a part, without overlaps.
fn count(text: &[u8], wanted: &[u8]) -> usize {
    let (mut at, mut found) = (0, 0);
    while let Some(next) = find(&text[at..], wanted) {
        at += next + wanted.len();
        found += 1;
    }
    found
}
