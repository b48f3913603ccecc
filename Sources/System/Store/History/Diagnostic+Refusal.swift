package import JSONLines
import PeerProtocol
package import SyncCore

extension Diagnostic {
  /// Some changes have been left out because version 1 cannot carry them.
  package init(leftOut count: Int, store path: String) {
    self.init(
      .partialRun, "changes that protocol 1 cannot carry, left out: \(count)", file: path,
      hint: "deltadiff pack reports why")
  }

  /// The reason why a dialogue over a store ended early; nil if it did not.
  ///
  /// `refusal` is the store's own reason for a refusal.
  package init?(_ end: DialogueEnd, of settings: DialogueSettings, refusal: StoreError?, store path: String) {
    switch end {
    case .done, .stopped:
      // A trial continues where a real run would have ended.
      guard settings.isTrial, let refusal else { return nil }
      self.init(refusal, store: path)
    case .tooManyDeletes: self.init(refusal ?? .tooManyDeletions(count: 0, live: 0), store: path)
    case .quarantineFull: self.init(refusal ?? .quarantineFull(peer: settings.peerId), store: path)
    case .busy: self.init(.busy, store: path)
    default: self.init(end, of: settings)
    }
  }
}
