import Discovery
import SyncCore
package import SystemIO
package import Transport

/// What lets the peers of a device find it on the local network.
package enum Presence {
  /// Announces that a device answers its peers on a port.
  ///
  /// Nil where there is no multicast: whoever knows the address gets through all the same.
  package static func announcement(
    of identity: DeviceIdentity, port: Int, interface: String?
  ) -> (any LoopCompanion)? {
    try? PeerAnnouncement(
      ofPeer: identity.peerId, named: identity.deviceName, version: ProtocolVersion.two.rawValue,
      port: port,
      interface: interface
    ) { _ in }
  }
}
