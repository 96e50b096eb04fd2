impl PartialEq for Runner {
    fn eq(&self, other: &Self) -> bool {
        self.time == other.time
    }
}

impl Eq for Runner {}

impl PartialOrd for Runner {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Runner {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.cmp(&other.time)
    }
}
