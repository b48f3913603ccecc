package import Crypto
import Discovery
package import JSONLines
package import Links
import Pairing
package import SyncCore
package import SystemIO

/// Makes a device findable by its peers on the local network.
package enum Presence {
  /// Announces that a device accepts its peers on a port.
  ///
  /// Without multicast, `warn` is called with the reason, and the result is nil; peers then need the address.
  /// Over version 1, `warn` is also called if the name is taken.
  package static func announcement(
    of identity: DeviceIdentity, port: Int, interface: String?, over version: ProtocolVersion,
    warn: @escaping (Diagnostic) -> Void = { _ in }
  ) -> (any LoopCompanion)? {
    announcement(identity.peerId, identity.deviceName, port, interface, version, warn)
  }

  /// Announces that a device waits for a pairing on a port.
  ///
  /// Without multicast, `warn` is called with the reason, and the result is nil. Over version 1, `warn` is
  /// also called if the name is taken.
  package static func pairing(
    named name: String, port: Int, interface: String?, over version: ProtocolVersion,
    warn: @escaping (Diagnostic) -> Void = { _ in }
  ) -> (any LoopCompanion)? {
    announcement(nil, name, port, interface, version, warn)
  }

  private static func announcement(
    _ id: String?, _ name: String, _ port: Int, _ interface: String?, _ version: ProtocolVersion,
    _ warn: @escaping (Diagnostic) -> Void
  ) -> PeerAnnouncement? {
    do throws(SystemError) {
      return try PeerAnnouncement(
        ofPeer: id, named: name, version: version.rawValue, port: port, interface: interface
      ) { event in
        // Version 2 finds a device by its id. Later changes of the name do not say more. A long name is cut.
        guard version == .one, case .renamed(let old, _) = event, name.hasPrefix(old) else { return }
        warn(Diagnostic(taken: name))
      }
    } catch {
      warn(
        Diagnostic(
          .cannotListen, "not announced: \(Diagnostic(error).text)",
          hint: "other devices need --address HOST:PORT"))
      return nil
    }
  }
}

extension Diagnostic {
  /// Another announcement has this device's name, which is all that version 1 searches for.
  fileprivate init(taken name: String) {
    self.init(
      .peerNotFound,
      "another program or device announces the name '\(name.escapingControls)', so protocol 1 does not "
        + "find this one",
      hint: "stop the other one, start this command again, and then the other one; or use --address "
        + "HOST:PORT on the other device")
  }

  /// A device cannot be searched for, because the port of multicast DNS is not available.
  init(unsearched name: String, _ error: SystemError) {
    self.init(
      .peerNotFound, "the network cannot be searched: \(Diagnostic(error).text)", file: name,
      hint: "use --address HOST:PORT")
  }
}

extension PairingTrial {
  /// Searches the local network for the device of the payload, and pairs with it; nil if not found.
  ///
  /// It searches until `deadline` on the monotonic clock. Over version 1 it looks for the name in the
  /// payload. A device that does not prove that it has the payload's key is passed to `skipping` and skipped. If
  /// other devices do not answer, its `wrongFingerprint` is thrown. A device that does not answer is retried.
  /// Without multicast, it throws `peerNotFound`.
  package func search(
    through interface: String?, until deadline: Duration, timeout: Duration,
    skipping: (Diagnostic) -> Void = { _ in }
  ) throws -> PeerIntroduction? {
    let isFirst = setting.version == .one
    let name = setting.payload.expectedPeer ?? ""
    let dialer: PeerDialer
    do throws(SystemError) {
      dialer = try PeerDialer(
        id: nil, isPairing: !isFirst, name: isFirst ? name : nil, interface: interface, until: deadline)
    } catch {
      throw Diagnostic(unsearched: name.escapingControls, error)
    }
    dialer.cancellation = cancellation
    var stranger: Diagnostic?
    while let connection = try dialer.next() {
      let link = try link(over: connection, timeout: min(timeout, dialer.patience))
      do {
        return try outcome(of: link)
      } catch let error as Diagnostic where error.code.isRetryable {
        continue
      } catch let error as Diagnostic where !link.hasProvenKey && !isFirst && error.code != .interrupted {
        if error.code == .wrongFingerprint {
          skipping(error)
          stranger = error
        }
        dialer.giveUp()
      }
    }
    if let stranger { throw stranger }
    return nil
  }
}
