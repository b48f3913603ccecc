extension RecordCache {
  /// A sender of more is no peer but a flood.
  static let fairShare = 64

  /// A quarter of the records goes: first those of senders that have more than a fair share, then those of the
  /// senders that came last, of each the newest first.
  ///
  /// A flood from one address so loses to itself, also where the address is that of a peer. One from many forged
  /// addresses leaves those alone that were there before it.
  mutating func makeRoom() {
    let quota = max(1, sets.values.reduce(0) { $0 + $1.count } / 4)
    let place = { [senders] (entry: Entry) in Self.place(entry, senders[entry.source]!) }
    let last = sets.values.joined().map { place($0.value) }.sorted(by: <)[quota - 1]
    var equals = quota - sets.values.joined().count { place($0.value) < last }
    for key in Array(sets.keys) {
      var gone: [Entry] = []
      let kept = sets[key]!.filter { _, entry in
        let own = place(entry)
        guard own < last || own == last && equals > 0 else { return true }
        if own == last { equals -= 1 }
        gone.append(entry)
        return false
      }
      guard !gone.isEmpty else { continue }
      gone.forEach { forget($0) }
      sets[key] = kept.isEmpty ? nil : kept
    }
  }

  /// Where a record stands among those that go: the least goes first.
  private static func place(_ entry: Entry, _ sender: Sender) -> (Int, Duration, Duration) {
    sender.load > fairShare
      ? (0, .zero, .zero - entry.since) : (1, .zero - sender.since, .zero - entry.since)
  }
}
