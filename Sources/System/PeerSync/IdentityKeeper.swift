import Crypto
import SystemIO

/// Stores the private key of a device; an app implements it over the Keychain, or its system's store for
/// secrets.
public protocol IdentityKeeper: Sendable {
  /// The last saved text; nil if it does not exist.
  func load() throws -> [UInt8]?
  /// Stores the text, PEM with a private key, so that others cannot read it.
  ///
  /// If several processes save a first text at once, all must load the same text afterwards.
  func save(_ text: [UInt8]) throws
}

/// Keeps `identity.pem` in the folder of the device, with mode 0600 in a folder of mode 0700, as the tools
/// do.
struct IdentityInFolder: IdentityKeeper {
  private let file: IdentityFile

  init(_ folder: String) { file = IdentityFile(in: folder) }

  func load() throws -> [UInt8]? { try file.text() }
  func save(_ text: [UInt8]) throws { try file.keep(text) }
}
