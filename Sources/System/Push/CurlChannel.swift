internal import CCurlOnDemand
package import Chores
import JSONLines
import SyncCore
import SystemIO

/// Apple's push service over one HTTP/2 connection with many streams.
///
/// The caller repeats unanswered pushes under the same id; libcurl does not send pushes twice.
///
/// This is safe because the handle is valid until `deinit`, which first removes every request from it.
@safe
package final class CurlChannel: PushChannel {
  package struct Settings: Sendable {
    /// The address of the service: `https://host:port`.
    package var endpoint: String
    package var topic: String
    /// A file with certificates to trust in place of the system's.
    package var authorities: String?
    package var streams = 500
    /// The time without an answer after which the connection counts as lost, in milliseconds.
    package var patience = 60_000

    package init(endpoint: String, topic: String) { (self.endpoint, self.topic) = (endpoint, topic) }
  }

  private struct Flight {
    var request: CurlRequest
    var job: PushJob
    /// The provider token with which the push was sent.
    var token: String
  }

  private let settings: Settings
  private let tokens: ProviderTokens
  private var curl = peersync_libcurl()
  private let multi: UnsafeMutableRawPointer
  private var idle: [CurlRequest] = []
  private var flights: [Int: Flight] = [:]
  /// The last token that the service has refused and asked to replace.
  private var refusedToken = ""

  package init(_ settings: Settings, tokens: ProviderTokens) throws {
    guard unsafe peersync_libcurl_load(&curl) != 0 else {
      throw Diagnostic.missing("libcurl", package: "libcurl4")
    }
    guard let multi = unsafe peersync_libcurl_multi_init(&curl) else {
      throw DeliveryError.curl("curl_multi_init failed")
    }
    (self.settings, self.tokens) = (settings, tokens)
    unsafe self.multi = multi
    let numbers: [(CURLMoption, Int)] = [
      (CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)), (CURLMOPT_MAX_TOTAL_CONNECTIONS, 1),
      (CURLMOPT_MAX_CONCURRENT_STREAMS, settings.streams),
    ]
    for (option, number) in numbers { _ = unsafe peersync_libcurl_multi_set(&curl, multi, option, number) }
  }

  deinit {
    for flight in flights.values {
      _ = unsafe peersync_libcurl_multi_remove(&curl, multi, flight.request.handle)
    }
    flights = [:]
    idle = []
    unsafe peersync_libcurl_multi_cleanup(&curl, multi)
  }

  package var room: Int { settings.streams - flights.count }

  package func start(_ job: PushJob) throws {
    let token = try tokens.current()
    let request = try idle.popLast() ?? CurlRequest(settings, curl)
    let push = try PushRequest(job.notification, apnsID: job.apnsID, topic: settings.topic)
    try request.prepare(
      url: settings.endpoint + PushRequest.path(job.device),
      [("authorization", "bearer \(token)")] + push.headers, push.body)
    let code = unsafe peersync_libcurl_multi_add(&curl, multi, request.handle)
    guard code == CURLM_OK else {
      throw DeliveryError.curl(unsafe String(cString: peersync_libcurl_multi_text(&curl, code)))
    }
    flights[request.key] = Flight(request: request, job: job, token: token)
  }

  package func answers(within time: Duration) throws -> [(job: PushJob, answer: PushAnswer)] {
    try perform()
    var answers = take()
    if answers.isEmpty {
      let milliseconds = time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000
      _ = unsafe peersync_libcurl_multi_poll(&curl, multi, Int32(clamping: milliseconds))
      try perform()
      answers = take()
    }
    return answers
  }

  package func renewToken(of job: PushJob) throws -> Bool { try tokens.renew(refusedToken) }

  private func perform() throws(DeliveryError) {
    var running: Int32 = 0
    let code = unsafe peersync_libcurl_multi_perform(&curl, multi, &running)
    guard code == CURLM_OK else {
      throw .curl(unsafe String(cString: peersync_libcurl_multi_text(&curl, code)))
    }
  }

  private func take() -> [(job: PushJob, answer: PushAnswer)] {
    var answers: [(job: PushJob, answer: PushAnswer)] = []
    var left: Int32 = 0
    while let message = unsafe peersync_libcurl_multi_read(&curl, multi, &left) {
      let (handle, code) = unsafe (message.pointee.easy_handle, message.pointee.data.result)
      guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe handle,
        let flight = flights.removeValue(forKey: unsafe CurlRequest.key(of: handle))
      else { continue }
      _ = unsafe peersync_libcurl_multi_remove(&curl, multi, handle)
      let answer = Self.answer(flight.request, code)
      if answer.verdict == .tokenExpired { refusedToken = flight.token }
      answers.append((flight.job, answer))
      idle.append(flight.request)
    }
    return answers
  }

  private static func answer(_ request: CurlRequest, _ code: CURLcode) -> PushAnswer {
    switch code {
    case CURLE_OK where request.isHTTP2:
      return PushAnswer(status: request.status, body: request.body, retryAfter: request.retryAfter)
    case CURLE_OK: return PushAnswer(.refused, reason: "the service does not support HTTP/2")
    // Once the service has accepted a push, a later error does not cause it to be sent again.
    case _ where request.status == 200 && request.isHTTP2:
      return PushAnswer(status: request.status, body: [], retryAfter: 0)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT:
      return PushAnswer(.refused, reason: request.message(code))
    // libcurl would send the push again, but we prevent that.
    case CURLE_SEND_FAIL_REWIND, CURLE_ABORTED_BY_CALLBACK:
      return .unanswered("the connection ended without an answer")
    default: return .unanswered(request.message(code))
    }
  }
}

/// An error of the channel that carries pushes.
package enum DeliveryError: Error, Equatable, Sendable {
  /// An error of libcurl, with its text.
  case curl(String)
}
