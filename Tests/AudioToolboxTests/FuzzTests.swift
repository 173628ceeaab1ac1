// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Testing

/// Random calls of the C functions on every built-in unit, with scopes, elements, sizes and handles
/// that no correct program would pass.
///
/// Every call must return, write only within the offered memory, and render no NaN; afterwards a
/// new unit must work. `make fuzz` runs more rounds; a failure names its round.
@Suite("Fuzz: random calls")
struct FuzzTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 150

  @Test("leave every unit responsive, and a new unit working", arguments: BuiltIn.all)
  func calls(unit: BuiltIn) throws {
    // The number of rounds is shared among all units.
    for round in 0..<max(4, Self.rounds * 8 / BuiltIn.all.count) {
      let caller = RandomCaller(round: UInt64(round), unit)
      bounded("round \(round) of \(unit)") {
        for _ in 0..<60 { caller.call() }
        caller.finish()
      }
      #expect(caller.complaints.isEmpty, "round \(round): \(caller.complaints)")
      if !caller.complaints.isEmpty { return }
    }
    let fresh = try unit.instance()
    #expect(AudioUnitInitialize(fresh.unit) == noErr)
  }
}

/// Calls functions with random arguments; the same round makes the same calls.
private final class RandomCaller {
  private(set) var complaints: [String] = []
  private var random: UInt64
  private let main: BuiltIn
  /// Valid handles, and disposed ones.
  private var units: [AudioUnit] = []
  private var disposed: [AudioUnit] = []
  private let memory: UnsafeMutablePointer<Float>
  private static let capacity = 8 * 6_000

  init(round: UInt64, _ unit: BuiltIn) {
    random = (round + 1) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(unit.subType) << 20
    main = unit
    memory = .allocate(capacity: Self.capacity)
    memory.initialize(repeating: 0.25, count: Self.capacity)
    make(unit)
    make(pick(BuiltIn.all))
  }

  deinit { memory.deallocate() }

  /// Disposes of every unit; that must succeed for each valid handle.
  func finish() {
    for unit in units {
      let status = AudioComponentInstanceDispose(unit)
      if status != noErr { complain("dispose \(status)") }
    }
    units = []
  }

  private func complain(_ text: String) { complaints.append(text) }

  // MARK: Choices

  private func next() -> UInt64 {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random &* 0x2545_f491_4f6c_dd1d >> 11
  }

  private func pick<Element>(_ all: [Element]) -> Element { all[Int(next() % UInt64(all.count))] }

  private func make(_ kind: BuiltIn) {
    if let unit = try? Instance.raw(kind.type, kind.subType, kind.manufacturer) {
      units.append(unit)
    }
  }

  /// Usually a valid handle.
  private func handle() -> AudioUnit {
    switch next() % 16 {
    case 0 where !disposed.isEmpty: return pick(disposed)
    case 1:
      if let foreign = AudioUnit(bitPattern: UInt(next() | 1)) { return foreign }
      return units[0]
    default: return units.isEmpty ? pick(disposed) : pick(units)
    }
  }

  private func scope() -> AudioUnitScope {
    pick([0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4, 7, 99, .max])
  }
  private func element() -> AudioUnitElement {
    pick([0, 0, 0, 0, 0, 1, 2, 7, 63, 1_000_000, .max])
  }
  private func number() -> Float {
    pick([
      0, 0.5, 1, -1, 20, 100, 440, 12_000, 1e9, -1e9, 3e38, -3e38, .leastNonzeroMagnitude, .nan,
      .infinity,
      -.infinity,
    ])
  }
  private func parameter() -> AudioUnitParameterID {
    pick([0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 10, 15, 1000, 2000, 2003, 3001, 4002, 10_000, .max])
  }
  private func frames() -> UInt32 { pick([0, 1, 7, 64, 512, 512, 1156, 1157, 4096, 5000, .max]) }

  // MARK: Calls

  func call() {
    switch next() % 20 {
    case 0: createOrDispose()
    case 1: _ = AudioUnitInitialize(handle())
    case 2: _ = AudioUnitUninitialize(handle())
    case 3: _ = AudioUnitReset(handle(), scope(), element())
    case 4, 5: getProperty()
    case 6, 7, 8, 9: setProperty()
    case 10, 11: setParameter()
    case 12: getParameter()
    case 13: schedule()
    case 14: listen()
    case 15: process()
    case 16: processMultiple()
    default: render()
    }
  }

  private func createOrDispose() {
    if units.count < 4 {
      make(next() % 2 == 0 ? main : pick(BuiltIn.all))
    } else {
      let unit = units.remove(at: Int(next() % UInt64(units.count)))
      if AudioComponentInstanceDispose(unit) != noErr { complain("dispose refused") }
      disposed.append(unit)
    }
    // A second disposal must be refused.
    if let last = disposed.last, AudioComponentInstanceDispose(last) == noErr {
      complain("disposed of twice")
    }
  }

  private func setParameter() {
    let value = number()
    let status = AudioUnitSetParameter(
      handle(), parameter(), scope(), element(), value, pick([0, 0, 0, 1, 100, 5_000, .max]))
    if status == noErr, !value.isFinite { complain("accepted \(value)") }
  }

  private func getParameter() {
    var value: Float = 77
    let status = AudioUnitGetParameter(handle(), parameter(), scope(), element(), &value)
    if status == noErr, !value.isFinite { complain("has \(value)") }
  }

  private func schedule() {
    let events = (0..<Int(next() % 5)).map { _ in
      var event = AudioUnitParameterEvent()
      event.scope = scope()
      event.element = element()
      event.parameter = parameter()
      event.eventType = pick([.parameterEvent_Immediate, .parameterEvent_Ramped])
      if event.eventType == .parameterEvent_Ramped {
        event.eventValues.ramp.startBufferOffset = pick([0, 10, -10, 1_000, .min, .max])
        event.eventValues.ramp.durationInFrames = pick([0, 1, 100, 100_000, .max])
        event.eventValues.ramp.startValue = number()
        event.eventValues.ramp.endValue = number()
      } else {
        event.eventValues.immediate.bufferOffset = pick([0, 1, 500, .max])
        event.eventValues.immediate.value = number()
      }
      return event
    }
    events.withUnsafeBufferPointer {
      if let base = $0.baseAddress {
        _ = AudioUnitScheduleParameters(handle(), base, UInt32($0.count))
      }
    }
  }

  private static let silence: AURenderCallback = { _, _, _, _, _, _ in noErr }
  private static let listener: AudioUnitPropertyListenerProc = { _, _, _, _, _ in }

  private func listen() {
    let (unit, id) = (handle(), UInt32(next() % 40))
    switch next() % 4 {
    case 0: _ = AudioUnitAddPropertyListener(unit, id, Self.listener, nil)
    case 1: _ = AudioUnitRemovePropertyListenerWithUserData(unit, id, Self.listener, nil)
    case 2: _ = AudioUnitAddRenderNotify(unit, Self.silence, nil)
    default: _ = AudioUnitRemoveRenderNotify(unit, Self.silence, nil)
    }
  }

  // MARK: Properties

  /// Properties that are not read with random bytes, because their values contain pointers.
  private static let queries: Set<AudioUnitPropertyID> = [
    kAudioUnitProperty_ParameterStringFromValue, kAudioUnitProperty_ParameterValueFromString,
  ]

  private func getProperty() {
    let id = next() % 3 == 0 ? UInt32(next() % 4_000) : UInt32(next() % 70)
    guard !Self.queries.contains(id) else { return }
    let (unit, scope, element) = (handle(), scope(), element())
    var (known, writable) = (UInt32(0), false)
    let info = AudioUnitGetPropertyInfo(unit, id, scope, element, &known, &writable)
    let offered = pick([0, 1, 4, 8, 40, 512, Int(min(known, 4096)), 4096])
    var bytes = [UInt8](repeating: 0, count: 4096 + 64)
    for index in offered..<bytes.count { bytes[index] = 0xa5 }
    var size = UInt32(offered)
    let status = AudioUnitGetProperty(unit, id, scope, element, &bytes, &size)
    if bytes[offered...].contains(where: { $0 != 0xa5 }) {
      complain("property \(id) wrote beyond \(offered) bytes")
    }
    if Int(size) > offered { complain("property \(id): \(size) of \(offered) bytes") }
    if status == noErr, info != noErr { complain("property \(id) has a value but no info") }
  }

  private func setProperty() {
    let (unit, scope, element) = (handle(), scope(), element())
    switch next() % 12 {
    case 0, 1, 2:
      set(unit, kAudioUnitProperty_StreamFormat, format(), scope, element)
    case 3:
      set(
        unit, kAudioUnitProperty_MakeConnection,
        AudioUnitConnection(
          sourceAudioUnit: next() % 8 == 0 ? nil : handle(), sourceOutputNumber: self.element(),
          destInputNumber: element), scope, element)
    case 4:
      set(
        unit, kAudioUnitProperty_SetRenderCallback,
        AURenderCallbackStruct(
          inputProc: next() % 4 == 0 ? nil : Self.silence, inputProcRefCon: nil), scope, element)
    case 5:
      set(
        unit, kAudioUnitProperty_MaximumFramesPerSlice,
        pick([0, 1, 64, 512, 4096, 1 << 16, .max] as [UInt32]), scope, element)
    case 6:
      set(
        unit, kAudioUnitProperty_ElementCount,
        pick([0, 1, 2, 3, 8, 64, 100_000, .max] as [UInt32]), scope, element)
    case 7:
      set(
        unit, kAudioUnitProperty_SampleRate,
        pick([0, -1, 1, 8_000, 44_100, 96_000, 1e12, .nan, .infinity] as [Float64]), scope, element)
    case 8:
      var preset = AUPreset()
      preset.presetNumber = pick([0, 1, 5, 21, 22, 1_000, -1, .min, .max])
      set(unit, kAudioUnitProperty_PresentPreset, preset, scope, element)
    case 9:
      set(
        unit,
        pick([
          kAudioUnitProperty_BypassEffect, kAudioUnitProperty_InPlaceProcessing,
          kAudioUnitProperty_OfflineRender, kAudioUnitProperty_RenderQuality,
          kAudioUnitProperty_ShouldAllocateBuffer,
        ]), pick([0, 1, 2, 127, 128, .max] as [UInt32]), scope, element)
    default:
      // A wrong size, or a property that the unit does not have.
      let id = pick([
        kAudioUnitProperty_StreamFormat, kAudioUnitProperty_MaximumFramesPerSlice,
        kAudioUnitProperty_Latency, kAudioUnitProperty_ParameterList, kAudioUnitProperty_TailTime,
        kAudioUnitProperty_BypassEffect, 4_321, .max,
      ])
      let bytes = [UInt8](repeating: 0, count: 64)
      _ = AudioUnitSetProperty(unit, id, scope, element, bytes, pick([0, 1, 3, 5, 12, 63]))
    }
  }

  private func set<Value>(
    _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope,
    _ element: AudioUnitElement
  ) {
    withUnsafeBytes(of: value) {
      let size = next() % 10 == 0 ? $0.count / 2 : $0.count
      _ = AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32(size))
    }
  }

  /// Usually a valid format, otherwise one with an invalid field.
  private func format() -> AudioStreamBasicDescription {
    let channels = pick([1, 2, 2, 2, 3, 6, 8] as [UInt32])
    var format = stereoFormat(pick([8_000, 44_100, 44_100, 48_000, 96_000]), channels: channels)
    if next() % 3 == 0 {
      switch next() % 6 {
      case 0: format.mSampleRate = pick([0, -44_100, .nan, .infinity, 1e-9, 1e30])
      case 1: format.mChannelsPerFrame = pick([0, 65, 4_096, .max])
      case 2: format.mBitsPerChannel = pick([0, 1, 7, 16, 64, .max])
      case 3:
        format.mBytesPerFrame = pick([0, 1, 3, 8, .max])
        if next() % 2 == 0 { format.mBytesPerPacket = format.mBytesPerFrame }
      case 4: format.mFormatFlags = UInt32(truncatingIfNeeded: next())
      default: format.mFormatID = pick([0, kAudioFormatLinearPCM, .max])
      }
    }
    return format
  }

  // MARK: Rendering

  /// A list of a random number of buffers, with or without memory for the frames.
  private func list(_ frames: UInt32) -> UnsafeMutableAudioBufferListPointer {
    let count = pick([0, 1, 1, 2, 2, 2, 3, 8])
    let list = AudioBufferList.allocate(maximumBuffers: max(count, 1))
    list.count = count
    let isEmpty = next() % 4 == 0
    let length = min(Int(frames), 6_000)
    for index in 0..<count {
      let size = next() % 12 == 0 ? length * 2 : length * 4
      list[index] = AudioBuffer(
        mNumberChannels: next() % 12 == 0 ? UInt32(next() % 4) : 1, mDataByteSize: UInt32(size),
        mData: isEmpty ? nil : UnsafeMutableRawPointer(memory + index * 6_000))
    }
    // Input for units that process in place.
    for index in stride(from: 0, to: Self.capacity, by: 97) { memory[index] = 0.25 }
    return list
  }

  private func stamp() -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = pick([0, 512, 1e6, -1, 1e18])
    stamp.mFlags = pick([.sampleTimeValid, .sampleTimeValid, AudioTimeStampFlags(rawValue: 0)])
    return stamp
  }

  private func render() {
    let frames = frames()
    let list = list(frames)
    defer { free(list.unsafeMutablePointer) }
    var (stamp, flags) = (stamp(), AudioUnitRenderActionFlags(rawValue: UInt32(next() % 512)))
    let unit = handle()
    let status = AudioUnitRender(
      unit, &flags, &stamp, pick([0, 0, 0, 0, 1, 7, .max]), frames, list.unsafeMutablePointer)
    inspect(unit, at: list, frames, status)
  }

  private func process() {
    let frames = frames()
    let list = list(frames)
    defer { free(list.unsafeMutablePointer) }
    var (stamp, flags) = (stamp(), AudioUnitRenderActionFlags())
    let unit = handle()
    let status = AudioUnitProcess(unit, &flags, &stamp, frames, list.unsafeMutablePointer)
    inspect(unit, at: list, frames, status)
  }

  private func processMultiple() {
    let frames = frames()
    let (one, other) = (list(frames), list(frames))
    defer {
      free(one.unsafeMutablePointer)
      free(other.unsafeMutablePointer)
    }
    var (stamp, flags) = (stamp(), AudioUnitRenderActionFlags())
    var inputs = [UnsafePointer(one.unsafePointer), UnsafePointer(other.unsafePointer)]
    var outputs = [other.unsafeMutablePointer]
    _ = AudioUnitProcessMultiple(
      handle(), &flags, &stamp, frames, pick([0, 1, 2]), &inputs, pick([0, 1]), &outputs)
  }

  /// Whether no output of a unit has another format than Float32.
  private func rendersFloat(_ unit: AudioUnit) -> Bool {
    for bus in 0..<AudioUnitElement(64) {
      var (format, size) = (AudioStreamBasicDescription(), UInt32(40))
      guard
        AudioUnitGetProperty(
          unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, bus, &format, &size)
          == noErr
      else { return true }
      guard format.mFormatFlags & kAudioFormatFlagIsFloat != 0, format.mBitsPerChannel == 32 else {
        return false
      }
    }
    return true
  }

  /// Checks that no NaN was rendered, whatever the settings.
  private func inspect(
    _ unit: AudioUnit, at list: UnsafeMutableAudioBufferListPointer, _ frames: UInt32,
    _ status: OSStatus
  ) {
    guard status == noErr, frames <= 6_000, rendersFloat(unit) else { return }
    for buffer in list where buffer.mNumberChannels == 1 && buffer.mData != nil {
      let samples = UnsafeMutableBufferPointer<Float>(buffer)
      // Only Float32 is checked.
      guard samples.count == Int(frames) else { continue }
      if samples.contains(where: { $0.isNaN }) { complain("rendered NaN") }
    }
  }
}

extension Instance {
  /// A new unit, which the caller disposes of.
  fileprivate static func raw(_ type: OSType, _ subType: OSType, _ manufacturer: OSType) throws
    -> AudioUnit
  {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType, componentManufacturer: manufacturer,
      componentFlags: 0, componentFlagsMask: 0)
    var unit: AudioUnit?
    let component = try #require(AudioComponentFindNext(nil, &description))
    let status = AudioComponentInstanceNew(component, &unit)
    guard status == noErr else { throw RenderFailure(status: status) }
    return try #require(unit)
  }
}
