import Devices
import JSONLines
import SyncCore
import TestSupport
import Testing

/// An input of Tests/Vectors/fuzz-findings.json that once made a fuzz target fail.
///
/// Tests/Fuzz also uses each of them among its target's first inputs.
struct FuzzFinding: Decodable, CustomTestStringConvertible {
  var name: String
  var target: String
  var hex: String

  var testDescription: String { "\(target): \(name)" }

  static let all = VectorFile.load("fuzz-findings", of: FuzzFinding.self)
}

@Suite struct FuzzFindingTests {
  private static let merges = FuzzFinding.all.filter { $0.target == "merge" }

  /// The first byte chooses a profile, which makes no difference to these.
  @Test(arguments: merges)
  func mergesTheSame(_ finding: FuzzFinding) throws {
    let text = Array(Array(hex: finding.hex).dropFirst())
    let lines = text.split(separator: 10).map { $0 + [10] }
    let all = try merge([text])
    #expect(try merge([all]) == all)
    #expect(try merge(lines.reversed().map { Array($0) }) == all)
    #expect(try merge(lines.map { try merge([Array($0)]) }) == all)
  }

  /// Reads each line in every way that a target uses; no line may end the process.
  @Test(arguments: FuzzFinding.all.filter { ["lines", "mesh", "wire"].contains($0.target) })
  func isRead(_ finding: FuzzFinding) {
    var (reader, filter) = (LineReader(RecordShape()), MeshEventFilter())
    for line in Array(hex: finding.hex).split(separator: 10).map({ Array($0) }) {
      let text = line.first == UInt8(ascii: "{") ? line : Array(line.dropFirst())
      var (key, events) = ([UInt8](), [UInt8]())
      let change = try? reader.read(text.span, key: &key)
      let callback: Void? = try? filter.handle(text.span, into: &events)
      #expect(change != nil || callback != nil)
    }
  }

  /// Lines that are not changes are left out.
  private func merge(_ texts: [[UInt8]]) throws -> [UInt8] {
    var output: [UInt8] = []
    SortedLines(texts, RecordShape()) { _, _, _ in }.forEachKey { lines, reader in
      output.append(lines.text(Merge.winner(of: lines, &reader)))
      output.append(10)
    }
    return output
  }
}
