package import SyncCore

/// When a template is due, and the ids of its occurrences.
package struct Schedule: Sendable {
  package let zone: Zone
  /// Nil where nothing is planned.
  package let recurrence: Recurrence?
  package let names: OccurrenceNames
  package let secondOfDay: Int

  init(_ template: Template, in household: Household) {
    zone = household.zone(of: template)
    names = OccurrenceNames(template.id)
    guard template.isActive, let anchor = template.anchor else {
      (recurrence, secondOfDay) = (nil, 0)
      return
    }
    let local = zone.local(anchor)
    recurrence = Recurrence(anchor: local.day, unit: template.unit, value: template.value)
    secondOfDay = local.second
  }

  /// The due time on a date, in seconds since 1970.
  @inline(__always)
  func due(on day: Int) -> Int { zone.seconds(day: day, second: secondOfDay) }
}
