import JSONLines
package import CommandLine
import Links
package import Pairing

extension Console {
  /// Notes that no peer can connect over protocol version 2, for a command that listens all the same.
  package func note(lackOfProofIn list: TrustList) {
    guard let lack = list.lackOfProof else { return }
    note("\(lack.text), so every connection is refused" + (lack.hint.map { "; \($0)" } ?? ""))
  }
}
