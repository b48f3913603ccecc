internal import CCurlOnDemand
package import JSONLines
package import ServerProtocol
import SyncCore
import SystemIO

/// A channel to one server for requests, one after the other.
package protocol ServerTransport {
  /// Sends a request and waits for its answer.
  func send(
    _ method: String, _ path: String, _ fields: [RequestHead.Field], body: [UInt8]?
  ) throws -> HTTPClient.Answer
  /// The bytes of all bodies so far.
  var received: Int { get }
  var sent: Int { get }
}

/// Requests to one server, one after the other, over the same connection if possible.
///
/// This is safe because library, handle and details are valid until `deinit`, and a request ends before
/// `send` returns.
@safe
package final class HTTPClient: ServerTransport {
  package struct Settings: Sendable {
    /// `https://host[:port][/path]`, without a slash at its end.
    package var url: String
    package var key: String
    /// A file with certificates to trust in place of the system's.
    package var authorities: String?
    /// The file with the key, for hints.
    package var keyFile: String?
    /// The time without traffic after which a request fails.
    package var patience = Duration.seconds(30)
    /// The time after which a request fails, even with traffic.
    package var longest = DialogueSettings.longestSession
    /// The media type of bodies.
    package var contentType = "application/jsonl"
    /// The maximum size of an answer in bytes: a page and its additional data.
    package var largestAnswer = 128 << 20
    /// The hint for a failed connection; nil for the hint about a server.
    package var absence: String?

    package init(url: String, key: String) { (self.url, self.key) = (url, key) }
  }

  package struct Answer: Sendable {
    package var status = 0
    package var fields: [RequestHead.Field] = []
    package var body: [UInt8] = []
    /// The pause that `Retry-After` requests, as seconds or as a date; at most a day.
    package var retryAfter: Duration?

    package subscript(_ name: String) -> String? { fields.first { $0.name.isSameToken(as: name) }?.value }
  }

  private let settings: Settings
  private var library = peersync_libcurl()
  private let handle: UnsafeMutableRawPointer
  /// The library's text about the last request, if it failed.
  private let details: UnsafeMutablePointer<CChar>
  private var exchange: Exchange
  package private(set) var received = 0
  package private(set) var sent = 0
  /// The seconds by which the server's clock is ahead of ours, by the `Date` of its first answer; nil before it.
  package private(set) var clockAhead: Int?

  fileprivate final class Exchange {
    var answer = Answer()
    /// The time at which the answer began, in seconds since 1970.
    var beginning: Int64 = 0
    let largestAnswer: Int
    var isTooLarge = false

    init(largest: Int) { largestAnswer = largest }
  }

  package init(_ settings: Settings) throws(Diagnostic) {
    self.settings = settings
    exchange = Exchange(largest: settings.largestAnswer)
    guard unsafe peersync_libcurl_load(&library) != 0, let handle = unsafe peersync_libcurl_init(&library)
    else {
      throw Diagnostic.missing("libcurl", package: "libcurl4")
    }
    unsafe self.handle = handle
    unsafe details = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe details.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe peersync_libcurl_cleanup(&library, handle)
    unsafe details.deallocate()
  }

  /// Sends a request and waits for its answer; while the server is busy, repeats the request for up to
  /// `patience`.
  package func send(
    _ method: String, _ path: String, _ fields: [RequestHead.Field], body: [UInt8]?
  ) throws -> Answer {
    try send(method, path, fields, body: body, waiting: .zero)
  }

  /// Works like ``send(_:_:_:body:)``; `waiting` is added to the time that the server may stay silent.
  func send(
    _ method: String, _ path: String, _ fields: [RequestHead.Field], body: [UInt8]?, waiting: Duration
  ) throws -> Answer {
    let deadline = SystemClock.monotonic() + settings.patience
    var pauseSeconds = 1
    while true {
      let answer = try perform(method, path, fields, body, settings.patience + waiting)
      guard answer.status == 429 || answer.status == 503 else { return answer }
      let pause = answer.retryAfter ?? .seconds(pauseSeconds)
      pauseSeconds = min(pauseSeconds * 2, 60)
      guard SystemClock.monotonic() + pause < deadline else { return answer }
      var polls = PollSet()
      polls.addInterruption()
      polls.wait(until: SystemClock.monotonic() + pause)
      if Interruption.pending != nil { throw SystemError.interrupted }
    }
  }

  private func perform(
    _ method: String, _ path: String, _ fields: [RequestHead.Field], _ body: [UInt8]?, _ silence: Duration
  ) throws -> Answer {
    exchange = Exchange(largest: settings.largestAnswer)
    unsafe peersync_libcurl_reset(&library, handle)
    try check(unsafe peersync_libcurl_set_pointer(&library, handle, CURLOPT_ERRORBUFFER, details))
    var list: UnsafeMutablePointer<curl_slist>?
    defer { unsafe peersync_libcurl_free_list(&library, list) }
    let all =
      (settings.key.isEmpty ? [] : [.init("Authorization", "Bearer \(settings.key)")]) + [.init("Expect", "")]
      + (body == nil ? [] : [RequestHead.Field("Content-Type", settings.contentType)]) + fields
    for field in all {
      let text = field.value.isEmpty ? "\(field.name):" : "\(field.name): \(field.value)"
      unsafe list = peersync_libcurl_append(&library, list, text)
    }
    // For libcurl, 0 is its own long limit.
    let connecting = min(silence, .seconds(10)).wholeMilliseconds
    try set(
      [
        (CURLOPT_NOSIGNAL, 1), (CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, connecting))),
        (CURLOPT_TIMEOUT_MS, Int(settings.longest.wholeMilliseconds)),
        (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, max(1, Int(silence.components.seconds))),
        (CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTPS | CURLPROTO_HTTP)), (CURLOPT_TCP_KEEPALIVE, 1),
        (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
      ])
    try check(unsafe peersync_libcurl_set_text(&library, handle, CURLOPT_URL, settings.url + path))
    // Do not use a proxy for an unencrypted address, which is on this machine: the proxy could read the key.
    if settings.url.hasPrefix("http://") {
      try check(unsafe peersync_libcurl_set_text(&library, handle, CURLOPT_NOPROXY, "*"))
    }
    if let file = settings.authorities {
      try check(unsafe peersync_libcurl_trust_only(&library, handle, file))
    }
    try check(unsafe peersync_libcurl_set_pointer(&library, handle, CURLOPT_HTTPHEADER, list))
    try check(unsafe peersync_libcurl_set_progress(&library, handle, heedSignals))
    let user = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    try check(unsafe peersync_libcurl_set_sinks(&library, handle, takeHeader, takeBody, user))
    let code: CURLcode
    if let body {
      try set([(CURLOPT_POST, 1)])
      code = try unsafe body.withUnsafeBytes { bytes in
        try check(
          unsafe peersync_libcurl_set_size(
            &library, handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
        // The address of an empty body is nil, which the library would treat as a request to read it from
        // elsewhere.
        let address = unsafe bytes.baseAddress.map { unsafe UnsafeRawPointer($0) }
        return try unsafe withUnsafePointer(to: UInt8(0)) { none in
          try check(
            unsafe peersync_libcurl_set_pointer(
              &library, handle, CURLOPT_POSTFIELDS, address ?? UnsafeRawPointer(none)))
          return unsafe peersync_libcurl_perform(&library, handle)
        }
      }
    } else {
      if method == "HEAD" { try set([(CURLOPT_NOBODY, 1)]) }
      code = unsafe peersync_libcurl_perform(&library, handle)
    }
    if Interruption.pending != nil { throw SystemError.interrupted }
    if exchange.isTooLarge {
      throw Diagnostic(.messageTooLarge, "the server's answer has more than \(settings.largestAnswer) bytes")
    }
    guard code == CURLE_OK else { throw failure(code) }
    var status = 0
    _ = unsafe peersync_libcurl_number(&library, handle, CURLINFO_RESPONSE_CODE, &status)
    exchange.answer.status = status
    var seconds: curl_off_t = 0
    _ = unsafe peersync_libcurl_offset(&library, handle, CURLINFO_RETRY_AFTER, &seconds)
    if seconds > 0 { exchange.answer.retryAfter = .seconds(min(Int64(seconds), 86_400)) }
    if clockAhead == nil, let date = exchange.answer["Date"] {
      let time = unsafe peersync_libcurl_date(&library, date)
      if time >= 0 { clockAhead = time - Int(exchange.beginning) }
    }
    received += exchange.answer.body.count
    sent += body?.count ?? 0
    return exchange.answer
  }

  private func set(_ numbers: [(CURLoption, Int)]) throws(Diagnostic) {
    for (option, number) in numbers {
      try check(unsafe peersync_libcurl_set_number(&library, handle, option, number))
    }
  }

  private func check(_ code: CURLcode) throws(Diagnostic) {
    guard code == CURLE_OK else { throw failure(code) }
  }

  private func failure(_ code: CURLcode) -> Diagnostic {
    // The library returns a static text.
    let reason = unsafe String(cString: peersync_libcurl_text(&library, code)).lowercased()
    switch code {
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return unreachable(reason)
    case CURLE_OPERATION_TIMEDOUT:
      // The time is 0 too if the request used an earlier connection.
      var (time, connections): (curl_off_t, Int) = (0, 0)
      _ = unsafe peersync_libcurl_offset(&library, handle, CURLINFO_CONNECT_TIME_T, &time)
      _ = unsafe peersync_libcurl_number(&library, handle, CURLINFO_NUM_CONNECTS, &connections)
      return time == 0 && connections > 0
        ? unreachable("no connection within the time limit")
        : Diagnostic(.timedOut, "the server has not answered in time")
    case CURLE_PEER_FAILED_VERIFICATION: return Self.untrusted(unsafe String(cString: details), settings)
    case CURLE_SSL_CONNECT_ERROR:
      return Diagnostic(
        .connectionLost, "the TLS handshake failed: \(reason)",
        hint: "use http:// for a server on this machine without TLS")
    case CURLE_SSL_CACERT_BADFILE:
      return Diagnostic(.notReadable, "the certificates cannot be read", file: settings.authorities)
    default: return Diagnostic(.connectionLost, reason)
    }
  }

  /// The diagnostic for a refused certificate.
  ///
  /// `reason` is the library's text, which differs between its TLS libraries; any other text is reported as
  /// missing trust.
  static func untrusted(_ reason: String, _ settings: Settings) -> Diagnostic {
    if reason.contains("subject name") {
      return Diagnostic(
        .untrustedPeer, "the server's certificate is for another name than that in the URL",
        hint: "use a name of the certificate in the URL, or a certificate for the name in the URL")
    }
    if reason.contains("certificate has expired") {
      return Diagnostic(
        .untrustedPeer, "the server's certificate has expired",
        hint: "renew it on the server, also in the file of --ca-file; or correct the clock of this device")
    }
    if reason.contains("certificate is not yet valid") {
      return Diagnostic(
        .untrustedPeer, "the server's certificate is not valid yet",
        hint:
          "correct the clock of this device (timedatectl set-ntp true); if it is right, correct the clock where "
          + "the certificate was made, and make it again")
    }
    let problem = "the server's certificate is not trusted"
    guard let file = settings.authorities else {
      return Diagnostic(
        .untrustedPeer, problem, hint: "for your own certificate authority: peersync remote add --ca-file")
    }
    let key = settings.keyFile.map(ShellWord.path) ?? "KEYFILE"
    return Diagnostic(
      .untrustedPeer, "\(problem): no certificate in '\(file.escapingControls)' has signed it",
      hint:
        "to trust another file: peersync remote add \(ServerAddress.word(settings.url)) --key-file \(key) "
        + "--ca-file NEWFILE")
  }

  private func unreachable(_ reason: String) -> Diagnostic {
    Diagnostic(
      .remoteUnreachable, reason,
      hint: settings.absence ?? "check its address, and that it is running: curl \(settings.url)/health")
  }

  fileprivate static func receive(_ bytes: UnsafeRawBufferPointer, of exchange: Exchange) -> Int {
    guard exchange.answer.body.count + bytes.count <= exchange.largestAnswer else {
      exchange.isTooLarge = true
      return 0
    }
    unsafe exchange.answer.body.append(contentsOf: bytes)
    return bytes.count
  }
}

/// Receives one header at a time; each answer begins with its status line.
private let takeHeader: peersync_libcurl_sink = { bytes, size, count, user in
  guard let bytes = unsafe bytes, let user = unsafe user else { return 0 }
  let exchange = unsafe Unmanaged<HTTPClient.Exchange>.fromOpaque(user).takeUnretainedValue()
  let line = unsafe String(
    decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self)
  if line.hasPrefix("HTTP/") {
    exchange.answer.fields = []
    exchange.beginning = SystemClock.wallTime().seconds
  }
  guard let colon = line.firstIndex(of: ":"), exchange.answer.fields.count < 200 else { return size * count }
  let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
  let end = value.lastIndex { !$0.isWhitespace }.map { value.index(after: $0) } ?? value.startIndex
  exchange.answer.fields.append(.init(String(line[..<colon]), String(value[..<end])))
  return size * count
}

private let takeBody: peersync_libcurl_sink = { bytes, size, count, user in
  guard let bytes = unsafe bytes, let user = unsafe user else { return 0 }
  let exchange = unsafe Unmanaged<HTTPClient.Exchange>.fromOpaque(user).takeUnretainedValue()
  return unsafe HTTPClient.receive(UnsafeRawBufferPointer(start: bytes, count: size * count), of: exchange)
}

private let heedSignals: peersync_libcurl_progress = { _, _, _, _, _ in Interruption.pending == nil ? 0 : 1 }
