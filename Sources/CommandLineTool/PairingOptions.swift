package import SyncCore

extension ProtocolVersion: OptionValue {
  package static var valueName: String { "VERSION" }
  package static var completion: OptionHelp.Completion { .choices(allCases.map { "\($0.rawValue)" }) }
  package static var expectation: String { "1 or 2" }

  package init?(argument: String) {
    guard let version = Self.allCases.first(where: { "\($0.rawValue)" == argument }) else { return nil }
    self = version
  }
}

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

/// A DNS-SD service type (RFC 6763 §7): a name of at most 15 letters, digits and hyphens, and the transport.
package struct ServiceType: OptionValue, Equatable {
  package var text: String
  package static var valueName: String { "TYPE" }
  package static var expectation: String { "a service type such as \(PairingPayload.usualServiceType)" }

  package init(_ text: String) { self.text = text }

  package init?(argument: String) {
    let labels = argument.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count == 2, ["_tcp", "_udp"].contains(labels[1]), labels[0].first == "_",
      (2...16).contains(labels[0].utf8.count),
      labels[0].dropFirst().allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    else { return nil }
    text = argument
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
