import CommandLine
import JSONLines
import SyncCore
import SystemIO
import RecordInputs

extension DeltadiffTool {
  struct WireSettings: BadLineConfigurable, RecordConfigurable {
    var records = RecordSettings()
    var types: FilePath?
    var response: FilePath?
    var lossy = false
    var badLines = BadLineSettings()
    var files: [String] = []

    /// Whether to hold the checkpoint back: if it advanced without `--rejects`, left-out lines would be lost.
    var holdsCheckpointBack: Bool { badLines.rejects == nil }
  }

  static let pack = Command(
    "pack", "turn change lines into a version 1 delta",
    discussion: [
      "pack writes one LocalPeerSyncDelta, the message part that version 1 peers exchange. The delta has "
        + "upserts and deletes in the order of their lines, one per record. Its token is that of the last "
        + "checkpoint line, or empty. A plain record becomes an upsert with the record as its fields. With "
        + "--response, pack puts the delta into a syncResponse.",
      "The types of values are in the --types file. Without that file, the type depends on the value: "
        + "string, int64 if the number is whole, double, bool or null.",
      "The wire carries whole seconds, int64, doubles and identities of one member, but not nested values or "
        + "other members. Other values are bad data; --lossy cuts, rounds or leaves them out where possible. "
        + "If a field is left out, the other side keeps its value. Only the key and the clock of a "
        + "tombstone are sent. If a bad line was left out and not kept by --rejects, the token is empty.",
    ],
    settings: WireSettings(),
    options: [
      .value("types", "Read the types of members from FILE, as unpack writes it.") { $0.types = $1 },
      .value("response", "Put the delta into the syncResponse message in FILE.") { $0.response = $1 },
      .flag(
        "lossy",
        "Cut times to whole seconds, round numbers to doubles, leave out nested values and unknown members, and "
          + "report how many."
      ) { $0.lossy = true },
    ] + Option.records + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput, .configuration],
    examples: [
      .init("Send the changes to a peer:", "deltadiff old.jsonl new.jsonl | deltadiff pack"),
      .init(
        "Answer a request, with the types that the peer itself uses:",
        "deltadiff pack --types types.json --response answer.json new.jsonl | frame encode > answer.bin"),
    ],
    run: runPack)

  static let unpack = Command(
    "unpack", "turn a version 1 delta into change lines",
    discussion: [
      "unpack reads LocalPeerSyncDelta objects, alone or inside syncResponse messages. An object may have "
        + "several lines; the next object begins on a new line. unpack writes the deletes, the upserts and "
        + "finally the checkpoint line, with every value as on the wire. If a delta is invalid, the run "
        + "fails before it writes that delta's checkpoint line.",
      "Plain JSON cannot distinguish types such as int16 and date: --types FILE keeps them for pack. FILE is "
        + "written before the lines. The types of other records stay in FILE.",
      "If a bad entry was left out and not kept by --rejects, unpack leaves out further checkpoint lines. "
        + "With such a line, the peer would not send the entry again.",
    ],
    settings: WireSettings(),
    options: [
      .value("types", "Write the types of members to FILE, or add them to it.") { $0.types = $1 },
      .flag("lossy", "Leave out members that version 1 does not have, and report how many.") {
        $0.lossy = true
      },
    ] + Option.badLines,
    operands: Operands("[FILE]", count: 0...1) { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Read a peer's answer:", "frame decode answer.bin | deltadiff unpack"),
      .init(
        "Bring a copy up to date, and keep the types:",
        "deltadiff unpack --types types.json answer.json | lwwmerge --drop-tombstones old.jsonl -"),
    ],
    run: runUnpack)

  static func runPack(_ settings: WireSettings, on console: Console) throws -> ExitStatus {
    let files = settings.files
    let inputs = files + [settings.types, settings.response].compactMap { $0?.path }
    try BadLines.requireOneStandardInput(inputs)
    let shape = try settings.records.load()
    // An `unpack` earlier in the pipe writes the types before its first line, so wait for that line.
    if files.contains("-"), settings.types != nil { ByteInput.awaitStandardInput() }
    let types = try settings.types.map { try WireTypes(file: $0.path) }
    let response = try settings.response.map { try WireResponse(file: $0.path) }
    return try BadLines.collecting(
      settings, inputs: inputs, on: console
    ) { badLines in
      var packer = WirePacker(shape, types: types, isLossy: settings.lossy)
      for path in files { try read(path, into: &packer, &badLines) }
      let isPartial = badLines.count > 0 && settings.holdsCheckpointBack
      if isPartial, packer.withholdToken() { console.reportHeldBackCheckpoint() }
      try badLines.save()
      try write(packer, into: response)
      if let losses = packer.losses.description { console.note("lossy: \(losses)") }
      return .done
    }
  }

  private static func read(_ path: String, into packer: inout WirePacker, _ badLines: inout BadLines) throws {
    var output = ByteOutput.standardOutput
    try InputLines.forEach(of: path, flushing: &output) { line, number, _ in
      do throws(WireFailure) {
        try packer.add(line, number: number, of: path)
      } catch {
        try badLines.leaveOut(line, because: Diagnostic(error, in: path, line: number))
      }
    }
  }

  /// Writes only after all lines are read, because half a delta is useless.
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
        .partialRun, "the checkpoint is left out; with it, the bad lines would not be requested again",
        hint: "use --rejects to keep the bad lines; then the checkpoint is written"))
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
