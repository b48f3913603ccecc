import Foundation
import Testing

/// The index of the vectors has a line for each file, and none for others.
@Suite struct VectorIndexTests {
  @Test func everyVectorFileHasALine() throws {
    let folder = "Tests/Vectors"
    let files = Repository.files(in: folder, suffix: ".json") + Repository.files(in: folder, suffix: ".jsonl")
    let names = Set(files.map(Self.nameInIndex))
    let lines = try Repository.text(of: folder + "/README.md").textLines
    let indexed = lines.filter { $0.hasPrefix("| `") }.map { String($0.dropFirst(3).prefix { $0 != "`" }) }
    #expect(indexed == names.sorted())
  }

  /// Those of a folder below have one line together.
  private static func nameInIndex(_ path: String) -> String {
    let parts = path.split(separator: "/").dropFirst(2)
    guard parts.count > 1, let folder = parts.first else { return parts.joined() }
    return "\(folder)/*." + (path.split(separator: ".").last ?? "")
  }
}
