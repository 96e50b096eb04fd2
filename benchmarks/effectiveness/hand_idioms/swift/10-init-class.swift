class Violin {
    let maker: String
    let year: Int
    private(set) var strings: [String]
    weak var owner: Musician?

    init(maker: String, year: Int, strings: [String] = [], owner: Musician? = nil) {
        self.maker = maker
        self.year = year
        self.strings = strings
        self.owner = owner
    }

    convenience init(maker: String) {
        self.init(maker: maker, year: 2000)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }
}
