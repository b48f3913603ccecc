import Foundation
import StoreSync

/// A record of an app.
struct Note: Syncable, Equatable {
  var id: Int
  var title: String
  var createdAt = Date(timeIntervalSince1970: 0)
  var updatedAt: Date

  init(_ id: Int, _ title: String, _ seconds: Double) {
    (self.id, self.title, updatedAt) = (id, title, Date(timeIntervalSince1970: seconds))
  }
}
