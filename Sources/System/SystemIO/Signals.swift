/// The numbers of the signals that this package sends.
package enum Signals {
  package static let interrupt = SIGINT
  package static let terminate = SIGTERM
  package static let kill = SIGKILL
}
