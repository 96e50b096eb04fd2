import XCTest
@testable import Pantry

class ShelfTests: XCTestCase {
    var shelf: Shelf!

    override func setUp() {
        super.setUp()
        shelf = Shelf()
    }

    override func tearDown() {
        shelf = nil
        super.tearDown()
    }

    func testAddIncreasesCount() {
        shelf.add("flour")
        XCTAssertEqual(shelf.count, 1)
        XCTAssertFalse(shelf.isEmpty)
    }
}
