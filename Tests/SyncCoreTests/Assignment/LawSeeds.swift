import Foundation

/// How many seeds the laws are tried with: many in the long tests, some in the usual ones.
enum LawSeeds {
  static let isSoak = ProcessInfo.processInfo.environment["SOAK"] != nil

  static func some(_ many: UInt64, usually few: UInt64) -> ClosedRange<UInt64> { 1...(isSoak ? many : few) }
}
