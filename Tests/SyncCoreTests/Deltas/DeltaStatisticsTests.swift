import JSONLines
import SyncCore
import Testing

/// Counts by entity.
@Suite struct DeltaStatisticsTests {
  private func count(_ texts: String...) throws -> String {
    var statistics = DeltaStatistics()
    for text in texts {
      var block = LineBlock(TextRegion(Array(text.utf8)), 0..<text.utf8.count, source: 0)
      var reader = BlockReader(RecordShape())
      let report = reader.read(&block, number: 0)
      try #require(report.unusable.isEmpty)
      statistics.add(block, report)
    }
    return statistics.value.text
  }

  @Test func nothingIsCountedToo() throws {
    #expect(try count() == #"{"upserts":0,"deletes":0,"checkpoints":0,"entities":{}}"#)
  }

  @Test func linesAreCountedByEntityInOrderOfTheName() throws {
    let one = """
      {"id":1,"entity":"b"}
      {"entityName":"\\u0062","identity":{"id":1},"deletedAt":1}
      {"newTokenData":"AA=="}
      {"id":1}
      {"id":2,"entity":"B","deletedAt":"2025-01-01T00:00:00Z"}

      """
    let two = "{\"id\":1,\"entity\":\"b\"}\n{\"id\":1,\"entity\":\"\\\"\"}\n"
    #expect(
      try count(one, two) == #"{"upserts":4,"deletes":2,"checkpoints":1,"entities":{"#
        + #""":{"upserts":1,"deletes":0},"B":{"upserts":0,"deletes":1},"#
        + #""\"":{"upserts":1,"deletes":0},"b":{"upserts":2,"deletes":1}}}"#)
  }
}
