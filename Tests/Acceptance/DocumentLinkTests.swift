import Foundation
import Testing

/// The files and headings that the documents refer to exist.
@Suite struct DocumentLinkTests {
  private static let documents = Repository.documents + ["CHANGELOG.md", "Tests/Vectors/README.md"]

  @Test(arguments: documents)
  func everyRelativeLinkLeadsToAFileAndAHeading(document: String) throws {
    let folder = (document as NSString).deletingLastPathComponent
    for part in try Repository.text(of: document).components(separatedBy: "](").dropFirst() {
      let link = part.prefix { $0 != ")" }
      if link.contains("://") { continue }
      let target = link.prefix { $0 != "#" }
      let file = Repository.root.appending(path: folder).appending(path: String(target))
      #expect(
        target.isEmpty || FileManager.default.fileExists(atPath: file.path), "\(document) refers to \(target)"
      )
      guard let hash = link.firstIndex(of: "#"), target.isEmpty || target.hasSuffix(".md") else { continue }
      let text =
        try target.isEmpty ? Repository.text(of: document) : String(contentsOf: file, encoding: .utf8)
      let heading = String(link[hash...].dropFirst())
      #expect(Self.anchors(of: text).contains(heading), "\(document) refers to \(link)")
    }
  }

  /// The anchors of a document's headings, by the rule of GitHub.
  private static func anchors(of document: String) -> Set<String> {
    var (anchors, isInBlock): (Set<String>, Bool) = ([], false)
    for line in document.split(separator: "\n") {
      if line.hasPrefix("```") { isInBlock.toggle() }
      guard !isInBlock, line.hasPrefix("#"), let space = line.firstIndex(of: " ") else { continue }
      let kept = line[space...].dropFirst().lowercased().filter {
        $0.isLetter || $0.isNumber || " -_".contains($0)
      }
      let anchor = kept.replacingOccurrences(of: " ", with: "-")
      let another = (1...).lazy.map { "\(anchor)-\($0)" }.first { !anchors.contains($0) }!
      anchors.insert(anchors.contains(anchor) ? another : anchor)
    }
    return anchors
  }

  @Test func everyDecisionIsListedOnceAndInOrder() throws {
    let listed = try Repository.text(of: "docs/decisions/README.md").components(separatedBy: "](").dropFirst()
      .map { "docs/decisions/" + $0.prefix { $0 != ")" } }
    let files = Repository.files(in: "docs/decisions", suffix: ".md").filter { !$0.hasSuffix("README.md") }
    #expect(Array(listed) == files)
  }
}
