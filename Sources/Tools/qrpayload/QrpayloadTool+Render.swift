import JSONLines
import CommandLine
import CommonInputs
import Pairing
import QRCode
import SyncCore
import SystemIO

extension QrpayloadTool {
  static func runRender(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let format = try settings.format ?? Format(fileName: settings.output?.path)
    try check(settings, against: format)
    if format == .png, settings.output == nil, Descriptor.standardOutput.isTerminal {
      throw UsageError.conflict("a PNG is not text: name a file with --output")
    }
    if format == .terminal, settings.format == nil, settings.output == nil { try checkTerminal() }
    let text = try contents(of: settings.file)
    let (payload, drawing) = try drawing(of: text, in: settings.file, as: format, settings)
    if settings.output == nil { try SecretSource.checkStandardOutput() }
    var files = SideFiles(inputs: [settings.file])
    try files.add(settings.output)
    try write(drawing, to: settings.output)
    if payload.isExpired(at: .wallClock) {
      console.note(
        "the payload expired at \(payload.expiresAt.wholeSeconds)",
        hint: "'qrpayload create' makes a new one")
    }
    return .done
  }

  /// Rejects options that have no effect with the format.
  private static func check(_ settings: Settings, against format: Format) throws(UsageError) {
    if [.terminal, .code].contains(format), settings.scale != nil {
      throw .conflict("'--scale' is for pictures: name a .png or .svg file with --output")
    }
    if format != .terminal, settings.isFull {
      throw .conflict("'--full' is only for terminals: use --scale for a picture")
    }
  }

  /// Refuses invalid payloads and guessable secrets, but not expired ones: the reader of the symbol checks
  /// that.
  private static func drawing(
    of text: [UInt8], in file: String, as format: Format, _ settings: Settings
  ) throws -> (payload: PairingPayload, drawing: [UInt8]) {
    do {
      let payload = try PairingPayload(parsing: text.span)
      if let weakness = payload.secret.weakness { throw PairingPayloadProblem.weakSecret(weakness) }
      if format == .code { return (payload, Array("\(try code(of: payload))\n".utf8)) }
      let symbol = try QRSymbol(PairingPayload.symbolText(of: text.span))
      return (payload, try drawing(of: symbol, as: format, settings))
    } catch let problem as PairingPayloadProblem {
      var diagnostic = Diagnostic(problem)
      if case .weakSecret = problem { diagnostic.hint = "make a new pairing code with 'qrpayload create'" }
      throw diagnostic.hinting(atEncodingOf: text.span, in: file)
    } catch let error as QRSymbol.TooLarge {
      throw Diagnostic(.invalid("\(error.count) bytes, and a QR symbol holds at most \(error.most)"))
    }
  }

  private static func code(of payload: PairingPayload) throws(Diagnostic) -> String {
    if let code = payload.typed { return code }
    throw Diagnostic(
      .invalidQRCodePayload,
      payload.version == .one
        ? "protocol version 1 has no code to type" : "the payload contains more than a typed code can hold",
      hint: "draw it as a symbol: --format terminal")
  }

  private static func drawing(of symbol: QRSymbol, as format: Format, _ settings: Settings) throws -> [UInt8]
  {
    let scale = settings.scale?.value ?? 8
    switch format {
    case .png: return symbol.png(scale: scale)
    case .svg: return Array(symbol.svg(scale: scale).utf8)
    case .terminal, .code:
      let drawing = TerminalDrawing(symbol, settings.isFull ? .full : .halfBlocks)
      if settings.output == nil, let size = TerminalSize.ofStandardOutput { try check(drawing, fits: size) }
      return Array(drawing.text.utf8)
    }
  }

  /// Throws if the terminal does not support colours.
  ///
  /// Without colours a symbol may be light on dark, and control sequences appear as text.
  private static func checkTerminal() throws(Diagnostic) {
    guard Descriptor.standardOutput.isTerminal, !TerminalSize.canDraw else { return }
    throw Diagnostic(
      .terminalTooSmall, "according to TERM the terminal has no colours, and the symbol needs two",
      hint: "draw a picture: --output payload.png, or draw it anyway: --format terminal")
  }

  private static func check(_ drawing: TerminalDrawing, fits size: TerminalSize) throws(Diagnostic) {
    guard !drawing.fits(columns: size.columns, rows: size.rows) else { return }
    throw Diagnostic(
      .terminalTooSmall,
      "the terminal has \(size.columns) columns and \(size.rows) rows, and the symbol needs \(drawing.columns) and "
        + "\(drawing.rows + 1)",
      hint: "make the window larger or its font smaller, or draw a picture: --output payload.png")
  }
}

extension QrpayloadTool.Format {
  /// The format for the file's extension; throws for an unknown extension.
  fileprivate init(fileName: String?) throws(UsageError) {
    let name = fileName?.split(separator: "/").last ?? ""
    switch name.dropFirst().split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?
      .lowercased()
    {
    case "png": self = .png
    case "svg": self = .svg
    case nil, "txt": self = .terminal
    case let other?:
      throw .conflict("unknown format '.\(other)': use .png or .svg, or --format")
    }
  }
}
