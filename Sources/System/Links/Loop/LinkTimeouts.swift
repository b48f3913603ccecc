/// How long a link waits, from the TLS handshake to its end.
package struct LinkTimeouts: Sendable {
  /// How long the other side may take to prove its identity: for the TLS handshake and the first frame
  /// together.
  package var handshake = Self.openTime
  /// The default, and the maximum that a longer time limit can set.
  package static let openTime = Duration.seconds(10)
  /// How long an open link may be idle; nil for no limit.
  package var idle: Duration?
  /// How long sent bytes may stay unacknowledged; nil for the system's limit.
  package var silence: Duration?

  /// How long the other side may take to read our last bytes and to end its direction too.
  static let farewell = Duration.seconds(2)
  /// How long a program may continue without its link before the first signal, and from one signal to the
  /// next.
  static let programEnd = Duration.seconds(5)
  /// As above, if the link was given up by a second signal.
  static let abortedProgramEnd = Duration.seconds(2)
}

extension Duration {
  /// `10 s` or `250 ms`.
  var shown: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0 ? "\(seconds) s" : "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}
