import JSONLines
@testable import SyncCore
import TestSupport
import Testing

/// Properties of every delta and every line.
@Suite struct WireLawTests {
  private static let seeds = Array<UInt64>(0..<300)

  /// A delta that is unpacked and packed again with the types is unchanged.
  @Test(arguments: seeds)
  func deltaComesBack(seed: UInt64) throws {
    var random = WireSeed(seed)
    let delta = random.delta()
    let text = random.spell(delta)
    var types = WireTypes()
    let lines = try WireTrip.unpack(text, &types)
    let packed = try WireTrip.pack(lines, types)
    #expect(WireTrip.isEqual(packed, delta.text), "seed \(seed): \(text)")
  }

  /// Types that were written and read again, and that know other records too, give the same delta.
  @Test(arguments: seeds)
  func typesComeBack(seed: UInt64) throws {
    var random = WireSeed(seed)
    var types = WireTypes()
    _ = try WireTrip.unpack(random.spell(random.delta()), &types)
    let delta = random.delta()
    let lines = try WireTrip.unpack(random.spell(delta), &types)
    var file: [UInt8] = []
    types.append(to: &file)
    let read = try WireTypes(parsing: file.span)
    #expect(read == types, "seed \(seed)")
    #expect(WireTrip.isEqual(try WireTrip.pack(lines, read), delta.text), "seed \(seed)")
  }

  /// Lines that are packed and unpacked again have their old values.
  @Test(arguments: seeds)
  func linesComeBack(seed: UInt64) throws {
    var random = WireSeed(seed)
    var types = WireTypes()
    let lines = try WireTrip.unpack(random.spell(random.delta()), &types)
    let again = try WireTrip.unpack(WireTrip.pack(lines, types), &types)
    #expect(WireTrip.isEqual(again, lines), "seed \(seed): \(lines)")
  }

  /// The same holds without types, unless an integer is beyond int64, which only a double can be.
  @Test(arguments: seeds)
  func linesComeBackWithoutTypes(seed: UInt64) throws {
    var random = WireSeed(seed)
    var none = WireTypes()
    let lines = try WireTrip.unpack(random.spell(random.delta()), &none)
    do {
      let again = try WireTrip.unpack(WireTrip.pack(lines), &none)
      #expect(WireTrip.isEqual(again, lines), "seed \(seed): \(lines)")
    } catch let failure as WireFailure {
      #expect(failure.error == .outOfRange(.int64), "seed \(seed): \(lines)")
    }
  }

  /// Packed output is already in the wire's own form: packing it once more changes no byte.
  @Test(arguments: seeds)
  func packedFormIsStable(seed: UInt64) throws {
    var random = WireSeed(seed)
    var types = WireTypes()
    let packed = try WireTrip.pack(WireTrip.unpack(random.spell(random.delta()), &types), types)
    var again = WireTypes()
    #expect(try WireTrip.pack(WireTrip.unpack(packed, &again), again) == packed, "seed \(seed)")
  }

  /// Every delta of one input is unpacked, on separate lines or over several.
  @Test(arguments: seeds)
  func deltasStandOnLines(seed: UInt64) throws {
    var random = WireSeed(seed)
    let deltas = (0..<random.below(4)).map { _ in random.delta() }
    let text = deltas.map { random.spell($0) + random.pick(["\n", " \r\n\n"]) }.joined()
    var types = WireTypes()
    let lines = try WireTrip.unpack(text, &types)
    #expect(lines.filter { $0.hasPrefix("{\"newTokenData\"") }.count == deltas.count, "seed \(seed)")
  }
}
