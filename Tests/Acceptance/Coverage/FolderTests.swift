import Foundation
import Testing

/// Modules, and the folders inside a module, use each other in one direction only.
@Suite struct FolderTests {
  @Test func noFolderIsInACircle() throws {
    for (module, uses) in try Self.usesByModule() {
      let circles = uses.withoutEnds
      #expect(circles.isEmpty, "\(module): \(circles.map(\.description).sorted().joined(separator: "\n"))")
    }
  }

  /// Whether the build needs an undeclared import depends on the order of the modules.
  @Test func everyImportIsDeclared() async throws {
    let targets = try await Manifest.current.value.targets
    let declared = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, Set($0.dependencies)) })
    #expect(declared["CommandLine"] == ["CCommit", "JSONLines", "SystemIO"], "it knows no data")
    for (path, name) in try Self.imports() {
      let isAllowed = declared[name] == nil || declared[Self.module(of: path)]?.contains(name) == true
      #expect(isAllowed, "\(path) imports \(name), which Package.swift does not say")
    }
  }

  /// Pure modules do not depend on the machine, and modules for the machine do not depend on the command
  /// line.
  @Test func noLayerKnowsOneAboveIt() throws {
    let layers = ["Core", "System", "Command", "Tools"]
    var layerOfModule: [String: Int] = [:]
    for path in Repository.files(in: "Sources", suffix: ".swift") {
      layerOfModule[Self.module(of: path)] = layers.firstIndex(of: String(path.split(separator: "/")[1]))
    }
    #expect(layerOfModule["SyncCore"] == 0 && layerOfModule["CommandLine"] == 2)
    for (path, name) in try Self.imports() {
      let (user, owner) = (layerOfModule[Self.module(of: path)] ?? 0, layerOfModule[name] ?? 0)
      #expect(owner <= user, "\(path) imports \(name) of \(layers[owner])")
    }
  }

  private static func module(of path: String) -> String { String(path.split(separator: "/")[2]) }

  /// What each file of Sources imports.
  private static func imports() throws -> [(path: String, name: String)] {
    try Repository.files(in: "Sources", suffix: ".swift").flatMap { path in
      try Repository.text(of: path).textLines.compactMap { line in
        let words = line.split(separator: " ").map(String.init)
        return words.prefix(2).contains("import") ? words.last.map { (path, $0) } : nil
      }
    }
  }

  /// The table of docs/architecture.md has a row for each folder of a module, and no others.
  @Test func theTableHasEachFolder() throws {
    let page = try Repository.text(of: "docs/architecture.md")
    let table = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Folders") } ?? ""
    var (module, listed) = ("", Set<String>())
    for row in table.textLines where row.hasPrefix("|") {
      let cells = row.split(separator: "|", omittingEmptySubsequences: false)
      if let name = cells[1].firstMatch(of: /`(\w+)`/) { module = String(name.1) }
      listed.formUnion(cells[2].matches(of: /`(\w+)`/).map { "\(module)/\($0.1)" })
    }
    let folders = Repository.files(in: "Sources", suffix: ".swift").compactMap { path -> String? in
      let parts = path.split(separator: "/")
      return parts.count == 5 ? "\(parts[2])/\(parts[3])" : nil
    }
    #expect(listed == Set(folders))
  }

  /// The table of docs/architecture.md has each place with unsafe code, and no others.
  @Test func unsafeCodeIsOnlyWhereTheTableSays() throws {
    let page = try Repository.text(of: "docs/architecture.md")
    let table = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Unsafe code") } ?? ""
    let listed = table.textLines.filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { "Sources/\($0.1)" }
    }
    let marked = try Repository.files(in: "Sources", suffix: ".swift").filter { path in
      try Repository.text(of: path).textLines.contains { line in
        line.components(separatedBy: "//")[0].contains(/\bunsafe\b/)
      }
    }
    func covers(_ place: String, _ path: String) -> Bool { path == place || path.hasPrefix(place + "/") }
    #expect(marked.filter { path in !listed.contains { covers($0, path) } } == [], "not in the table")
    #expect(listed.filter { place in !marked.contains { covers(place, $0) } } == [], "not in the sources")
  }

  /// The walks of docs/architecture.md name files that exist, and few enough to be followed.
  @Test func walksAreShort() throws {
    let page = try Repository.text(of: "docs/architecture.md")
    let walks = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Three walks") }?
      .components(separatedBy: "\n### ").dropFirst()
    #expect(walks?.count == 3)
    let files = Set(Repository.files(in: "Sources", suffix: ".swift"))
    for walk in walks ?? [] {
      let named = Set(walk.matches(of: /`([A-Z][^` ]*\.swift)`/).map { "Sources/\($0.1)" })
      #expect((1...25).contains(named.count), "\(walk.prefix(40)): \(named.count) files")
      #expect(named.isSubset(of: files), "\(named.subtracting(files).sorted())")
    }
  }

  @Test func whatEndsNowhereIsACircle() {
    let chain = [Use("A", "B", "T"), Use("B", "C", "U")]
    #expect(chain.withoutEnds.isEmpty)
    #expect(
      (chain + [Use("C", "B", "V")]).withoutEnds.map(\.description) == ["B uses U of C", "C uses V of B"])
  }

  /// One folder has a type that another one names.
  fileprivate struct Use: Hashable, CustomStringConvertible {
    var user: String
    var owner: String
    var type: String
    init(_ user: String, _ owner: String, _ type: String) {
      (self.user, self.owner, self.type) = (user, owner, type)
    }
    var description: String { "\(user) uses \(type) of \(owner)" }
  }

  private static func usesByModule() throws -> [String: [Use]] {
    var words: [String: [String: Set<String>]] = [:]
    var owners: [String: [String: Set<String>]] = [:]
    for path in Repository.files(in: "Sources", suffix: ".swift") where !path.hasPrefix("Sources/Tools/") {
      let parts = path.split(separator: "/").map(String.init)
      let (module, folder) = (parts[2], parts.count > 4 ? parts[3] : "(top)")
      for line in try Repository.text(of: path).textLines {
        let names = Self.names(in: line)
        if let declared = Self.declared(in: line) {
          owners[module, default: [:]][declared, default: []].insert(folder)
        }
        words[module, default: [:]][folder, default: []].formUnion(names)
      }
    }
    return Dictionary(
      uniqueKeysWithValues: words.map { module, folders in
        (module, folders.flatMap { folder, names in uses(folder, names, owners[module] ?? [:]) })
      })
  }

  private static func uses(_ folder: String, _ names: Set<String>, _ owners: [String: Set<String>]) -> [Use] {
    names.flatMap { name in
      let places = owners[name] ?? []
      return places.contains(folder) ? [] : places.map { Use(folder, $0, name) }
    }
  }

  /// The type that a line declares at the beginning of a line.
  private static func declared(in line: String) -> String? {
    guard let first = line.utf8.first, first != UInt8(ascii: " ") else { return nil }
    let words = line.split { $0 == " " || $0 == ":" || $0 == "<" }
    guard let keyword = words.firstIndex(where: { Self.keywords.contains(String($0)) }),
      keyword + 1 < words.count
    else { return nil }
    return String(words[keyword + 1])
  }

  private static let keywords: Set<String> = ["struct", "enum", "class", "protocol", "typealias", "actor"]

  /// The words with a capital that a line of code names, but for members, texts and comments.
  private static func names(in line: String) -> [String] {
    var (names, word, before, isText) = ([String](), [UInt8](), UInt8(0), false)
    for byte in line.utf8 + [0x20] {
      if byte == UInt8(ascii: "\"") { isText.toggle() }
      if !isText, byte == UInt8(ascii: "/"), before == UInt8(ascii: "/") { break }
      if Self.isWord(byte), !isText {
        if !word.isEmpty || !Self.isWord(before) && before != UInt8(ascii: ".") { word.append(byte) }
      } else {
        if let first = word.first, (65...90).contains(first) {
          names.append(String(decoding: word, as: UTF8.self))
        }
        word = []
      }
      before = byte
    }
    return names
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || byte == UInt8(ascii: "_")
  }
}

extension [FolderTests.Use] {
  /// The rest after repeatedly removing folders that use no other, or are used by none.
  fileprivate var withoutEnds: [FolderTests.Use] {
    let (users, owners) = (Set(map(\.user)), Set(map(\.owner)))
    let rest = filter { users.contains($0.owner) && owners.contains($0.user) }
    return rest.count == count ? sorted { $0.description < $1.description } : rest.withoutEnds
  }
}
