import Crypto
import SystemIO

/// Stores the private key of a device; an app implements it over the Keychain, or its system's store for
/// secrets.
public protocol IdentityKeeper: Sendable {
  /// The last saved text; nil if it does not exist.
  func load() throws -> [UInt8]?
  /// Stores the text: PEM with a private key, which nobody else may read.
  ///
  /// If several processes save a first text at once, all must load the same one afterwards.
  func save(_ text: [UInt8]) throws
}

/// `identity.pem` in the folder of the device, 0600 in a folder of 0700, as the tools have it.
struct IdentityInFolder: IdentityKeeper {
  private let file: IdentityFile

  init(_ folder: String) { file = IdentityFile(in: folder) }

  func load() throws -> [UInt8]? { try file.text() }
  func save(_ text: [UInt8]) throws { try file.keep(text) }
}
