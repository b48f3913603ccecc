package import CommandLine
import CommonInputs
package import SyncCore
import SystemIO

/// The store, and the limits for its changes.
package struct StoreSettings: Sendable {
  var file: FilePath?
  package var wait = Duration.seconds(10)
  package var now: Instant?
  package var maxDrift = OptionalDuration(DriftGuard.default)
  package var maxDelete = DeleteLimit.default
  package var keepConflicts = OptionalDuration(Conflicts.defaultAge)

  package init() {}

  package var path: String { file?.path ?? Places.store }
  package var present: Instant { now ?? .wallClock }
  package var drift: DriftGuard { DriftGuard(now: present, maximum: maxDrift.duration) }

  /// The time of `prune --before`; a time in the future would refuse all records that are written until then.
  package func past(_ before: Instant?) throws(UsageError) -> Instant {
    guard let before else { throw .conflict("prune needs --before") }
    guard before <= present else {
      throw .invalidValue(
        option: "before", value: before.description, expected: "a time in the past")
    }
    return before
  }
}

extension Console {
  /// Warns about a folder in which anyone can replace the store.
  ///
  /// The store is used anyway: several users may share its folder, and it does not contain a secret key.
  package func warn(openFolderOf path: String) {
    guard let folder = FileMode.openFolder(of: path) else { return }
    warn("\(path): anyone can replace this file", hint: "chmod go-w \(ShellWord.path(folder))")
  }
}

/// Settings of a tool that opens a change store.
package protocol StoreConfigurable: PlacedByEnvironment {
  var store: StoreSettings { get set }
}

extension StoreConfigurable {
  package var defaultFile: String? { store.file == nil ? store.path : nil }
}

extension BadLineConfigurable where Self: RecordConfigurable & StoreConfigurable {
  package var neededFiles: [String] { records.neededFiles + [store.path] }
}

extension Option where Settings: StoreConfigurable {
  package static var storePlace: [Option] {
    [
      .value("store", "Use this file as the store.") { $0.store.file = $1 },
      .value("wait", "Wait up to this long while another process writes (default: 10s).") {
        $0.store.wait = $1
      },
    ]
  }

  package static var present: [Option] {
    [.value("now", "Use TIME as the current time.") { $0.store.now = $1 }]
  }

  package static var drift: [Option] {
    [
      .value(
        "max-drift", "Reject clocks further ahead than this (default: 5m; off accepts any)."
      ) { $0.store.maxDrift = $1 }
    ]
  }

  package static var maxDelete: [Option] {
    [
      .value(
        "max-delete",
        "Refuse to delete more live records than this: a number, a share such as 20%, or off "
          + "(default: the larger of 100 and 20%)."
      ) { $0.store.maxDelete = $1 }
    ]
  }
}

extension Option where Settings: StoreConfigurable {
  package static var keepConflicts: Option {
    .value(
      "keep-conflicts",
      "Keep versions that lost a conflict for this long (default: 30d; off discards them)."
    ) { $0.store.keepConflicts = $1 }
  }
}

extension DeleteLimit: OptionValue {
  package static var valueName: String { "LIMIT" }
  package static var expectation: String { "a number of records, a share such as 20%, or off" }

  package init?(argument: String) {
    if argument == "off" {
      self = .off
    } else if argument.hasSuffix("%") {
      guard let share = UnsignedDigits(argument.dropLast()), share.value <= 100 else { return nil }
      self = .percent(share.value)
    } else {
      guard let count = UnsignedDigits(argument[...]) else { return nil }
      self = .count(count.value)
    }
  }
}
