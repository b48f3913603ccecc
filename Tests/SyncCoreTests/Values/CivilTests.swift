import SyncCore
import Testing

/// Day numbers compared with a calendar that only knows the lengths of months.
@Suite struct CivilTests {
  private struct Walk {
    var (year, month, day) = (0, 1, 1)

    mutating func step() {
      day += 1
      if day > length { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }

    private var length: Int {
      let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
      return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
  }

  private func check(from year: Int, through last: Int, startingAt first: Int) {
    var walk = Walk(year: year, month: 1, day: 1)
    var number = first
    while walk.year <= last {
      let date = Civil.date(of: number)
      let isSame = date == (walk.year, walk.month, walk.day)
      if !isSame || Civil.day(walk.year, walk.month, walk.day) != number {
        Issue.record("day \(number) is \(walk), not \(date)")
        return
      }
      walk.step()
      number += 1
    }
  }

  @Test func everyDayOfYears0To400() { check(from: 0, through: 400, startingAt: -719_528) }

  @Test func everyDayOfYears1900To2100() { check(from: 1900, through: 2100, startingAt: -25_567) }

  @Test func everyDayOfYears9800To9999() { check(from: 9800, through: 9999, startingAt: 2_859_849) }

  @Test func knownDays() {
    #expect(Civil.day(1970, 1, 1) == 0)
    #expect(Civil.day(2000, 3, 1) == 11_017)
    #expect(Civil.day(9999, 12, 31) == 2_932_896)
    #expect(Civil.day(-1, 12, 31) == -719_529)
    #expect(Civil.date(of: -719_529) == (-1, 12, 31))
  }
}
