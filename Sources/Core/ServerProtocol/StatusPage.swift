import JSONLines

/// The page of a household, in HTML without scripts: facts, and tables below them.
package struct StatusPage: Equatable, Sendable {
  package struct Fact: Equatable, Sendable {
    var name: String
    var value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  package struct Table: Equatable, Sendable {
    var title: String
    var columns: [String]
    var rows: [[String]]
    /// The text shown for a table without rows.
    var nothing: String

    package init(_ title: String, _ columns: [String], _ rows: [[String]], nothing: String) {
      (self.title, self.columns, self.rows, self.nothing) = (title, columns, rows, nothing)
    }
  }

  private let title: String
  private let facts: [Fact]
  private let tables: [Table]

  package init(_ title: String, _ facts: [Fact], _ tables: [Table]) {
    (self.title, self.facts, self.tables) = (title, facts, tables)
  }

  /// The only style of the page; a policy names its digest.
  package static let style =
    ":root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:52rem;margin:1rem auto;padding:0 1rem}"
    + "h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}"
    + "th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid #8886;overflow-wrap:break-word}"
    + "th{font-weight:600}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{font-weight:600}"
    + "dd{margin:0;overflow-wrap:anywhere}"

  /// The content security policy: the page cannot load resources, run scripts or be framed by other pages.
  ///
  /// `digest` is the SHA-256 of the style in Base64.
  package static func policy(digest: String) -> String {
    "default-src 'none'; style-src 'sha256-\(digest)'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  package var html: String {
    let facts = facts.map { "<dt>\(Self.escaped($0.name))</dt><dd>\(Self.escaped($0.value))</dd>\n" }
    return """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Self.escaped(title))</title><link rel="icon" href="data:,"><style>\(Self.style)</style></head>
      <body><h1>\(Self.escaped(title))</h1>
      <dl>
      \(facts.joined())</dl>
      \(tables.map(Self.html).joined())</body>
      </html>

      """
  }

  private static func html(_ table: Table) -> String {
    let title = "<h2>\(escaped(table.title))</h2>\n"
    if table.rows.isEmpty { return title + "<p>\(escaped(table.nothing))</p>\n" }
    let head = table.columns.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    let rows = table.rows.map { row in
      "<tr>" + row.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>\n"
    }
    return title + "<table>\n<tr>\(head)</tr>\n\(rows.joined())</table>\n"
  }

  /// Escapes foreign text, so that it cannot become markup.
  ///
  /// A browser does not read characters: `<` is markup also after a letter that forms one character with it.
  private static func escaped(_ text: String) -> String {
    text.escapingControls.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
