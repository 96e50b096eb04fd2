//! Reads a stored token stream, as `_opened` in `wherefrom/analyzers/tokens.py` does. That module describes the parts.

use crate::sharing::Text;

pub const FORMAT: u8 = 2;
pub const CODE_BYTES: usize = 5;
pub const TABLE_BYTES: usize = 4;

/// The symbols of an uncompressed stream, or None if it is damaged.
pub fn opened(stored: &[u8]) -> Option<Text> {
    let (&kind, stored) = stored.split_first()?;
    let mut rest = stored;
    let [count, symbols, gaps, segments, languages, packed] = [(); 6].map(|()| number(&mut rest));
    let (count, symbols, gaps, segments, languages) = (count?, symbols?, gaps?, segments?, languages?);
    if kind != FORMAT || packed? != 0 {
        return None;
    }
    let codes = taken(&mut rest, symbols * CODE_BYTES)?.chunks_exact(CODE_BYTES);
    let codes = codes.map(|code| code.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))).collect();
    let classes = taken(&mut rest, symbols)?.to_vec();
    taken(&mut rest, 2 * TABLE_BYTES * (symbols + gaps))?;
    let numbers = planes(taken(&mut rest, count * width(symbols))?, count);
    taken(&mut rest, count * width(gaps))?;
    let segments = planes(taken(&mut rest, segments * TABLE_BYTES)?, segments);
    let names = std::str::from_utf8(rest).ok().filter(|names| names.len() == languages)?;
    let named = if segments.is_empty() { 0 } else { names.split('\0').count() };
    let text = Text { codes, classes, numbers, segments };
    let is_right = named == text.segments.len() && text.segments.first().is_none_or(|&first| first == 0);
    (is_right && text.is_whole()).then_some(text)
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
