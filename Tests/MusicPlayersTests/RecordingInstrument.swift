// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization
import Testing

/// An instrument of a program that notes what it receives, with the frame since its start, and renders
/// silence.
struct RecordingInstrument {
  /// What it has received, as texts: "480: 144 60 100".
  static let received = Mutex<[OSType: [String]]>([:])

  /// How many events each takes between two renders; any number if it is not here.
  static let limits = Mutex<[OSType: Int]>([:])

  private var interface: AudioComponentPlugInInterface
  private var waiting = 0
  private let subType: OSType
  private var frames = 0
  private var noteCount: UInt32 = 0

  private typealias Instance = UnsafeMutablePointer<RecordingInstrument>

  /// Registers an instrument with codes of its own.
  static func register(_ subType: OSType) -> AudioComponentDescription {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_MusicDevice, componentSubType: subType,
      componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)
    _ = AudioComponentRegister(&description, "Tests: Recorder" as CFString, 1, factory)
    return description
  }

  /// What an instrument has received since the last call.
  static func take(_ subType: OSType) -> [String] {
    received.withLock { received in received.updateValue([], forKey: subType) ?? [] }
  }

  private static func note(_ plugIn: UnsafeMutableRawPointer, _ offset: UInt32, _ text: String) {
    let instance = plugIn.assumingMemoryBound(to: RecordingInstrument.self)
    let frame = instance.pointee.frames + Int(offset)
    let subType = instance.pointee.subType
    received.withLock { $0[subType, default: []].append("\(frame): \(text)") }
  }

  /// Whether there is room for an event between two renders.
  private static func takes(_ plugIn: UnsafeMutableRawPointer) -> Bool {
    let instance = plugIn.assumingMemoryBound(to: RecordingInstrument.self)
    guard let limit = limits.withLock({ $0[instance.pointee.subType] }) else { return true }
    instance.pointee.waiting += 1
    return instance.pointee.waiting <= limit
  }

  private static let factory: AudioComponentFactoryFunction = { description in
    let memory = Instance.allocate(capacity: 1)
    let interface = AudioComponentPlugInInterface(
      Open: { _, _ in noErr },
      Close: { plugIn in
        plugIn.assumingMemoryBound(to: RecordingInstrument.self).deinitialize(count: 1)
          .deallocate()
        return noErr
      },
      Lookup: { RecordingInstrument.method(Int($0)) }, reserved: nil)
    memory.initialize(
      to: RecordingInstrument(
        interface: interface, subType: description.pointee.componentSubType))
    return UnsafeMutableRawPointer(memory).assumingMemoryBound(
      to: AudioComponentPlugInInterface.self)
  }

  private static func method(_ selector: Int) -> AudioComponentMethod? {
    func pointer<Method>(_ method: Method) -> AudioComponentMethod? {
      unsafeBitCast(method, to: AudioComponentMethod?.self)
    }
    return switch selector {
    case kAudioUnitInitializeSelect: pointer(initialize)
    case kAudioUnitUninitializeSelect: pointer(uninitialize)
    case kAudioUnitGetPropertySelect: pointer(getProperty)
    case kAudioUnitSetPropertySelect: pointer(setProperty)
    case kAudioUnitSetParameterSelect: pointer(setParameter)
    case kAudioUnitScheduleParametersSelect: pointer(schedule)
    case kAudioUnitRenderSelect: pointer(render)
    case kMusicDeviceMIDIEventSelect: pointer(midiEvent)
    case kMusicDeviceSysExSelect: pointer(sysEx)
    case kMusicDeviceStartNoteSelect: pointer(startNote)
    case kMusicDeviceStopNoteSelect: pointer(stopNote)
    default: nil
    }
  }

  /// As many zeros as a slice may have.
  private static nonisolated(unsafe) let silence: UnsafeMutableRawPointer = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4 * 4_096, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 4 * 4_096)
    return memory
  }()

  private static let initialize: AudioUnitInitializeProc = { _ in noErr }
  private static let uninitialize: AudioUnitUninitializeProc = { _ in noErr }

  private static let getProperty: AudioUnitGetPropertyProc = { _, id, scope, _, data, size in
    switch id {
    case kAudioUnitProperty_ElementCount:
      data.storeBytes(of: scope == kAudioUnitScope_Input ? 0 : 1, as: UInt32.self)
      size.pointee = 4
    case kAudioUnitProperty_MaximumFramesPerSlice:
      data.storeBytes(of: 4_096, as: UInt32.self)
      size.pointee = 4
    case kAudioUnitProperty_StreamFormat:
      data.storeBytes(of: format, as: AudioStreamBasicDescription.self)
      size.pointee = 40
    default: return kAudioUnitErr_InvalidProperty
    }
    return noErr
  }

  /// Deinterleaved stereo at 48,000 Hz.
  static var format: AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 32, mReserved: 0)
  }

  private static let setProperty: AudioUnitSetPropertyProc = { plugIn, id, scope, _, data, size in
    switch id {
    case kAudioUnitProperty_StreamFormat, kAudioUnitProperty_MaximumFramesPerSlice: return noErr
    case kAudioUnitProperty_ClassInfo:
      note(plugIn, 0, "preset")
      return noErr
    default: return kAudioUnitErr_InvalidProperty
    }
  }

  private static let setParameter: AudioUnitSetParameterProc = {
    plugIn, id, scope, element, value, offset in
    note(plugIn, offset, "parameter \(id) = \(value)")
    return noErr
  }

  private static let schedule: AudioUnitScheduleParametersProc = { plugIn, events, count in
    for index in 0..<Int(count) {
      let event = events[index]
      let ramp = event.eventValues.ramp
      note(
        plugIn, UInt32(clamping: ramp.startBufferOffset),
        "ramp \(event.parameter) from \(ramp.startValue) to \(ramp.endValue) in "
          + "\(ramp.durationInFrames)")
    }
    return noErr
  }

  private static let midiEvent: MusicDeviceMIDIEventProc = { plugIn, status, data1, data2, offset in
    guard takes(plugIn) else { return kAudioUnitErr_CannotDoInCurrentContext }
    note(plugIn, offset, "\(status) \(data1) \(data2)")
    return noErr
  }

  private static let sysEx: MusicDeviceSysExProc = { plugIn, bytes, count in
    guard takes(plugIn) else { return kAudioUnitErr_CannotDoInCurrentContext }
    note(plugIn, 0, "exclusive \(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))")
    return noErr
  }

  private static let startNote: MusicDeviceStartNoteProc = {
    plugIn, instrument, group, id, offset, parameters in
    let instance = plugIn.assumingMemoryBound(to: RecordingInstrument.self)
    instance.pointee.noteCount += 1
    id.pointee = instance.pointee.noteCount
    note(
      plugIn, offset,
      "start \(id.pointee): \(parameters.pointee.mPitch) at \(parameters.pointee.mVelocity) in \(group)"
    )
    return noErr
  }

  private static let stopNote: MusicDeviceStopNoteProc = { plugIn, group, id, offset in
    note(plugIn, offset, "stop \(id) in \(group)")
    return noErr
  }

  private static let render: AudioUnitRenderProc = { plugIn, _, _, _, frames, data in
    let instance = plugIn.assumingMemoryBound(to: RecordingInstrument.self)
    instance.pointee.frames += Int(frames)
    instance.pointee.waiting = 0
    let list = UnsafeMutableAudioBufferListPointer(data)
    for index in list.indices {
      list[index].mData = silence
      list[index].mDataByteSize = 4 * frames
    }
    return noErr
  }
}
