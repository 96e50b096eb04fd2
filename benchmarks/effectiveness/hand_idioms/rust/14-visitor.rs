pub trait Visitor {
    type Output;

    fn visit_note(&mut self, note: &Note) -> Self::Output;
    fn visit_rest(&mut self, rest: &Rest) -> Self::Output;
    fn visit_chord(&mut self, chord: &Chord) -> Self::Output;
}

impl Symbol {
    pub fn accept<V: Visitor>(&self, visitor: &mut V) -> V::Output {
        match self {
            Symbol::Note(note) => visitor.visit_note(note),
            Symbol::Rest(rest) => visitor.visit_rest(rest),
            Symbol::Chord(chord) => visitor.visit_chord(chord),
        }
    }
}
