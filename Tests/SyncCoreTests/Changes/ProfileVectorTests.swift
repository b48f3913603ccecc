import JSONLines
import SyncCore
import TestSupport
import Testing

/// One case of Tests/Vectors/profiles.json: a text, and for an invalid profile the place and the error.
struct ProfileVector: Decodable, CustomTestStringConvertible {
  var name: String
  var text: String
  var valid: Bool
  /// A JSON Pointer into the text; empty for the complete text.
  var place: String?
  var message: String?

  var testDescription: String { name }

  static let all = VectorFile.load("profiles", of: ProfileVector.self)
}

@Suite struct ProfileVectorTests {
  @Test(arguments: ProfileVector.all)
  func isReadOrRefused(_ vector: ProfileVector) throws {
    try #require(vector.valid == (vector.place == nil && vector.message == nil))
    do throws(MemberError) {
      _ = try Profile(parsing: Array(vector.text.utf8).span)
      #expect(vector.valid)
    } catch {
      #expect(error.pointer == vector.place)
      #expect(error.matter == vector.message)
    }
  }
}
