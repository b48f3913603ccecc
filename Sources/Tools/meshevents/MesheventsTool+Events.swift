import CommandLineTool
import SyncCore
import SystemIO

extension MesheventsTool {
  static func runEvents(_ settings: EventSettings, on console: Console) throws -> ExitStatus {
    try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.registry, nil), on: console
    ) { badLines in
      var filter = MeshEventFilter(
        idName: settings.idKey, registry: try settings.registry.map { try Registry.read($0.path) } ?? [])
      let status: ExitStatus
      do {
        status = try filter.run(settings.files, &badLines)
      } catch {
        // What a run that was ended by a signal has learned counts too.
        try Registry.save(filter.takeRegistry(), settings.registry)
        throw error
      }
      try Registry.save(filter.takeRegistry(), settings.registry)
      return status
    }
  }
}

extension MeshEventFilter {
  fileprivate mutating func run(_ files: [String], _ badLines: inout BadLines) throws -> ExitStatus {
    var output = ByteOutput.standardOutput
    var last = "-"
    try InputLines.forEach(ofAll: files, flushing: &output) { file, line, number, output in
      last = file
      do throws(MeshError) {
        try take(line, into: &output.buffer)
      } catch {
        try output.flush()
        try badLines.take(error, in: line, file, number)
      }
      try output.flushIfFull()
    }
    let left = finish()
    for error in left { badLines.report(Diagnostic(error, in: last, line: nil)) }
    return left.isEmpty ? .done : .badData
  }
}

extension BadLines {
  /// What a peer has done never ends the run; what is wrong with the input may.
  mutating func take(_ error: MeshError, in line: Span<UInt8>, _ file: String, _ number: Int) throws {
    let diagnostic = Diagnostic(error, in: file, line: number)
    if error.isOfPeers {
      try passOver(line, because: diagnostic)
    } else {
      try leaveOut(line, because: diagnostic)
    }
  }
}

extension Diagnostic {
  init(_ error: MeshError, in file: String, line: Int?) {
    self.init(DiagnosticCode(rawValue: error.code) ?? .bug, error.message, file: file, line: line)
  }
}

/// The file of `--registry`.
private enum Registry {
  static func read(_ path: String) throws -> [RegisteredPeer] {
    guard FileMode.exists(path) else { return [] }
    var entries: [RegisteredPeer] = []
    var nothing = ByteOutput.standardOutput
    try InputLines.forEach(of: path, flushing: &nothing) { line, number, _ in
      do throws(MeshError) {
        entries.append(try RegisteredPeer(parsing: line))
      } catch {
        throw Diagnostic(error, in: path, line: number)
      }
    }
    return entries
  }

  static func save(_ entries: [RegisteredPeer]?, _ file: FilePath?) throws(SystemError) {
    guard let entries, let file else { return }
    let output = try AtomicFile(creating: file.path)
    for entry in entries { try output.write(Array(entry.line.utf8).span) }
    try output.commit()
  }
}
