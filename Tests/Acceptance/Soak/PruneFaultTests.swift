import SyncCore
import TestSupport
import Testing

/// Whatever ends a `prune`, the archive has its old or its new content.
///
/// No line is missing from both archive and state, and the next run completes the work.
@Suite struct PruneFaultTests {
  /// A state to prune, partly in the archive already, as another device has brought it back.
  private static let setUp = #"""
    unit=\#(Repository.isSet("SOAK") ? 120 : 12)
    now=2025-03-02T00:00:00Z
    {
      for name in ann ben; do echo "{\"entity\":\"Member\",\"id\":\"$name\",\"updatedAt\":\"2025-01-01T00:00:00Z\"}"; done
      seq "$unit" | sed 's/.*/{"entity":"Template","id":"t&","cadenceUnitRaw":"days","cadenceValue":1,"startDate":"2025-01-01T09:00:00Z","updatedAt":"2025-01-01T00:00:00Z"}/'
    } >home
    assign --now 2025-01-01T00:00:00Z --until 2025-03-01 home | sed 's/"pending"/"completed"/' |
      lwwmerge --profile chores home - >state.before
    assign prune -q --older-than 40d --archive past.before --now $now state.before >/dev/null
    prune() { $prefix assign prune -q --older-than 20d --archive past --now $now state >new 2>errors; }
    restore() {
      cp state.before state
      cp past.before past
      rm -f new past.*.part
    }
    judge() {
      case=$1 status=$2
      if cmp -s past past.after; then
        echo after >>outcomes
      elif cmp -s past past.before && test "$status" != 0; then
        echo before >>outcomes
      else
        echo "$case: status $status, but the archive is something else: $(head -n 1 errors)"
      fi
      test "$status" != 0 || mv new state
      lwwmerge --profile chores state past | grep -v TurnSummary | cmp -s - all || echo "$case: lines are lost"
      assign --now $now --until 30d state past | cmp -s - turns || echo "$case: turns are others'"
      prefix=
      prune || echo "$case: the next attempt fails: $(head -n 1 errors)"
      cmp -s new new.after && cmp -s past past.after || echo "$case: the next attempt does something else"
      # One that has nothing to put away looks at no archive.
      test "$status" = 0 || ! ls past.*.part 2>/dev/null || echo "$case: a part of an archive is left"
    }
    prefix=
    restore
    lwwmerge --profile chores state past >all
    assign --now $now --until 30d state >turns
    prune || cat errors
    cp past past.after
    cp new new.after
    cmp -s past.before past.after && echo "nothing is put away"
    """#

  private func complaints(_ script: String) async throws -> [String]? {
    let sandbox = try Sandbox(tools: Tools.folder)
    return try await sandbox.run(Self.setUp + "\n" + script, limit: .seconds(1_200)).rendering
  }

  /// `shares` are thousandths of the time that a run takes.
  private func killed(_ shares: [Int]) -> String {
    #"""
    start=$(date +%s%N)
    restore
    prune
    span=$(($(date +%s%N) - start))
    for share in \#(shares.map(String.init).joined(separator: " ")); do
      restore
      delay=$(awk -v span="$span" -v share="$share" 'BEGIN { printf "%.6f", span * share / 1e12 }')
      prefix="timeout -s KILL $delay"
      status=0
      prune || status=$?
      judge "killed after $delay s" "$status"
    done
    """#
  }

  @Test(.needs("timeout")) func killedAtAnyMoment() async throws {
    let count = Repository.isSet("SOAK") ? 200 : 4
    let seed = Repository.isSet("SOAK") ? UInt64.random(in: 0 ... .max) : 7
    var random = SplitMix64(seed: seed)
    let shares = (0..<count).map { _ in Int.random(in: 0...1_100, using: &random) }
    #expect(try await complaints(killed(shares)) == [], "seed \(seed)")
  }

  /// Killed at a system call, or with a failing one: moments that timing may never hit.
  @Test(.needs("strace"), arguments: ["signal=KILL", "error=EIO", "error=ENOSPC"])
  func endedAtEachCallThatWrites(fault: String) async throws {
    let script = #"""
      for call in write fsync /^rename flock; do
        for when in $(seq 1 100); do
          restore
          prefix="strace -f -o trace -e trace=$call -e inject=$call:\#(fault):when=$when"
          status=0
          prune || status=$?
          judge "\#(fault) at $call $when" "$status"
          grep -q 'killed\|INJECTED' trace || break
          \#(Repository.isSet("SOAK") ? ":" : "test $when -lt 3 || break")
        done
      done
      sort -u outcomes
      """#
    #expect(try await complaints(script) == ["after", "before"])
  }

  /// Disks from too small to large enough for the archive.
  @Test(.needs("unshare")) func aDiskThatBecomesFull() async throws {
    let script = #"""
      mkdir disk
      size=$(($(wc -c <past.after) / 1024))
      for room in $((size / 2)) $((size + size / 2)) $((size * 4 + 64)); do
        restore
        status=0
        unshare -rm sh -c "
          mount -t tmpfs -o size=${room}k none disk && cp past.before disk/past || exit 99
          assign prune -q --older-than 20d --archive disk/past --now $now state >new 2>errors
          result=\$?
          cp disk/past past
          ls disk >left
          exit \$result
        " || status=$?
        judge "$room KiB" "$status"
        grep -q part left && echo "$room KiB: something is left"
        case $status in
        0) echo written ;;
        74) grep -q 'no space left' errors || cat errors ;;
        *) echo "$room KiB: status $status: $(head -n 1 errors)" ;;
        esac
      done
      """#
    #expect(try await complaints(script) == ["written"])
  }

  /// Several runs at once into one archive: it has everything that each has archived.
  @Test func severalAtOnce() async throws {
    let script = #"""
      for round in $(seq \#(Repository.isSet("SOAK") ? 40 : 3)); do
        rm -f past
        for part in 1 2 3 4; do
          grep -v '"Template"' state.before | awk -v part=$part 'NR % 4 == part - 1 || /Member/' >own.$part
          grep '"Template"' state.before >>own.$part
          assign prune -q --older-than 0d --archive past --now $now own.$part >kept.$part &
        done
        wait
        grep -c Occurrence past
      done | sort -u
      grep -c Occurrence state.before
      """#
    let counts = try await complaints(script) ?? []
    #expect(counts.count == 2 && counts.first == counts.last, "\(counts)")
  }

  @Test(.needs("flock")) func whileAnotherHoldsTheArchive() async throws {
    let script = #"""
      restore
      flock past.lock assign prune --older-than 20d --archive past --now $now state 2>errors
      echo $?
      sed 's/^.*: process [0-9]*/process/' errors
      cmp past past.before
      """#
    #expect(try await complaints(script) == ["75", "process (flock) holds the lock"])
  }
}
