//! Reads and writes stored token streams, as `_opened` and `packed` in `wherefrom/analyzers/tokens.py` do. That module
//! describes the parts.

#[cfg(feature = "web")]
use crate::stream::Planes;
use crate::stream::by_neighbors;
use crate::text::Text;

pub const FORMAT: u8 = 3;
pub const CODE_BYTES: usize = 5;
pub const TABLE_BYTES: usize = 4;
/// A stream has fewer tokens.
#[cfg(feature = "web")]
pub const MAX_TOKENS: usize = 1 << 24;

/// The places of tokens in a text: the bytes from `starts` to `ends` (half-open), and the lines (from 1) of the first and
/// last byte.
pub struct Places {
    pub starts: Vec<u32>,
    pub ends: Vec<u32>,
    pub start_lines: Vec<u32>,
    pub end_lines: Vec<u32>,
}

/// The symbols of an uncompressed stream, or None if it is damaged.
pub fn opened(stored: &[u8]) -> Option<Text> {
    parts(stored).map(|(text, _)| text)
}

/// The symbols of an uncompressed stream and the places of its tokens, or None if it is damaged.
pub fn opened_with_places(stored: &[u8]) -> Option<(Text, Places)> {
    let (text, parts) = parts(stored)?;
    let (symbols, gaps, count) = (text.codes.len(), parts.gaps, text.numbers.len());
    let mut facts = parts.facts;
    let [lengths, breaks] =
        [(); 2].map(|()| taken(&mut facts, symbols * TABLE_BYTES).map(|part| planes(part, symbols)));
    let [gaps_of, gap_breaks] = [(); 2].map(|()| taken(&mut facts, gaps * TABLE_BYTES).map(|part| planes(part, gaps)));
    let (lengths, breaks, gaps_of, gap_breaks) = (lengths?, breaks?, gaps_of?, gap_breaks?);
    let mut gap_of = vec![0; count];
    for (token, gap) in by_neighbors(&text.numbers, symbols).into_iter().zip(planes(parts.gap_of, count)) {
        gap_of[token as usize] = gap;
    }
    let empty = || Vec::with_capacity(count);
    let mut places = Places { starts: empty(), ends: empty(), start_lines: empty(), end_lines: empty() };
    let (mut end, mut line) = (0_u32, 1_u32);
    for (&symbol, gap) in text.numbers.iter().zip(gap_of) {
        let (symbol, gap) = (symbol as usize, gap as usize);
        let start = end.wrapping_add(*gaps_of.get(gap)?);
        let first_line = line.wrapping_add(gap_breaks[gap]);
        (end, line) = (start.wrapping_add(lengths[symbol]), first_line.wrapping_add(breaks[symbol]));
        places.starts.push(start);
        places.ends.push(end);
        places.start_lines.push(first_line);
        places.end_lines.push(line);
    }
    Some((text, places))
}

/// The parts of a stream that say where tokens are: the facts about symbols and gaps, the number of gaps, and the planes
/// of the gap before each token.
struct Parts<'a> {
    facts: &'a [u8],
    gaps: usize,
    gap_of: &'a [u8],
}

fn parts(stored: &[u8]) -> Option<(Text, Parts<'_>)> {
    let (&kind, stored) = stored.split_first()?;
    let mut rest = stored;
    let [count, symbols, gaps, segments, languages, words, packed] = [(); 7].map(|()| number(&mut rest));
    let (count, symbols, gaps, segments, languages) = (count?, symbols?, gaps?, segments?, languages?);
    if kind != FORMAT || packed? != 0 {
        return None;
    }
    let codes = codes(taken(&mut rest, symbols * CODE_BYTES)?).collect();
    let classes = taken(&mut rest, symbols)?.to_vec();
    let facts = taken(&mut rest, 2 * TABLE_BYTES * (symbols + gaps))?;
    let numbers = planes(taken(&mut rest, count * width(symbols))?, count);
    let gap_of = taken(&mut rest, count * width(gaps))?;
    let segments = planes(taken(&mut rest, segments * TABLE_BYTES)?, segments);
    let words = taken(&mut rest, words?)?.to_vec();
    let names = std::str::from_utf8(rest).ok().filter(|names| names.len() == languages)?;
    let named = if segments.is_empty() { 0 } else { names.split('\0').count() };
    let text = Text { codes, classes, numbers, segments, languages: names.to_owned(), words };
    let is_right = named == text.segments.len() && text.segments.first().is_none_or(|&first| first == 0);
    (is_right && text.is_whole()).then_some((text, Parts { facts, gaps, gap_of }))
}

/// The codes of the distinct symbols of a stream, which may be compressed; None if it is damaged.
pub fn symbol_codes(stored: &[u8]) -> Option<impl Iterator<Item = u64> + '_> {
    let (&kind, mut rest) = stored.split_first()?;
    let [_, symbols, ..] = [(); 7].map(|()| number(&mut rest));
    (kind == FORMAT).then_some(())?;
    Some(codes(taken(&mut rest, symbols? * CODE_BYTES)?))
}

fn codes(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(CODE_BYTES).map(|code| code.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
}

/// The uncompressed stored form of a stream of `count` tokens. `languages` has the language of each segment.
#[cfg(feature = "web")]
pub fn packed(count: usize, planes: &Planes, languages: &[&[u8]]) -> Vec<u8> {
    let names = languages.join(&0);
    let header = [count, planes.symbols, planes.gaps, languages.len(), names.len(), planes.words.len(), 0];
    let mut stored = vec![FORMAT];
    stored.extend(header.iter().flat_map(|&number| (number as u32).to_le_bytes()));
    for part in [&planes.codes, &planes.planes, &planes.words, &names] {
        stored.extend_from_slice(part);
    }
    stored
}

fn number(rest: &mut &[u8]) -> Option<usize> {
    let (bytes, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(u32::from_le_bytes(*bytes) as usize)
}

pub fn taken<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (part, behind) = rest.split_at_checked(length)?;
    *rest = behind;
    Some(part)
}

/// The number of bytes for a number below `different`.
pub fn width(different: usize) -> usize {
    match different {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 3,
    }
}

/// Numbers in planes: the lowest bytes of all come first, then the next ones.
fn planes(bytes: &[u8], count: usize) -> Vec<u32> {
    let mut numbers = vec![0; count];
    for (place, plane) in bytes.chunks_exact(count.max(1)).enumerate() {
        for (number, &byte) in numbers.iter_mut().zip(plane) {
            *number |= u32::from(byte) << (8 * place);
        }
    }
    numbers
}
