import JSONLines
import SyncCore

extension StoryReader {
  /// The rules of each device, null for a store without rules.
  func deviceRules(_ value: JSONValue, _ devices: Int) throws(MemberError) -> [StoryRules?] {
    guard let list = value.arrayValue, list.count == devices else {
      throw members.error("rules", .wrong("not an array with an element for each device"))
    }
    var rules: [StoryRules?] = []
    for element in list {
      rules.append(element == .null ? nil : try inside(element, "rules").storyRules())
    }
    return rules
  }

  private func storyRules() throws(MemberError) -> StoryRules {
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

  private func pointer(_ name: String) throws(MemberError) -> JSONPointer? {
    try members.find(name, as: "a JSON Pointer such as /id") { member in
      member.stringValue.flatMap { $0.isEmpty ? nil : JSONPointer($0) }
    }
  }
}
