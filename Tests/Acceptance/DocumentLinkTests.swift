import Foundation
import Testing

/// The files and headings that the documents refer to exist.
@Suite struct DocumentLinkTests {
  @Test(arguments: Repository.documents)
  func everyRelativeLinkLeadsToAFile(document: String) throws {
    let folder = (document as NSString).deletingLastPathComponent
    for part in try Repository.text(of: document).components(separatedBy: "](").dropFirst() {
      let target = part.prefix { $0 != ")" && $0 != "#" }
      if target.isEmpty || target.contains("://") { continue }
      let file = Repository.root.appending(path: folder).appending(path: String(target))
      #expect(FileManager.default.fileExists(atPath: file.path), "\(document) refers to \(target)")
    }
  }

  @Test func everyDecisionIsListedOnceAndInOrder() throws {
    let listed = try Repository.text(of: "docs/decisions/README.md").components(separatedBy: "](").dropFirst()
      .map { "docs/decisions/" + $0.prefix { $0 != ")" } }
    let files = Repository.files(in: "docs/decisions", suffix: ".md").filter { !$0.hasSuffix("README.md") }
    #expect(Array(listed) == files)
  }
}
