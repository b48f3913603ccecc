// `"l"` is a Character or a String, and Swift prefers the String: without the attribute on its rival,
// `.value("l", "limit", …)` would be an option `--l` whose value is called `limit`.

extension Option {
  /// An option with a value; given again, the last one holds.
  ///
  /// `name` stands for the value in the help, in capitals; without it, the name that its type has.
  package static func value<Value: OptionValue>(
    _ short: Character, _ long: String, _ name: String,
    _ path: any WritableKeyPath<Settings, Value> & Sendable, _ summary: String
  ) -> Option {
    stored(help(Value.self, short, long, name, summary), at: path)
  }

  package static func value<Value: OptionValue>(
    _ short: Character, _ long: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
    _ summary: String
  ) -> Option {
    stored(help(Value.self, short, long, nil, summary), at: path)
  }

  package static func value<Value: OptionValue>(
    _ long: String, _ path: any WritableKeyPath<Settings, Value> & Sendable, _ summary: String
  ) -> Option {
    stored(help(Value.self, nil, long, nil, summary), at: path)
  }

  @_disfavoredOverload
  package static func value<Value: OptionValue>(
    _ long: String, _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
    _ summary: String
  ) -> Option {
    stored(help(Value.self, nil, long, name, summary), at: path)
  }

  private static func stored<Value: OptionValue>(
    _ help: OptionHelp, at path: any WritableKeyPath<Settings, Value> & Sendable
  ) -> Option {
    Option(help: help) { (text: String, settings: inout Settings) throws(UsageError) in
      settings[keyPath: path] = try Value(argument: text, of: help.long)
    }
  }
}

extension Option {
  /// An option that may be given any number of times; the values are kept in order.
  package static func repeated<Value: OptionValue>(
    _ short: Character, _ long: String, _ name: String,
    _ path: any WritableKeyPath<Settings, [Value]> & Sendable, _ summary: String
  ) -> Option {
    appended(help(Value.self, short, long, name, summary), to: path)
  }

  package static func repeated<Value: OptionValue>(
    _ short: Character, _ long: String, _ path: any WritableKeyPath<Settings, [Value]> & Sendable,
    _ summary: String
  ) -> Option {
    appended(help(Value.self, short, long, nil, summary), to: path)
  }

  package static func repeated<Value: OptionValue>(
    _ long: String, _ path: any WritableKeyPath<Settings, [Value]> & Sendable, _ summary: String
  ) -> Option {
    appended(help(Value.self, nil, long, nil, summary), to: path)
  }

  @_disfavoredOverload
  package static func repeated<Value: OptionValue>(
    _ long: String, _ name: String, _ path: any WritableKeyPath<Settings, [Value]> & Sendable,
    _ summary: String
  ) -> Option {
    appended(help(Value.self, nil, long, name, summary), to: path)
  }

  private static func appended<Value: OptionValue>(
    _ help: OptionHelp, to path: any WritableKeyPath<Settings, [Value]> & Sendable
  ) -> Option {
    var help = help
    help.isRepeatable = true
    let long = help.long
    return Option(help: help) { (text: String, settings: inout Settings) throws(UsageError) in
      settings[keyPath: path].append(try Value(argument: text, of: long))
    }
  }

  private static func help<Value: OptionValue>(
    _: Value.Type, _ short: Character?, _ long: String, _ name: String?, _ summary: String
  ) -> OptionHelp {
    OptionHelp(
      short: short, long: long, value: name ?? Value.valueName, summary: summary,
      completion: Value.completion, isRepeatable: false)
  }
}
