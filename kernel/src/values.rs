//! The values of literals, as `wherefrom/analyzers/parsing.py` defines them.

use std::borrow::Cow;

/// A way to write strings; `languages.language.Quote` says what the fields mean.
pub struct Quote {
    pub mark: Vec<u8>,
    pub escapes: Vec<u8>,
    pub same: Vec<u8>,
}

/// How the strings of a language are written; `languages.language.Spelling` says what the fields mean.
pub struct Spelling {
    pub quotes: Vec<Quote>,
    pub plain: Vec<u8>,
    pub raw: Vec<u8>,
    pub prefixes: Vec<u8>,
    /// The letters that have a meaning after a backslash, and in the same order the byte that each means.
    pub letters: (Vec<u8>, Vec<u8>),
}

/// A number in lower case, without digit separators, zeros at the end of its fraction or a plus in its exponent.
pub fn number(text: &[u8]) -> Cow<'_, [u8]> {
    if text.iter().all(u8::is_ascii_digit) {
        return Cow::Borrowed(text);
    }
    let text: Vec<u8> = text.iter().filter(|byte| !matches!(byte, b'_' | b'\'')).map(u8::to_ascii_lowercase).collect();
    if matches!(text.get(..2), Some(b"0x" | b"0b" | b"0o")) {
        return Cow::Owned(text);
    }
    let mut value = Vec::with_capacity(text.len() + 1);
    for (at, &byte) in text.iter().enumerate() {
        if byte != b'+' || at == 0 || text[at - 1] != b'e' {
            value.push(byte);
        }
    }
    let digits = |from: usize| value[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(value.first(), Some(b'-' | b'+')));
    let point = sign + digits(sign);
    if value.get(point) != Some(&b'.') {
        return Cow::Owned(value);
    }
    let end = point + 1 + digits(point + 1);
    let fraction = value[point + 1..end].iter().rposition(|&byte| byte != b'0').map_or(0, |last| last + 1);
    value.drain(point + 1 + fraction..end);
    if point == sign {
        value.insert(sign, b'0');
    }
    Cow::Owned(value)
}

impl Spelling {
    /// A string, or a piece of a string with code in it, with its quotation marks replaced by the `same` of its quote.
    /// A text without a known quotation mark at either end stays as it is. A mark alone becomes empty.
    pub fn string<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let begin = text.iter().position(|byte| !self.prefixes.contains(byte)).unwrap_or(text.len());
        let opening = self.quotes.iter().find(|quote| text[begin..].starts_with(&quote.mark));
        let (prefix, begin) = opening.map_or((&text[..0], 0), |quote| (&text[..begin], begin + quote.mark.len()));
        let hashes = prefix.iter().filter(|&&byte| byte == b'#').count();
        let has_hashes = text.len() >= hashes && text[text.len() - hashes..].iter().all(|&byte| byte == b'#');
        let end = if has_hashes { text.len() - hashes } else { text.len() };
        let closes = |quote: &&Quote| begin + quote.mark.len() <= end && text[..end].ends_with(&quote.mark);
        let closing = match opening {
            Some(quote) => Some(quote).filter(closes),
            None => self.quotes.iter().find(closes),
        };
        let Some(quote) = opening.or(closing) else { return Cow::Borrowed(text) };
        let content = if closing.is_some() { &text[begin..end - quote.mark.len()] } else { &text[begin..] };
        if content.is_empty() && !(opening.is_some() && closing.is_some()) {
            return Cow::Borrowed(&[]);
        }
        let is_raw = prefix.iter().any(|byte| self.raw.contains(byte));
        let has_escapes = !quote.escapes.is_empty() && !is_raw && content.contains(&b'\\');
        let has_lines = quote.mark.len() > 1;
        if prefix.is_empty()
            && opening.is_some()
            && closing.is_some()
            && !has_escapes
            && !has_lines
            && quote.mark == quote.same
        {
            return Cow::Borrowed(text);
        }
        let content =
            if has_escapes { Cow::Owned(self.unescaped(content, &quote.escapes)) } else { Cow::Borrowed(content) };
        let mut value: Vec<u8> = prefix
            .iter()
            .copied()
            .filter(|byte| !self.plain.contains(byte) && !self.raw.contains(byte))
            .chain(quote.same.iter().copied())
            .collect();
        if has_lines {
            add_lines(&content, &mut value);
        } else {
            value.extend_from_slice(&content);
        }
        value.extend_from_slice(&quote.same);
        Cow::Owned(value)
    }

    /// The content, with escapes replaced by what they mean if the byte after the backslash is in `escapes`.
    fn unescaped(&self, content: &[u8], escapes: &[u8]) -> Vec<u8> {
        let mut value = Vec::with_capacity(content.len());
        let mut rest = content;
        while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
            value.extend_from_slice(&rest[..at]);
            rest = &rest[at..];
            let Some(&first) = rest.get(1) else { break };
            let (length, meaning) = escape(rest);
            if !escapes.contains(&first) {
                value.extend_from_slice(&rest[..length]);
            } else if let Some(character) = meaning {
                add_character(character, &rest[..length], &mut value);
            } else if let Some(letter) = self.letters.0.iter().position(|&letter| letter == first) {
                value.push(self.letters.1[letter]);
            } else if first != b'\n' {
                value.push(first);
            }
            rest = &rest[length..];
        }
        value.extend_from_slice(rest);
        value
    }
}

/// The length of the escape at the beginning of a text, and its character if it is numeric.
fn escape(text: &[u8]) -> (usize, Option<u32>) {
    let hex = |from: usize, most: usize| {
        text[from.min(text.len())..].iter().take(most).take_while(|byte| byte.is_ascii_hexdigit()).count()
    };
    let number = |from: usize, count: usize, radix: u32| {
        text[from..from + count]
            .iter()
            .fold(0, |value, &digit| value * radix + char::from(digit).to_digit(radix).unwrap_or(0))
    };
    match text[1] {
        b'x' if hex(2, 2) > 0 => (2 + hex(2, 2), Some(number(2, hex(2, 2), 16))),
        b'u' if hex(2, 4) == 4 => (6, Some(number(2, 4, 16))),
        b'u' if text.get(2) == Some(&b'{') && hex(3, 6) > 0 && text.get(3 + hex(3, 6)) == Some(&b'}') => {
            (4 + hex(3, 6), Some(number(3, hex(3, 6), 16)))
        }
        b'U' if hex(2, 8) == 8 => (10, Some(number(2, 8, 16))),
        b'0'..=b'7' => {
            let count = text[1..].iter().take(3).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
            (1 + count, Some(number(1, count, 8)))
        }
        _ => (2, None),
    }
}

/// Adds a character in UTF-8, even half of a surrogate pair. Adds the escape as written if no character has its number.
fn add_character(character: u32, written: &[u8], value: &mut Vec<u8>) {
    if let Some(character) = char::from_u32(character) {
        value.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    } else if character <= 0xffff {
        value.extend([
            0xe0 | (character >> 12) as u8,
            0x80 | (character >> 6 & 0x3f) as u8,
            0x80 | (character & 0x3f) as u8,
        ]);
    } else {
        value.extend_from_slice(written);
    }
}

/// Adds lines without their indentation, and without the white space around all of them.
fn add_lines(content: &[u8], value: &mut Vec<u8>) {
    let begin = value.len();
    let mut is_line_start = false;
    for &byte in content {
        if byte == b'\n' {
            if !is_line_start {
                value.push(byte);
            }
            is_line_start = true;
        } else if !is_line_start || byte > 0x20 {
            value.push(byte);
            is_line_start = false;
        }
    }
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
    let filled = value[begin..].iter().position(|byte| !is_blank(byte)).unwrap_or(value.len() - begin);
    value.drain(begin..begin + filled);
    let end = value[begin..].iter().rposition(|byte| !is_blank(byte)).map_or(begin, |last| begin + last + 1);
    value.truncate(end);
}
