// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import CommandSupport
import SignalProcessing
import Synchronization
@_spi(TrappingConversions) import CheckedNumbers

/// A recording of the input to a file, by an audio queue.
final class InputRecording: @unchecked Sendable {  // the handle may be used by any thread
  struct Settings: Sendable {
    var seconds: Double?
    /// Nil: that of the device.
    var sampleRate: Double?
    var channelCount: Int?
    /// How much of the channel for low-frequency effects fewer channels get; linear.
    var lowFrequencyGain: Float = 0
    /// Nil: 24, in uncompressed and lossless files.
    var bits: Int?
    /// Decibels.
    var startLevel: Double?
    var stopLevel: Double?

    /// How a file is written.
    ///
    /// - Throws: If the file type cannot be written, or does not have these bits.
    func encoding(for path: String) throws(UsageError) -> SoundFileEncoding {
      do {
        var encoding = try SoundFileEncoding(path: path)
        if let bits { try encoding.setBits(bits) } else { encoding.bits = 24 }
        return encoding
      } catch { throw UsageError(error.explanation) }
    }
  }

  /// Seconds kept from before the start, and seconds of silence that end a recording.
  private static let (before, silence) = (0.5, 2.0)

  private struct State: ~Copyable {
    var target: ConversionTarget?
    var failure: Failure?
    var hasBegun = false
    var isOver = false
    var frames = 0
    /// Frames since the last one that was not silent.
    var quietFrames = 0
    /// The frames before the start, by channel.
    var earlier: [[Float]] = []
  }

  private let settings: Settings
  /// Signals are caught before the file exists, so that no incomplete file is left.
  private let signals = Signals(Signals.ending)
  private let queue: AudioQueueRef
  private let format: AudioStreamBasicDescription
  /// The channels of the file.
  private let channelCount: Int
  /// The gain from each channel of the device to each of the file; nil if they are the same.
  private let gains: [Float]?
  private let state: Mutex<State>
  private let isStopping = Atomic(false)

  /// Makes the queue and the file.
  init(
    _ path: String, _ encoding: SoundFileEncoding, _ settings: Settings
  ) throws(Failure) {
    self.settings = settings
    let box = CallbackBox()
    let probe = try Self.makeQueue(0, settings.sampleRate ?? 0, box)
    var (count, countSize) = (UInt32(0), UInt32(4))
    try Failure.check(
      AudioQueueGetProperty(
        probe, kAudioQueueDeviceProperty_NumberChannels, &count, &countSize), "Can't record")
    AudioQueueDispose(probe, true)
    let deviceChannels = Int(max(1, count))
    channelCount = settings.channelCount ?? deviceChannels
    // All channels of the device are recorded, so that fewer are a mix of them.
    gains =
      channelCount < deviceChannels
      ? SoundFileMix.gains(
        from: deviceChannels, nil, to: channelCount, lowFrequencyGain: settings.lowFrequencyGain)
      : nil
    queue = try Self.makeQueue(
      UInt32(clamping: max(channelCount, deviceChannels)), settings.sampleRate ?? 0, box)
    var format = AudioStreamBasicDescription()
    var size = UInt32(clamping: MemoryLayout.size(ofValue: format))
    try Failure.check(
      AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &format, &size),
      "Can't record")
    self.format = format
    let target = try ConversionTarget(
      path, sampleRate: format.mSampleRate, channelCount: channelCount, encoding)
    state = Mutex(
      State(
        target: target, hasBegun: settings.startLevel == nil,
        earlier: Array(repeating: [], count: channelCount)))
    box.recording = self
  }

  deinit { AudioQueueDispose(queue, true) }

  /// The context of the queue's callback.
  private final class CallbackBox: @unchecked Sendable {
    weak var recording: InputRecording?
  }

  private static func makeQueue(_ channels: UInt32, _ rate: Double, _ box: CallbackBox)
    throws(Failure) -> AudioQueueRef
  {
    let count = max(1, channels)
    var format = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, mBytesPerPacket: 4 * count,
      mFramesPerPacket: 1, mBytesPerFrame: 4 * count, mChannelsPerFrame: count,
      mBitsPerChannel: 32, mReserved: 0)
    var queue: AudioQueueRef?
    // The callback may come as late as the queue's end, so the box is never released; there is one
    // per process.
    let status = AudioQueueNewInput(
      &format,
      { data, _, buffer, _, _, _ in
        guard let data else { return }
        Unmanaged<CallbackBox>.fromOpaque(data).takeUnretainedValue().recording?.write(buffer)
      }, Unmanaged.passRetained(box).toOpaque(), nil, nil, 0, &queue)
    try Failure.check(status, "Can't record")
    guard let queue else { throw Failure("Can't record") }
    return queue
  }

  /// The length of the file in seconds.
  var recordedSeconds: Double { Double(state.withLock { $0.frames }) / format.mSampleRate }

  // MARK: Recording

  /// Records until the recording ends; returns the signal that ended it, if one did.
  func run() throws(Failure) -> Int32? {
    let frames = max(16, Int(saturating: format.mSampleRate * 0.05))
    // Enough buffers for the longest cycle and the one after it.
    for _ in 0..<max(8, 1 + 2 * Int(kAUDevicesMaximumCycleFrames) / frames) {
      var buffer: AudioQueueBufferRef?
      try Failure.check(
        AudioQueueAllocateBuffer(queue, UInt32(clamping: frames) * format.mBytesPerFrame, &buffer),
        "Can't record")
      if let buffer { AudioQueueEnqueueBuffer(queue, buffer, 0, nil) }
    }
    var isOn = UInt32(1)
    AudioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &isOn, 4)
    try Failure.check(AudioQueueStart(queue, nil), "Can't record")
    var line = LiveLine(isShown: true)
    var signal: Int32?
    while signal == nil, !state.withLock({ $0.isOver }), isRunning {
      signal = signals.next()
      line.show { levels() }
      usleep(10_000)
    }
    line.clear()
    // The stop returns the buffers, the last one partly filled.
    isStopping.store(true, ordering: .releasing)
    AudioQueueStop(queue, true)
    waitForBuffers()
    try finish()
    return signal
  }

  private var isRunning: Bool {
    var (runs, size) = (UInt32(0), UInt32(4))
    AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &runs, &size)
    return runs != 0
  }

  /// Waits for the callbacks that are still to come before the buffers are freed.
  private func waitForBuffers() {
    for _ in 0..<200 {
      if returnedCount.load(ordering: .acquiring) >= 8 { return }
      usleep(5_000)
    }
  }
  private let returnedCount = Atomic(0)

  private func finish() throws(Failure) {
    let (target, failure) = state.withLock { state in
      defer { state.target = nil }
      return (TargetBox(target: state.target), state.failure)
    }
    if let failure { throw failure }
    try target.target?.finish()
  }

  /// Moves a file out of the lock.
  private struct TargetBox: @unchecked Sendable {
    let target: ConversionTarget?
  }

  /// [the queue's thread] Writes what a buffer holds, and enqueues it again.
  private func write(_ buffer: AudioQueueBufferRef) {
    let channels = Int(format.mChannelsPerFrame)
    let count = Int(buffer.pointee.mAudioDataByteSize) / (4 * channels)
    let samples = buffer.pointee.mAudioData.assumingMemoryBound(to: Float.self)
    if count > 0 {
      var planes = (0..<channels).map { channel in
        (0..<count).map { samples[$0 * channels + channel] }
      }
      if let gains { planes = mix(planes, gains) }
      state.withLock { add(&planes, count, &$0) }
    }
    // After the stop, each buffer comes back once more and is not enqueued again.
    if isStopping.load(ordering: .acquiring) {
      returnedCount.wrappingAdd(1, ordering: .releasing)
    } else {
      AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
    }
  }

  /// The channels of the file, from those of the device.
  private func mix(_ planes: [[Float]], _ gains: [Float]) -> [[Float]] {
    (0..<channelCount).map { output in
      var sum = [Float](repeating: 0, count: planes[0].count)
      for (input, samples) in planes.enumerated() {
        let gain = gains[input * channelCount + output]
        guard gain != 0 else { continue }
        for frame in sum.indices { sum[frame] += samples[frame] * gain }
      }
      return sum
    }
  }

  private func add(_ planes: inout [[Float]], _ count: Int, _ state: inout State) {
    guard !state.isOver, state.failure == nil else { return }
    let peak = planes.reduce(Float(0)) { max($0, $1.reduce(0) { max($0, abs($1)) }) }
    let level = 20 * log10(Double(max(peak, 1e-10)))
    if !state.hasBegun {
      for channel in planes.indices { planes[channel] = state.earlier[channel] + planes[channel] }
      guard let threshold = settings.startLevel, level > threshold else {
        let frameCount = Int(saturating: Self.before * format.mSampleRate)
        state.earlier = planes.map { Array($0.suffix(frameCount)) }
        return
      }
      state.hasBegun = true
      state.earlier = []
    }
    var frames = planes[0].count
    if let seconds = settings.seconds {
      frames = min(frames, Int(saturating: (seconds * format.mSampleRate).rounded()) - state.frames)
    }
    write(&planes, frames, &state)
    if let quiet = settings.stopLevel {
      state.quietFrames = level < quiet ? state.quietFrames + count : 0
      if Double(state.quietFrames) >= Self.silence * format.mSampleRate { state.isOver = true }
    }
    if let seconds = settings.seconds,
      state.frames >= Int(saturating: (seconds * format.mSampleRate).rounded())
    {
      state.isOver = true
    }
  }

  private func write(_ planes: inout [[Float]], _ frames: Int, _ state: inout State) {
    guard frames > 0 else { return }
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let channels = memory.array(planes.map { memory.array(Array($0.prefix(frames))) })
    do {
      try state.target?.write(channels, frames)
      state.frames += frames
    } catch {
      state.failure = error
      state.isOver = true
    }
  }

  // MARK: The terminal

  /// The time, and a level bar for each of the first channels.
  private func levels() -> String? {
    let count = Int(format.mChannelsPerFrame)
    var states = [AudioQueueLevelMeterState](repeating: .init(), count: count)
    var size = UInt32(clamping: 8 * count)
    let status = AudioQueueGetProperty(
      queue, kAudioQueueProperty_CurrentLevelMeterDB, &states, &size)
    guard status == noErr else { return nil }
    let bars = states.prefix(4).map { state in
      let width = 20
      let filled = Int(saturating: max(0, min(1, (state.mPeakPower + 60) / 60)) * Float(width))
      let bar =
        String(repeating: "#", count: filled)
        + String(repeating: "-", count: width - filled)
      return "[\(bar)] \(String(format: "%6.1f", state.mPeakPower)) dB"
    }
    let (begun, seconds) = (state.withLock { $0.hasBegun }, recordedSeconds)
    let time = begun ? String(format: "%7.1f s", seconds) : "waiting"
    return ([time] + bars).joined(separator: "  ")
  }
}
