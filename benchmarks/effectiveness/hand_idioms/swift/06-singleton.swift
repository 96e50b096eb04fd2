final class PlaylistStore {
    static let shared = PlaylistStore()

    private let defaults = UserDefaults.standard
    private let key = "playlists"

    private init() {}

    var playlists: [String] {
        get {
            return defaults.stringArray(forKey: key) ?? []
        }
        set {
            defaults.set(newValue, forKey: key)
        }
    }
}
