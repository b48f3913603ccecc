package import JSONLines
import SyncCore
package import Testing

/// Expects that `body` throws an error of the library with this description.
package func expectSyncError(
  _ description: String, _ code: ErrorCode, at place: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: SyncError.self, sourceLocation: place) { try body() }
  #expect(error?.description == description, sourceLocation: place)
  #expect(error?.code == code, sourceLocation: place)
}
