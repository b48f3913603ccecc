internal import CICalOnDemand
package import Chores
package import JSONLines

/// libical, which reads the properties of a component and expands rules of recurrence.
///
/// This is safe because every component and text of the library is freed before the requesting function
/// returns.
@safe
package struct CalendarLibrary: CalendarReading {
  private var library = peersync_libical()

  package init() throws(Diagnostic) {
    guard unsafe peersync_libical_load(&library) != 0 else {
      throw Diagnostic(
        .commandNotFound, "libical 3 is not installed",
        hint: "install the library, for example: apt-get install libical3")
    }
  }

  package func properties(of component: String) -> [CalendarProperty]? {
    var library = library
    guard let parsed = unsafe peersync_libical_parse(&library, component) else { return nil }
    defer { unsafe peersync_libical_free(&library, parsed) }
    var properties: [CalendarProperty] = []
    var next = unsafe peersync_libical_property(&library, parsed, 1)
    while let property = unsafe next {
      let name = unsafe take(peersync_libical_name(&library, property))
      let value = unsafe take(peersync_libical_value(&library, property))
      func parameter(_ name: String) -> String? {
        unsafe take(peersync_libical_parameter(&library, property, name))
      }
      properties.append(
        CalendarProperty(
          name: name ?? "", value: value ?? "", zone: parameter("TZID"), freeBusyType: parameter("FBTYPE"),
          range: parameter("RANGE")))
      unsafe next = peersync_libical_property(&library, parsed, 0)
    }
    return properties
  }

  package func occurrences(of rule: String, from start: Int, limit: Int) -> [Int]? {
    var library = library
    var times = [time_t](repeating: 0, count: limit)
    let error = unsafe times.withUnsafeMutableBufferPointer { times in
      unsafe peersync_libical_expand(&library, rule, time_t(start), Int32(limit), times.baseAddress)
    }
    guard error == 0 else { return nil }
    // A 0 is an unused element at the end, or the beginning of 1970.
    let count = times.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return times[..<count].map { Int($0) }
  }

  /// Copies the text and frees the original.
  private func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    var library = library
    defer { unsafe peersync_libical_free_text(&library, text) }
    return unsafe String(cString: text)
  }
}
