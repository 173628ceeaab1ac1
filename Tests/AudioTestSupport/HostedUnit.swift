// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// A call of the C API that failed.
package struct CallFailure: Error, CustomStringConvertible {
  package let status: OSStatus
  package let call: String

  package var description: String { "\(call): \(status) \(lastReason())" }

  package init(status: OSStatus, call: String) {
    self.status = status
    self.call = call
  }
}

/// The reason why the last call of this thread failed.
package func lastReason() -> String {
  guard let text = AUDiagnosticsCopyLastExplanation() else { return "" }
  return "\(text.takeRetainedValue())"
}

/// Throws if a call failed.
package func check(_ status: OSStatus, _ call: String = #function) throws {
  guard status == noErr else { throw CallFailure(status: status, call: call) }
}

/// A unit of a program; disposed of at the end.
package final class HostedUnit: @unchecked Sendable {
  package let handle: AudioUnit
  private var isDisposed = false
  /// Objects that the unit calls without retaining them.
  private var retained: [AnyObject] = []

  package init(
    _ subType: OSType = kAudioUnitSubType_RemoteIO, type: OSType = kAudioUnitType_Output,
    manufacturer: OSType = kAudioUnitManufacturer_Apple,
    options: AudioComponentInstantiationOptions = []
  ) throws {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType, componentManufacturer: manufacturer,
      componentFlags: 0, componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else {
      throw CallFailure(status: kAudio_ParamError, call: "AudioComponentFindNext")
    }
    var unit: AudioUnit?
    try check(AudioComponentInstanceNew(component, options, &unit), "AudioComponentInstanceNew")
    guard let unit else { throw CallFailure(status: noErr, call: "no unit") }
    handle = unit
  }

  /// The tone generator.
  package static func tone() throws -> HostedUnit {
    try HostedUnit(
      kAudioUnitSubType_ToneGenerator, type: kAudioUnitType_Generator,
      manufacturer: kAudioUnitManufacturer_SwiftAudioToolbox)
  }

  deinit { if !isDisposed { AudioComponentInstanceDispose(handle) } }

  package func dispose() throws {
    isDisposed = true
    try check(AudioComponentInstanceDispose(handle))
  }

  package func initialize() throws { try check(AudioUnitInitialize(handle)) }
  package func uninitialize() throws { try check(AudioUnitUninitialize(handle)) }
  package func start() throws { try check(AudioOutputUnitStart(handle)) }
  package func stop() throws { try check(AudioOutputUnitStop(handle)) }

  /// The status of setting a property.
  package func setting<Value>(
    _ id: AudioUnitPropertyID, to value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> OSStatus {
    withUnsafeBytes(of: value) {
      AudioUnitSetProperty(handle, id, scope, element, $0.baseAddress, UInt32($0.count))
    }
  }

  package func set<Value>(
    _ id: AudioUnitPropertyID, to value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) throws {
    try check(setting(id, to: value, scope, element), "set property \(id)")
  }

  package func get<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, as zero: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) throws -> Value {
    var value = zero
    var size = UInt32(MemoryLayout<Value>.size)
    try check(AudioUnitGetProperty(handle, id, scope, element, &value, &size), "get property \(id)")
    return value
  }

  package func getArray<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, of zero: Value, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws -> [Value] {
    var size: UInt32 = 0
    try check(AudioUnitGetPropertyInfo(handle, id, scope, element, &size, nil), "info of \(id)")
    guard size > 0 else { return [] }
    var values = [Value](repeating: zero, count: Int(size) / MemoryLayout<Value>.stride)
    try check(AudioUnitGetProperty(handle, id, scope, element, &values, &size), "get \(id)")
    return values
  }

  package func setArray<Value>(
    _ id: AudioUnitPropertyID, to values: [Value], _ scope: AudioUnitScope,
    _ element: AudioUnitElement
  ) -> OSStatus {
    values.withUnsafeBytes {
      AudioUnitSetProperty(handle, id, scope, element, $0.baseAddress, UInt32($0.count))
    }
  }

  package func setFormat(
    _ format: AudioStreamBasicDescription, _ scope: AudioUnitScope = kAudioUnitScope_Input,
    _ element: AudioUnitElement = 0
  ) throws {
    try set(kAudioUnitProperty_StreamFormat, to: format, scope, element)
  }

  package func format(
    _ scope: AudioUnitScope = kAudioUnitScope_Input, _ element: AudioUnitElement = 0
  ) throws -> AudioStreamBasicDescription {
    try get(kAudioUnitProperty_StreamFormat, as: AudioStreamBasicDescription(), scope, element)
  }

  /// Retains an object that the unit calls.
  package func retain(_ object: AnyObject) { retained.append(object) }

  package func setCallback(_ callback: HostCallback?, bus: AudioUnitElement = 0) throws {
    if let callback { retain(callback) }
    try set(
      kAudioUnitProperty_SetRenderCallback,
      to: callback?.callbackStruct ?? AURenderCallbackStruct(),
      kAudioUnitScope_Input, bus)
  }

  package func setInputCallback(_ callback: HostCallback, element: AudioUnitElement = 0) throws {
    retain(callback)
    try set(
      kAudioOutputUnitProperty_SetInputCallback, to: callback.callbackStruct,
      kAudioUnitScope_Global, element)
  }

  package func addNotify(_ notify: HostCallback) throws {
    retain(notify)
    try check(AudioUnitAddRenderNotify(handle, HostCallback.function, notify.context))
  }

  package func connect(_ source: HostedUnit, bus: UInt32 = 0, to input: UInt32 = 0) throws {
    try set(
      kAudioUnitProperty_MakeConnection,
      to: AudioUnitConnection(
        sourceAudioUnit: source.handle, sourceOutputNumber: bus, destInputNumber: input),
      kAudioUnitScope_Input, input)
  }

  package func enable(input: Bool? = nil, output: Bool? = nil) throws {
    if let input {
      try set(
        kAudioOutputUnitProperty_EnableIO, to: UInt32(input ? 1 : 0), kAudioUnitScope_Input, 1)
    }
    if let output {
      try set(
        kAudioOutputUnitProperty_EnableIO, to: UInt32(output ? 1 : 0), kAudioUnitScope_Output, 0)
    }
  }

  package var isRunning: Bool {
    get throws { try get(kAudioOutputUnitProperty_IsRunning, as: UInt32(0)) == 1 }
  }

  /// The first render error since it was last read.
  package var lastRenderError: OSStatus {
    get throws { try get(kAudioUnitProperty_LastRenderError, as: OSStatus(0)) }
  }
}

/// The handle of a unit that exists only after the callback that uses it.
package final class UnitBox: @unchecked Sendable {
  private let bits = Atomic<UInt>(0)

  package init() {}

  /// Stores a handle.
  package func set(_ handle: AudioUnit) {
    bits.store(UInt(bitPattern: handle), ordering: .releasing)
  }

  /// The handle.
  package var handle: AudioUnit {
    AudioUnit(bitPattern: bits.load(ordering: .acquiring)).unsafelyUnwrapped
  }
}

extension AudioStreamBasicDescription {
  /// Linear PCM, by default planar Float32.
  package static func linear(
    _ sampleRate: Double, channels: UInt32 = 2, bits: UInt32 = 32, bytes: UInt32? = nil,
    flags: AudioFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
    isInterleaved: Bool = false
  ) -> Self {
    let frame = (bytes ?? bits / 8) * (isInterleaved ? channels : 1)
    return .init(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: flags | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved),
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
  }
}
