import JSONLines
import Synchronization
package import SyncCore
import SystemIO

/// Cuts files into blocks of whole lines, one after the other; several threads may take from it.
package final class BlockSource: Sendable {
  /// Where to take the next block from.
  private struct State: ~Copyable {
    var input: InputBlocks?
    var source = 0
    var blocks = 0
  }

  private let paths: [String]
  private let maps: Bool
  private let state = Mutex(State())

  /// Files that can be mapped are, unless `maps` is false.
  package init(_ paths: [String], maps: Bool) {
    (self.paths, self.maps) = (paths, maps)
  }

  /// The next block and its number; nil after the last.
  package func next() throws -> (number: Int, block: LineBlock)? {
    try state.withLock { state in
      while state.source < paths.count {
        if state.input == nil { state.input = try InputBlocks(paths[state.source], maps: maps) }
        if let (region, range) = try state.input?.next() {
          defer { state.blocks += 1 }
          return (state.blocks, LineBlock(region, range, source: UInt16(state.source)))
        }
        state.input = nil
        state.source += 1
      }
      return nil
    }
  }
}
