// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// Gets buffers of a tap, and the time of the first frame of each. [a thread of the tap]
public typealias AVAudioNodeTapBlock = (_ buffer: AVAudioPCMBuffer, _ when: AVAudioTime) -> Void

/// A tap: gives a block what a bus renders, on a thread of its own.
///
/// In offline rendering, the thread that renders collects the buffers after each call, so none is
/// lost, however fast it is.
final class Tap: @unchecked Sendable {  // `state` is guarded
  /// What the program asks for.
  struct Request: Sendable {
    let bus: Int
    let bufferSize: AVAudioFrameCount
    let format: AVAudioFormat?
    let block: @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void

    init(
      _ bus: Int, _ bufferSize: AVAudioFrameCount, _ format: AVAudioFormat?,
      _ block: @escaping @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void
    ) {
      (self.bus, self.bufferSize, self.format, self.block) = (bus, bufferSize, format, block)
    }

    /// The number of frames of a buffer: as requested, between 64 frames and two seconds.
    func size(_ sampleRate: Double) -> AVAudioFrameCount {
      min(max(bufferSize, 64), max(AVAudioFrameCount(saturating: 2 * sampleRate), 64))
    }
  }

  private struct State {
    var source: TapSource?
    var recorder: TapRecorder?
    var converter: AVAudioConverter?
    /// Buffers for the block, each with what converts it to the format of the tap.
    var pending: [(part: TapRecorder.Part, converter: AVAudioConverter?)] = []
    var isEnding = false
  }

  let request: Request
  /// One change of the source at a time.
  private let control = NSRecursiveLock()
  private let state = Guarded(State())
  private let wakeUp = WakeUp()
  private let room = WakeUp()
  private let thread = Guarded<WorkerThread?>(nil)

  init(_ request: Request) { self.request = request }

  // MARK: Control

  /// Starts its thread.
  func start(_ call: String) throws {
    let thread = WorkerThread(name: "audio tap") { [self] _ in run() }
    do { try thread.start() } catch {
      throw EngineError.refusal(call, error.text, mend: "end other threads", error.status)
    }
    self.thread.withLock { $0 = thread }
  }

  /// Copies from now on what its bus of a node renders, as it is now. What was copied before remains.
  func follow(_ node: any GraphNode) {
    control.lock()
    defer { control.unlock() }
    let (old, isEnding) = state.withLock { ($0.source, $0.isEnding) }
    guard !isEnding else { return }
    // Here, because of several threads the last one must have what is in effect.
    let source = node.tapSource(request.bus)
    if let source, source == old {
      // The engine may be another one.
      state.withLock { $0.source = source }
      return wakeUp.raise()
    }
    detach()
    guard let source else { return }
    let recorder = TapRecorder(
      source.bus, source.format, size: request.size(source.format.sampleRate),
      renderFrames: source.renderFrames)
    state.withLock { state in
      (state.source, state.recorder) = (source, recorder)
      let wanted = request.format ?? source.format
      state.converter =
        wanted.hasSamples(of: source.format)
        ? nil : AVAudioConverter(from: source.format, to: wanted)
    }
    source.add(recorder)
    wakeUp.raise()
  }

  /// [under `control`] Stops copying, and makes buffers of what was copied.
  private func detach() {
    let (source, recorder) = state.withLock { ($0.source, $0.recorder) }
    guard let source, let recorder else { return }
    source.remove(recorder)
    collect(all: true)
    state.withLock { ($0.source, $0.recorder) = (nil, nil) }
  }

  /// Stops copying, passes on what was copied, and ends the thread. Called by its block, which wants no
  /// more, it drops that, and does not wait; nor longer than a few seconds for a block that hangs.
  func end() {
    let thread = thread.withLock { $0 }
    let isByBlock = thread?.isCurrent ?? false
    control.withLock {
      detach()
      state.withLock { state in
        state.isEnding = true
        if isByBlock { state.pending = [] }
      }
    }
    wakeUp.raise()
    if !isByBlock { _ = thread?.stop(within: 2) }
  }

  /// [control thread] Makes buffers of what was copied, after a call of offline rendering; waits a
  /// while if the block is far behind.
  func collectOffline() {
    collect(all: false)
    wakeUp.raise()
    let limit = 64
    guard thread.withLock({ $0?.isCurrent }) == false else { return }
    let deadline = AudioGetCurrentHostTime() + 1_000_000_000
    _ = room.lower()
    while state.withLock({ $0.pending.count }) > limit, AudioGetCurrentHostTime() < deadline {
      room.wait(until: deadline)
    }
  }

  /// Makes the thread look for frames.
  func wake() { wakeUp.raise() }

  private func collect(all: Bool) {
    state.withLock { state in
      let converter = state.converter
      state.recorder?.collect(all: all) { state.pending.append(($0, converter)) }
    }
  }

  // MARK: The thread

  private func run() {
    while true {
      collect(all: false)
      while let next = state.withLock({ $0.pending.isEmpty ? nil : $0.pending.removeFirst() }) {
        room.raise()
        deliver(next.part, next.converter)
      }
      if state.withLock({ $0.isEnding && $0.pending.isEmpty }) { return }
      wakeUp.wait(until: nextLook)
    }
  }

  /// When there may be another buffer; never if nothing renders by itself.
  private var nextLook: UInt64 {
    let source = state.withLock { $0.source }
    guard let source, source.isRendering() else { return .max }
    let seconds = Double(request.size(source.format.sampleRate)) / source.format.sampleRate
    return AudioGetCurrentHostTime() + UInt64(min(max(seconds / 4, 0.001), 0.02) * 1e9)
  }

  private func deliver(_ part: TapRecorder.Part, _ converter: AVAudioConverter?) {
    guard let converted = convert(part.buffer, converter) else { return }
    nonisolated(unsafe) let buffer = converted
    let (block, time) = (request.block, part.time)
    callProgram { block(buffer, time) }
  }

  private func convert(
    _ buffer: AVAudioPCMBuffer, _ converter: AVAudioConverter?
  ) -> AVAudioPCMBuffer? {
    guard let converter else { return buffer }
    let converted = AVAudioPCMBuffer(
      pcmFormat: converter.outputFormat, frameCapacity: max(buffer.frameLength, 1))
    guard let converted, (try? converter.convert(to: converted, from: buffer)) != nil else {
      return nil
    }
    return converted
  }
}
