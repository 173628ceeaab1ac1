// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioDevices
internal import AudioSupport
import AudioUnitCore
package import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// The type of a recording queue's callback.
package typealias RecordingCallback =
  @Sendable (
    AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
    UnsafePointer<AudioStreamPacketDescription>?
  ) -> Void

/// A queue that records into enqueued buffers.
///
/// The render thread writes frames to a ring, which has room for at least half a second. The
/// queue's own thread reads them and encodes them into the buffers, in the order in which these
/// were enqueued. While the queue is stopped, nothing recorded remains.
final class RecordingQueue: AudioQueue, @unchecked Sendable {
  let callback: RecordingCallback
  let encoder: BufferEncoder
  // Guarded by `lock`.
  var enqueuedBuffers = FirstInFirstOut<QueueBuffer>()
  /// Whether the queue's thread is filling a buffer, which is not among `enqueuedBuffers`.
  var isFillingBuffer = false
  /// How many buffers to fill before it stops; nil: without limit.
  var buffersUntilStop: Int?
  /// Whether to return a partly filled buffer.
  var isFlushing = false
  var reportedLosses = 0
  /// The last error of the encoder.
  var encoderError: OSStatus = noErr

  let renderer: UnsafeMutablePointer<CaptureRenderer>
  // Guarded by `control`.
  private var context: UnsafeMutablePointer<CaptureContext>?
  // Accessed only by the queue's thread, or by the thread that has halted it.
  var filling: Filling?
  let staged: PlanarBuffer
  /// Frames of `staged` that are not encoded yet.
  var stagedRange = 0..<0
  /// The buffer with these frames: `staged`, or a tap's.
  var stagedSource: PlanarBuffer
  /// Encoded frames of the queue's time, and the frame of the ring at which encoding began.
  var encodedFrames = 0
  var firstFrame: Int { ringStart.load(ordering: .relaxed) }
  let ringStart = Atomic(0)

  /// A buffer that is being filled.
  struct Filling {
    let buffer: QueueBuffer
    var byteCount = 0
    var packetCount = 0
    /// The queue time, in frames, at which the buffer begins, and its host time.
    var start = 0
    var hostTime: UInt64 = 0
  }

  /// The context of the render callback.
  struct CaptureContext {
    let renderer: UnsafeMutablePointer<CaptureRenderer>
    let unit: Unmanaged<UnitInstance>
  }

  /// [control thread] Creates a queue for a format; a rate of 0 means the rate of the device.
  init(
    _ format: AudioStreamBasicDescription, on executor: any CallbackExecutor,
    _ callback: @escaping RecordingCallback
  ) throws(AudioError) {
    var format = format
    if format.mSampleRate == 0 {
      format.mSampleRate = try DeviceLink.device(nil, isInput: true).sampleRate
    }
    format = try QueueFormat.complete(format)
    // Room for the frames of two cycles.
    let device = try? DeviceLink.device(nil, isInput: true)
    let cycle = device.map { Double($0.cycleFrames) / $0.sampleRate * format.mSampleRate } ?? 0
    encoder = try BufferEncoder(format)
    self.callback = callback
    let channels = Int(format.mChannelsPerFrame)
    let rate = format.mSampleRate
    let room = max(
      Int(saturating: rate / 10), min(Int(saturating: rate * 0.75), Self.mostSamples / 8 / channels)
    )
    renderer = .cell(
      CaptureRenderer(
        channelCount: channels, sampleRate: format.mSampleRate,
        capacity: max(room, 8_192, min(Int(saturating: 2 * cycle), Self.mostSamples / channels))))
    staged = PlanarBuffer(channelCount: channels, capacity: BufferDecoder.chunk)
    stagedSource = staged
    super.init(QueueCore(encoder.format, on: executor))
  }

  deinit {
    context?.endCell()
    renderer.endCell()
    staged.deallocate()
  }

  /// The most samples of the ring.
  private static let mostSamples = 1 << 25

  override var isInput: Bool { true }
  override var converterError: OSStatus { encoderError }

  override var measuresLevels: Bool {
    get { renderer.pointee.levels.isOn.load(ordering: .relaxed) }
    set { renderer.pointee.levels.isOn.store(newValue, ordering: .relaxed) }
  }

  override func setStopping(_ isStopping: Bool) {
    renderer.pointee.isStopping.store(isStopping, ordering: .releasing)
  }

  override func levels(inDecibels: Bool) -> [AudioQueueLevelMeterState] {
    renderer.pointee.levels.states(inDecibels: inDecibels)
  }

  override var gaps: Int {
    renderer.pointee.lossCount.load(ordering: .relaxed) + lock.withLock { deviceGaps }
  }

  override var position: QueuePosition {
    var position = renderer.pointee.position
    position.frame -= ringStart.load(ordering: .relaxed)
    return position
  }

  // MARK: The device

  /// [holding `control`] Connects to the device and starts its cycles.
  func startDevice() throws(AudioError) {
    renderer.pointee.waits.store(!isPaced(try device()), ordering: .relaxed)
    let link = try makeLink()
    context?.endCell()
    let context = UnsafeMutablePointer.cell(
      CaptureContext(renderer: renderer, unit: link.unmanaged))
    self.context = context
    try start(
      link,
      .init(
        format: StreamFormat(
          sampleRate: format.mSampleRate, channelCount: Int(format.mChannelsPerFrame)),
        uid: lock.withLock { deviceUID }, channelMap: nil,
        callback: AURenderCallbackStruct(
          inputProc: { context, _, stamp, _, frames, _ in
            capture(
              context.assumingMemoryBound(to: CaptureContext.self), stamp, Int(frames))
          }, inputProcRefCon: context)))
  }

  // MARK: Running

  package override func enqueue(
    _ buffer: AudioQueueBufferRef,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>, options: BufferOptions?
  ) throws(AudioError) -> Int {
    guard options == nil else {
      throw .queueType.because("buffers of a recording queue cannot have parameters")
    }
    try append(buffer)
    return 0
  }
  package override func start(at time: AudioTimeStamp?) throws(AudioError) { try begin(at: time) }
  package override func stop(immediately: Bool) throws(AudioError) {
    if immediately { try stopNow() } else { stopWhenFilled() }
  }
  package override func pause() throws(AudioError) { try halt() }
  package override func flush() throws(AudioError) {
    lock.withLock {
      isFlushing = state.isActive
      lock.signal()
    }
  }
  package override func reset() throws(AudioError) {
    try access.controlling { () throws(AudioError) in try returnAllBuffers(keepsSound: false) }
  }

  override func run() { fillUntilDisposal() }
  override func dropBuffers() { enqueuedBuffers.removeAll() }
}

/// [render thread] Reads the frames that the unit of a queue has captured.
@_noLocks
private func capture(
  _ context: UnsafeMutablePointer<RecordingQueue.CaptureContext>,
  _ stamp: UnsafePointer<AudioTimeStamp>, _ frames: Int
) -> OSStatus {
  context.pointee.renderer.pointee.capture(frames, from: context.pointee.unit, at: stamp)
}
