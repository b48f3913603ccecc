internal import CCurlOnDemand
import Chores
import SyncCore

/// One reusable request of libcurl; its memory does not move until the answer.
///
/// This is safe because the handle, the list and the exchange are valid until `deinit`, and libcurl releases
/// them before `take` ends.
@safe
final class CurlRequest {
  private var curl: peersync_libcurl
  let handle: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let exchange: UnsafeMutablePointer<peersync_exchange>

  init(_ settings: CurlChannel.Settings, _ curl: peersync_libcurl) throws(DeliveryError) {
    self.curl = curl
    guard let handle = unsafe peersync_libcurl_init(&self.curl) else { throw .curl("curl_easy_init failed") }
    unsafe self.handle = handle
    unsafe exchange = .allocate(capacity: 1)
    unsafe exchange.initialize(to: peersync_exchange())
    let version = Int(CURL_HTTP_VERSION_2TLS)
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_HTTP_VERSION, version), (CURLOPT_PIPEWAIT, 1), (CURLOPT_POST, 1),
      (CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTPS)), (CURLOPT_CONNECTTIMEOUT_MS, 10_000),
      (CURLOPT_TIMEOUT_MS, settings.patience), (CURLOPT_TCP_KEEPALIVE, 1),
    ]
    for (option, number) in numbers {
      try unsafe check(peersync_libcurl_set_number(&self.curl, handle, option, number))
    }
    if let file = settings.authorities {
      try unsafe check(peersync_libcurl_trust_only(&self.curl, handle, file))
    }
    try unsafe check(peersync_libcurl_set_exchange(&self.curl, handle, exchange))
  }

  /// The key by which an answer finds its request.
  var key: Int { unsafe Self.key(of: handle) }

  static func key(of handle: UnsafeMutableRawPointer) -> Int { Int(bitPattern: handle) }

  deinit {
    unsafe peersync_libcurl_cleanup(&curl, handle)
    unsafe peersync_libcurl_free_list(&curl, headers)
    unsafe exchange.deallocate()
  }

  private func check(_ code: CURLcode) throws(DeliveryError) {
    guard code == CURLE_OK else { throw .curl(message(code)) }
  }

  func message(_ code: CURLcode) -> String {
    // The library returns a static text.
    unsafe String(cString: peersync_libcurl_text(&curl, code)).lowercased()
  }

  /// Fills in the next request.
  func prepare(url: String, _ fields: [(name: String, value: String)], _ body: [UInt8]) throws(DeliveryError)
  {
    unsafe peersync_libcurl_free_list(&curl, headers)
    unsafe headers = nil
    for field in fields {
      guard PushRequest.isValue(field.value) else {
        throw .curl("the value of '\(field.name)' is not valid in a header")
      }
      guard let list = unsafe peersync_libcurl_append(&curl, headers, "\(field.name): \(field.value)") else {
        throw .curl("out of memory")
      }
      unsafe headers = list
    }
    try unsafe check(peersync_libcurl_set_text(&self.curl, handle, CURLOPT_URL, url))
    try unsafe check(peersync_libcurl_set_pointer(&curl, handle, CURLOPT_HTTPHEADER, headers))
    let code = unsafe body.withUnsafeBytes { bytes in
      unsafe peersync_libcurl_set_body(&curl, handle, exchange, bytes.baseAddress, bytes.count)
    }
    try check(code)
  }

  // MARK: The answer

  var status: Int { number(CURLINFO_RESPONSE_CODE) }

  var isHTTP2: Bool { number(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0) }

  /// The value of the `Retry-After` header in seconds, from either of its forms; 0 without the header.
  var retryAfter: Int {
    var seconds: curl_off_t = 0
    _ = unsafe peersync_libcurl_offset(&curl, handle, CURLINFO_RETRY_AFTER, &seconds)
    return Int(seconds)
  }

  var body: [UInt8] {
    let count = unsafe exchange.pointee.count
    return unsafe withUnsafeBytes(of: &exchange.pointee.answer) { unsafe Array($0.prefix(count)) }
  }

  private func number(_ info: CURLINFO) -> Int {
    var number = 0
    _ = unsafe peersync_libcurl_number(&curl, handle, info, &number)
    return number
  }
}
