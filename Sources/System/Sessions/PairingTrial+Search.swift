import JSONLines
import CommandLine
import Crypto
import Discovery
package import Links
import Pairing
package import SyncCore
import SystemIO

extension PairingTrial {
  /// Looks on the local network for the device that has shown the payload, and pairs with it; nil where none is found.
  ///
  /// Up to `deadline` on the monotonic clock. Over version 1 it is the one that has the name in the payload. Who has not proven the key of the payload is passed over, whatever it says,
  /// and who does not answer is tried again.
  package func search(
    through interface: String?, until deadline: Duration, timeout: Duration
  ) throws -> PeerIntroduction? {
    let isFirst = setting.version == .one
    guard
      let dialer = try? PeerDialer(
        id: nil, isPairing: !isFirst, name: isFirst ? setting.payload.expectedPeer ?? "" : nil,
        interface: interface, until: deadline)
    else { return nil }
    while let connection = try dialer.next() {
      let link = try link(over: connection, timeout: min(timeout, dialer.patience))
      do {
        return try outcome(of: link)
      } catch let error as Diagnostic where error.code.isRetryable {
        continue
      } catch let error as Diagnostic where !link.hasProvenKey && !isFirst && error.code != .interrupted {
        dialer.giveUp()
      }
    }
    return nil
  }
}
