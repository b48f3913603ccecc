package import Store

extension StoreWords {
  /// A database that is somebody else's.
  package static let database = StoreWords(
    one: "an SQLite database", noun: "database", tool: "SQLite", makers: "the app makes it",
    origin: "name the file that the app keeps its tables in")
}
