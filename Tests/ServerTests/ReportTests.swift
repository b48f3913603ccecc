import Foundation
import JSONLines
import Remotes
import Server
import ServerProtocol
import SyncCore
import TestSupport
import Testing

/// The page, the numbers and the description of a server.
@Suite(.onEveryEngine) struct ReportTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  private func get(_ path: String, _ authorization: String? = nil) throws -> HTTPClient.Answer {
    let fields = authorization.map { [RequestHead.Field("Authorization", $0)] } ?? []
    return try server.stranger().send("GET", path, fields, body: nil)
  }

  private func basic(_ key: String) -> String { "Basic " + Data("anyone:\(key)".utf8).base64EncodedString() }

  @Test func aBrowserIsAskedForTheKey() throws {
    defer { server.end() }
    let asked = try get("/")
    #expect(asked.status == 401 && asked["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
    #expect(try get("/", basic(server.key)).status == 200)
    #expect(try get("/", "Bearer \(server.key)").status == 200)
    for wrong in [
      "Basic", "Basic !", basic(server.key + "x"), "Basic " + Data("none".utf8).base64EncodedString(),
    ] {
      #expect(try get("/", wrong).status == 401)
    }
    // Another site can make a browser send its stored credentials: these open nothing else.
    for path in ["/sync", "/changes", "/metrics"] { #expect(try get(path, basic(server.key)).status == 401) }
  }

  @Test func thePageShowsWhatOthersWroteAsText() throws {
    defer { server.end() }
    let hostile = #"<script>alert(1)</script>&\"'"#
    let push = #"""
      {"members":[{"id":"6F1B2C3D-0000-4000-8000-00000000000A","displayName":"\#(hostile)","updatedAt":"2025-05-01T00:00:00Z"}],
       "templates":[{"id":"6F1B2C3D-0000-4000-8000-0000000000AA","title":"\#(hostile)","cadenceValue":1,"createdAt":"2025-05-01T00:00:00Z"}]}
      """#
    #expect(try server.client().send("POST", "/sync", [], body: Array(push.utf8)).status == 200)
    let answer = try get("/", basic(server.key))
    let page = String(decoding: answer.body, as: UTF8.self)
    #expect(!page.contains("<script") && !page.contains("&\"'"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;"))
    #expect(page.contains("<dt>Records</dt>"))
    #expect(answer["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
  }

  /// U+0D4E forms one character with what follows it, and a mark with what precedes it.
  @Test func markupIsEscapedByBytes() {
    defer { server.end() }
    let page = StatusPage("\u{D4E}<script>", [.init("a", "<\u{301}b \u{D4E}&\u{D4E}\"")], []).html
    #expect(!page.utf8.contains("<script".utf8) && !page.utf8.contains("<\u{301}".utf8))
    #expect(page.utf8.contains("&lt;\u{301}b \u{D4E}&amp;\u{D4E}&quot;".utf8))
  }

  @Test func theNumbersAreThoseOfTheHousehold() throws {
    defer { server.end() }
    let line =
      #"{"entityName":"","identity":{"id":"1"},"modifiedAt":"2025-05-01T00:00:00Z","fields":{"id":"1"}}"#
    #expect(try server.client().send("POST", "/changes", [], body: Array(line.utf8)).status == 200)
    let text = String(decoding: try get("/metrics", "Bearer \(server.key)").body, as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.contains(#"peersync_records{household="\#(server.household)"} 1"#))
    #expect(
      lines.contains(
        #"peersync_requests_total{household="\#(server.household)",path="/changes",status="200"} 1"#))
    // Each metric has its type and its help, and appears in one place.
    let names = lines.filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != "{" }) }
    for name in Set(names) {
      #expect(
        lines.contains { $0.hasPrefix("# TYPE \(name) ") }
          && lines.contains { $0.hasPrefix("# HELP \(name) ") })
    }
  }

  @Test func theDescriptionNamesWhatTheRouterTakes() throws {
    defer { server.end() }
    let body = try get("/openapi.json").body
    let document = try JSONValue(parsing: body.span)
    let paths = try #require(document["paths"]?.objectValue)
    #expect(paths.map(\.name) == ServerRoute.allCases.map(\.rawValue))
    for path in paths {
      let methods = Set((path.value.objectValue ?? []).map { $0.name.uppercased() })
      for method in ["GET", "HEAD", "POST"] {
        let answer = try server.client().send(method, path.name, [], body: method == "POST" ? [] : nil)
        #expect((answer.status == 405) == !methods.contains(method), "\(method) \(path.name)")
      }
    }
    // The targets of all references exist.
    let schemas = Set(try #require(document["components"]?["schemas"]?.objectValue).map(\.name))
    let text = document.text
    for part in text.split(separator: "#/components/schemas/").dropFirst() {
      #expect(schemas.contains(String(part.prefix { $0 != "\"" })))
    }
  }

  @Test(arguments: [
    "wait=-1", "wait=+1", "wait=1.0", "max-bytes=0", "max-bytes=99999999999999999999", "rules=yes",
    "resync=3",
    "since=%25", "acked=A", "since=&since=",
  ])
  func aQueryThatIsNotOfItsFormIsRefused(query: String) throws {
    defer { server.end() }
    #expect(try get("/changes?\(query)", "Bearer \(server.key)").status == 400)
  }
}
