// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Random calls of the functions of devices, with objects, sizes, values and times that no correct
/// program would pass, also from two threads.
///
/// Every call must return in time; afterwards a device must work. `make fuzz` runs more rounds; a
/// failure names its round.
@Suite("Fuzz: random calls of devices")
struct HardwareFuzzTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 150

  @Test("leave every device working", arguments: [DeviceEnvironment.Clock.paced, .fast])
  func calls(clock: DeviceEnvironment.Clock) throws {
    // A device of its own, because requests apply to all streams of a device.
    let input = try Tape([[Float](repeating: 0.5, count: 48_000)])
    try onDevice(input: input, clock: clock) {
      for round in 0..<max(6, Self.rounds / 12) {
        let setting = DeviceSetting.current
        let threads = (0..<2).map { number in
          OwnThread { () -> [String] in
            var complaints: [String] = []
            setting.use {
              let caller = RandomDeviceCaller(round: UInt64(2 * round + number))
              for _ in 0..<60 { caller.call() }
              caller.finish()
              complaints = caller.complaints
            }
            return complaints
          }
        }
        let complaints = threads.flatMap { $0.join() }
        #expect(complaints.isEmpty, "round \(round): \(complaints)")
        if !complaints.isEmpty { return }
      }
      let device = try AudioObject.system.value(
        kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0))
      #expect(
        AudioObject(id: device).setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(512))
          == noErr)
      #expect(
        AudioObject(id: device).setting(kAudioDevicePropertyNominalSampleRate, to: 48_000.0)
          == noErr)
      #expect(AudioDeviceStart(device, nil) == noErr)
      var now = AudioTimeStamp()
      #expect(
        wait { AudioDeviceGetCurrentTime(device, &now) == noErr && now.mSampleTime > 2_000 })
      #expect(AudioDeviceStop(device, nil) == noErr)
    }
  }
}

/// Calls functions with random arguments; the same round makes the same calls.
private final class RandomDeviceCaller {
  private(set) var complaints: [String] = []
  private var random: UInt64
  private let device: AudioObjectID
  private var aggregates: [AudioObjectID] = []
  private var functions: [(device: AudioObjectID, id: AudioDeviceIOProcID)] = []
  private let memory = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 16)

  init(round: UInt64) {
    random = (round + 1) &* 0x9e37_79b9_7f4a_7c15
    device =
      (try? AudioObject.system.value(
        kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0))) ?? 0
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 65_536)
  }

  deinit { memory.deallocate() }

  private func next() -> UInt64 {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random &* 0x2545_f491_4f6c_dd1d >> 11
  }

  private func pick<Element>(_ all: [Element]) -> Element { all[Int(next() % UInt64(all.count))] }

  /// Makes one random call, and complains if it takes long.
  func call() {
    let begin = ContinuousClock.now
    switch next() % 10 {
    case 0: makeAggregate()
    case 1: destroyAggregate()
    case 2, 3: write()
    case 4: read()
    case 5: makeFunction()
    case 6, 7: run()
    case 8: askTimes()
    default: readCaptured()
    }
    if ContinuousClock.now - begin > .seconds(30) { complaints.append("a call took too long") }
  }

  /// Removes everything that is left.
  func finish() {
    for function in functions { AudioDeviceDestroyIOProcID(function.device, function.id) }
    for aggregate in aggregates { AudioHardwareDestroyAggregateDevice(aggregate) }
  }

  // MARK: Choices

  /// Usually a device that exists.
  private func object() -> AudioObjectID {
    switch next() % 12 {
    case 0: pick([0, 1, 2, .max, 1 << 30, 1 << 29, 1 << 28, UInt32(truncatingIfNeeded: next())])
    case 1: 1 << 30 | device << 7 | UInt32(next() % 4)
    case 2, 3, 4: aggregates.isEmpty ? device : pick(aggregates)
    default: device
    }
  }

  private func address() -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(
      mSelector: pick(Self.selectors),
      mScope: pick([
        kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeInput,
        kAudioObjectPropertyScopeOutput, 0, .max,
      ]), mElement: pick([0, 0, 0, 1, 2, 127, .max]))
  }

  /// Properties whose values are numbers or structures, not objects.
  private static let selectors: [AudioObjectPropertySelector] = [
    kAudioDevicePropertyBufferFrameSize, kAudioDevicePropertyBufferSize,
    kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyIOCycleUsage,
    kAudioDevicePropertyIOProcStreamUsage, kAudioDevicePropertyVolumeScalar,
    kAudioDevicePropertyVolumeDecibels, kAudioDevicePropertyVolumeScalarToDecibels,
    kAudioDevicePropertyVolumeDecibelsToScalar, kAudioDevicePropertyMute,
    kAudioDevicePropertyLatency, kAudioDevicePropertyStreamConfiguration,
    kAudioDevicePropertyStreamFormat, kAudioDevicePropertyPreferredChannelLayout,
    kAudioStreamPropertyVirtualFormat, kAudioStreamPropertyPhysicalFormat,
    kAudioDevicePropertyDataSource, kAudioDevicePropertyClockSource,
    kAudioDevicePropertyActualSampleRate, kAudioObjectPropertyOwnedObjects,
    kAudioDevicePropertyBufferFrameSizeRange, kAudioDevicePropertyStreams, 0, .max,
  ]

  /// Fills the memory with a value; returns its size.
  private func fill() -> UInt32 {
    memory.initializeMemory(as: UInt8.self, repeating: pick([0, 1, 0x7f, 0xff]), count: 256)
    switch next() % 5 {
    case 0:
      memory.storeBytes(
        of: pick([0, -1, .nan, .infinity, 1e300, 44_100, 1_000, 768_000, 0.5]), as: Double.self)
      return pick([8, 8, 8, 4, 0])
    case 1:
      memory.storeBytes(of: pick([0, 1, -1, .nan, .infinity, 0.5, -96, -1e30]), as: Float.self)
      return pick([4, 4, 4, 8])
    case 2:
      memory.storeBytes(of: pick([0, 1, 15, 512, 16_385, 65_536, 65_537, .max]), as: UInt32.self)
      return pick([4, 4, 4, 3, 100])
    case 3:
      let format = AudioStreamBasicDescription(
        mSampleRate: pick([0, -1, .nan, 44_100, 1e300]), mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: pick([8, 0, .max]),
        mFramesPerPacket: 1, mBytesPerFrame: pick([8, 0, .max]),
        mChannelsPerFrame: pick([2, 0, .max]), mBitsPerChannel: pick([32, 0, .max]), mReserved: 0)
      memory.storeBytes(of: format, as: AudioStreamBasicDescription.self)
      return 40
    default:
      memory.storeBytes(of: functions.isEmpty ? 1 : number(pick(functions).id), as: UInt.self)
      memory.storeBytes(of: pick([1, 0, 2, .max]), toByteOffset: 8, as: UInt32.self)
      return pick([16, 12, 0, 8, 240])
    }
  }

  private func number(_ id: AudioDeviceIOProcID) -> UInt { unsafeBitCast(id, to: UInt.self) }

  private func stamp() -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mFlags = AudioTimeStampFlags(rawValue: UInt32(next() % 8))
    stamp.mSampleTime = pick([0, 100, -1, .nan, .infinity, 1e300, 0x1p62, Double(next() % 90_000)])
    stamp.mHostTime = pick([0, 1, .max, UInt64(Int64.max), AudioGetCurrentHostTime()])
    return stamp
  }

  // MARK: Calls

  private func makeAggregate() {
    let null: [String: Any] = [kAudioSubDeviceUIDKey: "null"]
    var description: [String: Any] = [
      kAudioAggregateDeviceUIDKey: "fuzz-\(UUID().uuidString)",
      kAudioAggregateDeviceIsPrivateKey: pick([1, 1, Int.max, true] as [Any]),
      kAudioAggregateDeviceIsStackedKey: pick([0, -1, Double.nan, "yes"] as [Any]),
      kAudioAggregateDeviceSubDeviceListKey: pick(
        [
          [null], [null], [null], [null, null], [], "null", [1], [[:]],
          [[kAudioSubDeviceUIDKey: "null", kAudioSubDeviceDriftCompensationKey: Double.infinity]],
        ] as [Any]),
    ]
    if next() % 8 == 0 { description[kAudioAggregateDeviceMainSubDeviceKey] = pick(["null", "x"]) }
    var id = AudioObjectID(0)
    if AudioHardwareCreateAggregateDevice(description as CFDictionary, &id) == noErr {
      aggregates.append(id)
    }
  }

  private func destroyAggregate() {
    guard !aggregates.isEmpty else { return }
    let id = aggregates.removeLast()
    if AudioHardwareDestroyAggregateDevice(id) != noErr { complaints.append("not destroyed") }
  }

  private func write() {
    var address = address()
    let size = fill()
    _ = AudioObjectSetPropertyData(object(), &address, 0, nil, size, memory)
  }

  private func read() {
    var (address, size) = (address(), pick([0, 1, 4, 8, 40, 1_000, 65_536] as [UInt32]))
    let object = object()
    var whole = UInt32(0)
    _ = AudioObjectGetPropertyDataSize(object, &address, 0, nil, &whole)
    _ = AudioObjectGetPropertyData(object, &address, 0, nil, &size, memory)
  }

  private func makeFunction() {
    let object = object()
    var id: AudioDeviceIOProcID?
    let function: AudioDeviceIOProc = { _, _, input, _, output, _, _ in
      for buffer in UnsafeMutableAudioBufferListPointer(output) {
        guard let data = buffer.mData else { continue }
        memset(data, 0, Int(buffer.mDataByteSize))
      }
      return noErr
    }
    guard AudioDeviceCreateIOProcID(object, function, nil, &id) == noErr, let id else { return }
    functions.append((object, id))
    if functions.count > 4 {
      let old = functions.removeFirst()
      AudioDeviceDestroyIOProcID(old.device, old.id)
    }
  }

  private func run() {
    guard !functions.isEmpty else { return }
    let function = pick(functions)
    switch next() % 4 {
    case 0: AudioDeviceStop(function.device, function.id)
    case 1:
      var time = stamp()
      AudioDeviceStartAtTime(function.device, function.id, &time, 0)
    default: AudioDeviceStart(function.device, function.id)
    }
    usleep(UInt32(next() % 2_000))
  }

  private func askTimes() {
    let object = object()
    var (now, time, other) = (AudioTimeStamp(), stamp(), stamp())
    _ = AudioDeviceGetCurrentTime(object, &now)
    _ = AudioDeviceTranslateTime(object, &time, &other)
    _ = AudioDeviceGetNearestStartTime(object, &time, 0)
  }

  private func readCaptured() {
    var time = stamp()
    var list = AudioBufferList(
      mNumberBuffers: pick([1, 1, 1, 0]),
      mBuffers: AudioBuffer(
        mNumberChannels: pick([2, 2, 0, .max]), mDataByteSize: pick([0, 8, 4_096, 65_536]),
        mData: memory))
    _ = AudioDeviceRead(object(), &time, &list)
  }
}
