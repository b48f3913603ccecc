import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/tokens.json: a text, and what it holds if it is a token.
struct TokenVector: Decodable, CustomTestStringConvertible {
  var name: String
  var text: String
  /// In hex, as is the mark; nil if the text is not a token.
  var store: String?
  /// In decimal digits, as are the other sequences.
  var sequence: String?
  var mark: String?
  var read: String?
  var start: String?

  var testDescription: String { name }

  var token: StoreToken? {
    guard let store, let sequence = sequence.flatMap({ Int64($0) }),
      let mark = mark.flatMap({ UInt64($0, radix: 16) })
    else { return nil }
    return StoreToken(
      store: [UInt8](hex: store), sequence: sequence, mark: mark, read: read.flatMap { Int64($0) },
      start: start.flatMap { Int64($0) })
  }

  static let all: [TokenVector] = VectorFile.load("tokens")
  static let valid = all.filter { $0.store != nil }
}

@Suite struct TokenVectorTests {
  @Test(arguments: TokenVector.all)
  func isRead(_ vector: TokenVector) { #expect(StoreToken(vector.text) == vector.token) }

  @Test(arguments: TokenVector.valid)
  func isWritten(_ vector: TokenVector) throws { #expect(try #require(vector.token).text == vector.text) }

  @Test func eachFormHasACase() {
    #expect(Set(TokenVector.valid.map { $0.text.utf8.count }) == [44, 56, 68])
    #expect(TokenVector.all.contains { $0.store == nil })
  }
}
