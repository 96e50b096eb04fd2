import Foundation

struct Lodge: Codable, Identifiable {
    let id: Int
    let name: String
    let beds: Int
    let imageURL: URL?
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case beds
        case imageURL = "image_url"
        case createdAt = "created_at"
    }
}
