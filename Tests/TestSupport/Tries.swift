import Foundation
package import Testing

/// The number of tries for the laws: fewer than usual in `make quick`, more in `make soak`.
package enum Tries {
  package static let isSoak = ProcessInfo.processInfo.environment["SOAK"] != nil
  private static let isQuick = ProcessInfo.processInfo.environment["QUICK"] != nil

  package static func seeds(_ count: UInt64, soak many: UInt64? = nil) -> ClosedRange<UInt64> {
    1...(isSoak ? many ?? count : isQuick ? max(count / 10, 1) : count)
  }

  /// All, or in `make quick` every tenth from the first.
  package static func some<All: Collection>(_ all: All) -> [All.Element] {
    all.enumerated().filter { !isQuick || $0.offset % 10 == 0 }.map(\.element)
  }
}

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs; in `make soak` a test can wait for hours while others use all threads.
  package static var endsHangs: Self { .timeLimit(.minutes(Tries.isSoak ? 600 : 30)) }
}
