import Testing

/// How files are read never affects the result: threads, pipes, mapped files, blocks, temporary files.
@Suite struct ReadingLawTests {
  /// Ways to read two files: options, and the operands for `$1` and `$2`.
  private static let ways = [
    #"--threads 2 -- "$1" "$2""#, #"--threads 5 -- "$1" "$2""#, #"--threads 1 --no-mmap -- "$1" "$2""#,
    #"--threads 3 --no-mmap -- "$1" "$2""#, #"--threads 2 -- - "$2" <"$1""#,
    #"--threads 5 -- "$1" /dev/stdin <"$2""#, #"--no-mmap -- "$1" /dev/fd/3 3<"$2""#,
    // Small blocks in memory, then temporary files.
    #"--memory 16M --threads 3 -- "$1" "$2""#, #"--memory 1M --threads 1 -- "$1" "$2""#,
    #"--memory 1M --threads 3 --no-mmap -- "$1" "$2""#, #"--memory 2M -- - "$2" <"$1""#,
  ]

  /// The command for each way; files that it writes are its `$out.*`.
  private static let commands = [
    #"lwwmerge --max-drift off --conflicts "$out.conflicts" --summary "$out.summary""#,
    #"lwwmerge --max-drift off --drop-tombstones --on-error skip --rejects "$out.rejects""#,
    "lwwmerge explain --json --max-drift off --identity same",
    #"deltadiff --duplicates last --now 2026-01-01T00:00:00Z --explain "$out.why""#,
    "deltadiff apply --duplicates last",
    "deltadiff invert --duplicates last --deleted-at 2026-01-01T00:00:00Z", "deltadiff stat",
  ]

  /// Records in no order, many versions of some keys, many entities, and two long lines.
  private static func generate(_ count: Int, longest: Int) -> String {
    #"""
    awk -v count=\#(count) -v longest=\#(longest) -v seed=7 '
      function next_number(n) { seed = (seed * 16807) % 2147483647; return seed % n }
      function clock() { return sprintf("\"2025-05-02T10:%02d:00.%09dZ\"", next_number(60), next_number(40)) }
      function long(n, s) { s = "x"; while (length(s) < n) s = s s; return substr(s, 1, n) }
      function line(file, i, id, pad) {
        id = (i % 5 ? "common-prefix-of-ids-" : "") next_number(count)
        if (i == int(count / 3)) pad = ",\"pad\":\"" long(longest) "\""
        if (i == int(count / 2)) pad = ",\"pad\":\"" long(300000) "\""
        if (i % 7 == 0) printf "{\"entityName\":\"E%d\",\"identity\":{\"id\":\"%s\"},\"%s\":%s%s}\n", id % 300, id, \
          (i % 3 ? "modifiedAt" : "deletedAt"), clock(), pad >file
        else if (i % 11 == 0) printf "{\"id\":%d,\"updatedAt\":%s}\r\n\n", next_number(2000), clock() >file
        else printf "{\"title\":\"some text\"%s,\"entity\":\"Task\",\"id\":\"%s\",\"n\":%d,\"updatedAt\":%s}\n", pad, id, \
          next_number(3), clock() >file
      }
      BEGIN {
        for (i = 0; i < count; i++) { line("one", i); line("two", i) }
        for (i = 0; i < 3000; i++) printf "{\"id\":\"same\",\"n\":%d,\"updatedAt\":%s}\n", i % 9, clock() >"two"
      }'
    """#
  }

  /// Runs a command in one thread, then in every way, and prints where a byte or the status differs.
  private static func compare(_ command: String) -> String {
    let runs = ways.enumerated().map { index, way in
      """
      out=way\(index); read_so() { \(command) \(way); }
      read_so one two >"$out" 2>"$out.errors" && status=0 || status=$?
      [ "$status" = "$expected" ] || echo '\(way.replacing("'", with: ""))': status "$status"
      tell_names "$out"*
      for file in way0000*; do cmp "$file" "$out${file#way0000}"; done
      """
    }
    // A file has another name in each way.
    let names = """
      tell_names() {
        sed -i 's#"file":"-"#"file":"one"#g; s#"file":"/dev/[a-z0-9/]*"#"file":"two"#g; s#^lwwmerge: -:#lwwmerge: one:#' "$@"
      }

      """
    let first = """
      out=way0000; read_so() { \(command) --threads 1 -- "$1" "$2"; }
      read_so one two >"$out" 2>"$out.errors" && expected=0 || expected=$?
      wc -c <"$out" >&2; cat "$out.errors" >&2
      """
    return ([names + first] + runs).joined(separator: "\n")
  }

  private func check(_ command: String, _ count: Int, longest: Int, bad: Bool = false) async throws {
    let sandbox = try Sandbox(tools: Tools.folder)
    try #require(
      try await sandbox.run(Self.generate(count, longest: longest), limit: .seconds(300)).rendering == [])
    if command.contains("--on-error") {
      try #require(
        try await sandbox.run("printf '{\"id\":}\\n{\"id\":1,\"updatedAt\":1.5}\\n}' >>one").rendering == [])
    }
    let outcome = try await sandbox.run(Self.compare(command), limit: .seconds(600))
    #expect(String(decoding: outcome.output, as: UTF8.self) == "", "\(command)")
    // The first run has written something, without a complaint where there is nothing bad.
    let errors = String(decoding: outcome.errors, as: UTF8.self).textLines
    #expect(
      errors.first.flatMap { Int($0.trimmingPrefix { $0 == " " }) } ?? 0 > 0,
      "\(command): \(errors.prefix(5))")
  }

  /// With little memory a block has 64 KiB.
  @Test(arguments: commands)
  func sameBytesWhateverTheWay(command: String) async throws {
    try await check(command, 6_000, longest: 1_000_000)
  }

  /// Several blocks of 4 MiB, lines that lie across their ends, and one line longer than several.
  @Test(.enabled(if: Repository.isSet("SOAK"), "SOAK=1 runs it"), arguments: commands)
  func sameBytesOfLargeFiles(command: String) async throws {
    try await check(command, 200_000, longest: 20 << 20)
  }
}
