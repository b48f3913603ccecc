/// The modules as rows of boxes; each uses only boxes of rows below its own.
struct ModulePicture {
  private let targets: [Manifest.Target]
  private let width = 78

  init(_ manifest: Manifest) {
    targets = manifest.targets.filter { $0.kind != "test" }.sorted { $0.name < $1.name }
  }

  var text: String {
    let layers = Dictionary(grouping: targets) { height(of: $0) }.sorted { $0.key > $1.key }.map(\.value)
    let boxes = layers.flatMap { rows(of: $0.map(\.name)) }.flatMap(drawn)
    return (["```text"] + boxes + [""] + uses + ["```"]).map { $0 + "\n" }.joined()
  }

  /// The longest path down from a target to one that uses nothing.
  private func height(of target: Manifest.Target) -> Int {
    let below = targets.filter { target.dependencies.contains($0.name) }
    return below.map { height(of: $0) + 1 }.max() ?? 0
  }

  /// As many names per row as fit beside each other.
  private func rows(of names: [String]) -> [[String]] {
    var rows: [[String]] = []
    var used = width
    for name in names {
      if used + name.count + 5 > width {
        rows.append([])
        used = 0
      }
      rows[rows.count - 1].append(name)
      used += name.count + 5
    }
    return rows
  }

  private func drawn(_ names: [String]) -> [String] {
    let edges = names.map { String(repeating: "─", count: $0.count + 2) }
    return [
      edges.map { "┌\($0)┐" }.joined(separator: " "),
      names.map { "│ \($0) │" }.joined(separator: " "),
      edges.map { "└\($0)┘" }.joined(separator: " "),
    ]
  }

  /// A line for each target that uses others; tools that use the same share one.
  private var uses: [String] {
    let users = Dictionary(grouping: targets.filter { !$0.dependencies.isEmpty }, by: \.dependencies)
    return users.map { dependencies, users in
      users.map(\.name).joined(separator: ", ") + " → " + dependencies.joined(separator: ", ")
    }.sorted()
  }
}
