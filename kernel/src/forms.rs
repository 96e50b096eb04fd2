//! The lexical forms of a language: regular expressions over bytes, in the part of Python's syntax that
//! `wherefrom/languages` uses, with the flags VERBOSE, DOTALL and MULTILINE.

use std::cell::Cell;

type Set = [bool; 256];

/// A compiled form.
pub struct Form {
    any: Vec<Branch>,
    /// The alternatives with which a match may begin, by its first byte; the last entry is for the end of the text.
    by_first: Vec<Vec<u16>>,
}

/// The most groups of a form that keep what they match.
const GROUPS: usize = 4;

/// One of several alternatives, and the bytes with which a match of it can begin; None if it may be empty.
struct Branch {
    parts: Vec<Part>,
    first: Option<Box<Set>>,
}

enum Part {
    Byte(Box<Set>),
    /// Alternatives, and the number of the group that keeps what they match.
    Group(Vec<Branch>, Option<usize>),
    Repeat(Vec<Branch>, usize, usize, Greed),
    /// Repeats one byte.
    Run(Box<Set>, usize, usize, Greed),
    Again(usize),
    /// Whether what follows matches, or what is before the position in this number of bytes.
    Look {
        any: Vec<Branch>,
        behind: Option<usize>,
        is_wanted: bool,
    },
    LineStart,
    LineEnd,
    TextEnd,
    WordEdge,
}

#[derive(Clone, Copy, PartialEq)]
enum Greed {
    Greedy,
    Lazy,
    Possessive,
}

struct Reader<'a> {
    form: &'a [u8],
    at: usize,
    names: Vec<&'a [u8]>,
}

impl Form {
    /// Compiles a form; None if it has something that no form of a language needs.
    pub fn new(form: &[u8]) -> Option<Self> {
        let mut reader = Reader { form, at: 0, names: Vec::new() };
        let any = reader.branches()?;
        let begins = |branch: &Branch, byte| branch.first.as_ref().is_none_or(|first| first.get(byte) == Some(&true));
        let by_first = (0..=256).map(|byte| (0..).zip(&any).filter(move |(_, branch)| begins(branch, byte)));
        let by_first = by_first.map(|chosen| chosen.map(|(number, _)| number).collect()).collect();
        (reader.at == form.len() && reader.names.len() <= GROUPS).then_some(Self { any, by_first })
    }

    /// Where the match that begins at a position ends.
    pub fn end(&self, text: &[u8], at: usize) -> Option<usize> {
        let first = text.get(at).map_or(256, |byte| usize::from(*byte));
        let (place, end) = (Place { text, kept: Default::default() }, Cell::new(0));
        let then = |stop| {
            end.set(stop);
            true
        };
        let mut chosen = self.by_first[first].iter();
        chosen.any(|number| matches(&self.any[usize::from(*number)].parts, &place, at, &then)).then(|| end.get())
    }
}

pub fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

fn class(letter: u8) -> Option<Set> {
    let set = match letter.to_ascii_lowercase() {
        b'w' => std::array::from_fn(|byte| is_word(&(byte as u8))),
        b'd' => std::array::from_fn(|byte| (byte as u8).is_ascii_digit()),
        b's' => std::array::from_fn(|byte| matches!(byte as u8, b' ' | 9..=13)),
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { set.map(|is_in| !is_in) } else { set })
}

fn one(byte: u8) -> Set {
    std::array::from_fn(|other| other as u8 == byte)
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.form.get(self.at).copied()
    }

    fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn skips(&mut self, wanted: &[u8]) -> bool {
        let is_there = self.form[self.at..].starts_with(wanted);
        self.at += if is_there { wanted.len() } else { 0 };
        is_there
    }

    fn until(&mut self, end: u8) -> Option<&'a [u8]> {
        let begin = self.at;
        while self.take()? != end {}
        Some(&self.form[begin..self.at - 1])
    }

    fn branches(&mut self) -> Option<Vec<Branch>> {
        let mut found = Vec::new();
        loop {
            let mut parts = Vec::new();
            while let Some(byte) = self.peek().filter(|byte| !matches!(byte, b'|' | b')')) {
                self.at += 1;
                if byte == b'#' {
                    self.at += self.form[self.at..].iter().take_while(|byte| **byte != b'\n').count();
                } else if !byte.is_ascii_whitespace() {
                    let part = self.part(byte)?;
                    parts.push(self.repeated(part)?);
                }
            }
            let first = first_of(&parts);
            found.push(Branch { parts, first });
            if !self.skips(b"|") {
                return Some(found);
            }
        }
    }

    fn part(&mut self, byte: u8) -> Option<Part> {
        Some(match byte {
            b'.' => Part::Byte(Box::new([true; 256])),
            b'^' => Part::LineStart,
            b'$' => Part::LineEnd,
            b'[' => Part::Byte(Box::new(self.set()?)),
            b'(' => self.group()?,
            b'\\' => match self.take()? {
                b'Z' => Part::TextEnd,
                b'b' => Part::WordEdge,
                letter => Part::Byte(Box::new(self.escaped(letter)?)),
            },
            b'*' | b'+' | b'?' => return None,
            _ => Part::Byte(Box::new(one(byte))),
        })
    }

    fn escaped(&mut self, letter: u8) -> Option<Set> {
        Some(match letter {
            b'n' => one(b'\n'),
            b't' => one(b'\t'),
            b'r' => one(b'\r'),
            b'x' => {
                let digits = std::str::from_utf8(self.form.get(self.at..self.at + 2)?).ok()?;
                self.at += 2;
                one(u8::from_str_radix(digits, 16).ok()?)
            }
            letter if letter.is_ascii_alphabetic() => class(letter)?,
            letter if letter.is_ascii_digit() => return None,
            sign => one(sign),
        })
    }

    fn set(&mut self) -> Option<Set> {
        let is_other = self.skips(b"^");
        let mut found = [false; 256];
        let begin = self.at;
        loop {
            let byte = self.take()?;
            if byte == b']' && self.at > begin + 1 {
                return Some(if is_other { found.map(|is_in| !is_in) } else { found });
            }
            let low = self.member(byte)?;
            let is_range = self.peek() == Some(b'-') && self.form.get(self.at + 1).is_some_and(|next| *next != b']');
            if is_range {
                self.at += 1;
                let next = self.take()?;
                let high = self.member(next)?;
                let [low, high] = [&low, &high].map(|set| set.iter().position(|is_in| *is_in));
                found[low?..=high?].fill(true);
            } else {
                found.iter_mut().zip(low).for_each(|(is_in, also)| *is_in |= also);
            }
        }
    }

    fn member(&mut self, byte: u8) -> Option<Set> {
        if byte != b'\\' {
            return Some(one(byte));
        }
        let letter = self.take()?;
        self.escaped(letter)
    }

    fn group(&mut self) -> Option<Part> {
        let mut kept = None;
        let mut look = None;
        if self.skips(b"?P=") {
            let name = self.until(b')')?;
            return Some(Part::Again(self.names.iter().position(|other| *other == name)?));
        } else if self.skips(b"?P<") {
            kept = Some(self.names.len());
            let name = self.until(b'>')?;
            self.names.push(name);
        } else if self.skips(b"?<=") {
            look = Some((true, true));
        } else if self.skips(b"?<!") {
            look = Some((true, false));
        } else if self.skips(b"?=") {
            look = Some((false, true));
        } else if self.skips(b"?!") {
            look = Some((false, false));
        } else if !self.skips(b"?:") {
            return None;
        }
        let any = self.branches()?;
        let is_closed = self.skips(b")");
        let part = match look {
            None => Part::Group(any, kept),
            Some((is_behind, is_wanted)) => {
                let behind = if is_behind { Some(width(&any)?) } else { None };
                Part::Look { any, behind, is_wanted }
            }
        };
        is_closed.then_some(part)
    }

    fn repeated(&mut self, part: Part) -> Option<Part> {
        let (least, most) = match self.peek() {
            Some(b'*') => (0, usize::MAX),
            Some(b'+') => (1, usize::MAX),
            Some(b'?') => (0, 1),
            Some(b'{') => {
                self.at += 1;
                let counts = std::str::from_utf8(self.until(b'}')?).ok()?;
                self.at -= 1;
                let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
                (least.parse().ok()?, most.parse().ok()?)
            }
            _ => return Some(part),
        };
        self.at += 1;
        let greed = if self.skips(b"+") {
            Greed::Possessive
        } else if self.skips(b"?") {
            Greed::Lazy
        } else {
            Greed::Greedy
        };
        Some(match part {
            Part::Byte(set) => Part::Run(set, least, most, greed),
            part => {
                let parts = vec![part];
                let first = first_of(&parts);
                Part::Repeat(vec![Branch { parts, first }], least, most, greed)
            }
        })
    }
}

/// The bytes with which a match of these parts can begin; None if it may be empty.
fn first_of(parts: &[Part]) -> Option<Box<Set>> {
    let mut found = Box::new([false; 256]);
    let mut add = |set: &Set| found.iter_mut().zip(set).for_each(|(is_in, also)| *is_in |= also);
    for part in parts {
        let (any, least) = match part {
            Part::Byte(set) => {
                add(set);
                return Some(found);
            }
            Part::Run(set, least, ..) => {
                add(set);
                if *least > 0 {
                    return Some(found);
                }
                continue;
            }
            Part::Group(any, _) => (any, 1),
            Part::Repeat(any, least, ..) => (any, *least),
            Part::Again(_) => return None,
            _ => continue,
        };
        let mut is_filled = least > 0;
        for branch in any {
            match &branch.first {
                Some(set) => add(set),
                None => {
                    // What an empty branch begins with is what follows, and what its own parts may begin with.
                    is_filled = false;
                    if !branch.parts.is_empty() {
                        return None;
                    }
                }
            }
        }
        if is_filled {
            return Some(found);
        }
    }
    None
}

/// The number of bytes of every match; None if it varies.
fn width(any: &[Branch]) -> Option<usize> {
    let mut widths = any.iter().map(|branch| {
        branch.parts.iter().try_fold(0, |sum, part| {
            Some(
                sum + match part {
                    Part::Byte(_) => 1,
                    Part::Group(any, _) => width(any)?,
                    Part::Run(_, least, most, _) if least == most => *least,
                    Part::Repeat(..) | Part::Run(..) | Part::Again(_) => return None,
                    _ => 0,
                },
            )
        })
    });
    let first = widths.next()??;
    widths.all(|width| width == Some(first)).then_some(first)
}

struct Place<'a> {
    text: &'a [u8],
    kept: [Cell<(usize, usize)>; GROUPS],
}

/// Where the first match of some alternatives ends.
fn first_end(any: &[Branch], place: &Place, at: usize) -> Option<usize> {
    let end = Cell::new(0);
    matches_any(any, place, at, &|stop| {
        end.set(stop);
        true
    })
    .then(|| end.get())
}

fn matches_any(any: &[Branch], place: &Place, at: usize, then: &dyn Fn(usize) -> bool) -> bool {
    any.iter().any(|branch| {
        let can_begin = match &branch.first {
            Some(first) => place.text.get(at).is_some_and(|byte| first[usize::from(*byte)]),
            None => true,
        };
        can_begin && matches(&branch.parts, place, at, then)
    })
}

/// Whether the parts match at a position, and `then` holds where they end.
fn matches(parts: &[Part], place: &Place, mut at: usize, then: &dyn Fn(usize) -> bool) -> bool {
    let text = place.text;
    for (number, part) in parts.iter().enumerate() {
        let rest = &parts[number + 1..];
        match part {
            Part::Byte(set) => {
                if !text.get(at).is_some_and(|byte| set[usize::from(*byte)]) {
                    return false;
                }
                at += 1;
            }
            Part::Run(set, least, most, greed) => {
                let room = text.len().saturating_sub(at).min(*most);
                if *greed == Greed::Lazy {
                    let mut count = 0;
                    loop {
                        if count >= *least && matches(rest, place, at + count, then) {
                            return true;
                        }
                        if count == room || !set[usize::from(text[at + count])] {
                            return false;
                        }
                        count += 1;
                    }
                }
                let count = text[at..at + room].iter().take_while(|byte| set[usize::from(**byte)]).count();
                if count < *least {
                    return false;
                }
                if *greed == Greed::Greedy && !rest.is_empty() {
                    return (*least..=count).rev().any(|count| matches(rest, place, at + count, then));
                }
                if *greed == Greed::Greedy {
                    return (*least..=count).rev().any(|count| then(at + count));
                }
                at += count;
            }
            Part::Group(any, kept) => {
                return matches_any(any, place, at, &|end| {
                    if let Some(kept) = kept {
                        place.kept[*kept].set((at, end));
                    }
                    matches(rest, place, end, then)
                });
            }
            Part::Repeat(any, least, most, Greed::Possessive) => {
                let mut count = 0;
                while count < *most {
                    match first_end(any, place, at) {
                        Some(end) if end > at => at = end,
                        Some(_) => {
                            count = count.max(*least);
                            break;
                        }
                        None => break,
                    }
                    count += 1;
                }
                if count < *least {
                    return false;
                }
            }
            Part::Repeat(any, least, most, greed) => {
                return repeats(any, (*least, *most), *greed, place, at, &|end| matches(rest, place, end, then));
            }
            Part::Again(kept) => {
                let (begin, end) = place.kept[*kept].get();
                if !text[at..].starts_with(&text[begin..end]) {
                    return false;
                }
                at += end - begin;
            }
            Part::Look { any, behind, is_wanted } => {
                let from = match behind {
                    Some(width) => at.checked_sub(*width),
                    None => Some(at),
                };
                if from.is_some_and(|from| first_end(any, place, from).is_some()) != *is_wanted {
                    return false;
                }
            }
            Part::LineStart if at == 0 || text[at - 1] == b'\n' => {}
            Part::LineEnd if at == text.len() || text[at] == b'\n' => {}
            Part::TextEnd if at == text.len() => {}
            Part::WordEdge => {
                if text[..at].last().is_some_and(is_word) == text.get(at).is_some_and(is_word) {
                    return false;
                }
            }
            Part::LineStart | Part::LineEnd | Part::TextEnd => return false,
        }
    }
    then(at)
}

fn repeats(
    any: &[Branch],
    (least, most): (usize, usize),
    greed: Greed,
    place: &Place,
    at: usize,
    then: &dyn Fn(usize) -> bool,
) -> bool {
    let once_more = || {
        most > 0
            && matches_any(any, place, at, &|end| {
                (end > at || least > 0)
                    && repeats(any, (least.saturating_sub(1), most.saturating_sub(1)), greed, place, end, then)
            })
    };
    if least > 0 {
        return once_more();
    }
    greed == Greed::Lazy && then(at) || once_more() || greed == Greed::Greedy && then(at)
}
