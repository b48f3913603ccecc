import SyncCore
import TestSupport
import Testing

/// Whatever kills a process that writes to a store: the write is complete or missing, and nothing needs
/// repair.
@Suite struct StoreKillTests {
  /// Kills each kind of write at moments that are shares of the time that it takes; `shares` are in thousandths.
  private static func kills(_ shares: [Int]) -> String {
    #"""
    now() { date +%s%N; }
    for kind in record apply compact; do
      restore
      start=$(now)
      attempt "$kind"
      span=$(($(now) - start))
      for share in \#(shares.map(String.init).joined(separator: " ")); do
        restore
        delay=$(awk -v span="$span" -v share="$share" 'BEGIN { printf "%.6f", span * share / 1e12 }')
        prefix="timeout -s KILL $delay"
        status=0
        attempt "$kind" || status=$?
        judge "$kind" "killed after $delay s" "$status"
      done
    done
    """#
  }

  private func complaints(of count: Int, seed: UInt64, expecting outcomes: String) async throws -> [String]? {
    var random = SplitMix64(seed: seed)
    let shares = (0..<count).map { _ in Int.random(in: 0...1_100, using: &random) }
    let sandbox = try Sandbox(tools: Tools.folder)
    return try await sandbox.run(
      [StoreTrial.setUp, Self.kills(shares), outcomes].joined(separator: "\n"), limit: .seconds(1_200)
    ).rendering
  }

  @Test(.needs("timeout")) func killedAtAFewMoments() async throws {
    #expect(try await complaints(of: 3, seed: 7, expecting: "true") == [])
  }

  /// Here some of the moments are before the commit, and some after it.
  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"), .needs("timeout"))
  func killedAtAHundredMoments() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed: \(seed)")
    let both = "sort -u outcomes | wc -l | grep -vx 6 || true"
    #expect(try await complaints(of: 100, seed: seed, expecting: both) == [], "seed \(seed)")
  }

  /// Killed at a system call, a moment that timing may never hit.
  @Test(.needs("strace"), arguments: StoreTrial.kinds)
  func killedAtEachCallThatWrites(kind: String) async throws {
    let step = Repository.isSet("SOAK") ? 1 : 37
    let sandbox = try Sandbox(tools: Tools.folder)
    let script =
      StoreTrial.setUp + "\n" + #"""
        trace="-f -o trace -P $PWD/s.db -P $PWD/s.db-wal -P $PWD/s.db-shm"
        for call in pwrite64 fdatasync unlink ftruncate; do
          for when in $(seq 1 \#(step) 400); do
            restore
            prefix="strace $trace -e trace=$call -e inject=$call:signal=KILL:when=$when"
            status=0
            attempt \#(kind) || status=$?
            judge \#(kind) "killed at $call $when" "$status"
            grep -q killed trace || break
            echo "$call" >>injected
          done
        done
        for call in pwrite64 fdatasync; do
          grep -qsx "$call" injected || echo "nothing was killed at $call"
        done
        """#
    #expect(try await sandbox.run(script, limit: .seconds(1_200)).rendering == [])
  }
}
