//! Aligns a query with a document, and says how many bits of evidence for a copy the alignment carries, as
//! `wherefrom/queries/alignment/aligning.py` defines it. That module describes the steps.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::iter;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::numbering::KeyTable;
use crate::text::{Sieve, Text as Symbols};
use crate::tokens::{CHARACTER, NAME, NUMBER, STRING};

/// Units of a bit.
pub const UNIT: u64 = 64;

/// The rules of an alignment, in units where they are costs.
#[derive(Clone)]
#[cfg_attr(feature = "python", derive(pyo3::FromPyObject), pyo3(from_item_all))]
pub struct Rules {
    /// The tokens of a seed, and the least units in it.
    pub seed: usize,
    pub seed_bits: i32,
    /// The costs of a token of another kind, and of another word.
    pub misfit: i32,
    pub other: i32,
    /// How far an extension may fall, and the least units of a block.
    pub drop: i32,
    pub least: i32,
    /// The cost of a gap, and the factor of the logarithms of its lengths.
    pub open: i32,
    pub gap: i32,
    /// The most blocks, pairs of seeds, and places of a seed if there are more pairs.
    pub most_blocks: usize,
    pub most_pairs: usize,
    pub most_places: usize,
    /// The longest gap that is filled.
    pub filled: usize,
    /// Whether the first and the last token are those of the whole query.
    pub begins: bool,
    pub ends: bool,
}

/// A symbol of a text: its code, and in the leading bits the class of what is replaced in copies.
#[derive(Clone, Copy, PartialEq)]
struct Symbol(u64);

impl Symbol {
    /// The place of the class. Codes have fewer bits.
    const CLASS: u32 = 56;

    fn new(code: u64, class: u8) -> Self {
        Self(if is_word(class) { code | u64::from(class) << Self::CLASS } else { code })
    }

    fn is(self, class: u8) -> bool {
        self.0 >> Self::CLASS == u64::from(class)
    }

    fn is_word(self) -> bool {
        self.0 >> Self::CLASS != 0
    }

    /// What structure has there: the class of what is replaced in copies, else the code.
    #[inline(always)]
    fn key(self) -> u64 {
        if self.is_word() { self.0 & !0 << Self::CLASS } else { self.0 }
    }

    fn code(self) -> u64 {
        self.0 & !(!0 << Self::CLASS)
    }
}

/// A token. `back` is the distance to the last token with the same name, or 0. `name` is the number of a name.
struct Token {
    symbol: Symbol,
    back: u32,
    name: u32,
}

impl Token {
    fn is(&self, class: u8) -> bool {
        self.symbol.is(class)
    }

    fn is_word(&self) -> bool {
        self.symbol.is_word()
    }
}

/// A text. `code` is the number of tokens up to the last one that is not a letter of prose, `names` that of its names.
pub struct Text {
    tokens: Vec<Token>,
    code: usize,
    names: usize,
    has_letters: bool,
    /// How often the text was aligned.
    count: AtomicUsize,
    /// Made when the text is aligned often, or has a seed too often.
    places: Mutex<HashMap<(usize, bool), Arc<Places>>>,
}

/// The places of all stretches of some length, by hash, then place; and where each value of the hashes' leading bits
/// begins.
struct Places {
    all: Vec<Place>,
    begins: Vec<u32>,
}

/// Where a stretch with a hash is, and its mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    hash: u64,
    at: u32,
    mark: u64,
}

impl Places {
    const LEAD: u32 = 16;

    fn new(mut all: Vec<Place>) -> Self {
        all.sort_unstable();
        let mut begins = vec![0; (1 << Self::LEAD) + 1];
        for place in &all {
            begins[(place.hash >> (64 - Self::LEAD)) as usize + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        Self { all, begins }
    }

    fn of(&self, hash: u64) -> &[Place] {
        let lead = (hash >> (64 - Self::LEAD)) as usize;
        let near = &self.all[self.begins[lead] as usize..self.begins[lead + 1] as usize];
        let begin = near.partition_point(|place| place.hash < hash);
        let length = near[begin..].partition_point(|place| place.hash == hash);
        &near[begin..begin + length]
    }
}

impl Text {
    pub fn new(codes: &[u64], classes: &[u8]) -> Self {
        let mut numbers = KeyTable::new(codes.len() / 8);
        let mut fresh = 0;
        let number = |&code| {
            let number = *numbers.value(code, fresh);
            fresh += u32::from(number == fresh);
            number
        };
        let each: Vec<_> = codes.iter().map(number).zip(classes).zip(codes).collect();
        Self::of(
            each.into_iter().map(|((name, &class), &code)| (Symbol::new(code, class), class, name)),
            fresh as usize,
        )
    }

    pub fn of_symbols(symbols: &Symbols) -> Self {
        // Several symbols may have one code.
        let mut first = KeyTable::new(symbols.codes.len());
        let each = (0..).zip(&symbols.codes).zip(&symbols.classes);
        let known: Vec<_> =
            each.map(|((at, &code), &class)| (Symbol::new(code, class), class, *first.value(code, at))).collect();
        Self::of(symbols.numbers.iter().map(|&number| known[number as usize]), known.len())
    }

    /// The text with these tokens: the symbol, the class and the number of the code of each, below `names`.
    fn of(each: impl Iterator<Item = (Symbol, u8, u32)>, names: usize) -> Self {
        let mut last = vec![0; names];
        let (mut code, mut has_letters) = (0, false);
        let token = |(after, (symbol, class, name)): (u32, (Symbol, u8, u32))| {
            if class == CHARACTER {
                has_letters = true;
            } else {
                code = after as usize;
            }
            let before = if class == NAME { std::mem::replace(&mut last[name as usize], after) } else { 0 };
            Token { symbol, back: if before > 0 { after - before } else { 0 }, name }
        };
        let tokens = (1..).zip(each).map(token).collect();
        Self { tokens, code, names, has_letters, count: AtomicUsize::new(0), places: Mutex::default() }
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    fn hash(&self, at: usize, k: usize) -> u64 {
        self.tokens[at..at + k].iter().fold(0, |hash: u64, token| hash.rotate_left(TURN) ^ spread(token.symbol.key()))
    }

    /// The hashes of all stretches that end at or before a token: each follows from the one before it.
    fn hashes(&self, end: usize, k: usize) -> impl Iterator<Item = u64> {
        let tokens = &self.tokens[..end];
        let mut hash = if k <= end { self.hash(0, k) } else { 0 };
        let gone = tokens.iter().map(move |token| spread(token.symbol.key()).rotate_left(TURN * k as u32));
        let rest = tokens.get(k..).unwrap_or_default().iter().map(|token| spread(token.symbol.key()));
        let first = (k <= end).then_some(hash);
        first.into_iter().chain(gone.zip(rest).map(move |(gone, fresh)| {
            hash = hash.rotate_left(TURN) ^ gone ^ fresh;
            hash
        }))
    }

    /// The hash of a stretch with its literals and the distances of equal names in it.
    fn exact_hash(&self, at: usize, k: usize) -> u64 {
        let value = |(before, token): (u32, &Token)| match token {
            name if name.is(NAME) && name.back <= before => name.symbol.key() + (u64::from(name.back) << 8),
            literal if literal.is(NUMBER) || literal.is(STRING) => literal.symbol.code(),
            _ => token.symbol.key(),
        };
        (0..).zip(&self.tokens[at..at + k]).map(value).fold(0, mixed)
    }

    /// A bit for each word of a stretch. Two stretches without a common bit have no equal words at the same place.
    fn mark(&self, at: usize, k: usize) -> u64 {
        let words = (0..).zip(&self.tokens[at..at + k]).filter(|(_, token)| token.is_word());
        words.fold(0, |mark, (place, token)| {
            // The last bit is that of seeds that need no equal word.
            let bit = (token.symbol.code().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60).min(14);
            mark | 1 << (place % 4 * 16 + bit)
        })
    }

    fn places(&self, k: usize, is_exact: bool) -> Arc<Places> {
        let mut known = self.places.lock().expect("no thread panics with the lock");
        let made = known.entry((k, is_exact)).or_insert_with(|| {
            let each = 0..(self.len() + 1).saturating_sub(k);
            let hash = |at| if is_exact { self.exact_hash(at, k) } else { self.hash(at, k) };
            let place = |at| Place { hash: hash(at), at: at as u32, mark: self.mark(at, k) };
            Arc::new(Places::new(each.map(place).collect()))
        });
        Arc::clone(made)
    }
}

/// By how many bits a hash is turned for each token that follows.
const TURN: u32 = 13;

/// A value whose leading bits depend on all bits of another.
#[inline(always)]
fn spread(value: u64) -> u64 {
    let product = value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product ^ product >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

fn mixed(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

fn is_word(class: u8) -> bool {
    matches!(class, NAME | STRING | NUMBER)
}

/// The bits of each token: of its structure, of an equal word, and of a name that is replaced as before. A token without
/// bits of structure counts for nothing.
pub struct Bits {
    pub structure: Vec<i32>,
    pub words: Vec<i32>,
    pub renamed: Vec<i32>,
}

/// The bits of one token beside one of another kind, one with another word, one with the partner that its name had
/// before, and an equal one. All are 0 for a token that counts for nothing.
#[derive(Clone, Copy, Default)]
struct Worth {
    misfit: i32,
    other: i32,
    renamed: i32,
    equal: i32,
}

/// A query, ready to be aligned.
pub struct Query {
    pub text: Text,
    bits: Vec<Worth>,
    rules: Rules,
    // Without seeds, the query can be weighed, but not aligned.
    sieve: Sieve,
    /// The tokens at which a seed begins.
    begins: Vec<usize>,
    /// For each hash of a seed, the first token at which one begins.
    first: KeyTable,
    /// The seed at each token.
    seeds: Vec<Seed>,
    /// The number of each code of the query.
    codes: KeyTable,
}

/// A seed. `next` is the next token at which one with the same hash begins, or `NONE`, and `equal` how many begin there
/// and later. `mark` is `Text::mark`, with `ANY` if the seed needs no equal word.
#[derive(Clone, Copy)]
struct Seed {
    next: u32,
    equal: u32,
    mark: u64,
}

/// The bit that the marks of all documents have.
const ANY: u64 = 1 << 63;

const NONE: u32 = u32::MAX;

/// A text that is aligned more often than this is better sorted once than looked at token by token.
const OFTEN: usize = 16;

/// The tokens `begin` to `end` of the query beside those of the document `shift` further on.
#[derive(Clone, Copy)]
pub struct Block {
    pub shift: isize,
    pub begin: usize,
    pub end: usize,
    score: i32,
}

impl Block {
    fn there(&self, at: usize) -> usize {
        at.wrapping_add_signed(self.shift)
    }

    fn order(&self) -> (Reverse<i32>, usize, isize) {
        (Reverse(self.score), self.begin, self.shift)
    }
}

/// The end of the block `number` of a chain. A gap of `reach` tokens behind it costs as much as the chain has, and
/// `most_reach` is the greatest `reach` of the ends before it and its own.
struct End {
    number: usize,
    at: usize,
    shift: isize,
    reach: usize,
    most_reach: usize,
}

/// Ends with a greater reach have a list of their own. In the other one, a search can end soon.
const SHORT: usize = 32;

/// 64 log2(1 + gap), by straight lines between powers of two.
fn logarithm(gap: usize) -> i32 {
    let number = gap as u64 + 1;
    let power = number.ilog2();
    (u64::from(power) * UNIT + (((number - (1 << power)) * UNIT) >> power)) as i32
}

impl Query {
    /// Returns None if a token lacks a value.
    pub fn new(text: Text, bits: Bits, rules: Rules) -> Option<Self> {
        let (tokens, k) = (text.len(), rules.seed);
        if [&bits.structure, &bits.words, &bits.renamed].iter().any(|values| values.len() != tokens) || k == 0 {
            return None;
        }
        let each = bits.structure.into_iter().zip(bits.words).zip(bits.renamed);
        let bits = each
            .zip(&text.tokens)
            .map(|(((structure, words), renamed), token)| match (structure, token.is_word()) {
                (0, _) => Worth::default(),
                (_, false) => Worth { misfit: -rules.misfit, other: structure, renamed: structure, equal: structure },
                (_, true) => Worth {
                    misfit: -rules.misfit,
                    other: structure - rules.other,
                    renamed: structure + renamed,
                    equal: structure + words,
                },
            })
            .collect();
        let (sieve, first, codes) = (Sieve::new([].into_iter()), KeyTable::new(0), KeyTable::new(0));
        Some(Self { text, bits, rules, sieve, begins: Vec::new(), first, seeds: Vec::new(), codes })
    }

    /// The query with its seeds.
    pub fn seeded(mut self) -> Self {
        let Self { text, bits, rules, .. } = &self;
        let (tokens, k) = (text.len(), rules.seed);
        let most = |begin: usize| bits[begin..begin + k].iter().map(|it| it.equal).sum::<i32>();
        let begins: Vec<usize> =
            (0..(tokens + 1).saturating_sub(k)).filter(|&begin| most(begin) >= rules.seed_bits).collect();
        let sieve = Sieve::new(begins.iter().map(|&begin| text.hash(begin, k)));
        // The most units of a seed whose words are all other ones.
        let replaced = |at: usize| {
            let (token, bits) = (&text.tokens[at], &bits[at]);
            match (token.is_word(), token.back) {
                (false, _) => bits.equal,
                (true, 0) => bits.other,
                (true, _) => bits.other.max(bits.renamed),
            }
        };
        let mut first = KeyTable::new(begins.len());
        let mut seeds = vec![Seed { next: NONE, equal: 1, mark: 0 }; tokens];
        for &begin in begins.iter().rev() {
            let needs_none = (begin..begin + k).map(replaced).sum::<i32>() >= rules.seed_bits;
            seeds[begin].mark = text.mark(begin, k) | if needs_none { ANY } else { 0 };
            let next = first.value(text.hash(begin, k), NONE - 1);
            if *next != NONE - 1 {
                (seeds[begin].next, seeds[begin].equal) = (*next, seeds[*next as usize].equal + 1);
            }
            *next = begin as u32;
        }
        let mut codes = KeyTable::new(text.names);
        for token in &text.tokens {
            codes.value(token.symbol.code(), token.name);
        }
        (self.sieve, self.begins, self.first, self.seeds, self.codes) = (sieve, begins, first, seeds, codes);
        self
    }

    /// The most units that an alignment with a document of symbols with these codes may have.
    pub fn most(&self, codes: impl Iterator<Item = u64>) -> i32 {
        let mut is_there = vec![false; self.text.names];
        for name in codes.filter_map(|code| self.codes.get(code)) {
            is_there[name as usize] = true;
        }
        let worth = |(token, bits): (&Token, &Worth)| {
            let other = if token.is_word() { bits.other.max(bits.renamed) } else { 0 };
            if is_there[token.name as usize] { other.max(bits.equal).max(0) } else { other.max(0) }
        };
        let sum: i64 = self.text.tokens.iter().zip(&self.bits).map(|pair| i64::from(worth(pair))).sum();
        sum.min(i32::MAX.into()) as i32
    }

    /// The bits, in units, of an alignment of given runs (shift, begin, end): of the heaviest chain among them, and of
    /// those elsewhere that carry more than it costs to say where they are.
    pub fn weighed(&self, document: &Text, runs: impl Iterator<Item = (isize, usize, usize)>) -> i32 {
        let block = |(shift, begin, end)| {
            let block = Block { shift, begin, end, score: 0 };
            Block { score: self.sum(document, &block, begin, end), ..block }
        };
        self.best(document, runs.map(block).filter(|block| block.score >= self.rules.least).collect()).0
    }

    fn is_equal(&self, here: usize, document: &Text, there: usize) -> bool {
        self.text.tokens[here].symbol == document.tokens[there].symbol
    }

    /// The facing tokens from `here` and `there` on.
    fn facing<'a>(&'a self, here: Range<usize>, there: &'a [Token]) -> impl DoubleEndedIterator<Item = i32> + 'a {
        let own = self.text.tokens[here.clone()].iter().zip(&self.bits[here]);
        own.zip(there).map(|((own, bits), other)| self.pair(own, bits, other))
    }

    /// The bits of two facing tokens.
    #[inline(always)]
    fn pair(&self, own: &Token, bits: &Worth, other: &Token) -> i32 {
        if own.symbol.key() == other.symbol.key() { Self::alike(own, bits, other) } else { bits.misfit }
    }

    /// The bits of two facing tokens of the same structure.
    #[inline(always)]
    fn alike(own: &Token, bits: &Worth, other: &Token) -> i32 {
        let is_partner = own.back > 0 && own.back == other.back;
        let same = if is_partner { bits.renamed } else { bits.other };
        if own.symbol == other.symbol { bits.equal } else { same }
    }

    fn sum(&self, document: &Text, block: &Block, begin: usize, end: usize) -> i32 {
        self.facing(begin..end, &document.tokens[block.there(begin)..block.there(end)]).sum()
    }

    /// The blocks around seeds: all, or if they are too many, those on the best diagonals.
    fn blocks(&self, document: &Text) -> Vec<Block> {
        // Code cannot match the prose inside of literals and comments, which is behind the code of a document.
        let others = if self.text.has_letters { document.len() } else { document.code };
        let is_often = document.count.fetch_add(1, Ordering::Relaxed) >= OFTEN;
        let found = if is_often { self.looked_up(document, others) } else { self.scanned(document, others) };
        found.unwrap_or_else(|| self.on_best_diagonals(document, others))
    }

    /// The blocks by a look at each token of a document; None if there are too many seeds.
    fn scanned(&self, document: &Text, others: usize) -> Option<Vec<Block>> {
        let (k, mut count, mut hits) = (self.rules.seed, 0, Vec::new());
        for (there, hash) in document.hashes(others, k).enumerate() {
            if let Some(first) = self.sieve.may_hold(hash).then(|| self.first.get(hash)).flatten() {
                count += self.seeds[first as usize].equal as usize;
                if count > self.rules.most_pairs {
                    return None;
                }
                hits.push((first, there));
            }
        }
        let (mut reached, mut found) = (vec![0; self.text.len() + others], Vec::new());
        for (first, there) in hits {
            let mark = document.mark(there, k) | ANY;
            let next = |&at: &u32| Some(self.seeds[at as usize].next).filter(|&at| at != NONE);
            for here in iter::successors(Some(first), next).filter(|&at| self.seeds[at as usize].mark & mark != 0) {
                found.extend(self.block(document, others, here as usize, there, &mut reached));
            }
        }
        Some(found)
    }

    /// The blocks by a look at each seed of the query; None if there are too many.
    fn looked_up(&self, document: &Text, others: usize) -> Option<Vec<Block>> {
        let (k, places) = (self.rules.seed, document.places(self.rules.seed, false));
        let mut count = 0;
        let mut hits = Vec::with_capacity(self.begins.len());
        for &here in &self.begins {
            let same = places.of(self.text.hash(here, k));
            count += same.len();
            if count > self.rules.most_pairs {
                return None;
            }
            hits.push((here, same));
        }
        let (mut reached, mut found) = (vec![0; self.text.len() + others], Vec::new());
        for (here, same) in hits {
            let mark = self.seeds[here].mark;
            let likely = same.iter().filter(|place| mark & (place.mark | ANY) != 0).map(|place| place.at as usize);
            for there in likely.filter(|there| there + k <= others) {
                found.extend(self.block(document, others, here, there, &mut reached));
            }
        }
        Some(found)
    }

    /// The blocks on the diagonals with the most seeds of equal literals. A rare seed counts more than a frequent one.
    fn on_best_diagonals(&self, document: &Text, others: usize) -> Vec<Block> {
        let (k, tokens, most) = (self.rules.seed, self.text.len(), self.rules.most_places);
        let places = document.places(k, true);
        let pairs = || {
            self.begins.iter().flat_map(|&here| {
                let same = places.of(self.text.exact_hash(here, k));
                let weight = (most / same.len().max(1)).max(1) as u32;
                let there = same.iter().take(most).map(|place| place.at as usize).filter(|there| there + k <= others);
                there.map(move |there| (here, there, weight))
            })
        };
        let mut votes = vec![0; tokens + others];
        pairs().for_each(|(here, there, weight)| votes[there + tokens - here] += weight);
        let mut best: Vec<usize> = (0..votes.len()).filter(|&diagonal| votes[diagonal] > 0).collect();
        if best.len() > self.rules.most_blocks {
            best.select_nth_unstable_by_key(self.rules.most_blocks, |&diagonal| (Reverse(votes[diagonal]), diagonal));
            best.truncate(self.rules.most_blocks);
        }
        let mut reached = vec![u32::MAX; tokens + others];
        best.into_iter().for_each(|diagonal| reached[diagonal] = 0);
        pairs().filter_map(|(here, there, _)| self.block(document, others, here, there, &mut reached)).collect()
    }

    /// Whether a stretch has the same structure in both texts, and carries enough bits.
    #[inline(always)]
    fn is_seed(&self, document: &Text, here: usize, there: usize) -> bool {
        match self.rules.seed {
            4 => self.is_seed_of(document, here, there, 4), // as many as seeds of code have, so without loops
            tokens => self.is_seed_of(document, here, there, tokens),
        }
    }

    #[inline(always)]
    fn is_seed_of(&self, document: &Text, here: usize, there: usize, tokens: usize) -> bool {
        let (own, bits) = (&self.text.tokens[here..here + tokens], &self.bits[here..here + tokens]);
        let theirs = &document.tokens[there..there + tokens];
        // The hashes are equal, so the structure nearly always is, and it is compared last.
        let units: i32 = (0..tokens).map(|at| Self::alike(&own[at], &bits[at], &theirs[at])).sum();
        units >= self.rules.seed_bits
            && own.iter().zip(theirs).all(|(own, other)| own.symbol.key() == other.symbol.key())
    }

    /// The block around a seed, extended to both sides as long as that adds bits. `reached` says for each diagonal where
    /// its last block ends in the document.
    #[inline(always)]
    fn block(&self, document: &Text, others: usize, here: usize, there: usize, reached: &mut [u32]) -> Option<Block> {
        let (tokens, rules) = (self.text.len(), &self.rules);
        let diagonal = there + tokens - here;
        if reached[diagonal] as usize > there || !self.is_seed(document, here, there) {
            return None;
        }
        let (ahead, behind) = ((tokens - here).min(others - there), here.min(there));
        let (right, after) = self.extended(self.facing(here..here + ahead, &document.tokens[there..]));
        let earlier = self.facing(here - behind..here, &document.tokens[there - behind..there]);
        let (left, before) = self.extended(earlier.rev());
        reached[diagonal] = (there + after.max(rules.seed)) as u32;
        let block = Block {
            shift: there as isize - here as isize,
            begin: here - before,
            end: here + after,
            score: left + right,
        };
        (block.score >= rules.least && after > 0).then_some(block)
    }

    /// The most bits that facing tokens have from the first on, and of how many tokens.
    fn extended(&self, facing: impl Iterator<Item = i32>) -> (i32, usize) {
        let (mut best, mut length, mut sum) = (0, 0, 0);
        for (count, bits) in (1..).zip(facing) {
            sum += bits;
            if sum > best {
                (best, length) = (sum, count);
            } else if sum < best - self.rules.drop {
                break;
            }
        }
        (best, length)
    }

    fn cost(&self, here: usize, there: usize) -> i32 {
        self.rules.open + self.rules.gap * (logarithm(here) + logarithm(there))
    }

    /// A gap in one text, a power of two, that costs at least these units.
    fn reach(&self, units: i32) -> usize {
        let least = (units - self.rules.open) / (self.rules.gap * UNIT as i32).max(1) - 1;
        (least.max(0) as u32..usize::BITS - 1)
            .map(|power| 1 << power)
            .find(|&gap| self.cost(gap, 0) >= units)
            .unwrap_or(usize::MAX >> 1)
    }

    /// The heaviest chain of blocks that are in the same order in both texts, and the cost of its gaps. A block that
    /// overlaps the one before it is cut.
    fn chain(&self, document: &Text, blocks: &mut [Block]) -> (Vec<Block>, i32) {
        blocks.sort_unstable_by_key(|block| (block.end, block.shift, block.begin));
        // For each block, the most units of a chain up to it, the block before it, and where it is cut.
        let mut sums: Vec<(i32, usize, usize)> = Vec::with_capacity(blocks.len());
        let (mut ends, mut most) = ([Vec::<End>::new(), Vec::new()], 0);
        for (number, block) in blocks.iter().enumerate() {
            let (block_there, end_there) = (block.there(block.begin), block.there(block.end));
            // A gap of `useful` tokens costs so much that no chain before it is better than `best`.
            let (mut best, mut useful) = ((block.score, usize::MAX, 0), usize::MAX >> 1);
            // Of equal chains, that of the first block is taken.
            let is_better = |sum: i32, other: usize, best: (i32, usize, usize)| {
                sum > best.0 || sum == best.0 && best.1 != usize::MAX && other < best.1
            };
            for ends in &ends {
                for end in ends.iter().rev() {
                    if block.begin >= end.at + end.most_reach.min(useful) {
                        break;
                    }
                    // One of the gaps is at least as long as the shifts differ.
                    let reach = end.reach.min(useful);
                    if block.shift.abs_diff(end.shift) >= reach || block.begin >= end.at + reach {
                        continue;
                    }
                    let (other, earlier) = (end.number, &blocks[end.number]);
                    let earlier_end = earlier.there(earlier.end);
                    let rises = earlier.end < block.end
                        && earlier.begin < block.begin
                        && earlier_end < end_there
                        && earlier.there(earlier.begin) < block_there;
                    if !rises || !is_better(sums[other].0 + block.score - self.rules.open, other, best) {
                        continue;
                    }
                    let begin = block.begin.max(earlier.end).max(earlier_end.saturating_add_signed(-block.shift));
                    let gaps = self.cost(begin - earlier.end, block.there(begin) - earlier_end);
                    let sum = sums[other].0 + block.score - gaps;
                    if is_better(sum, other, best) {
                        let sum = sum - self.sum(document, block, block.begin, begin);
                        if is_better(sum, other, best) {
                            best = (sum, other, begin);
                            useful = self.reach(most + block.score - sum + 1);
                        }
                    }
                }
            }
            most = most.max(best.0);
            let reach = self.reach(best.0);
            let own = &mut ends[usize::from(reach > SHORT)];
            let most_reach = own.last().map_or(reach, |last| last.most_reach.max(reach));
            own.push(End { number, at: block.end, shift: block.shift, reach, most_reach });
            sums.push(best);
        }
        let Some(mut at) = (0..sums.len()).max_by_key(|&at| (sums[at].0, Reverse(at))) else { return (vec![], 0) };
        let (mut chain, mut gaps) = (Vec::new(), 0);
        loop {
            let (_, before, begin) = sums[at];
            let is_first = before == usize::MAX;
            let block = Block { begin: if is_first { blocks[at].begin } else { begin }, ..blocks[at] };
            chain.push(block);
            if is_first {
                return (chain, gaps);
            }
            let earlier = &blocks[before];
            gaps += self.cost(block.begin - earlier.end, block.there(block.begin) - earlier.there(earlier.end));
            at = before;
        }
    }

    /// Adds the blocks that are elsewhere in the document, if they carry more bits than it costs to say where they are.
    /// Returns the costs, and long blocks that do not, but lie between the chain's first and last token of the query.
    fn add_moved(&self, document: &Text, chain: &mut Vec<Block>, blocks: &mut [Block]) -> (i32, Vec<Block>) {
        let mut others = Vec::new();
        let Some((first, last)) = chain.last().zip(chain.first()) else { return (0, others) };
        let within = first.begin..last.end + 1;
        let span = first.there(first.begin)..last.there(last.end);
        let (mut taken, mut taken_there) = (vec![false; self.text.len()], vec![false; document.len()]);
        for block in chain.iter() {
            taken[block.begin..block.end].fill(true);
            taken_there[block.there(block.begin)..block.there(block.end)].fill(true);
        }
        let mut costs = 0;
        blocks.sort_unstable_by_key(Block::order);
        for block in blocks.iter() {
            let mut begin = block.begin;
            while begin < block.end {
                let is_free = |at: usize| !taken[at] && !taken_there[block.there(at)];
                let end = (begin..block.end).find(|&at| !is_free(at)).unwrap_or(block.end);
                let there = block.there(begin);
                let far = span.start.saturating_sub(there).max(block.there(end).saturating_sub(span.end));
                let cost = self.cost(self.text.len(), far);
                let score = if begin < end { self.sum(document, block, begin, end) } else { 0 };
                let is_evidence = score >= cost + self.rules.least;
                let is_within = end - begin >= 2 * self.rules.seed && within.contains(&begin) && within.contains(&end);
                if is_evidence || is_within && score >= self.rules.least {
                    taken[begin..end].fill(true);
                    taken_there[there..block.there(end)].fill(true);
                    costs += if is_evidence { cost } else { 0 };
                    let found = if is_evidence { &mut *chain } else { &mut others };
                    found.push(Block { begin, end, ..*block });
                }
                begin = end + 1;
            }
        }
        (costs, others)
    }

    /// The bits of some blocks, which ascend in the query. A name that is replaced is replaced by one name in all of them.
    fn scored(&self, document: &Text, blocks: &[Block]) -> i32 {
        let (mut forth, mut back) = (vec![NONE; self.text.names], vec![NONE; document.names]);
        let mut sum = 0;
        for block in blocks {
            for here in block.begin..block.end {
                let there = block.there(here);
                let (token, facing, bits) = (&self.text.tokens[here], &document.tokens[there], &self.bits[here]);
                if bits.equal == 0 || !token.is(NAME) || !facing.is(NAME) {
                    sum += self.pair(token, bits, facing);
                    continue;
                }
                let (partner, name) = (&mut forth[token.name as usize], &mut back[facing.name as usize]);
                let is_new = *partner == NONE && *name == NONE;
                if *partner == NONE {
                    *partner = facing.name;
                }
                if *name == NONE {
                    *name = token.name;
                }
                sum += match (*partner, *name) == (facing.name, token.name) {
                    _ if token.symbol == facing.symbol => bits.equal,
                    _ if is_new => bits.other,
                    true => bits.renamed,
                    false => bits.other - self.rules.other,
                };
            }
        }
        sum
    }

    /// The best alignment with a document: its bits in units, and if these are at least `least`, its runs, which ascend in
    /// the query.
    pub fn aligned(&self, document: &Text, least: i32) -> (i32, Option<Vec<Block>>) {
        let (bits, chain) = self.best(document, self.blocks(document));
        (bits, (bits >= least).then(|| self.filled(document, self.parted(document, &chain))))
    }

    /// The best alignment by some blocks: its bits, and its blocks, which ascend in the query.
    fn best(&self, document: &Text, mut blocks: Vec<Block>) -> (i32, Vec<Block>) {
        if blocks.len() > self.rules.most_blocks {
            blocks.select_nth_unstable_by_key(self.rules.most_blocks, Block::order);
            blocks.truncate(self.rules.most_blocks);
        }
        let (mut chain, gaps) = self.chain(document, &mut blocks);
        let (costs, others) = self.add_moved(document, &mut chain, &mut blocks);
        chain.sort_unstable_by_key(|block| block.begin);
        let bits = self.scored(document, &chain) - gaps - costs;
        chain.extend(others);
        chain.sort_unstable_by_key(|block| block.begin);
        (bits, chain)
    }

    /// The runs of some blocks: without tokens that differ in structure, and parted where a name gets another partner.
    fn parted(&self, document: &Text, blocks: &[Block]) -> Vec<Block> {
        let mut runs = Vec::new();
        let (mut forth, mut back) = (vec![NONE; self.text.names], vec![NONE; document.names]);
        let mut known: Vec<(u32, u32)> = Vec::new();
        for block in blocks {
            let mut begin = block.begin;
            for at in block.begin..block.end {
                let (token, facing) = (&self.text.tokens[at], &document.tokens[block.there(at)]);
                let is_same = token.symbol.key() == facing.symbol.key();
                let is_name = is_same && token.is(NAME);
                let names = (token.name, facing.name);
                let is_other = is_name && {
                    let found = (back[names.1 as usize], forth[names.0 as usize]);
                    (found.1 != NONE && found.1 != names.1) || (found.0 != NONE && found.0 != names.0)
                };
                if is_other || !is_same {
                    if begin < at {
                        runs.push(Block { begin, end: at, ..*block });
                    }
                    begin = if is_same { at } else { at + 1 };
                    forget(&mut known, &mut forth, &mut back);
                }
                if is_name {
                    (forth[names.0 as usize], back[names.1 as usize]) = (names.1, names.0);
                    known.push(names);
                }
            }
            if begin < block.end {
                runs.push(Block { begin, ..*block });
            }
            forget(&mut known, &mut forth, &mut back);
        }
        runs
    }

    /// The runs, and between them and at the ends of the query the equal tokens of short gaps, which are too few for a seed.
    fn filled(&self, document: &Text, mut runs: Vec<Block>) -> Vec<Block> {
        let (tokens, most) = (self.text.len(), self.rules.filled);
        let end_of = |run: &Block| (run.end, run.there(run.end));
        let begin_of = |run: &Block| (run.begin, run.there(run.begin));
        let mut found = Vec::new();
        for at in 0..=runs.len() {
            let before = at.checked_sub(1).map(|at| end_of(&runs[at]));
            let after = runs.get(at).map(begin_of);
            let (from, to) = match (before, after) {
                (Some(from), Some(to)) => (from, to),
                (None, Some((here, there))) if self.rules.begins => {
                    ((0, there.saturating_sub(here + most)), (here, there))
                }
                (Some((here, there)), None) if self.rules.ends => {
                    ((here, there), (tokens, document.len().min(there + tokens - here + most)))
                }
                _ => continue,
            };
            let is_short = from.0 < to.0 && to.0 - from.0 <= most && from.1 < to.1 && to.1 - from.1 <= 2 * most;
            let is_free = || runs.iter().all(|run| run.there(run.end) <= from.1 || to.1 <= run.there(run.begin));
            if is_short && is_free() {
                self.add_equal(document, from, to, &mut found);
            }
        }
        runs.append(&mut found);
        runs.sort_unstable_by_key(|run| run.begin);
        runs
    }

    /// Adds the longest common subsequence of two stretches as runs, and then what is left of equal tokens in another order.
    fn add_equal(&self, document: &Text, from: (usize, usize), to: (usize, usize), runs: &mut Vec<Block>) {
        let (rows, columns) = (to.0 - from.0, to.1 - from.1);
        let is_equal = |row: usize, column: usize| self.is_equal(from.0 + row, document, from.1 + column);
        let mut longest = vec![vec![0_u32; columns + 1]; rows + 1];
        for row in (0..rows).rev() {
            for column in (0..columns).rev() {
                longest[row][column] = if is_equal(row, column) {
                    longest[row + 1][column + 1] + 1
                } else {
                    longest[row + 1][column].max(longest[row][column + 1])
                };
            }
        }
        let (mut row, mut column, mut is_open) = (0, 0, false);
        let (mut left, mut free) = (Vec::new(), vec![true; columns]);
        while row < rows {
            if column < columns && is_equal(row, column) {
                free[column] = false;
                let (begin, shift) = (from.0 + row, (from.1 + column) as isize - (from.0 + row) as isize);
                match runs.last_mut() {
                    Some(last) if is_open => last.end = begin + 1,
                    _ => runs.push(Block { shift, begin, end: begin + 1, score: 0 }),
                }
                (row, column, is_open) = (row + 1, column + 1, true);
            } else {
                is_open = false;
                if column == columns || longest[row + 1][column] >= longest[row][column + 1] {
                    left.push(row);
                    row += 1;
                } else {
                    column += 1;
                }
            }
        }
        for row in left {
            if let Some(column) = (0..columns).find(|&column| free[column] && is_equal(row, column)) {
                free[column] = false;
                let (begin, shift) = (from.0 + row, (from.1 + column) as isize - (from.0 + row) as isize);
                runs.push(Block { shift, begin, end: begin + 1, score: 0 });
            }
        }
    }
}

/// Forgets which names face each other.
fn forget(known: &mut Vec<(u32, u32)>, forth: &mut [u32], back: &mut [u32]) {
    for (name, partner) in known.drain(..) {
        (forth[name as usize], back[partner as usize]) = (NONE, NONE);
    }
}
