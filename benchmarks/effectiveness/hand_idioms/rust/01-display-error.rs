#[derive(Debug)]
pub enum GardenError {
    Io(io::Error),
    Parse(ParseIntError),
    NotFound(String),
}

impl fmt::Display for GardenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GardenError::Io(e) => write!(f, "io error: {}", e),
            GardenError::Parse(e) => write!(f, "parse error: {}", e),
            GardenError::NotFound(name) => write!(f, "not found: {}", name),
        }
    }
}

impl std::error::Error for GardenError {}

impl From<io::Error> for GardenError {
    fn from(e: io::Error) -> Self {
        GardenError::Io(e)
    }
}
