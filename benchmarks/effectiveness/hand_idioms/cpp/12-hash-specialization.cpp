namespace std {
template <>
struct hash<Tile> {
    std::size_t operator()(const Tile& tile) const noexcept {
        std::size_t h1 = std::hash<int>()(tile.row);
        std::size_t h2 = std::hash<int>()(tile.column);
        return h1 ^ (h2 << 1);
    }
};
}  // namespace std

struct TileEqual {
    bool operator()(const Tile& a, const Tile& b) const {
        return a.row == b.row && a.column == b.column;
    }
};
