// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// A unit and a host's calls to it; the unit is disposed of with the host.
final class Host: @unchecked Sendable {
  let unit: AudioUnit
  /// Objects that the unit calls or pulls; they live as long as the unit.
  private var retained: [AnyObject] = []
  private var isDisposed = false

  /// A new unit, uninitialised.
  init(_ component: AudioComponent?) throws {
    var instance: AudioComponentInstance?
    #expect(AudioComponentInstanceNew(try #require(component), &instance) == noErr)
    unit = try #require(instance)
  }

  convenience init(_ unit: TestUnit) throws { try self.init(unit.component) }

  deinit { if !isDisposed { _ = AudioComponentInstanceDispose(unit) } }

  /// Disposes of the unit before the host ends.
  func dispose() -> OSStatus {
    isDisposed = true
    return AudioComponentInstanceDispose(unit)
  }

  func initialize() -> OSStatus { AudioUnitInitialize(unit) }
  func uninitialize() -> OSStatus { AudioUnitUninitialize(unit) }
  func reset() -> OSStatus { AudioUnitReset(unit, kAudioUnitScope_Global, 0) }

  func retain(_ object: AnyObject) { retained.append(object) }

  // MARK: Properties

  /// Sets a property; `size` may differ from the size of the value.
  func set<Value>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, size: Int = MemoryLayout<Value>.size
  ) -> OSStatus {
    withUnsafeBytes(of: value) {
      AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32(size))
    }
  }

  /// Removes the value of a property.
  func remove(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> OSStatus { AudioUnitSetProperty(unit, id, scope, element, nil, 0) }

  /// Reads a property of a type whose bytes may all be zero.
  func get<Value>(
    _ id: AudioUnitPropertyID, as type: Value.Type,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) throws -> Value {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: MemoryLayout<Value>.size, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    var size = UInt32(memory.count)
    let address = try #require(memory.baseAddress)
    let status = AudioUnitGetProperty(unit, id, scope, element, address, &size)
    guard status == noErr else { throw Failure(status: status) }
    #expect(size == memory.count)
    return memory.load(as: Value.self)
  }

  /// The status of reading a property.
  func statusOfGetting(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> OSStatus {
    var bytes = [UInt8](repeating: 0, count: 1024)
    var size = UInt32(bytes.count)
    return AudioUnitGetProperty(unit, id, scope, element, &bytes, &size)
  }

  /// Size and writability of a property.
  func info(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) throws -> (size: UInt32, isWritable: Bool) {
    var (size, isWritable) = (UInt32(99), true)
    let status = AudioUnitGetPropertyInfo(unit, id, scope, element, &size, &isWritable)
    guard status == noErr else { throw Failure(status: status) }
    return (size, isWritable)
  }

  func setFormat(
    _ scope: AudioUnitScope, _ element: AudioUnitElement = 0, rate: Double = 44_100,
    channels: UInt32 = 2
  ) -> OSStatus {
    set(kAudioUnitProperty_StreamFormat, planarFormat(rate, channels), scope, element)
  }

  // MARK: Parameters

  func parameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) throws -> Float {
    var value: Float = -1
    let status = AudioUnitGetParameter(unit, id, scope, element, &value)
    guard status == noErr else { throw Failure(status: status) }
    return value
  }

  func setParameter(
    _ id: AudioUnitParameterID, _ value: Float, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, at offset: UInt32 = 0
  ) -> OSStatus { AudioUnitSetParameter(unit, id, scope, element, value, offset) }

  func schedule(_ events: AudioUnitParameterEvent...) -> OSStatus {
    AudioUnitScheduleParameters(unit, events, UInt32(events.count))
  }

  // MARK: Connections

  /// Feeds an input bus.
  func feed(_ callback: Callback, bus: AudioUnitElement = 0) -> OSStatus {
    retain(callback)
    return set(kAudioUnitProperty_SetRenderCallback, callback.input, kAudioUnitScope_Input, bus)
  }

  /// Connects an input bus to another unit, or disconnects it.
  func connect(
    _ source: Host?, output: UInt32 = 0, to bus: AudioUnitElement = 0
  ) -> OSStatus {
    if let source { retain(source) }
    return set(
      kAudioUnitProperty_MakeConnection,
      AudioUnitConnection(
        sourceAudioUnit: source?.unit, sourceOutputNumber: output, destInputNumber: bus),
      kAudioUnitScope_Input, bus)
  }

  // MARK: Rendering

  /// Renders into new buffers, or into the unit's own.
  func render(
    _ frames: Int, at time: Double = 0, bus: UInt32 = 0, channels: Int = 2,
    flags: AudioUnitRenderActionFlags = [], intoOwn: Bool = false
  ) -> Rendered {
    let buffers = Buffers(channels: channels, frames: frames, isEmpty: intoOwn)
    return render(frames, at: time, bus: bus, flags: flags, into: buffers)
  }

  func render(
    _ frames: Int, at time: Double = 0, bus: UInt32 = 0, flags: AudioUnitRenderActionFlags = [],
    into buffers: Buffers
  ) -> Rendered {
    var flags = flags
    var stamp = timeStamp(time)
    let status = AudioUnitRender(
      unit, &flags, &stamp, bus, UInt32(frames), buffers.list.unsafeMutablePointer)
    return Rendered(status: status, flags: flags, buffers: buffers)
  }
}

/// The failure of a call whose value a test needs.
struct Failure: Error, Equatable { var status: OSStatus }

/// The result of a render.
struct Rendered {
  var status: OSStatus
  var flags: AudioUnitRenderActionFlags
  var buffers: Buffers

  var isSilent: Bool { flags.contains(.unitRenderAction_OutputIsSilence) }
  subscript(channel: Int) -> [Float] { buffers[channel] }
}

func timeStamp(_ sampleTime: Double) -> AudioTimeStamp {
  var stamp = AudioTimeStamp()
  stamp.mSampleTime = sampleTime
  stamp.mFlags = .sampleTimeValid
  return stamp
}

func planarFormat(_ rate: Double = 44_100, _ channels: UInt32 = 2) -> AudioStreamBasicDescription {
  AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: 0x29, mBytesPerPacket: 4,
    mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: channels, mBitsPerChannel: 32,
    mReserved: 0)
}

extension AudioUnitParameterEvent {
  static func immediate(
    _ parameter: AudioUnitParameterID, _ value: Float, at offset: UInt32,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) -> Self {
    var event = Self()
    (event.scope, event.element, event.parameter) = (scope, element, parameter)
    event.eventType = .parameterEvent_Immediate
    event.eventValues.immediate.bufferOffset = offset
    event.eventValues.immediate.value = value
    return event
  }

  static func ramp(
    _ parameter: AudioUnitParameterID, from start: Float, to end: Float, at offset: Int32,
    frames: UInt32
  ) -> Self {
    var event = Self()
    event.parameter = parameter
    event.eventType = .parameterEvent_Ramped
    event.eventValues.ramp.startBufferOffset = offset
    event.eventValues.ramp.durationInFrames = frames
    event.eventValues.ramp.startValue = start
    event.eventValues.ramp.endValue = end
    return event
  }
}

/// A pointer, function or handle with the given bits; null for zero.
func fromBits<Pointer>(_ bits: UInt, _ type: Pointer.Type) -> Pointer {
  unsafeBitCast(bits, to: Pointer.self)
}
