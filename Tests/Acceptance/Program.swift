import Foundation
import Testing

/// Programs that some tests need and that are not part of this package.
enum Program {
  /// The path of an installed program.
  ///
  /// Also nil for a program without the necessary rights here, as in a container.
  static func find(_ name: String) -> String? {
    // A library that a tool loads when it is needed.
    if name.contains(".so.") { return unsafe dlopen(name, RTLD_NOW) == nil ? nil : name }
    if name == "gcloud" { return hasFirestore ? "\(Sandbox.standIns)/\(name)" : nil }
    let folders = Sandbox.systemPath.split(separator: ":")
    let path = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    return trials[name] == false ? nil : path
  }

  /// The imports of the stand-in for Firestore's emulator.
  private static let hasFirestore =
    (try? Repository.text(of: ".build/python/holds"))?.contains("google-cloud-firestore") == true

  /// Whether programs that need rights work.
  private static let trials = [
    "strace": "strace -o /dev/null true", "unshare": "unshare -rm mount -t tmpfs none /tmp",
  ].mapValues { command in
    (try? Sandbox(tools: Tools.folder).wait(for: command).outcome.status) == 0
  }

  /// Cancels the current test, by name, where a program is missing; in CI that is a failure.
  static func require(_ names: [String], for test: String) throws {
    let missing = names.filter { find($0) == nil }
    guard !missing.isEmpty else { return }
    let reason = "needs \(missing.joined(separator: ", ")), which is not installed, or not allowed to work"
    if Repository.isContinuousIntegration {
      Issue.record("\(test) \(reason)")
    } else {
      print("skipped: \(test) \(reason)")
    }
    try Test.cancel("\(reason)")
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test if a program is missing; in CI it runs and fails.
  static func needs(_ name: String) -> Self {
    .enabled(
      if: Repository.isContinuousIntegration || Program.find(name) != nil,
      "needs \(name), which is not installed")
  }
}
