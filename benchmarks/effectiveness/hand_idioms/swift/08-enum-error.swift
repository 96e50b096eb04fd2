enum BrewError: Error {
    case noWater
    case tooHot(Double)
    case unknown
}

extension BrewError: LocalizedError {
    var errorDescription: String? {
        switch self {
        case .noWater:
            return "There is no water."
        case .tooHot(let temperature):
            return "The water is too hot: \(temperature)"
        case .unknown:
            return "An unknown error occurred."
        }
    }
}
