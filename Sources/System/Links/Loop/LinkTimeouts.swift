/// How long a link waits, from the TLS handshake to its end.
package struct LinkTimeouts: Sendable {
  /// How long the other side may take to prove who it is: for the TLS handshake and the first frame together.
  package var handshake = Self.openTime
  /// The default, and the most of a longer time limit that goes into it.
  package static let openTime = Duration.seconds(10)
  /// How long an open link may be idle; nil for no limit.
  package var idle: Duration?
  /// How long sent bytes may stay unacknowledged; nil for the system's limit.
  package var silence: Duration?

  /// How long the other side may take to read our last bytes and to end its direction too.
  static let farewell = Duration.seconds(2)
  /// How long a program may continue without its link, before it is signalled and from one signal to the
  /// next.
  static let programEnd = Duration.seconds(5)
  /// The same where the link was given up by a second signal.
  static let abortedProgramEnd = Duration.seconds(2)
}

extension Duration {
  /// `10 s` or `250 ms`.
  var shown: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0 ? "\(seconds) s" : "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}
