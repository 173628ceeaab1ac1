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

  /// A channel of a file.
  private struct Sample {
    var name: String
    var samples: [Float]
    var rate: UInt32
    var key: Int
    var cents: Float
    var keys: ClosedRange<Int>
    var velocities: ClosedRange<Int>
    var loop: Range<Int>?
    /// -500 (left) to 500 (right).
    var pan: Int16
  }

  /// Frames of silence after each sample, as the format requires.
  private static let gap = 46
  private static let maximumSamples = 256 << 20

  /// [control thread] Reads the files.
  init(_ paths: [String]) throws(AudioError) {
    var samples: [Sample] = []
    var total = 0
    for (index, path) in paths.enumerated() {
      do throws(AudioError) {
        let read = try Self.read(path, fallback: paths.count == 1 ? 60 : min(60 + index, 127))
        total += read.reduce(0) { $0 + $1.samples.count }
        guard total <= Self.maximumSamples else {
          throw .outOfMemory.because("the files have more than \(Self.maximumSamples) samples")
        }
        samples += read
      } catch { throw error.of(path) }
    }
    Self.assignKeyRanges(&samples)
    write(samples)
  }

  /// The first two channels of a file.
  private static func read(_ path: String, fallback: Int) throws(AudioError) -> [Sample] {
    var reader = try SoundFileReader(path: path)
    let (frames, count) = (reader.frameCount, reader.format.channelCount)
    guard frames > 0, frames * count <= maximumSamples else {
      throw .invalidFile.because(
        "\(frames) frames; expected 1 to \(maximumSamples / max(count, 1))")
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
    let info = reader.instrumentInfo
    let name = name(of: path)
    let used = min(count, 2)
    return (0..<used).map { channel in
      Sample(
        name: name, samples: Array(UnsafeBufferPointer(start: channels[channel], count: done)),
        rate: UInt32(reader.format.sampleRate.rounded()),
        key: info?.key ?? key(in: name) ?? fallback, cents: info?.cents ?? 0,
        keys: info?.keys ?? 0...127, velocities: info?.velocities ?? 0...127,
        loop: reader.firstLoop.flatMap { $0.upperBound <= done ? $0 : nil },
        pan: used == 1 ? 0 : channel == 0 ? -500 : 500)
    }
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
  private static func assignKeyRanges(_ samples: inout [Sample]) {
    let keys = Set(samples.map(\.key)).sorted()
    for index in samples.indices where samples[index].keys == 0...127 {
      let key = samples[index].key
      guard let place = keys.firstIndex(of: key) else { continue }
      let low = place == 0 ? 0 : (keys[place - 1] + key) / 2 + 1
      let high = place == keys.count - 1 ? 127 : (key + keys[place + 1]) / 2
      samples[index].keys = min(low, key)...max(high, key)
    }
  }

  // MARK: Writing

  private mutating func write(_ samples: [Sample]) {
    var body: [UInt8] = Array("sfbk".utf8)
    body += Self.list(
      "INFO",
      [
        ("ifil", Self.words([2, 4])), ("isng", Array("EMU8000\0".utf8)),
        ("INAM", Array("Sound files\0".utf8)),
      ])
    var (high, low) = ([UInt8](), [UInt8]())
    var starts: [Int] = []
    let total = samples.reduce(0) { $0 + $1.samples.count + Self.gap }
    high.reserveCapacity(2 * total)
    low.reserveCapacity(total)
    for sample in samples {
      starts.append(low.count)
      for value in sample.samples {
        let whole = Int32((max(-1, min(1, value.isFinite ? value : 0)) * 8_388_607).rounded())
        low.append(UInt8(truncatingIfNeeded: whole))
        high.append(UInt8(truncatingIfNeeded: whole >> 8))
        high.append(UInt8(truncatingIfNeeded: whole >> 16))
      }
      low += [UInt8](repeating: 0, count: Self.gap)
      high += [UInt8](repeating: 0, count: 2 * Self.gap)
    }
    body += Self.list("sdta", [("smpl", high), ("sm24", low)])
    body += Self.list("pdta", Self.tables(samples, starts))
    bytes = Self.chunk("RIFF", body)
  }

  private static func tables(_ samples: [Sample], _ starts: [Int]) -> [(String, [UInt8])] {
    var (bags, generators, headers) = ([UInt8](), [UInt8](), [UInt8]())
    for (index, sample) in samples.enumerated() {
      bags += words([UInt16(truncatingIfNeeded: generators.count / 4), 0])
      func add(_ generator: UInt16, _ amount: Int) {
        generators += words([generator, UInt16(truncatingIfNeeded: amount)])
      }
      add(43, sample.keys.upperBound << 8 | sample.keys.lowerBound)
      add(44, sample.velocities.upperBound << 8 | sample.velocities.lowerBound)
      add(17, Int(sample.pan))
      // A release time of a tenth of a second, in timecents.
      add(38, -3986)
      if sample.cents != 0 { add(52, -Int(sample.cents.rounded())) }
      if sample.loop != nil { add(54, 1) }
      add(58, sample.key)
      add(53, index)
      headers += header(sample, starts[index])
    }
    bags += words([UInt16(truncatingIfNeeded: generators.count / 4), 0])
    generators += words([0, 0])
    headers += text("EOS") + [UInt8](repeating: 0, count: 26)
    let end = words([0, 0, 1]) + [UInt8](repeating: 0, count: 12)
    return [
      (
        "phdr",
        text("Sound files") + words([0, 0, 0]) + [UInt8](repeating: 0, count: 12)
          + text("EOP") + end
      ),
      ("pbag", words([0, 0, 1, 0])), ("pmod", [UInt8](repeating: 0, count: 10)),
      ("pgen", words([41, 0, 0, 0])),
      (
        "inst",
        text("Sound files") + words([0]) + text("EOI")
          + words([UInt16(truncatingIfNeeded: samples.count)])
      ),
      ("ibag", bags), ("imod", [UInt8](repeating: 0, count: 10)), ("igen", generators),
      ("shdr", headers),
    ]
  }

  private static func header(_ sample: Sample, _ start: Int) -> [UInt8] {
    let end = start + sample.samples.count
    let loop = sample.loop ?? 0..<sample.samples.count
    return text(sample.name)
      + numbers([start, end, start + loop.lowerBound, start + loop.upperBound, Int(sample.rate)])
      + [UInt8(clamping: sample.key), 0] + words([0, 1])
  }

  /// A text as twenty bytes.
  private static func text(_ text: String) -> [UInt8] {
    let part = Array(text.utf8.prefix(19))
    return part + [UInt8](repeating: 0, count: 20 - part.count)
  }

  private static func words(_ values: [UInt16]) -> [UInt8] {
    values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  private static func numbers(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + numbers([body.count]) + body + (body.count % 2 == 0 ? [] : [0])
  }

  private static func list(_ name: String, _ parts: [(String, [UInt8])]) -> [UInt8] {
    chunk("LIST", Array(name.utf8) + parts.flatMap { chunk($0.0, $0.1) })
  }
}
