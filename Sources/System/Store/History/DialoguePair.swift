import JSONLines
import PeerProtocol
package import SyncCore
import SystemIO

/// Both sides of a dialogue in this process, between our store and a remote that is not a peer.
///
/// Our store sends the first request. Each side receives a message as soon as it is sent, so neither waits.
package struct DialoguePair<Remote: DialogueStore> {
  private var own: DialogueCourse<PeerStore>
  private var remote: DialogueCourse<Remote>

  /// `own` is the connector.
  package init(own: DialogueCourse<PeerStore>, remote: DialogueCourse<Remote>) {
    (self.own, self.remote) = (own, remote)
  }

  /// The counts so far, and the reason why our own store has refused a page.
  package var tally: PeerStore.Tally { own.tally }
  package var refusal: StoreError? { own.refusal }
  package var quarantinedThere: Int { own.quarantinedThere }
  package var remoteStore: Remote { remote.store }

  /// Runs to the end and returns our side's end; a signal ends the run between two messages.
  ///
  /// Throws the error of either store, or ``Diagnostic/longSession`` after `longest`; each page is stored completely with its checkpoint, or rolled back.
  package mutating func run(atMost longest: Duration = DialogueSettings.longestSession) throws -> DialogueEnd
  {
    let last = SystemClock.monotonic() + longest
    _ = try remote.handle(.start)
    var (sent, pause) = try own.handle(.start)
    while true {
      if SystemClock.monotonic() >= last { throw Diagnostic.longSession }
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
