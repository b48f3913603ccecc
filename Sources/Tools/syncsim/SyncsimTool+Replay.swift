import CommandLine
import JSONLines
import Simulation
import StoreSimulation
import SyncCore
import SystemIO

extension SyncsimTool {
  static func runReplay(_ settings: Settings, on console: Console) throws -> ExitStatus {
    var sideFiles = SideFiles(inputs: [settings.file])
    try sideFiles.add(settings.log)
    let text = try ByteInput.contents(of: settings.file)
    let story: Story
    do throws(StoryError) {
      story = try Story(text.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) })
    } catch {
      throw Diagnostic(.invalidStory, error.message, file: settings.file, line: error.line)
    }
    let log = try settings.log.map { file in try AtomicFile(creating: file.path) }
    var events: [UInt8] = []
    let outcome = StoryRunner(plant: settings.plant).run(
      story,
      log: log == nil
        ? nil
        : { event in
          event.append(to: &events)
          events.append(10)
        })
    try log?.write(events.span)
    try log?.commit()
    var members: [JSONMember] = [.init("holds", .bool(outcome.failure == nil))]
    if let failure = outcome.failure { members.append(.init("failure", failure.value)) }
    try Descriptor.standardOutput.write(summary(members, outcome.counts, settings))
    return outcome.failure == nil ? .done : .no
  }
}
