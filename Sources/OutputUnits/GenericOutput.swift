// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import SignalProcessing

/// An output unit without a device. The program pulls at any speed and gets the input, converted
/// from the format of the input scope to that of the output scope.
final class GenericOutput: NativeUnit, @unchecked Sendable {
  private let renderer: UnsafeMutablePointer<UnsafeMutablePointer<GenericRenderer>?>
  private var isRunning = false
  /// The latency of the conversion in seconds, while the unit is initialized.
  private var conversionLatency = 0.0

  init(component: Component) {
    renderer = .cell(nil)
    super.init(
      component: component, parameters: [], elements: .init(inputs: 1, outputs: 1),
      format: .standard, maximumFrames: 1156)
    renderQuality = 64
  }

  deinit {
    releaseResources()
    renderer.endCell()
  }

  override var properties: [UnitProperty] { Self.rows }
  override var channelCapabilities: [AUChannelInfo]? { [.init(inChannels: -1, outChannels: -2)] }
  override var latency: Double { conversionLatency }
  override var hasRenderQuality: Bool { true }

  override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard format.sampleFormat.isSupported else {
      throw .formatNotSupported.because("\(element.title): \(format.text) cannot be converted")
    }
  }

  override func allocateResources() throws(AudioError) {
    let (input, output) = (inputs[0].format.sampleRate, outputs[0].format.sampleRate)
    guard RenderConversion.converts(input, to: output) else {
      throw .formatNotSupported.because(
        "\(inputs[0].title) runs at \(input) Hz, \(outputs[0].title) at \(output) Hz; rates may "
          + "differ by a factor of 256")
    }
    let made = UnsafeMutablePointer.cell(
      GenericRenderer(
        .init(
          source: inputs[0].format, sampleRate: outputs[0].format.sampleRate,
          channelCount: outputs[0].format.channelCount, map: nil,
          allocates: inputs[0].allocatesBuffer, maximumPullFrames: maximumFrames,
          maximumFrames: maximumFrames, quality: .init(renderQuality: currentQuality)),
        outputs[0].format))
    renderer.pointee = made
    conversionLatency = made.pointee.latency
  }

  override func releaseResources() {
    renderer.pointee?.endCell()
    renderer.pointee = nil
    conversionLatency = 0
  }

  /// [render thread] Clears the signal history.
  @_noLocks
  override func clearHistory() { renderer.pointee?.pointee.reset() }

  /// [render thread] Pulls and converts one render.
  @_noLocks
  override func produce(
    _ call: RenderCall, _ sources: SourceTable, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let renderer = renderer.pointee else { return kAudioUnitErr_Uninitialized }
    return renderer.pointee.render(call, sources, into: data)
  }

  // MARK: Start and stop

  override func start() throws(AudioError) { try setRunning(true) }
  override func stop() throws(AudioError) { try setRunning(false) }

  /// Running is only a flag for graphs, because the program does the rendering.
  private func setRunning(_ runs: Bool) throws(AudioError) {
    let hasChanged = try control { () throws(AudioError) -> Bool in
      guard !runs || isInitialized else {
        throw .uninitialized.because("initialize the unit before you start it")
      }
      defer { isRunning = runs }
      return isRunning != runs
    }
    guard hasChanged else { return }
    let address = PropertyAddress(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)
    if rt_current().pointee.depth > 0 {
      Notifier.shared.perform { [self] in notifyListeners(address) }
    } else {
      notifyListeners(address)
    }
  }

  override func uninitialize() throws(AudioError) {
    try stop()
    try super.uninitialize()
  }

  override func canDo(_ selector: Int) -> Bool {
    super.canDo(selector) || selector == kAudioOutputUnitStartSelect
      || selector == kAudioOutputUnitStopSelect
  }

  private static let rows = PropertyRow<GenericOutput>.rows([
    .flag(
      kAudioOutputUnitProperty_IsRunning, in: [kAudioUnitScope_Global],
      get: { unit, _ in unit.isRunning })
  ])
}
