package import CommandLine
import Crypto
import JSONLines
import Links
package import SystemIO

extension SideFiles {
  /// The files of this device, under each of their names; a log must not replace them.
  package init(ofDeviceWith store: String, others: [String] = []) {
    let places = [store, FileMode.resolved(store)]
    let besides = ["", "-wal", "-shm", "-journal", ".types", ".run.lock", ".bind.lock"]
    self.init(
      inputs: [],
      others: places.flatMap { place in besides.map { place + $0 } }
        + Self.decisions.flatMap { [$0, $0 + ".lock"] }
        + others)
  }

  /// The files of the identity, of the peers, and of the records about runs with them.
  private static var decisions: [String] {
    guard let folder = try? Places.configuration() else { return [] }
    let peers = Peers(in: folder)
    return [IdentityFile(in: folder).path, peers.trust.path]
      + [try? peers.transfers().path, try? peers.sessions().path].compactMap { $0 }
  }
}

extension SideLog {
  /// Reports an incomplete file, even with `--quiet`, as the user would otherwise not notice it.
  package func tellLost(on console: Console) {
    if let failure { console.warn("the \(kind.name) is incomplete: \(Diagnostic(failure).text)") }
  }
}
