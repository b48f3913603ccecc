import JSONLines
@testable import Remotes
import Testing

/// The reports of refused certificates, by the texts of the TLS libraries.
@Suite struct CertificateTests {
  @Test(arguments: [
    ("SSL: no alternative certificate subject name matches target host name 'a'", "for another name"),
    ("SSL: certificate subject name (b) does not match target hostname 'a'", "for another name"),
    ("SSL certificate problem: certificate has expired", "expired"),
    ("SSL certificate problem: certificate is not yet valid", "not valid yet"),
    ("SSL certificate problem: self-signed certificate", "not trusted"),
    ("", "not trusted"),
  ]) func theTextTellsWhatIsWrong(text: String, words: String) {
    let problem = HTTPClient.untrusted(text, HTTPClient.Settings(url: "https://a", key: ""))
    #expect(problem.code == .untrustedPeer)
    #expect(problem.message.contains(words))
  }

  @Test func theFileWithoutTheAuthorityIsNamed() {
    var settings = HTTPClient.Settings(url: "https://a:8443", key: "")
    (settings.authorities, settings.keyFile) = ("/my ca.pem", "/k's")
    let problem = HTTPClient.untrusted("SSL certificate problem: self-signed certificate", settings)
    #expect(
      problem.message
        == "the server's certificate is not trusted: no certificate in '/my ca.pem' has signed it")
    #expect(
      problem.hint
        == #"to trust another file: peersync remote add https://a:8443 --key-file '/k'\''s' --ca-file NEWFILE"#
    )
  }
}
