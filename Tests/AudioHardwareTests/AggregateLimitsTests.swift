// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
@testable import AudioHardware
import AudioSupport
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Aggregate devices at their limits")
struct AggregateLimitsTests {
  /// A device without hardware, as it would be opened.
  private func device(cycle frames: Int, rate: Double = 48_000) -> Device {
    Device(
      backend: "null", uid: "null", name: "null", inputChannelCount: 1, outputChannelCount: 1,
      sampleRate: rate, sampleRates: rate...rate, cycleFrames: frames,
      cycleFramesRange: frames...frames, isDefaultInput: false, isDefaultOutput: false)
  }

  @Test(
    "a tone crosses without a gap between cycles of any lengths",
    arguments: [1, 64, 512, 16_384, 65_536], [1, 64, 16_385, 65_536])
  func lengths(written: Int, read: Int) throws {
    let link = try AggregateLink(
      channelCount: 1, from: device(cycle: written), to: device(cycle: read), correctsDrift: true)
    #expect(link.maximumFrames >= read)
    let input = UnsafeMutablePointer<Float>.allocate(capacity: written)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    channels.initialize(to: input)
    defer {
      input.deallocate()
      channels.deallocate()
    }
    func time(_ frame: Int) -> UInt64 { 1_000_000_000 + UInt64(Double(frame) / 48_000 * 1e9) }
    let length = max(8 * max(written, read), 48_000)
    var (pushed, pulled) = (0, 0)
    var output: [Float] = []
    while pulled < length {
      if pushed + written <= pulled {
        for frame in 0..<written { input[frame] = Float(sin(Double(pushed + frame) * 0.02)) / 2 }
        pushed += written
        link.write(UnsafePointer(channels), frames: written, hostTime: time(pushed))
      } else {
        let samples = link.read(read, hostTime: time(pulled))
        output += UnsafeBufferPointer(start: samples[0], count: read)
        pulled += read
      }
    }
    #expect(link.gapCount == 0)
    // In the second half, no step is steeper than that of the tone, so that nothing is missing.
    let end = output.suffix(output.count / 2)
    #expect(end.max() ?? 0 > 0.45)
    #expect(zip(end, end.dropFirst()).allSatisfy { abs($1 - $0) < 0.011 })
  }

  @Test("cycles that last too long at the other rate are refused")
  func refusal() {
    #expect(throws: AudioError.self) {
      _ = try AggregateLink(
        channelCount: 64, from: device(cycle: 65_536, rate: 256_000),
        to: device(cycle: 65_536, rate: 1_000), correctsDrift: true)
    }
  }

  @Test("an opened aggregate plays cycles that are longer than listed", arguments: [1, 65_536])
  func longCycles(frames: Int) throws {
    try withAggregate { id, _ in
      let object = AudioObject(id: id)
      #expect(object.setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(frames)) == noErr)
      var address = object.address(kAudioAggregateDevicePropertyFullSubDeviceList)
      #expect(AudioObjectHasProperty(id, &address))
      var function: AudioDeviceIOProcID?
      #expect(
        AudioDeviceCreateIOProcID(id, { _, _, _, _, _, _, _ in noErr }, nil, &function) == noErr)
      #expect(AudioDeviceStart(id, function) == noErr)
      var now = AudioTimeStamp()
      #expect(
        wait {
          AudioDeviceGetCurrentTime(id, &now) == noErr && now.mSampleTime > 3 * Double(frames)
        })
      #expect(AudioDeviceStop(id, function) == noErr)
    }
  }

  @Test("a stream that has ended releases everything that its cycles used")
  func release() throws {
    try withAggregate { _, uid in
      weak var released: CycleHandler?
      for _ in 0..<3 {
        let handler = CycleHandler()
        released = handler
        let request = StreamRequest(
          uid: AggregateBackend.uid(uid), usesInput: true, usesOutput: true)
        let stream = try Backends.named(AggregateBackend.name).open(request, handler)
        try stream.start()
        usleep(5_000)
        stream.stop()
      }
      #expect(wait { released == nil })
    }
  }

  @Test("a list with a device twice, or with something else than UIDs, is refused")
  func lists() throws {
    try withAggregate { id, _ in
      let object = AudioObject(id: id)
      var address = object.address(kAudioAggregateDevicePropertyFullSubDeviceList)
      func set(_ list: [Any]) -> OSStatus {
        let object = list as NSArray
        defer { withExtendedLifetime(object) {} }
        var array = Unmanaged.passUnretained(object)
        return AudioObjectSetPropertyData(id, &address, 0, nil, 8, &array)
      }
      let bad = kAudioHardwareIllegalOperationError
      #expect(set(["null", "null"]) == bad)
      #expect(set(["null", 7]) == bad)
      #expect(set([]) == bad)
      #expect(set((0..<100).map { "null:\($0)" }) == bad)
      #expect(set(["null"]) == noErr)
    }
  }

  @Test("the stored list keeps any text, and no part twice")
  func stored() {
    let list = AggregateList.parse(
      "device a\r\nname \u{301}b\nmain other\ncorrected null\nplain null\ncorrected pulse:x\n")
    #expect(list.count == 1)
    #expect(list.first?.uid == "a\r")
    #expect(list.first?.name == "\u{301}b")
    #expect(list.first?.parts.map(\.uid) == ["null", "pulse:x"])
    #expect(list.first?.mainUID == "null")
  }

  /// Runs `body` with an aggregate of the device without hardware, and its UID.
  private func withAggregate(_ body: (AudioObjectID, String) throws -> Void) throws {
    try onDevice(clock: .fast) {
      var id = AudioObjectID(0)
      let uid = "test-\(UUID().uuidString)"
      let description: [String: Any] = [
        kAudioAggregateDeviceUIDKey: uid, kAudioAggregateDeviceIsPrivateKey: 1,
        kAudioAggregateDeviceSubDeviceListKey: [[kAudioSubDeviceUIDKey: "null"]],
      ]
      #expect(AudioHardwareCreateAggregateDevice(description as CFDictionary, &id) == noErr)
      try body(id, uid)
      #expect(AudioHardwareDestroyAggregateDevice(id) == noErr)
    }
  }
}
