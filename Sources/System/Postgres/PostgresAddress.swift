import JSONLines
import Store
import SystemIO

/// The address of a database, and the settings for authentication.
///
/// libpq reads settings that are not in the URL from its environment (such as PGHOST, PGUSER, PGPASSWORD,
/// PGPASSFILE, PGSSLROOTCERT) and from a service file.
package struct PostgresAddress: Sendable, Equatable {
  /// The URL, which does not contain a secret.
  package let text: String
  private(set) var values: [String: String]

  /// Whether the text of an option is meant to be such a URL.
  package static func isURL(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Whether a text looks like the address of a database, but is treated as a file name.
  package static func isLikeURL(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("postgresql:") || text.hasPrefix("postgres:")
      || text.split(separator: " ").contains { word in
        ["host=", "hostaddr=", "dbname=", "password=", "user=", "service="].contains { word.hasPrefix($0) }
      }
  }

  /// Throws `conflictingOptions` for a URL with a password, because anyone on the machine can read a command
  /// line.
  ///
  /// Errors do not quote the URL, because any part of it may belong to a password.
  package init(_ text: String, password: [UInt8]? = nil) throws {
    self.text = text
    try Self.refuseSlashes(in: text)
    values = try PostgresSettings.parse(text)
    for secret in ["password", "sslpassword"] where values[secret] != nil {
      throw Diagnostic(
        .conflictingOptions, "the URL of the database has a secret: '\(secret)'",
        hint: "put the password into a file and use --password-file, or set PGPASSFILE or PGPASSWORD")
    }
    let attributes = values["target_session_attrs"] ?? "any"
    guard Self.sessionAttributes.contains(attributes) else {
      throw Diagnostic(
        .invalidOptionValue, "not the URL of a database: invalid 'target_session_attrs'",
        hint: "valid values: \(Self.sessionAttributes.joined(separator: ", "))")
    }
    let used = try PostgresSettings.used(with: values)
    for (name, value, variable) in Self.defaults where values[name] == nil {
      if used.isDefault(name), variable.map({ Environment.value($0) }) ?? nil == nil {
        values[name] = value
      }
    }
    // Change lines are UTF-8.
    values["client_encoding"] = "UTF8"
    if !used.staysHere, values["sslmode"] == nil, Environment.value("PGSSLMODE") == nil,
      used.isDefault("sslmode") || Environment.value("PGREQUIRESSL") != nil
    {
      values["sslmode"] = "verify-full"
    }
    if let password { values["password"] = String(decoding: password, as: UTF8.self) }
  }

  /// libpq's `sslmode`; nil for libpq's default.
  var encryption: String? { values["sslmode"] }

  /// The default settings; with their limits, a server that disappears without closing the connection is
  /// noticed within a minute.
  private static let defaults: [(String, String, variable: String?)] = [
    ("application_name", "syncserve", "PGAPPNAME"),
    ("connect_timeout", "10", "PGCONNECT_TIMEOUT"), ("keepalives_idle", "20", nil),
    ("keepalives_interval", "10", nil), ("keepalives_count", "3", nil), ("tcp_user_timeout", "50000", nil),
    // Of several servers, use the one that is not a standby.
    ("target_session_attrs", "read-write", "PGTARGETSESSIONATTRS"),
  ]

  private static let sessionAttributes = [
    "any", "read-write", "read-only", "primary", "standby", "prefer-standby",
  ]

  /// Refuses a password with a slash: libpq would read the rest of the URL as the database's name, which is
  /// printed.
  private static func refuseSlashes(in text: String) throws {
    // libpq looks for bytes, which a combining mark may follow.
    let rest = text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    let path = rest.prefix { $0 != UInt8(ascii: "?") }.drop { $0 != UInt8(ascii: "/") }.dropFirst()
    guard path.contains(where: { "@/".utf8.contains($0) }) else { return }
    throw Diagnostic(
      .invalidOptionValue, "not the URL of a database: '@' or '/' after its first slash",
      hint: "postgresql://USER@HOST/DATABASE; --password-file names the file that has the password")
  }
}
