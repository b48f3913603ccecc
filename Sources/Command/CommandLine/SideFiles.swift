import SystemIO

/// The files that a run writes beside its output: none of them may be one that it reads, or that it writes twice.
package struct SideFiles {
  private var taken: [String]

  /// Without `inputs` standard input is read; `others` are what a run needs besides.
  package init(inputs: [String], others: [String] = []) {
    taken = (inputs.isEmpty ? ["-"] : inputs) + others
  }

  package mutating func add(_ output: FilePath?) throws(UsageError) {
    guard let path = output?.path else { return }
    if path == "-" { throw .conflict("standard output is for data: '-' cannot be written to beside it") }
    if let other = taken.first(where: { FileMode.isSameFile($0, path) }) {
      throw .conflict("'\(path)' would be written over '\(other)', which the same run needs")
    }
    taken.append(path)
  }
}
