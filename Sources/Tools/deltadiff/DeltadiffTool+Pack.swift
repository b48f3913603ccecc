import JSONLines
import CommandLine
import SyncCore
import SystemIO
import ToolInputs

extension DeltadiffTool {
  static func runPack(_ settings: WireSettings, on console: Console) throws -> ExitStatus {
    let files = settings.files.isEmpty ? ["-"] : settings.files
    try settings.checkStreams(files)
    let shape = try settings.records.load()
    // Where the types come from the same pipe as the lines, they are in their file before the first line.
    if files.contains("-"), settings.types != nil { ByteInput.awaitStandardInput() }
    let types = try settings.types.map { try WireTypes(file: $0.path) }
    let response = try settings.response.map { try WireResponse(file: $0.path) }
    return try BadLines.collecting(
      settings, inputs: files + [settings.types, settings.response].compactMap { $0?.path },
      on: console
    ) { badLines in
      var packer = WirePacker(shape, types: types, isLossy: settings.lossy)
      for path in files { try read(path, into: &packer, &badLines) }
      let isPartial = badLines.count > 0 && settings.holdsCheckpointBack
      if isPartial, packer.withholdToken() { console.reportHeldBackCheckpoint() }
      try write(packer, into: response)
      if let losses = packer.losses.description { console.note("lossy: \(losses)") }
      return .done
    }
  }

  private static func read(_ path: String, into packer: inout WirePacker, _ badLines: inout BadLines) throws {
    var output = ByteOutput.standardOutput
    try InputLines.forEach(of: path, flushing: &output) { line, number, _ in
      do throws(WireFailure) {
        try packer.add(line, number: number)
      } catch {
        try badLines.leaveOut(line, because: Diagnostic(error, in: path, line: number))
      }
    }
  }

  /// Nothing is written before all lines are read: half a delta is none.
  private static func write(_ packer: WirePacker, into response: WireResponse?) throws {
    var output = ByteOutput.standardOutput
    try output.write(response?.head ?? [])
    packer.appendDelta(to: &output.buffer)
    try output.write((response?.tail ?? []) + [10])
    try output.flush()
  }
}

extension Console {
  func reportHeldBackCheckpoint() {
    report(
      Diagnostic(
        .partialRun, "the checkpoint is held back, for nobody would ask again for what was left out",
        hint: "--rejects keeps what is left out, and the checkpoint goes on"))
  }
}

extension DeltadiffTool.WireSettings {
  /// Standard input can be read once.
  func checkStreams(_ files: [String]) throws(UsageError) {
    let paths = files + [types, response].compactMap { $0?.path }
    guard paths.filter({ $0 == "-" }).count <= 1 else {
      throw .conflict("only one of the files can be standard input")
    }
  }
}

extension WireResponse {
  fileprivate init(file: String) throws {
    let bytes = try ByteInput.contents(of: file)
    do throws(WireFailure) {
      try self.init(bytes.span)
    } catch {
      throw Diagnostic(error, in: file, text: bytes.span)
    }
  }
}
