// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import AudioValues

/// The position of a source between left and right.
public protocol AVAudioStereoMixing: NSObjectProtocol {
  /// From -1 (left) to 1 (right); initially 0.
  var pan: Float { get set }
}

/// How a source sounds in the mixers that it reaches: the next mixer on each path from it.
///
/// Values may be set at any time, also before the node is connected; they hold for current and
/// later connections.
public protocol AVAudioMixing: AVAudioStereoMixing, AVAudio3DMixing {
  /// The values at one input of a mixer; nil if the source does not reach it.
  func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination?

  /// The gain: from 0 to 1, or more to amplify; initially 1.
  var volume: Float { get set }
}

/// The values of a source at one input of a mixer. They hold until the source's are set again, or
/// until the source is disconnected from the mixer. A value that is not a number changes nothing.
open class AVAudioMixingDestination: NSObject, AVAudioMixing, @unchecked Sendable {
  let source: MixingSource
  let target: MixingSource.Target

  init(_ source: MixingSource, _ target: MixingSource.Target) {
    self.source = source
    self.target = target
  }

  /// The input of the mixer.
  open var connectionPoint: AVAudioConnectionPoint {
    AVAudioConnectionPoint(target.mixer as? AVAudioNode, target.bus)
  }

  final var values: MixingValues { source.values(at: target) ?? source.values }

  /// The gain of the source at this input.
  open var volume: Float {
    get { values.volume }
    set { if newValue.isFinite { source.set(\.volume, to: newValue, at: target) } }
  }

  /// The position of the source at this input.
  open var pan: Float {
    get { values.pan }
    set { if newValue.isFinite { source.set(\.pan, to: newValue, at: target) } }
  }

  /// Itself, if the mixer and the bus are its own.
  @discardableResult
  open func destination(
    forMixer mixer: AVAudioNode, bus: AVAudioNodeBus
  ) -> AVAudioMixingDestination? {
    target == .init(mixer: mixer, bus: bus) ? self : nil
  }
}
