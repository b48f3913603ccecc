import Crypto
import JSONLines
import Links
public import PeerProtocol
import Store
public import SyncCore
import SystemIO

/// One side of a synchronization with a peer over the app's own transport of complete messages.
///
/// docs/formats/dialogue.md describes the messages. The transport must authenticate the other side, keep
/// messages complete and in order, and report when the other side has closed. Received data is stored before
/// it is acknowledged, so a dialogue can end at any point without losing data. The value is confined to one
/// task, and its calls write to the store.
public struct SyncDialogue {
  /// The reaction to an event.
  public typealias Step = DialogueReply
  /// The event that a side waits for.
  public typealias Next = DialogueReply.Next

  private var course: DialogueCourse<PeerStore>
  private let path: String
  private let patience: Duration

  /// The default size of a page in bytes.
  public static let defaultPage = DialogueSettings.loopPage

  /// A dialogue of this device with a peer; `beginning` must be true on exactly one of the two sides.
  ///
  /// `pageSize` is the size of the changes in one message, in bytes; a single change may be larger, up to 8
  /// MiB.
  ///
  /// - Throws: `storeBusy`, `storeRulesDiffer`, `noIdentity`.
  public init(
    _ device: SyncDevice, with peer: SyncDevice.Peer, over store: RecordStore, beginning: Bool,
    pageSize: Int = defaultPage
  ) throws(SyncError) {
    (path, patience) = (store.path, device.timeout)
    course = try SyncError.wrapping(store: store.path) {
      let opened = try ChangeStore(store.path, creating: true, wait: store.wait)
      try opened.settle(store.sessionChoice)
      var settings = DialogueSettings(
        of: Peer(device).introduction, with: peer.introduction, isConnector: beginning,
        shared: try opened.sharedRules { try $0.rulesDigest() })
      settings.pageLimit = pageSize
      return try DialogueCourse(
        settings, over: opened, limit: store.maxDelete, maximumDrift: store.maxDrift, now: { .wallTime })
    }
  }

  /// The number of the peer's changes that were stored here.
  public var received: Int { course.tally.received }
  /// The number of changes that the peer has stored.
  public var sent: Int { course.tally.sent }

  /// The number of changes of the peer that could not be applied here, and are in quarantine.
  public var quarantined: Int { course.setAside }
  /// The number of changes that the peer could not apply, and has in quarantine.
  public var quarantinedThere: Int { course.quarantinedThere }

  /// Begins the dialogue; both sides call it.
  public mutating func begin() throws(SyncError) -> Step { try handle(.start) }

  /// Handles a message of the other side: one JSON text, UTF-8, at most 16 MiB.
  public mutating func receive(_ message: [UInt8]) throws(SyncError) -> Step {
    try handle(DialogueEvent(receiving: message))
  }

  /// Continues after a time-out without a message.
  public mutating func timeOut() throws(SyncError) -> Step { try handle(.timedOut) }

  /// Continues after the other side has closed; after the end, this returns the end again.
  public mutating func close() throws(SyncError) -> Step { try handle(.closed) }

  /// Continues after a change in the store, which a waiting peer then gets at once.
  ///
  /// Without this call, a peer that follows gets the change when its request has waited long enough, up to an
  /// hour.
  public mutating func changed() throws(SyncError) -> Step { try handle(.changed) }

  private mutating func handle(_ event: DialogueEvent) throws(SyncError) -> Step {
    // Use a copy, because the closure cannot borrow the course while it is changed.
    var moved = course
    defer { course = moved }
    let (messages, pause) = try SyncError.wrapping(store: path) { try moved.handle(event) }
    return Step(messages: messages.map(\.line), next: next(after: pause, moved))
  }

  private func next(after pause: DialoguePause, _ course: DialogueCourse<PeerStore>) -> Next {
    switch pause {
    case .message(let extra, _): return .message(within: patience + extra)
    case .change(let time), .rest(let time): return .message(within: time)
    case .store: return .failed(SyncError(Diagnostic(StoreError.busy, store: path)))
    case .end(let end):
      let trouble = Diagnostic(end, of: course.settings, refusal: course.refusal, store: path)
      return trouble.map { .failed(SyncError($0)) } ?? .done
    }
  }
}
