package import JSONLines
import SystemIO

/// A type of the value of an option.
package protocol OptionValue: Sendable, SendableMetatype {
  /// The default placeholder of the value in the help, in capitals.
  static var valueName: String { get }
  static var completion: OptionHelp.Completion { get }
  /// The accepted form, for the error message: `a size such as 16M`.
  static var expectation: String { get }
  /// The file that the value names, `-` for standard input, or nil.
  var namedFile: String? { get }
  init?(argument: String)
}

extension OptionValue {
  package static var completion: OptionHelp.Completion { .nothing }
  package var namedFile: String? { nil }

  init(argument: String, of option: String) throws(UsageError) {
    guard let value = Self(argument: argument) else {
      throw .invalidValue(option: option, value: argument, expected: Self.expectation)
    }
    self = value
  }
}

extension String: OptionValue {
  package static var valueName: String { "TEXT" }
  package static var expectation: String { "text" }
  package init?(argument: String) { self = argument }
}

/// A value without a default.
extension Optional: OptionValue where Wrapped: OptionValue {
  package static var valueName: String { Wrapped.valueName }
  package static var completion: OptionHelp.Completion { Wrapped.completion }
  package static var expectation: String { Wrapped.expectation }
  package var namedFile: String? { self?.namedFile }
  package init?(argument: String) {
    guard let value = Wrapped(argument: argument) else { return nil }
    self = .some(value)
  }
}

extension Int: OptionValue {
  package static var valueName: String { "N" }
  package static var expectation: String { "a whole number" }
  package init?(argument: String) { self.init(argument) }
}

/// A whole number above zero.
package struct PositiveCount: OptionValue, Equatable {
  package var value: Int
  package static var valueName: String { "N" }
  package static var expectation: String { "a whole number above 0" }

  package init(_ value: Int) { self.value = value }

  package init?(argument: String) {
    guard let number = UnsignedDigits(argument[...]), number.value > 0 else { return nil }
    value = number.value
  }
}

/// An option value from a fixed set: an enum of strings.
package protocol OptionChoice: OptionValue, CaseIterable, RawRepresentable where RawValue == String {}

extension OptionChoice {
  package static var completion: OptionHelp.Completion { .choices(allCases.map { $0.rawValue }) }
  package static var expectation: String { "one of " + allCases.map { $0.rawValue }.joined(separator: ", ") }
  package init?(argument: String) { self.init(rawValue: argument) }
}

/// The path of a file, with `-` for a standard stream.
package struct FilePath: OptionValue, Equatable {
  package var path: String
  package static var valueName: String { "FILE" }
  package static var completion: OptionHelp.Completion { .file }
  package static var expectation: String { "a path" }
  package var namedFile: String? { path }
  package init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    path = argument
  }
}

/// A number of bytes up to 2⁶⁰: digits and an optional unit `B K M G T` (powers of 1,024).
package struct ByteSize: OptionValue, Equatable {
  package var bytes: Int
  package static var valueName: String { "SIZE" }
  package static var expectation: String { "a size such as 512K or 16M" }

  package init(bytes: Int) { self.bytes = bytes }

  package init?(argument: String) {
    let units: [Character: Int] = ["B": 0, "K": 10, "M": 20, "G": 30, "T": 40]
    let shift = argument.last.flatMap { units[$0] }
    guard let number = UnsignedDigits(shift == nil ? argument[...] : argument.dropLast()) else { return nil }
    let (bytes, overflow) = number.value.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    guard !overflow, bytes <= 1 << 60 else { return nil }
    self.bytes = bytes
  }
}

extension Duration: OptionValue {
  package static var valueName: String { "DURATION" }
  package static var expectation: String { "a duration with its unit such as 500ms, 90s, 5m, 2h or 7d" }

  /// Digits and one of the units `ms s m h d`; the unit is required, as a bare number is ambiguous.
  package init?(argument: String) {
    let units: [(suffix: String, milliseconds: Int)] = [
      ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }),
      let number = UnsignedDigits(argument.dropLast(unit.suffix.count))
    else { return nil }
    let (milliseconds, overflow) = number.value.multipliedReportingOverflow(by: unit.milliseconds)
    guard !overflow else { return nil }
    self = .milliseconds(milliseconds)
  }
}

/// A number in decimal digits, without signs or blanks.
package struct UnsignedDigits {
  package var value: Int

  package init?(_ text: Substring) {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 &- 48 < 10 }), let value = Int(text) else { return nil }
    self.value = value
  }
}

/// A duration, or `off`.
package struct OptionalDuration: OptionValue, Equatable {
  package var duration: Duration?
  package static var valueName: String { "DURATION" }
  package static var expectation: String { "\(Duration.expectation), or off" }

  package init(_ duration: Duration?) { self.duration = duration }

  package init?(argument: String) {
    if argument == "off" {
      self.init(nil)
      return
    }
    guard let duration = Duration(argument: argument) else { return nil }
    self.init(duration)
  }
}

/// The number of threads, up to a useful limit.
package struct ThreadCount: OptionValue, Equatable {
  /// The number given; nil for one per processor, which are counted only when several threads have work.
  private var given: Int?
  package static var valueName: String { "N" }
  package static var expectation: String { "a whole number from 1 to \(Worker.most)" }

  package static let standard = ThreadCount()

  package var value: Int { given ?? min(Worker.processors, Worker.most) }

  private init() {}

  package init?(argument: String) {
    guard let count = PositiveCount(argument: argument), count.value <= Worker.most else { return nil }
    given = count.value
  }
}

extension JSONPointer: OptionValue {
  package static var valueName: String { "POINTER" }
  package static var expectation: String { "a JSON Pointer such as /id or /meta/key" }

  /// The empty pointer, for the complete record, is invalid.
  package init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.init(argument)
  }
}
