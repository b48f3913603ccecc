import Crypto
import JSONLines
import Links
import PeerProtocol
import Sessions
public import SyncCore
import SystemIO

extension SyncDevice {
  /// Answers the peers that connect, until the task is cancelled; their changes are then in the store.
  ///
  /// Bonjour announces the device. `port` 0 means any free port; `ready` is called once with the port, and
  /// `ended` with the outcome of each session, both on separate threads.
  ///
  /// - Throws: `cannotListen`, `storeBusy`, `noIdentity`.
  public func serve(
    _ store: RecordStore, port: Int = 0, ready: @escaping @Sendable (_ port: Int) -> Void = { _ in },
    ended: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) async throws(SyncError) {
    try await Blocking.run { cancellation throws(SyncError) in
      try SyncError.wrapping(store: store.path) {
        let sessions = sessions(store)
        let identity = try identity()
        let open = try OpenStore(sessions)
        let listener = try Listener.open(host: nil, port: port, interface: nil)
        let places = OpenLinks(sharing: 16)
        var links = LinkSettings(.listener, identity: identity) { [peers] in try peers.owner(of: $0) }
        links.objection = { [peers] in peers.objection(to: $0, wanting: nil) }
        links.covers = peers.covers
        links.refusal = { places.refusal(of: $0) }
        links.timeouts.silence = timeout
        links.timeouts.handshake = min(timeout, LinkTimeouts.openTime)
        links.speaker = { DialogueSpeaker(sessions, .init(.acceptor), open) }
        let notes = SessionNotes(peers, sessions)
        let loop = LinkLoop(links, try TLSContext(identity), listeners: [listener]) { event in
          places.handle(event)
          switch event {
          case .opened(let link):
            if let peer = link.peer { notes.begin(link, with: peer, at: nil) }
          case .refused: break
          case .closed(let link):
            guard let peer = link.peer else { return }
            let report = SessionReport(link, with: peer, sessions)
            // A failure to write notes must not end the server.
            try? notes.end(link, as: report)
            let key = link.fingerprint?.text ?? ""
            ended(
              Outcome(
                report,
                with: Peer(
                  .init(peerId: peer.peerId, deviceName: peer.deviceName, publicKeyFingerprint: key))))
          }
        }
        loop.tend = { notes.tend(at: $0) }
        loop.cancellation = cancellation
        loop.companion = Presence.announcement(
          of: identity, port: listener.port, interface: nil, over: .two)
        ready(listener.port)
        try loop.run()
        try notes.finish()
      }
    }
  }
}
