import CommandLine
import SyncCore

/// The command line of `frame`.
enum FrameTool {
  static let command = Command(
    "frame", "add length prefixes to JSON lines, and remove them again",
    discussion: [
      "A frame is a length and a payload of that many bytes; a payload is one JSON value. encode turns lines "
        + "into frames, and decode turns frames into lines. exec connects frames to a program that reads and "
        + "writes lines. check reports protocol violations in the messages of two peers, and draw draws the "
        + "messages.",
      "Each frame is written as soon as it is complete. Memory use depends on the bytes that have arrived, never "
        + "on the length that a header announces.",
    ],
    subcommands: [encode, decode, exec, check, draw])

  private static let encode = Command(
    "encode", "turn each line into a frame", settings: EncodeSettings(),
    options: Option.framing(" SIZE is at most 64M, the longest line.") + [
      .value("input", "Read each line as json, or as base64 of any payload (default: json).") {
        $0.framing.lineForm = $1
      }
    ] + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Frame two messages and look at the bytes:", #"printf '{"a":1}\n{"a":2}\n' | frame encode | xxd"#)
    ],
    run: runEncode)

  private static let decode = Command(
    "decode", "turn each frame into a line",
    discussion: [
      "Line breaks between the JSON tokens of a payload are left out; every other byte is kept.",
      "With --annotate a line is an envelope, {\"offset\":0,\"length\":7,\"message\":{}}. A frame without a "
        + "valid message has error instead of message. The offset is that of the frame's header. With "
        + "--input streams, the envelope begins with the stream, both ends and the time.",
    ],
    settings: DecodeSettings(),
    options: Option.framing(" Other tools read lines of up to 64M.") + [
      .value(
        "output", "Write each payload as json, or as base64, which is exact for any bytes (default: json)."
      ) { $0.framing.lineForm = $1 },
      .value(
        "input",
        "Read frames as raw bytes, base64, hex (plain, or a dump of xxd, hexdump -C, od -tx1 or Wireshark), "
          + "or streams (default: raw). streams reads lines of pcapstream, each direction separately, and "
          + "continues after gaps as --resync does."
      ) { $0.input = $1 },
      .flag("annotate", "Write one envelope per frame, with its offset and its length.") {
        $0.annotate = true
      },
      .flag("resync", "After bytes that are not a frame, continue at the next plausible frame.") {
        $0.resync = true
      },
    ] + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init(
        "Read a frame that was copied as hex:", "echo 00000007 7b2261223a317d | frame decode --input hex"),
      .init(
        "Find the frames in a damaged capture:",
        "printf 'noise\\0\\0\\0\\7{\"a\":1}' | frame decode --resync --annotate"),
      .init(
        "Read the messages of the connections in a capture of packets:",
        "pcapstream sync.pcap | frame decode --input streams --annotate"),
    ],
    run: runDecode)

  private static let exec = Command(
    "exec", "connect frames to a command that reads and writes lines",
    discussion: [
      "Frames on standard input become lines for COMMAND; lines from COMMAND become frames on standard "
        + "output. exec exits when COMMAND exits, with the same status (128 + n after signal n). An invalid "
        + "frame or line ends its direction, and the status is 65. If the input ends inside a frame, the "
        + "connection broke, and the status is 75."
    ],
    settings: ExecSettings(), options: Option.framing(),
    operands: Operands("COMMAND [ARG...]", count: 1...Int.max, isCommand: true) { $1.command = $0 },
    statuses: [.badData, .unavailable, .inputOutput, .tryAgain, .ofProgram],
    examples: [
      .init(
        "Send each framed message back:",
        #"printf '{"a":1}\n' | frame encode | frame exec -- cat | frame decode"#)
    ],
    run: runExec)
}
