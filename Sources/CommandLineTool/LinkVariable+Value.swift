package import SyncCore
import SystemIO

extension LinkVariable {
  /// What `peerlink` has said; nil where it has said nothing, or has not run this tool.
  package var value: String? { Environment.value(rawValue) }
}
