import CommandLine
import Pairing
import SyncCore

/// The name of a device, which is also the name of its service.
package struct ServiceInstanceName: OptionValue, Equatable {
  package var text: String
  package static var valueName: String { "NAME" }
  package static var expectation: String { DeviceName.expectation }

  package init?(argument: String) {
    guard DeviceName.problem(of: argument) == nil else { return nil }
    text = argument
  }
}

/// A DNS-SD service type as a payload spells it, without a domain.
package struct ServiceType: OptionValue, Equatable {
  package var text: String
  package static var valueName: String { "TYPE" }
  package static var expectation: String { "a service type such as \(ServiceTypeName.peers)" }

  package init(_ text: String) { self.text = text }

  package init?(argument: String) {
    guard let plain = ServiceTypeName.plain(argument) else { return nil }
    text = plain
  }
}

/// How long a payload is valid.
package struct PayloadLifetime: OptionValue, Equatable {
  package var duration: Duration
  package static var valueName: String { Duration.valueName }
  package static var expectation: String { "a duration from 1s to 24h" }

  package static let standard = PayloadLifetime(duration: PairingLifetime.default)

  private init(duration: Duration) { self.duration = duration }

  package init?(argument: String) {
    guard let duration = Duration(argument: argument),
      (PairingLifetime.shortest...PairingLifetime.longest).contains(duration)
    else { return nil }
    self.duration = duration
  }
}

/// The SHA-256 digest of a public key.
package struct FingerprintText: OptionValue, Equatable {
  package var text: String
  package static var valueName: String { "HEX" }
  package static var expectation: String { "64 lower-case hex digits" }

  package init?(argument: String) {
    guard HexDigits.isDigest(argument) else { return nil }
    text = argument
  }
}
