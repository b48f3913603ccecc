/// What goes wrong with the way that pushes take.
package enum DeliveryError: Error, Equatable, Sendable {
  /// libcurl could not do what was asked, in its own words.
  case curl(String)
}
