import JSONLines
import SyncCore
import Testing

/// The rules of a store in their only written form, which docs/formats/store.md describes.
@Suite struct CanonicalRulesTests {
  private func rules(_ profile: String, _ change: (inout RecordShape) -> Void = { _ in }) throws -> String {
    var shape = RecordShape()
    shape.profile = try Profile(parsing: Array(profile.utf8).span)
    change(&shape)
    return String(decoding: shape.rules, as: UTF8.self)
  }

  @Test func withoutOptionsAndProfileThereAreNone() throws {
    #expect(String(decoding: RecordShape().rules, as: UTF8.self) == "{}")
    #expect(try rules(#"{"entities":{"Task":{"rule":"lww"},"*":{}}}"#) == "{}")
  }

  @Test func spellingDoesNotMatter() throws {
    let one =
      #"{"entities":{"B":{"rule":"append-only"},"A":{"key":["/b","/a"],"clock":"/at"}},"entity":"/kind"}"#
    let other =
      #"{ "entity":"/k\u0069nd","entities":{"A":{"clock":"/at","key":["/a","/b"]},"B":{"rule":"append-only"}} }"#
    #expect(try rules(one) == rules(other))
    #expect(
      try rules(one)
        == #"{"entities":{"A":{"clock":"/at","key":["/a","/b"]},"B":{"rule":"append-only"}},"entity":"/kind"}"#
    )
  }

  @Test func optionsCountWhereTheProfileIsSilent() throws {
    let profile = #"{"entities":{"A":{"clock":"/at"}}}"#
    let found = try rules(profile) { shape in
      shape.clock = JSONPointer("/changed")
      shape.tombstone = JSONPointer("/gone")
      shape.entityName = "Task"
    }
    #expect(
      found
        == #"{"clock":"/changed","entities":{"A":{"clock":"/at"}},"entityName":"Task","tombstone":"/gone"}"#)
  }

  /// An entity with the usual value while all others have another.
  @Test func theUsualIsSaidWhereItIsNotUsual() throws {
    let found = try rules(#"{"entities":{"A":{},"*":{"rule":"append-only"}}}"#)
    #expect(found == #"{"entities":{"*":{"rule":"append-only"},"A":{}}}"#)
  }

  @Test func choresHaveTheirRules() throws {
    #expect(
      try rules(Profile.chores)
        == #"{"entities":{"CompletionEvent":{"identity":"uuid","rule":"append-only"},"Member":{"identity":"uuid"},"#
        + #""Occurrence":{"completedAt":["/completedAt"],"dueDate":["/dueDate"],"identity":"uuid","#
        + #""rule":"terminal","status":["/statusRaw","/status"],"terminal":["completed","skipped"]},"#
        + #""Template":{"identity":"uuid"}}}"#)
  }

  /// Two stores must not sync if they make different keys of the same lines, or if they accept different
  /// lines.
  @Test func identityAndRequiredMembersCount() throws {
    let found = try rules(
      #"{"entities":{"A":{"identity":"uuid","required":["/b","/a"]},"*":{"identity":"date","required":"/t"}}}"#
    )
    #expect(
      found
        == #"{"entities":{"*":{"identity":"date","required":["/t"]},"A":{"identity":"uuid","required":["/a","/b"]}}}"#
    )
  }
}
