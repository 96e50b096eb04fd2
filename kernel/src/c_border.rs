//! The interface to a page, which runs the kernel as WebAssembly. `kernel/web/kernel.js` calls it.
//!
//! Each call has a request and an answer, both in the form of `messages`. The page writes the request where
//! `kernel_request` says, calls a function, and reads the answer where `kernel_answer` says. A function returns the length
//! of its answer, or a `Refusal`. `release/rules.py` writes the requests of `kernel_rules` and `kernel_grammar`.

mod characters;
mod comparing;
mod messages;

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::NonNull;

use crate::characters::{Characters, NONE, PAGE, Page};
use crate::document::{Content, Part, Rules};
use crate::hashing::Coding;
use crate::kgrams::{Representation, Scheme, Writing};
use crate::lexing::{self, Lexer};
use crate::noise::Noise;
use crate::references::{Marks, Speech, Words};
use crate::stored::{self, MAX_TOKENS};
use crate::tokens::Grammar;
use crate::tree::{Failure, KINDS, Language};
use crate::values::{Quote, Spelling};
use messages::{Reader, Writer};

/// Buffers with more bytes are not kept for the next call.
const KEPT: usize = 1 << 22;

/// Why a call has no answer. The page gets the number.
#[derive(Clone, Copy)]
pub enum Refusal {
    /// The request is not in its form, or the rules are missing.
    Malformed = -1,
    /// The parse took longer than it was given.
    Late = -2,
    /// The parser's core cannot read this version of grammars.
    NotLoaded = -3,
    TooLarge = -4,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Late => Self::Late,
            Failure::NotLoaded => Self::NotLoaded,
            Failure::TooLarge => Self::TooLarge,
        }
    }
}

/// What the kernel keeps between the calls of a page.
#[derive(Default)]
pub struct Kept {
    given: Option<Given>,
    grammars: Vec<Grammar>,
    comparing: comparing::Comparing,
}

/// The rules, and the letters and digits that they code.
struct Given {
    rules: Rules,
    letters: Letters,
}

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static KEPT_HERE: RefCell<Kept> = RefCell::default();
}

/// Answers the request that was written.
fn answer(call: impl FnOnce(&mut Kept, &mut Reader, &mut Writer) -> Result<(), Refusal>) -> i32 {
    let request = REQUEST.take();
    let mut written = Writer::default();
    let done = KEPT_HERE.with_borrow_mut(|kept| call(kept, &mut Reader::new(&request), &mut written));
    if request.capacity() <= KEPT {
        REQUEST.set(request);
    }
    let made = written.into_bytes();
    let length = made.len();
    ANSWER.set(made);
    match done {
        Ok(()) => i32::try_from(length).unwrap_or(Refusal::TooLarge as i32),
        Err(refusal) => refusal as i32,
    }
}

/// Where to write a request of `length` bytes.
#[unsafe(no_mangle)]
extern "C" fn kernel_request(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Where the last answer is. It stays until the next call.
#[unsafe(no_mangle)]
extern "C" fn kernel_answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// Sets the rules. The answer is empty.
#[unsafe(no_mangle)]
extern "C" fn kernel_rules() -> i32 {
    answer(|kept, request, _| {
        kept.given = Some(given(request).ok_or(Refusal::Malformed)?);
        Ok(())
    })
}

/// Adds a grammar with its tables. The answer is its number, from 0.
///
/// # Safety
///
/// The pointer has to be that of a `TSLanguage` and stay valid as long as the kernel runs.
#[unsafe(no_mangle)]
unsafe extern "C" fn kernel_grammar(language: *mut c_void) -> i32 {
    answer(|kept, request, answer| {
        // SAFETY: the caller vouches for the pointer.
        let language = NonNull::new(language).map(|pointer| unsafe { Language::new(pointer) });
        let grammar = language.and_then(|language| grammar(language, request)).ok_or(Refusal::Malformed)?;
        answer.number(kept.grammars.len());
        kept.grammars.push(grammar);
        Ok(())
    })
}

/// Makes the document of a content. The request has:
///
/// - the content;
/// - the nanoseconds of processor time for each part (wide);
/// - optionally the byte positions at which lines end, if these are not its line feeds (UTF-16);
/// - a list of parts: the name of its language; optionally its grammar; optionally its text, if it is not the whole
///   content; the number of bytes of its opening; optionally where each byte after the opening begins and ends in the
///   content (two lists of numbers), if the positions are not the same.
///
/// The answer has the number of tokens; the errors (wide); the bytes that did not parse (wide); the stored token stream; for each segment the number of its
/// part; for each scheme, optionally the terms (wide).
#[unsafe(no_mangle)]
extern "C" fn kernel_document() -> i32 {
    answer(|kept, request, answer| {
        let given = kept.given.as_ref().ok_or(Refusal::Malformed)?;
        let (content, nanoseconds, names) = content(request, &kept.grammars).ok_or(Refusal::Malformed)?;
        let coding = given.rules.coding;
        let made = given.rules.document(&content, nanoseconds, |number| Ok(given.letters.page(number, coding)));
        let made = made.map_err(|failure: Failure| Refusal::from(failure))?;
        if made.tokens >= MAX_TOKENS {
            return Err(Refusal::TooLarge);
        }
        let languages: Vec<_> = made.owners.iter().map(|&owner| names[owner as usize]).collect();
        answer.number(made.tokens);
        answer.wide(made.errors);
        answer.wide(made.unparsed);
        answer.bytes(&stored::packed(made.tokens, &made.planes, &languages));
        answer.numbers(&made.owners);
        for terms in &made.terms {
            answer.flag(terms.is_some());
            if let Some(terms) = terms {
                answer.wides(terms);
            }
        }
        Ok(())
    })
}

/// A content, the nanoseconds for each part, and the language of each part.
fn content<'a, 'b: 'a>(request: &mut Reader<'b>, grammars: &'a [Grammar]) -> Option<(Content<'a>, u64, Vec<&'b [u8]>)> {
    let (bytes, nanoseconds) = (request.bytes()?, request.wide()?);
    let newlines = request.option(Reader::numbers)?;
    let mut names = Vec::new();
    let parts = request.list(|request| {
        names.push(request.bytes()?);
        let grammar = match request.option(Reader::size)? {
            Some(number) => Some(grammars.get(number)?),
            None => None,
        };
        let text = request.option(Reader::bytes)?.unwrap_or(bytes);
        let opening = request.size()?;
        let place = request.option(|request| Some((positions(request)?, positions(request)?)))?;
        let own = text.len().checked_sub(opening)?;
        let is_inside =
            place.as_ref().map_or(own <= bytes.len(), |(starts, stops)| own <= starts.len().min(stops.len()));
        // The page searches no references, so it does not matter where they may be.
        let speech = Speech { has_doc_strings: false, is_prose: false };
        is_inside.then_some(Part { grammar, text, opening, place, speech })
    })?;
    Some((Content { bytes, parts, newlines, is_prose: false, is_kept: false }, nanoseconds, names))
}

fn positions(request: &mut Reader) -> Option<Vec<i64>> {
    Some(request.numbers()?.into_iter().map(i64::from).collect())
}

fn given(request: &mut Reader) -> Option<Given> {
    let coding = Coding { seed: request.number()?, bits: request.number()? };
    let writing = Writing {
        base: request.wide()?,
        member_marks: request.wides()?,
        call_mark: request.wide()?,
        string: request.wide()?,
        number: request.wide()?,
        distances: request.wides()?,
    };
    let schemes = request.list(|request| {
        let representation = Representation::of(std::str::from_utf8(request.bytes()?).ok()?)?;
        let [k, inner, w] = [request.size()?, request.size()?, request.size()?];
        Some(Scheme { representation, k, inner, w, bits: request.number()? })
    })?;
    let letters = Letters {
        spans: request.list(|request| Some((request.number()?, request.number()?)))?,
        lower: request.list(|request| Some((request.number()?, request.bytes()?.to_vec())))?.into_iter().collect(),
    };
    characters::set_kinds(request)?;
    let rules = Rules {
        coding,
        writing,
        characters: Characters::new(),
        words: Words::new(Vec::new())?,
        marks: Marks { continued: Vec::new(), blanks: Vec::new() },
        insides: None,
        schemes,
        sub_words: None,
    };
    Some(Given { rules, letters })
}

fn lexer(request: &mut Reader) -> Option<lexing::Rules> {
    let owned = |request: &mut Reader| Some(request.bytes()?.to_vec());
    Some(lexing::Rules {
        forms: request.list(|request| Some((request.number()? as u8, owned(request)?)))?,
        keywords: request.list(owned)?.into_iter().collect(),
        strings: request.list(|request| Some((owned(request)?, request.list(owned)?)))?,
        before_long: owned(request)?,
        flags: (request.flag()?, request.flag()?, request.flag()?),
    })
}

fn grammar(language: Language, request: &mut Reader) -> Option<Grammar> {
    let owned = |request: &mut Reader| Some(request.bytes()?.to_vec());
    Some(Grammar {
        language,
        actions: table(request)?,
        classes: table(request)?,
        texts: request.list(|request| Some(request.bytes()?.into()))?,
        codes: request.wides()?,
        keywords: request.list(owned)?.into_iter().collect(),
        spelling: request.option(|request| {
            Some(Spelling {
                quotes: request.list(|request| {
                    Some(Quote { mark: owned(request)?, escapes: owned(request)?, same: owned(request)? })
                })?,
                plain: owned(request)?,
                raw: owned(request)?,
                prefixes: owned(request)?,
                letters: (owned(request)?, owned(request)?),
            })
        })?,
        noise: request.option(|request| {
            Some(Noise {
                anywhere: request.wides()?,
                before_closing: request.wides()?,
                closing: request.wides()?,
                grouping: request.option(|request| Some((request.wide()?, request.wide()?)))?,
                calls: request.wides()?,
            })
        })?,
        lexer: match request.option(|request| lexer(request))? {
            Some(rules) => Some(Lexer::new(rules)?),
            None => None,
        },
    })
    .filter(|grammar| grammar.texts.len() == grammar.codes.len())
}

/// A table by kind id: the values of the first kinds, the value of all others, and that of the last kind.
fn table(request: &mut Reader) -> Option<Box<[u8; KINDS]>> {
    let first = request.bytes()?;
    let &[others, last] = request.bytes()? else { return None };
    let mut table = vec![others; KINDS];
    table.get_mut(..first.len())?.copy_from_slice(first);
    table[KINDS - 1] = last;
    table.try_into().ok()
}

/// Which characters are letters or digits, as half-open spans, and the lower case of those that differ from theirs.
struct Letters {
    spans: Vec<(u32, u32)>,
    lower: HashMap<u32, Vec<u8>>,
}

impl Letters {
    /// The page with a number, as `insides.page` defines it.
    fn page(&self, number: usize, coding: Coding) -> Page {
        let mut page = Box::new([NONE; PAGE]);
        let begin = (number * PAGE) as u32;
        for &(first, end) in &self.spans {
            for point in first.max(begin)..end.min(begin + PAGE as u32) {
                let code = match (self.lower.get(&point), char::from_u32(point)) {
                    (Some(lower), _) => coding.code(lower),
                    (None, Some(character)) => coding.code(character.encode_utf8(&mut [0; 4]).as_bytes()),
                    (None, None) => NONE,
                };
                page[(point - begin) as usize] = code;
            }
        }
        page
    }
}
