import CommandLine
import SyncCore
import ToolInputs

/// Settings of a command that reads a state.
protocol StateConfigurable: BadLineConfigurable, RecordConfigurable, ReadingConfigurable {
  var files: [String] { get set }
}

extension StateConfigurable {
  var inputs: [String] { files.isEmpty ? ["-"] : files }
}

extension HouseholdState {
  init<Settings: StateConfigurable>(
    reading settings: Settings, _ shape: RecordShape, keepingLines keepsLines: Bool = false,
    _ badLines: inout BadLines
  ) throws {
    try self.init(
      reading: settings.inputs, shape, settings.reading, keepingLines: keepsLines, &badLines)
  }
}
