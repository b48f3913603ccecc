import CommonInputs
import JSONLines

/// The output of a run, whose first error is kept until files and tables are written.
///
/// A closed pipe or a full disk must not keep received changes from the files they belong to.
final class RunOutput {
  private let listing: ListingSettings
  private var error: (any Error)?

  init(_ listing: ListingSettings) { self.listing = listing }

  func write(_ value: JSONValue, saying sentence: String?) {
    // After a cut line, further lines would be joined to it.
    guard error == nil else { return }
    do { try listing.write(value, saying: sentence) } catch { self.error = error }
  }

  /// Throws the first error.
  func finish() throws { if let error { throw error } }
}
