import JSONLines
import Postgres
package import Store
package import SyncCore
import SystemIO

/// Brings households from one place to another: with their ids, sequences and marks, so that tokens of the one place are
/// good in the other.
///
/// First the source is closed for writing, then it is copied as a whole, then it is renamed. After an
/// interruption at any moment the same move resumes where it was.
package struct HouseholdMove {
  private let source: Households
  private let target: Households

  package init(from source: Households, to target: Households) {
    (self.source, self.target) = (source, target)
  }

  private static let ending = ".moving"

  /// The households to be moved, those too of which a move has begun.
  package func names() throws -> [String] {
    let begun = try source.allNames().filter { $0.hasSuffix(Self.ending) }.map {
      String($0.dropLast(Self.ending.count))
    }
    return Set(try source.names() + begun).sorted()
  }

  /// Moves one and gives the store in its new place.
  ///
  /// Throws `missing` if that name does not exist.
  package func move(_ name: String, at now: Instant) throws -> ChangeStore {
    let begun = name + Self.ending
    if try source.exists(name) {
      if try target.exists(name), try target.open(name).id != source.open(name).id {
        throw Diagnostic(
          .cannotCreate, "another household has the name '\(name)'", file: target.places.label(of: name))
      }
      try source.fence(name, as: begun)
    }
    let store = try source.openFenced(begun)
    if try !target.exists(name) { try target.add(name, copying: store) }
    let moved = try target.open(name)
    guard moved.id == store.id else {
      throw Diagnostic(
        .cannotCreate, "another household has the name '\(name)'", file: target.places.label(of: name))
    }
    try source.rename(begun, to: "\(name).moved-\(now.seconds)")
    return moved
  }
}
