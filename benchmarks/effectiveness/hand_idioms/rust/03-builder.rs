#[derive(Default)]
pub struct PicnicBuilder {
    place: Option<String>,
    guests: Option<usize>,
}

impl PicnicBuilder {
    pub fn place(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    pub fn guests(mut self, guests: usize) -> Self {
        self.guests = Some(guests);
        self
    }

    pub fn build(self) -> Result<Picnic, String> {
        Ok(Picnic {
            place: self.place.ok_or("place is required")?,
            guests: self.guests.unwrap_or(1),
        })
    }
}
