internal import CPQOnDemand
import Store
import SystemIO

/// Makes connections, and explains failures.
extension PostgresAddress {
  /// The library's handle of a new connection.
  @unsafe
  func connect(_ library: inout peersync_libpq) throws(StoreError) -> OpaquePointer {
    let handle = unsafe values.withPointers { names, texts in
      unsafe peersync_pq_connect(&library, names, texts)
    }
    guard let handle = unsafe handle else { throw .unavailable("no memory") }
    guard unsafe peersync_pq_is_connected(&library, handle) != 0 else {
      let reasons = unsafe Self.reasons(of: handle, &library)
      let needsPassword = unsafe peersync_pq_needs_password(&library, handle) != 0
      unsafe peersync_pq_finish(&library, handle)
      throw failure(reasons, needsPassword: needsPassword, &library)
    }
    return unsafe handle
  }

  /// One message for each host that was tried; indented lines are advice.
  @unsafe
  private static func reasons(of handle: OpaquePointer, _ library: inout peersync_libpq) -> [String] {
    let text = unsafe peersync_pq_error(&library, handle).map { unsafe String(cString: $0) } ?? ""
    return text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.hasPrefix("\t") }
  }

  /// The error for a failed connection, by its state if libpq reports one.
  ///
  /// While connecting, libpq reports an error only as text in the language of the server. So a second attempt
  /// requests a text that includes the state.
  private func failure(
    _ reasons: [String], needsPassword: Bool, _ library: inout peersync_libpq
  ) -> StoreError {
    let text = reasons.joined(separator: "; ")
    if needsPassword || Self.isAboutEncryption(text) { return .denied(text) }
    // The server has not answered, so a second attempt would only time out again.
    if text.contains("timeout expired") { return .unavailable(text) }
    let isReadOnly = text.contains("read-only")
    var values = values
    if isReadOnly { values["target_session_attrs"] = "any" }
    let probe = unsafe values.withPointers { names, texts in
      unsafe peersync_pq_probe(&library, names, texts, 2_000)
    }
    guard let probe = unsafe probe else { return .unavailable(text) }
    defer { unsafe peersync_pq_finish(&library, probe) }
    if isReadOnly {
      // A standby may be about to replace the server that it follows.
      let state = unsafe peersync_pq_parameter(&library, probe, "in_hot_standby").map {
        unsafe String(cString: $0)
      }
      return state == "off" ? .denied(text) : .unavailable(text)
    }
    let states = unsafe Self.reasons(of: probe, &library).flatMap(Self.states)
    if states.contains(where: { $0.hasPrefix("28") }) { return .denied(text) }
    if states.contains(where: { $0.hasPrefix("3D") }) { return .noDatabase(text) }
    if states.contains("42501") { return .denied(text) }
    return .unavailable(text)
  }

  /// Whether a message is about encryption; such messages come from libpq, in English unless another language
  /// is set.
  private static func isAboutEncryption(_ text: String) -> Bool {
    ["certificate", "does not support SSL"].contains { text.contains($0) }
  }

  /// The states in a line such as `FATAL:  28P01: password authentication failed`.
  private static func states(in line: String) -> [String] {
    line.split(separator: ":").map { String($0.drop { $0 == " " }) }.filter { (part: String) in
      let bytes = Array(part.utf8)
      let hasDigit = bytes.contains { (48...57).contains($0) }
      return bytes.count == 5 && hasDigit
        && bytes.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    }
  }
}
