//! The numbers of a comparison. Python chooses them, and hands them over by name.

use crate::evidence;

macro_rules! rules {
    ($($name:ident: $kind:ty),* $(,)?) => {
        #[derive(Clone, Copy)]
        pub struct Rules {
            $(pub $name: $kind),*
        }

        impl Rules {
            /// Reads a line for each number: its name, a space, its value. Returns None if one is missing or wrong.
            pub fn read(lines: &str) -> Option<Self> {
                let of = |name: &str| {
                    let value = lines.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
                    value.parse::<f64>().ok().filter(|number| number.is_finite())
                };
                Some(Self { $($name: of(stringify!($name))? as $kind),* })
            }
        }
    };
}

rules! {
    // The numbers that were fitted (`wherefrom/fitted.py`), and those of the searches that share its rules.
    common: usize,
    table: usize,
    many_rare_terms: f64,
    rare_terms: f64,
    least_shared: f64,
    copied: f64,
    prose: usize,
    band: usize,
    shortest_comment: i64,
    aligned_exact: usize,
    aligned_renamed: usize,
    aligned_p_match: usize,
    aligned_text: usize,
    bins: usize,
    // The costs of an alignment in units of bits, and the odds that it is a copy.
    misfit: i32,
    other: i32,
    least: i32,
    open: i32,
    gap: i32,
    most_blocks: usize,
    characters: f64,
    odds_bits: f64,
    odds_length: f64,
    odds_rarity: f64,
    odds_bias: f64,
    longest: f64,
    least_rarity: f64,
    // Bits of the terms of a scheme, and those that an index stores.
    scheme_bits: u32,
    term_bits: u32,
    // The limits on work and on the answer.
    most_counted: usize,
    most_held: usize,
    at_once: usize,
    dense: usize,
    most_compared: usize,
    most_regions: usize,
    most_files: usize,
    // The options.
    max_share: f64,
    min_tokens: usize,
    min_containment: f64,
    min_probability: f64,
    cluster_similarity: f64,
    limit: usize,
}

impl Rules {
    /// How probable it is that a text is a copy, as `wherefrom/queries/judging/odds.py` defines it. `rarity` is the weight
    /// of the shared terms divided by ln(1 + N) for N units.
    pub fn probability(&self, bits: f64, tokens: f64, rarity: f64) -> f64 {
        let odds = self.odds_bits * bits
            + self.odds_length * tokens.min(self.longest).ln()
            + self.odds_rarity * rarity.max(self.least_rarity).ln()
            + self.odds_bias;
        if bits > 0.0 { 1.0 / (1.0 + (-odds).exp()) } else { 0.0 }
    }

    /// The rules for the alignment of given runs.
    pub fn of_alignment(&self) -> evidence::Rules {
        let Self { misfit, other, least, open, gap, most_blocks, .. } = *self;
        let (begins, ends) = (true, true);
        evidence::Rules {
            seed: 1,
            seed_bits: 0,
            misfit,
            other,
            drop: 0,
            least,
            open,
            gap,
            most_blocks,
            most_pairs: 0,
            most_places: 0,
            filled: 0,
            begins,
            ends,
        }
    }

    /// The number of bits by which terms are shortened.
    pub fn shortened(&self) -> u32 {
        self.scheme_bits.saturating_sub(self.term_bits)
    }
}
