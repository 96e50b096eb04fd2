impl Larder {
    pub fn len(&self) -> usize {
        self.jars.len()
    }

    pub fn is_empty(&self) -> bool {
        self.jars.is_empty()
    }

    pub fn get(&self, name: &str) -> Option<&Jar> {
        self.jars.get(name)
    }

    pub fn insert(&mut self, name: String, jar: Jar) -> Option<Jar> {
        self.jars.insert(name, jar)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Jar)> {
        self.jars.iter()
    }
}
