import JSONLines
@testable import SyncCore
import Testing

/// Which member of a record is suggested to a person who has lines without clocks.
@Suite struct LikelyClockTests {
  @Test(arguments: [
    (#"{"id":1,"lastEdit":"2025-05-02T08:00:00Z"}"#, "/lastEdit"),
    (#"{"id":1,"meta":{"changed_on":1746172800}}"#, "/meta/changed_on"),
    (#"{"id":1,"edited":true,"modified":"2025-05-02 08:00:00"}"#, "/modified"),
    (#"{"id":1,"a/b~edited":"2025-05-02"}"#, "/a~1b~0edited"),
    // A name that does not suggest a change, a value that is not a time, or a member that is too deep.
    (#"{"id":1,"dueDate":"2025-05-02T08:00:00Z"}"#, nil),
    (#"{"id":1,"lastEdit":"yesterday"}"#, nil),
    (#"{"id":1,"a":{"b":{"lastEdit":"2025-05-02T08:00:00Z"}}}"#, nil),
    (#"{"identity":{"id":1},"lastEdit":"2025-05-02T08:00:00Z"}"#, nil),
    ("[1]", nil),
  ])
  func aMemberWithTheNameAndTheValueOfAClock(line: String, expected: String?) {
    let bytes = Array(line.utf8)
    #expect(JSONPointer.likelyClock(in: bytes.span, RecordShape())?.text == expected)
  }

  /// A stranger's line with very many such names takes no longer than others.
  @Test func onlyTheFirstAreLookedAt() {
    let members = (0..<100_000).map { #""edit\#($0)":"x""# }.joined(separator: ",")
    let bytes = Array(#"{"id":1,\#(members),"edited":"2025-05-02"}"#.utf8)
    #expect(JSONPointer.likelyClock(in: bytes.span, RecordShape()) == nil)
  }
}
