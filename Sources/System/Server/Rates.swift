import Synchronization

/// Limits the rate of each name: `each` times a second, and up to `most` times at once.
package final class Rates: Sendable {
  private struct Bucket {
    var left: Double
    var at: Duration
  }

  private let each: Double
  private let most: Double
  private let buckets = Mutex<[String: Bucket]>([:])

  package init(each: Double, most: Double) { (self.each, self.most) = (each, most) }

  /// The seconds after which `name` may retry; nil if it may continue.
  package func wait(_ name: String, at now: Duration) -> Int? {
    buckets.withLock { buckets in
      var bucket = buckets[name] ?? Bucket(left: most, at: now)
      bucket.left = min(most, bucket.left + (now - bucket.at) / .seconds(1) * each)
      bucket.at = now
      defer { buckets[name] = bucket }
      guard bucket.left >= 1 else { return 1 }
      bucket.left -= 1
      return nil
    }
  }
}
