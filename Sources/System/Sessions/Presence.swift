package import Crypto
import Discovery
import Links
package import SyncCore
package import SystemIO

/// What lets the peers of a device find it on the local network.
package enum Presence {
  /// Announces that a device answers its peers on a port.
  ///
  /// Nil where there is no multicast: whoever knows the address gets through all the same.
  package static func announcement(
    of identity: DeviceIdentity, port: Int, interface: String?, over version: ProtocolVersion
  ) -> (any LoopCompanion)? {
    announcement(identity.peerId, identity.deviceName, port, interface, version)
  }

  /// Announces that a device waits on a port for one to pair with; nil as above.
  package static func pairing(
    named name: String, port: Int, interface: String?, over version: ProtocolVersion
  ) -> (any LoopCompanion)? {
    announcement(nil, name, port, interface, version)
  }

  private static func announcement(
    _ id: String?, _ name: String, _ port: Int, _ interface: String?, _ version: ProtocolVersion
  ) -> PeerAnnouncement? {
    try? PeerAnnouncement(
      ofPeer: id, named: name, version: version.rawValue, port: port, interface: interface
    ) { _ in }
  }
}
