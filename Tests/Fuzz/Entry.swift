/// Where libFuzzer comes in: one input a call.
///
/// Each file in Targets has a function `check`, which returns where all is well and ends the process where
/// something does not hold.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer lends the bytes until the call returns, and they are copied here.
  check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends the process, which libFuzzer takes for a crash, where a law does not hold.
func require(_ holds: Bool, _ law: @autoclosure () -> String) {
  if !holds { fatalError(law()) }
}
