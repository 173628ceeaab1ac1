// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The metadata of a sound file that is a sample of an instrument: the chunks `smpl` and `inst` of
/// WAV, `INST` of AIFF, `inst` of CAF.
package struct InstrumentInfo: Equatable, Sendable {
  /// The key of the recorded pitch, and how many cents the recording is above it.
  package var key: Int
  package var cents: Float
  /// The keys and velocities that use this sample.
  package var keys: ClosedRange<Int>
  package var velocities: ClosedRange<Int>

  init(key: Int, cents: Float, keys: ClosedRange<Int>, velocities: ClosedRange<Int>) {
    self.key = key
    self.cents = cents
    self.keys = keys
    self.velocities = velocities
  }

  /// A range of MIDI keys or velocities; the full range when the file has no valid one.
  private static func range(_ low: UInt8, _ high: UInt8) -> ClosedRange<Int> {
    low <= high && high < 128 && high > 0 ? Int(low)...Int(high) : 0...127
  }

  /// Nil when the file has no such data.
  init?(_ container: Container) {
    guard let file = container as? ChunkedContainer else { return nil }
    if file is AIFFContainer {
      self.init(aiff: file)
    } else if file is CAFContainer {
      self.init(caf: file)
    } else {
      self.init(wave: file)
    }
  }

  private init?(aiff file: ChunkedContainer) {
    guard let fields = try? file.bytes(of: ChunkCode("INST")), fields.count >= 8,
      fields.uint8(0) < 128
    else { return nil }
    self.init(
      key: Int(fields.uint8(0)), cents: Float(Int8(bitPattern: fields.uint8(1))),
      keys: Self.range(fields.uint8(2), fields.uint8(3)),
      velocities: Self.range(fields.uint8(4), fields.uint8(5)))
  }

  private init?(caf file: ChunkedContainer) {
    guard let fields = try? file.bytes(of: ChunkCode("inst")), fields.count >= 8,
      fields.float(0) >= 0, fields.float(0) < 127.5
    else { return nil }
    let key = fields.float(0).rounded()
    self.init(
      key: Int(saturating: key), cents: (fields.float(0) - key) * 100,
      keys: Self.range(fields.uint8(4), fields.uint8(5)),
      velocities: Self.range(fields.uint8(6), fields.uint8(7)))
  }

  private init?(wave file: ChunkedContainer) {
    let shape = (try? file.bytes(of: ChunkCode("inst"))).flatMap { $0.count >= 7 ? $0 : nil }
    let keys = shape.map { Self.range($0.uint8(3), $0.uint8(4)) } ?? 0...127
    let velocities = shape.map { Self.range($0.uint8(5), $0.uint8(6)) } ?? 0...127
    if let fields = try? file.bytes(of: ChunkCode("smpl")), fields.count >= 36,
      fields.uint32(12) < 128
    {
      // A fraction of a semitone, in units of 2^-32.
      self.init(
        key: Int(fields.uint32(12)), cents: Float(Double(fields.uint32(16)) / 4_294_967_296 * 100),
        keys: keys, velocities: velocities)
    } else if let shape, shape.uint8(0) < 128 {
      self.init(
        key: Int(shape.uint8(0)), cents: Float(Int8(bitPattern: shape.uint8(1))), keys: keys,
        velocities: velocities)
    } else {
      return nil
    }
  }
}

extension InstrumentInfo {
  /// [control thread] Writes the metadata to a new file; a kind that cannot store it drops it.
  func write(to container: Container) throws(AudioError) {
    guard let file = container as? ChunkedContainer else { return }
    if file is AIFFContainer {
      try file.setChunk("INST", 0, aiff)
    } else if file is CAFContainer {
      try file.setChunk("inst", 0, caf)
    } else {
      try file.setChunk("smpl", 0, sampler(file))
      try file.setChunk("inst", 0, shape)
    }
  }

  private var wholeCents: Int8 { Int8(clamping: Int(saturating: cents.rounded())) }

  /// Key, cents, keys, velocities; a single byte each.
  private var shape: [UInt8] {
    [
      UInt8(clamping: key), UInt8(bitPattern: wholeCents), 0, UInt8(clamping: keys.lowerBound),
      UInt8(clamping: keys.upperBound), UInt8(clamping: velocities.lowerBound),
      UInt8(clamping: velocities.upperBound),
    ]
  }

  /// `INST` without loops, which follow with the regions.
  private var aiff: [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.append(shape[..<2] + shape[3...])
    builder.number(UInt16(0))
    builder.zeros(12)
    return builder.bytes
  }

  private var caf: [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.float(Float(key) + cents / 100)
    builder.append(shape[3...])
    builder.zeros(20)
    return builder.bytes
  }

  /// `smpl` without loops, which follow with the regions.
  private func sampler(_ file: ChunkedContainer) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: file.dialect.isBigEndian)
    builder.zeros(8)
    builder.number(UInt32(saturating: min(1e9 / file.format.mSampleRate, 4e9)))
    // The fraction of a semitone is not negative.
    let pitch = Double(key) + Double(cents) / 100
    let whole = min(127, max(0, pitch.rounded(.down)))
    builder.number(UInt32(saturating: whole))
    builder.number(UInt32(saturating: min(max(0, pitch - whole) * 4_294_967_296, 4_294_967_295)))
    builder.zeros(16)
    return builder.bytes
  }
}

extension SoundFileReader {
  /// [control thread] The file's metadata as an instrument sample; nil when it has none.
  package var instrumentInfo: InstrumentInfo? { InstrumentInfo(container) }

  /// [control thread] Its first loop, in frames.
  package var firstLoop: Range<Int>? {
    let loop = ((try? container.regions) ?? []).first(where: \.isLoop)
    guard let start = loop?.markers.first?.frame, let end = loop?.markers.last?.frame,
      start >= 0, end > start, end <= Double(frameCount)
    else { return nil }
    return Int(saturating: start)..<Int(saturating: end)
  }
}
