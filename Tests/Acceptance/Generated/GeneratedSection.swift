/// The part of a document between `<!-- name -->` and `<!-- end -->` that a test writes.
struct GeneratedSection {
  var document: String
  var name: String
  var text: String

  /// `text` between the markers of `document`, with blank lines around it; nil if a marker is missing.
  func inserted(into document: String) -> String? {
    guard let opening = document.firstRange(of: "<!-- \(name) -->\n"),
      let closing = document[opening.upperBound...].firstRange(of: "<!-- end -->")
    else { return nil }
    return document[..<opening.upperBound] + "\n" + text + "\n" + document[closing.lowerBound...]
  }
}
