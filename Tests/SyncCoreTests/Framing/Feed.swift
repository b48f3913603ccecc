import Captures
import SyncCore
import TestSupport
import Testing

/// A transform that gets pieces as in the tools: it is called once `wanted` bytes are there.
struct Feed {
  private(set) var output: [UInt8] = []
  private(set) var failures: [FrameFailure] = []
  /// All bytes that the steps rejected, in order.
  private(set) var rejected: [UInt8] = []
  private var window: [UInt8] = []
  private var base = 0

  /// Passes every piece and then the end.
  init(_ transform: some FrameTransform, _ pieces: [[UInt8]]) {
    var transform = transform
    var wanted = 1
    for piece in pieces {
      window += piece
      while window.count >= wanted, let next = call(&transform, isFinal: false) { wanted = next }
    }
    while call(&transform, isFinal: true) != nil {}
  }

  init(_ transform: some FrameTransform, _ bytes: [UInt8]) { self.init(transform, [bytes]) }

  var lines: [String] {
    String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  /// One call; returns how many bytes the next one wants, or nil after the end.
  private mutating func call(_ transform: inout some FrameTransform, isFinal: Bool) -> Int? {
    var output = self.output
    let step = transform.process(window.span, at: base, isFinal: isFinal, into: &output)
    self.output = output
    let isValid = (0...window.count).contains(step.consumed) && step.rejected.upperBound <= step.consumed
    #expect(isValid, "consumed \(step.consumed), rejected \(step.rejected) of \(window.count)")
    rejected += window[step.rejected]
    window.removeFirst(step.consumed)
    base += step.consumed
    if let failure = step.failure {
      failures.append(failure)
      return 1
    }
    if isFinal, window.isEmpty { return nil }
    let getsOn = step.consumed > 0 || !isFinal && step.wanted > window.count
    #expect(getsOn, "does not get on with \(window.hex)")
    return getsOn ? step.wanted : nil
  }
}

extension Feed {
  /// A reader's output for a stream in one piece.
  static func decode(
    _ prefix: FramePrefix, _ pieces: [[UInt8]], limit: Int = 16 << 20,
    _ change: (inout FrameReader.Options) -> Void = { _ in }
  ) -> Feed {
    var options = FrameReader.Options()
    change(&options)
    return Feed(FrameReader(FrameDecoder(prefix: prefix, limit: limit), options), pieces)
  }

  static func encode(
    _ prefix: FramePrefix, _ pieces: [[UInt8]], limit: Int = 16 << 20, _ form: PayloadForm = .json
  ) -> Feed {
    Feed(FrameWriter(prefix: prefix, limit: limit, form: form), pieces)
  }
}

/// Ways to cut a stream.
enum Cuts {
  static func inTwo(_ bytes: [UInt8]) -> [[[UInt8]]] {
    (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
  }

  static func inThree(_ bytes: [UInt8]) -> [[[UInt8]]] {
    (0...bytes.count).flatMap { first in
      (first...bytes.count).map { second in
        [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
      }
    }
  }

  static func inBytes(_ bytes: [UInt8]) -> [[UInt8]] { bytes.map { [$0] } }
}
