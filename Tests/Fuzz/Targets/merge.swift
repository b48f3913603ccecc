import JSONLines
import SyncCore

/// Merging lines of any kind in any order and grouping gives the same bytes.
///
/// The first byte chooses the profile; lines that are not changes are left out.
func fuzzMerge(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let profile = profiles[Int(choice) % profiles.count]
  let all = merge(profile, Array(bytes.dropFirst()))
  let lines = bytes.dropFirst().split(separator: 10)
  require(merge(profile, text(lines.reversed())) == all, "commutative")
  let halves = [lines[..<(lines.count / 2)], lines[(lines.count / 2)...]].map { text(Array($0)) }
  require(merge(profile, halves[1], halves[0]) == all, "commutative in files")
  require(merge(profile, merge(profile, halves[0]), merge(profile, halves[1])) == all, "associative")
  require(merge(profile, all) == all, "idempotent")
  require(merge(profile, all, halves[0], all) == all, "idempotent with a part")
}

private func text(_ lines: [ArraySlice<UInt8>]) -> [UInt8] { lines.flatMap { $0 + [10] } }

private func merge(_ shape: RecordShape, _ texts: [UInt8]...) -> [UInt8] {
  var output: [UInt8] = []
  SortedLines(texts, shape) { _, _, _ in }.forEachKey { lines, reader in
    let winner = Merge.winner(of: lines, &reader)
    output.append(lines.text(winner))
    output.append(10)
    let contest = Contest(lines, &reader)
    require(contest.winner == winner && contest.losers.count == lines.indices.count - 1, "all but one lose")
  }
  return output
}

private let profiles = [
  "{}", Profile.chores, #"{"entities":{"*":{"rule":"append-only","identity":"uuid"}}}"#,
  #"{"entities":{"*":{"rule":"terminal","key":["/id","/m/b"],"clock":"/at","tombstone":"/gone"}}}"#,
].map { text in
  var shape = RecordShape()
  shape.profile = (try? Profile(parsing: Array(text.utf8).span)) ?? Profile()
  return shape
}
