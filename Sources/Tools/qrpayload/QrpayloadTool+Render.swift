import CommandLineTool
import SyncCore
import Symbols
import SystemIO

extension QrpayloadTool {
  static func runRender(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let format = settings.format ?? Format(fileName: settings.output?.path) ?? .terminal
    if format == .png, settings.output == nil, Descriptor.standardOutput.isTerminal {
      throw UsageError.conflict("a PNG is no text: name a file with --output")
    }
    let symbol = try symbol(of: contents(of: settings.file))
    try write(try drawing(of: symbol, as: format, settings), to: settings.output)
    return .done
  }

  /// What is no payload is not drawn; whether it is still good is for the side that reads it to say.
  private static func symbol(of text: [UInt8]) throws -> QRSymbol {
    do {
      return try QRSymbol(try PairingPayload.symbolText(of: text.span))
    } catch let problem as PairingPayloadProblem {
      throw Diagnostic(problem)
    } catch let error as QRSymbol.TooLarge {
      throw Diagnostic(.invalid("\(error.count) bytes, of which a QR symbol holds \(error.most) at most"))
    }
  }

  private static func drawing(of symbol: QRSymbol, as format: Format, _ settings: Settings) throws -> [UInt8]
  {
    switch format {
    case .png: return symbol.png(scale: settings.scale.value)
    case .svg: return Array(symbol.svg(scale: settings.scale.value).utf8)
    case .terminal:
      let drawing = TerminalDrawing(symbol, settings.isFull ? .full : .halfBlocks)
      if settings.output == nil, let size = TerminalSize.ofStandardOutput { try check(drawing, fits: size) }
      return Array(drawing.text.utf8)
    }
  }

  private static func check(_ drawing: TerminalDrawing, fits size: TerminalSize) throws(Diagnostic) {
    guard !drawing.fits(columns: size.columns, rows: size.rows) else { return }
    throw Diagnostic(
      .terminalTooSmall,
      "the terminal has \(size.columns) columns and \(size.rows) rows, and the symbol needs \(drawing.columns) and "
        + "\(drawing.rows + 1)",
      hint: "make the window larger or its letters smaller, or draw a picture: --output payload.png")
  }
}

extension QrpayloadTool.Format {
  fileprivate init?(fileName: String?) {
    guard let fileName = fileName?.lowercased() else { return nil }
    if fileName.hasSuffix(".png") {
      self = .png
    } else if fileName.hasSuffix(".svg") {
      self = .svg
    } else {
      return nil
    }
  }
}
