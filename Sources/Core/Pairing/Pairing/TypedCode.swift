import JSONLines
package import SyncCore

/// A pairing payload in the form that people type: ten groups of five letters and digits, 59 characters with
/// the hyphens.
///
/// 49 digits of Crockford's Base32 carry 245 bits, the most significant first: the secret (128), the
/// beginning of the provider's fingerprint (64), the expiry in seconds since 1970 (32), and the number of the
/// session (21). The 50th digit is a check: read as the coefficients of a polynomial over GF(32), x⁵+x²+1,
/// all 50 have the root α. So each wrong digit, and each swap of two neighbours, is detected.
package struct TypedCode: Sendable {
  static let digitCount = 50
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  /// The room for the fingerprint, in hex digits.
  static let keyDigits = 16
  private static let sessions: UInt32 = 1 << 21

  /// The bytes of the content; the last three bits are 0.
  private var bytes: [UInt8]

  /// Creates the code for a payload; nil if a code cannot carry it.
  ///
  /// A code cannot carry another service or version, or a session id that ``session(expiring:number:)`` did
  /// not make.
  init?(_ payload: PairingPayload) {
    let last = payload.sessionId.bytes.suffix(3).reduce(0) { $0 << 8 | UInt32($1) }
    guard payload.version == .two, payload.serviceType == ServiceTypeName.peers,
      let secret = payload.secret.bytes, let key = payload.publicKeyFingerprint,
      let beginning = HexDigits.bytes(String(key.prefix(Self.keyDigits))),
      let seconds = UInt32(exactly: payload.expiresAt.seconds),
      payload.sessionId == Self.session(expiring: payload.expiresAt, number: last)
    else { return nil }
    bytes = secret + beginning + Self.bigEndian(seconds) + Self.bigEndian(last << 11).prefix(3)
  }

  /// Reads digits in either case, with hyphens, dashes and white space anywhere; nil if the text looks like
  /// Base64 or JSON.
  init?(parsing text: Span<UInt8>) throws(PairingPayloadProblem) {
    var letters: [UInt8] = []
    for index in text.indices where ![32, 9, 10, 13, UInt8(ascii: "-")].contains(text[index]) {
      letters.append(text[index])
      // Text programs may replace hyphens with U+2010 to U+2015.
      if letters.suffix(3).starts(with: [0xE2, 0x80]), (0x90...0x95).contains(text[index]) {
        letters.removeLast(3)
      }
    }
    // The Base64 of a payload is longer than this.
    guard (1...100).contains(letters.count), letters.allSatisfy({ $0.isLetterOrDigit }) else { return nil }
    var digits: [UInt8] = []
    for letter in letters {
      guard let digit = Self.digit(letter) else {
        throw .invalid("a code does not contain '\(String(decoding: [letter], as: UTF8.self))'")
      }
      digits.append(digit)
    }
    guard digits.count == Self.digitCount else {
      throw .invalid("the code has \(digits.count) letters and digits, not \(Self.digitCount)")
    }
    guard Self.remainder(of: digits) == 0 else { throw .invalid("a letter or digit of the code is wrong") }
    bytes = Self.regrouped(digits.dropLast(), from: 5, to: 8)
  }

  /// The groups with hyphens between them.
  var text: String {
    // With 31 bytes, the last three bits are unused.
    var digits = Self.regrouped(bytes[...], from: 8, to: 5).prefix(Self.digitCount - 1)
    digits.append(Self.timesAlpha(Self.remainder(of: Array(digits))))
    let groups = stride(from: 0, to: Self.digitCount, by: 5).map { digits[$0..<$0 + 5] }
    return groups.map { String(decoding: $0.map { Self.alphabet[Int($0)] }, as: UTF8.self) }
      .joined(separator: "-")
  }

  /// The payload in the code, without a name and with the beginning of a fingerprint.
  var payload: PairingPayload {
    let number = { (range: Range<Int>) in bytes[range].reduce(0) { $0 << 8 | UInt32($1) } }
    let expiresAt = Instant(clock: (Int64(number(24..<28)), 0))
    return PairingPayload(
      sessionId: Self.session(expiring: expiresAt, number: number(28..<31) >> 3),
      secret: PairingSecret(bytes: Array(bytes[..<16])), version: .two, expiresAt: expiresAt,
      publicKeyFingerprint: HexDigits.text(Array(bytes[16..<24])))
  }

  /// The id of a session that a code can carry: a UUID of version 8 (RFC 9562 §5.8).
  ///
  /// Its first four bytes are the expiry, and its last three have a number of 21 bits.
  static func session(expiring: Instant, number: UInt32) -> UUIDText {
    let time = bigEndian(UInt32(truncatingIfNeeded: expiring.seconds))
    let bytes = time + [0, 0, 0x80, 0, 0x80, 0, 0, 0, 0] + bigEndian(number % sessions).suffix(3)
    return UUIDText(bytes: bytes)
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Regroups numbers of `width` bits each into numbers of `size` bits; unused bits are dropped unless they
  /// begin a byte.
  private static func regrouped(_ numbers: ArraySlice<UInt8>, from width: Int, to size: Int) -> [UInt8] {
    var (result, held, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for number in numbers {
      held = (held << width | UInt32(number)) & 0xFFFF
      count += width
      while count >= size {
        count -= size
        result.append(UInt8(truncatingIfNeeded: held >> count) & UInt8(1 << size - 1 as Int))
      }
    }
    if size > width, count > 0 { result.append(UInt8(truncatingIfNeeded: held << (size - count))) }
    return result
  }

  private static func digit(_ letter: UInt8) -> UInt8? {
    let capital = letter & 0x60 == 0x60 ? letter & 0xDF : letter
    let meant =
      switch capital {
      case UInt8(ascii: "O"): UInt8(ascii: "0")
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      default: capital
      }
    return alphabet.firstIndex(of: meant).map { UInt8($0) }
  }

  /// The polynomial's value at α, by Horner's rule.
  private static func remainder(of digits: [UInt8]) -> UInt8 { digits.reduce(0) { timesAlpha($0) ^ $1 } }

  private static func timesAlpha(_ value: UInt8) -> UInt8 {
    value & 0x10 == 0 ? value << 1 : value << 1 & 0x1F ^ 0x05
  }
}

extension PairingPayload {
  /// A new payload for a device to show; `session` has 16 random bytes, and a typed code carries only some of
  /// them.
  package init(
    showing name: String?, session: [UInt8], secret: PairingSecret, version: ProtocolVersion,
    expiresAt: Instant,
    publicKeyFingerprint: String?, serviceType: String = ServiceTypeName.peers
  ) {
    self.init(
      sessionId: UUIDText(random: session), serviceType: serviceType, expectedPeer: name, secret: secret,
      version: version, expiresAt: expiresAt, publicKeyFingerprint: publicKeyFingerprint)
    let number = session.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    var typable = self
    typable.sessionId = TypedCode.session(expiring: expiresAt, number: number)
    if typable.typed != nil { self = typable }
  }

  /// The payload as a typed code; nil if a code cannot carry it.
  package var typed: String? { TypedCode(self)?.text }

  /// Whether a key can be the provider's; a typed code has only the beginning of the fingerprint.
  package func allows(keyOf fingerprint: String) -> Bool {
    publicKeyFingerprint.map { fingerprint.hasPrefix($0) } ?? false
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool { self &- 48 < 10 || (self | 32) &- 97 < 26 }
}
