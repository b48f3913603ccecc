extension QRSymbol {
  /// The symbol with its quiet zone as an SVG document, `scale` units a module.
  package func svg(scale: Int) -> String {
    let size = outerSide * scale
    let runs = (0..<outerSide).flatMap { row in
      darkRuns(inRow: row).map { "M\($0.lowerBound) \(row)h\($0.count)v1h-\($0.count)z" }
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(size)" height="\(size)" \
      viewBox="0 0 \(outerSide) \(outerSide)" shape-rendering="crispEdges">
      <path fill="#fff" d="M0 0h\(outerSide)v\(outerSide)H0z"/>
      <path fill="#000" d="\(runs.joined())"/>
      </svg>

      """
  }
}
