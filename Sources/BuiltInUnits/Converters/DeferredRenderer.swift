// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing

/// Pulls its input on its own thread, in larger blocks, so that the render thread only copies.
///
/// The output is delayed by the length of a pull or of the longest slice, whichever is longer: the
/// pulling thread has that much time. A pull renders the unit's source: a thread that disposes of,
/// disconnects or uninitialises a unit in use by the pull waits for it as for any other render
/// (`waitForRender`).
final class DeferredRenderer: NativeUnit, WorkerUnit, @unchecked Sendable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_DeferredRenderer, "AUDeferredRenderer")

  private let queue: UnsafeMutablePointer<UnsafeMutablePointer<DeferredQueue>?>
  /// Closed during a pull.
  private let pulling = RenderGate()
  private var worker: RenderWorker?
  /// The number of gaps that have been reported to listeners.
  private var reportedGaps = 0
  /// The size of a pull that the program set.
  private var chosenPullFrames: Int?
  /// The size of a pull. By default it is no larger than a slice, for which the input may be made.
  private var pullFrames: Int { chosenPullFrames ?? min(512, maximumFrames) }
  private var extraFrames = 0
  var pace = WorkSignal.Pace.unknown {
    didSet { worker?.signal.pointee.pace.store(pace, ordering: .relaxed) }
  }

  init(component: Component) {
    queue = .cell(nil)
    super.init(
      component: component, parameters: [], elements: .init(inputs: 1, outputs: 1),
      format: .standard, maximumFrames: 1156)
  }

  deinit {
    releaseResources()
    queue.endCell()
  }

  override var properties: [UnitProperty] { Self.rows + Self.workerRows }
  override var latency: Double {
    let frames = DeferredQueue.latency(
      pull: pullFrames, extra: extraFrames, maximumFrames: maximumFrames)
    return Double(frames) / outputs[0].format.sampleRate
  }
  override var tailTime: Double? { 0 }
  override var ownMemory: Int {
    DeferredQueue.memory(
      pull: pullFrames, extra: extraFrames, maximumFrames: maximumFrames,
      channelCount: outputs[0].format.channelCount)
  }

  var gaps: (count: Int, frames: Int) { queue.pointee?.pointee.lateness.total ?? (0, 0) }
  var advice: String {
    "its input was not rendered in time. A larger kAudioUnitProperty_DeferredRendererExtraLatency, "
      + "now "
      + "\(extraFrames) frames, gives it more time"
  }

  // MARK: Life

  override func checkFormats() throws(AudioError) {
    try super.checkFormats()
    let (input, output) = (inputs[0].format.sampleRate, outputs[0].format.sampleRate)
    guard input == output else {
      throw .formatNotSupported.because(
        "\(inputs[0].title) runs at \(input) Hz, \(outputs[0].title) at \(output) Hz; this unit "
          + "does "
          + "not convert rates")
    }
  }

  override func allocateResources() throws(AudioError) {
    let format = outputs[0].format
    let source = BusBuffer(inputs[0].format, maximumFrames: pullFrames)
    let made = RenderWorker(
      "audio-deferred", pause: Double(pullFrames) / format.sampleRate / 8
    ) { [unowned self] in pullNext(source) }
    made.signal.pointee.pace.store(pace, ordering: .relaxed)
    queue.pointee = .cell(
      DeferredQueue(
        format, pull: pullFrames, extra: extraFrames, maximumFrames: maximumFrames, made.signal))
    (buffer, reportedGaps) = (source, 0)
    worker = made
    do throws(AudioError) { try made.start() } catch {
      releaseResources()
      throw error.of("the thread that pulls the input cannot be started")
    }
  }

  /// The buffer that a pull writes to.
  private var buffer: BusBuffer?

  override func releaseResources() {
    worker?.end()
    queue.pointee?.endCell()
    queue.pointee = nil
    buffer?.deallocate()
    buffer = nil
    worker = nil
  }

  // A pull also counts as a render.

  override var isRendering: Bool { super.isRendering || !pulling.isIdle }

  override func waitForRender() {
    super.waitForRender()
    pulling.waitUntilIdle()
  }

  // MARK: Rendering

  /// [render thread]
  override func clearHistory() { queue.pointee?.pointee.reset() }

  /// [render thread]
  @_noLocks
  override func produce(
    _ call: RenderCall, _ sources: SourceTable, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let queue = queue.pointee else { return kAudioUnitErr_Uninitialized }
    guard sources.hasSource(0) else { return kAudioUnitErr_NoConnection }
    return queue.pointee.render(call, into: data)
  }

  /// [worker] Pulls the next block that was requested; false when there is none.
  private func pullNext(_ source: BusBuffer) -> Bool {
    guard let queue = queue.pointee, let request = queue.pointee.next(), pulling.tryEnter() else {
      return false
    }
    defer { pulling.leave() }
    let gaps = queue.pointee.lateness.total.count
    if gaps != reportedGaps { side.pointee.post(kAUDiagnosticsProperty_Xruns) }
    reportedGaps = gaps
    var result = DeferredQueue.PullResult()
    result.isSkipped = queue.pointee.isTooLate(request)
    if !result.isSkipped {
      rt_enter()
      rt_current().pointee.cycles += request.cycles
      pull(request, source, queue.pointee.pullFrames, &result)
      rt_current().pointee.cycles -= request.cycles
      rt_leave()
    }
    queue.pointee.finish(result, source)
    return true
  }

  /// [worker, inside the gate] Fills `source` with the input of a block.
  private func pull(
    _ request: DeferredQueue.Request, _ source: BusBuffer, _ frames: Int,
    _ result: inout DeferredQueue.PullResult
  ) {
    guard side.pointee.isReadyToRender else { return result.status = kAudioUnitErr_Uninitialized }
    let silence = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    var stamp = request.stamp
    source.prepare()
    result.status = side.pointee.sourceTable.pull(
      0, &flags, &stamp, frames, into: source, allocates: allocatesInput)
    result.isSilent = flags.rawValue & silence != 0
  }

  /// Whether input callbacks are given memory; fixed while the unit is initialised.
  private var allocatesInput: Bool { inputs[0].allocatesBuffer }

  // MARK: Properties

  /// The permitted pull sizes and latencies.
  private static let pullSizes: ClosedRange<UInt32> = 16...65_536
  private static let extraLatencies: ClosedRange<UInt32> = 0...1_048_576

  private static let rows = PropertyRow<DeferredRenderer>.rows([
    .value(
      kAudioUnitProperty_DeferredRendererPullSize, in: [kAudioUnitScope_Global],
      writable: .uninitialized(.initialized),
      get: { unit, _ in UInt32(clamping: unit.pullFrames) },
      set: { (unit, _, frames: UInt32) throws(AudioError) in
        unit.chosenPullFrames = try unit.validFrames(frames, DeferredRenderer.pullSizes)
      }),
    .value(
      kAudioUnitProperty_DeferredRendererExtraLatency, in: [kAudioUnitScope_Global],
      writable: .uninitialized(.initialized),
      get: { unit, _ in UInt32(clamping: unit.extraFrames) },
      set: { (unit, _, frames: UInt32) throws(AudioError) in
        unit.extraFrames = try unit.validFrames(frames, DeferredRenderer.extraLatencies)
      }),
  ])

  private func validFrames(_ frames: UInt32, _ range: ClosedRange<UInt32>) throws(AudioError) -> Int
  {
    guard range.contains(frames) else {
      throw .invalidPropertyValue.because(
        "\(frames) frames; expected \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(frames)
  }
}
