import JSONLines
import SyncCore

extension StoryReader {
  /// Those of each device, null for a store without rules.
  func deviceRules(_ value: JSONValue, _ devices: Int) throws(StoryError) -> [StoryRules?] {
    guard let list = value.arrayValue, list.count == devices else {
      throw error("'rules' is not an array with an element for each device")
    }
    var rules: [StoryRules?] = []
    for element in list {
      rules.append(element == .null ? nil : try StoryReader(element, line: line).storyRules())
    }
    return rules
  }

  private func storyRules() throws(StoryError) -> StoryRules {
    var rules = StoryRules()
    rules.profile = try choice("profile", else: rules.profile)
    rules.key = try pointer("key")
    rules.clock = try pointer("clock")
    rules.tombstone = try pointer("tombstone")
    rules.entity = try pointer("entity")
    let defect = rules.choice.shape.keys.keyDefect { $0.text }
    if let defect { throw error(defect) }
    return rules
  }

  private func pointer(_ name: String) throws(StoryError) -> JSONPointer? {
    guard let member = value[name] else { return nil }
    guard let text = member.stringValue, !text.isEmpty, let pointer = JSONPointer(text) else {
      throw error("'\(name)' is not a JSON Pointer such as /id")
    }
    return pointer
  }
}
