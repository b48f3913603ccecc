package import CommandLine

/// How files of changes are read: what it may cost, never what comes out.
package struct ReadingSettings: Sendable {
  package var threads = ThreadCount.standard
  package var memory: ByteSize?
  package var maps = true

  package var workers: Int { threads.value }

  package init() {}
}

/// Settings of a tool that reads changes in key order.
package protocol ReadingConfigurable: Sendable {
  var reading: ReadingSettings { get set }
}

extension Option where Settings: ReadingConfigurable {
  package static var reading: [Option] {
    [
      .value(
        "memory",
        "How much memory to use before temporary files, a size such as 256M; the default is half of what is free."
      ) { $0.reading.memory = $1 },
      .value("threads", "How many threads work, at most 64; the default is one a processor.") {
        $0.reading.threads = $1
      },
      .flag("no-mmap", "Read files piece by piece instead of mapping them into memory.") {
        $0.reading.maps = false
      },
    ]
  }
}
