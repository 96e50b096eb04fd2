//! Extracts a token stream from several that are stored as one value, as `wherefrom/support/streams.py` describes.

use crate::stored::{CODE_BYTES, FORMAT, TABLE_BYTES, taken, width};

/// Bytes of the class, the length and the line breaks of a symbol.
const FACTS: usize = 1 + 2 * TABLE_BYTES;
/// Bytes of the length and the line breaks of a gap.
const GAP: usize = 2 * TABLE_BYTES;
/// Bytes of the counts of a stream.
const COUNTS: usize = 24;

/// The columns of all streams, decompressed.
pub struct Joined<'a> {
    /// The codes of the distinct symbols.
    pub codes: &'a [u8],
    /// The number of distinct gaps.
    pub gaps: usize,
    /// The counts of each stream, the other facts of the symbols, the gaps, the numbers of the gaps of each stream, and the
    /// rest of each stream.
    pub tables: &'a [u8],
    /// The numbers of the symbols of each stream.
    pub symbol_numbers: &'a [u8],
    /// For each token, the number of its symbol in its stream; `gap_of` likewise.
    pub symbol_of: &'a [u8],
    pub gap_of: &'a [u8],
}

/// Where the part of one stream is in a column of all streams.
struct Place {
    begin: usize,
    length: usize,
}

impl Place {
    fn of<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        bytes.get(self.begin..self.begin + self.length)
    }
}

impl Joined<'_> {
    /// The stream number `place` (from 0) of `count`, or None if the columns are damaged.
    pub fn stream(&self, place: usize, count: usize) -> Option<Vec<u8>> {
        let symbols = self.codes.len() / CODE_BYTES;
        let mut rest = self.tables;
        let counts = taken(&mut rest, COUNTS.checked_mul(count)?)?;
        let facts = taken(&mut rest, FACTS * symbols)?;
        let gaps = taken(&mut rest, GAP.checked_mul(self.gaps)?)?;
        let mut places = [(); 5].map(|()| Place { begin: 0, length: 0 });
        let mut ends = [0; 5];
        for stream in 0..count {
            for (length, (at, end)) in lengths(counts, stream, count).into_iter().zip(places.iter_mut().zip(&mut ends))
            {
                if stream == place {
                    *at = Place { begin: *end, length };
                }
                *end += length;
            }
        }
        let gap_numbers = taken(&mut rest, ends[1].checked_mul(2)?)?;
        let held = [self.symbol_numbers.len() / 2, ends[1], self.symbol_of.len(), self.gap_of.len(), rest.len()];
        let is_whole = self.codes.len() % CODE_BYTES == 0 && self.symbol_numbers.len() % 2 == 0;
        if ends != held || !is_whole || place >= count {
            return None;
        }
        let [in_symbols, in_gaps, in_symbol_of, in_gap_of, in_rest] = &places;
        let rows = rows(self.symbol_numbers, in_symbols, symbols)?;
        let gap_rows = self::rows(gap_numbers, in_gaps, self.gaps)?;

        let mut made = vec![FORMAT];
        made.extend((0..COUNTS).map(|byte| counts[byte * count + place]));
        made.extend([0; 4]);
        for &row in &rows {
            made.extend_from_slice(&self.codes[row * CODE_BYTES..][..CODE_BYTES]);
        }
        for plane in 0..FACTS {
            made.extend(rows.iter().map(|row| facts[plane * symbols + row]));
        }
        for plane in 0..GAP {
            made.extend(gap_rows.iter().map(|row| gaps[plane * self.gaps + row]));
        }
        made.extend_from_slice(in_symbol_of.of(self.symbol_of)?);
        made.extend_from_slice(in_gap_of.of(self.gap_of)?);
        made.extend_from_slice(in_rest.of(rest)?);
        Some(made)
    }
}

/// The lengths of a stream's parts: its symbols, its gaps, bytes of `symbol_of` and of `gap_of`, and bytes of its rest.
fn lengths(counts: &[u8], stream: usize, count: usize) -> [usize; 5] {
    let number = |first: usize| {
        let byte = |at: usize| usize::from(counts[(first + at) * count + stream]) << (8 * at);
        byte(0) | byte(1) | byte(2) | byte(3)
    };
    let [tokens, symbols, gaps, segments, names, words] = [0, 4, 8, 12, 16, 20].map(number);
    [symbols, gaps, tokens * width(symbols), tokens * width(gaps), segments * TABLE_BYTES + names + words]
}

/// The distinct rows that a stream has. Its numbers are stored in two planes of bytes. A 0 means the first row that has
/// not appeared yet; any other number is the row plus one.
fn rows(planes: &[u8], place: &Place, distinct: usize) -> Option<Vec<usize>> {
    let (low, high) = planes.split_at(planes.len() / 2);
    let is_first = |(low, high): (&u8, &u8)| *low | *high == 0;
    let mut seen = low[..place.begin].iter().zip(high).filter(|&both| is_first(both)).count();
    let numbers = place.of(low)?.iter().zip(place.of(high)?).map(|both| {
        let number = usize::from(*both.0) | usize::from(*both.1) << 8;
        if number > 0 {
            return number - 1;
        }
        seen += 1;
        seen - 1
    });
    numbers.map(|row| (row < distinct).then_some(row)).collect()
}
