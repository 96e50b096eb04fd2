#[derive(Debug, Clone, PartialEq)]
pub struct Windmill {
    name: String,
    blades: u32,
    height: f64,
}

impl Windmill {
    pub fn new(name: &str, blades: u32, height: f64) -> Self {
        Self {
            name: name.to_string(),
            blades,
            height,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn blades(&self) -> u32 {
        self.blades
    }
}
