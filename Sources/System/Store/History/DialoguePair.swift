package import SyncCore
import SystemIO

/// Two sides of one dialogue face to face in this process: our store asks first, and a remote that is not a peer answers.
///
/// Nothing is lost on the way and nobody waits: what one side sends the other takes at once.
package struct DialoguePair<Remote: DialogueStore> {
  private var own: DialogueCourse<PeerStore>
  private var remote: DialogueCourse<Remote>

  /// `own` is the connector.
  package init(own: DialogueCourse<PeerStore>, remote: DialogueCourse<Remote>) {
    (self.own, self.remote) = (own, remote)
  }

  /// The counts so far, and why our own store has refused a page.
  package var tally: PeerStore.Tally { own.tally }
  package var refusal: StoreError? { own.refusal }
  package var quarantinedThere: Int { own.quarantinedThere }
  package var remoteStore: Remote { remote.store }

  /// Runs to the end, and returns how it came on our side; a signal ends it between two messages.
  ///
  /// Throws what a store has thrown: each page is stored whole with its checkpoint, or not at all.
  package mutating func run() throws -> DialogueEnd {
    _ = try remote.handle(.start)
    var (sent, pause) = try own.handle(.start)
    while true {
      var answers: [Message] = []
      for message in sent { answers += try remote.handle(.message(message)).messages }
      if case .end(let end) = pause {
        _ = try remote.handle(.closed)
        return end
      }
      if Interruption.pending != nil {
        answers = []
        (sent, pause) = try own.handle(.stop)
      } else if answers.isEmpty {
        (sent, pause) = try own.handle(.closed)
      } else {
        sent = []
      }
      for message in answers {
        if case .end = pause { break }
        let outcome = try own.handle(.message(message))
        sent += outcome.messages
        pause = outcome.pause
      }
    }
  }
}
