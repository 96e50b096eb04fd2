//! The tokens of prose, as `wherefrom/analyzers/insides.py` defines them: its letters and digits.

use std::sync::OnceLock;

use crate::tokens::{CHARACTER, Tokens};

/// Characters in a page.
pub const PAGE: usize = 256;
const PAGES: usize = 0x11_0000 / PAGE;

/// Stored in place of a code for characters that are not tokens.
pub const NONE: u64 = u64::MAX;

pub type Page = Box<[u64; PAGE]>;

/// The codes of all characters in pages, which are loaded on first use. Python decides which characters are letters or
/// digits, and their codes.
pub struct Characters {
    pages: Box<[OnceLock<Page>]>,
}

impl Characters {
    pub fn new() -> Self {
        Self { pages: (0..PAGES).map(|_| OnceLock::new()).collect() }
    }

    /// The letters and digits of a text; bytes that are not UTF-8 are left out.
    ///
    /// `load` returns the page with a number. It is called on the first use of a page.
    pub fn tokens<Error>(&self, text: &[u8], load: impl Fn(usize) -> Result<Page, Error>) -> Result<Tokens, Error> {
        let mut tokens = Tokens::default();
        let mut at = 0;
        let mut current = (usize::MAX, &[NONE; PAGE]);
        for chunk in text.utf8_chunks() {
            for character in chunk.valid().chars() {
                let (point, width) = (character as usize, character.len_utf8() as u32);
                if point / PAGE != current.0 {
                    current = (point / PAGE, self.page(point / PAGE, &load)?);
                }
                let code = current.1[point % PAGE];
                if code != NONE {
                    tokens.add(at, at + width, CHARACTER, code);
                }
                at += width;
            }
            at += chunk.invalid().len() as u32;
        }
        Ok(tokens)
    }

    fn page<Error>(&self, number: usize, load: &impl Fn(usize) -> Result<Page, Error>) -> Result<&[u64; PAGE], Error> {
        let slot = &self.pages[number];
        if let Some(page) = slot.get() {
            return Ok(page);
        }
        let page = load(number)?;
        Ok(slot.get_or_init(|| page))
    }
}
