// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// An instrument of a SoundFont, as a SoundFont of its own in memory, in which high keys play
/// band-limited copies of the samples.
struct BankInstrumentCopy {
  /// The generators that it reads or writes.
  private enum Number {
    static let keyRange: UInt16 = 43
    static let velocityRange: UInt16 = 44
    static let instrument: UInt16 = 41
    static let fixedKey: UInt16 = 46
    static let coarseTuning: UInt16 = 51
    static let fineTuning: UInt16 = 52
    static let sample: UInt16 = 53
    static let loopMode: UInt16 = 54
    static let centsPerKey: UInt16 = 56
    static let rootKey: UInt16 = 58
    /// Of the start, the end, the start of the loop and its end: frames, and 32,768 frames each.
    static let offsets: [(fine: UInt16, coarse: UInt16)] = [(0, 4), (1, 12), (2, 45), (3, 50)]
  }

  /// The most frames: 96 megabytes with 24 bits. Larger instruments are played as they are.
  private static let maximumFrames = 32 << 20
  /// The tables count their rows in 16 bits.
  private static let maximumRows = 65_000

  /// The contents of the SoundFont.
  let bytes: [UInt8]

  /// The zones of presets and instruments, as tables.
  private struct Zones {
    private(set) var bags: [UInt8] = []
    private(set) var generators: [UInt8] = []
    private(set) var modulators: [UInt8] = []
    var count: Int { bags.count / 4 }
    var rowCount: Int { max(count, generators.count / 4, modulators.count / 10) }

    mutating func add(_ zone: SoundFontReader.Zone) {
      begin()
      for generator in zone.generators {
        generators += SoundFont.words([generator.number, generator.amount])
      }
      modulators += zone.modulators
    }

    mutating func end() {
      begin()
      generators += SoundFont.words([0, 0])
      modulators += [UInt8](repeating: 0, count: 10)
    }

    private mutating func begin() {
      bags += SoundFont.words([
        UInt16(truncatingIfNeeded: generators.count / 4),
        UInt16(truncatingIfNeeded: modulators.count / 10),
      ])
    }
  }

  /// [control thread] Nil if the file is no SoundFont with this instrument, is broken or compressed, or
  /// if no key plays a copy: then FluidSynth plays the file as it is.
  init?(_ path: String, bank: Int, program: Int) {
    guard let reader = SoundFontReader(path) else { return nil }
    var work = Work(reader)
    guard let preset = reader.preset(bank: bank, program: program),
      let rows = work.read(preset.zones), work.copyCount > 0
    else { return nil }
    bytes = SoundFont.file("Instrument", work.pool, work.tables(preset.header, rows))
  }

  /// What is made of the instrument.
  private struct Work {
    private let reader: SoundFontReader
    private(set) var pool = SamplePool()
    private(set) var copyCount = 0
    /// The places of the file's instruments in the copy.
    private var instruments: [Int: Int] = [:]
    private var names: [UInt8] = []
    private var zones = Zones()
    private var headers: [UInt8] = []
    /// The parts of the pool with the frames of the file.
    private var parts: [Range<Int>: Int] = [:]

    init(_ reader: SoundFontReader) { self.reader = reader }

    // MARK: Zones

    /// Reads the zones of a preset, with their instruments.
    mutating func read(_ presetZones: [SoundFontReader.Zone]) -> Zones? {
      var rows = Zones()
      // The first zone is for all if it has no instrument.
      let global = presetZones.first.flatMap { $0.last(Number.instrument) == nil ? $0 : nil }
      // The cents that the zones of the preset add to each instrument: the most.
      var cents: [Int: Double] = [:]
      var numbers: [Int] = []
      for zone in presetZones {
        guard let number = zone.last(Number.instrument)?.amount else { continue }
        let index = Int(number)
        if instruments[index] == nil {
          instruments[index] = numbers.count
          numbers.append(index)
        }
        cents[index] = max(cents[index] ?? -.infinity, Self.cents(zone, global))
      }
      for zone in presetZones {
        var zone = zone
        zone.generators = zone.generators.map { generator in
          guard generator.number == Number.instrument,
            let place = instruments[Int(generator.amount)]
          else { return generator }
          return .init(number: Number.instrument, amount: UInt16(clamping: place))
        }
        rows.add(zone)
      }
      guard rows.rowCount < BankInstrumentCopy.maximumRows else { return nil }
      var rowCount = 0
      for index in numbers {
        guard let instrument = reader.instrument(index) else { return nil }
        // Many instruments may consist of the same zones of the file.
        rowCount += instrument.zones.reduce(0) { $0 + $1.rowCount }
        guard rowCount < BankInstrumentCopy.maximumRows else { return nil }
        names += instrument.name + SoundFont.words([UInt16(truncatingIfNeeded: zones.count)])
        guard add(instrument.zones, cents[index] ?? 0) else { return nil }
      }
      return isSmall && !numbers.isEmpty ? rows : nil
    }

    /// Whether the tables can count their rows.
    private var isSmall: Bool {
      max(zones.rowCount, headers.count / 46) < BankInstrumentCopy.maximumRows
    }

    /// The tuning of a zone, or of the zone for all.
    private static func cents(
      _ zone: SoundFontReader.Zone, _ global: SoundFontReader.Zone?
    ) -> Double {
      func value(_ number: UInt16) -> Double {
        Double((zone.last(number) ?? global?.last(number))?.value ?? 0)
      }
      return 100 * value(Number.coarseTuning) + value(Number.fineTuning)
    }

    /// False if the zones are broken.
    private mutating func add(_ all: [SoundFontReader.Zone], _ cents: Double) -> Bool {
      // The first zone is for all if it has no sample.
      let global = all.first.flatMap { $0.last(Number.sample) == nil ? $0 : nil }
      if let global { zones.add(global) }
      for zone in all {
        guard let number = zone.last(Number.sample)?.amount else { continue }
        guard let sample = reader.sample(Int(number)), sample.isPlain,
          add(zone, global, sample, cents), isSmall
        else { return false }
      }
      return true
    }

    /// Adds a zone for each run of keys that plays the same copy of the sample.
    private mutating func add(
      _ zone: SoundFontReader.Zone, _ global: SoundFontReader.Zone?,
      _ sample: SoundFontReader.Sample, _ presetCents: Double
    ) -> Bool {
      func generator(_ number: UInt16) -> SoundFontReader.Generator? {
        zone.last(number) ?? global?.last(number)
      }
      func offset(_ index: Int) -> Int {
        let (fine, coarse) = Number.offsets[index]
        return (generator(fine)?.value ?? 0) + 32_768 * (generator(coarse)?.value ?? 0)
      }
      let (start, end) = (sample.start + offset(0), sample.end + offset(1))
      let (first, last) = (sample.loopStart + offset(2), sample.loopEnd + offset(3))
      // FluidSynth does not apply the range of the zone for all. No key is in a range that is reversed.
      guard let keys = Self.range(zone.last(Number.keyRange)?.amount) else { return true }
      guard start >= 0, start < end, end - start <= SamplePool.maximumSamples else { return false }
      let mode = (generator(Number.loopMode)?.amount ?? 0) & 3
      var loop: Range<Int>?
      if mode & 1 == 1 {
        guard start <= first, first < last, last <= end else { return false }
        loop = first..<last
      }
      guard let place = place(of: start..<end) else { return false }
      let frames = place..<place + end - start
      let placedLoop = loop.map { $0.lowerBound - start + place..<$0.upperBound - start + place }

      let root = generator(Number.rootKey).map(\.value).flatMap { 0...127 ~= $0 ? $0 : nil }
      let fixedKey = generator(Number.fixedKey).map(\.value).flatMap { 0...127 ~= $0 ? $0 : nil }
      let scale = Double(generator(Number.centsPerKey)?.value ?? 100)
      let coarse = generator(Number.coarseTuning)?.value ?? 0
      let tuning =
        presetCents + Double(sample.cents) + 100 * Double(coarse)
        + Double(generator(Number.fineTuning)?.value ?? 0)
      let speed = max(1, Double(sample.rate) / 48_000)
      func step(_ key: Int) -> Int {
        // The end of a loop that ends with its note is not periodic.
        guard mode != 3 else { return 0 }
        let distance = Double((fixedKey ?? key) - (root ?? sample.key))
        return BandLimitedCopy.step(cents: distance * scale + tuning, speed: speed)
      }
      var key = keys.lowerBound
      while key <= keys.upperBound {
        let wanted = step(key)
        var upper = key
        while upper < keys.upperBound, step(upper + 1) == wanted { upper += 1 }
        let (copy, used) = pool.copy(frames, placedLoop, wanted)
        if used > 0 { copyCount += 1 }
        var part = zone
        let lowered = coarse - 12 * BandLimitedCopy.octaves(step: used)
        Self.change(&part, global, keys: key...upper, coarseTuning: lowered, headers.count / 46)
        zones.add(part)
        addHeader(sample, copy)
        key = upper + 1
      }
      return true
    }

    /// The keys of a zone: the lowest in the lower byte.
    private static func range(_ amount: UInt16?) -> ClosedRange<Int>? {
      guard let amount else { return 0...127 }
      let (low, high) = (Int(amount & 127), Int(amount >> 8 & 127))
      return low <= high ? low...high : nil
    }

    /// Gives a zone other keys, tuning and sample. The ranges must be first, and the sample last.
    private static func change(
      _ zone: inout SoundFontReader.Zone, _ global: SoundFontReader.Zone?,
      keys: ClosedRange<Int>, coarseTuning: Int, _ sample: Int
    ) {
      let offsets = Number.offsets.flatMap { [$0.fine, $0.coarse] }
      let changed = offsets + [Number.keyRange, Number.coarseTuning, Number.sample]
      let velocities = zone.generators.filter { $0.number == Number.velocityRange }
      let rest = zone.generators.filter {
        !changed.contains($0.number) && $0.number != Number.velocityRange
      }
      let keyRange = UInt16(clamping: keys.upperBound) << 8 | UInt16(clamping: keys.lowerBound)
      let tuning = UInt16(bitPattern: Int16(clamping: coarseTuning))
      // The header of the sample has what the offsets say.
      let zeros = offsets.filter { global?.last($0) != nil }.map {
        SoundFontReader.Generator(number: $0, amount: 0)
      }
      zone.generators =
        [.init(number: Number.keyRange, amount: keyRange)] + velocities + rest + zeros
        + [
          .init(number: Number.coarseTuning, amount: tuning),
          .init(number: Number.sample, amount: UInt16(clamping: sample)),
        ]
    }

    // MARK: Samples

    /// Where frames of the file are in the pool; nil if there are too many, or the file has fewer.
    private mutating func place(of frames: Range<Int>) -> Int? {
      if let known = parts[frames] { return known }
      guard pool.count + frames.count + SamplePool.gap <= BankInstrumentCopy.maximumFrames,
        let samples = reader.samples(frames)
      else { return nil }
      let place = pool.count
      pool.append(high: samples.high, low: samples.low)
      parts[frames] = place
      return place
    }

    private mutating func addHeader(_ sample: SoundFontReader.Sample, _ part: SamplePool.Part) {
      let loop = part.loop ?? part.frames
      // It has no other side in this file.
      headers +=
        sample.bytes[..<20]
        + SoundFont.numbers([
          part.frames.lowerBound, part.frames.upperBound, loop.lowerBound, loop.upperBound,
          sample.rate,
        ]) + sample.bytes[40..<42] + SoundFont.words([0, 1])
    }

    // MARK: Tables

    func tables(_ header: [UInt8], _ presetZones: Zones) -> [(String, [UInt8])] {
      var (rows, all) = (presetZones, zones)
      rows.end()
      all.end()
      let zeros = [UInt8](repeating: 0, count: 12)
      let end = SoundFont.words([0, 0, UInt16(truncatingIfNeeded: presetZones.count)]) + zeros
      let preset = Array(header[..<24]) + SoundFont.words([0]) + zeros
      return [
        ("phdr", preset + SoundFont.text("EOP") + end),
        ("pbag", rows.bags), ("pmod", rows.modulators), ("pgen", rows.generators),
        (
          "inst",
          names + SoundFont.text("EOI") + SoundFont.words([UInt16(truncatingIfNeeded: zones.count)])
        ),
        ("ibag", all.bags), ("imod", all.modulators), ("igen", all.generators),
        ("shdr", headers + SoundFont.text("EOS") + [UInt8](repeating: 0, count: 26)),
      ]
    }
  }
}
