/// Which occurrence counts, for turns and for notifications alike.
extension Household {
  /// What an occurrence counts as: one that is pending and has a completion is done.
  func status(of occurrence: Occurrence) -> Occurrence.Status {
    done(occurrence.id) == nil ? occurrence.status : .completed
  }

  /// Whether `a` counts rather than `b`: done before skipped before pending, then the earlier completion.
  ///
  /// Nil where neither tells.
  func prefers(_ a: Occurrence, to b: Occurrence) -> Bool? {
    let (status, other) = (status(of: a), status(of: b))
    if status != other { return status == .completed || other == .pending }
    guard status == .completed, let time = done(a.id)?.first.time, let otherTime = done(b.id)?.first.time,
      time != otherTime
    else { return nil }
    return time < otherTime
  }

  /// The occurrences of all templates, one for each id.
  ///
  /// A UUID in capitals and the same in small letters are one id here, and two keys to a merge whose profile does not
  /// say `uuid`. Of such lines the one counts that the household prefers, else the first in key order.
  package var distinctOccurrences: [Stored<Occurrence>] {
    var places: [RecordID: Int] = [:]
    var distinct: [Stored<Occurrence>] = []
    for occurrence in occurrences.values.joined() {
      guard let place = places[occurrence.record.id] else {
        places[occurrence.record.id] = distinct.count
        distinct.append(occurrence)
        continue
      }
      let other = distinct[place]
      let isFirst = occurrence.line.lowerBound < other.line.lowerBound
      if prefers(occurrence.record, to: other.record) ?? isFirst { distinct[place] = occurrence }
    }
    return distinct
  }
}
