// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import AudioValues

/// The input or the output of an engine. Engines make them: `inputNode`, `outputNode`.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
  /// The unit of the engine that reaches the device, or takes its place in manual rendering.
  open var audioUnit: AudioUnit? { engine?.core.queries.head.handle }

  open override var auAudioUnit: AUAudioUnit {
    engine?.core.queries.head.object ?? super.auAudioUnit
  }

  /// The seconds between the node and the connector of the device; 0 in manual rendering.
  open var presentationLatency: TimeInterval {
    engine?.core.queries.deviceLatency(input: role.isInput) ?? 0
  }

  /// Whether the echo of what the device plays is removed from what it captures.
  open var isVoiceProcessingEnabled: Bool { engine?.core.io.processesVoice ?? false }

  /// Switches voice processing on or off, for the input and the output node together. Throws while
  /// the engine runs, and in manual rendering.
  open func setVoiceProcessingEnabled(_ enabled: Bool) throws {
    let call = "AVAudioIONode.setVoiceProcessingEnabled(_:)"
    guard let engine else {
      throw EngineError.refusal(call, "the engine no longer exists", mend: "keep it")
    }
    try engine.core.setProcessesVoice(enabled, call)
  }

  // MARK: For the engine

  override var unknownFormat: UnknownFormat? {
    guard ownFormat(0) == nil, let core = engine?.core else { return nil }
    guard !core.manual.isOn else {
      return UnknownFormat(
        reason: "the input of manual rendering has none yet",
        mend: "call setManualRenderingInputPCMFormat(_:inputBlock:) first")
    }
    return UnknownFormat(
      reason: core.io.missingDevice(input: role.isInput),
      mend: "connect one, enable manual rendering first, or pass nil")
  }
}

/// What an engine plays: its last node.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
  /// Its only output is the device, which programs ask for its format and tap.
  init() { super.init(nil, inputs: 1, outputs: 1) }

  /// The latency of rate conversion and device.
  open override var latency: TimeInterval { engine?.core.queries.headLatency ?? 0 }

  // MARK: For the engine

  override var role: NodeRole { .output }
  override var formatRule: FormatRule { .consumes }

  override func ownFormat(_ bus: AVAudioNodeBus) -> AVAudioFormat? {
    engine?.core.queries.headFormat
  }

  override func tapSource(_ bus: AVAudioNodeBus) -> TapSource? {
    guard let core = engine?.core else { return nil }
    let unit = core.queries.head
    guard let format = unit.format(kAudioUnitScope_Output, 0) else { return nil }
    return TapSource(unit, bus, format) { [weak core] in core?.rendersByItself ?? false }
  }
}
