package import CommandLine
import JSONLines
package import SyncCore
import SystemIO

/// The name of a built-in profile, or the path of a file; a file of such a name can be given as `./chores`.
package struct ProfilePlace: OptionValue {
  var path: String
  package static var valueName: String { FilePath.valueName }
  package static var completion: OptionHelp.Completion { FilePath.completion }
  package static var expectation: String { FilePath.expectation }
  package var namedFile: String? { Profile.builtIn[path] == nil ? path : nil }

  package init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    path = argument
  }
}

/// How a tool reads plain records: pointers for all records, and rules for each entity.
package struct RecordSettings: Sendable {
  var shape = RecordShape()
  var profile: ProfilePlace?

  /// `profile` is the name of the default built-in profile.
  package init(profile: String? = nil) { self.profile = profile.flatMap { ProfilePlace(argument: $0) } }

  /// The entity of plain records without an entity; nil if not given.
  package var entityName: String?

  /// The profile as given: a file, or the name of a built-in profile; nil if not given.
  package var profileName: String? { profile?.path }

  /// The profile, if it is a file.
  var neededFiles: [String] { profile?.namedFile.map { [$0] } ?? [] }

  /// The shape, after reading its profile.
  package func load() throws -> RecordShape {
    if let defect = shape.keys.keyDefect({ "--key \($0.text)" }) { throw UsageError.conflict(defect) }
    guard let path = profile?.path else {
      var shape = shape
      if let entityName { shape.entityName = entityName }
      return shape
    }
    return shape(over: try Self.read(path))
  }

  /// The shape from the options; missing parts are from the file.
  private func shape(over file: RecordShape) -> RecordShape {
    var shape = shape
    shape.profile = file.profile
    shape.profile.entity = file.entity
    if shape.keys.isEmpty { shape.keys = file.keys }
    shape.clock = shape.clock ?? file.clock
    shape.tombstone = shape.tombstone ?? file.tombstone
    shape.entityName = entityName ?? file.entityName
    return shape
  }

  /// The options that must agree with the rules of a store.
  package func choice() throws -> RuleChoice {
    let shape = try load()
    return RuleChoice(
      shape, hasProfile: profile != nil,
      entityName: entityName ?? (shape.entityName.isEmpty ? nil : shape.entityName))
  }

  private static func read(_ path: String) throws -> RecordShape {
    let text = try Profile.builtIn[path].map { Array($0.utf8) } ?? ByteInput.contents(of: path)
    do throws(MemberError) {
      return try RecordShape(rules: text.span)
    } catch {
      let message = error.place.isEmpty ? error.matter : "\(error.pointer): \(error.matter)"
      throw Diagnostic(.invalidProfile, message, file: path).hinting(atEncodingOf: text.span, in: path)
    }
  }
}

/// Settings of a tool that reads plain records.
package protocol RecordConfigurable: Sendable {
  var records: RecordSettings { get set }
}

extension BadLineConfigurable where Self: RecordConfigurable {
  package var neededFiles: [String] { records.neededFiles }
}

extension Option where Settings: RecordConfigurable {
  package static var records: [Option] {
    [
      .value(
        "profile",
        "Read and merge the records of each entity by these rules: the built-in chores, or a JSON file "
          + "as 'synclog rules show' prints it."
      ) { $0.records.profile = $1 },
      .value(
        "entity-name", named: "NAME",
        "Give plain records without an entity this entity (default: empty)."
      ) { $0.records.entityName = $1 },
      .repeated(
        "key",
        "Read the key of a plain record from this JSON Pointer; repeat it for several members (default: /id)."
      ) { $0.records.shape.keys.append($1) },
      .value(
        "clock",
        "Read the clock of a plain record from here (default: the first of /modifiedAt, "
          + "/modified_at, /updatedAt, /updated_at, /timestamp)."
      ) { $0.records.shape.clock = $1 },
      .value(
        "tombstone",
        "Treat a plain record with a time in this member as deleted (default: /deletedAt). The values null, "
          + "false, 0 and an empty text do not mark a deletion. With this option, true also marks a deletion."
      ) { $0.records.shape.tombstone = $1 },
      .value(
        "entity", "Read the entity of a plain record from this member (default: /entity)."
      ) { $0.records.shape.entity = $1 },
    ]
  }
}
