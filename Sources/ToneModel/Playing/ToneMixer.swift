// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization

/// The render half of a mix: pulls the tones and adds them on one or two channels.
struct ToneMixer: ~Copyable {
  /// The most frames pulled at once: their parameter events fit into the queue of a unit.
  static let partFrames = 512

  /// One tone: its unit, the director of its parameters, and its gains.
  private struct Voice: ~Copyable {
    let unit: AudioUnit
    let director: UnsafeMutablePointer<ToneDirector>
    var left: RampedGain
    var right: RampedGain
  }

  /// The values shared by control and render thread.
  struct SharedState: ~Copyable {
    /// The linear gains of each tone on the left and the right, as the bits of a Double.
    let gains: UnsafeMutablePointer<Atomic<UInt64>>
    /// The largest sample since the last query, as the bits of a Float.
    let peak = Atomic<UInt32>(0)

    init(_ gains: [(left: Double, right: Double)]) {
      self.gains = .allocate(capacity: 2 * gains.count)
      for (index, gain) in gains.enumerated() {
        self.gains.advanced(by: 2 * index).initialize(to: Atomic(gain.left.bitPattern))
        self.gains.advanced(by: 2 * index + 1).initialize(to: Atomic(gain.right.bitPattern))
      }
    }

    deinit { gains.deallocate() }
  }

  private let shared: UnsafePointer<SharedState>
  private let memory = OwnedMemory()
  private let voices: UnsafeMutablePointer<Voice>
  private let voiceCount: Int
  private let channelCount: Int
  private let stepFrames: Int
  private let tap: SignalTap.Writer
  /// The buffer for one part of one tone.
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let samples: UnsafeMutablePointer<Float>
  private var position = 0

  /// [control thread] Mixes sources, each with `channelCount` channels.
  init(
    _ sources: [ToneSource], _ gains: [(left: Double, right: Double)],
    _ shared: UnsafePointer<SharedState>, channelCount: Int, tap: SignalTap.Writer
  ) {
    self.shared = shared
    self.channelCount = channelCount
    self.tap = tap
    let rate = sources.first?.sampleRate ?? 48_000
    let stepFrames = ToneDirector.stepFrames(rate)
    self.stepFrames = stepFrames
    voiceCount = sources.count
    voices = memory.cells(sources.count) { index in
      Voice(
        unit: sources[index].unit, director: sources[index].director,
        left: RampedGain(gains[index].left, sampleRate: rate, stepFrames: stepFrames),
        right: RampedGain(gains[index].right, sampleRate: rate, stepFrames: stepFrames))
    }
    list = AudioBufferList.allocate(maximumBuffers: channelCount).unsafeMutablePointer
    samples = memory.array(channelCount * Self.partFrames, of: 0)
  }

  deinit {
    memory.deallocate()
    free(list)
  }

  /// [render thread] Fills the buffers of an output: the left channel, and the right one if there
  /// are two.
  @_noLocks
  mutating func render(
    _ frameCount: Int, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<frameCount {
      left[frame] = 0
      right[frame] = 0
    }
    var done = 0
    while done < frameCount {
      let count = min(Self.partFrames, frameCount - done)
      for voice in 0..<voiceCount {
        add(voice, count, to: left + done, right + done)
      }
      finish(count, left + done, right + done)
      done += count
    }
  }

  /// Adds a part of one tone.
  @_noLocks
  private mutating func add(
    _ index: Int, _ count: Int, to left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    let voice = voices + index
    let director = voice.pointee.director
    let leftBits = shared.pointee.gains[2 * index].load(ordering: .relaxed)
    let rightBits = shared.pointee.gains[2 * index + 1].load(ordering: .relaxed)
    let (toLeft, toRight) = (Double(bitPattern: leftBits), Double(bitPattern: rightBits))
    if director.pointee.isIdle() {
      // Changes in silence need no ramp.
      voice.pointee.left.jump(to: toLeft)
      voice.pointee.right.jump(to: toRight)
      return director.pointee.skip(count)
    }
    guard pull(voice.pointee.unit, count) else { return }
    let second = samples + Self.partFrames
    guard channelCount > 1 else {
      // A single loudspeaker plays the tones of both sides.
      return voice.pointee.left.add(samples, count, at: position, towards: 1, to: left)
    }
    voice.pointee.left.add(samples, count, at: position, towards: toLeft, to: left)
    voice.pointee.right.add(second, count, at: position, towards: toRight, to: right)
  }

  /// Pulls a part of one tone; false if its unit fails.
  @_noLocks
  private mutating func pull(_ unit: AudioUnit, _ count: Int) -> Bool {
    list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: channelCount)
    let buffers = buffers(of: list)
    for channel in 0..<channelCount {
      buffers[channel].mNumberChannels = 1
      buffers[channel].mDataByteSize = UInt32(truncatingIfNeeded: 4 * count)
      buffers[channel].mData = UnsafeMutableRawPointer(samples + channel * Self.partFrames)
    }
    var time = AudioTimeStamp()
    time.mSampleTime = Double(position)
    time.mFlags = .sampleTimeValid
    return renderUnit(unit, &time, count, list)
  }

  /// Measures the peak of a mixed part and copies it to the tap.
  @_noLocks
  private mutating func finish(
    _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    var peak: Float = 0
    for frame in 0..<count {
      peak = max(peak, max(left[frame].magnitude, right[frame].magnitude))
      tap.write(left[frame], right[frame], at: position + frame)
    }
    position += count
    shared.pointee.peak.max(peak.bitPattern, ordering: .relaxed)
    tap.publish(position)
  }
}

/// A gain that moves in steps on a fixed grid, linearly between them.
struct RampedGain: ~Copyable {
  private var value: SmoothedValue
  private var from: Double
  private let stepFrames: Int

  init(_ gain: Double, sampleRate: Double, stepFrames: Int) {
    let steps = ToneDirector.steps(ToneSource.standardFade, sampleRate, stepFrames)
    value = SmoothedValue(gain, stepCount: steps)
    from = gain
    self.stepFrames = stepFrames
  }

  /// [render thread] Jumps to a gain.
  @_noLocks
  mutating func jump(to gain: Double) {
    if !value.rests(at: gain) { value.jump(to: gain) }
    from = gain
  }

  /// [render thread] Adds samples that begin at frame `position` to a sum, scaled by the gain.
  @_noLocks
  mutating func add(
    _ samples: UnsafePointer<Float>, _ count: Int, at position: Int, towards gain: Double,
    to sum: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    while done < count {
      let place = (position + done) % stepFrames
      if place == 0 {
        from = value.value
        value.step(to: gain)
      }
      let piece = min(count - done, stepFrames - place)
      let slope = (value.value - from) / Double(stepFrames)
      for frame in done..<done + piece {
        sum[frame] += samples[frame] * Float(from + slope * Double(place + frame - done))
      }
      done += piece
    }
  }
}
