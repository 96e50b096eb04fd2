//! Joins token streams that are stored as one value, and extracts one of them, as `wherefrom/support/streams.py` describes.

use std::collections::HashMap;

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

/// Streams are joined only if they have fewer symbols, and fewer gaps, than this together.
const MOST: usize = 1 << 16;

/// The columns of joined streams, as `Joined` has them.
#[derive(Default)]
pub struct Columns {
    pub codes: Vec<u8>,
    pub gaps: usize,
    pub tables: Vec<u8>,
    pub symbol_numbers: Vec<u8>,
    pub symbol_of: Vec<u8>,
    pub gap_of: Vec<u8>,
}

/// Joins streams, or returns None if one is not a plain stream, or they have too many symbols.
pub fn join(streams: &[&[u8]]) -> Option<Columns> {
    let (mut symbols, mut gaps) = (Numbered::<{ CODE_BYTES + FACTS }>::default(), Numbered::<GAP>::default());
    let (mut counts, mut columns, mut rests) = (Vec::with_capacity(streams.len()), Columns::default(), Vec::new());
    for stream in streams {
        let mut left = *stream;
        if *taken(&mut left, 1)? != [FORMAT] {
            return None;
        }
        let own = taken(&mut left, COUNTS)?;
        let [symbol_count, gap_count, symbol_of, gap_of, rest] = lengths(own, 0, 1);
        let most = (symbols.numbers.len() + symbol_count).max(gaps.numbers.len() + gap_count);
        if *taken(&mut left, 4)? != [0; 4] || most >= MOST {
            return None;
        }
        let (codes, facts) = (taken(&mut left, CODE_BYTES * symbol_count)?, taken(&mut left, FACTS * symbol_count)?);
        symbols.add(symbol_count, |symbol, byte| match byte.checked_sub(CODE_BYTES) {
            None => codes[CODE_BYTES * symbol + byte],
            Some(plane) => facts[plane * symbol_count + symbol],
        });
        let table = taken(&mut left, GAP * gap_count)?;
        gaps.add(gap_count, |gap, byte| table[byte * gap_count + gap]);
        counts.push(own);
        columns.symbol_of.extend_from_slice(taken(&mut left, symbol_of)?);
        columns.gap_of.extend_from_slice(taken(&mut left, gap_of)?);
        rests.extend_from_slice(taken(&mut left, rest)?);
        if !left.is_empty() {
            return None;
        }
    }
    columns.codes = symbols.rows.iter().flat_map(|row| &row[..CODE_BYTES]).copied().collect();
    columns.gaps = gaps.rows.len();
    columns.tables.extend((0..COUNTS).flat_map(|byte| counts.iter().map(move |own| own[byte])));
    columns
        .tables
        .extend((CODE_BYTES..CODE_BYTES + FACTS).flat_map(|byte| symbols.rows.iter().map(move |row| row[byte])));
    columns.tables.extend((0..GAP).flat_map(|byte| gaps.rows.iter().map(move |row| row[byte])));
    columns.tables.extend(gaps.planes());
    columns.tables.append(&mut rests);
    columns.symbol_numbers.extend(symbols.planes());
    Some(columns)
}

/// Distinct rows in the order of their first appearance, and a number for each row that was added: 0 where it appeared
/// for the first time, otherwise the distinct row plus one.
struct Numbered<const BYTES: usize> {
    rows: Vec<[u8; BYTES]>,
    row_of: HashMap<[u8; BYTES], u16>,
    numbers: Vec<u16>,
}

impl<const BYTES: usize> Default for Numbered<BYTES> {
    fn default() -> Self {
        Self { rows: Vec::new(), row_of: HashMap::new(), numbers: Vec::new() }
    }
}

impl<const BYTES: usize> Numbered<BYTES> {
    fn add(&mut self, count: usize, byte_of: impl Fn(usize, usize) -> u8) {
        for at in 0..count {
            let row = std::array::from_fn(|byte| byte_of(at, byte));
            let next = 1 + self.rows.len() as u16;
            let number = *self.row_of.entry(row).or_insert(next);
            if number == next {
                self.rows.push(row);
            }
            self.numbers.push(if number == next { 0 } else { number });
        }
    }

    /// The low bytes of all numbers, then the high bytes.
    fn planes(&self) -> impl Iterator<Item = u8> {
        [0, 8].into_iter().flat_map(|shift| self.numbers.iter().map(move |number| (number >> shift) as u8))
    }
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
