import CommandLine
import JSONLines
import SyncCore
import SystemIO
import RecordInputs

extension LwwmergeTool {
  private static let mostParts = 10_000

  static func runKeys(_ settings: Settings, on console: Console) throws -> ExitStatus {
    let shape = try settings.records.load()
    let parts = try checked(settings.parts)
    let width = parts.map { "\($0 - 1)".utf8.count } ?? 0
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      var output = ByteOutput.standardOutput
      let checkpoints = try SortedChanges.forEachBlock(
        of: settings.files, shape, settings.reading, &badLines
      ) { block, report, keys in
        var (bytes, key) = ([UInt8](), [UInt8]())
        bytes.reserveCapacity(block.range.count / 4 * 5)
        for entry in block.entries {
          if let parts {
            key.removeAll(keepingCapacity: true)
            keys.append(entry, of: block, report.forms, to: &key)
            bytes.append(number: KeyParts.part(of: key.span, among: parts), width: width)
            bytes.append(UInt8(ascii: "\t"))
            bytes.append(key.span)
          } else {
            keys.append(entry, of: block, report.forms, to: &bytes)
          }
          bytes.append(UInt8(ascii: "\t"))
          bytes.append(block.line(at: Int(entry.offset)))
          bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
      } take: { bytes, _, _ in
        try output.write(bytes)
      }
      try output.flush()
      console.note(passedOver: checkpoints)
      return .done
    }
  }

  static func runShard(_ settings: Settings, on console: Console) throws -> ExitStatus {
    guard let parts = try checked(settings.parts) else { throw UsageError.conflict("shard needs --parts") }
    guard let folder = settings.folder?.path else { throw UsageError.conflict("shard needs --into") }
    if settings.files.contains("-") {
      throw UsageError.conflict("shard reads its files twice: name files instead of standard input")
    }
    for file in settings.files where FileMode.exists(file) && !FileMode.isFile(file) {
      throw Diagnostic(
        .notReadable, "not a regular file", file: file,
        hint: "shard reads its files twice: write this one to a file first")
    }
    let shape = try settings.records.load()
    try DescriptorLimit.require(parts + 64)
    return try BadLines.collecting(settings, inputs: settings.files, on: console) { badLines in
      let bounds = try KeyBounds(parts: parts, of: settings.files, shape, settings.reading)
      let memory = settings.reading.memory?.bytes ?? MemoryLimit.available / 2
      let files = try PartFiles(parts, folder, memory: memory)
      let checkpoints = try SortedChanges.forEachBlock(
        of: settings.files, shape, settings.reading, &badLines
      ) { block, report, keys in
        var pieces = [[UInt8]](repeating: [], count: parts)
        var key: [UInt8] = []
        for entry in block.entries {
          key.removeAll(keepingCapacity: true)
          keys.append(entry, of: block, report.forms, to: &key)
          let part = bounds.part(of: key)
          pieces[part].append(block.line(at: Int(entry.offset)))
          pieces[part].append(UInt8(ascii: "\n"))
        }
        return pieces
      } take: { pieces, _, _ in
        for (part, bytes) in pieces.enumerated() where !bytes.isEmpty { try files.append(bytes, to: part) }
      }
      try badLines.save()
      try files.commit()
      console.note(passedOver: checkpoints)
      return .done
    }
  }

  private static func checked(_ parts: PositiveCount?) throws(UsageError) -> Int? {
    if let parts, parts.value > mostParts {
      throw .invalidValue(
        option: "parts", value: "\(parts.value)", expected: "a whole number from 1 to \(mostParts)")
    }
    return parts?.value
  }
}

extension [UInt8] {
  fileprivate mutating func append(number: Int, width: Int) {
    var divisor = (1..<width).reduce(1) { power, _ in power * 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}

/// The parts into which the keys of a large job are divided.
private enum KeyParts {
  /// The part of a key among `count`: the same on every machine, and spread evenly.
  static func part(of key: Span<UInt8>, among count: Int) -> Int {
    var hash = UInt64(key.count)
    var place = 0
    while place < key.count {
      var word: UInt64 = 0
      for index in place..<min(place + 8, key.count) { word = word << 8 | UInt64(key[index]) }
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
      place += 8
    }
    return Int(hash.multipliedFullWidth(by: UInt64(count)).high)
  }
}
