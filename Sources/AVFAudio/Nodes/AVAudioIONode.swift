// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
import AudioValues

/// The input or the output of an engine. Engines make them: `inputNode`, `outputNode`.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
  /// The unit of the engine that reaches the device, or takes its place in manual rendering.
  open var audioUnit: AudioUnit? { engine?.core.ioUnit }

  /// The seconds between the node and the device's connector; 0 in manual rendering.
  open var presentationLatency: TimeInterval { 0 }
}

/// What an engine plays: its last node, with one input.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
  init() { super.init(nil, inputs: 1, outputs: 1) }

  open override var presentationLatency: TimeInterval {
    engine?.core.deviceLatency(input: false) ?? 0
  }

  /// The latency of rate conversion and device.
  open override var latency: TimeInterval { engine?.core.deviceUnitLatency ?? 0 }

  // MARK: For the engine

  override var formatRule: FormatRule { .consumes }

  override func ownFormat(_ bus: AVAudioNodeBus) -> AVAudioFormat? { engine?.core.headFormat }
}
