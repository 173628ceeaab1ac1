// SPDX-License-Identifier: Apache-2.0

/// The samples of a SoundFont that is made in memory, with 24 bits, and copies of them for high keys.
struct SamplePool {
  /// A part of the samples.
  struct Part: Hashable {
    var frames: Range<Int>
    var loop: Range<Int>?
  }

  private struct CopyKey: Hashable {
    var original: Part
    var step: Int
  }

  /// Frames of silence after each sample, as the format requires.
  static let gap = 46
  /// The most samples.
  static let maximumSamples = 256 << 20
  /// The samples of which copies for high keys are made, counted for each copy: at most a second of
  /// work. The samples beyond are played as they are.
  private static let maximumCopied = 32 << 20

  /// The upper 16 bits of each sample, and the lower 8.
  private(set) var (high, low) = ([UInt8](), [UInt8]())
  private var copies: [CopyKey: Part] = [:]
  private var copiedSamples = 0

  /// The number of samples.
  var count: Int { low.count }

  /// The copy of samples for a step, or that for the next lower step that exists.
  mutating func copy(
    _ frames: Range<Int>, _ loop: Range<Int>?, _ wanted: Int
  ) -> (part: Part, step: Int) {
    let original = Part(frames: frames, loop: loop)
    var step = wanted
    while step > 0 {
      let key = CopyKey(original: original, step: step)
      if let known = copies[key] { return (known, step) }
      if let part = makeCopy(original, step) {
        copies[key] = part
        return (part, step)
      }
      step -= 1
    }
    return (original, 0)
  }

  /// Nil if the samples are too short, or there are too many.
  private mutating func makeCopy(_ part: Part, _ step: Int) -> Part? {
    let start = part.frames.lowerBound
    let loop = part.loop.map { $0.lowerBound - start..<$0.upperBound - start }
    let work = BandLimitedCopy.frameCount(part.frames.count, loop: loop, step: step)
    guard work <= Self.maximumCopied - copiedSamples else { return nil }
    copiedSamples += work
    let source = part.frames.map { frame -> Float in
      let bytes = (UInt32(high[2 * frame + 1]), UInt32(high[2 * frame]), UInt32(low[frame]))
      let word = Int32(bitPattern: bytes.0 << 24 | bytes.1 << 16 | bytes.2 << 8) >> 8
      return Float(word) / 8_388_607
    }
    guard let copy = BandLimitedCopy(source, loop: loop, step: step),
      low.count + copy.samples.count + Self.gap <= Self.maximumSamples
    else { return nil }
    let place = low.count
    copy.samples.withUnsafeBufferPointer { append($0, gain: 1) }
    return Part(
      frames: place..<place + copy.samples.count,
      loop: copy.loop.map { place + $0.lowerBound..<place + $0.upperBound })
  }

  /// Appends samples, and the silence after them.
  mutating func append(_ samples: UnsafeBufferPointer<Float>, gain: Float) {
    high.reserveCapacity(high.count + 2 * (samples.count + Self.gap))
    low.reserveCapacity(low.count + samples.count + Self.gap)
    for sample in samples {
      let value = gain * sample
      let whole = Int32((max(-1, min(1, value.isFinite ? value : 0)) * 8_388_607).rounded())
      low.append(UInt8(truncatingIfNeeded: whole))
      high.append(UInt8(truncatingIfNeeded: whole >> 8))
      high.append(UInt8(truncatingIfNeeded: whole >> 16))
    }
    low += [UInt8](repeating: 0, count: Self.gap)
    high += [UInt8](repeating: 0, count: 2 * Self.gap)
  }

  /// Appends samples of 16 bits with the lower 8 bits of each, if there are any, and the silence after
  /// them.
  mutating func append(high upper: [UInt8], low lower: [UInt8]) {
    high += upper + [UInt8](repeating: 0, count: 2 * Self.gap)
    low += lower + [UInt8](repeating: 0, count: upper.count / 2 - lower.count + Self.gap)
  }
}
