//! Requests and answers as bytes. Numbers are little-endian, of 4 bytes, or of 8 if they are wide. A flag is one byte. A
//! list has its length before its values.

pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(message: &'a [u8]) -> Self {
        Self(message)
    }

    pub fn number(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn size(&mut self) -> Option<usize> {
        self.number().map(|number| number as usize)
    }

    pub fn wide(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn flag(&mut self) -> Option<bool> {
        self.array().map(|[byte]| byte != 0)
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.size()?;
        self.taken(length)
    }

    pub fn numbers(&mut self) -> Option<Vec<u32>> {
        self.values(u32::from_le_bytes)
    }

    pub fn wides(&mut self) -> Option<Vec<u64>> {
        self.values(u64::from_le_bytes)
    }

    pub fn list<Value>(&mut self, mut value: impl FnMut(&mut Self) -> Option<Value>) -> Option<Vec<Value>> {
        (0..self.size()?).map(|_| value(self)).collect()
    }

    /// A value behind a flag that says whether it is there.
    pub fn option<Value>(&mut self, value: impl FnOnce(&mut Self) -> Option<Value>) -> Option<Option<Value>> {
        if self.flag()? { value(self).map(Some) } else { Some(None) }
    }

    fn values<Value, const SIZE: usize>(&mut self, value: impl Fn([u8; SIZE]) -> Value) -> Option<Vec<Value>> {
        let length = self.size()?.checked_mul(SIZE)?;
        let chunks = self.taken(length)?.chunks_exact(SIZE);
        Some(chunks.map(|chunk| value(std::array::from_fn(|at| chunk[at]))).collect())
    }

    fn array<const SIZE: usize>(&mut self) -> Option<[u8; SIZE]> {
        let (&value, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(value)
    }

    fn taken(&mut self, length: usize) -> Option<&'a [u8]> {
        let (part, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(part)
    }
}

#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    pub fn number(&mut self, value: usize) {
        self.0.extend_from_slice(&(value as u32).to_le_bytes());
    }

    pub fn wide(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub fn flag(&mut self, value: bool) {
        self.0.push(u8::from(value));
    }

    pub fn bytes(&mut self, value: &[u8]) {
        self.number(value.len());
        self.0.extend_from_slice(value);
    }

    pub fn numbers(&mut self, values: &[u32]) {
        self.number(values.len());
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    pub fn wides(&mut self, values: &[u64]) {
        self.number(values.len());
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
