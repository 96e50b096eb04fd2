#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_shelf_is_empty() {
        let shelf = Shelf::new();
        assert!(shelf.is_empty());
        assert_eq!(shelf.len(), 0);
    }

    #[test]
    fn push_increases_len() {
        let mut shelf = Shelf::new();
        shelf.push("jam");
        assert_eq!(shelf.len(), 1);
        assert_eq!(shelf.get(0), Some(&"jam"));
    }

    #[test]
    #[should_panic]
    fn remove_out_of_bounds_panics() {
        Shelf::new().remove(3);
    }
}
