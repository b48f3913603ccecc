import CommandLineTool
import Discovery
package import Peering
package import SyncCore
import SystemIO

extension PairingTrial {
  /// Looks on the local network for the device that has shown the payload, and pairs with it; nil where none is found.
  ///
  /// Up to `deadline` on the monotonic clock. Who has not the key of the payload is passed over, and who does not answer
  /// is tried again.
  package func search(
    through interface: String?, until deadline: Duration, timeout: Duration
  ) throws -> PeerIntroduction? {
    guard let dialer = try? PeerDialer(id: nil, isPairing: true, interface: interface, until: deadline)
    else { return nil }
    while let connection = try dialer.next() {
      do {
        return try run(over: connection, timeout: min(timeout, dialer.patience))
      } catch let error as Diagnostic where error.code == .wrongFingerprint {
        dialer.giveUp()
      } catch let error as Diagnostic where error.code.isRetryable {
        continue
      }
    }
    return nil
  }
}
