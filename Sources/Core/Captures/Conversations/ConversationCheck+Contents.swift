import JSONLines
import SyncCore

/// Checks the changes of a response, independent of other messages.
extension ConversationCheck {
  func contents(of message: Message) -> [ConversationFinding] {
    guard case .syncResponse(let response) = message.body else { return [] }
    switch response.content {
    case .delta(let text): return Self.invalid(Self.fault(inDelta: text))
    case .lines(let text):
      let lines = text.split(separator: 10).map { Array($0) }
      return sizes(of: lines, inPageOf: text.count) + Self.invalid(Self.fault(in: lines))
    }
  }

  private func sizes(of lines: [[UInt8]], inPageOf count: Int) -> [ConversationFinding] {
    var findings: [ConversationFinding] = []
    if count > limits.page, lines.count > 1 {
      findings.append(.init(.pageTooLarge, "a page of \(count) bytes, the limit is \(limits.page)"))
    }
    if let longest = lines.map(\.count).max(), longest > limits.line {
      findings.append(.init(.lineTooLarge, "a line of \(longest) bytes, the limit is \(limits.line)"))
    }
    return findings
  }

  private static func invalid(_ fault: String?) -> [ConversationFinding] {
    fault.map { [ConversationFinding(.invalidMessage, $0)] } ?? []
  }

  /// The first invalid entry of a delta of version 1; an app may add other members.
  private static func fault(inDelta text: [UInt8]) -> String? {
    do throws(WireFailure) {
      var ignored = 0
      let delta = try WireDelta(text.span, text.span.onlyValue, isLossy: true, ignored: &ignored)
      var (reader, entries) = (WireReader(isLossy: true), WireEntries(delta))
      while let entry = entries.next(in: text.span) { _ = try reader.read(entry, of: text.span) }
      return nil
    } catch {
      return "delta/\(error.message)"
    }
  }

  /// The first line of a page that is not a change line.
  private static func fault(in lines: [[UInt8]]) -> String? {
    var reader = LineReader(RecordShape())
    for (index, line) in lines.enumerated() {
      guard line.span.hasIdentity else {
        return "changes/\(index): not a change line: no member 'identity'"
      }
      var key: [UInt8] = []
      do throws(ChangeError) {
        _ = try reader.read(line.span, key: &key)
      } catch {
        return "changes/\(index): \(error.message)"
      }
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Whether an object is a change line, not a plain record.
  fileprivate var hasIdentity: Bool {
    var cursor = ContainerCursor(opening: onlyValue.lowerBound)
    while cursor.hasNext(in: self) {
      if JSONString.isEqual(self, cursor.readName(in: self), to: "identity") { return true }
      _ = cursor.passValue(in: self)
    }
    return false
  }
}
