/// The numbers of slots in the order of their last use, in two lists; each slot is in at most one.
struct UseOrder: Sendable {
  private struct Link {
    var before = -1
    var after = -1
    var list = 0
  }

  private var links: [Link] = []
  private var ends = [Link(), Link()]

  /// The least recently used slot of a list.
  func oldest(of list: Int) -> Int? { ends[list].after < 0 ? nil : ends[list].after }

  /// Puts a slot at the end of a list.
  mutating func use(_ slot: Int, in list: Int) {
    while links.count <= slot { links.append(Link(list: -1)) }
    // A busy stream is often the newest already.
    if links[slot].list == list, ends[list].before == slot { return }
    remove(slot)
    let last = ends[list].before
    links[slot] = Link(before: last, after: -1, list: list)
    if last >= 0 { links[last].after = slot } else { ends[list].after = slot }
    ends[list].before = slot
  }

  mutating func remove(_ slot: Int) {
    guard slot < links.count, links[slot].list >= 0 else { return }
    let link = links[slot]
    if link.before >= 0 { links[link.before].after = link.after } else { ends[link.list].after = link.after }
    if link.after >= 0 {
      links[link.after].before = link.before
    } else {
      ends[link.list].before = link.before
    }
    links[slot].list = -1
  }
}
