// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// An instance of the validated component, with the calls of a host. It is disposed of with its
/// last reference.
final class TestedUnit: @unchecked Sendable {
  let unit: AudioUnit
  let subject: TestedComponent
  private var isDisposed = false

  /// Makes an instance.
  init(_ subject: TestedComponent) throws {
    self.subject = subject
    var instance: AudioComponentInstance?
    try expect(AudioComponentInstanceNew(subject.component, &instance), "AudioComponentInstanceNew")
    guard let instance else { throw Fault("AudioComponentInstanceNew brings no instance") }
    unit = instance
  }

  deinit { if !isDisposed { AudioComponentInstanceDispose(unit) } }

  /// Disposes of it now.
  func dispose() throws {
    isDisposed = true
    try expect(AudioComponentInstanceDispose(unit), "AudioComponentInstanceDispose")
  }

  /// Initialises the unit.
  ///
  /// A unit that reports a missing package cannot be tested on this machine.
  func initialize() throws {
    let status = AudioUnitInitialize(unit)
    if status == kAudioUnitErr_FailedInitialization,
      let text = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue(),
      "\(text)".contains("(package ")
    {
      throw Skip("something is not installed: \(text)")
    }
    try expect(status, "AudioUnitInitialize")
  }
  /// Uninitialises the unit.
  func uninitialize() throws { try expect(AudioUnitUninitialize(unit), "AudioUnitUninitialize") }
  /// Resets the unit.
  func reset() throws {
    try expect(AudioUnitReset(unit, kAudioUnitScope_Global, 0), "AudioUnitReset")
  }

  // MARK: Properties

  /// A property of a fixed size; nil if the unit does not have it.
  func property<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, over value: Value,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) -> Value? {
    var value = value
    var size = UInt32(MemoryLayout<Value>.size)
    guard AudioUnitGetProperty(unit, id, scope, element, &value, &size) == noErr,
      size == MemoryLayout<Value>.size
    else { return nil }
    return value
  }

  /// An array property; nil if the unit does not have it.
  func list<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, of value: Value,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) -> [Value]? {
    guard let info = info(id, scope, element) else { return nil }
    guard info.size > 0 else { return [] }
    var values = [Value](repeating: value, count: Int(info.size) / MemoryLayout<Value>.size)
    var size = UInt32(values.count * MemoryLayout<Value>.size)
    guard AudioUnitGetProperty(unit, id, scope, element, &values, &size) == noErr else {
      return nil
    }
    return Array(values.prefix(Int(size) / MemoryLayout<Value>.size))
  }

  /// A property that is a Core Foundation object; nil if the unit does not have it.
  func object(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> AnyObject? {
    var object: Unmanaged<AnyObject>?
    var size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
    guard AudioUnitGetProperty(unit, id, scope, element, &object, &size) == noErr else {
      return nil
    }
    return object?.takeRetainedValue()
  }

  /// Size and writability; nil if the unit does not have the property at this address.
  func info(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> (size: UInt32, isWritable: Bool)? {
    var (size, isWritable) = (UInt32(0), false)
    let status = AudioUnitGetPropertyInfo(unit, id, scope, element, &size, &isWritable)
    return status == noErr ? (size, isWritable) : nil
  }

  /// Sets a property and returns the status.
  func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> OSStatus {
    var value = value
    return AudioUnitSetProperty(unit, id, scope, element, &value, UInt32(MemoryLayout<Value>.size))
  }

  /// Sets a property to an object and returns the status.
  func set(
    _ id: AudioUnitPropertyID, object: AnyObject, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> OSStatus {
    withExtendedLifetime(object) {
      set(id, Unmanaged.passUnretained(object).toOpaque(), scope, element)
    }
  }

  // MARK: Buses, formats and kind

  /// The number of buses of a scope.
  func busCount(_ scope: AudioUnitScope) -> Int {
    Int(property(kAudioUnitProperty_ElementCount, over: UInt32(0), scope) ?? 0)
  }

  var maximumFrames: UInt32? {
    property(kAudioUnitProperty_MaximumFramesPerSlice, over: UInt32(0))
  }

  /// In seconds.
  var latency: Double { property(kAudioUnitProperty_Latency, over: 0.0) ?? 0 }

  /// In seconds; nil if the unit does not report it.
  var tail: Double? { property(kAudioUnitProperty_TailTime, over: 0.0) }

  /// The stream format of a bus; nil if the bus does not exist.
  func format(_ scope: AudioUnitScope, _ bus: Int = 0) -> AudioStreamBasicDescription? {
    property(
      kAudioUnitProperty_StreamFormat, over: AudioStreamBasicDescription(), scope,
      AudioUnitElement(bus))
  }

  /// The supported pairs of channel counts; nil if the unit does not report any.
  var channelRules: [AUChannelInfo]? {
    list(kAudioUnitProperty_SupportedNumChannels, of: AUChannelInfo())
  }

  /// The role of the unit in its host.
  var kind: TestedComponent.Kind {
    if info(kAudioOutputUnitProperty_CurrentDevice) != nil { return .device }
    let (inputs, outputs) = (busCount(kAudioUnitScope_Input), busCount(kAudioUnitScope_Output))
    if inputs == 0 { return .generator }
    if [kAudioUnitType_FormatConverter, kAudioUnitType_OfflineEffect, kAudioUnitType_Output]
      .contains(subject.description.componentType), outputs == 1, inputs == 1
    {
      return .converter
    }
    return inputs == 1 && outputs == 1 && subject.description.componentType != kAudioUnitType_Mixer
      ? .effect : .mixer
  }
}

/// 32-bit float, one buffer per channel.
func floatFormat(_ rate: Double, _ channels: Int) -> AudioStreamBasicDescription {
  AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
    mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: UInt32(channels),
    mBitsPerChannel: 32, mReserved: 0)
}

extension AudioStreamBasicDescription {
  /// Whether it is native-endian 32-bit float with one buffer per channel.
  var isPlanarFloat: Bool {
    mFormatID == kAudioFormatLinearPCM && mBitsPerChannel == 32 && mBytesPerFrame == 4
      && mFormatFlags & kAudioFormatFlagIsFloat != 0
      && (mChannelsPerFrame == 1 || mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0)
  }
}
