import LinkInputs
import CommandLine
import Crypto
import Discovery
import JSONLines
import Links
import SyncCore
import SystemIO

extension PeerlinkTool {
  /// The announcement of a listener, where one is asked for.
  static func announcement(
    _ settings: Settings, of setup: LinkSetup, port: Int, on console: Console
  ) throws -> PeerAnnouncement? {
    guard settings.advertise else { return nil }
    let identity = setup.rules.identity
    return try PeerAnnouncement(
      ofPeer: identity.peerId, named: identity.deviceName, version: settings.version.rawValue,
      port: port,
      interface: settings.listening.network(settings.version)
    ) { event in
      switch event {
      case .advertised(let name, _): console.note("announced as '\(name.escapingControls)'")
      case .renamed(let old, _): console.note("somebody else is called '\(old.escapingControls)'")
      case .withdrawn: break
      }
    }
  }
}
