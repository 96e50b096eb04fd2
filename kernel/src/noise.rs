//! Finds what formatters add and remove, as `wherefrom/analyzers/noise.py` defines it.

use crate::tokens::{SYMBOL, Tokens};

/// The rules of a language, by token codes; `FormatterNoise` in `wherefrom/languages/language.py` describes them.
pub struct Noise {
    pub anywhere: Vec<u64>,
    pub before_closing: Vec<u64>,
    pub closing: Vec<u64>,
    pub grouping: Option<(u64, u64)>,
    pub calls: Vec<u64>,
}

impl Noise {
    /// Removes the tokens that are noise.
    pub fn remove(&self, tokens: &mut Tokens) {
        let Some(noise) = self.find(tokens) else { return };
        let mut kept = noise.iter().map(|&is_noise| !is_noise).cycle();
        tokens.starts.retain(|_| kept.next().unwrap_or(true));
        tokens.ends.retain(|_| kept.next().unwrap_or(true));
        tokens.classes.retain(|_| kept.next().unwrap_or(true));
        tokens.codes.retain(|_| kept.next().unwrap_or(true));
    }

    /// Whether each token is noise; None if no token is.
    fn find(&self, tokens: &Tokens) -> Option<Vec<bool>> {
        let codes = &tokens.codes;
        let mut noise = vec![false; codes.len()];
        let mut is_any = false;
        // For each open parenthesis, its position if it groups, or else None.
        let mut open: Vec<Option<usize>> = Vec::new();
        let is = |at: usize, among: &[u64]| tokens.classes[at] == SYMBOL && among.contains(&codes[at]);
        for at in 0..codes.len() {
            if tokens.classes[at] != SYMBOL {
                continue;
            }
            let code = codes[at];
            if self.anywhere.contains(&code)
                || self.before_closing.contains(&code) && at + 1 < codes.len() && is(at + 1, &self.closing)
            {
                noise[at] = true;
                is_any = true;
            }
            let Some((opening, closing)) = self.grouping else { continue };
            if code == opening {
                let is_call = at == 0 || tokens.classes[at - 1] != SYMBOL || is(at - 1, &self.calls);
                let is_empty = at + 1 < codes.len() && is(at + 1, &[closing]);
                open.push((!is_call && !is_empty).then_some(at));
            } else if code == closing {
                if let Some(Some(begin)) = open.pop() {
                    (noise[begin], noise[at], is_any) = (true, true, true);
                }
            }
        }
        is_any.then_some(noise)
    }
}
