// SPDX-License-Identifier: Apache-2.0
@testable import AudioHardware
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// The result of passing a tone of 1 kHz from a clock of 48,000 Hz to another clock.
private struct Crossing {
  var gapCount: Int
  /// The relative error of the drift that the link has estimated.
  var driftError: Double
  /// The pitch error in cents, measured by the second clock.
  var cents: Double
  var amplitude: Double

  /// Runs for some seconds; the first clock is `parts` parts per million faster than nominal.
  init(parts: Double, outputRate: Double, seconds: Double) {
    let (inputRate, frames) = (48_000.0, 512)
    let link = AggregateLink(
      channelCount: 1, inputRate: inputRate, outputRate: outputRate, maximumFrames: frames,
      correctsDrift: true)
    let input = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    channels.initialize(to: input)
    defer {
      input.deallocate()
      channels.deallocate()
    }
    let pushPeriod = Double(frames) / (inputRate * (1 + parts * 1e-6))
    let pullPeriod = Double(frames) / outputRate
    var (pushed, pulled) = (0, 0)
    var end: [Float] = []
    while Double(pulled) * pullPeriod < seconds {
      if Double(pushed + 1) * pushPeriod <= Double(pulled) * pullPeriod {
        for frame in 0..<frames {
          let phase = Double((pushed * frames + frame) % 48_000) / 48
          input[frame] = Float(0.5 * sin(2 * .pi * phase))
        }
        pushed += 1
        link.write(
          UnsafePointer(channels), frames: frames,
          hostTime: 1_000_000_000 + UInt64(Double(pushed) * pushPeriod * 1e9))
      } else {
        let output = link.read(
          frames, hostTime: 1_000_000_000 + UInt64(Double(pulled) * pullPeriod * 1e9))
        pulled += 1
        if Double(pulled) * pullPeriod > seconds - 4 {
          end += UnsafeBufferPointer(start: output[0], count: frames)
        }
      }
    }
    gapCount = link.gapCount
    driftError = link.drift - parts * 1e-6
    let tone = Signal(end.map(Double.init), sampleRate: outputRate).tone(near: 1_000)
    cents = 1_200 * log2(tone.frequency / (1_000 * (1 + parts * 1e-6)))
    amplitude = tone.amplitude
  }

  /// Expects a tone without gaps, in tune and at its level.
  func expectWhole() {
    #expect(gapCount == 0)
    #expect(abs(driftError) < 30e-6)
    #expect(abs(cents) < 1)
    #expect(abs(amplitude - 0.5) < 0.005)
  }
}

@Suite("Aggregate devices for an hour")
struct AggregateSoakTests {
  /// Run by `make soak`; takes less than a minute.
  @Test(
    "a tone that crosses to a clock 200 ppm apart has no gap and is in tune for an hour",
    .enabled(if: ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"] != nil),
    arguments: [200.0, -200], [48_000.0, 44_100])
  func hour(parts: Double, outputRate: Double) {
    let crossing = Crossing(parts: parts, outputRate: outputRate, seconds: 3_600)
    crossing.expectWhole()
    print("\(parts) ppm to \(outputRate) Hz: \(crossing.cents) cents")
  }
}

@Suite("Aggregate devices")
struct AggregateTests {
  @Test(
    "a tone that crosses to a clock 200 ppm apart has no gap and stays in tune",
    arguments: [200.0, -200], [48_000.0, 44_100])
  func drift(parts: Double, outputRate: Double) {
    Crossing(parts: parts, outputRate: outputRate, seconds: 60).expectWhole()
  }

  @Test("a device is made from a description; a wrong one is refused")
  func description() throws {
    let tape = Tape()
    try onDevice(tape, clock: .paced) {
      let device = try AudioObject(
        id: AudioObject.system.value(
          kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0)))
      let part = try device.text(kAudioDevicePropertyDeviceUID)
      func create(_ description: [String: Any]) -> (OSStatus, AudioObjectID) {
        var id = AudioObjectID(0)
        let status = AudioHardwareCreateAggregateDevice(description as CFDictionary, &id)
        return (status, id)
      }
      let uid = "test-\(UUID().uuidString)"
      let good: [String: Any] = [
        kAudioAggregateDeviceUIDKey: uid, kAudioAggregateDeviceNameKey: "Both",
        kAudioAggregateDeviceIsPrivateKey: 1,
        kAudioAggregateDeviceSubDeviceListKey: [
          [kAudioSubDeviceUIDKey: part], [kAudioSubDeviceUIDKey: "null"],
        ], kAudioAggregateDeviceMainSubDeviceKey: part,
      ]
      for (key, value) in [
        kAudioAggregateDeviceUIDKey: "" as Any, kAudioAggregateDeviceMainSubDeviceKey: "other",
        kAudioAggregateDeviceSubDeviceListKey: [[kAudioSubDeviceUIDKey: "null:none"]],
      ] {
        var bad = good
        bad[key] = value
        #expect(create(bad).0 == kAudioHardwareIllegalOperationError, "\(key)")
      }
      let (status, id) = create(good)
      #expect(status == noErr)
      #expect(create(good).0 == kAudioHardwareIllegalOperationError)
      let both = AudioObject(id: id)
      #expect(try both.text(kAudioDevicePropertyDeviceUID) == uid)
      #expect(try both.text(kAudioObjectPropertyName) == "Both")
      #expect(
        try both.value(kAudioDevicePropertyTransportType, of: UInt32(0))
          == UInt32(kAudioDeviceTransportTypeAggregate))
      #expect(
        try both.value(kAudioObjectPropertyClass, of: UInt32(0)) == kAudioAggregateDeviceClassID)
      #expect(try both.channelCount(kAudioObjectPropertyScopeOutput) == 4)
      #expect(
        try both.list(
          kAudioDevicePropertyStreams, of: UInt32(0), kAudioObjectPropertyScopeOutput
        ).count == 2)
      #expect(
        try both.list(kAudioAggregateDevicePropertyActiveSubDeviceList, of: UInt32(0)).first
          == device.id)
      #expect(AudioHardwareDestroyAggregateDevice(id) == noErr)
      var address = both.address(kAudioObjectPropertyName)
      #expect(!AudioObjectHasProperty(id, &address))
    }
  }

  @Test("is listed by its description, and can be destroyed by its UID")
  func listing() {
    onDevice(Tape(), clock: .paced) {
      let uid = "test-\(UUID().uuidString)"
      let description: [String: Any] = [
        kAudioAggregateDeviceUIDKey: uid, kAudioAggregateDeviceNameKey: "Listed",
        kAudioAggregateDeviceIsPrivateKey: 1,
        kAudioAggregateDeviceSubDeviceListKey: [[kAudioSubDeviceUIDKey: "null"]],
      ]
      var listed: [String: Any]? {
        let all = AUAggregateDevicesCopyDescriptions().takeRetainedValue()
        return all.compactMap { $0 as? [String: Any] }
          .first { $0[kAudioAggregateDeviceUIDKey] as? String == uid }
      }
      var id = AudioObjectID(0)
      #expect(AudioHardwareCreateAggregateDevice(description as CFDictionary, &id) == noErr)
      let parts = listed?[kAudioAggregateDeviceSubDeviceListKey] as? [[String: Any]]
      #expect(listed?[kAudioAggregateDeviceNameKey] as? String == "Listed")
      #expect(parts?.first?[kAudioSubDeviceUIDKey] as? String == "null")
      #expect(AUAggregateDevicesDestroy(uid as CFString) == noErr)
      #expect(listed == nil)
      #expect(
        AUAggregateDevicesDestroy(uid as CFString) == kAudioHardwareIllegalOperationError)
    }
  }

  @Test("sound that is played to an aggregate reaches both subdevices")
  func playing() throws {
    let tape = Tape()
    try onDevice(tape, clock: .paced) {
      let device = try AudioObject(
        id: AudioObject.system.value(
          kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0)))
      let part = try device.text(kAudioDevicePropertyDeviceUID)
      var id = AudioObjectID(0)
      // The other device is the clock, so the recorded signal has crossed from one clock to
      // another.
      let description: [String: Any] = [
        kAudioAggregateDeviceUIDKey: "test-\(UUID().uuidString)",
        kAudioAggregateDeviceIsPrivateKey: 1,
        kAudioAggregateDeviceSubDeviceListKey: [
          [kAudioSubDeviceUIDKey: "null"], [kAudioSubDeviceUIDKey: part],
        ],
      ]
      #expect(AudioHardwareCreateAggregateDevice(description as CFDictionary, &id) == noErr)
      let shown = AudioObjects.text(of: id)
      #expect(shown.contains("subdevices: [{drift: 1, uid: \"null\"}, {"), "\(shown)")
      let frames = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
      frames.initialize(to: Atomic(0))
      defer {
        frames.deinitialize(count: 1)
        frames.deallocate()
      }
      var function: AudioDeviceIOProcID?
      #expect(
        AudioDeviceCreateIOProcID(
          id,
          { _, _, _, _, output, _, frames in
            guard let frames = frames?.assumingMemoryBound(to: Atomic<Int>.self) else { return 0 }
            let buffers = UnsafeMutableAudioBufferListPointer(output)
            guard buffers.count == 2, let data = buffers[1].mData else { return 0 }
            let samples = data.assumingMemoryBound(to: Float.self)
            let count = Int(buffers[1].mDataByteSize) / 8
            let first = frames.pointee.load(ordering: .relaxed)
            for frame in 0..<count {
              let phase = Double((first + frame) % 48_000) * 440 / 48_000
              samples[2 * frame] = Float(0.25 * sin(2 * .pi * phase))
            }
            frames.pointee.wrappingAdd(count, ordering: .relaxed)
            return 0
          }, frames, &function) == noErr)
      #expect(AudioDeviceStart(id, function) == noErr)
      #expect(wait { frames.pointee.load(ordering: .relaxed) > 96_000 })
      #expect(AudioDeviceStop(id, function) == noErr)
      #expect(AudioHardwareDestroyAggregateDevice(id) == noErr)
    }
    let recorded = try tape.samples()
    let end = recorded[0].suffix(24_000).map(Double.init)
    let tone = Signal(end, sampleRate: 48_000).tone(near: 440)
    #expect(abs(1_200 * log2(tone.frequency / 440)) < 5)
    #expect(abs(tone.amplitude - 0.25) < 0.01)
    #expect(recorded[1].allSatisfy { abs($0) < 1e-6 })
  }

  @Test("the stored list of aggregates is read as it was written")
  func file() throws {
    let list = AggregateList.parse(
      "device com.example.\\\\a\\nb\nname Two words\nmain pulse:one\nstacked yes\n"
        + "corrected pulse:one\nplain jack:system\nnonsense\n")
    #expect(
      list == [
        Aggregate(
          uid: "com.example.\\a\nb", name: "Two words",
          parts: [
            .init(uid: "pulse:one", correctsDrift: true),
            .init(uid: "jack:system", correctsDrift: false),
          ], mainUID: "pulse:one", isPrivate: false, isStacked: true)
      ])
  }
}
