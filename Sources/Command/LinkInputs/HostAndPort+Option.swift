import CommandLine
package import Links

extension HostAndPort: OptionValue {
  package static var valueName: String { "HOST:PORT" }
  package static var expectation: String { "HOST:PORT with a port from 1 to 65535" }

  package init?(argument: String) { self.init(argument) }
}
