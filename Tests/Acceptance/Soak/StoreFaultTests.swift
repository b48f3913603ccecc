import Testing

/// A disk that fails or is full: a diagnostic, and a store with its old or its new content.
@Suite struct StoreFaultTests {
  /// Each system call on the store's files fails once, the first time, the second time, and so on.
  private static func faults(_ error: String, _ kind: String, step: Int) -> String {
    #"""
    trace="-f -o trace -P $PWD/s.db -P $PWD/s.db-wal -P $PWD/s.db-shm"
    for call in openat pread64 pwrite64 fdatasync ftruncate unlink fcntl; do
      for when in $(seq 1 \#(step) 400); do
        restore
        prefix="strace $trace -e trace=$call -e inject=$call:error=\#(error):when=$when"
        status=0
        attempt \#(kind) || status=$?
        case $status in
        0) ;;
        65 | 73 | 74 | 75) grep -q '^synclog: s.db: ' errors || echo "$call $when: no diagnostic" ;;
        *) echo "$call $when: status $status: $(head -n 1 errors)" ;;
        esac
        judge \#(kind) "\#(error) at $call $when" "$status"
        grep -q INJECTED trace || break
        echo "$call" >>injected
      done
    done
    for call in openat pwrite64 fdatasync; do
      grep -qsx "$call" injected || echo "no $call has failed"
    done
    """#
  }

  @Test(.needs("strace"), arguments: ["EIO", "ENOSPC", "EINTR"], StoreTrial.kinds)
  func aCallThatFails(error: String, kind: String) async throws {
    let isLong = Repository.isSet("SOAK")
    if !isLong, (error == "EIO") != (kind == "apply") { return }
    let sandbox = try Sandbox(tools: Tools.folder)
    let script = StoreTrial.setUp + "\n" + Self.faults(error, kind, step: isLong ? 1 : 37)
    #expect(try await sandbox.run(script, limit: .seconds(1_200)).rendering == [])
  }

  /// Disks from too small to large enough.
  @Test(.needs("unshare")) func aDiskThatBecomesFull() async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    let script =
      StoreTrial.setUp + "\n" + #"""
        mkdir disk
        size=$(($(wc -c <base.db) / 1024))
        for room in \#(Repository.isSet("SOAK") ? "$(seq 0 32 2400)" : "0 64 1200"); do
          for kind in record apply compact; do
            restore
            status=0
            unshare -rm sh -c "
              mount -t tmpfs -o size=$((size + room))k none disk && cp s.db disk && cd disk || exit 99
              ln -s ../new ../page .
              synclog $(words "$kind") >../counts 2>../errors
              result=\$?
              cp s.db* ..
              exit \$result
            " || status=$?
            judge "$kind" "$room KiB left" "$status"
            case $status in
            0) echo "$kind" >>written ;;
            74) grep -q 'the disk is full' errors || cat errors ;;
            *) echo "$kind, $room KiB left: status $status: $(head -n 1 errors)" ;;
            esac
          done
        done
        sort -u written | wc -l
        """#
    #expect(try await sandbox.run(script, limit: .seconds(600)).rendering == ["3"])
  }
}
