import JSONLines

/// Any text that parses has one canonical form, which is its own canonical form, and is equal to it.
func fuzzJSON(_ bytes: [UInt8]) {
  guard let canonical = canonical(bytes) else { return }
  require(isEqual(bytes, canonical), "the canonical form is equal")
  require(tree(bytes) == canonical, "the tree says the same")
  checkPair(bytes)
}

/// The canonical form; nil if the text is not JSON.
private func canonical(_ bytes: [UInt8]) -> [UInt8]? {
  do throws(JSONError) {
    try JSONScanner.validate(bytes.span)
  } catch {
    require((0...bytes.count).contains(error.offset), "the place of an error is in the text")
    require(error.code != .unexpectedEnd || error.offset == bytes.count, "an end is the end")
    return nil
  }
  let form = write(bytes)
  require((try? JSONScanner.validate(form.span)) != nil, "a canonical form parses")
  require(write(form) == form, "a canonical form is its own")
  return form
}

private func write(_ bytes: [UInt8]) -> [UInt8] {
  var form: [UInt8] = []
  CanonicalJSON.append(bytes.span, value(bytes), to: &form)
  return form
}

/// Through the tree of messages, which keeps the text of numbers and the order of members.
private func tree(_ bytes: [UInt8]) -> [UInt8]? {
  (try? JSONValue(parsing: bytes.span)).map { write(Array($0.text.utf8)) }
}

/// The two elements of an array of two are equal if and only if their canonical forms are.
private func checkPair(_ bytes: [UInt8]) {
  guard let elements = (try? JSONValue(parsing: bytes.span))?.arrayValue, elements.count == 2 else { return }
  let texts = elements.map { Array($0.text.utf8) }
  let forms = (write(texts[0]), write(texts[1]))
  let areSame = forms.0 == forms.1
  require(isEqual(texts[0], texts[1]) == areSame, "equal values have one form")
  require(isEqual(texts[1], texts[0]) == areSame, "equality has no direction")
  let (a, b) = (texts[0], texts[1])
  let order = CanonicalJSON.compare(a.span, value(a), b.span, value(b))
  require(
    (order == 0) == areSame && (order < 0) == forms.0.lexicographicallyPrecedes(forms.1),
    "in the order of the forms")
}

private func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
  JSONEquality.isEqual(a.span, value(a), b.span, value(b))
}

private func value(_ bytes: [UInt8]) -> Range<Int> {
  let isBlank = { (byte: UInt8) in byte <= 32 }
  return (bytes.firstIndex { !isBlank($0) } ?? 0)..<(bytes.lastIndex { !isBlank($0) } ?? -1) + 1
}
