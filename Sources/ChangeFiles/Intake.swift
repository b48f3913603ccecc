import CommandLineTool
import SyncCore

/// Takes blocks in the order of the lines: counts, reports what cannot be used, collects the forms of keys.
struct Intake {
  private let paths: [String]
  private(set) var lines = 0
  private(set) var checkpoints = 0
  private(set) var forms = KeyForms()
  /// Each block, and where its forms are among all forms.
  var blocks: [(block: LineBlock, forms: [Int])] = []
  private var source: UInt16 = 0
  private var nextLine = 0

  init(_ paths: [String]) { self.paths = paths }

  mutating func take(_ read: ReadBlock, _ badLines: inout BadLines) throws {
    var (block, report) = (read.block, read.report)
    if block.source != source { (source, nextLine) = (block.source, 0) }
    block.firstLine = nextLine
    nextLine += report.lines
    for unusable in report.unusable { try leaveOut(unusable, of: block, &badLines) }
    lines += report.entries + report.unusable.count
    checkpoints += report.checkpoints
    blocks.append((block, forms.add(report.forms)))
  }

  private func leaveOut(
    _ unusable: BlockReader.Unusable, of block: LineBlock, _ badLines: inout BadLines
  ) throws {
    let (file, line) = (paths[Int(block.source)], block.firstLine + unusable.line + 1)
    let text = block.line(at: unusable.offset)
    switch unusable.reason {
    case .error(let error):
      let code = DiagnosticCode(rawValue: error.code) ?? .bug
      try badLines.leaveOut(text, because: Diagnostic(code, error.message, file: file, line: line))
    case .clockAhead:
      let message = "the clock is further ahead of now than --max-drift allows"
      try badLines.passOver(text, because: Diagnostic(.clockAhead, message, file: file, line: line))
    }
  }
}
