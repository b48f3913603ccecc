package import Crypto
package import SyncCore
package import SystemIO

/// Why a link does not come about, or ends before its time.
package enum LinkFailure: Error, Equatable, Sendable {
  /// The other side's key is none that we trust; nil where it showed none.
  case untrustedPeer(KeyFingerprint?)
  /// Over version 1: who the other side says that it is, or does not, is nobody that we trust.
  case untrustedSender(String)
  /// The other side does not want us; with what it said.
  case refusedByPeer(String)
  /// The other side wants us, and not now.
  case busyPeer(PeerError)
  /// What the other side sends is not TLS 1.3, or not the protocol.
  case protocolBroken(String)
  /// The connection ended without a goodbye, so that something may be missing.
  case connectionLost(String)
  case timedOut(String)
  /// Something on this side: the program cannot be run, or our output has no room.
  case local(SystemError)
  /// Another connection needed the room.
  case crowdedOut
}
