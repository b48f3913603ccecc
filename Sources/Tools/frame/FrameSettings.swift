import Captures
import CommandLine
import SyncCore

/// The form of a frame and its payload.
struct Framing {
  var prefix = FramePrefix.u32be
  var maxSize = ByteSize(bytes: FrameStream.defaultLimit)
  var noCheck = false
  var lineForm = FrameTool.LineForm.json

  var form: PayloadForm { lineForm == .base64 ? .base64 : noCheck ? .unchecked : .json }
  var decoder: FrameDecoder { FrameDecoder(prefix: prefix, limit: maxSize.bytes) }
  var writer: FrameWriter { FrameWriter(prefix: prefix, limit: maxSize.bytes, form: form) }
}

/// Settings of a command that makes or reads frames.
protocol FramingConfigurable: Sendable {
  var framing: Framing { get set }
}

extension FrameTool {
  struct EncodeSettings: FramingConfigurable, BadLineConfigurable {
    var framing = Framing()
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  struct DecodeSettings: FramingConfigurable, BadLineConfigurable {
    var framing = Framing()
    var input = StreamForm.raw
    var annotate = false
    var resync = false
    var badLines = BadLineSettings()
    var files: [String] = []
  }

  struct ExecSettings: FramingConfigurable {
    var framing = Framing()
    var command: [String] = []
  }

  /// The form of a payload on its line.
  enum LineForm: String, OptionChoice {
    case json, base64
    static var valueName: String { "FORM" }
  }

  /// The form of frames in the input.
  enum StreamForm: String, OptionChoice {
    case raw, hex, base64
    /// Lines of pcapstream.
    case streams
    static var valueName: String { "FORM" }
  }
}

extension Option where Settings: FramingConfigurable {
  /// `note` is added to the help of `--max-size`.
  static func framing(_ note: String = "") -> [Option] {
    [
      .value(
        "prefix", short: "p",
        "Use this form of length prefix (default: u32be)."
      ) { $0.framing.prefix = $1 },
      .value("max-size", "Refuse payloads above SIZE (default: 16M).\(note)") {
        $0.framing.maxSize = $1
      },
      .flag("no-check", "Do not check that payloads are JSON.") { $0.framing.noCheck = true },
    ]
  }
}

extension FramePrefix: OptionChoice {
  package static var valueName: String { "PREFIX" }
}
