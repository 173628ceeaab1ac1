// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Feeds and renders a tested unit: buffers between guard values, and the sample time.
final class RenderRun: @unchecked Sendable {
  let tested: TestedUnit
  /// One for each input bus.
  let feeds: [Feed]
  let channelCount: Int
  let capacity: Int
  let sampleRate: Double
  /// The next sample time.
  var time = 0.0
  /// The flags of the last render.
  var flags = AudioUnitRenderActionFlags()
  private let bus: Int
  private let list: UnsafeMutableAudioBufferListPointer
  private let memory: UnsafeMutablePointer<Float>

  private static let guardCount = 32
  private static let guardValue: Float = 1_234.5

  /// Prepares a unit for rendering: sets 32-bit float where needed, adds a callback to each input,
  /// and initialises it. `configure` runs before the initialisation.
  init(
    _ subject: TestedComponent, capacity: Int = 4_096, signal: [Float] = [], bus: Int = 0,
    configure: (TestedUnit) throws -> Void = { _ in }
  ) throws {
    tested = try TestedUnit(subject)
    guard tested.kind != .device else {
      throw Skip("it plays to a device, which pulls it: the check \"plays\" tests that")
    }
    try expect(
      tested.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(capacity)),
      "setting MaximumFramesPerSlice to \(capacity)")
    try Self.choosePlanarFloat(tested)
    try configure(tested)
    guard let format = tested.format(kAudioUnitScope_Output, bus) else {
      throw Fault("output bus \(bus) has no StreamFormat")
    }
    self.bus = bus
    self.capacity = capacity
    channelCount = Int(format.mChannelsPerFrame)
    sampleRate = format.mSampleRate
    list = AudioBufferList.allocate(maximumBuffers: max(1, channelCount))
    memory = .allocate(capacity: max(1, channelCount) * (capacity + 2 * Self.guardCount))
    feeds = (0..<tested.busCount(kAudioUnitScope_Input)).map { _ in Feed(signal) }
    for (index, feed) in feeds.enumerated() {
      try expect(
        tested.set(
          kAudioUnitProperty_SetRenderCallback, feed.callback, kAudioUnitScope_Input,
          AudioUnitElement(index)), "setting the render callback of input bus \(index)")
    }
    try tested.initialize()
  }

  deinit {
    try? tested.dispose()
    memory.deallocate()
    free(list.unsafeMutablePointer)
  }

  private static func choosePlanarFloat(_ tested: TestedUnit) throws {
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for bus in 0..<tested.busCount(scope) {
        guard let format = tested.format(scope, bus) else {
          throw Fault("bus \(bus) of the \(scopeName(scope)) scope has no StreamFormat")
        }
        guard !format.isPlanarFloat else { continue }
        try expect(
          tested.set(
            kAudioUnitProperty_StreamFormat,
            floatFormat(format.mSampleRate, Int(format.mChannelsPerFrame)), scope,
            AudioUnitElement(bus)), "setting 32-bit float on bus \(bus)")
      }
    }
  }

  /// Feeds a signal to all inputs, from its beginning.
  func feed(_ signal: [Float]) { for feed in feeds { feed.play(signal) } }

  /// Renders once and returns the status. The samples stay in `samples(_:)` until the next render.
  func render(_ frames: Int, ownMemory: Bool = false) -> OSStatus {
    prepareBuffers(frames, ownMemory: ownMemory)
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = time
    stamp.mFlags = .sampleTimeValid
    flags = []
    let status = AudioUnitRender(
      tested.unit, &flags, &stamp, UInt32(bus), UInt32(frames), list.unsafeMutablePointer)
    if status == noErr { time += Double(frames) }
    return status
  }

  /// Sets up the buffer list for a number of frames.
  func prepareBuffers(_ frames: Int, ownMemory: Bool = false) {
    let stride = capacity + 2 * Self.guardCount
    memory.update(repeating: Self.guardValue, count: max(1, channelCount) * stride)
    list.count = channelCount
    for channel in 0..<channelCount {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames),
        mData: ownMemory ? nil : memory + channel * stride + Self.guardCount)
    }
  }

  var buffers: UnsafeMutablePointer<AudioBufferList> { list.unsafeMutablePointer }

  /// The samples of a channel.
  func samples(_ channel: Int) -> UnsafeMutableBufferPointer<Float> {
    let buffer = list[channel]
    return UnsafeMutableBufferPointer(
      start: buffer.mData?.assumingMemoryBound(to: Float.self),
      count: Int(buffer.mDataByteSize) / 4)
  }

  /// Fails the check if a render wrote outside its buffers, or changed their sizes.
  func expectSound(_ frames: Int, _ situation: String) throws {
    let stride = capacity + 2 * Self.guardCount
    for channel in 0..<channelCount {
      let size = Int(list[channel].mDataByteSize)
      try expect(
        size == 4 * frames,
        "\(situation): mDataByteSize of channel \(channel) is \(size), expected \(4 * frames)")
      let before = memory + channel * stride
      let samples = before + Self.guardCount
      // The unit's own memory has no guard values.
      guard list[channel].mData == UnsafeMutableRawPointer(samples) else { continue }
      let after = samples + frames
      let end = after + (capacity - frames + Self.guardCount)
      let isWhole =
        Self.isUntouched(before, count: Self.guardCount)
        && Self.isUntouched(after, count: end - after)
      try expect(isWhole, "\(situation): it writes outside of the buffer of channel \(channel)")
    }
  }

  private static func isUntouched(_ memory: UnsafeMutablePointer<Float>, count: Int) -> Bool {
    UnsafeMutableBufferPointer(start: memory, count: count).allSatisfy { $0 == guardValue }
  }

  /// Renders one slice, which must succeed with finite samples within the buffers.
  func mustRender(_ frames: Int, _ situation: String = "") throws {
    let text = situation.isEmpty ? "\(frames) frames" : situation
    try expect(render(frames), "AudioUnitRender, \(text),")
    try expectSound(frames, text)
    for channel in 0..<channelCount {
      for (frame, sample) in samples(channel).enumerated() where !sample.isFinite {
        throw Fault("\(text): sample \(frame) of channel \(channel) is \(sample)")
      }
      try expect(
        !flags.contains(.unitRenderAction_OutputIsSilence)
          || samples(channel).allSatisfy { $0 == 0 },
        "\(text): OutputIsSilence is set, but channel \(channel) is not zero")
    }
  }

  /// The output of all channels, rendered in slices of the given sizes, which repeat.
  func output(_ frames: Int, slices: [Int] = [512]) throws -> [[Float]] {
    var channels = [[Float]](repeating: [], count: channelCount)
    var (done, turn) = (0, 0)
    while done < frames {
      let count = min(slices[turn % slices.count], frames - done)
      try mustRender(count, "frames \(done) to \(done + count)")
      for channel in 0..<channelCount { channels[channel] += samples(channel) }
      done += count
      turn += 1
    }
    return channels
  }
}

/// The name of a scope.
func scopeName(_ scope: AudioUnitScope) -> String {
  [
    kAudioUnitScope_Global: "global", kAudioUnitScope_Input: "input",
    kAudioUnitScope_Output: "output",
  ][scope] ?? "\(scope)"
}

/// The largest absolute value.
func peak(_ channels: [[Float]]) -> Float {
  channels.reduce(0) { $1.reduce($0) { max($0, abs($1)) } }
}

/// Where and by how much a signal differs from another one of the same shape.
struct Deviation {
  private var (channel, frame) = (0, 0)
  private var (value, expected): (Float, Float) = (0, 0)
  private var most: Float = 0
  private var count = 0
  private let channelCount: Int

  /// Nil if no sample differs by more than a tolerance.
  init?(of signal: [[Float]], from other: [[Float]], above tolerance: Float) {
    channelCount = signal.count
    // The first frame in which any channel differs.
    for frame in 0..<(signal.map(\.count).min() ?? 0) {
      for (channel, (one, two)) in zip(signal, other).enumerated() where frame < two.count {
        let difference = abs(one[frame] - two[frame])
        guard !(difference <= tolerance) else { continue }
        if count == 0 {
          (self.channel, self.frame, value, expected) = (channel, frame, one[frame], two[frame])
        }
        count += 1
        most = max(most, difference)
      }
    }
    guard count > 0 else { return nil }
  }

  /// In words; the other signal is that of `name`.
  func text(from name: String) -> String {
    let place = channelCount > 1 ? "frame \(frame) of channel \(channel)" : "frame \(frame)"
    return "\(count) samples differ from those of \(name) by up to \(most), first \(place), "
      + "which is \(value) instead of \(expected)"
  }
}

/// The largest difference between two signals of the same shape.
func difference(_ one: [[Float]], _ other: [[Float]]) -> Float {
  zip(one, other).reduce(0) { most, pair in
    zip(pair.0, pair.1).reduce(most) { max($0, abs($1.0 - $1.1)) }
  }
}
