// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization
@_spi(TrappingConversions) import CheckedNumbers

/// What the render thread of a loopback measurement plays and records, in memory allocated
/// beforehand.
struct LoopbackState: ~Copyable {
  private let unit: AudioUnit
  private let rounds: Int
  /// A multiple of 16.
  private let burstFrames: Int
  /// Frames between the starts of two bursts, and before the first: servers settle in that time.
  private let spacing: Int
  private let total: Int
  private let memory = OwnedMemory()
  /// The noise of all bursts, one after the other. Each has its own, so that none is mistaken for
  /// another.
  private let noise: UnsafeMutablePointer<Float>
  private let captured: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>
  private let frames = Atomic(0)
  private let failure = Atomic(noErr)
  private let largestCycle = Atomic(0)

  /// The correlation, from 0 to 1, above which a burst counts as found.
  private static let threshold: Float = 0.25

  /// Allocates everything; `deallocate` frees it.
  init(
    _ unit: AudioUnit, amplitude: Float, burstFrames: Int, rounds: Int, spacing: Int,
    maximumFrames: Int
  ) {
    self.unit = unit
    self.rounds = rounds
    self.burstFrames = burstFrames
    self.spacing = spacing
    total = (rounds + 2) * spacing
    noise = memory.room(rounds * burstFrames, for: Float.self)
    captured = memory.array(total, of: 0)
    scratch = memory.room(maximumFrames, for: Float.self)
    var word: UInt64 = 0x9E37_79B9_7F4A_7C15
    for index in 0..<rounds * burstFrames {
      word ^= word << 13
      word ^= word >> 7
      word ^= word << 17
      noise[index] = amplitude * Float(Int32(truncatingIfNeeded: word >> 32)) * 0x1p-31
    }
  }

  /// Frees the memory; no render may be running.
  func deallocate() { memory.deallocate() }

  /// The frames rendered so far, and whether the measurement has ended.
  var frameCount: Int { frames.load(ordering: .acquiring) }
  var isOver: Bool { frameCount >= total || status != noErr }
  /// The error of reading the input, or `noErr`.
  var status: OSStatus { failure.load(ordering: .relaxed) }
  /// The most frames in one render call.
  var cycleFrames: Int { largestCycle.load(ordering: .relaxed) }

  /// [render thread] Records the input of a cycle and fills its output.
  func render(
    _ time: UnsafePointer<AudioTimeStamp>, _ frameCount: UInt32,
    _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let count = Int(frameCount)
    let start = frames.load(ordering: .relaxed)
    if count > largestCycle.load(ordering: .relaxed) {
      largestCycle.store(count, ordering: .relaxed)
    }
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: 1, mDataByteSize: frameCount * 4,
        mData: UnsafeMutableRawPointer(scratch)))
    var flags = AudioUnitRenderActionFlags()
    let status = AudioUnitRender(unit, &flags, time, 1, frameCount, &list)
    if status != noErr { failure.store(status, ordering: .relaxed) }
    let output = data.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
    for index in 0..<count {
      let frame = start + index
      if frame < total { captured[frame] = scratch[index] }
      output?[index] = sample(at: frame)
    }
    frames.store(start + count, ordering: .releasing)
    return noErr
  }

  private func sample(at frame: Int) -> Float {
    let (round, offset) = (frame / spacing - 1, frame % spacing)
    guard round >= 0, round < rounds, offset < burstFrames else { return 0 }
    return noise[round * burstFrames + offset]
  }

  /// The delays, in frames, of the bursts that were found.
  func delays() -> [Int] {
    var found: [Int] = []
    for round in 0..<rounds {
      // The delays are similar, so the search starts near the last one.
      let near = found.last.map { max($0 - burstFrames, 0)..<$0 + burstFrames }
      let delay =
        near.flatMap { self.delay(ofBurst: round, within: $0) }
        ?? self.delay(ofBurst: round, within: 0..<2 * spacing)
      if let delay { found.append(delay) }
    }
    return found
  }

  private func delay(ofBurst round: Int, within range: Range<Int>) -> Int? {
    let burst = noise + round * burstFrames
    let start = (round + 1) * spacing
    let end = min(range.upperBound, total - start - burstFrames)
    let power = product(burst, burst)
    var best = (delay: 0, correlation: Float(0))
    for delay in range.lowerBound..<max(end, range.lowerBound) {
      let recorded = captured + start + delay
      let energy = product(recorded, recorded)
      guard energy > 0 else { continue }
      let correlation = abs(product(burst, recorded)) / (power * energy).squareRoot()
      if correlation > best.correlation { best = (delay, correlation) }
    }
    return best.correlation > Self.threshold ? best.delay : nil
  }

  private func product(_ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>) -> Float {
    var sum = SIMD16<Float>.zero
    for index in stride(from: 0, to: burstFrames, by: 16) {
      let left = UnsafeRawPointer(one + index).loadUnaligned(as: SIMD16<Float>.self)
      sum += left * UnsafeRawPointer(other + index).loadUnaligned(as: SIMD16<Float>.self)
    }
    return sum.sum()
  }
}
