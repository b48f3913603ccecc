import SyncCore

/// A reader's result for a line, so that two readings of it can be compared.
struct LineReading: Equatable {
  var error: ChangeError?
  var kind: String?
  var isTombstone: Bool?
  var clock: Instant?
  var version: [UInt8]?
  var facts: RuleFacts?
  var key: [UInt8] = []
  var plainIdentity: [UInt8]?

  /// Reads a line separately.
  init(_ line: [UInt8], _ reader: inout LineReader) {
    do throws(ChangeError) {
      let change = try reader.read(line.span, key: &key)
      note(change, line, reader)
    } catch {
      self.error = error
      key = []
    }
  }

  /// Reads the line of a text that begins at `start`, and returns where it ends.
  init(_ text: [UInt8], from start: Int, end: inout Int, _ reader: inout LineReader) {
    do throws(ChangeError) {
      let change = try reader.read(text.span, from: start, key: &key, end: &end)
      note(change, text, reader)
    } catch {
      self.error = error
      key = []
    }
  }

  private mutating func note(_ change: ChangeLine, _ text: [UInt8], _ reader: LineReader) {
    kind = "\(change.kind)"
    isTombstone = change.isTombstone
    clock = change.clock
    version = change.version.map { Array(text[$0]) }
    facts = change.facts
    plainIdentity = reader.plainIdentity.map { Array(text[$0]) }
  }
}
