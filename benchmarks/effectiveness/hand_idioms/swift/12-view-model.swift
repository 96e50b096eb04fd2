class MarketViewModel: ObservableObject {
    @Published var stalls: [Stall] = []
    @Published var isLoading = false
    @Published var errorMessage: String?

    private let service: MarketService

    init(service: MarketService = MarketService()) {
        self.service = service
    }

    @MainActor
    func load() async {
        isLoading = true
        defer { isLoading = false }
        do {
            stalls = try await service.fetchStalls()
        } catch {
            errorMessage = error.localizedDescription
        }
    }
}
