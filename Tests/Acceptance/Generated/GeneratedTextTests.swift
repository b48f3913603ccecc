import Testing

/// The makers of generated text.
@Suite struct GeneratedTextTests {
  @Test func sectionReplacesWhatIsBetweenItsMarkers() {
    let section = GeneratedSection(document: "a.md", name: "b", text: "new\n")
    let document = "x\n<!-- a -->\n1\n<!-- end -->\n<!-- b -->\n\nold\n<!-- end -->\ny\n"
    let expected = "x\n<!-- a -->\n1\n<!-- end -->\n<!-- b -->\n\nnew\n\n<!-- end -->\ny\n"
    #expect(section.inserted(into: document) == expected)
    #expect(section.inserted(into: expected) == expected)
  }

  @Test(arguments: ["", "<!-- b -->\n", "<!-- end -->\n<!-- b -->\n"])
  func sectionNeedsBothMarkers(document: String) {
    #expect(GeneratedSection(document: "a.md", name: "b", text: "x\n").inserted(into: document) == nil)
  }

  @Test func pictureHasARowForEachHeight() {
    let manifest = Manifest(targets: [
      .init(name: "tool", kind: "executable", dependencies: ["Core", "Lines"]),
      .init(name: "other", kind: "executable", dependencies: ["Core", "Lines"]),
      .init(name: "Core", kind: "regular", dependencies: ["Lines"]),
      .init(name: "Lines", kind: "regular", dependencies: []),
      .init(name: "CoreTests", kind: "test", dependencies: ["Core"]),
    ])
    let expected = """
      ```text
      ┌───────┐ ┌──────┐
      │ other │ │ tool │
      └───────┘ └──────┘
      ┌──────┐
      │ Core │
      └──────┘
      ┌───────┐
      │ Lines │
      └───────┘

      Core → Lines
      other, tool → Core, Lines
      ```

      """
    #expect(ModulePicture(manifest).text == expected)
  }

  @Test func pictureFitsATerminal() {
    let names = (10..<30).map { "module\($0)" }
    let manifest = Manifest(targets: names.map { .init(name: $0, kind: "regular", dependencies: []) })
    #expect(ModulePicture(manifest).text.textLines.allSatisfy { $0.count <= 78 })
  }
}
