import Crypto
import SystemIO

/// Keeps the private key of a device: an app implements it over the Keychain, or whatever its system has for secrets.
public protocol IdentityKeeper: Sendable {
  /// The text that was saved last; nil if it does not exist.
  func load() throws -> [UInt8]?
  /// Keeps the text: PEM with a private key, which nobody else may read.
  ///
  /// If several processes save a first text at once, all have to load the same one afterwards.
  func save(_ text: [UInt8]) throws
}

/// `identity.pem` in the folder of the device, 0600 in a folder of 0700: where the tools have it.
struct IdentityInFolder: IdentityKeeper {
  private let file: IdentityFile

  init(_ folder: String) { file = IdentityFile(in: folder) }

  func load() throws -> [UInt8]? { try file.text() }
  func save(_ text: [UInt8]) throws { try file.keep(text) }
}
