import JSONLines

/// The clocks, read here and passed to pure code as values.
package enum SystemClock {
  /// Time since 1970-01-01T00:00:00Z as whole seconds and nanoseconds (0 ..< 10⁹).
  package static func wallTime() -> (seconds: Int64, nanoseconds: Int32) {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return (Int64(time.tv_sec), Int32(time.tv_nsec))
  }

  /// Time that never goes back, since an arbitrary start.
  package static func monotonic() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// Blocks this thread for this long, at least a millisecond; a signal ends the wait earlier.
  package static func sleep(_ time: Duration) {
    usleep(UInt32(clamping: max(1, time.wholeMilliseconds) * 1_000))
  }
}

extension Duration {
  /// The duration in milliseconds, rounded down; a value out of range counts as half of the longest time.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.multipliedReportingOverflow(by: 1_000).overflow
      ? .max / 2 : seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}

/// The time zones of the system: the files that tzset(3) reads.
package enum ZoneDatabase {
  /// The folder of the zone files: `TZDIR`, otherwise the standard folder.
  package static var folder: String { Environment.value("TZDIR") ?? standardFolder }

  private static let standardFolder = "/usr/share/zoneinfo"

  /// The hint about a zone without a file.
  package static var hint: String {
    if let folder = Environment.value("TZDIR") {
      return "zones are searched for in '\(folder.escapingControls)', the folder that TZDIR names"
    }
    return
      "zones are searched for in \(standardFolder); on Debian the package tzdata has them, and tzdata-legacy "
      + "has old names such as US/Eastern"
  }

  /// The file of a zone such as `Europe/Paris`; nil if it does not exist.
  package static func file(of name: String) -> [UInt8]? {
    guard isName(name) else { return nil }
    return try? ByteInput.contents(of: "\(folder)/\(name)")
  }

  /// Whether a name may be one of the IANA database: parts of letters, digits, `_`, `+` and `-`, joined by single `/`.
  ///
  /// All names in the database begin with a capital letter. The folder also has files that are not zones: the
  /// machine's own setting (`localtime`, `posixrules`), and copies under other rules (`posix/…`, and
  /// `right/…`, which counts leap seconds). `Factory` is in the database but is not a zone. With any of these names,
  /// another device could read a different time. Names cannot lead out of the folder, because they do not contain a
  /// `.`.
  package static func isName(_ name: String) -> Bool {
    guard name.utf8.count < 256, name != "Factory", let first = name.utf8.first, first &- 65 < 26 else {
      return false
    }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
      part in
      !part.isEmpty
        && part.allSatisfy { ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 || Array("_+-".utf8).contains($0) }
    }
  }
}

/// Random bytes for secrets and ids, from the system's generator.
package enum RandomBytes {
  /// Makes `count` random bytes, at most 256.
  package static func make(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe getentropy(&bytes, count) == 0 else { throw SystemError(.read, "getentropy", code: errno) }
    return bytes
  }
}
