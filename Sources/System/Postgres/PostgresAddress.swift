internal import CPQOnDemand
import JSONLines
import Store
import SystemIO

/// Where a database is, and how the server identifies itself there.
///
/// libpq takes settings that are not in the URL from its environment: PGHOST, PGUSER, PGPASSWORD, PGPASSFILE,
/// PGSSLROOTCERT.
package struct PostgresAddress: Sendable, Equatable {
  /// The URL, which has no secret.
  package let text: String
  private var values: [String: String]

  /// Whether the text of an option is meant to be such a URL.
  package static func isURL(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Throws `conflictingOptions` of a URL with a password: anyone on the machine can read a command line.
  package init(_ text: String, password: [UInt8]? = nil) throws {
    self.text = text
    values = try Self.parse(text)
    for secret in ["password", "sslpassword"] where values[secret] != nil {
      throw Diagnostic(
        .conflictingOptions, "the URL of the database has a secret: '\(secret)'",
        hint: "--password-file names the file that has the password; PGPASSFILE and PGPASSWORD are read too")
    }
    for (name, value, variable) in Self.defaults where values[name] == nil {
      if variable.map({ Environment.value($0) }) ?? nil == nil { values[name] = value }
    }
    if values["sslmode"] == nil, Environment.value("PGSSLMODE") == nil, !isLocal {
      values["sslmode"] = "verify-full"
    }
    if let password { values["password"] = String(decoding: password, as: UTF8.self) }
  }

  /// libpq's `sslmode`, nil if it decides.
  var encryption: String? { values["sslmode"] }

  /// If the other end disappears without closing the connection, nothing waits longer than a minute.
  private static let defaults: [(String, String, variable: String?)] = [
    ("application_name", "syncserve", "PGAPPNAME"), ("client_encoding", "UTF8", nil),
    ("connect_timeout", "10", "PGCONNECT_TIMEOUT"), ("keepalives_idle", "20", nil),
    ("keepalives_interval", "10", nil), ("keepalives_count", "3", nil), ("tcp_user_timeout", "50000", nil),
    // Of several servers the one that is no standby.
    ("target_session_attrs", "read-write", "PGTARGETSESSIONATTRS"),
  ]

  /// Whether nothing leaves the machine.
  private var isLocal: Bool {
    let hosts = (values["hostaddr"] ?? values["host"] ?? Environment.value("PGHOST") ?? "").split(
      separator: ",")
    return hosts.allSatisfy { $0.hasPrefix("/") || $0 == "localhost" || $0 == "::1" || $0.hasPrefix("127.") }
  }

  private static func parse(_ text: String) throws -> [String: String] {
    var library = try PostgresLibrary.load()
    var error: UnsafeMutablePointer<CChar>?
    guard let options = unsafe peersync_pq_parse(&library, text, &error) else {
      let reason = unsafe error.map { unsafe String(cString: $0) }
      unsafe peersync_pq_free_memory(&library, error)
      throw Diagnostic(.invalidOptionValue, "not the URL of a database: \((reason ?? "").firstLine)")
    }
    defer { unsafe peersync_pq_free_options(&library, options) }
    var values: [String: String] = [:]
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe values[String(cString: keyword)] = String(cString: value)
      }
      unsafe option += 1
    }
    return values
  }

  /// The library's handle of a new connection.
  @unsafe
  func connect(_ library: inout peersync_libpq) throws(StoreError) -> OpaquePointer {
    let pairs = values.sorted { $0.key < $1.key }
    let names = unsafe pairs.map { unsafe strdup($0.key) } + [nil]
    let texts = unsafe pairs.map { unsafe strdup($0.value) } + [nil]
    defer { unsafe (names + texts).forEach { unsafe free($0) } }
    let handle = unsafe names.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { names in
      unsafe texts.map { unsafe UnsafePointer($0) }.withUnsafeBufferPointer { texts in
        unsafe peersync_pq_connect(&library, names.baseAddress, texts.baseAddress)
      }
    }
    guard let handle = unsafe handle else { throw .unavailable("no memory") }
    guard unsafe peersync_pq_is_connected(&library, handle) != 0 else {
      let reason = unsafe peersync_pq_error(&library, handle).map { unsafe String(cString: $0) }
      unsafe peersync_pq_finish(&library, handle)
      throw .unavailable((reason ?? "").firstLine)
    }
    return unsafe handle
  }
}
