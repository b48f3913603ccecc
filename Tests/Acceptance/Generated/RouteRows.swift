import ServerProtocol

/// The tables of docs/formats/changes.md and docs/formats/planner.md.
enum RouteRows {
  static func requests(_ routes: [ServerRoute]) -> String {
    let rows = routes.flatMap { route in
      route.operations.map { ["`\($0.method) \(route.rawValue)`", Self.key(of: route), $0.summary] }
    }
    return MarkdownTable.text(["request", "key", "answer"], rows)
  }

  private static func key(of route: ServerRoute) -> String {
    switch route.door {
    case .everybody: "none"
    case .key: "yes"
    case .browser: "yes, or as the password of a browser"
    }
  }

  static func query(_ route: ServerRoute, _ method: String) -> String {
    let rows = (route.operation(method)?.query ?? []).map { ["`\($0.name)`", $0.form.words, $0.meaning] }
    return MarkdownTable.text(["parameter", "value", "meaning"], rows)
  }
}

extension RouteField.Form {
  /// What may stand there.
  fileprivate var words: String {
    switch self {
    case .choice(let choices): choices.map { "`\($0)`" }.joined(separator: ", ")
    default: expectation
    }
  }
}
