/// Reads the files of one chain after a place, up to the next missing or incomplete file.
struct ChainReader {
  private let folder: SharedFolder
  private let chain: ChainName
  private let numbers: [Int]
  /// The last file that was read.
  private(set) var place: FolderPlaces.Place?
  /// The number of the file to wait for: the next one if it is incomplete, or is missing although later files
  /// exist, or the last one if no file is complete.
  private(set) var awaited: Int?

  init(_ folder: SharedFolder, _ chain: ChainName, _ numbers: [Int], _ place: FolderPlaces.Place?) {
    (self.folder, self.chain, self.numbers, self.place) = (folder, chain, numbers, place)
  }

  mutating func next() throws -> FolderPage? {
    awaited = nil
    guard let end = numbers.last else { return nil }
    if let place {
      let hasStood = try stands(place)
      if place.number >= end, hasStood { return nil }
      if hasStood, numbers.contains(place.number + 1) {
        guard let file = try folder.read(chain, place.number + 1) else { return wait(place.number + 1) }
        if file.page.previous == place.digest { return accept(file) }
        // The last read file was replaced: a copy of the writer's store has added its own file to the chain.
        // Merge the changes of both.
        guard let start = try lastStart(), start > place.number + 1 else { return accept(file) }
      }
    }
    // Before the first read, or if the place no longer exists, continue from the start of the complete
    // records.
    let number = (place?.number ?? 0) + 1
    guard let start = try lastStart() else { return wait(numbers.contains(number) ? number : end) }
    guard try start >= number || !stands(place) else { return wait(number) }
    guard let file = try folder.read(chain, start) else { return wait(start) }
    return accept(file)
  }

  private mutating func accept(_ file: (page: FolderPage, digest: String)) -> FolderPage {
    place = FolderPlaces.Place(number: file.page.number, digest: file.digest)
    return file.page
  }

  private mutating func wait(_ number: Int) -> FolderPage? {
    if number <= numbers.last ?? 0 { awaited = number }
    return nil
  }

  /// Whether the last read file is unchanged, missing or unreadable, but not replaced.
  private func stands(_ place: FolderPlaces.Place?) throws -> Bool {
    guard let place, numbers.contains(place.number) else { return true }
    guard let file = try folder.read(chain, place.number) else { return true }
    return file.digest == place.digest
  }

  /// The start of the chain according to its last complete file.
  func lastStart() throws -> Int? {
    for number in numbers.reversed() {
      if let file = try folder.read(chain, number) { return file.page.start }
    }
    return nil
  }
}
