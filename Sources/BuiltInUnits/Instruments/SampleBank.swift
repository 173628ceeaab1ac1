// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import SignalProcessing

/// A SoundFont in memory with one instrument, which is made of sound files.
///
/// Each file plays the keys around its own key: the one that the file states, or the one at the end
/// of its name ("piano-C#4.wav"), or else consecutive keys from 60 on. A single file without a key
/// plays all keys.
struct SampleBank {
  /// The contents of the SoundFont, version 2.04 with 24-bit samples.
  private(set) var bytes: [UInt8] = []

  /// The channel of a file: the range of its samples in the bank.
  private struct Recording {
    var name: String
    var start: Int
    var count: Int
    var rate: Int
    /// -500 (left) to 500 (right).
    var pan: Int
  }

  /// A file that was read.
  private struct Contents {
    var channels: [Recording] = []
    var info: InstrumentInfo?
    var loop: Range<Int>?
  }

  /// What makes two zones share samples.
  private struct Source: Hashable {
    var path: String
    var isReversed: Bool
    var boost: Double
  }

  /// The tables count their rows in 16 bits.
  private static let maximumRows = 65_000

  private var pool = SamplePool()
  private var files: [Source: Contents] = [:]

  /// [control thread] Reads the files: each plays the keys around its own.
  init(_ paths: [String]) throws(AudioError) {
    var zones: [SampleZone] = []
    for (index, path) in paths.enumerated() {
      do throws(AudioError) {
        let info = try SoundFileReader(path: path).instrumentInfo
        var zone = SampleZone(path: path, loop: .file)
        zone.key =
          info?.key ?? Self.key(in: Self.name(of: path))
          ?? (paths.count == 1 ? 60 : min(60 + index, 127))
        zone.cents = -Double(info?.cents ?? 0)
        zone.keys = info?.keys ?? 0...127
        zone.velocities = info?.velocities ?? 0...127
        zones.append(zone)
      } catch { throw error.of(path) }
    }
    Self.assignKeyRanges(&zones)
    try self.init(zones, name: "Sound files")
  }

  /// [control thread] Reads the files of an instrument's zones.
  init(_ zones: [SampleZone], name: String) throws(AudioError) {
    var rows = Rows()
    for zone in zones {
      do throws(AudioError) { try add(zone, to: &rows) } catch { throw error.of(zone.path) }
      guard rows.count < Self.maximumRows else {
        throw .invalidFile.because("the instrument has too many zones")
      }
    }
    write(rows, name)
  }

  private mutating func add(_ zone: SampleZone, to rows: inout Rows) throws(AudioError) {
    let boost = Decibels.gain(max(0, zone.gain))
    let source = Source(path: zone.path, isReversed: zone.isReversed, boost: boost)
    let known = files[source]
    let contents = if let known { known } else { try read(source) }
    files[source] = contents
    for channel in contents.channels {
      var start = min(max(zone.start ?? 0, 0), channel.count - 1)
      var end = min(max(zone.end ?? channel.count, start + 1), channel.count)
      var loop: Range<Int>?
      switch zone.loop {
      case .none: break
      case .file: loop = contents.loop
      case .frames(let first, let last):
        let last = min(last ?? end, end)
        if first >= start, first < last { loop = first..<last }
      }
      if zone.isReversed {
        // The zone states frames of the file.
        (start, end) = (channel.count - end, channel.count - start)
        loop = loop.map { channel.count - $0.upperBound..<channel.count - $0.lowerBound }
      }
      add(
        zone, channel, channel.start + start..<channel.start + end,
        loop.map { channel.start + $0.lowerBound..<channel.start + $0.upperBound }, to: &rows)
    }
  }

  /// Adds a row for each run of keys that plays the same copy of the samples.
  private mutating func add(
    _ zone: SampleZone, _ channel: Recording, _ frames: Range<Int>, _ loop: Range<Int>?,
    to rows: inout Rows
  ) {
    // Devices rarely run faster than 48 kHz; slower ones lose nothing that can be heard.
    let speed = max(1, Double(channel.rate) / 48_000)
    func step(_ key: Int) -> Int {
      let cents = Double(key - zone.key) * zone.centsPerKey + zone.cents
      // The end of a loop that ends with its note is not periodic.
      return loop != nil && zone.playsToEnd
        ? 0 : BandLimitedCopy.step(cents: cents, speed: speed)
    }
    var key = zone.keys.lowerBound
    while key <= zone.keys.upperBound {
      let wanted = step(key)
      var last = key
      while last < zone.keys.upperBound, step(last + 1) == wanted { last += 1 }
      let (copy, used) = pool.copy(frames, zone.isOneShot ? nil : loop, wanted)
      var part = zone
      part.keys = key...last
      part.cents -= 1_200 * Double(BandLimitedCopy.octaves(step: used))
      rows.add(
        part, pan: channel.pan, name: channel.name, rate: channel.rate, frames: copy.frames,
        loop: used == 0 ? loop : copy.loop)
      key = last + 1
    }
  }

  /// Appends the first two channels of a file.
  private mutating func read(_ source: Source) throws(AudioError) -> Contents {
    var reader = try SoundFileReader(path: source.path)
    let (frames, count) = (reader.frameCount, reader.format.channelCount)
    let used = min(count, 2)
    guard frames > 0, count > 0, frames <= SamplePool.maximumSamples / count else {
      throw .invalidFile.because(
        "\(frames) frames; expected 1 to \(SamplePool.maximumSamples / max(count, 1))")
    }
    guard pool.count + used * (frames + SamplePool.gap) <= SamplePool.maximumSamples else {
      throw .outOfMemory.because("the files have more than \(SamplePool.maximumSamples) samples")
    }
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let channels = (0..<count).map { _ in memory.array(frames, of: Float(0)) }
    var done = 0
    while done < frames {
      let more = try reader.read(into: channels, offset: done, frameCount: frames - done)
      if more == 0 { break }
      done += more
    }
    guard done > 0 else { throw .invalidFile.because("it has no frames") }
    var contents = Contents(info: reader.instrumentInfo)
    contents.loop = reader.firstLoop.flatMap { $0.upperBound <= done ? $0 : nil }
    let rate = reader.format.sampleRate.rounded()
    guard rate >= 1, rate <= 16_000_000 else { throw .invalidFile.because("it has no sample rate") }
    for channel in 0..<used {
      var samples = UnsafeMutableBufferPointer(start: channels[channel], count: done)
      if source.isReversed { samples.reverse() }
      contents.channels.append(
        Recording(
          name: Self.name(of: source.path), start: pool.count, count: done, rate: Int(rate),
          pan: used == 1 ? 0 : channel == 0 ? -500 : 500))
      pool.append(UnsafeBufferPointer(samples), gain: Float(source.boost))
    }
    return contents
  }

  private static func name(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
  }

  /// The key at the end of a name; C4 is 60.
  static func key(in name: String) -> Int? {
    var rest = Array(name.utf8)[...]
    guard let digit = rest.popLast(), (48...57).contains(digit) else { return nil }
    var octave = Int(digit) - 48
    if rest.last == 45, rest.dropLast().last.map({ isPitch($0) }) == true {
      octave = -octave
      rest = rest.dropLast()
    }
    var step = 0
    if rest.last == 35 {
      (step, rest) = (1, rest.dropLast())
    } else if rest.last == 98,
      rest.dropLast().last.map(isPitch) == true
    {
      (step, rest) = (-1, rest.dropLast())
    }
    guard let letter = rest.popLast(), isPitch(letter) else { return nil }
    // The letter must not be part of a word.
    if let before = rest.last, before | 32 >= 97, before | 32 <= 122 { return nil }
    let steps = [9, 11, 0, 2, 4, 5, 7]
    let key = 12 * (octave + 1) + steps[Int(letter | 32) - 97] + step
    return (0...127).contains(key) ? key : nil
  }

  private static func isPitch(_ letter: UInt8) -> Bool { (97...103).contains(letter | 32) }

  /// Gives samples without a key range the keys around their own, up to the midpoint between two.
  private static func assignKeyRanges(_ zones: inout [SampleZone]) {
    let keys = Set(zones.map(\.key)).sorted()
    for index in zones.indices where zones[index].keys == 0...127 {
      let key = zones[index].key
      guard let place = keys.firstIndex(of: key) else { continue }
      let low = place == 0 ? 0 : (keys[place - 1] + key) / 2 + 1
      let high = place == keys.count - 1 ? 127 : (key + keys[place + 1]) / 2
      zones[index].keys = min(low, key)...max(high, key)
    }
  }

  // MARK: Writing

  /// The rows of the tables, one per zone and channel.
  private struct Rows {
    private(set) var bags: [UInt8] = []
    private(set) var generators: [UInt8] = []
    private(set) var modulators: [UInt8] = []
    private(set) var headers: [UInt8] = []
    private(set) var zoneCount = 0

    /// The rows of the largest table.
    var count: Int { max(generators.count / 4, modulators.count / 10, zoneCount) }

    mutating func add(
      _ zone: SampleZone, pan: Int, name: String, rate: Int, frames: Range<Int>, loop: Range<Int>?
    ) {
      addBag()
      for modulator in zone.modulators {
        let amount = modulator.amount.isFinite ? modulator.amount.rounded() : 0
        modulators += SampleBank.words([
          modulator.source, modulator.generator,
          UInt16(bitPattern: Int16(min(max(amount, -32_767), 32_767))), modulator.amountSource, 0,
        ])
      }
      for (generator, amount) in zone.generators(pan: pan, loops: loop != nil, sample: zoneCount) {
        generators += SampleBank.words([generator, UInt16(truncatingIfNeeded: amount)])
      }
      let loop = loop ?? frames
      headers +=
        SampleBank.text(name)
        + SampleBank.numbers([
          frames.lowerBound, frames.upperBound, loop.lowerBound, loop.upperBound, rate,
        ]) + [UInt8(clamping: zone.key), 0] + SampleBank.words([0, 1])
      zoneCount += 1
    }

    /// Where the rows of a zone begin.
    private mutating func addBag() {
      bags += SampleBank.words([
        UInt16(truncatingIfNeeded: generators.count / 4),
        UInt16(truncatingIfNeeded: modulators.count / 10),
      ])
    }

    mutating func end() {
      addBag()
      generators += SampleBank.words([0, 0])
      modulators += [UInt8](repeating: 0, count: 10)
      headers += SampleBank.text("EOS") + [UInt8](repeating: 0, count: 26)
    }
  }

  private mutating func write(_ zones: Rows, _ name: String) {
    var rows = zones
    rows.end()
    let pool = pool
    (self.pool, files) = (SamplePool(), [:])
    bytes = SoundFont.file(name, pool, Self.tables(rows, name))
  }

  private static func tables(_ rows: Rows, _ name: String) -> [(String, [UInt8])] {
    let end = words([0, 0, 1]) + [UInt8](repeating: 0, count: 12)
    return [
      (
        "phdr",
        text(name) + words([0, 0, 0]) + [UInt8](repeating: 0, count: 12) + text("EOP") + end
      ),
      ("pbag", words([0, 0, 1, 0])), ("pmod", [UInt8](repeating: 0, count: 10)),
      ("pgen", words([41, 0, 0, 0])),
      (
        "inst",
        text(name) + words([0]) + text("EOI") + words([UInt16(truncatingIfNeeded: rows.zoneCount)])
      ),
      ("ibag", rows.bags), ("imod", rows.modulators), ("igen", rows.generators),
      ("shdr", rows.headers),
    ]
  }

  private static func text(_ text: String) -> [UInt8] { SoundFont.text(text) }
  private static func words(_ values: [UInt16]) -> [UInt8] { SoundFont.words(values) }
  private static func numbers(_ values: [Int]) -> [UInt8] { SoundFont.numbers(values) }
}
