// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization

/// The render half of a mix: pulls the tones and adds them on its channels.
struct ToneMixer: ~Copyable {
  /// The most frames pulled at once: their parameter events fit into the queue of a unit.
  static let partFrames = 512

  /// One tone: its unit, the director of its parameters, and its gain on each channel.
  private struct Voice {
    let unit: AudioUnit
    let director: UnsafeMutablePointer<ToneDirector>
    let gains: UnsafeMutablePointer<RampedGain>
  }

  /// The values shared by control and render thread.
  struct SharedState: ~Copyable {
    /// The linear gains of each tone on each channel, as the bits of a Double.
    let gains: UnsafeMutablePointer<Atomic<UInt64>>
    let channelCount: Int
    /// The largest sample since the last query, as the bits of a Float.
    let peak = Atomic<UInt32>(0)

    init(_ tones: [Tone?], channelCount: Int) {
      self.channelCount = channelCount
      gains = .allocate(capacity: tones.count * channelCount)
      for (index, tone) in tones.enumerated() {
        for channel in 0..<channelCount {
          let gain = Self.gain(tone, channel, of: channelCount)
          (gains + index * channelCount + channel).initialize(to: Atomic(gain.bitPattern))
        }
      }
    }

    deinit { gains.deallocate() }

    /// [control thread] Sets the gains of a tone.
    borrowing func set(_ tone: Tone, at index: Int) {
      for channel in 0..<channelCount {
        let gain = Self.gain(tone, channel, of: channelCount)
        gains[index * channelCount + channel].store(gain.bitPattern, ordering: .relaxed)
      }
    }

    /// The gain of a tone on a channel; a single loudspeaker plays the tones of both sides.
    private static func gain(_ tone: Tone?, _ channel: Int, of channelCount: Int) -> Double {
      guard let tone, channelCount > 1 || !tone.channels.isEmpty else { return 1 }
      return tone.gain(onChannel: channel)
    }
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
  /// The buffers of a caller, at least two.
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let outputCapacity: Int
  private var position = 0

  /// [control thread] Mixes sources, each with as many channels as the mix.
  init(
    _ sources: [ToneSource], _ shared: UnsafePointer<SharedState>, tap: SignalTap.Writer
  ) {
    let channelCount = shared.pointee.channelCount
    self.shared = shared
    self.channelCount = channelCount
    self.tap = tap
    let rate = sources.first?.sampleRate ?? 48_000
    let stepFrames = ToneDirector.stepFrames(rate)
    self.stepFrames = stepFrames
    voiceCount = sources.count
    let memory = memory
    voices = memory.array(
      sources.enumerated().map { index, source in
        Voice(
          unit: source.unit, director: source.director,
          gains: memory.cells(channelCount) { channel in
            let bits = shared.pointee.gains[index * channelCount + channel].load(ordering: .relaxed)
            return RampedGain(Double(bitPattern: bits), sampleRate: rate, stepFrames: stepFrames)
          })
      })
    list = AudioBufferList.allocate(maximumBuffers: channelCount).unsafeMutablePointer
    samples = memory.array(channelCount * Self.partFrames, of: 0)
    outputCapacity = max(channelCount, 2)
    outputs = memory.array(outputCapacity, of: samples)
  }

  deinit {
    memory.deallocate()
    free(list)
  }

  /// [render thread] Fills the buffers of an output with two channels: the left one, and the right
  /// one if there are two.
  @_noLocks
  mutating func render(
    _ frameCount: Int, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    (outputs[0], outputs[1]) = (left, right)
    render(frameCount, outputs, 2)
  }

  /// [render thread] Fills buffers, one for each channel; those beyond the channels of the mix are
  /// silent.
  @_noLocks
  mutating func render(
    _ frameCount: Int, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ outputCount: Int
  ) {
    for channel in 0..<outputCount { Samples.clear(outputs[channel], count: frameCount) }
    let count = min(outputCount, channelCount)
    var done = 0
    while done < frameCount {
      let part = min(Self.partFrames, frameCount - done)
      for voice in 0..<voiceCount { add(voice, part, to: outputs, count, from: done) }
      finish(part, outputs, outputCount, from: done)
      done += part
    }
  }

  /// [render thread] Fills the buffers of a list; false if one is missing.
  @_noLocks
  mutating func render(
    _ frameCount: Int, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> Bool {
    let list = buffers(of: data)
    let count = Int(data.pointee.mNumberBuffers)
    guard count > 0 else { return false }
    for channel in 0..<count {
      guard let memory = list[channel].mData else { return false }
      if channel < outputCapacity {
        outputs[channel] = memory.assumingMemoryBound(to: Float.self)
      } else {
        Samples.clear(memory.assumingMemoryBound(to: Float.self), count: frameCount)
      }
    }
    render(frameCount, outputs, min(count, outputCapacity))
    return true
  }

  /// Adds a part of one tone.
  @_noLocks
  private mutating func add(
    _ index: Int, _ count: Int, to outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    _ outputCount: Int, from start: Int
  ) {
    let voice = voices[index]
    let isIdle = voice.director.pointee.isIdle(for: count)
    if isIdle {
      voice.director.pointee.skip(count)
    } else if !pull(voice.unit, count) {
      return
    }
    for channel in 0..<outputCount {
      let bits = shared.pointee.gains[index * channelCount + channel].load(ordering: .relaxed)
      let gain = Double(bitPattern: bits)
      if isIdle {
        // Changes in silence need no ramp.
        voice.gains[channel].jump(to: gain)
      } else {
        voice.gains[channel].add(
          samples + channel * Self.partFrames, count, at: position, towards: gain,
          to: outputs[channel] + start)
      }
    }
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
    _ count: Int, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ outputCount: Int,
    from start: Int
  ) {
    var peak: Float = 0
    for channel in 0..<outputCount {
      peak = max(peak, Samples.peak(outputs[channel] + start, count: count))
    }
    let left = outputs[0] + start
    let right = outputs[min(1, outputCount - 1)] + start
    for frame in 0..<count { tap.write(left[frame], right[frame], at: position + frame) }
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
      if from == 0, value.value == 0 {
        done += piece
        continue
      }
      let slope = (value.value - from) / Double(stepFrames)
      for frame in done..<done + piece {
        sum[frame] += samples[frame] * Float(from + slope * Double(place + frame - done))
      }
      done += piece
    }
  }
}
