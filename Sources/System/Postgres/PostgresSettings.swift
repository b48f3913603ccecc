internal import CPQOnDemand
import JSONLines
import Store
import SystemIO

/// The settings of a connection in libpq.
struct PostgresSettings {
  private struct Setting {
    var value: String
    /// Whether this is the value that libpq uses by default.
    var isDefault: Bool
  }

  private var settings: [String: Setting] = [:]

  /// Whether the setting is missing, or set to its default.
  func isDefault(_ name: String) -> Bool { settings[name]?.isDefault ?? true }

  /// The settings in a URL, without empty ones, which libpq treats as missing.
  static func parse(_ text: String) throws -> [String: String] {
    var library = try PostgresLibrary.load()
    if namesRequireSSL(text) {
      throw Diagnostic(
        .invalidOptionValue, "not the URL of a database: 'requiressl' is obsolete",
        hint: "use sslmode=require")
    }
    var error: UnsafeMutablePointer<CChar>?
    guard let options = unsafe peersync_pq_parse(&library, text, &error) else {
      let reason = unsafe error.map { unsafe String(cString: $0) }
      unsafe peersync_pq_free_memory(&library, error)
      throw Diagnostic(
        .invalidOptionValue, "not the URL of a database: \((reason ?? "").firstLine.withoutQuotations)")
    }
    return unsafe PostgresSettings(taking: options, &library).settings.mapValues(\.value)
  }

  /// All settings of a connection with these values, including those of the environment and of a service.
  ///
  /// libpq reports its settings only for an attempt to connect. This attempt has an invalid value
  /// (`refused`), so libpq refuses it before connecting. An error without that value is about another invalid
  /// setting.
  static func used(with values: [String: String]) throws -> PostgresSettings {
    var library = try PostgresLibrary.load()
    var values = values
    values["target_session_attrs"] = refused
    let attempt = unsafe values.withPointers { names, texts in
      unsafe peersync_pq_connect(&library, names, texts)
    }
    guard let attempt = unsafe attempt else { throw StoreError.unavailable("no memory") }
    defer { unsafe peersync_pq_finish(&library, attempt) }
    let reason = unsafe peersync_pq_error(&library, attempt).map { unsafe String(cString: $0) } ?? ""
    guard reason.contains(refused) else { throw Diagnostic(.invalidOptionValue, reason.firstLine) }
    guard let options = unsafe peersync_pq_settings(&library, attempt) else {
      throw StoreError.unavailable("no memory")
    }
    var settings = unsafe PostgresSettings(taking: options, &library)
    settings.settings["target_session_attrs"] = nil
    try settings.requireNumbers()
    return settings
  }

  private static let refused = "none-yet"

  @unsafe
  private init(taking options: UnsafeMutablePointer<PQconninfoOption>, _ library: inout peersync_libpq) {
    defer { unsafe peersync_pq_free_options(&library, options) }
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val.map({ unsafe String(cString: $0) }), !value.isEmpty {
        let standard = unsafe option.pointee.compiled.map { unsafe String(cString: $0) }
        settings[unsafe String(cString: keyword)] = Setting(value: value, isDefault: value == standard)
      }
      unsafe option += 1
    }
  }

  /// Throws if a setting is invalid that libpq reads as a number when it connects.
  private func requireNumbers() throws {
    let numbers = [
      "connect_timeout", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count",
      "tcp_user_timeout",
    ]
    for name in numbers {
      guard let value = settings[name]?.value, Int(value) == nil else { continue }
      throw Diagnostic(.invalidOptionValue, "'\(name)' of the database is not a number")
    }
    for port in list("port") where !port.isEmpty && !(1...65_535).contains(Int(port) ?? 0) {
      throw Diagnostic(
        .invalidOptionValue, "the port of the database is not a number from 1 to 65535",
        hint: "postgresql://USER@HOST:PORT/DATABASE; --password-file names the file that has the password")
    }
  }

  /// Whether a URL has `requiressl`, which libpq reads as `sslmode=prefer` or `require`.
  private static func namesRequireSSL(_ text: String) -> Bool {
    text.parts(at: "?").dropFirst().flatMap { $0.parts(at: "&") }.contains { part in
      (part.parts(at: "=").first ?? "").percentDecoded.lowercased() == "requiressl"
    }
  }

  // MARK: Destination

  private func list(_ name: String) -> [String] { (settings[name]?.value ?? "").parts(at: ",") }

  /// Whether the connection stays on this machine; an address takes precedence over its host.
  var staysHere: Bool {
    let (addresses, hosts) = (list("hostaddr"), list("host"))
    return (0..<max(addresses.count, hosts.count)).allSatisfy { index in
      if index < addresses.count, !addresses[index].isEmpty { return Self.isLoopback(addresses[index]) }
      let host = index < hosts.count ? hosts[index] : ""
      // A path or an abstract name is a socket, and so is the default without a host.
      let isSocket = host.utf8.first.map { "/@".utf8.contains($0) } ?? true
      return isSocket || host == "localhost" || Self.isLoopback(host)
    }
  }

  /// Whether a text is a loopback address; the check is strict, because a name such as 127.example is not an
  /// address.
  private static func isLoopback(_ text: String) -> Bool {
    let parts = text.parts(at: ".")
    return text == "::1" || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension [String: String] {
  /// Runs a body with the names and values in the form of libpq.
  @unsafe
  func withPointers<Outcome>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?) -> Outcome
  ) -> Outcome {
    let pairs = sorted { $0.key < $1.key }
    let names = unsafe pairs.map { unsafe strdup($0.key) } + [nil]
    let texts = unsafe pairs.map { unsafe strdup($0.value) } + [nil]
    defer { unsafe (names + texts).forEach { unsafe free($0) } }
    return unsafe names.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { names in
      unsafe texts.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { texts in
        unsafe body(names.baseAddress, texts.baseAddress)
      }
    }
  }
}

extension String {
  /// The text without the parts that libpq quotes, because they may contain a part of a password.
  fileprivate var withoutQuotations: String {
    parts(at: "\"").enumerated().map { $0 % 2 == 0 ? $1 : "…" }
      .joined(separator: "\"")
  }

  fileprivate var percentDecoded: String {
    var (bytes, rest) = ([UInt8](), Array(utf8)[...])
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
