import JSONLines
import TestSupport

extension WireSeed {
  /// A value in a random spelling: members in any order, white space, unneeded escapes.
  mutating func spell(_ value: JSONValue, breaks: Bool = true) -> String {
    let space = pick(breaks ? ["", "", "", " ", "\n", "\r\n\t"] : ["", "", " ", "\t"])
    return switch value {
    case .array(let elements):
      "[" + space + elements.map { spell($0, breaks: breaks) }.joined(separator: "," + space) + "]"
    case .object(let members): "{" + space + spell(members, breaks) + space + "}"
    case .string(let string): spell(string)
    default: value.text
    }
  }

  private mutating func spell(_ members: [JSONMember], _ breaks: Bool) -> String {
    members.shuffled(using: &self).map { spell($0.name) + ":" + spell($0.value, breaks: breaks) }
      .joined(separator: ", ")
  }

  private mutating func spell(_ string: String) -> String {
    guard below(3) == 0 else {
      return JSONValue.string(string).text.replacing("/", with: pick(["/", "\\/"]))
    }
    let units = string.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + units.joined() + "\""
  }
}
