package import SyncCore

/// The ids of what belongs to a template, made of its id and a date so that all devices make the same.
package struct OccurrenceNames: Sendable {
  /// UUIDv5 of `peersync` in the namespace of domain names.
  package static let namespace = UUIDValue(high: 0x814F_847C_3D94_5BED, low: 0xACB8_D07A_BC1B_0968)

  private let names: UUIDNames
  private let template: RecordID

  package init(_ template: RecordID) {
    self.template = template
    // Not in lower case: ids that are no UUIDs differ by their case, and their occurrences must too.
    names = UUIDNames(in: Self.namespace, beginning: template.bytes + Array("|".utf8))
  }

  /// The id of the occurrence of a date.
  @inline(__always)
  package func id(of day: Int) -> UUIDValue { names.id(ofDate: day) }

  /// The id of the summary with this cut-off.
  package func summary(before day: Int) -> UUIDValue { names.id(of: "before|\(CivilText.date(day))") }
}
