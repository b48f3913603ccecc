import JSONLines
package import Store
package import SyncCore
import SystemIO

/// A shared folder as the other side of a dialogue.
///
/// It reads the files of others as pages, and writes changes as files of this store's own chain.
package struct FolderRemote: DialogueStore {
  private let folder: SharedFolder
  private let store: ChangeStore
  private let deviceId: String
  /// Whether nothing is written, neither files nor the store.
  private let isTrial: Bool
  /// This store may write changes in this session.
  private let mayWrite: Bool
  private let now: () -> Instant
  /// The chain that this store writes.
  private var own: ChainName
  /// The last file of the chain, and its digest; nil while there is none.
  private var last: (page: FolderPage, digest: String)?
  /// The end of the last existing file, if the one written after it has disappeared.
  private var rolledBack: [UInt8]?
  /// Whether the chain existed before.
  private var isKnown = false
  /// The end of the last page of this session, which the store may not know yet.
  private var reached: [UInt8]?
  /// Whether the next page is the first of a new start.
  private var isStart = false
  /// Whether a new start has all records, including those from other chains, because one of these has
  /// disappeared.
  private(set) var isComplete = false
  /// The files that chains continue with and that are missing or incomplete.
  package private(set) var awaited: [AwaitedFile] = []
  /// The chains that this store has given up here.
  private var abandoned: [String] = []

  /// `deviceId` is the folder's name for the files of this device.
  package init(
    _ folder: SharedFolder, _ store: ChangeStore, deviceId: String, isTrial: Bool, mayWrite: Bool,
    now: @escaping () -> Instant
  ) throws {
    (self.folder, self.store, self.isTrial, self.now) = (folder, store, isTrial, now)
    (self.deviceId, self.mayWrite) = (deviceId, mayWrite && !isTrial)
    own = Self.chain(deviceId, store)
    try resumeChain()
    // An incomplete start continues as it began.
    if last?.page.hasMore == true { isComplete = true }
    if try mayWrite && hasLostChain() { (isStart, isComplete) = (true, true) }
  }

  /// Whether a chain that this store has read is no longer in the folder, for example because an old device
  /// was removed.
  ///
  /// The lost records are only in the stores now, so a device added later would not get them.
  private func hasLostChain() throws -> Bool {
    guard let peer = try store.peer(known: folder.id),
      let token = try store.checkpoint(peer, .outgoing).flatMap({ FolderPage.bytes($0) })
    else { return false }
    let chains = folder.chains()
    return FolderPlaces(token: token).chains.keys.contains { $0 != own && chains[$0] == nil }
  }

  private static func chain(_ deviceId: String, _ store: ChangeStore, mark: String? = nil) -> ChainName {
    let random = HexDigits.text((0..<4).map { _ in UInt8.random(in: 0...255) })
    return ChainName(
      device: deviceId, store: HexDigits.text(Array(store.id.prefix(8))), mark: mark ?? random)
  }

  /// Continues the chain whose last file is the one that this store remembers, and which belongs to its
  /// history.
  ///
  /// A copied or restored store finds another last file, and so does a store whose folder has been emptied.
  /// Such a store begins its own chain, and reads its earlier files as if they were another's.
  private mutating func resumeChain() throws {
    guard let peer = try store.peer(known: folder.id) else { return }
    let all = folder.chains()
    for written in try store.chains(for: peer) {
      let chain = Self.chain(deviceId, store, mark: written.mark)
      guard let numbers = all[chain], let number = numbers.last else {
        // It has only read so far, or was killed before its first file existed.
        if written.previous.isEmpty, folder.seen(by: chain) != nil { (own, isKnown) = (chain, true) }
        continue
      }
      guard let found = try folder.read(chain, number),
        (number, found.digest) == (written.number, written.digest)
          || (number, found.digest) == (written.number - 1, written.previous),
        let token = StoreToken(bytes: found.page.token), try store.standing(of: token) != .foreign,
        try isWhole(chain, numbers, written)
      else { continue }
      (own, last, isKnown) = (chain, found, true)
      rolledBack = number == written.number ? nil : token.bytes
    }
    abandoned = try store.chains(for: peer).map(\.mark).filter { $0 != own.mark }
  }

  /// Whether no file of the chain was replaced by a copy of this store that wrote under the same names.
  private func isWhole(_ chain: ChainName, _ numbers: [Int], _ written: WrittenChain) throws -> Bool {
    let stamp = try folder.stamp(chain, numbers)
    if stamp == written.stamp { return true }
    var digest: String?
    for number in numbers {
      guard let file = try folder.read(chain, number), digest == nil || file.page.previous == digest else {
        return false
      }
      digest = file.digest
    }
    if isTrial { return true }
    var written = written
    written.stamp = stamp
    try remember(written)
    return true
  }

  // MARK: Answers

  /// As the store has it, which is further than the last file if nothing had to be written since.
  package mutating func checkpoint(onPeer peer: String) throws -> [UInt8]? {
    if let reached { return reached }
    guard try isKnown && !isStart && !isDue(), let peer = try store.peer(known: folder.id),
      let token = try rolledBack.flatMap({ StoreToken(bytes: $0) })
        ?? store.checkpoint(peer, .incoming).flatMap({ StoreToken($0) }),
      try store.standing(of: token) != .foreign
    else {
      isStart = true
      return nil
    }
    return token.bytes
  }

  /// Nil for a complete start, which includes changes that came from the folder.
  package func acknowledged(byPeer peer: String) throws -> [UInt8]? {
    isComplete ? nil : folder.seen(by: own)?.places.token
  }

  /// Files of the other chains, after those that the token names.
  package mutating func page(_ request: PageRequest, forPeer peer: String) throws -> PageAnswer {
    var places = FolderPlaces(token: request.since)
    var page = StorePage(lines: [], token: [])
    awaited = []
    let chains = folder.chains()
    // A chain that has disappeared is remembered until this store writes its records.
    if mayWrite { places.chains = places.chains.filter { chains[$0.key] != nil } }
    for (chain, numbers) in chains.sorted(by: { $0.key < $1.key }) where chain != own {
      var reader = ChainReader(folder, chain, numbers, places.chains[chain])
      while let file = try reader.next() {
        if !page.lines.isEmpty, page.lines.count + file.lines.count > request.limit ?? .max {
          page.hasMore = true
          break
        }
        page.lines += file.lines
        places.chains[chain] = reader.place
        if request.wantsRules, page.rules == nil { page.rules = file.rules }
        if Interruption.pending != nil { throw SystemError.interrupted }
      }
      if page.hasMore { break }
      if let number = reader.awaited, !chains.keys.contains(where: { isReplaced(chain, by: $0, chains) }) {
        awaited.append(
          AwaitedFile(name: chain.file(number), isDamaged: try folder.isDamaged(chain, number)))
      }
    }
    page.token = places.token
    return .page(page)
  }

  /// Whether the writer of a chain has replaced it by another one, which has all its records.
  private func isReplaced(_ chain: ChainName, by other: ChainName, _ chains: [ChainName: [Int]]) -> Bool {
    guard other != chain, (other.device, other.store) == (chain.device, chain.store),
      let start = try? ChainReader(folder, other, chains[other] ?? [], nil).lastStart(),
      let page = try? folder.read(other, start)?.page
    else { return false }
    return page.replaces.contains(chain.mark)
  }

  /// The rules by which another device merges, if the folder has some that differ from `shape`.
  package func otherRules(than shape: RecordShape?) throws -> RecordShape? {
    for (chain, numbers) in folder.chains().sorted(by: { $0.key < $1.key }) where chain != own {
      guard let rules = try numbers.last.flatMap({ try folder.read(chain, $0) })?.page.rules,
        let other = try? RecordShape(rules: rules.span)
      else { continue }
      guard let shape, shape.hasSameRules(as: other) else { return other }
    }
    return nil
  }

  // MARK: Pages to write

  /// Writes a page as the next file; the store remembers it first, so that it recognizes its own file later.
  package mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws -> ApplyAnswer {
    if isTrial { return .applied(quarantined: 0, isIdle: true) }
    if !page.token.isEmpty { reached = page.token }
    if page.lines.isEmpty { return .applied(quarantined: 0, isIdle: true) }
    let number = (last?.page.number ?? 0) + 1
    let begins = last == nil || isStart || page.mode.facts != nil
    let start = begins ? number : last?.page.start ?? number
    var file = FolderPage(
      lines: page.lines, token: page.token, number: number, start: start, previous: last?.digest ?? "",
      total: (begins ? 0 : last?.page.total ?? 0) + page.lines.count { $0 == 10 })
    file.hasMore = page.hasMore
    if let rules = try store.rules() { file.rules = rules.rules }
    if begins { file.replaces = abandoned }
    let text = try file.text()
    let digest = try FolderPlaces.digest(text)
    var chain = WrittenChain(mark: own.mark, number: number, digest: digest, previous: file.previous)
    try remember(chain)
    try folder.write(text, as: own, number)
    (last, isStart, isKnown) = ((file, digest), false, true)
    if !page.hasMore {
      try removeOld()
      chain.stamp = try folder.stamp(own, folder.chains()[own] ?? [])
      try remember(chain)
    }
    return .applied(quarantined: 0)
  }

  package func acknowledge(_ token: [UInt8], byPeer peer: String) throws {
    guard !isTrial else { return }
    let places = FolderPlaces(token: token)
    if let seen = folder.seen(by: own), seen.places == places, seen.at.advanced(by: Self.visit) > now() {
      return
    }
    // A device that has neither read nor written anything needs no folder.
    if places.chains.isEmpty, last == nil { return }
    do {
      try folder.note(places, by: own, at: now())
    } catch  where FileMode.isOnReadOnlySystem(folder.path) {
      // Files that were read are merged anyway; they are kept a while longer.
      return
    }
    if last == nil, !isKnown { try remember(WrittenChain(mark: own.mark)) }
  }

  private func remember(_ chain: WrittenChain) throws {
    try store.write { try store.setChain(chain, for: store.peer(seen: folder.id, now: now())) }
  }

  /// After this long this device renews its sign of life.
  private static let visit = Duration.seconds(86_400)

  /// None of this came from a store, so the next page is complete.
  package mutating func disownChanges(fromPeer peer: String) throws { isStart = true }

  // MARK: Room

  /// Whether the chain has more than twice as many lines as a new beginning would have.
  ///
  /// An incomplete beginning is continued first.
  private func isDue() throws -> Bool {
    guard let last, !last.page.hasMore else { return false }
    return try last.page.total > 2 * store.read { store.live + store.tombstones } + Self.slack
  }

  /// So that a small store does not begin again too often.
  private static let slack = 100

  /// Removes the files before the last complete beginning, once all readers have read it.
  private func removeOld() throws {
    guard let last, !last.page.hasMore else { return }
    let old = (folder.chains()[own] ?? []).filter { $0 < last.page.start }
    guard !old.isEmpty else { return }
    let recent = now().advanced(by: .zero - Self.silence)
    for reader in folder.readers(but: own) where reader.at > recent {
      if let place = reader.places.chains[own], place.number < last.page.start - 1 { return }
    }
    for number in old { folder.remove(own, number) }
  }

  /// A device silent for longer is not awaited.
  private static let silence = Duration.seconds(90 * 86_400)
}

/// A file that the sync of a folder waits for.
package struct AwaitedFile: Equatable, Sendable {
  /// Below the folder.
  package var name: String
  /// Whether it is complete, but not as its writer wrote it.
  package var isDamaged: Bool
}

/// Reads one chain from a place on, as far as it continues without a gap.
struct ChainReader {
  private let folder: SharedFolder
  private let chain: ChainName
  private let numbers: [Int]
  /// The last file that was read.
  private(set) var place: FolderPlaces.Place?
  /// The number of the next file of the chain, if it is incomplete, or missing while later ones exist.
  private(set) var awaited: Int?

  init(_ folder: SharedFolder, _ chain: ChainName, _ numbers: [Int], _ place: FolderPlaces.Place?) {
    (self.folder, self.chain, self.numbers, self.place) = (folder, chain, numbers, place)
  }

  mutating func next() throws -> FolderPage? {
    awaited = nil
    guard let end = numbers.last else { return nil }
    if let place {
      let hasStood = try stands(place)
      if place.number >= end, hasStood { return nil }
      if hasStood, numbers.contains(place.number + 1) {
        guard let file = try folder.read(chain, place.number + 1) else { return wait(place.number + 1) }
        if file.page.previous == place.digest { return accept(file) }
        // A copy of the writer's store has put its own file into the chain; its changes are merged all the
        // same.
        guard let start = try lastStart(), start > place.number + 1 else { return accept(file) }
      }
    }
    // Nothing was read, or the place is gone: continue from the start of the complete records.
    guard let start = try lastStart(), try start > place?.number ?? 0 || !stands(place) else {
      return wait((place?.number ?? 0) + 1)
    }
    guard let file = try folder.read(chain, start) else { return wait(start) }
    return accept(file)
  }

  private mutating func accept(_ file: (page: FolderPage, digest: String)) -> FolderPage {
    place = FolderPlaces.Place(number: file.page.number, digest: file.digest)
    return file.page
  }

  private mutating func wait(_ number: Int) -> FolderPage? {
    if number <= numbers.last ?? 0 { awaited = number }
    return nil
  }

  /// Whether the last read file is still in its place, or gone.
  private func stands(_ place: FolderPlaces.Place?) throws -> Bool {
    guard let place, numbers.contains(place.number) else { return true }
    guard let file = try folder.read(chain, place.number) else { return true }
    return file.digest == place.digest
  }

  /// As noted in the last complete file.
  func lastStart() throws -> Int? {
    for number in numbers.reversed() {
      if let file = try folder.read(chain, number) { return file.page.start }
    }
    return nil
  }
}
