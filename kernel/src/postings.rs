//! Finds the postings of terms, and their documents, in a run of the embedded engine.
//! `wherefrom/engines/embedded/runs.py` and `buckets.py` define both, and the layout of the file.
//!
//! Before anything in a block of the file is used, the block is compared with its checksum, once after each opening of
//! the file. An array that Python shares marks the blocks that were compared.

use std::cell::Cell;
use std::ops::Range;

/// The number of packed numbers in a frame.
const FRAME: u64 = 64;

/// Of this many 0s of the table, the position of one is stored.
const STRIDE: u64 = 64;

/// Ranges of more postings than this are narrowed by bisection before they are scanned.
const LARGE: u64 = 64;

/// A run is damaged.
#[derive(Debug)]
pub struct Damaged;

/// Where the sections of a run are, and how wide its numbers are.
pub struct Layout {
    /// The number of bytes under one checksum.
    pub block: usize,
    /// Where the sections begin; the postings begin the file.
    pub table: usize,
    pub kept: usize,
    pub checks: usize,
    pub table_bytes: usize,
    /// Whether stored positions of 0s have 8 bytes instead of 4.
    pub is_wide: bool,
    /// The first bucket of each representation, or None if it has no postings.
    pub first_buckets: Vec<Option<u64>>,
    pub term_bits: u32,
    pub bucket_bits: u32,
    pub rest_bits: u32,
    pub document_bits: u32,
    pub documents: usize,
}

/// A run that is being read.
pub struct Reader<'a> {
    pub layout: &'a Layout,
    pub file: &'a [Cell<u8>],
    /// For each block, 1 if it was compared with its checksum.
    pub checked: &'a [Cell<u8>],
}

impl Reader<'_> {
    fn check(&self, block: usize) -> Result<(), Damaged> {
        let checked = self.checked.get(block).ok_or(Damaged)?;
        if checked.get() == 0 {
            let begin = block * self.layout.block;
            let end = self.layout.checks.min(begin + self.layout.block);
            let bytes: Vec<u8> = self.file.get(begin..end).ok_or(Damaged)?.iter().map(Cell::get).collect();
            if crc32fast::hash(&bytes).to_le_bytes() != self.unchecked(self.layout.checks + 4 * block)? {
                return Err(Damaged);
            }
            checked.set(1);
        }
        Ok(())
    }

    fn unchecked<const SIZE: usize>(&self, at: usize) -> Result<[u8; SIZE], Damaged> {
        let cells = self.file.get(at..at + SIZE).ok_or(Damaged)?;
        Ok(std::array::from_fn(|number| cells[number].get()))
    }

    #[inline]
    fn bytes<const SIZE: usize>(&self, at: usize) -> Result<[u8; SIZE], Damaged> {
        let (first, last) = (at / self.layout.block, (at + SIZE - 1) / self.layout.block);
        self.check(first)?;
        if last != first {
            self.check(last)?;
        }
        self.unchecked(at)
    }

    /// Reads a packed number. `first_word` is the first word of its column in a frame.
    #[inline]
    fn packed(&self, position: u64, first_word: u32, bits: u32) -> Result<u64, Damaged> {
        if bits == 0 {
            return Ok(0);
        }
        let words = u64::from(self.layout.rest_bits + self.layout.document_bits);
        let bit = position % FRAME * u64::from(bits);
        let byte = (position / FRAME * words + u64::from(first_word)) * 8 + bit / 8;
        Ok(u64::from_le_bytes(self.bytes(byte as usize)?) >> (bit % 8) & low_bits(bits))
    }

    fn rest(&self, position: u64) -> Result<u64, Damaged> {
        self.packed(position, 0, self.layout.rest_bits)
    }

    fn document(&self, position: u64) -> Result<u64, Damaged> {
        self.packed(position, self.layout.rest_bits, self.layout.document_bits)
    }

    fn kept(&self, number: u64) -> Result<u64, Damaged> {
        let number = number as usize;
        if self.layout.is_wide {
            Ok(u64::from_le_bytes(self.bytes(self.layout.kept + 8 * number)?))
        } else {
            Ok(u32::from_le_bytes(self.bytes(self.layout.kept + 4 * number)?).into())
        }
    }

    /// The position of the 0 of the table that has `before` 0s between it and the bit `begin`.
    fn zero(&self, begin: u64, mut before: u64) -> Result<u64, Damaged> {
        let mut byte = (begin / 8) as usize;
        let mut mask = !0 << (begin % 8);
        while byte + 8 <= self.layout.table_bytes {
            let zeros = !u64::from_le_bytes(self.bytes(self.layout.table + byte)?) & mask;
            let count = u64::from(zeros.count_ones());
            if before < count {
                return Ok(8 * byte as u64 + u64::from(nth_one(zeros, before)));
            }
            before -= count;
            mask = !0;
            byte += 8;
        }
        Err(Damaged)
    }

    /// The range of the postings in a bucket.
    fn bucket(&self, bucket: u64) -> Result<Range<u64>, Damaged> {
        let Some(earlier) = bucket.checked_sub(1) else { return Ok(0..self.zero(0, 0)?) };
        let before = self.zero(self.kept(earlier / STRIDE)?, earlier % STRIDE)?;
        let end = self.zero(before + 1, 0)?;
        let first = before.checked_sub(earlier).ok_or(Damaged)?;
        Ok(first..end.checked_sub(bucket).ok_or(Damaged)?)
    }

    /// The range of the postings of a term in a representation; empty if there are none.
    pub fn postings(&self, representation: usize, term: u64) -> Result<Range<u64>, Damaged> {
        let Some(&Some(first_bucket)) = self.layout.first_buckets.get(representation) else { return Ok(0..0) };
        if shifted_down(term, self.layout.term_bits) != 0 {
            return Ok(0..0);
        }
        let shift = self.layout.term_bits - self.layout.bucket_bits;
        let bucket = self.bucket(first_bucket + shifted_down(term, shift))?;
        let rest = term & low_bits(shift);
        let begin = self.first(&bucket, |found| found >= rest)?;
        let end = self.first(&(begin..bucket.end), |found| found > rest)?;
        Ok(begin..end)
    }

    /// The first position of a range whose rest meets a condition, as all later ones do; the end if none does.
    fn first(&self, range: &Range<u64>, is_found: impl Fn(u64) -> bool) -> Result<u64, Damaged> {
        let Range { start: mut low, end: mut high } = *range;
        while high.saturating_sub(low) > LARGE {
            let middle = low + (high - low) / 2;
            if is_found(self.rest(middle)?) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        while low < high && !is_found(self.rest(low)?) {
            low += 1;
        }
        Ok(low)
    }

    /// Returns the documents of some ranges of postings, each once, and adds the weight of each range to its documents
    /// in `sums`. At first, `sums` has a 0 for each document.
    pub fn sum(&self, ranges: &[(Range<u64>, f64)], sums: &mut [f64]) -> Result<Vec<u32>, Damaged> {
        let mut held = Vec::new();
        for (range, weight) in ranges {
            for position in range.clone() {
                let document = self.document(position)?;
                let sum = sums.get_mut(document as usize).ok_or(Damaged)?;
                if *sum == 0.0 {
                    held.push(document as u32);
                }
                *sum += weight;
            }
        }
        Ok(held)
    }
}

/// The position of the 1 of a word that has `below` 1s under it.
fn nth_one(mut word: u64, below: u64) -> u32 {
    for _ in 0..below {
        word &= word - 1;
    }
    word.trailing_zeros()
}

fn low_bits(bits: u32) -> u64 {
    !shifted_up(!0, bits)
}

fn shifted_up(value: u64, bits: u32) -> u64 {
    value.checked_shl(bits).unwrap_or(0)
}

fn shifted_down(value: u64, bits: u32) -> u64 {
    value.checked_shr(bits).unwrap_or(0)
}
