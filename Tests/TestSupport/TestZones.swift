import Foundation
package import SyncCore

/// The compiled zones of this system.
package enum SystemZones {
  package static let folder = "/usr/share/zoneinfo"
  package static let areInstalled = FileManager.default.fileExists(atPath: "\(folder)/Europe/Paris")
}

/// Zones whose rules have long been the same.
package enum TestZones {
  package static func zone(_ name: String) -> Zone? {
    switch name {
    case "Europe/Paris": ruled("CET-1CEST,M3.5.0,M10.5.0/3")
    case "America/New_York": ruled("EST5EDT,M3.2.0,M11.1.0")
    case "Pacific/Auckland": ruled("NZST-12NZDT,M9.5.0,M4.1.0/3")
    case "Asia/Kathmandu": ruled("<+0545>-5:45")
    default: nil
    }
  }

  private static func ruled(_ text: String) -> Zone {
    let rule = ZoneRule(Array(text.utf8).span)!
    return Zone { rule.offset(at: $0) }
  }
}
