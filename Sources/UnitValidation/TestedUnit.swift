// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// An instance of the component that is validated, and a host's calls on it. It ends with its last
/// reference.
final class TestedUnit: @unchecked Sendable {
  let unit: AudioUnit
  let subject: Subject
  private var isDisposed = false

  /// A new instance.
  init(_ subject: Subject) throws {
    self.subject = subject
    var instance: AudioComponentInstance?
    try expect(AudioComponentInstanceNew(subject.component, &instance), "AudioComponentInstanceNew")
    guard let instance else { throw Fault("AudioComponentInstanceNew brings no instance") }
    unit = instance
  }

  deinit { if !isDisposed { AudioComponentInstanceDispose(unit) } }

  /// Ends it now.
  func dispose() throws {
    isDisposed = true
    try expect(AudioComponentInstanceDispose(unit), "AudioComponentInstanceDispose")
  }

  /// Allocates what rendering needs.
  ///
  /// A unit that says which package it lacks is no subject on this machine.
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
  /// Frees it.
  func uninitialize() throws { try expect(AudioUnitUninitialize(unit), "AudioUnitUninitialize") }
  /// Lets it forget its sound.
  func reset() throws {
    try expect(AudioUnitReset(unit, kAudioUnitScope_Global, 0), "AudioUnitReset")
  }

  // MARK: Properties

  /// A property of a fixed size; nil when the unit does not have it.
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

  /// A list of numbers or records; nil when the unit does not have it.
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

  /// A Core Foundation object that the caller has to release; nil when the unit has none.
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

  /// Size and writability; nil when the unit does not have the property there.
  func info(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> (size: UInt32, isWritable: Bool)? {
    var (size, isWritable) = (UInt32(0), false)
    let status = AudioUnitGetPropertyInfo(unit, id, scope, element, &size, &isWritable)
    return status == noErr ? (size, isWritable) : nil
  }

  /// What setting a property answers.
  func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> OSStatus {
    var value = value
    return AudioUnitSetProperty(unit, id, scope, element, &value, UInt32(MemoryLayout<Value>.size))
  }

  /// Sets a property to an object.
  func set(
    _ id: AudioUnitPropertyID, object: AnyObject, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> OSStatus {
    withExtendedLifetime(object) {
      set(id, Unmanaged.passUnretained(object).toOpaque(), scope, element)
    }
  }

  // MARK: What it is

  /// How many buses a scope has.
  func busCount(_ scope: AudioUnitScope) -> Int {
    Int(property(kAudioUnitProperty_ElementCount, over: UInt32(0), scope) ?? 0)
  }

  var maximumFrames: UInt32? {
    property(kAudioUnitProperty_MaximumFramesPerSlice, over: UInt32(0))
  }

  /// In seconds.
  var latency: Double { property(kAudioUnitProperty_Latency, over: 0.0) ?? 0 }

  /// In seconds; nil when the unit does not say.
  var tail: Double? { property(kAudioUnitProperty_TailTime, over: 0.0) }

  /// The stream format of a bus; nil when there is none.
  func format(_ scope: AudioUnitScope, _ bus: Int = 0) -> AudioStreamBasicDescription? {
    property(
      kAudioUnitProperty_StreamFormat, over: AudioStreamBasicDescription(), scope,
      AudioUnitElement(bus))
  }

  /// Numbers of channels that the unit accepts together; nil when it does not say.
  var channelRules: [AUChannelInfo]? {
    list(kAudioUnitProperty_SupportedNumChannels, of: AUChannelInfo())
  }

  /// What it is to its host.
  var kind: Subject.Kind {
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

/// 32-bit float, a buffer for each channel.
func floatFormat(_ rate: Double, _ channels: Int) -> AudioStreamBasicDescription {
  AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
    mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: UInt32(channels),
    mBitsPerChannel: 32, mReserved: 0)
}

extension AudioStreamBasicDescription {
  /// Whether it is 32-bit float with a buffer for each channel, in this machine's order.
  var isPlanarFloat: Bool {
    mFormatID == kAudioFormatLinearPCM && mBitsPerChannel == 32 && mBytesPerFrame == 4
      && mFormatFlags & kAudioFormatFlagIsFloat != 0
      && (mChannelsPerFrame == 1 || mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0)
  }
}
