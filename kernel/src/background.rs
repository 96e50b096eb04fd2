//! The model of code in general: how many bits of evidence each token of a text is, as
//! `wherefrom/queries/preparation/background.py` defines them.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use crate::evidence::{Bits, UNIT};
use crate::hashing::mix;
use crate::kgrams::rolling;
use crate::numbering::KeyTable;
use crate::text::Sieve;
use crate::tokens::{CHARACTER, NAME, NUMBER, STRING};

/// The bits of one step of a stored cost.
const STEP: f64 = 0.5;
const HASH_BITS: u32 = 28;
const SALT: u64 = 0xD6E8_FEB8_6659_FD93;

/// The longest n-grams, and the number of their kinds.
const LONGEST: usize = 6;
const KINDS: u64 = 4;

/// Of the hash of an n-gram, this many leading bits have an entry in `Model::begins`.
const LEADING: u32 = 18;

/// The number of tokens whose n-grams are looked up at once.
const ROW: usize = 4096;

/// The number of hashes that are compared at once.
const NEAR: usize = 8;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Structure,
    Words,
    Mixed,
    Ranked,
}

/// The numbers of the model that were fitted, and the base of the hashes.
pub struct Rules {
    pub base: u64,
    pub letter: f64,
    pub most_of_word: f64,
    /// The lengths of the contexts in a text's own statistics.
    pub contexts: Vec<usize>,
    /// In n-grams, a name of a higher rank is like a new one.
    pub recent: u32,
}

/// What was counted. `ranks` has the bits of a name and of a literal by their ranks, and `salts` what the hash of an
/// n-gram has of each language.
pub struct Model {
    rules: Rules,
    grams: Vec<u32>,
    costs: Vec<u8>,
    ranks: [Vec<f64>; 2],
    salts: HashMap<Vec<u8>, u64>,
    /// For each value of the leading bits of a hash, the first n-gram that has it or a later one.
    begins: Vec<u32>,
    sieve: Sieve,
}

/// The tokens of a text as the kinds of n-grams have them.
struct Ways<'a> {
    codes: &'a [u64],
    skeleton: Vec<u64>,
    ranked: Vec<u64>,
    /// The rank of each name and literal among those that were used last, from 1; 0 for a new one, and for other tokens.
    ranks: Vec<u32>,
}

/// The hash of an n-gram as a `Sieve` takes it, which looks at the leading bits.
#[inline(always)]
fn leading(gram: u32) -> u64 {
    u64::from(gram) << (64 - HASH_BITS)
}

fn in_units(bits: f64) -> f64 {
    (bits * UNIT as f64).round_ties_even()
}

fn is_literal(class: u8) -> bool {
    matches!(class, STRING | NUMBER)
}

impl<'a> Ways<'a> {
    fn new(codes: &'a [u64], classes: &[u8], most: usize, recent: u32) -> Self {
        let mut ranks = vec![0; codes.len()];
        let kinds: [fn(u8) -> bool; 2] = [|class| class == NAME, is_literal];
        for is_own in kinds {
            let mut order: Vec<u64> = Vec::new();
            for (at, _) in classes.iter().enumerate().filter(|&(_, &class)| is_own(class)) {
                if let Some(place) = order.iter().position(|&code| code == codes[at]) {
                    ranks[at] = place as u32 + 1;
                    order.remove(place);
                }
                order.insert(0, codes[at]);
                order.truncate(most);
            }
        }
        let each = || codes.iter().zip(classes);
        let skeleton: Vec<u64> = each()
            .map(|(&code, &class)| if class == NAME || is_literal(class) { class.into() } else { code })
            .collect();
        let near =
            |(&class, &rank): (&u8, &u32)| if class == NAME && rank <= recent { u64::from(rank) << 3 } else { 0 };
        let ranked = skeleton.iter().zip(classes.iter().zip(&ranks)).map(|(&code, name)| code + near(name)).collect();
        Self { codes, skeleton, ranked, ranks }
    }
}

/// Numbers as `hashing.packed` writes them: in rows, the lowest bytes of all differences first.
pub fn unpacked(rows: &[Cell<u8>], count: usize) -> Vec<u32> {
    let mut sum = 0_u32;
    let number = |at| {
        let bytes = [0, 1, 2, 3].map(|row| rows.get(row * count + at).map_or(0, Cell::get));
        sum = sum.wrapping_add(u32::from_le_bytes(bytes));
        sum
    };
    // `Model::new` appends `NEAR` more.
    let mut numbers = Vec::with_capacity(count + NEAR);
    numbers.extend((0..count).map(number));
    numbers
}

impl Model {
    /// Returns None if the parts do not belong together. `grams` ascend.
    pub fn new(
        rules: Rules,
        mut grams: Vec<u32>,
        costs: Vec<u8>,
        ranks: [Vec<f64>; 2],
        salts: HashMap<Vec<u8>, u64>,
    ) -> Option<Self> {
        let is_right = grams.len() == costs.len()
            && grams.is_sorted()
            && grams.last().is_none_or(|last| last >> HASH_BITS == 0)
            && !ranks[0].is_empty()
            && ranks[0].len() == ranks[1].len();
        if !is_right {
            return None;
        }
        let sieve = Sieve::new(grams.iter().map(|&gram| leading(gram)));
        let mut begins = vec![0; (1 << LEADING) + 1];
        for gram in &grams {
            begins[(gram >> (HASH_BITS - LEADING)) as usize + 1] += 1;
        }
        for lead in 1..begins.len() {
            begins[lead] += begins[lead - 1];
        }
        grams.extend([u32::MAX; NEAR]);
        Some(Self { rules, grams, costs, ranks, salts, begins, sieve })
    }

    /// What the hash of an n-gram has of a language.
    pub fn salt(&self, language: &[u8]) -> u64 {
        self.salts.get(language).copied().unwrap_or(0)
    }

    /// The most units of evidence in a token, whatever is around it.
    pub fn most(&self, code: u64, class: u8, language: u64) -> i32 {
        if class == CHARACTER {
            return in_units(self.rules.letter).max(1.0) as i32;
        }
        let is_word = class == NAME || is_literal(class);
        let stored = |kind: Kind, code: u64| {
            let gram = self.gram(code.wrapping_mul(self.rules.base), kind, 1, language);
            self.rules.most_of_word.min(f64::from(self.cost(gram, self.begin(gram))) * STEP)
        };
        let structure = stored(Kind::Structure, if is_word { class.into() } else { code });
        let words = if is_word { self.ranks[usize::from(class != NAME)][0] + stored(Kind::Words, code) } else { 0.0 };
        // The bits of structure and word are rounded each.
        in_units(structure + words) as i32 + 2
    }

    /// The evidence in each token of a text, in units. The `quiet` tokens prove nothing. `salts` has that of the language
    /// of each token, and `repeated` what `expected` gives for the text, if it is known.
    pub fn bits(
        &self,
        codes: &[u64],
        classes: &[u8],
        salts: &[u64],
        quiet: &[bool],
        repeated: Option<Vec<f64>>,
    ) -> Bits {
        let tokens = codes.len();
        let in_units = |bits: f64, at: usize, least: f64| if quiet[at] { 0 } else { in_units(bits).max(least) as i32 };
        if classes.iter().all(|&class| class == CHARACTER) {
            let structure = (0..tokens).map(|at| in_units(self.rules.letter, at, 1.0)).collect();
            return Bits { structure, words: vec![0; tokens], renamed: vec![0; tokens] };
        }
        let most = self.rules.most_of_word;
        let ways = Ways::new(codes, classes, self.ranks[0].len() - 1, self.rules.recent);
        let those = |is_wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
            (0..tokens).filter(|&at| !quiet[at] && classes[at] != CHARACTER && is_wanted(at)).collect()
        };
        let is_known = |at: usize| classes[at] == NAME && ways.ranks[at] > 0;
        let lower = |bits: &mut [f64], those: &[usize], kind: Kind, orders: RangeInclusive<usize>| {
            for (&at, least) in those.iter().zip(self.least(&ways, kind, orders, salts, those)) {
                bits[at] = bits[at].min(least);
            }
        };
        let (all, words, known) =
            (those(&|_| true), those(&|at| classes[at] == NAME || is_literal(classes[at])), those(&is_known));
        let (mut cost, mut alone, mut back) = (vec![most; tokens], vec![most; tokens], vec![0.0; tokens]);
        lower(&mut cost, &all, Kind::Structure, 1..=LONGEST);
        lower(&mut alone, &words, Kind::Words, 1..=1);
        let mut total = cost.clone();
        for at in words {
            let ranks = &self.ranks[usize::from(classes[at] != NAME)];
            let (rank, fresh) = (ways.ranks[at] as usize, ranks[0] + alone[at]);
            let repeated = ranks[rank].min(fresh);
            total[at] += if rank > 0 { repeated } else { fresh.min(most) };
            if is_known(at) {
                back[at] = repeated;
            }
        }
        lower(&mut total, &all, Kind::Words, 2..=LONGEST);
        lower(&mut total, &all, Kind::Mixed, 2..=LONGEST);
        lower(&mut total, &known, Kind::Ranked, 2..=LONGEST);
        let again = self.expected(&ways.skeleton, quiet);
        let repeated = repeated.unwrap_or_else(|| self.expected(codes, quiet));
        let mut bits = Bits { structure: Vec::new(), words: Vec::new(), renamed: Vec::new() };
        for at in 0..tokens {
            let (structure, words) = match classes[at] {
                CHARACTER => (self.rules.letter, 0.0),
                _ => (cost[at].min(total[at]), total[at] - cost[at].min(total[at])),
            };
            let structure = structure.min(again[at]);
            let words = words.min(repeated[at] - structure).max(0.0);
            bits.structure.push(in_units(structure.min(repeated[at]), at, 1.0));
            bits.words.push(in_units(words, at, 0.0));
            bits.renamed.push(in_units(back[at].min(words), at, 0.0));
        }
        bits
    }

    /// The least stored bits of the n-grams of a kind, with these numbers of tokens, that end with each of `those`
    /// tokens. The memory of the model is read in rows of independent steps, so that the processor need not wait for each.
    fn least(
        &self,
        ways: &Ways,
        kind: Kind,
        orders: RangeInclusive<usize>,
        languages: &[u64],
        those: &[usize],
    ) -> Vec<f64> {
        let (codes, behind) = match kind {
            Kind::Structure => (&*ways.skeleton, 1),
            Kind::Words => (ways.codes, 1),
            Kind::Mixed => (&*ways.skeleton, 0),
            Kind::Ranked => (&*ways.ranked, 1),
        };
        let mut found = Vec::with_capacity(those.len());
        for row in those.chunks(ROW) {
            let (mut hashes, mut ends) = (Vec::with_capacity(row.len() * LONGEST), Vec::with_capacity(row.len()));
            for &at in row {
                let (mut hash, mut power) = (0_u64, 1_u64);
                for (order, &code) in (2 - behind..=*orders.end()).zip(codes[..at + behind].iter().rev()) {
                    power = power.wrapping_mul(self.rules.base);
                    hash = hash.wrapping_add(code.wrapping_mul(power));
                    if order < *orders.start() {
                        continue;
                    }
                    let gram = if kind == Kind::Mixed { mix(hash).wrapping_add(ways.codes[at]) } else { hash };
                    hashes.push(self.gram(gram, kind, order, languages[at]));
                }
                ends.push(hashes.len());
            }
            let begins: Vec<u32> = hashes.iter().map(|&hash| self.begin(hash)).collect();
            let costs: Vec<u32> = hashes.iter().zip(&begins).map(|(&hash, &begin)| self.cost(hash, begin)).collect();
            let mut begin = 0;
            let least_of = |end| {
                let own = &costs[std::mem::replace(&mut begin, end)..end];
                f64::from(own.iter().copied().min().unwrap_or(u32::MAX)) * STEP
            };
            found.extend(ends.into_iter().map(least_of));
        }
        found
    }

    /// The hash of an n-gram as it is stored.
    #[inline(always)]
    fn gram(&self, hash: u64, kind: Kind, order: usize, language: u64) -> u32 {
        let salt = (KINDS * order as u64 + kind as u64).wrapping_mul(SALT);
        (mix(hash.wrapping_add(salt).wrapping_add(language)) >> (64 - HASH_BITS)) as u32
    }

    /// The first n-gram with the leading bits of a hash, or the first of those behind all that are stored.
    #[inline(always)]
    fn begin(&self, hash: u32) -> u32 {
        if self.sieve.may_hold(leading(hash)) {
            self.begins[(hash >> (HASH_BITS - LEADING)) as usize]
        } else {
            self.costs.len() as u32
        }
    }

    /// What is stored of an n-gram, or `u32::MAX`; `begin` is that of its leading bits.
    #[inline(always)]
    fn cost(&self, hash: u32, begin: u32) -> u32 {
        let mut at = begin as usize;
        loop {
            let below = self.grams[at..at + NEAR].iter().filter(|&&gram| gram < hash).count();
            at += below;
            if below < NEAR {
                return if self.grams[at] == hash { self.costs[at].into() } else { u32::MAX };
            }
        }
    }

    /// The bits of each token after the same tokens earlier in this text. Those of `quiet` tokens are not looked for.
    pub fn expected(&self, codes: &[u64], quiet: &[bool]) -> Vec<f64> {
        let mut shares = vec![0.0_f64; codes.len()];
        for &length in &self.rules.contexts {
            if codes.len() <= length {
                continue;
            }
            let (mut before, mut whole) = (Vec::new(), Vec::new());
            rolling(codes, length, self.rules.base, &mut before);
            rolling(codes, length + 1, self.rules.base, &mut whole);
            let (mut contexts, mut followed) = (KeyTable::new(codes.len()), KeyTable::new(codes.len()));
            let occurred = |table: &mut KeyTable, key: u64| {
                let count = table.value(key, 0);
                *count += 1;
                f64::from(*count - 1)
            };
            for (begin, share) in shares[length..].iter_mut().enumerate() {
                let all = occurred(&mut contexts, before[begin]);
                let same = occurred(&mut followed, whole[begin]);
                *share = share.max((same - 0.5) / all.max(1.0));
            }
        }
        let bits = |(share, &quiet): (f64, &bool)| if quiet || share == 0.0 { f64::INFINITY } else { -share.log2() };
        shares.into_iter().zip(quiet).map(bits).collect()
    }
}
