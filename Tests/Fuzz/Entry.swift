/// Entry point of libFuzzer: one input a call.
///
/// All targets are one program; the name that it is called by, that of a link to it, chooses the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer owns the bytes, which are valid until the call returns, so they are copied here.
  target(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Each returns if all is well and ends the process if a law does not hold.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
  "clock": fuzzClock, "context": fuzzContext, "dialogue": fuzzDialogue, "frame": fuzzFrame,
  "hex": fuzzHex, "household": fuzzHousehold, "json": fuzzJSON, "lines": fuzzLines, "mdns": fuzzMDNS,
  "merge": fuzzMerge, "mesh": fuzzMesh, "packets": fuzzPackets, "pairing": fuzzPairing,
  "payload": fuzzPayload,
  "profile": fuzzProfile, "server": fuzzServer, "story": fuzzStory, "turns": fuzzTurns, "wire": fuzzWire,
  "zone": fuzzZone,
]

private let target: @Sendable ([UInt8]) -> Void = {
  let name = CommandLine.arguments[0].split(separator: "/").last.map(String.init) ?? ""
  guard let target = targets[name] else { fatalError("no target is called '\(name)'") }
  return target
}()

/// Ends the process, which libFuzzer takes for a crash, if a law does not hold.
func require(_ holds: Bool, _ law: @autoclosure () -> String) {
  if !holds { fatalError(law()) }
}
