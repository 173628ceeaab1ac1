// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing

/// Pulls its input on its own thread, in larger pieces, so that the thread that renders it only
/// copies.
///
/// Its output is late by a pull, or by the longest slice: the thread has that much time. A pull
/// renders the unit's source: a thread that disposes of, disconnects or uninitialises a unit in use
/// by the pull waits for it as for any other render (`waitForRender`).
final class DeferredRenderer: NativeUnit, WorkerUnit, @unchecked Sendable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_DeferredRenderer, "AUDeferredRenderer")

  private let line: UnsafeMutablePointer<UnsafeMutablePointer<DeferredLine>?>
  /// Closed during a pull.
  private let pulling = RenderGate()
  private var worker: RenderWorker?
  /// The gaps that have been reported to listeners.
  private var reportedGaps = 0
  private var pullFrames = 512
  private var extraFrames = 0
  var pace = WorkSignal.Pace.unknown {
    didSet { worker?.signal.pointee.pace.store(pace, ordering: .relaxed) }
  }

  init(component: Component) {
    line = .cell(nil)
    super.init(
      component: component, parameters: [], elements: .init(inputs: 1, outputs: 1),
      format: .standard, maximumFrames: 1156)
  }

  deinit {
    releaseResources()
    line.endCell()
  }

  override var properties: [Property] { Self.rows + Self.workerRows }
  override var latency: Double {
    let frames = DeferredLine.latency(
      pull: pullFrames, extra: extraFrames, maximumFrames: maximumFrames)
    return Double(frames) / outputs[0].format.sampleRate
  }
  override var tailTime: Double? { 0 }
  override var ownMemory: Int {
    DeferredLine.memory(
      pull: pullFrames, extra: extraFrames, maximumFrames: maximumFrames,
      channelCount: outputs[0].format.channelCount)
  }

  var gaps: (count: Int, frames: Int) { line.pointee?.pointee.lateness.total ?? (0, 0) }
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
    line.pointee = .cell(
      DeferredLine(
        format, pull: pullFrames, extra: extraFrames, maximumFrames: maximumFrames, made.signal))
    (buffer, reportedGaps) = (source, 0)
    worker = made
    do throws(AudioError) { try made.start() } catch {
      releaseResources()
      throw error.of("the thread that pulls the input cannot be started")
    }
  }

  /// The memory for pulls.
  private var buffer: BusBuffer?

  override func releaseResources() {
    worker?.end()
    line.pointee?.endCell()
    line.pointee = nil
    buffer?.deallocate()
    buffer = nil
    worker = nil
  }

  // A pull is a render too.

  override var isRendering: Bool { super.isRendering || !pulling.isIdle }

  override func waitForRender() {
    super.waitForRender()
    pulling.waitUntilIdle()
  }

  // MARK: Rendering

  /// [render thread]
  override func clearHistory() { line.pointee?.pointee.forget() }

  /// [render thread]
  @_noLocks
  override func produce(
    _ call: RenderCall, _ plan: RenderPlan, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let line = line.pointee else { return kAudioUnitErr_Uninitialized }
    guard plan.hasSource(0) else { return kAudioUnitErr_NoConnection }
    return line.pointee.render(call, into: data)
  }

  /// [worker] Pulls the next block that was requested; false when there is none.
  private func pullNext(_ source: BusBuffer) -> Bool {
    guard let line = line.pointee, let request = line.pointee.next(), pulling.tryEnter() else {
      return false
    }
    defer { pulling.leave() }
    let gaps = line.pointee.lateness.total.count
    if gaps != reportedGaps { side.pointee.post(kAUDiagnosticsProperty_Xruns) }
    reportedGaps = gaps
    var answer = DeferredLine.Answer()
    answer.isSkipped = line.pointee.isOver(request)
    if !answer.isSkipped {
      rt_enter()
      rt_current().pointee.cycles += request.cycles
      pull(request, source, line.pointee.pullFrames, &answer)
      rt_current().pointee.cycles -= request.cycles
      rt_leave()
    }
    line.pointee.finish(answer, source)
    return true
  }

  /// [worker, inside the gate] Fills `source` with the input of a block.
  private func pull(
    _ request: DeferredLine.Request, _ source: BusBuffer, _ frames: Int,
    _ answer: inout DeferredLine.Answer
  ) {
    guard side.pointee.isReadyToRender else { return answer.status = kAudioUnitErr_Uninitialized }
    let silence = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    var stamp = request.stamp
    source.prepare()
    answer.status = side.pointee.plan.pull(
      0, &flags, &stamp, frames, into: source, allocates: allocatesInput)
    answer.isSilent = flags.rawValue & silence != 0
  }

  /// Whether callbacks get memory; fixed while the unit is initialised.
  private var allocatesInput: Bool { inputs[0].allocatesBuffer }

  // MARK: Properties

  /// The permitted pull sizes and latencies.
  private static let pullSizes: ClosedRange<UInt32> = 16...65_536
  private static let extraLatencies: ClosedRange<UInt32> = 0...1_048_576

  private static let rows: [Property] = [
    Rows<DeferredRenderer>.value(
      kAudioUnitProperty_DeferredRendererPullSize, in: [kAudioUnitScope_Global],
      writable: .uninitialized(.initialized), get: { unit, _ in UInt32(unit.pullFrames) },
      set: { (unit, _, frames: UInt32) throws(AudioError) in
        unit.pullFrames = try unit.latencyPart(frames, DeferredRenderer.pullSizes)
      }),
    Rows<DeferredRenderer>.value(
      kAudioUnitProperty_DeferredRendererExtraLatency, in: [kAudioUnitScope_Global],
      writable: .uninitialized(.initialized), get: { unit, _ in UInt32(unit.extraFrames) },
      set: { (unit, _, frames: UInt32) throws(AudioError) in
        unit.extraFrames = try unit.latencyPart(frames, DeferredRenderer.extraLatencies)
      }),
  ]

  private func latencyPart(_ frames: UInt32, _ range: ClosedRange<UInt32>) throws(AudioError) -> Int
  {
    guard range.contains(frames) else {
      throw .invalidPropertyValue.because(
        "\(frames) frames; expected \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(frames)
  }
}
