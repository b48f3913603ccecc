import CommandLine
import SyncCore

/// The command line of `frame`.
enum FrameTool {
  static let command = Command(
    "frame", "put length prefixes around JSON lines, and take them off again",
    discussion: [
      "A frame is a length and a payload of that many bytes; a payload is one JSON value. encode makes frames "
        + "of lines, decode makes lines of frames, and exec puts frames around a program that speaks lines. "
        + "check reads the messages of two peers and says what breaks the protocol, and draw draws them.",
      "Each frame is written as soon as it is whole. Memory follows the bytes that have arrived, never the "
        + "length that a header announces.",
    ],
    subcommands: [encode, decode, exec, check, draw])

  private static let encode = Command(
    "encode", "make a frame of each line", settings: EncodeSettings(),
    options: Option.framing(" At most 64M, the longest line.") + [
      .value("input", "What a line is: json, or base64 of any payload.") { $0.framing.lineForm = $1 }
    ] + Option.badLines,
    operands: .files { $1.files = $0 },
    statuses: [.badData, .noInput, .cannotCreate, .inputOutput],
    examples: [
      .init("Frame two messages and look at the bytes:", #"printf '{"a":1}\n{"a":2}\n' | frame encode | xxd"#)
    ],
    run: runEncode)

  private static let decode = Command(
    "decode", "make a line of each frame",
    discussion: [
      "A line break inside a payload stands between JSON tokens and is left out; every other byte is kept.",
      "With --annotate a line is an envelope, {\"offset\":0,\"length\":7,\"message\":{}}, with an error member in "
        + "place of the message where there is none. The offset is that of the frame's header. With --input streams "
        + "it has the stream, both ends and the time in front.",
    ],
    settings: DecodeSettings(),
    options: Option.framing(" Other tools read lines of up to 64M.") + [
      .value(
        "output", "What a line is: json, or base64 of the payload, which is exact for any bytes."
      ) { $0.framing.lineForm = $1 },
      .value(
        "input",
        "How the frames are written down: raw bytes (the default), hex as a plain stream or as a dump of xxd, "
          + "hexdump -C, od -tx1 or Wireshark, base64, or streams: the lines of pcapstream, each direction by itself, "
          + "going on after gaps as with --resync."
      ) { $0.input = $1 },
      .flag("annotate", "Write an envelope a frame, with its offset and its length.") { $0.annotate = true },
      .flag("resync", "After bytes that are not a frame go on at the next plausible one.") {
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
    "exec", "run a command that reads and writes lines, with frames around it",
    discussion: [
      "Frames on standard input become lines for COMMAND; lines from COMMAND become frames on standard output. "
        + "It ends when COMMAND ends, with its status, 128 + n after signal n. A frame or a line that is wrong "
        + "ends its direction, and the status is 65. Input that ends inside a frame is a connection that broke off: "
        + "the status is 75."
    ],
    settings: ExecSettings(), options: Option.framing(),
    operands: Operands("COMMAND [ARG...]", count: 1...Int.max, isCommand: true) { $1.command = $0 },
    statuses: [.badData, .unavailable, .inputOutput, .tryAgain, .ofProgram],
    examples: [
      .init(
        "Answer each framed message with itself:",
        #"printf '{"a":1}\n' | frame encode | frame exec -- cat | frame decode"#)
    ],
    run: runExec)
}
