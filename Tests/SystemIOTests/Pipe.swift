import Foundation

/// The two ends of a new pipe(2); the code that takes them closes them.
struct Pipe {
  let readEnd: CInt
  let writeEnd: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    precondition(unsafe pipe(&ends) == 0)
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}
