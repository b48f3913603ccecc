package import JSONLines
package import Pairing
import SyncCore

extension TrustList {
  /// Why no trusted peer can prove who it is, which takes protocol version 2; nil if one can.
  package var lackOfProof: Diagnostic? {
    guard !records.contains(where: { $0.version == .two }) else { return nil }
    guard let old = records.first else {
      return Diagnostic(.unknownPeer, "no peer is trusted yet", hint: "pair with one: peersync pair")
    }
    return Diagnostic(
      .otherProtocolVersion,
      records.count == 1
        ? "the only peer that is trusted speaks protocol version 1"
        : "all \(records.count) peers that are trusted speak protocol version 1",
      file: old.deviceName.escapingControls, hint: "update it and pair again: peersync pair")
  }
}
