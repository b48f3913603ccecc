import CommandLine
import JSONLines
import Links
import Pairing
import SyncCore

/// Somebody to sync with, as the command line names them.
enum Remote {
  /// The peers that the words stand for, each once; all that are trusted where there are none.
  ///
  /// Those of version 1, who prove nothing, are never meant unless they are named.
  static func peers(
    _ words: [String], in list: TrustList, over version: ProtocolVersion
  ) throws -> [TrustRecord] {
    if words.isEmpty {
      if version == .one {
        throw UsageError.conflict("over protocol 1 nobody proves who is there: name the PEER that is meant")
      }
      if let lack = list.lackOfProof { throw withWayOut(lack) }
      return list.records.filter { $0.version == .two }
    }
    var records: [TrustRecord] = []
    for word in words {
      try refuseOther(word)
      let record = try list.named(word)
      if !records.contains(record) { records.append(record) }
    }
    return records
  }

  /// A peer of version 1 can be named.
  private static func withWayOut(_ lack: Diagnostic) -> Diagnostic {
    guard lack.code == .otherProtocolVersion, let hint = lack.hint else { return lack }
    var lack = lack
    lack.hint = hint + "; 'peersync run --protocol 1 NAME' syncs without proof of who is there"
    return lack
  }

  /// The name of a device may have a colon, but none of these at its front.
  private static func refuseOther(_ word: String) throws(UsageError) {
    for kind in ["https://", "http://", "firestore://", "dir:"] where word.hasPrefix(kind) {
      throw .conflict(
        "'\(word)': remotes that begin with '\(kind)' are not known to this version, only peers are")
    }
  }
}
