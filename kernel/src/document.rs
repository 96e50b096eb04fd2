//! Everything that an index stores of a content, as `wherefrom/analyzers/documents.py` defines it.

use crate::characters::{Characters, Page};
use crate::hashing::Coding;
use crate::insides;
use crate::kgrams::{Scheme, Writing};
use crate::lexing::Lexer;
use crate::marks::{TRIES, without_one};
use crate::mending::{Broken, gives_up, merged};
use crate::numbering::Numbered;
use crate::references::{Marks, Speech, Words, stretches};
use crate::stored;
use crate::stream::{self, Planes, Stream, planes, symbols, terms};
use crate::tokens::{self, Grammar, Tokens};
use crate::tree::{Failure, processor_nanoseconds, with_parser};
use crate::words;

/// The rules that Python passes in, the same for all contents.
pub struct Rules {
    pub coding: Coding,
    pub writing: Writing,
    pub characters: Characters,
    pub words: Words,
    pub marks: Marks,
    /// None if what is inside of literals and comments is not read.
    pub insides: Option<insides::Rules>,
    pub schemes: Vec<Scheme>,
    /// None if the words of names and literals are not stored.
    pub sub_words: Option<words::Rules>,
}

/// A content and its segments.
pub struct Content<'a> {
    pub bytes: &'a [u8],
    pub parts: Vec<Part<'a>>,
    /// Where the lines end if the content is UTF-16; None if they end at its line feeds.
    pub newlines: Option<Vec<u32>>,
    /// Whether the whole content may have references, not only its comments.
    pub is_prose: bool,
    /// Whether an index keeps it: only then what is inside of its literals and comments is read, and it has terms of words.
    pub is_kept: bool,
}

/// A segment of a content, read as prose if it has no grammar.
pub struct Part<'a> {
    pub grammar: Option<&'a Grammar>,
    pub text: &'a [u8],
    /// The number of bytes at the beginning of the text that the grammar requires and that are not from the content.
    pub opening: usize,
    /// Where each byte after the opening begins and ends in the content; None if the positions are the same.
    pub place: Option<(Vec<i64>, Vec<i64>)>,
    pub speech: Speech,
}

/// The result for a content; `_kernel.pyi` describes the fields.
pub struct Document {
    pub tokens: usize,
    /// How many of the tokens are inside of literals and comments. Their segments have no owner.
    pub inside: usize,
    pub planes: Planes,
    pub owners: Vec<u32>,
    pub terms: Vec<Option<Vec<u64>>>,
    pub errors: u64,
    pub unparsed: u64,
    pub words: u64,
    pub stretches: Vec<Stretch>,
}

/// A part of a content that is searched for references: its half-open byte span, its first line (1-based), and a bit for
/// each word in it.
pub type Stretch = (u32, u32, u32, u64);

/// The tokens of a source as the grammar parses it, and the leaves that did not parse.
pub fn parse(
    grammar: &Grammar,
    source: &[u8],
    nanoseconds: u64,
    by_cursor: bool,
    coding: Coding,
) -> Result<(Tokens, Vec<Broken>), Failure> {
    with_parser(|parser| {
        let leaves = parser.parse(grammar.language, source, &grammar.actions, nanoseconds, by_cursor)?;
        Ok(tokens::tokens(grammar, source, &leaves, coding))
    })
}

/// The tokens of a parsed source, merged with those of the lexical forms.
pub fn read_both(
    grammar: &Grammar,
    lexer: &Lexer,
    source: &[u8],
    (tokens, broken): (&Tokens, &[Broken]),
    nanoseconds: u64,
    coding: Coding,
) -> Result<Tokens, Failure> {
    let deadline = processor_nanoseconds().saturating_add(nanoseconds);
    merged(grammar, lexer, source, tokens, broken, coding, deadline)
}

/// The tokens of a source, even where its grammar gives up.
pub fn read(grammar: &Grammar, source: &[u8], nanoseconds: u64, coding: Coding) -> Result<Tokens, Failure> {
    let lexer = grammar.lexer.as_ref();
    let parsed = |source: &[u8], nanoseconds| parse(grammar, source, nanoseconds, false, coding);
    let lexical = |lexer, source: &[u8], tokens: &Tokens, broken: &[Broken]| {
        read_both(grammar, lexer, source, (tokens, broken), nanoseconds, coding)
    };
    let (mut tokens, mut broken) = match (parsed(source, nanoseconds), lexer) {
        (Err(Failure::Late), Some(lexer)) => return lexical(lexer, source, &Tokens::default(), &[]),
        (parsed, _) => parsed?,
    };
    if let Some(lexer) = lexer {
        let is_lost = gives_up(lexer, source, &tokens, &broken);
        let again = |text: &[u8]| parsed(text, nanoseconds / TRIES);
        let without = without_one(lexer, source, (&tokens, &broken), is_lost, again)?;
        if let Some((_, again)) = without.filter(|(text, again)| !gives_up(lexer, text, &again.0, &again.1)) {
            (tokens, broken) = again;
        } else if is_lost {
            return lexical(lexer, source, &tokens, &broken);
        }
    }
    tokens.unparsed = broken.iter().map(|(start, end, _)| u64::from(end - start)).sum();
    Ok(tokens)
}

impl Rules {
    /// Makes the document of a content. `nanoseconds` limits the processor time for each part; `load` goes to
    /// `Characters::tokens`.
    pub fn document<Error: From<Failure>>(
        &self,
        content: &Content,
        nanoseconds: u64,
        load: impl Fn(usize) -> Result<Page, Error>,
    ) -> Result<Document, Error> {
        let mut found = Vec::with_capacity(content.parts.len());
        let (mut insides, mut comments, mut errors, mut unparsed) = (Vec::new(), Vec::new(), 0, 0);
        for part in &content.parts {
            let mut tokens = match part.grammar {
                Some(grammar) => read(grammar, part.text, nanoseconds, self.coding)?,
                None => self.characters.tokens(part.text, &load)?,
            };
            if part.opening > 0 {
                remove_opening(&mut tokens, part.opening as u32);
            }
            let mut inside = match (&self.insides, part.grammar) {
                (Some(rules), Some(_)) if content.is_kept => {
                    self.inside(rules, &part.text[part.opening..], &tokens, &load)?
                }
                _ => Vec::new(),
            };
            if let Some((offsets, stops)) = &part.place {
                inside.iter_mut().chain([&mut tokens]).for_each(|tokens| move_to(tokens, offsets, stops));
            }
            insides.append(&mut inside);
            if let Some(noise) = part.grammar.and_then(|grammar| grammar.noise.as_ref()) {
                noise.remove(&mut tokens);
            }
            comments.append(&mut tokens.comments);
            errors += tokens.errors;
            unparsed += tokens.unparsed;
            found.push(tokens);
        }
        let ours;
        let newlines = match &content.newlines {
            Some(given) => given,
            None => {
                ours = newlines_of(content.bytes);
                &ours
            }
        };
        let mut stream = Stream::new(found, newlines);
        let (words, stretches) = self.stretches(content, &stream, comments, newlines);
        let outside = stream.len();
        insides.sort_by_key(|inside| inside.starts[0]); // a script is in the part of HTML around it
        stream.add(insides, newlines);
        let symbols = symbols(&stream);
        let own = self.sub_words.as_ref().map(|rules| {
            let words = stream::words(&stream, &symbols.numbered, content.bytes, rules);
            let in_order = || words.in_order(&symbols.numbered.numbers);
            (content.is_kept.then(|| rules.terms(&in_order(), &self.writing, false)).flatten(), words)
        });
        let mut terms = terms(&stream, &symbols.numbered, &self.schemes, &self.writing);
        let own = own.map(|(own, words)| {
            terms.push(own);
            words
        });
        Ok(Document {
            tokens: stream.len(),
            inside: stream.len() - outside,
            terms,
            planes: planes(&stream, symbols, own.as_ref()),
            owners: stream.owners,
            errors,
            unparsed,
            words,
            stretches,
        })
    }

    /// The words inside of the literals and comments of a part, each text by itself.
    fn inside<Error>(
        &self,
        rules: &insides::Rules,
        text: &[u8],
        tokens: &Tokens,
        load: &impl Fn(usize) -> Result<Page, Error>,
    ) -> Result<Vec<Tokens>, Error> {
        let mut found = Vec::new();
        for (start, end) in rules.spans(text, tokens) {
            let mut letters = self.characters.tokens(&text[start as usize..end as usize], load)?;
            if rules.are_words(&mut letters) {
                letters.starts.iter_mut().chain(&mut letters.ends).for_each(|at| *at += start);
                found.push(letters);
            }
        }
        Ok(found)
    }

    /// The terms of an uncompressed stored stream, or None if it is damaged.
    pub fn stored_terms(&self, stored: &[u8]) -> Option<Vec<Option<Vec<u64>>>> {
        let text = stored::opened(stored)?;
        let of = |number: &u32| *number as usize;
        let stream = Stream {
            codes: text.numbers.iter().map(|number| text.codes[of(number)]).collect(),
            classes: text.numbers.iter().map(|number| text.classes[of(number)]).collect(),
            segments: text.segments,
            ..Stream::default()
        };
        // Terms depend on the codes of symbols, and not on their lengths.
        let rows = text.codes.iter().map(|&code| (code, (0, 0, 0), 0)).collect();
        let words = words::Words::opened(&text.words, &text.codes)?.in_order(&text.numbers);
        let mut found = terms(&stream, &Numbered { rows, numbers: text.numbers }, &self.schemes, &self.writing);
        found.extend(self.sub_words.as_ref().map(|rules| rules.terms(&words, &self.writing, false)));
        Some(found)
    }

    /// The words in a content, a bit for each, and the stretches with at least one of them.
    fn stretches(
        &self,
        content: &Content,
        stream: &Stream,
        comments: Vec<(u32, u32)>,
        newlines: &[u32],
    ) -> (u64, Vec<Stretch>) {
        // Words are searched in UTF-8 only, so every stretch of UTF-16 may have all of them.
        let is_wide = content.newlines.is_some();
        let found = self.words.find(content.bytes);
        let spans = if found.words == 0 && !is_wide {
            Vec::new()
        } else if content.is_prose {
            vec![(0, content.bytes.len() as u32)]
        } else {
            let speech: Vec<Speech> = content.parts.iter().map(|part| part.speech).collect();
            stretches(content.bytes, stream, comments, &speech, &self.marks)
        };
        let with_words = |(start, end): (u32, u32)| {
            let words = if is_wide { u64::MAX } else { found.within(start, end) };
            let line = newlines.partition_point(|&newline| newline < start) as u32 + 1;
            (words != 0).then_some((start, end, line, words))
        };
        (found.words, spans.into_iter().filter_map(with_words).collect())
    }
}

/// Removes the tokens of an opening, and makes the positions of the others relative to its end.
fn remove_opening(tokens: &mut Tokens, opening: u32) {
    let first = tokens.starts.partition_point(|&start| start < opening);
    tokens.starts.drain(..first);
    tokens.ends.drain(..first);
    tokens.classes.drain(..first);
    tokens.codes.drain(..first);
    for at in tokens.starts.iter_mut().chain(&mut tokens.ends) {
        *at -= opening;
    }
    for (start, end) in &mut tokens.comments {
        (*start, *end) = (*start - opening, *end - opening);
    }
}

/// Changes the positions of tokens to those of their bytes in the content.
fn move_to(tokens: &mut Tokens, offsets: &[i64], stops: &[i64]) {
    for start in &mut tokens.starts {
        *start = offsets[*start as usize] as u32;
    }
    for end in &mut tokens.ends {
        *end = stops[*end as usize - 1] as u32;
    }
    for (start, end) in &mut tokens.comments {
        // An empty comment at the beginning of a text takes the text's last byte, as index -1 does in Python.
        let last = (*end as usize).checked_sub(1).unwrap_or(stops.len() - 1);
        (*start, *end) = (offsets[*start as usize] as u32, stops[last] as u32);
    }
}

fn newlines_of(content: &[u8]) -> Vec<u32> {
    let mut found = Vec::with_capacity(content.len() / 24);
    for (number, chunk) in content.chunks(64).enumerate() {
        // Most lines are longer than half a chunk, so one quick look at the chunk tells whether to look closer.
        if chunk.iter().fold(false, |any, &byte| any | (byte == b'\n')) {
            let begin = number * 64;
            found.extend(
                chunk.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| (begin + at) as u32),
            );
        }
    }
    found
}
