extension Snail: Equatable, Hashable, Comparable, CustomStringConvertible {
    static func == (lhs: Snail, rhs: Snail) -> Bool {
        return lhs.id == rhs.id && lhs.color == rhs.color
    }

    static func < (lhs: Snail, rhs: Snail) -> Bool {
        return lhs.id < rhs.id
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(color)
    }

    var description: String {
        return "Snail(id: \(id), color: \(color))"
    }
}
