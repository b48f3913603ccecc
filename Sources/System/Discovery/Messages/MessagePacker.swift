/// Messages cut so that each fits into a packet.
enum MessagePacker {
  /// What an Ethernet packet holds besides the headers of IPv6 and UDP.
  static let room = 1_452
  /// More known answers than fit into so many packets are not named: a flood of records must not become one of ours.
  static let longestQuery = 16

  /// Queries; where the known answers of one need more packets, these follow it and the TC bit says so
  /// (RFC 6762 §7.2).
  static func queries(_ questions: [Question], knowing known: [ResourceRecord]) -> [DNSMessage] {
    var messages: [DNSMessage] = []
    var rest = questions[...]
    repeat {
      let count = fitting(rest.count) { .query(Array(rest.prefix($0))) }
      messages.append(.query(Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    } while !rest.isEmpty
    guard var last = messages.popLast() else { return [] }
    var answers = known[...]
    var isFirst = true
    while isFirst || !answers.isEmpty && messages.count < longestQuery {
      let base = isFirst ? last.questions : []
      let count = fitting(answers.count, least: isFirst ? 0 : 1) {
        .query(base, knowing: Array(answers.prefix($0)))
      }
      last = .query(base, knowing: Array(answers.prefix(count)))
      answers = answers.dropFirst(count)
      last.isTruncated = !answers.isEmpty && messages.count + 1 < longestQuery
      messages.append(last)
      isFirst = false
    }
    return messages
  }

  /// Responses; additional records go with the last answers as far as there is room.
  static func responses(_ answers: [ResourceRecord], additionals: [ResourceRecord] = []) -> [DNSMessage] {
    var messages: [DNSMessage] = []
    var rest = answers[...]
    while !rest.isEmpty {
      let count = fitting(rest.count) { .response(Array(rest.prefix($0))) }
      var message = DNSMessage.response(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
      if rest.isEmpty {
        let extra = fitting(additionals.count, least: 0) {
          .response(message.answers, additionals: Array(additionals.prefix($0)))
        }
        message.additionals = Array(additionals.prefix(extra))
      }
      messages.append(message)
    }
    return messages
  }

  /// The largest count up to `most` with which a message fits, found by halving; a single record goes out by itself
  /// whatever its size (§17).
  private static func fitting(_ most: Int, least: Int = 1, _ message: (Int) -> DNSMessage) -> Int {
    var (low, high) = (min(least, most), most)
    while low < high {
      let middle = (low + high + 1) / 2
      if message(middle).encoded().count <= room { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
