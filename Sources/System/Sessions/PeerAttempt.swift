import Crypto
import JSONLines
import Links
import Pairing
import SyncCore
import SystemIO

/// One attempt to reach a peer, at its last address and at announced addresses at the same time.
///
/// The first connection on which the other end proves the peer's key wins; the other connections are closed.
/// The caller's loop calls `advance` in each of its turns, and reports the outcome of links.
final class PeerAttempt {
  enum Outcome {
    case connected(Link, address: String)
    /// The attempt has failed; with `isSettled` other addresses are useless: the peer itself has refused, or
    /// the fault is on this device.
    case failed(SessionReport, address: String?, isSettled: Bool)
  }

  private struct Try {
    let link: Link
    let address: String
    let isSearched: Bool
  }

  /// The outcome; nil while the attempt continues.
  private(set) var outcome: Outcome?

  private let caller: Caller
  private let record: TrustRecord
  private let part: DialogueSpeaker.Part
  private let moved: (DialogueSpeaker) -> Void
  /// The addresses that this attempt has claimed.
  let claims = PlaceClaims()
  /// The connection to a peer that was already found.
  private var found: PeerPlaces.Way?
  private var reach: BackgroundCall<PeerPlaces.Way?>?
  private var search: BackgroundCall<PeerPlaces.Way?>?
  /// The time of the next search of the network; nil without one.
  private var nextSearch: Duration?
  /// The latest time to begin a search; without it, devices that change their addresses could prolong the
  /// attempt.
  private let lastSearch: Duration
  private var hasSearched = false
  private var tries: [Try] = []
  /// The first failure at the peer's address, or otherwise at a found address.
  private var failure: (report: SessionReport, address: String?, isSearched: Bool)?

  /// The time for a peer to answer at its last address before the network is searched.
  private static let headStart = Duration.milliseconds(250)

  init(
    _ caller: Caller, _ record: TrustRecord, _ part: DialogueSpeaker.Part, found: PeerPlaces.Way? = nil,
    at now: Duration, moved: @escaping (DialogueSpeaker) -> Void = { _ in }
  ) {
    (self.caller, self.record, self.part, self.moved) = (caller, record, part, moved)
    lastSearch = now + caller.places.patience
    self.found = found
    let (places, claims) = (caller.places, claims)
    if let found { _ = claims.claim(found.connection.remote.text) }
    if let address = places.address(of: record) { caller.tell(record, .reaching(address.text)) }
    if places.maySearch { nextSearch = now + Self.headStart }
    reach = BackgroundCall { try places.reach(record, claims) }
  }

  // MARK: Turns

  /// Handles the results of connections; returns the time of the next call, nil if the attempt has ended.
  func advance(_ loop: LinkLoop, at now: Duration) -> Duration? {
    if let way = found {
      found = nil
      handle(.success(way), isSearched: true, loop, at: now)
    }
    if let result = reach?.outcome {
      reach = nil
      handle(result, isSearched: false, loop, at: now)
    }
    if let result = search?.outcome {
      search = nil
      handle(result, isSearched: true, loop, at: now)
    }
    if outcome == nil, let due = nextSearch, due <= now { look() }
    if outcome == nil, isIdle {
      if failure == nil { noteSilence() }
      conclude(isSettled: false)
    }
    return outcome == nil ? nextSearch ?? now + SessionSettings.idle : nil
  }

  func watch(_ polls: inout PollSet) {
    reach?.watch(&polls)
    search?.watch(&polls)
  }

  private var isIdle: Bool { reach == nil && search == nil && nextSearch == nil && tries.isEmpty }
  private var isReaching: Bool { reach != nil || tries.contains { !$0.isSearched } }

  private func search(at time: Duration) { if time < lastSearch { nextSearch = time } }

  private func look() {
    nextSearch = nil
    if !hasSearched { caller.tell(record, .searching) }
    hasSearched = true
    let (places, record, claims) = (caller.places, record, claims)
    search = BackgroundCall { try places.search(record, claims) }
  }

  private func handle(
    _ result: Result<PeerPlaces.Way?, any Error>, isSearched: Bool, _ loop: LinkLoop, at now: Duration
  ) {
    guard outcome == nil else { return }
    do {
      guard let way = try result.get() else {
        // The peer was not found. Search again only while another connection is still pending.
        if isReaching { search(at: now + .seconds(1)) }
        return
      }
      caller.tell(record, .connected(way.address))
      let peer = LinkPeer(record)
      let link = try caller.link(over: way.connection, to: peer, part, patience: way.patience, moved: moved)
      tries.append(Try(link: link, address: way.address, isSearched: isSearched))
      loop.add(link)
    } catch {
      note(SessionReport(LinkPeer(record), trouble: SyncRun.diagnostic(error)), nil, isSearched: isSearched)
      let isInterrupted = (error as? SystemError)?.isInterruption == true
      if isInterrupted { return conclude(isSettled: false) }
      if nextSearch != nil { nextSearch = isSearched ? nil : now }
    }
  }

  // MARK: Links

  /// Handles an opened link; true if it belongs to this attempt, which then has ended.
  func handle(opened link: Link, at now: Duration) -> Bool {
    guard let winner = tries.first(where: { $0.link === link }) else { return false }
    caller.tell(record, .proven(winner.address))
    outcome = .connected(link, address: winner.address)
    end(except: link, at: now)
    return true
  }

  /// Handles a link that ended before it was open; true if it belongs to this attempt.
  func handle(lost link: Link, _ settings: SessionSettings, at now: Duration) -> Bool {
    guard let index = tries.firstIndex(where: { $0.link === link }) else { return false }
    let lost = tries.remove(at: index)
    var session = SessionReport(link, with: LinkPeer(record), settings)
    session.trouble = caller.mistake(on: link, calling: record, at: lost.address) ?? session.trouble
    if link.isSettled || Interruption.pending != nil {
      failure = (session, lost.address, lost.isSearched)
      end(except: link, at: now)
      conclude(isSettled: true)
    } else {
      // In the meantime, another device may have received the address.
      note(session, lost.address, isSearched: lost.isSearched)
      if search == nil, caller.places.maySearch { search(at: now) }
    }
    return true
  }

  private func end(except kept: Link, at now: Duration) {
    claims.close()
    for other in tries where other.link !== kept { other.link.fail(.crowdedOut, at: now) }
    tries = []
  }

  private func note(_ session: SessionReport, _ address: String?, isSearched: Bool) {
    if let trouble = session.trouble { caller.tell(record, .failed(trouble)) }
    // If the address is unknown, the reason why there was no search says more.
    let isUnsearched = [failure?.report, session].allSatisfy { $0?.trouble?.code == .peerNotFound }
    if failure == nil || failure?.isSearched == true && !isSearched || isUnsearched {
      failure = (session, address, isSearched)
    }
  }

  /// Notes that the peer's address, which only the search has tried, did not answer.
  private func noteSilence() {
    let address = caller.places.address(of: record)?.text ?? record.deviceName
    let trouble = SyncRun.diagnostic(SystemError.unreachable(address))
    note(SessionReport(LinkPeer(record), trouble: trouble), nil, isSearched: true)
  }

  private func conclude(isSettled: Bool) {
    guard outcome == nil, let failure else { return }
    outcome = .failed(failure.report, address: failure.address, isSettled: isSettled)
  }
}
