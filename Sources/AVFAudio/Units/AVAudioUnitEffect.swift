// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import AudioValues

/// An effect: as many frames come out as go in.
open class AVAudioUnitEffect: AVAudioUnit, @unchecked Sendable {
  /// An effect of any component of the types effect, music effect and panner. Another type, or a
  /// component that does not exist, ends the program.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(UnitRole.effect.unit(audioComponentDescription, for: "AVAudioUnitEffect"))
  }

  override init(_ unit: NodeUnit) { super.init(unit) }

  /// Whether the input passes unchanged; false at first. The change is free of clicks.
  open var bypass: Bool {
    get { own[flag: kAudioUnitProperty_BypassEffect] }
    set { own[flag: kAudioUnitProperty_BypassEffect] = newValue }
  }
}

/// An effect that changes the speed: it asks for another number of frames than it makes. So it cannot
/// process what a device captures.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
  /// An effect of any format converter. Another type, or a component that does not exist, ends the
  /// program.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(UnitRole.timeEffect.unit(audioComponentDescription, for: "AVAudioUnitTimeEffect"))
  }

  override init(_ unit: NodeUnit) { super.init(unit) }

  /// Whether the input passes unchanged, at its own speed; false at first.
  open var bypass: Bool {
    get { own[flag: kAudioUnitProperty_BypassEffect] }
    set { own[flag: kAudioUnitProperty_BypassEffect] = newValue }
  }

  // MARK: For the engine

  override var changesFrameCount: Bool { true }
}

/// A source that is not an instrument.
open class AVAudioUnitGenerator: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
  /// A source of any generator. Another type, or a component that does not exist, ends the program.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(UnitRole.generator.unit(audioComponentDescription, for: "AVAudioUnitGenerator"))
  }

  override init(_ unit: NodeUnit) { super.init(unit) }

  /// Whether the unit is bypassed; false at first.
  open var bypass: Bool {
    get { own[flag: kAudioUnitProperty_BypassEffect] }
    set { own[flag: kAudioUnitProperty_BypassEffect] = newValue }
  }

  // MARK: As a source

  /// The gain at the mixers that it reaches.
  open var volume: Float {
    get { mixing.values.volume }
    set { mixing.set(\.volume, toNumber: newValue) }
  }

  /// The position at the mixers that it reaches.
  open var pan: Float {
    get { mixing.values.pan }
    set { mixing.set(\.pan, toNumber: newValue) }
  }

  /// The values at one input of a mixer; nil if the node does not reach it.
  @discardableResult
  open func destination(
    forMixer mixer: AVAudioNode, bus: AVAudioNodeBus
  ) -> AVAudioMixingDestination? { mixing.destination(mixer, bus) }
}
