import SyncCore
import Testing

/// The default merge order, shown by lines that a person has sorted.
@Suite struct LastWriteOrderTests {
  /// Every line is smaller than the next; the step that distinguishes them stands before the second.
  private static let ascending: [(step: MergeOrder.Step, line: String)] = [
    (.identical, #"{"id":1,"x":12}"#),
    (.content, #"{"id":1,"x":1.0}"#),
    (.bytes, #"{"id":1,"x":1e0}"#),
    (.bytes, #"{"id":1,"x":1}"#),
    (.bytes, #"{"x":1,"id":1}"#),
    (.content, #"{"id":1,"x":2}"#),
    (.content, #"{"id":1}"#),
    (.version, #"{"id":1,"version":-1}"#),
    (.version, #"{"id":1,"version":0,"a":9}"#),
    (.version, #"{"id":1,"version":9}"#),
    (.version, #"{"id":1,"version":10.0,"x":0}"#),
    (.content, #"{"id":1,"version":10}"#),
    (.version, #"{"id":1,"version":1e2}"#),
    (.version, #"{"id":1,"version":1e22}"#),
    (.version, #"{"id":1,"version":10000000000000000000001}"#),
    (.clock, #"{"id":1,"modifiedAt":"1969-12-31T23:59:59.999999999Z","version":99}"#),
    (.clock, #"{"id":1,"modifiedAt":0,"x":[]}"#),
    (.content, #"{"id":1,"modifiedAt":0}"#),
    (.content, #"{"id":1,"timestamp":0}"#),
    (.version, #"{"id":1,"modifiedAt":"1970-01-01T01:00:00+01:00","version":1}"#),
    (.version, #"{"id":1,"modifiedAt":0,"version":2}"#),
    (.tombstone, #"{"id":1,"deletedAt":"1970-01-01T00:00:00Z","x":1}"#),
    (.content, #"{"id":1,"deletedAt":"1970-01-01T00:00:00Z"}"#),
    (.version, #"{"id":1,"deletedAt":"1970-01-01T00:00:00Z","version":1}"#),
    (.clock, #"{"id":1,"modifiedAt":0.000000001}"#),
    (.clock, #"{"id":1,"modifiedAt":"2026-11-20T10:00:00Z"}"#),
    (.tombstone, #"{"deletedAt":"2026-11-20T10:00:00Z","id":1}"#),
    (.bytes, #"{"id":1,"deletedAt":"2026-11-20T10:00:00Z"}"#),
    (.clock, #"{"id":1,"modifiedAt":"2026-11-20T10:00:00.001Z","version":null}"#),
    (.clock, #"{"id":1,"modifiedAt":"9999-12-31T23:59:59Z"}"#),
  ]

  private let lines = Self.ascending.map { Array($0.line.utf8) }

  private func compare(_ a: [UInt8], _ b: [UInt8]) throws -> (order: Int, step: MergeOrder.Step) {
    var reader = LineReader(RecordShape())
    var key: [UInt8] = []
    let (first, second) = (try reader.read(a.span, key: &key), try reader.read(b.span, key: &key))
    return MergeOrder.compare(first, a.span, second, b.span)
  }

  @Test func everyPairIsInTheOrderOfTheList() throws {
    for i in lines.indices {
      for j in lines.indices {
        let order = try compare(lines[i], lines[j]).order
        #expect(order.signum() == (i - j).signum(), "\(Self.ascending[i].line) \(Self.ascending[j].line)")
      }
    }
  }

  @Test func neighboursAreToldApartByTheStepNamed() throws {
    for index in lines.indices.dropFirst() {
      let step = try compare(lines[index - 1], lines[index]).step
      #expect(step == Self.ascending[index].step, "\(Self.ascending[index].line)")
    }
  }

  @Test func aLineIsIdenticalToItselfOnly() throws {
    for i in lines.indices {
      for j in lines.indices {
        #expect(try compare(lines[i], lines[j]).step == .identical || i != j)
      }
    }
  }

  /// A total order, over all triples: antisymmetric, transitive, and equal for the same bytes only.
  @Test func totalOrder() throws {
    let universe = Self.universe
    let matrix = try universe.map { a in try universe.map { b in try compare(a, b).order.signum() } }
    for i in universe.indices {
      for j in universe.indices {
        #expect(matrix[i][j] == -matrix[j][i])
        #expect((matrix[i][j] == 0) == (universe[i] == universe[j]))
        for k in universe.indices where matrix[i][j] <= 0 && matrix[j][k] <= 0 {
          if matrix[i][k] > 0 {
            Issue.record("\([i, j, k].map { String(decoding: universe[$0], as: UTF8.self) })")
          }
        }
      }
    }
  }

  /// Every combination of a clock, a version, a content and a spelling.
  private static let universe: [[UInt8]] = {
    let clocks = [
      "", #","modifiedAt":0"#, #","modifiedAt":"1970-01-01T00:00:00Z""#,
      #","deletedAt":"1970-01-01T00:00:00Z""#, #","deletedAt":1"#,
    ]
    let versions = ["", #","version":1"#, #","version":1.0"#]
    let contents = ["", #","x":"a""#, #","x":"\u0061""#]
    return clocks.flatMap { clock in
      versions.flatMap { version in
        contents.flatMap { content in
          [
            Array("{\"id\":1\(clock)\(version)\(content)}".utf8),
            Array("{\"id\": 1\(content)\(version)\(clock)}".utf8),
          ]
        }
      }
    }
  }()
}
