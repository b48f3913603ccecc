import JSONLines
package import Store
package import SyncCore
import SystemIO

/// A shared folder as the other side of a dialogue.
///
/// It reads the files of other stores as pages, and writes changes as files of this store's own chain.
package struct FolderRemote: DialogueStore {
  let folder: SharedFolder
  let store: ChangeStore
  private let deviceId: String
  /// Whether the run neither writes files nor changes the store.
  private let isDryRun: Bool
  /// Whether this store may write changes in this session.
  let mayWrite: Bool
  let now: () -> Instant
  /// The chain that this store writes.
  var own: ChainName
  /// The last file of the chain, and its digest; nil before the first file.
  var last: (page: FolderPage, digest: String)?
  /// The token of the last existing file, if the file written after it has disappeared.
  var rolledBack: [UInt8]?
  /// Whether the chain existed before.
  private var isKnown = false
  /// The end of the last page of this session, which the store may not have noted yet.
  private var reached: [UInt8]?
  /// Whether the next page is the first of a new start.
  var isStart = false
  /// Whether a new start must also have the records of other chains, because a chain has disappeared.
  private(set) var isComplete = false
  /// The chains that have disappeared from the folder after this store has read them.
  private var lost: Set<ChainName> = []
  /// The next files of chains, if they are missing or incomplete.
  package private(set) var awaited: [AwaitedFile] = []
  /// The error for each other device whose folder, or a needed file in it, cannot be read.
  var unreadable: [String: Diagnostic] = [:]
  /// The bytes of the change lines in the files that were read and written.
  private(set) var bytes = (received: 0, sent: 0)
  /// The chains that this store has abandoned here.
  var abandoned: [String] = []

  /// `deviceId` is the folder's name for the files of this device.
  package init(
    _ folder: SharedFolder, _ store: ChangeStore, deviceId: String, isDryRun: Bool, mayWrite: Bool,
    now: @escaping () -> Instant
  ) throws {
    (self.folder, self.store, self.isDryRun, self.now) = (folder, store, isDryRun, now)
    (self.deviceId, self.mayWrite) = (deviceId, mayWrite && !isDryRun)
    own = Self.chain(deviceId, store)
    try resumeChain()
    // Continue an interrupted start with all records.
    if last?.page.hasMore == true { isComplete = true }
    if mayWrite { lost = try lostChains() }
    if !lost.isEmpty { (isStart, isComplete) = (true, true) }
  }

  /// The chains that this store has read and that the folder has lost, for example of a removed device.
  ///
  /// A device that is added later would not receive their records, which only the stores have now.
  private mutating func lostChains() throws -> Set<ChainName> {
    guard let peer = try store.peer(known: folder.id) else { return [] }
    let chains = try chains()
    return try Set(
      places(of: peer).chains.keys.filter {
        $0 != own && chains[$0] == nil && unreadable[$0.device] == nil
      })
  }

  /// The chains in the folder, without other devices whose folders cannot be read.
  ///
  /// Throws if this device's own folder cannot be read, because its chain would count as lost.
  private mutating func chains() throws -> [ChainName: [Int]] {
    let contents = try folder.contents()
    if let error = contents.unreadable[own.device] { throw error }
    unreadable.merge(contents.unreadable) { $1 }
    return contents.chains
  }

  /// The places up to which this store has read the other chains.
  private func places(of peer: StorePeer) throws(StoreError) -> FolderPlaces {
    FolderPlaces(token: try store.checkpoint(peer, .outgoing).flatMap { FolderPage.bytes($0) })
  }

  private static func chain(_ deviceId: String, _ store: ChangeStore, mark: String? = nil) -> ChainName {
    let random = HexDigits.text((0..<4).map { _ in UInt8.random(in: 0...255) })
    return ChainName(
      device: deviceId, store: HexDigits.text(Array(store.id.prefix(8))), mark: mark ?? random)
  }

  /// Continues the chain with the last file that this store remembers and that belongs to its history.
  ///
  /// Without such a file, as in a copied or restored store or in an emptied folder, the store begins a new
  /// chain, and reads its earlier files like those of another store. It also does so if the file is missing
  /// from which the chain is complete, because a new device could not read the chain.
  private mutating func resumeChain() throws {
    guard let peer = try store.peer(known: folder.id) else { return }
    let all = try chains()
    for written in try store.chains(for: peer) {
      let chain = Self.chain(deviceId, store, mark: written.mark)
      guard let numbers = all[chain], let number = numbers.last else {
        // This store has read the folder, but not written to it yet.
        if written.number == 0, try folder.seen(by: chain) != nil { (own, isKnown) = (chain, true) }
        continue
      }
      guard let found = try folder.read(chain, number), numbers.contains(found.page.start),
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

  /// Whether all files of the chain are this store's own, and a copy of the store has not replaced any.
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
    if isDryRun { return true }
    var written = written
    written.stamp = stamp
    try remember(written)
    return true
  }

  // MARK: Answers

  /// The store's own checkpoint, which is past the last file if later pages were empty.
  ///
  /// An interrupted answer continues at the end of the last file, which the store may not have noted.
  package mutating func checkpoint(onPeer peer: String) throws -> [UInt8]? {
    if let reached { return reached }
    let unfinished = last.flatMap { $0.page.hasMore ? $0.page.token : nil }
    guard try isKnown && !isStart && !isDue(), let peer = try store.peer(known: folder.id),
      let token = try (rolledBack ?? unfinished).flatMap({ StoreToken(bytes: $0) })
        ?? store.checkpoint(peer, .incoming).flatMap({ StoreToken($0) }),
      try store.standing(of: token) != .foreign
    else {
      isStart = true
      return nil
    }
    return token.bytes
  }

  /// The places up to which other chains were read; nil for a complete start, which also has their changes.
  package func acknowledged(byPeer peer: String) throws -> [UInt8]? {
    try isComplete ? nil : folder.seen(by: own)?.places?.token
  }

  /// Reads files of the other chains, after the files in the token.
  package mutating func page(_ request: PageRequest, forPeer peer: String) throws -> PageAnswer {
    var places = FolderPlaces(token: request.since)
    var page = StorePage(lines: [], token: [])
    awaited = []
    let chains = try chains()
    for (chain, numbers) in chains.sorted(by: { $0.key < $1.key }) where chain != own {
      var reader = ChainReader(folder, chain, numbers, places.chains[chain])
      while let file = try reader.next() {
        if !page.lines.isEmpty, page.lines.count + file.lines.count > request.limit ?? .max {
          page.hasMore = true
          break
        }
        page.lines += file.lines
        bytes.received += file.lines.count
        places.chains[chain] = reader.place
        if Interruption.pending != nil { throw SystemError.interrupted }
      }
      if page.hasMore { break }
      if let number = reader.awaited, !chains.keys.contains(where: { isReplaced(chain, by: $0, chains) }) {
        switch try folder.isDamaged(chain, number) {
        case .success(let isDamaged):
          awaited.append(AwaitedFile(name: chain.file(number), isDamaged: isDamaged))
        case .failure(let error): unreadable[chain.device] = error
        }
      }
    }
    page.token = places.token
    if request.wantsRules { page.rules = try adoptedRules()?.rules }
    return .page(page)
  }

  /// Whether the writer of a chain has replaced it by another chain with all its records.
  func isReplaced(_ chain: ChainName, by other: ChainName, _ chains: [ChainName: [Int]]) -> Bool {
    guard other != chain, (other.device, other.store) == (chain.device, chain.store),
      let start = try? ChainReader(folder, other, chains[other] ?? [], nil).lastStart(),
      let page = try? folder.read(other, start)?.page
    else { return false }
    return page.replaces.contains(chain.mark)
  }

  // MARK: Pages to write

  /// Writes a page as the next file.
  package mutating func apply(_ page: ReceivedPage, fromPeer peer: String) throws -> ApplyAnswer {
    if isDryRun { return .applied(quarantined: 0, isIdle: true) }
    if !page.token.isEmpty { reached = page.token }
    if page.lines.isEmpty {
      if !page.hasMore { try forgetLost(peer) }
      return .applied(quarantined: 0, isIdle: true)
    }
    let number = (last?.page.number ?? 0) + 1
    let begins = last == nil || isStart || page.mode.facts != nil
    let start = begins ? number : last?.page.start ?? number
    var file = FolderPage(
      lines: page.lines, token: page.token, number: number, start: start, previous: last?.digest ?? "",
      total: (begins ? 0 : last?.page.total ?? 0) + page.lines.count { $0 == 10 })
    file.hasMore = page.hasMore
    if let rules = try store.rules() { file.rules = rules.rules }
    if begins { file.replaces = abandoned }
    try write(file)
    isStart = false
    try forgetLost(peer)
    return .applied(quarantined: 0)
  }

  /// Forgets the chains that have disappeared, because a complete start has begun; it continues after an
  /// interruption.
  private mutating func forgetLost(_ id: String) throws {
    guard !lost.isEmpty else { return }
    let token = try store.write {
      let peer = try store.peer(seen: folder.id, now: now())
      var places = try places(of: peer)
      places.chains = places.chains.filter { !lost.contains($0.key) }
      try store.setCheckpoint(peer, .outgoing, TokenText.text(places.token), now: now())
      return places.token
    }
    lost = []
    try acknowledge(token, byPeer: id)
  }

  /// Writes a file of the chain; the store first remembers it, to recognize its own file later.
  mutating func write(_ file: FolderPage) throws {
    let text = try file.text()
    let digest = try FolderPlaces.digest(text)
    var chain = WrittenChain(mark: own.mark, number: file.number, digest: digest, previous: file.previous)
    try remember(chain)
    try folder.write(text, as: own, file.number)
    bytes.sent += file.lines.count
    (last, isKnown) = ((file, digest), true)
    if file.hasMore { return }
    try removeOld()
    chain.stamp = try folder.stamp(own, folder.chains()[own] ?? [])
    try remember(chain)
  }

  package func acknowledge(_ token: [UInt8], byPeer peer: String) throws {
    guard !isDryRun else { return }
    let places = FolderPlaces(token: token)
    if let seen = try folder.seen(by: own), seen.places == places, seen.at.advanced(by: Self.visit) > now() {
      return
    }
    // A device that has not read or written yet does not need a folder.
    if places.chains.isEmpty, last == nil { return }
    do {
      try folder.note(places, by: own, at: now())
    } catch  where FileMode.isOnReadOnlySystem(folder.path) {
      // The files were merged; without this note their writers keep them longer.
      return
    }
    if last == nil, !isKnown { try remember(WrittenChain(mark: own.mark)) }
  }

  private func remember(_ chain: WrittenChain) throws {
    try store.write { try store.setChain(chain, for: store.peer(seen: folder.id, now: now())) }
  }

  /// The interval at which this device renews the time of its last visit.
  private static let visit = Duration.seconds(86_400)

  /// Makes the next page complete, because the folder has lost this store's changes.
  package mutating func disownChanges(fromPeer peer: String) throws { isStart = true }
}

/// A file that the sync of a folder waits for.
package struct AwaitedFile: Equatable, Sendable {
  /// The path of the file, relative to the folder.
  package var name: String
  /// Whether the file is complete, but was changed.
  package var isDamaged: Bool
}
