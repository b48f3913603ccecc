@testable import QRCode
import Testing

@Suite struct QRSymbolTests {
  @Test func theQuietZoneIsLight() throws {
    let symbol = try QRSymbol([1, 2, 3])
    #expect(symbol.outerSide == symbol.side + 8)
    for edge in [0, 1, 2, 3, symbol.outerSide - 4, symbol.outerSide - 1] {
      for other in 0..<symbol.outerSide {
        #expect(!symbol.isDark(row: edge, column: other) && !symbol.isDark(row: other, column: edge))
      }
    }
    // The corner of the finder pattern.
    #expect(symbol.isDark(row: 4, column: 4))
    #expect(!symbol.isDark(row: 5, column: 5))
    #expect(symbol.isDark(row: 6, column: 6))
  }

  @Test func anythingUpToTheCapacityFits() throws {
    #expect(try QRSymbol([UInt8](repeating: 200, count: QRSymbol.capacity)).side == 177)
    #expect(throws: QRSymbol.TooLarge(count: 2_332, most: 2_331)) {
      try QRSymbol([UInt8](repeating: 200, count: QRSymbol.capacity + 1))
    }
  }

  @Test func runsAreTheDarkModules() throws {
    let symbol = try QRSymbol(Array("runs".utf8))
    for row in 0..<symbol.outerSide {
      let dark = symbol.darkRuns(inRow: row).flatMap(Array.init)
      #expect(dark == (0..<symbol.outerSide).filter { symbol.isDark(row: row, column: $0) })
    }
  }

  @Test func drawingsHaveTheSizeThatTheySay() throws {
    let symbol = try QRSymbol(Array("size".utf8))
    for style in [TerminalDrawing.Style.halfBlocks, .full] {
      let drawing = TerminalDrawing(symbol, style)
      let lines = drawing.text.split(separator: "\n")
      #expect(lines.count == drawing.rows)
      #expect(lines.allSatisfy { $0.replacing(#/\u{1b}\[[0-9;]*m/#, with: "").count == drawing.columns })
    }
  }
}
