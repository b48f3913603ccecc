/// How long a code or symbol for pairing is valid.
package enum PairingLifetime {
  package static let `default` = Duration.seconds(300)
  package static let shortest = Duration.seconds(1)
  /// The longest lifetime, which is limited because others may find an old symbol.
  package static let longest = Duration.seconds(86_400)
}
