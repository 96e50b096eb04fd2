//! Numbers symbols and gaps by descending frequency, as `wherefrom/analyzers/tokens.py` stores them.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

const EMPTY: u32 = u32::MAX;

/// A hash table from keys to numbers, with open addressing. The slot of a key depends on a secret of the process, so
/// nobody can craft a content whose keys collide.
pub struct KeyTable {
    factor: u64,
    shift: u32,
    slots: Vec<(u64, u32)>,
    pub count: usize,
}

impl KeyTable {
    /// A table for about this number of keys; it grows if there are more.
    pub fn new(keys: usize) -> Self {
        let slots = (keys * 2).next_power_of_two().clamp(64, 4096);
        Self {
            factor: RandomState::new().build_hasher().finish() | 1,
            shift: 64 - slots.trailing_zeros(),
            slots: vec![(0, EMPTY); slots],
            count: 0,
        }
    }

    /// The value of a key, to be read and changed. A new key is added with the value `fresh`.
    #[inline]
    pub fn value(&mut self, key: u64, fresh: u32) -> &mut u32 {
        if self.count * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut place = (key.wrapping_mul(self.factor) >> self.shift) as usize;
        loop {
            let (found, value) = self.slots[place];
            if value == EMPTY {
                self.slots[place] = (key, fresh);
                self.count += 1;
                break;
            }
            if found == key {
                break;
            }
            place = (place + 1) & mask;
        }
        &mut self.slots[place].1
    }

    /// The value of a key, or None if the table does not have it.
    #[inline]
    pub fn get(&self, key: u64) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut place = (key.wrapping_mul(self.factor) >> self.shift) as usize;
        loop {
            match self.slots[place] {
                (_, EMPTY) => return None,
                (found, value) if found == key => return Some(value),
                _ => place = (place + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        self.shift -= 1;
        let doubled = vec![(0, EMPTY); self.slots.len() * 2];
        let mask = doubled.len() - 1;
        for (key, value) in std::mem::replace(&mut self.slots, doubled) {
            if value == EMPTY {
                continue;
            }
            let mut place = (key.wrapping_mul(self.factor) >> self.shift) as usize;
            while self.slots[place].1 != EMPTY {
                place = (place + 1) & mask;
            }
            self.slots[place] = (key, value);
        }
    }
}

/// The distinct rows of a sequence of items, and for each item the number of its row.
///
/// Items with equal keys but different attributes have different rows. As in `tokens._number`, if items of a key change
/// their attributes and change back, the later items get another row.
pub struct Numbered<Attributes> {
    /// For each row: the key, the attributes, and the number of items.
    pub rows: Vec<(u64, Attributes, u32)>,
    /// For each item, the number of its row.
    pub numbers: Vec<u32>,
}

/// Numbers rows in the order of their first appearance.
pub struct Numbering<Attributes> {
    table: KeyTable,
    pub numbered: Numbered<Attributes>,
}

impl<Attributes: Copy + PartialEq> Numbering<Attributes> {
    pub fn new(things: usize) -> Self {
        Self {
            table: KeyTable::new(things / 4),
            numbered: Numbered { rows: Vec::new(), numbers: Vec::with_capacity(things) },
        }
    }

    #[inline]
    pub fn add(&mut self, key: u64, attributes: Attributes) {
        let rows = &mut self.numbered.rows;
        let fresh = rows.len() as u32;
        let current = self.table.value(key, fresh);
        if *current != fresh && rows[*current as usize].1 != attributes {
            *current = fresh;
        }
        if *current == fresh {
            rows.push((key, attributes, 0));
        }
        rows[*current as usize].2 += 1;
        self.numbered.numbers.push(*current);
    }

    /// Numbers the rows again, by descending frequency, then by the order of the keys, then by first appearance.
    pub fn by_frequency<Order: Ord + Copy>(self, order: impl Fn(u64) -> Order) -> Numbered<Attributes> {
        let Numbered { rows, mut numbers } = self.numbered;
        let mut sorted: Vec<(u32, Order, u32)> =
            (0..).zip(&rows).map(|(row, &(key, _, count))| (!count, order(key), row)).collect();
        sorted.sort_unstable();
        let mut ranks = vec![0; rows.len()];
        for (rank, &(_, _, row)) in (0..).zip(&sorted) {
            ranks[row as usize] = rank;
        }
        for number in &mut numbers {
            *number = ranks[*number as usize];
        }
        Numbered { rows: sorted.iter().map(|&(_, _, row)| rows[row as usize]).collect(), numbers }
    }
}
