@testable import CommandLine
import Testing

/// An option of one name means one thing in all tools.
@Suite struct OptionNameTests {
  /// Names whose values are of different kinds, each with the reason.
  private static let otherValues = [
    "from": "a peer's id as a message has it, or a peer that a person names",
    "identity": "what is asked for is an identity, of a record or of a device",
    "keys": "the keys of a phone's context, or the folder with those of a server",
    "name": "in a message the name is any text",
    "output": "frame's form of lines is older than the files of qrpayload",
    "peer": "synclog knows ids alone; peerlink has the names too",
    "port": "an announcement may name a port that nobody listens on",
    "seeds": "a number of seeds, or which ones",
    "state": "the household's state, or that of a push",
    "to": "the way that pushes take, or the place that a household is moved to",
  ]

  /// Names that have the same text wherever they appear.
  private static let fixed = [
    "entity-name", "profile", "key", "clock", "tombstone", "entity", "max-delete", "on-error", "rejects",
    "memory", "address", "jitter", "key-file",
  ]

  /// Commands whose defaults are the name of a table, of a file or of a collection, or that have no temporary files.
  private static let ownDefaults = ["peersync bind", "peersync remote add", "tablerows write", "pcapstream"]

  private struct Use {
    let path: String
    let option: OptionHelp
  }

  private func uses(of command: Command, below path: [String] = []) -> [Use] {
    let path = path + [command.name]
    return command.options.map { Use(path: path.joined(separator: " "), option: $0) }
      + command.subcommands.flatMap { uses(of: $0, below: path) }
  }

  private func byName() throws -> [String: [Use]] {
    Dictionary(grouping: try Tools.commands.get().flatMap { uses(of: $0) }, by: \.option.long)
  }

  @Test func aNameHasOneKindOfValue() throws {
    let mixed = try byName().filter { Set($0.value.map { $0.option.value ?? "" }).count > 1 }
    #expect(mixed.keys.sorted() == Self.otherValues.keys.sorted())
  }

  @Test(arguments: fixed)
  func theseHaveOneText(name: String) throws {
    let uses = try byName()[name]?.filter { !Self.ownDefaults.contains($0.path) } ?? []
    let texts = Set(uses.map(\.option.summary))
    #expect(texts.count <= 1, "\(texts)")
  }

  /// An option that only names an entity leaves nothing out, and an option that leaves records out names
  /// nothing.
  @Test func whatLeavesOutIsCalledOnly() throws {
    let uses = try byName()["only"] ?? []
    #expect(!uses.isEmpty)
    #expect(uses.allSatisfy { $0.option.summary.contains("only the record") })
  }
}
