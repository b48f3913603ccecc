/// Which of the connections that have proven nothing yet makes room for a new one.
package enum OpenDoor {
  /// The place of the one to drop: the oldest from the address that has the most of them.
  ///
  /// `addresses` are those of the connections, the oldest first, and not empty. So one address cannot push out the
  /// others, however many connections it opens.
  package static func victim(among addresses: [String]) -> Int {
    var counts: [String: Int] = [:]
    for address in addresses { counts[address, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    return addresses.firstIndex { counts[$0] == most } ?? 0
  }

  /// What stands for an address: an IPv6 network of 64 bits belongs to one subscriber, who has all addresses of it.
  package static func group(of host: String) -> String {
    guard host.contains(":"), !host.hasPrefix("fe80:") else { return host }
    let words = host.split(separator: ":", omittingEmptySubsequences: false)
    // A gap within the first four words is zeros; what stands before it is the network.
    let network = words.prefix(4).prefix { !$0.isEmpty }
    return network.joined(separator: ":") + "::/64"
  }
}
