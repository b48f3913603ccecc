import CommandLine
import JSONLines
import Server
import Store
import SyncCore
import SystemIO
import RecordInputs

/// Visits several households for a command; a household that cannot be read does not stop the command.
struct HouseholdRound {
  private let console: Console
  /// The status of the first error.
  private(set) var status = ExitStatus.done
  private var reported: Set<String> = []

  init(on console: Console) { self.console = console }

  /// Begins another round; errors that are known are not reported again.
  mutating func begin() { status = .done }

  /// Visits a household, and reports an error of its store; false after an error.
  ///
  /// Throws the outage of a database, because it affects all households, and errors of other kinds.
  @discardableResult
  mutating func visit(_ label: String, _ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch let error as StoreError where !error.isOutage {
      report(Diagnostic(error, store: label))
    } catch let error as Diagnostic {
      report(error)
    }
    return false
  }

  private mutating func report(_ error: Diagnostic) {
    if reported.insert(error.text).inserted { console.report(error) }
    if status == .done { status = error.exit }
  }
}

extension SyncserveTool {
  /// The error for a listed household whose file is empty or does not exist any more.
  static func unfinished(_ name: String, _ households: Households, _ place: String?) -> Diagnostic {
    let label = households.places.label(of: name)
    guard FileMode.exists(label) else {
      return Diagnostic(.fileNotFound, "the household was removed meanwhile", file: label)
    }
    return Diagnostic(
      .fileNotFound, "the file is empty, as after an interrupted 'household add'", file: label,
      hint: "syncserve household add \(name) --store \(ShellWord.path(place ?? "")) completes it")
  }
}
