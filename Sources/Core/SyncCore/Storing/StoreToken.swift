import JSONLines

/// A place in a store's history; a reader requests the changes after it.
///
/// As text it is Base64 of a byte 1, the store's id, the sequence and the mark, both with the most
/// significant byte first. The token of a page that is not the last one also has the sequence at which the
/// page was read. In a complete answer it also has the sequence at which the answer began. Readers must treat
/// it as opaque.
package struct StoreToken: Equatable, Sendable {
  /// 16 random bytes, chosen when a store is made.
  package typealias StoreID = [UInt8]

  package var store: StoreID
  package var sequence: Int64
  /// The random mark of the commit at `read`, or at `sequence` if `read` is nil; 0 before the first commit.
  package var mark: UInt64
  /// The store's last sequence when a page that is not the last one was read.
  ///
  /// Records changed up to then may be missing from the earlier pages. If the store is then restored to an
  /// earlier state, these records have their old sequences again. These sequences are before the end of the
  /// page, so the reader would miss the records.
  package var read: Int64?
  /// The start of a complete answer, if this is the end of one of its pages.
  package var start: Int64?

  /// Whether the changes after it are a difference, and not the rest of a complete answer.
  package var isOfDifference: Bool { start == nil }

  package init(store: StoreID, sequence: Int64, mark: UInt64, read: Int64? = nil, start: Int64? = nil) {
    (self.store, self.sequence, self.mark) = (store, sequence, mark)
    (self.read, self.start) = (read, read == nil ? nil : start)
  }

  /// Reads a token; nil for other text, as tokens of other programs have other forms.
  package init?(_ text: String) {
    var bytes: [UInt8] = []
    let digits = Array(text.utf8)
    guard (try? Base64.decode(digits.span, into: &bytes)) != nil else { return nil }
    self.init(bytes: bytes)
  }

  package init?(bytes: [UInt8]) {
    guard [33, 41, 49].contains(bytes.count), bytes[0] == 1 else { return nil }
    let numbers = stride(from: 17, to: bytes.count, by: 8).map { start in
      bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    guard let sequence = Int64(exactly: numbers[0]) else { return nil }
    let places = numbers[2...].map { Int64(exactly: $0) }
    if places.contains(nil) { return nil }
    self.init(
      store: Array(bytes[1..<17]), sequence: sequence, mark: numbers[1], read: places.first ?? nil,
      start: places.dropFirst().first ?? nil)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = [1] + store
    for number in [UInt64(sequence), mark] + [read, start].compactMap({ $0.map { UInt64($0) } }) {
      bytes += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    return bytes
  }

  package var text: String {
    var digits: [UInt8] = []
    Base64.append(bytes.span, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }
}

/// The store's assessment of a token.
package enum TokenStanding: Equatable, Sendable {
  /// The changes after it are the complete difference.
  case valid
  /// The token belongs to another store, or to a history that this store no longer has, because it was
  /// restored or copied.
  case foreign
  /// Tombstones after it have been compacted away.
  case expired
}

extension StoreToken {
  /// `mark` is the mark of the store's commit at this token's `read`, otherwise at its sequence; nil if the
  /// store has not reached that sequence.
  ///
  /// `compacted` is the highest sequence of a removed tombstone.
  package func standing(in store: StoreID, mark: UInt64?, compacted: Int64) -> TokenStanding {
    guard store == self.store, mark == self.mark else { return .foreign }
    return (start ?? sequence) < compacted ? .expired : .valid
  }
}

/// Tokens as text, in the form of stores and of checkpoint lines: Base64.
package enum TokenText {
  package static func text(_ token: [UInt8]) -> String {
    var digits: [UInt8] = []
    Base64.append(token.span, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Whether a request can contain the token.
  package static func isSendable(_ text: String) -> Bool {
    bytes(text).map { $0.count <= SyncResponse.longestToken } ?? false
  }

  /// The token's bytes; nil if the text is empty or not Base64.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    guard (try? Base64.decode(digits.span, into: &bytes)) != nil, !bytes.isEmpty else { return nil }
    return bytes
  }
}
