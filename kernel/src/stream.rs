//! The token stream of a content: the tokens of its segments in order with their lines; its stored form; its terms.

use crate::hashing;
use crate::kgrams::{Distances, Scheme, Segment, Writing};
use crate::numbering::{KeyTable, Numbered, Numbering};
use crate::tokens::{NAME, Tokens};
use crate::winnowing::OpenClosed;
use crate::words::{self, Words};

/// The tokens of a content in order; positions are those in the content.
#[derive(Default)]
pub struct Stream {
    pub codes: Vec<u64>,
    pub classes: Vec<u8>,
    pub starts: Vec<u32>,
    pub ends: Vec<u32>,
    pub start_lines: Vec<u32>,
    pub end_lines: Vec<u32>,
    /// The token at which each segment begins, and in `owners` the part that it belongs to.
    pub segments: Vec<u32>,
    pub owners: Vec<u32>,
}

impl Stream {
    /// Makes one stream from the parts of a content. `newlines` are the positions of its line feeds.
    pub fn new(parts: Vec<Tokens>, newlines: &[u32]) -> Self {
        let mut filled: Vec<(u32, Tokens)> = (0..).zip(parts).filter(|(_, part)| !part.starts.is_empty()).collect();
        let mut stream = Self::default();
        if let (1, Some((owner, part))) = (filled.len(), filled.first_mut()) {
            let (owner, part) = (*owner, std::mem::take(part));
            stream.segments.push(0);
            stream.owners.push(owner);
            (stream.codes, stream.classes, stream.starts, stream.ends) =
                (part.codes, part.classes, part.starts, part.ends);
        } else {
            stream.join(&filled);
        }
        (stream.start_lines, stream.end_lines) = (lines(newlines, &stream.starts, 0), lines(newlines, &stream.ends, 1));
        stream
    }

    /// Adds texts behind the stream, each as a segment that belongs to no part.
    pub fn add(&mut self, texts: Vec<Tokens>, newlines: &[u32]) {
        for text in texts {
            self.segments.push(self.len() as u32);
            self.owners.push(u32::MAX);
            self.start_lines.append(&mut lines(newlines, &text.starts, 0));
            self.end_lines.append(&mut lines(newlines, &text.ends, 1));
            self.starts.extend(text.starts);
            self.ends.extend(text.ends);
            self.classes.extend(text.classes);
            self.codes.extend(text.codes);
        }
    }

    fn join(&mut self, parts: &[(u32, Tokens)]) {
        let mut order: Vec<(u32, u32, u32)> = Vec::new(); // start, part, token in the part
        for (number, (_, part)) in (0..).zip(parts) {
            order.extend((0..).zip(&part.starts).map(|(at, &start)| (start, number, at)));
        }
        // A stable sort keeps tokens with equal starts in the order of their parts.
        order.sort_by_key(|&(start, _, _)| start);
        let mut last = None;
        for (at, &(start, number, token)) in (0..).zip(&order) {
            let (owner, part) = &parts[number as usize];
            let token = token as usize;
            if last != Some(number) {
                self.segments.push(at);
                self.owners.push(*owner);
                last = Some(number);
            }
            self.starts.push(start);
            self.ends.push(part.ends[token]);
            self.classes.push(part.classes[token]);
            self.codes.push(part.codes[token]);
        }
    }

    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// The token spans of the segments.
    pub fn spans(&self) -> impl Iterator<Item = (usize, usize)> {
        let ends = self.segments.iter().skip(1).map(|&begin| begin as usize).chain([self.len()]);
        self.segments.iter().map(|&begin| begin as usize).zip(ends)
    }
}

/// The line, from 1, of each position minus `back`, given the positions of the line feeds.
fn lines(newlines: &[u32], positions: &[u32], back: u32) -> Vec<u32> {
    let mut line = 0;
    let before = |at: u32| newlines.partition_point(|&newline| newline < at);
    let mut last = 0;
    positions
        .iter()
        .map(|&position| {
            let at = position - back;
            if at < last {
                line = before(at); // a token of HTML may contain those of a script
            } else {
                // Most tokens are on the line of the token before, or on the next line.
                let mut steps = 0;
                while newlines.get(line).is_some_and(|&newline| newline < at) {
                    line += 1;
                    steps += 1;
                    if steps == 16 {
                        line = before(at);
                        break;
                    }
                }
            }
            last = at;
            line as u32 + 1
        })
        .collect()
}

/// The stored form of a stream, as `tokens.encode` describes it, not yet compressed and without the languages.
pub struct Planes {
    pub symbols: usize,
    pub gaps: usize,
    /// The codes of the distinct symbols, five bytes each.
    pub codes: Vec<u8>,
    pub planes: Vec<u8>,
    /// The words of the symbols (`Words::stored`).
    pub words: Vec<u8>,
}

const CODE_BYTES: usize = 5;

/// What can differ between symbols of one code: the class, the length in bytes and the number of line breaks.
type Attributes = (u8, u32, u32);

/// Numbers the symbols of a stream by first appearance.
pub fn symbols(stream: &Stream) -> Numbering<Attributes> {
    let mut symbols = Numbering::new(stream.len());
    for at in 0..stream.len() {
        let length = stream.ends[at].wrapping_sub(stream.starts[at]);
        let breaks = stream.end_lines[at].wrapping_sub(stream.start_lines[at]);
        symbols.add(stream.codes[at], (stream.classes[at], length, breaks));
    }
    symbols
}

/// The words of the symbols of a stream.
pub fn words(stream: &Stream, symbols: &Numbered<Attributes>, content: &[u8], rules: &words::Rules) -> Words {
    let mut firsts = vec![0; symbols.rows.len()];
    for (at, &number) in symbols.numbers.iter().enumerate().rev() {
        firsts[number as usize] = at;
    }
    rules.of_symbols(firsts.into_iter().zip(&symbols.rows).map(|(first, &(code, (class, ..), _))| {
        let text = content.get(stream.starts[first] as usize..stream.ends[first] as usize);
        (code, class, text.unwrap_or_default())
    }))
}

/// `words` has the words of the symbols as they are numbered now.
pub fn planes(stream: &Stream, symbols: Numbering<Attributes>, words: Option<&Words>) -> Planes {
    let count = stream.len();
    let numbers = symbols.numbered.numbers.clone();
    let mut gaps = Numbering::new(count);
    let (mut end, mut end_line) = (0, 1);
    for at in 0..count {
        let (gap, gap_breaks) = (i64::from(stream.starts[at]) - end, i64::from(stream.start_lines[at]) - end_line);
        gaps.add(((gap << 24) ^ gap_breaks) as u64, (gap as i32, gap_breaks as i32));
        (end, end_line) = (i64::from(stream.ends[at]), i64::from(stream.end_lines[at]));
    }
    let symbols = symbols.by_frequency(|code| code);
    let gaps = gaps.by_frequency(|key| key as i64);
    let mut codes = Vec::with_capacity(symbols.rows.len() * CODE_BYTES);
    for (code, ..) in &symbols.rows {
        codes.extend_from_slice(&code.to_le_bytes()[..CODE_BYTES]);
    }
    let rows = symbols.rows.len() * 9 + gaps.rows.len() * 8;
    let mut planes = Vec::with_capacity(rows + count * 4 + stream.segments.len() * 4);
    planes.extend(symbols.rows.iter().map(|&(_, (class, ..), _)| class));
    add_table(symbols.rows.iter().map(|&(_, (_, length, _), _)| length), &mut planes);
    add_table(symbols.rows.iter().map(|&(_, (.., breaks), _)| breaks), &mut planes);
    add_table(gaps.rows.iter().map(|&(_, (gap, _), _)| gap as u32), &mut planes);
    add_table(gaps.rows.iter().map(|&(_, (_, breaks), _)| breaks as u32), &mut planes);
    add_numbers(&symbols.numbers, symbols.rows.len(), &mut planes);
    let gap_of: Vec<u32> =
        by_neighbors(&symbols.numbers, symbols.rows.len()).iter().map(|&at| gaps.numbers[at as usize]).collect();
    add_numbers(&gap_of, gaps.rows.len(), &mut planes);
    add_table(stream.segments.iter().copied(), &mut planes);
    let mut before = vec![0; symbols.rows.len()];
    for (&now, &then) in symbols.numbers.iter().zip(&numbers) {
        before[now as usize] = then as usize;
    }
    let rows = symbols.rows.iter().map(|&(code, ..)| code).zip(before);
    let words = words.map_or_else(Vec::new, |words| words.stored(rows));
    Planes { symbols: symbols.rows.len(), gaps: gaps.rows.len(), codes, planes, words }
}

/// Adds values in planes: first the lowest bytes of all values, then the next bytes, and so on.
fn add_table(values: impl Iterator<Item = u32> + Clone, planes: &mut Vec<u8>) {
    for place in 0..4 {
        planes.extend(values.clone().map(|value| (value >> (8 * place)) as u8));
    }
}

/// Adds numbers of rows in as many planes as numbers below `rows` need.
fn add_numbers(numbers: &[u32], rows: usize, planes: &mut Vec<u8>) {
    let width = match rows {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 3,
    };
    for place in 0..width {
        planes.extend(numbers.iter().map(|number| (number >> (8 * place)) as u8));
    }
}

/// The tokens sorted by the number of the symbol before them (0 for the first token), then by the number of their own
/// symbol; ties stay in order.
pub fn by_neighbors(numbers: &[u32], rows: usize) -> Vec<u32> {
    let mut before = numbers.to_vec();
    before.rotate_right(1.min(numbers.len()));
    before.iter_mut().take(1).for_each(|first| *first = 0);
    sorted_by(sorted_by(0..numbers.len() as u32, numbers, rows), &before, rows)
}

/// Sorts tokens by their numbers, which are below `rows`. The sort is stable.
fn sorted_by(tokens: impl IntoIterator<Item = u32>, numbers: &[u32], rows: usize) -> Vec<u32> {
    let mut places = vec![0; rows + 1];
    for &number in numbers {
        places[number as usize + 1] += 1;
    }
    for row in 0..rows {
        places[row + 1] += places[row];
    }
    let mut order = vec![0; numbers.len()];
    for token in tokens {
        let place: &mut u32 = &mut places[numbers[token as usize] as usize];
        order[*place as usize] = token;
        *place += 1;
    }
    order
}

/// The distinct terms of a stream under each scheme, ascending; None if the stream has no k-gram for the scheme.
pub fn terms(
    stream: &Stream,
    symbols: &Numbered<Attributes>,
    schemes: &[Scheme],
    writing: &Writing,
) -> Vec<Option<Vec<u64>>> {
    let names = Names::new(stream, symbols, writing);
    let (mut sampler, mut kept) = (OpenClosed::default(), Vec::new());
    schemes
        .iter()
        .map(|scheme| {
            kept.clear();
            let mut has_kgrams = false;
            for (begin, end) in stream.spans() {
                let segment = names.segment(stream, begin, end);
                has_kgrams |= sampler.sample(&segment, scheme, writing, |_, hash| kept.push(hash));
            }
            has_kgrams.then(|| hashing::terms(&kept, scheme.bits))
        })
        .collect()
}

/// The facts about the names of a stream that `renamed` and `p_match` need.
struct Names {
    is_kept: Vec<bool>,
    all: (Vec<u8>, Vec<u8>),
    renamed: (Vec<u8>, Vec<u8>),
}

impl Names {
    fn new(stream: &Stream, symbols: &Numbered<Attributes>, writing: &Writing) -> Self {
        let count = stream.len();
        let mut names = Self {
            is_kept: vec![false; count],
            all: (vec![0; count], vec![0; count]),
            renamed: (vec![0; count], vec![0; count]),
        };
        let rows = Rows::new(symbols, writing);
        // For each code: its last position so far plus one, among all names and among those in `renamed`.
        let mut places = vec![[0; 2]; symbols.rows.len()];
        for (begin, end) in stream.spans() {
            let numbers = &symbols.numbers[begin..end];
            for (at, &number) in numbers.iter().enumerate() {
                if stream.classes[begin + at] != NAME {
                    continue;
                }
                let is_member = at > 0 && rows.is_member_mark[numbers[at - 1] as usize];
                let is_kept = is_member || numbers.get(at + 1).is_some_and(|&next| rows.is_call_mark[next as usize]);
                names.is_kept[begin + at] = is_kept;
                let [of_all, of_renamed] = &mut places[rows.first[number as usize] as usize];
                note(of_all, begin, begin + at, &mut names.all);
                if !is_kept {
                    note(of_renamed, begin, begin + at, &mut names.renamed);
                }
            }
        }
        names
    }

    fn segment<'a>(&'a self, stream: &'a Stream, begin: usize, end: usize) -> Segment<'a> {
        let distances = |(forward, back): &'a (Vec<u8>, Vec<u8>)| Distances {
            forward: &forward[begin..end],
            back: &back[begin..end],
        };
        Segment {
            codes: &stream.codes[begin..end],
            classes: &stream.classes[begin..end],
            all: distances(&self.all),
            renamed: distances(&self.renamed),
            is_kept: &self.is_kept[begin..end],
        }
    }
}

/// The properties of symbols, by number.
struct Rows {
    is_member_mark: Vec<bool>,
    is_call_mark: Vec<bool>,
    /// The lowest number of a symbol with the same code.
    first: Vec<u32>,
}

impl Rows {
    fn new(symbols: &Numbered<Attributes>, writing: &Writing) -> Self {
        let rows = &symbols.rows;
        let mut firsts = KeyTable::new(rows.len());
        Self {
            is_member_mark: rows.iter().map(|(code, ..)| writing.member_marks.contains(code)).collect(),
            is_call_mark: rows.iter().map(|&(code, ..)| code == writing.call_mark).collect(),
            first: (0..).zip(rows).map(|(number, &(code, ..))| *firsts.value(code, number)).collect(),
        }
    }
}

/// Notes the distance of a name from its last occurrence, if that is in the same segment and within 255 tokens.
#[inline]
pub fn note(behind_last: &mut u32, begin: usize, at: usize, (forward, back): &mut (Vec<u8>, Vec<u8>)) {
    let behind = *behind_last as usize;
    if behind > begin {
        if let Ok(distance) = u8::try_from(at + 1 - behind) {
            forward[behind - 1] = distance;
            back[at] = distance;
        }
    }
    *behind_last = at as u32 + 1;
}
