// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import Synchronization

/// Where a tap copies from: an output bus of a unit, or what a device captures.
struct TapSource: Equatable, Sendable {
  let unit: NodeUnit
  let bus: Int
  let format: AVAudioFormat
  /// The captured input, if it is that; else the unit notifies.
  private let input: InputPump?
  /// The most frames that the unit renders at once.
  let renderFrames: Int
  /// Whether frames arrive without a call of offline rendering.
  let isRendering: @Sendable () -> Bool

  init(
    _ unit: NodeUnit, _ bus: Int, _ format: AVAudioFormat, _ input: InputPump? = nil,
    isRendering: @escaping @Sendable () -> Bool
  ) {
    self.unit = unit
    self.bus = bus
    self.format = format
    self.input = input
    self.isRendering = isRendering
    let id = kAudioUnitProperty_MaximumFramesPerSlice
    renderFrames = Int(unit.value(id, kAudioUnitScope_Global, 4_096 as UInt32) ?? 4_096)
  }

  static func == (left: Self, right: Self) -> Bool {
    left.unit === right.unit && left.bus == right.bus && left.input === right.input
      && left.renderFrames == right.renderFrames && left.format.hasSamples(of: right.format)
  }

  func add(_ recorder: TapRecorder) {
    if let input { return input.add(recorder) }
    AudioUnitAddRenderNotify(
      unit.handle, TapRecorder.notification, Unmanaged.passUnretained(recorder).toOpaque())
  }

  /// On return the recorder is not used any more.
  func remove(_ recorder: TapRecorder) {
    if let input { return input.remove(recorder) }
    AudioUnitRemoveRenderNotify(
      unit.handle, TapRecorder.notification, Unmanaged.passUnretained(recorder).toOpaque())
  }
}

/// The taps of a node, one for each output bus.
final class NodeTaps: @unchecked Sendable {  // guarded
  private static let count = Atomic(0)

  /// [any thread] Whether any node of the process has a tap. An engine without taps skips its nodes.
  static var exist: Bool { count.load(ordering: .relaxed) > 0 }

  private let taps = Guarded<[Int: Tap]>([:])

  deinit { removeAll() }

  private var all: [Tap] { taps.withLock { Array($0.values) } }

  /// Installs a tap; nothing has changed if it throws.
  func install(_ request: Tap.Request, on node: any GraphNode, _ call: String) throws {
    if let format = request.format { try check(format, node, request.bus, call) }
    let tap = Tap(request)
    try taps.withLock { taps in
      guard taps[request.bus] == nil else {
        throw EngineError.refusal(
          call, "bus \(request.bus) has a tap", mend: "call removeTap(onBus:) first")
      }
      try tap.start(call)
      taps[request.bus] = tap
      Self.count.add(1, ordering: .relaxed)
    }
    tap.follow(node)
  }

  private func check(
    _ format: AVAudioFormat, _ node: any GraphNode, _ bus: Int, _ call: String
  ) throws {
    try EngineError.checkIsKnown(format, node.unknownFormat, call)
    // The unit may get its format only when the engine starts.
    let own = node.outputFormat(forBus: bus)
    let fits =
      format.sampleRate == own.sampleRate && format.channelCount > 0
      && (format.hasSamples(of: own) || AVAudioConverter(from: own, to: format) != nil)
    guard own.sampleRate > 0, !fits else { return }
    throw EngineError.refusal(
      call, "the format is \(format), that of the bus \(own)",
      mend: "pass nil, or a format of linear PCM with the rate of the bus",
      kAudioUnitErr_FormatNotSupported)
  }

  /// Removes the tap of a bus.
  func remove(_ bus: Int) {
    guard let tap = taps.withLock({ $0.removeValue(forKey: bus) }) else { return }
    Self.count.subtract(1, ordering: .relaxed)
    tap.end()
  }

  /// Removes all taps.
  func removeAll() {
    let removed = taps.withLock { taps in
      defer { taps = [:] }
      return Array(taps.values)
    }
    Self.count.subtract(removed.count, ordering: .relaxed)
    for tap in removed { tap.end() }
  }

  /// [control thread, without the engine's lock] The formats or the unit of the node may have
  /// changed.
  func follow(_ node: any GraphNode) {
    for tap in all {
      tap.follow(node)
      tap.wake()
    }
  }

  /// [control thread] The engine has started.
  func wake() { for tap in all { tap.wake() } }

  /// [control thread] A call of offline rendering has ended.
  func collectOffline() { for tap in all { tap.collectOffline() } }
}
