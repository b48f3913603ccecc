package import JSONLines
package import SystemIO

extension Descriptor {
  /// Writes a value as a line.
  ///
  /// Names come from other devices, and this may be a terminal: what steers one is escaped.
  package borrowing func write(line value: JSONValue) throws(SystemError) {
    try write(value.text.escapingControlsInJSON + "\n")
  }
}
