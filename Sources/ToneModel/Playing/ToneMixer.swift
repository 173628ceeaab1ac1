// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization

/// The render half of a mix: pulls the tones that sound and adds them up on two channels, or one.
struct ToneMixer: ~Copyable {
  /// Frames that are pulled of a tone at once: what moves in them fits into the queue of its unit.
  static let sliceFrames = 512

  /// One tone: its unit, which is told what to do, and its share of the channels.
  private struct Voice: ~Copyable {
    let unit: AudioUnit
    let director: UnsafeMutablePointer<ToneDirector>
    var left: MovingGain
    var right: MovingGain
  }

  /// The values exchanged by control and render thread.
  struct Wishes: ~Copyable {
    /// Linear gains of each tone to the left and to the right, as bits of a Double.
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

  private let wishes: UnsafePointer<Wishes>
  private let memory = OwnedMemory()
  private let voices: UnsafeMutablePointer<Voice>
  private let voiceCount: Int
  private let channelCount: Int
  private let stepFrames: Int
  private let tap: SignalTap.Writer
  /// A slice of one tone.
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let samples: UnsafeMutablePointer<Float>
  private var position = 0

  /// [control thread] Mixes sources, each with as many channels.
  init(
    _ sources: [ToneSource], _ gains: [(left: Double, right: Double)],
    _ wishes: UnsafePointer<Wishes>, channelCount: Int, tap: SignalTap.Writer
  ) {
    self.wishes = wishes
    self.channelCount = channelCount
    self.tap = tap
    let rate = sources.first?.sampleRate ?? 48_000
    let stepFrames = ToneDirector.stepFrames(rate)
    self.stepFrames = stepFrames
    voiceCount = sources.count
    voices = memory.cells(sources.count) { index in
      Voice(
        unit: sources[index].unit, director: sources[index].director,
        left: MovingGain(gains[index].left, sampleRate: rate, stepFrames: stepFrames),
        right: MovingGain(gains[index].right, sampleRate: rate, stepFrames: stepFrames))
    }
    list = AudioBufferList.allocate(maximumBuffers: channelCount).unsafeMutablePointer
    samples = memory.array(channelCount * Self.sliceFrames, of: 0)
  }

  deinit {
    memory.deallocate()
    free(list)
  }

  /// [render thread] Fills the buffers of an output: the left channel, and the right when there is
  /// one.
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
      let count = min(Self.sliceFrames, frameCount - done)
      for voice in 0..<voiceCount {
        add(voice, count, to: left + done, right + done)
      }
      finish(count, left + done, right + done)
      done += count
    }
  }

  /// Adds a slice of one tone.
  @_noLocks
  private mutating func add(
    _ index: Int, _ count: Int, to left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    let voice = voices + index
    let director = voice.pointee.director
    let wishedLeft = wishes.pointee.gains[2 * index].load(ordering: .relaxed)
    let wishedRight = wishes.pointee.gains[2 * index + 1].load(ordering: .relaxed)
    let (toLeft, toRight) = (Double(bitPattern: wishedLeft), Double(bitPattern: wishedRight))
    if director.pointee.isIdle() {
      // Nobody hears what moves in silence.
      voice.pointee.left.jump(to: toLeft)
      voice.pointee.right.jump(to: toRight)
      return director.pointee.skip(count)
    }
    guard pull(voice.pointee.unit, count) else { return }
    let second = samples + Self.sliceFrames
    guard channelCount > 1 else {
      // One loudspeaker gets what is for either side.
      return voice.pointee.left.add(samples, count, at: position, towards: 1, to: left)
    }
    voice.pointee.left.add(samples, count, at: position, towards: toLeft, to: left)
    voice.pointee.right.add(second, count, at: position, towards: toRight, to: right)
  }

  /// Pulls a slice of one tone; false when its unit refuses.
  @_noLocks
  private mutating func pull(_ unit: AudioUnit, _ count: Int) -> Bool {
    list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: channelCount)
    let buffers = buffers(of: list)
    for channel in 0..<channelCount {
      buffers[channel].mNumberChannels = 1
      buffers[channel].mDataByteSize = UInt32(truncatingIfNeeded: 4 * count)
      buffers[channel].mData = UnsafeMutableRawPointer(samples + channel * Self.sliceFrames)
    }
    var time = AudioTimeStamp()
    time.mSampleTime = Double(position)
    time.mFlags = .sampleTimeValid
    return renderUnit(unit, &time, count, list)
  }

  /// Shows a slice of the whole to those who look.
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
    wishes.pointee.peak.max(peak.bitPattern, ordering: .relaxed)
    tap.publish(position)
  }
}

/// A gain that moves as the tones do: in steps that lie on a grid, straight between them.
struct MovingGain: ~Copyable {
  private var value: SmoothedValue
  private var from: Double
  private let stepFrames: Int

  init(_ gain: Double, sampleRate: Double, stepFrames: Int) {
    let steps = ToneDirector.steps(ToneSource.standardFade, sampleRate, stepFrames)
    value = SmoothedValue(gain, stepCount: steps)
    from = gain
    self.stepFrames = stepFrames
  }

  /// [render thread] Rests at a gain from now on.
  @_noLocks
  mutating func jump(to gain: Double) {
    if !value.rests(at: gain) { value.jump(to: gain) }
    from = gain
  }

  /// [render thread] Adds samples, which begin at frame `position` of all, to others.
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
