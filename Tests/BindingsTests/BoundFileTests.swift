@testable import Bindings
import Foundation
@testable import Store
import SyncCore
import Testing
import TestSupport

/// What is written to the file of an app.
@Suite struct BoundFileTests {
  private let folder: TemporaryFolder
  private let store: ChangeStore

  init() throws {
    folder = try TemporaryFolder()
    store = try ChangeStore(folder.path("store.db"), creating: true, wait: .zero)
  }

  private func arrival(_ id: String, _ title: String) -> ChangeStore.Arrival {
    let line = #"{"entityName":"t","identity":{"id":\#(id)},"modifiedAt":"2025-05-01T00:00:00Z","#
    return ChangeStore.Arrival(
      key: Array(#"["t",{"id":\#(id)}]"#.utf8),
      line: Array((line + #""fields":{"id":\#(id),"title":"\#(title)"}}"#).utf8), isTombstone: false)
  }

  private func write(_ arrivals: [ChangeStore.Arrival], to file: BoundFile) throws -> Delivery {
    try file.write(since: nil, now: .epoch, in: store) { _ in
      arrivals
    } settling: { _ in
    }
  }

  /// The later of two lines with one key would count as an edit of the earlier one, and this as deleted.
  @Test func twoLinesWithOneKeyAreNotWritten() throws {
    let path = try folder.write("id,title\n", to: "t.csv")
    let file = BoundFile(Binding(entity: "t", source: path), wait: .zero)
    #expect(throws: BindingError.self) {
      try write([arrival("1", "a"), arrival(#""1""#, "b")], to: file)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "id,title\n")
    #expect(try write([arrival("1", "a")], to: file).written == 1)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "id,title\n1,a\n")
  }
}
