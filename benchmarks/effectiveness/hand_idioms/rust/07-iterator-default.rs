impl Default for Hive {
    fn default() -> Self {
        Self::new()
    }
}

impl IntoIterator for Hive {
    type Item = Bee;
    type IntoIter = std::vec::IntoIter<Bee>;

    fn into_iter(self) -> Self::IntoIter {
        self.bees.into_iter()
    }
}

impl Deref for Hive {
    type Target = Vec<Bee>;

    fn deref(&self) -> &Self::Target {
        &self.bees
    }
}
