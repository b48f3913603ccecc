import JSONLines

/// The line that `decode --annotate` writes: `{"offset":0,"length":123,"message":{…}}` or `"error":{…}`.
enum FrameEnvelope {
  /// Everything before the third member.
  static func open(offset: Int, length: Int, to line: inout [UInt8]) {
    line.append(contentsOf: "{\"offset\":\(offset),\"length\":\(length),".utf8)
  }

  /// A whole line for a frame that has no message.
  static func append(_ failure: FrameFailure, to line: inout [UInt8]) {
    open(offset: failure.offset, length: failure.length, to: &line)
    line.append(contentsOf: "\"error\":".utf8)
    let error = JSONValue.object([
      .init("code", .string(failure.code.rawValue)), .init("message", .string(failure.message)),
    ])
    error.append(to: &line)
    line.append(contentsOf: "}\n".utf8)
  }
}
