package import Crypto
package import JSONLines
package import Pairing
import SyncCore
import SystemIO

/// An error of trust or pairing sessions on disk.
package enum TrustError: Error, Equatable, Sendable {
  case transport(TransportError)
  /// A line of the file is not a record; if the trust file cannot be read completely, all peers are rejected.
  case damaged(path: String, line: Int, message: String)
  /// A peer that was stored in the meantime contradicts the record.
  case conflict(TrustConflict)
}

extension TrustError {
  /// Rethrows errors of `body` as errors of this module.
  static func wrapping<Value>(_ body: () throws(TransportError) -> Value) throws(TrustError) -> Value {
    do throws(TransportError) { return try body() } catch { throw .transport(error) }
  }
}

extension Diagnostic {
  package init(_ error: TrustError) {
    switch error {
    case .transport(let error): self.init(error)
    case .damaged(let path, let line, let message):
      self.init(
        .damagedRecord, message, file: path, line: line,
        hint: path.hasSuffix(Peers.trustFile)
          ? "fix or remove the line; all peers are rejected until then" : "fix or remove the line")
    case .conflict(let conflict): self.init(conflict)
    }
  }

  package init(_ conflict: TrustConflict) {
    let remedy = conflict.record.map { "if that is right: peerpair forget \($0.peerId)" }
    self.init(.untrustedPeer, conflict.message, hint: remedy)
  }
}

extension Diagnostic {
  /// Rethrows errors of trust, of the transport and of `peerlink`'s variables as diagnostics.
  ///
  /// An interruption by a signal is rethrown unchanged, because it ends the process.
  package static func wrapping<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch TransportError.system(let error) where error.isInterruption {
      throw error
    } catch TrustError.transport(.system(let error)) where error.isInterruption {
      throw error
    } catch let error as TransportError {
      throw Diagnostic(error)
    } catch let error as TrustError {
      throw Diagnostic(error)
    } catch let error as PeerlinkVariables.Missing {
      throw Diagnostic(
        .noConnectionFacts, "\(error.name) is not \(error.expected)", hint: "let peerlink run this command")
    }
  }
}

extension TrustList {
  /// The peer for a PEER on the command line; throws if none or several match.
  package func named(_ peer: String) throws(Diagnostic) -> TrustRecord {
    switch find(peer) {
    case .one(let record): return record
    case .none:
      throw Diagnostic(
        .unknownPeer, "not a trusted peer: '\(peer)'", hint: remedy(for: peer))
    case .several(let records):
      let ids = records.map(\.peerId).joined(separator: ", ")
      throw Diagnostic(
        .unknownPeer, "'\(peer)' matches \(records.count) peers",
        hint: "name one by its id: \(ids)")
    }
  }

  /// The hint for a PEER that matches none.
  private func remedy(for peer: String) -> String {
    let word = peer.lowercased()
    if let near = records.first(where: { $0.deviceName.lowercased() == word }) {
      return "did you mean '\(near.deviceName)'?"
    }
    if word.utf8.count < Self.shortestPrefix,
      records.contains(where: { $0.peerId.lowercased().hasPrefix(word) })
    {
      return "an id needs at least its first \(Self.shortestPrefix) characters"
    }
    return "see 'peerpair list'"
  }

  /// The PEER for a command line: the name, or the id if the name matches another peer too.
  ///
  /// It is also the id if the name would be an option, a remote or an address there.
  package func word(for record: TrustRecord) -> String {
    let name = record.deviceName
    let isMistaken =
      name.utf8.first == UInt8(ascii: "-") || Self.isRemote(name) || HostAndPort(name) != nil
      || HostAndPort.hasWrongPort(name) || isAmbiguous(LinkPeer(record))
    return isMistaken ? record.peerId : ShellWord.posix(name)
  }

  /// Whether a word on a command line names a remote; a peer whose name begins like one is named by its id.
  package static func isRemote(_ word: String) -> Bool {
    ["dir:", "https://", "http://", "firestore://"].contains { word.hasPrefix($0) }
  }

  /// The peer in a message: the name, followed by the id if the name matches another peer too.
  package func mention(of peer: LinkPeer) -> String {
    "'\(peer.deviceName.escapingControls)'\(distinction(of: peer))"
  }

  /// The id in parentheses to put after the name of a peer; empty unless the name matches another peer too.
  package func distinction(of peer: LinkPeer) -> String { isAmbiguous(peer) ? " (\(peer.peerId))" : "" }

  /// Whether the name of a peer matches another peer too.
  private func isAmbiguous(_ peer: LinkPeer) -> Bool {
    switch find(peer.deviceName) {
    case .one(let found): !found.isAbout(peer.peerId)
    case .several: true
    case .none: false
    }
  }

  /// Why a link did not reach `wanted`: the other side shows the key of another trusted peer; nil otherwise.
  ///
  /// `hint` receives that peer's PEER for a command line.
  package func mistake(on link: Link, wanting wanted: LinkPeer, hint: (String) -> String) -> Diagnostic? {
    guard case .untrustedPeer(let key?) = link.failure, let other = owner(of: key),
      !other.isAbout(wanted.peerId)
    else { return nil }
    return Diagnostic(
      .untrustedPeer,
      "the device at this address shows the key of the trusted peer "
        + "'\(other.deviceName.escapingControls)' (\(other.peerId)), not that of \(mention(of: wanted))",
      file: link.remote.text, hint: hint(word(for: other)))
  }

  /// The reason why trusted peers cannot authenticate, which requires version 2; nil if any of them can.
  package var lackOfProof: Diagnostic? {
    guard !records.contains(where: { $0.version == .two }) else { return nil }
    guard let old = records.first else {
      return Diagnostic(.unknownPeer, "no trusted peers yet", hint: "pair with one: peersync pair")
    }
    return Diagnostic(
      .otherProtocolVersion,
      records.count == 1
        ? "the only trusted peer uses protocol version 1"
        : "all \(records.count) trusted peers use protocol version 1",
      file: old.deviceName.escapingControls, hint: "update it and pair again: peersync pair")
  }
}
