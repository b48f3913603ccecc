package import JSONLines

/// Keys with their values, as phone and watch exchange them.
public struct ContextMap: Hashable, Sendable {
  /// The values by the UTF-8 bytes of their keys: a string also equals other spellings of its characters.
  private var values: [[UInt8]: [UInt8]] = [:]

  /// A map without keys.
  public init() {}

  /// The value of a key; nil if the key is missing.
  public subscript(_ key: String) -> [UInt8]? {
    get { values[Array(key.utf8)] }
    set { values[Array(key.utf8)] = newValue }
  }

  /// Whether the map is empty.
  public var isEmpty: Bool { values.isEmpty }

  /// The size of all keys and values, in bytes.
  public var size: Int { values.reduce(0) { $0 + $1.key.count + $1.value.count } }

  /// The keys in the order of their UTF-8 bytes.
  public var keys: [String] {
    values.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// A key and its size, in bytes.
  public struct Share: Hashable, Sendable {
    /// The key.
    public var key: String
    /// Key and value together, in bytes.
    public var size: Int

    /// A share of this many bytes.
    public init(key: String, size: Int) {
      self.key = key
      self.size = size
    }
  }

  /// The largest keys, in descending order of size.
  func largest(_ count: Int) -> [Share] {
    let shares = keys.map { Share(key: $0, size: $0.utf8.count + (self[$0]?.count ?? 0)) }
    return Array(shares.sorted { $0.size > $1.size }.prefix(count))
  }
}

extension ContextMap {
  /// Reads an object of Base64.
  package init(_ value: JSONValue, named name: String) throws(ContextError) {
    guard let members = value.objectValue else { throw .wrongType(name, expected: "an object") }
    for member in members {
      guard self[member.name] == nil else { throw .duplicateMember(member.name) }
      self[member.name] = try ContextText.bytes(member.value, named: member.name)
    }
  }

  /// Keys in order, values in Base64.
  package var json: JSONValue {
    .object(keys.map { JSONMember($0, .string(ContextText.base64(self[$0] ?? []))) })
  }
}

/// Values as text.
enum ContextText {
  static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    Base64.append(bytes.span, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  static func bytes(_ value: JSONValue, named name: String) throws(ContextError) -> [UInt8] {
    guard let text = value.stringValue else { throw .wrongType(name, expected: "a string") }
    var bytes: [UInt8] = []
    do throws(Base64.Failure) {
      try Base64.decode(Array(text.utf8).span, into: &bytes)
    } catch {
      throw .invalidBase64(name, error.message)
    }
    return bytes
  }
}
