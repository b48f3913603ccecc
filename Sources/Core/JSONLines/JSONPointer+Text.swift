extension JSONPointer {
  /// The string form.
  package var text: String {
    tokens.map { token in
      let escaped = token.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }
      return "/" + escaped.joined()
    }.joined()
  }
}

extension JSONPointer {
  /// The member of this name.
  package init(name: String) { self.init(tokens: [name]) }
}
