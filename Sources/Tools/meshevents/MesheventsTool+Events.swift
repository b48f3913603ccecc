import JSONLines
import CommandLine
import Devices
import SyncCore
import SystemIO

extension MesheventsTool {
  static func runEvents(_ settings: EventSettings, on console: Console) throws -> ExitStatus {
    try BadLines.collecting(
      settings, inputs: settings.files, outputs: (settings.registry, nil), on: console
    ) { badLines in
      var registry = settings.registry.map { RegistryFile($0) }
      var filter = MeshEventFilter(idName: settings.idKey, registry: try registry?.read() ?? MeshRegistry())
      let status: ExitStatus
      do {
        status = try filter.run(settings.files, &registry, &badLines)
      } catch {
        // What a run that was ended by a signal has learned counts too.
        try registry?.add(filter.takeNews())
        throw error
      }
      try registry?.add(filter.takeNews())
      return status
    }
  }
}

extension MeshEventFilter {
  fileprivate mutating func run(
    _ files: [String], _ registry: inout RegistryFile?, _ badLines: inout BadLines
  ) throws -> ExitStatus {
    var output = ByteOutput.standardOutput
    var last = "-"
    try InputLines.forEach(
      ofAll: files, flushing: &output,
      // Before the events go out: an id that others have seen is not forgotten, whatever ends the run.
      pause: { input in
        guard hasNews, let file = registry, file.isRested || input.mayWait else { return }
        try registry?.add(takeNews())
      }
    ) { file, line, number, output in
      // Another owner of the name for each line would cost more than the question.
      if last != file { last = file }
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
    self.init(error.code, error.message, file: file, line: line)
  }
}
