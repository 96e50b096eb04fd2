//! Writes JSON.

use std::fmt::Write;

/// A text of JSON in the making.
#[derive(Default)]
pub struct Json(String);

impl Json {
    /// Writes an object; `fill` writes its fields.
    pub fn object(&mut self, fill: impl FnOnce(&mut Self)) {
        self.separate();
        self.0.push('{');
        fill(self);
        self.0.push('}');
    }

    /// Writes an array; `write` writes each of the items.
    pub fn array<Item>(&mut self, items: impl IntoIterator<Item = Item>, mut write: impl FnMut(&mut Self, Item)) {
        self.separate();
        self.0.push('[');
        for item in items {
            write(self, item);
        }
        self.0.push(']');
    }

    /// Writes the name of a field, which needs no escapes. The value comes next.
    pub fn name(&mut self, name: &str) -> &mut Self {
        self.separate();
        let _ = write!(self.0, "\"{name}\":");
        self
    }

    /// Writes a text that needs no escapes.
    pub fn text(&mut self, text: &str) {
        self.separate();
        let _ = write!(self.0, "\"{text}\"");
    }

    /// Writes a whole number, a truth value or null.
    pub fn value(&mut self, value: impl std::fmt::Display) {
        self.separate();
        let _ = write!(self.0, "{value}");
    }

    /// Writes a number, rounded as Python's `round` does.
    pub fn rounded(&mut self, value: f64, digits: usize) {
        self.value(format_args!("{value:.digits$}"));
    }

    fn separate(&mut self) {
        if !matches!(self.0.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.0.push(',');
        }
    }

    pub fn finished(self) -> String {
        self.0
    }
}
