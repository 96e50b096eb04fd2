//! Token codes, k-gram hashes and terms, as `wherefrom/analyzers/hashing.py` defines them.

/// How tokens are coded: by the leading `bits` of the first half of MurmurHash3 (x64, 128 bits).
#[derive(Clone, Copy)]
pub struct Coding {
    pub seed: u32,
    pub bits: u32,
}

impl Coding {
    /// The code of a token's symbol.
    pub fn code(self, symbol: &[u8]) -> u64 {
        murmur(symbol, self.seed) >> (64 - self.bits)
    }
}

const FIRST: u64 = 0x87c3_7b91_1142_53d5;
const SECOND: u64 = 0x4cf5_ad43_2745_937f;

/// The first half of MurmurHash3's x64 hash of 128 bits.
fn murmur(key: &[u8], seed: u32) -> u64 {
    let (mut h1, mut h2) = (u64::from(seed), u64::from(seed));
    let mut blocks = key.chunks_exact(16);
    for block in &mut blocks {
        let (k1, k2) = (word(&block[..8]), word(&block[8..]));
        h1 ^= k1.wrapping_mul(FIRST).rotate_left(31).wrapping_mul(SECOND);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= k2.wrapping_mul(SECOND).rotate_left(33).wrapping_mul(FIRST);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let tail = blocks.remainder();
    if tail.len() > 8 {
        h2 ^= word(&tail[8..]).wrapping_mul(SECOND).rotate_left(33).wrapping_mul(FIRST);
    }
    if !tail.is_empty() {
        h1 ^= word(&tail[..tail.len().min(8)]).wrapping_mul(FIRST).rotate_left(31).wrapping_mul(SECOND);
    }
    let length = key.len() as u64;
    h1 ^= length;
    h2 ^= length;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    mix(h1).wrapping_add(mix(h2))
}

/// Up to eight bytes as a little-endian number.
#[inline]
pub fn word(bytes: &[u8]) -> u64 {
    if let Ok(whole) = <[u8; 8]>::try_from(bytes) {
        return u64::from_le_bytes(whole);
    }
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// MurmurHash3's 64-bit finaliser.
#[inline]
pub fn mix(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

/// The distinct terms of fingerprint hashes: the leading `bits` bits of each mixed hash, ascending.
pub fn terms(kept: &[u64], bits: u32) -> Vec<u64> {
    let mut terms: Vec<u64> = kept.iter().map(|&hash| mix(hash) >> (64 - bits)).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}
