import SystemIO

/// The files that a run writes beside its output: none of them may be one that it reads, or that it writes twice.
package enum SideFiles {
  package static func check(_ outputs: [FilePath?], inputs: [String]) throws(UsageError) {
    var taken = inputs.isEmpty ? ["-"] : inputs
    for output in outputs.compactMap({ $0?.path }) {
      if output == "-" { throw .conflict("standard output is for data: '-' cannot be written to beside it") }
      if let other = taken.first(where: { FileMode.isSameFile($0, output) }) {
        throw .conflict("'\(output)' would be written over '\(other)', which the same run needs")
      }
      taken.append(output)
    }
  }
}
