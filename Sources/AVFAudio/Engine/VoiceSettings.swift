// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox

/// What a muted talker does.
public enum AVAudioVoiceProcessingSpeechActivityEvent: Int, Sendable {
  /// Speech begins.
  case started = 0
  /// Speech ends.
  case ended = 1
}

/// How other sound of the process is lowered while an engine processes voice.
public struct AVAudioVoiceProcessingOtherAudioDuckingConfiguration: Sendable {
  /// By how much.
  public enum Level: Int, Sendable {
    /// As `mid`.
    case `default` = 0
    /// They are turned down least.
    case min = 10
    /// They are turned down moderately.
    case mid = 20
    /// They are turned down most.
    case max = 30
  }

  /// Whether only while somebody speaks.
  public var enableAdvancedDucking: ObjCBool
  /// By how much.
  public var duckingLevel: Level

  /// The default: always, and moderately.
  public init() { self.init(enableAdvancedDucking: false, duckingLevel: .default) }

  /// When and how far other sound is turned down.
  public init(enableAdvancedDucking: ObjCBool, duckingLevel: Level) {
    self.enableAdvancedDucking = enableAdvancedDucking
    self.duckingLevel = duckingLevel
  }
}

/// The settings of voice processing of an engine: they hold for each unit that processes voice.
final class VoiceSettings: @unchecked Sendable {  // guarded
  /// Gets events of a muted talker. [a thread of the library]
  typealias Listener = @Sendable (AVAudioVoiceProcessingSpeechActivityEvent) -> Void

  /// The settings of a unit.
  struct Values {
    var isBypassed = false
    var followsLevel = true
    var isMuted = false
    var ducking = AVAudioVoiceProcessingOtherAudioDuckingConfiguration()
    fileprivate var listener: Listener?
  }

  private let values = Guarded(Values())
  /// Held while a unit gets the settings, so that the last of several is what it has. A lock of the
  /// library: what setting a property calls of the program, or waits for, comes after it is released.
  private let order = Lock()

  /// A setting.
  func value<Value>(_ value: KeyPath<Values, Value>) -> Value {
    values.withLock { $0[keyPath: value] }
  }

  /// Changes a setting, for the unit too if there is one that processes voice.
  func set<Value>(
    _ value: WritableKeyPath<Values, Value>, to new: Value, _ unit: () -> NodeUnit?
  ) {
    values.withLock { $0[keyPath: value] = new }
    if let unit = unit() { apply(to: unit) }
  }

  /// Sets the listener; returns whether the unit has it.
  func setListener(_ listener: Listener?, _ unit: NodeUnit) -> Bool {
    values.withLock { $0.listener = listener }
    return order.withLock { applyListener(values.withLock(\.listener), to: unit) == noErr }
  }

  /// Gives a unit the settings. Units that do not process voice do not have these properties.
  func apply(to unit: NodeUnit) {
    order.withLock { apply(values.withLock { $0 }, to: unit) }
  }

  /// [holding `order`] Gives a unit settings.
  private func apply(_ values: Values, to unit: NodeUnit) {
    let scope = kAudioUnitScope_Global
    guard
      unit.value(kAUVoiceIOProperty_BypassVoiceProcessing, scope, 0 as UInt32) != nil
    else { return }
    for (id, isOn) in [
      (kAUVoiceIOProperty_BypassVoiceProcessing, values.isBypassed),
      (kAUVoiceIOProperty_VoiceProcessingEnableAGC, values.followsLevel),
      (kAUVoiceIOProperty_MuteOutput, values.isMuted),
    ] {
      unit.set(id, scope, 0, UInt32(isOn ? 1 : 0))
    }
    var ducking = AUVoiceIOOtherAudioDuckingConfiguration()
    ducking.mEnableAdvancedDucking = values.ducking.enableAdvancedDucking.boolValue
    let level = AUVoiceIOOtherAudioDuckingLevel(
      rawValue: UInt32(values.ducking.duckingLevel.rawValue))
    if let level { ducking.mDuckingLevel = level }
    unit.set(
      kAUVoiceIOProperty_OtherAudioDuckingConfiguration, scope, 0, ducking)
    if values.listener != nil { _ = applyListener(values.listener, to: unit) }
  }

  private func applyListener(_ listener: Listener?, to unit: NodeUnit) -> OSStatus {
    guard let listener else { return setBlock(nil, of: unit) }
    let block: @convention(block) (AUVoiceIOSpeechActivityEvent) -> Void = { event in
      listener(event.rawValue == 0 ? .started : .ended)
    }
    // The unit copies the block.
    defer { withExtendedLifetime(block) {} }
    return setBlock(unsafeBitCast(block, to: UnsafeRawPointer.self), of: unit)
  }

  private func setBlock(_ block: UnsafeRawPointer?, of unit: NodeUnit) -> OSStatus {
    unit.set(
      kAUVoiceIOProperty_MutedSpeechActivityEventListener, kAudioUnitScope_Global, 0, block)
  }
}
