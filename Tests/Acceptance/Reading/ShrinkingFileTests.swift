import Testing

/// A file that becomes shorter after it has been mapped is an error, not a crash and not a wrong result.
@Suite struct ShrinkingFileTests {
  private static let generate = #"""
    awk 'BEGIN {
      for (i = 0; i < 60000; i++)
        printf "{\"id\":\"%08d\",\"title\":\"a text that makes the line longer by a few dozen bytes, as records are\"," \
          "\"notes\":\"some more of that, so that two hundred bytes come together in the end\"}\n", i * 7919 % 60000
    }' >big
    """#

  /// The pipe `late` is opened once all of `big` has been read; then `big` is truncated, and only then the
  /// run continues.
  private static func cutBeforeSorting(_ command: String, _ size: Int) -> String {
    """
    mkfifo late
    \(command) >out 2>errors & pid=$!
    exec 3>late
    truncate -s \(size) big
    echo '{"id":"x"}' >&3
    exec 3>&-
    wait "$pid"
    echo "$?"; cat errors

    """
  }

  private static func message(_ tool: String) -> [String] {
    [
      "74", "\(tool): big: the file became shorter while it was read",
      "\(tool): hint: let its writer finish first, or use --no-mmap to read it anyway",
    ]
  }

  @Test(
    .needs("truncate"),
    arguments: [
      "lwwmerge --threads 1 big late", "lwwmerge --threads 3 big late", "deltadiff --threads 1 big late",
      "deltadiff --threads 3 big late", "deltadiff apply big late", "deltadiff invert big late",
      "lwwmerge explain --identity 00000000 big late",
    ], [0, 1_000_000, 9_999_999])
  func cutBeforeSorting(command: String, size: Int) async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try #require(try await sandbox.run(Self.generate).rendering == [])
    let lines = try await sandbox.run(Self.cutBeforeSorting(command, size)).rendering
    #expect(lines == Self.message(String(command.prefix { $0 != " " })))
  }

  /// Half of the output has been taken when the file is truncated: the output so far is right.
  @Test(.needs("truncate"), arguments: [1, 3])
  func cutWhileWriting(threads: Int) async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try #require(try await sandbox.run(Self.generate).rendering == [])
    let steps = """
      mkfifo slow
      sort big >expected
      lwwmerge --threads \(threads) big >slow 2>errors & pid=$!
      exec 3<slow
      head -c 1000 <&3 >out
      truncate -s 0 big
      cat <&3 >>out
      wait "$pid"
      echo "$?"; cat errors
      head -c "$(wc -c <out)" expected | cmp - out
      """
    #expect(try await sandbox.run(steps).rendering == Self.message("lwwmerge"))
  }

  /// Without a map, the result has the bytes that were read.
  @Test(.needs("truncate")) func cutWithoutAMap() async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try #require(try await sandbox.run(Self.generate).rendering == [])
    let steps =
      "sort big >expected; echo '{\"id\":\"x\"}' >>expected\n"
      + Self.cutBeforeSorting("lwwmerge --no-mmap --threads 1 big late", 0) + "cmp expected out"
    #expect(try await sandbox.run(steps).rendering == ["0"])
  }

  /// Data that was mapped and then written to temporary files is checked too; the cut is within a page.
  @Test(.needs("truncate")) func cutBeforeTheFirstRun() async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try #require(
      try await sandbox.run(Self.generate + "; head -n 1500 big >small; mv big more; mv small big").rendering
        == [])
    let steps = Self.cutBeforeSorting("lwwmerge --memory 1M --threads 1 big late", 267_000)
      .replacing("echo '{\"id\":\"x\"}' >&3", with: "cat more >&3")
    #expect(try await sandbox.run(steps).rendering == Self.message("lwwmerge"))
  }

  /// The same number of bytes, but others: pages of both may have been read.
  @Test(arguments: [
    "lwwmerge --threads 1 big late", "deltadiff --threads 3 big late", "deltadiff apply big late",
  ])
  func writtenToInPlace(command: String) async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try #require(try await sandbox.run(Self.generate).rendering == [])
    let steps = Self.cutBeforeSorting(command, 0)
      .replacing("truncate -s 0 big", with: "printf '{\"ID\"' | dd of=big conv=notrunc 2>/dev/null")
    let tool = String(command.prefix { $0 != " " })
    let message = Self.message(tool).map { $0.replacing("became shorter", with: "was changed") }
    #expect(try await sandbox.run(steps).rendering == message)
  }

  /// A file that is truncated and written again has its size again, but not the mapped bytes.
  @Test(.needs("truncate"), arguments: [1, 3]) func cutAndGrownAgain(threads: Int) async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try #require(try await sandbox.run(Self.generate).rendering == [])
    let steps = """
      mkfifo slow
      lwwmerge --threads \(threads) big >slow 2>errors & pid=$!
      exec 3<slow
      head -c 1000 <&3 >out
      size=$(wc -c <big)
      truncate -s 0 big
      head -c 300000 <&3 >>out
      sleep 0.5
      truncate -s "$size" big
      cat <&3 >>out
      wait "$pid"
      echo "$?"; cat errors
      """
    #expect(try await sandbox.run(steps).rendering == Self.message("lwwmerge"))
  }

  /// Blocks whose lines are read again for their keys: cut, emptied or overwritten at any moment, under a limit of memory.
  @Test(
    .needs("truncate"),
    arguments: ["keys big", "keys --threads 1 big", "shard --parts 4 --into \"parts$try\" big", "big"],
    [": > big", "truncate -s 3000001 big", "dd if=zeros of=big conv=notrunc 2>/dev/null"])
  func changedAtAnyMoment(command: String, change: String) async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    let tries = Repository.isSet("SOAK") ? "1 2 3 4 5 6 7 8" : "2 4 7"
    let steps = """
      \(Self.generate)
      mv big whole; head -c 9000000 /dev/zero >zeros
      for try in \(tries); do
        cp whole big
        (sleep "0.00$try"; \(change)) &
        (ulimit -v 4000000; lwwmerge \(command) >out 2>errors); status=$?
        wait
        case $status in 0|65|74) ;; *) echo "$status"; cat errors ;; esac
      done
      """
    #expect(try await sandbox.run(steps).rendering == [])
  }
}
