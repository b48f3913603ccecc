package import SyncCore
import SystemIO

/// Divides keys into parts of about the same size; it stores the first key of each part except the first
/// part.
package struct KeyBounds: Sendable {
  private let bounds: [[UInt8]]

  /// The largest number of inspected keys, which are taken evenly from all lines.
  private static let mostSamples = 1 << 16

  /// Reads all files once; unusable lines are reported when they are read again.
  package init(parts: Int, of paths: [String], _ shape: RecordShape, _ settings: ReadingSettings) throws {
    var samples: [[UInt8]] = []
    var (stride, count) = (1, 0)
    // For large files a sample is enough; copying all keys would take time.
    let step = paths.reduce(0) { $0 + FileMode.size(of: $1) } < 16 << 20 ? 1 : 16
    do {
      let reading = try BlockReading(paths, shape, settings, MemoryPlan(settings))
      try reading.run(scratch: { BlockKeys(shape) }) { read, keys in
        Swift.stride(from: 0, to: read.block.entries.count, by: step).map { index in
          var key: [UInt8] = []
          keys.append(read.block.entries[index], of: read.block, read.report.forms, to: &key)
          return key
        }
      } take: { _, keys in
        for key in keys {
          if count % stride == 0 { samples.append(key) }
          count += 1
        }
        while samples.count > Self.mostSamples {
          samples = Swift.stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
          stride *= 2
        }
      }
    } catch is LongLine {
      // The next reading ends with the same error, and reports its place.
    }
    samples.sort { $0.lexicographicallyPrecedes($1) }
    bounds = (1..<max(parts, 1)).compactMap { part in
      samples.isEmpty ? nil : samples[samples.count * part / parts]
    }
  }

  /// The part of a key, counted from 0.
  package func part(of key: [UInt8]) -> Int {
    var (low, high) = (0, bounds.count)
    while low < high {
      let middle = (low + high) / 2
      if key.lexicographicallyPrecedes(bounds[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
