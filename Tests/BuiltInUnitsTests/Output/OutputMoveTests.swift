// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
@testable import AudioHardware
import AudioTestSupport
import AudioToolbox
@testable import AudioSupport
@testable import AudioUnitCore
@testable import OutputUnits
import Testing

@Suite("Output unit, from one device to the next")
struct OutputMoveTests {
  /// A stream without cycles of its own.
  private final class NullStream: DeviceStream {
    let device: Device
    init(device: Device) { self.device = device }
    func start() {}
    func stop() {}
    func latency(_ direction: StreamDirection) -> Double { 0 }
    var xrunCount: Int { 0 }
    var scheduling: ThreadScheduling? { nil }
  }

  /// A device whose cycles are driven by the test.
  private final class DrivenDevice {
    let handler = ClientHandler(DeviceClock()) { _, _ in }
    private let output = [UnsafeMutablePointer<Float>.allocate(capacity: 4_800)]
    private var frames = 0
    private var time: UInt64 = 1_000_000_000

    init(_ unit: OutputUnit, sampleRate: Double, after other: DrivenDevice? = nil) {
      var environment = DeviceEnvironment()
      environment.sampleRate = sampleRate
      environment.channelCount = 1
      let device = Device(
        clockedBy: environment, backend: "null", uid: "null", name: "driven", inputChannelCount: 1)
      let stream = NullStream(device: device)
      let connection = DeviceConnection(
        stream: stream, handler: handler, device: device, usesInput: false, usesOutput: true,
        revision: 0, shape: CycleShape(device, usesInput: false, usesOutput: true))
      unit.setup.withLock { $0 = unit.makeSetup() }
      handler.use(unit.makeEngine(for: connection))
      if let other { handler.resume(from: other.handler) }
      handler.activate()
    }

    deinit { output[0].deallocate() }

    func render(_ count: Int) {
      time += 10_000_000
      output.withUnsafeBufferPointer {
        handler.render(
          DeviceCycle(
            frameCount: count, sampleTime: Double(frames), hostTime: time, output: $0.baseAddress,
            outputChannelCount: 1))
      }
      frames += count
    }
  }

  @Test(
    "a ramp of the volume continues where it was, and lasts as long", arguments: [48_000, 24_000])
  func ramp(rate: Double) throws {
    try onDevice {
      let hosted = try HostedUnit()
      try hosted.setCallback(HostCallback())
      try hosted.initialize()
      let entered = try #require(Handles.units.enter(hosted.handle))
      defer { Handles.units.leave(hosted.handle) }
      let unit = try #require(entered.takeUnretainedValue() as? OutputUnit)
      func volume() throws -> Float {
        var value: AudioUnitParameterValue = -1
        try check(
          AudioUnitGetParameter(
            hosted.handle, AudioUnitParameterID(kHALOutputParam_Volume), kAudioUnitScope_Global, 0,
            &value))
        return value
      }
      var event = AudioUnitParameterEvent()
      event.parameter = AudioUnitParameterID(kHALOutputParam_Volume)
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.durationInFrames = 4_800
      event.eventValues.ramp.startValue = 0
      event.eventValues.ramp.endValue = 1
      try check(AudioUnitScheduleParameters(hosted.handle, &event, 1))

      let first = DrivenDevice(unit, sampleRate: 48_000)
      for _ in 0..<5 { first.render(480) }
      #expect(abs(try volume() - 0.5) < 0.001)
      let second = DrivenDevice(unit, sampleRate: rate, after: first)
      second.render(Int(rate / 40))
      #expect(abs(try volume() - 0.75) < 0.001)
      second.render(Int(rate / 40))
      #expect(try volume() == 1)
      first.handler.end()
      second.handler.end()
    }
  }
}
