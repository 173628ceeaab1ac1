// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// An output without a device: the program pulls, as fast as it likes, and gets its input converted
/// from the format of the input scope to that of the output scope.
final class GenericOutput: NativeUnit, @unchecked Sendable {
  private let renderer: UnsafeMutablePointer<UnsafeMutablePointer<GenericRenderer>?>
  private var isRunning = false

  init(component: Component) {
    renderer = .allocate(capacity: 1)
    renderer.initialize(to: nil)
    super.init(
      component: component, parameters: [], elements: .init(inputs: 1, outputs: 1),
      format: .standard, maximumFrames: 1156)
    renderQuality = 64
  }

  deinit {
    releaseResources()
    renderer.deallocate()
  }

  override var properties: [Property] { Self.rows }
  override var channelCapabilities: [AUChannelInfo]? { [.init(inChannels: -1, outChannels: -2)] }
  override var latency: Double { renderer.pointee?.pointee.latency ?? 0 }

  override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard format.sampleFormat.isSupported else {
      throw .formatNotSupported.because("\(element.title): \(format.text) is not converted here")
    }
  }

  override func allocateResources() throws(AudioError) {
    let memory = UnsafeMutablePointer<GenericRenderer>.allocate(capacity: 1)
    memory.initialize(
      to: GenericRenderer(
        inputs[0].format, outputs[0].format, maximumFrames,
        .init(renderQuality: renderQuality)))
    renderer.pointee = memory
  }

  override func releaseResources() {
    renderer.pointee?.deinitialize(count: 1).deallocate()
    renderer.pointee = nil
  }

  /// [render thread]
  @_noLocks
  override func forget() { renderer.pointee?.pointee.reset() }

  /// [render thread]
  @_noLocks
  override func produce(
    _ call: RenderCall, _ plan: RenderPlan, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let renderer = renderer.pointee else { return kAudioUnitErr_Uninitialized }
    return renderer.pointee.render(call, plan, into: data)
  }

  // MARK: Start and stop

  override func start() throws(AudioError) { try setRunning(true) }
  override func stop() throws(AudioError) { try setRunning(false) }

  /// Only a flag that a graph asks for: the program renders by itself.
  private func setRunning(_ runs: Bool) throws(AudioError) {
    let hasChanged = try control { () throws(AudioError) -> Bool in
      guard !runs || isInitialized else {
        throw .uninitialized.because("initialize the unit before you start it")
      }
      defer { isRunning = runs }
      return isRunning != runs
    }
    guard hasChanged else { return }
    tellListeners(
      PropertyAddress(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0))
  }

  override func uninitialize() throws(AudioError) {
    try stop()
    try super.uninitialize()
  }

  override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector) || selector == kAudioOutputUnitStartSelect
      || selector == kAudioOutputUnitStopSelect
  }

  private static let rows: [Property] = [
    Rows<GenericOutput>.value(
      kAudioOutputUnitProperty_IsRunning, in: [kAudioUnitScope_Global],
      reading: { UInt32($0.isRunning ? 1 : 0) })
  ]
}

/// The render half of a generic output.
struct GenericRenderer: ~Copyable {
  private var converter: PullConverter
  private let converted: PlanarBuffer
  private let output: BusBuffer
  private let format: SampleFormat
  private let isPlanarFloat: Bool
  private let isInterleaved: Bool
  private let sampleBytes: Int
  private let channelCount: Int
  private let maximumFrames: Int
  private var pulledFrames = 0.0
  private var isFirst = true

  init(
    _ source: StreamFormat, _ target: StreamFormat, _ maximumFrames: Int,
    _ quality: SampleRateConverter.Quality
  ) {
    self.maximumFrames = maximumFrames
    // One pull may take more source frames than the slice has: the source gets it in pieces.
    let ratio = source.sampleRate / target.sampleRate
    let sourceFrames = Int((Double(maximumFrames) * max(1, ratio)).rounded(.up)) + 1024
    converter = PullConverter(
      from: source, to: target.sampleRate, channelCount: target.channelCount, map: nil,
      maximumSourceFrames: sourceFrames, maximumFrames: maximumFrames, quality: quality)
    converted = PlanarBuffer(channelCount: target.channelCount, capacity: maximumFrames)
    output = BusBuffer(target, maximumFrames: maximumFrames)
    format = target.sampleFormat
    isPlanarFloat = target.isPlanarFloat
    isInterleaved = target.isInterleaved
    sampleBytes = target.bytesPerSample
    channelCount = target.channelCount
  }

  deinit { output.deallocate() }

  var latency: Double { converter.latency }

  @_noLocks
  mutating func reset() {
    converter.reset()
    pulledFrames = 0
    isFirst = true
  }

  /// [render thread] Pulls what `call` takes and hands it out in the target format.
  @_noLocks
  mutating func render(
    _ call: RenderCall, _ plan: RenderPlan, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let frames = Int(call.frameCount)
    var left = frames
    var done = 0
    while left > 0 {
      let (count, wanted) = portion(of: left)
      if wanted > 0 {
        // At another rate the source's time runs by its own frames, from where it began.
        var time = call.time.pointee
        if converter.changesRate, !isFirst { time.mSampleTime = pulledFrames }
        if !converter.changesRate { time.mSampleTime += Double(done) }
        if isFirst { pulledFrames = time.mSampleTime }
        isFirst = false
        let status = plan.pull(
          0, call.flags, &time, wanted, into: converter.source, allocates: true)
        guard status == noErr else { return status }
        pulledFrames += Double(wanted)
      }
      converter.convert(wanted, to: converted.from(done), frames: count)
      done += count
      left -= count
    }
    output.prepare(frames)
    if isPlanarFloat {
      output.point(at: converted.channels, offset: 0, frames)
    } else if isInterleaved {
      guard let target = output.data(0) else { return kAudio_ParamError }
      format.encode(
        converted.readable, channelCount: channelCount, frameCount: frames, interleaved: target)
    } else {
      for channel in 0..<channelCount {
        guard let target = output.data(channel) else { return kAudio_ParamError }
        format.encode(converted.channels[channel], count: frames, to: target, stride: sampleBytes)
      }
    }
    output.deliver(frames, to: data)
    return noErr
  }

  /// How many of the frames that are left can be made of one pull, and of how many source frames.
  @_noLocks
  private borrowing func portion(of frames: Int) -> (count: Int, wanted: Int) {
    var count = frames
    var wanted = converter.sourceFrames(for: count)
    while wanted > maximumFrames, count > 1 {
      count = max(1, count * maximumFrames / (wanted + 1))
      wanted = converter.sourceFrames(for: count)
    }
    return (count, wanted)
  }
}
