// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The gain by which a sweep changes the level: linear between the director's steps.
struct SweepGain: ~Copyable {
  private var value: SmoothedValue
  private let stepFrames: Int
  /// The gain at the end of each step of this part.
  private let ends: UnsafeMutablePointer<Double>
  private let capacity: Int
  private var count = 0
  /// The gains at the beginning and the end of the current step.
  private var from = 1.0
  private var to = 1.0

  /// [control thread] A gain of 1, for parts of at most `maximumFrames`.
  init(glideSteps: Int, stepFrames: Int, maximumFrames: Int) {
    value = SmoothedValue(1, stepCount: glideSteps)
    self.stepFrames = stepFrames
    capacity = maximumFrames / stepFrames + 2
    ends = .allocate(capacity: capacity)
    ends.initialize(repeating: 1, count: capacity)
  }

  deinit { ends.deallocate() }

  /// [render thread] Adds a step of the next part; it `jumps` while the tone is silent.
  @_noLocks
  mutating func add(_ gain: Double, jumps: Bool) {
    guard count < capacity else { return }
    if !value.rests(at: gain) {
      if jumps { value.jump(to: gain) } else { value.step(to: gain) }
    }
    ends[count] = value.value
    count += 1
  }

  /// [render thread] Applies the gain to a part that begins at frame `position`.
  @_noLocks
  mutating func apply(
    to data: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int, at position: Int
  ) {
    var (done, step) = (0, 0)
    while done < frameCount {
      let place = (position + done) % stepFrames
      if place == 0, step < count {
        (from, to) = (to, ends[step])
        step += 1
      }
      let piece = min(frameCount - done, stepFrames - place)
      if from != 1 || to != 1 { multiply(data, from: done, piece, place) }
      done += piece
    }
    count = 0
  }

  @_noLocks
  private func multiply(
    _ data: UnsafeMutablePointer<AudioBufferList>, from start: Int, _ count: Int, _ place: Int
  ) {
    let slope = (to - from) / Double(stepFrames)
    for channel in 0..<Int(data.pointee.mNumberBuffers) {
      guard let memory = buffers(of: data)[channel].mData else { continue }
      let samples = memory.assumingMemoryBound(to: Float.self) + start
      for frame in 0..<count { samples[frame] *= Float(from + slope * Double(place + frame)) }
    }
  }
}
