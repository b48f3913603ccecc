import JSONLines
package import Postgres
import Store
import SystemIO

/// The stores of a server: one file, a folder with a file for each household, or a database with all of them.
package enum HouseholdPlaces: Sendable, Equatable {
  /// The household of one file has the name `home`.
  case file(String)
  case folder(String)
  case database(PostgresAddress)

  /// Reads a path, which is a folder if it ends with a slash or leads to an existing folder.
  package init(_ path: String) {
    if path.endsInBytes(of: "/") || FileMode.exists(path) && !FileMode.isFile(path) {
      var folder = path.utf8[...]
      while folder.count > 1, folder.last == UInt8(ascii: "/") { folder.removeLast() }
      self = .folder(String(Substring(folder)))
    } else {
      self = .file(path)
    }
  }

  /// The folder beside the stores for the server's keys; nil for a database.
  package var serverFolder: String? {
    switch self {
    case .file(let path): "\(path).server"
    case .folder(let path): "\(path)/server"
    case .database: nil
    }
  }

  private static let end = ".db"
  /// The name of the household if the place is a file.
  package static let only = "home"

  /// All households whose files exist.
  package var names: [String] {
    get throws(SystemError) {
      switch self {
      case .file(let path): return FileMode.exists(path) ? [Self.only] : []
      case .folder(let path):
        return try FileMode.entries(of: path).filter { $0.hasSuffix(Self.end) }
          .map { String($0.dropLast(Self.end.count)) }.filter(Self.isName).sorted()
      case .database: return []
      }
    }
  }

  /// The file of a household; nil if the name is invalid here, or if the household is in a database.
  package func path(of name: String) -> String? {
    guard Self.isName(name) else { return nil }
    return switch self {
    case .file(let path): name == Self.only ? path : nil
    case .folder(let path): "\(path)/\(name)\(Self.end)"
    case .database: nil
    }
  }

  /// The file of a household that was set aside or is being moved, such as `NAME.moving`; the file's name has
  /// the same ending.
  func anyPath(of name: String) -> String? {
    let base = Self.base(of: name)
    return path(of: base).map { $0 + name.dropFirst(base.count) }
  }

  /// The names of all households, including those that were set aside or are being moved.
  var allNames: [String] {
    get throws(SystemError) {
      switch self {
      case .file(let path):
        let file = FileMode.name(of: path).utf8
        return try FileMode.entries(of: FileMode.folder(of: path)).filter { $0.utf8.starts(with: file) }
          .compactMap { Self.name(Substring($0.utf8.dropFirst(file.count)), of: Self.only) }
      case .folder(let path):
        return try FileMode.entries(of: path).compactMap { entry in
          let name = entry.prefix { $0 != "." }
          guard entry.dropFirst(name.count).hasPrefix(Self.end), Self.isName(String(name)) else { return nil }
          return Self.name(entry.dropFirst(name.count + Self.end.count), of: String(name))
        }
      case .database: return []
      }
    }
  }

  private static func name(_ ending: Substring, of name: String) -> String? {
    guard !ending.isEmpty else { return name }
    if ChangeStore.isLog(ending) { return nil }
    let name = name + ending
    return isSetAside(name) || name.hasSuffix(ChangeStore.movingEnd) ? name : nil
  }

  /// Whether this place can have a household of this name.
  package func canHave(_ name: String) -> Bool {
    if case .database = self { return Self.isName(name) }
    return path(of: name) != nil
  }

  /// The name of a household's store, as messages show it.
  package func label(of name: String) -> String {
    if case .database(let address) = self { return "\(address.text)#\(name)" }
    return anyPath(of: name) ?? name
  }

  /// Whether a name is that of a removed or moved household, such as `NAME.removed-TIME`.
  package static func isSetAside(_ text: String) -> Bool {
    let parts = text.split(separator: ".", maxSplits: 1)
    return parts.count == 2 && isName(String(parts[0]))
      && (parts[1].hasPrefix("removed-") || parts[1].hasPrefix("moved-"))
      && !parts[1].utf8.contains(UInt8(ascii: "/"))
  }

  /// The name that a household had before it was removed or moved.
  package static func base(of name: String) -> String { String(name.prefix { $0 != "." }) }

  /// Whether a name is valid: 1 to 63 lower-case letters, digits and hyphens, not beginning with a hyphen.
  ///
  /// The name is part of a file name and of a key.
  package static func isName(_ text: String) -> Bool {
    guard (1...63).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-") else { return false }
    return text.utf8.allSatisfy { $0 &- 97 < 26 || $0 &- 48 < 10 || $0 == UInt8(ascii: "-") }
  }
}
