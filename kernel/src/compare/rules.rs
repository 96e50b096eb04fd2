//! The numbers of a comparison. Python chooses them, and hands them over by name.

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
                    value.parse::<f64>().ok().filter(|number| *number >= 0.0)
                };
                Some(Self { $($name: of(stringify!($name))? as $kind),* })
            }
        }
    };
}

rules! {
    // The numbers that were fitted (`wherefrom/fitted.py`), and those of the searches that share its rules.
    common: usize,
    many: usize,
    rare_terms: f64,
    slight: f64,
    prose: usize,
    band: usize,
    shortest_comment: i64,
    aligned_exact: usize,
    aligned_renamed: usize,
    aligned_p_match: usize,
    aligned_text: usize,
    bins: usize,
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
    cluster_similarity: f64,
    limit: usize,
}

impl Rules {
    /// The number of bits by which terms are shortened.
    pub fn shortened(&self) -> u32 {
        self.scheme_bits.saturating_sub(self.term_bits)
    }
}
