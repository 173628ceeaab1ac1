// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

private final class Counter: Sendable { let count = Atomic(0) }

/// An audio object as programs use it.
struct HardwareObject {
  let id: AudioObjectID

  static let system = HardwareObject(id: AudioObjectID(kAudioObjectSystemObject))
  static let output = kAudioObjectPropertyScopeOutput
  static let global = kAudioObjectPropertyScopeGlobal

  /// The device with a UID.
  init(_ uid: String) throws {
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioHardwarePropertyTranslateUIDToDevice, mScope: Self.global, mElement: 0)
    var text: Unmanaged<CFString>? = Unmanaged.passRetained(uid as CFString)
    defer { text?.release() }
    var (found, size) = (AudioObjectID(0), UInt32(4))
    try check(
      AudioObjectGetPropertyData(1, &address, UInt32(MemoryLayout<UInt>.size), &text, &size, &found)
    )
    guard found != kAudioObjectUnknown else { throw ServerFailure("no device \(uid)") }
    id = found
  }

  init(id: AudioObjectID) { self.id = id }

  func list<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ zero: Value,
    _ scope: AudioObjectPropertyScope = global, _ element: UInt32 = 0
  ) throws -> [Value] {
    var address = AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: element)
    var size: UInt32 = 0
    try check(AudioObjectGetPropertyDataSize(id, &address, 0, nil, &size))
    var values = [Value](repeating: zero, count: Int(size) / MemoryLayout<Value>.stride)
    try check(AudioObjectGetPropertyData(id, &address, 0, nil, &size, &values))
    return values
  }

  func get<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ zero: Value,
    _ scope: AudioObjectPropertyScope = global, _ element: UInt32 = 0
  ) throws -> Value { try #require(try list(selector, zero, scope, element).first) }

  func set<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ value: Value,
    _ scope: AudioObjectPropertyScope = global, _ element: UInt32 = 0
  ) -> OSStatus {
    var address = AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: element)
    var value = value
    return AudioObjectSetPropertyData(
      id, &address, 0, nil, UInt32(MemoryLayout<Value>.size), &value)
  }

  /// Counts the calls of a listener while `body` runs.
  func counting<Result>(
    _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope = global,
    _ body: (_ count: () -> Int) throws -> Result
  ) throws -> Result {
    let counter = Counter()
    var address = AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: 0)
    let listener: AudioObjectPropertyListenerProc = { _, _, _, context in
      guard let context else { return noErr }
      Unmanaged<Counter>.fromOpaque(context).takeUnretainedValue().count
        .wrappingAdd(1, ordering: .relaxed)
      return noErr
    }
    let context = Unmanaged.passUnretained(counter).toOpaque()
    try check(AudioObjectAddPropertyListener(id, &address, listener, context))
    defer { AudioObjectRemovePropertyListener(id, &address, listener, context) }
    return try body { counter.count.load(ordering: .relaxed) }
  }
}

private func check(_ status: OSStatus) throws {
  guard status == noErr else { throw ServerFailure("status \(status)") }
}

extension Servers {
  @Suite("Control of devices by programs", .serialized)
  struct DeviceControlTests {
    private typealias It = HardwareObject

    /// Expects that the volume and mute switch of a sink equal those of the server's own tools, in
    /// both directions.
    private func expectLevels(
      _ uid: String, reported: () throws -> String,
      act: (_ percent: Int, _ mutes: Bool) throws -> Void
    ) throws {
      let sink = try It(uid)
      #expect(sink.set(kAudioDevicePropertyVolumeScalar, Float(0.5), It.output) == noErr)
      #expect(sink.set(kAudioDevicePropertyMute, UInt32(1), It.output) == noErr)
      #expect(
        abs(try sink.get(kAudioDevicePropertyVolumeScalar, Float(9), It.output) - 0.5) < 0.001)
      // Half the volume is an eighth of the amplitude.
      let decibels = try sink.get(kAudioDevicePropertyVolumeDecibels, Float(9), It.output)
      #expect(abs(decibels + 18.06) < 0.01)
      #expect(try sink.get(kAudioDevicePropertyMute, UInt32(9), It.output) == 1)
      let text = try reported()
      #expect(text.contains("Mute: yes") && text.contains("50%"), "\(text)")
      // The channels keep their balance.
      #expect(sink.set(kAudioDevicePropertyVolumeScalar, Float(0.25), It.output, 2) == noErr)
      #expect(sink.set(kAudioDevicePropertyVolumeScalar, Float(1), It.output) == noErr)
      let right = try sink.get(kAudioDevicePropertyVolumeScalar, Float(9), It.output, 2)
      #expect(abs(right - 0.5) < 0.002)
      #expect(
        sink.set(kAudioDevicePropertyVolumeScalar, Float(0.5), It.output, 3)
          == kAudioHardwareUnknownPropertyError)
      // Changes by another program are reported.
      try sink.counting(kAudioDevicePropertyVolumeScalar, It.output) { volumes in
        try sink.counting(kAudioDevicePropertyMute, It.output) { mutes in
          // Again and again, because the watch may start later than the first change.
          let before = (volumes(), mutes())
          let areReported = try wait {
            try act(70, true)
            try act(80, false)
            return wait(seconds: 1) { volumes() > before.0 && mutes() > before.1 }
          }
          #expect(areReported)
        }
      }
      #expect(
        try wait {
          abs(try sink.get(kAudioDevicePropertyVolumeScalar, Float(9), It.output) - 0.8) < 0.01
        })
      #expect(try wait { try sink.get(kAudioDevicePropertyMute, UInt32(9), It.output) == 0 })
      // The control objects have the same values.
      let controls = try sink.list(kAudioObjectPropertyControlList, AudioObjectID(0))
        .map(It.init(id:))
      let volume = try #require(
        try controls.first {
          try $0.get(kAudioObjectPropertyClass, UInt32(0)) == kAudioVolumeControlClassID
            && $0.get(kAudioControlPropertyElement, UInt32(9)) == 0
        })
      #expect(volume.set(kAudioLevelControlPropertyScalarValue, Float(1)) == noErr)
      #expect(abs(try sink.get(kAudioDevicePropertyVolumeScalar, Float(9), It.output) - 1) < 0.001)
      #expect(try volume.get(kAudioObjectPropertyOwner, AudioObjectID(0)) == sink.id)
    }

    /// Expects that the default device is the server's, in both directions.
    private func expectDefault(_ one: String, _ two: String, act: (String) throws -> Void) throws {
      let (first, second) = (try It(one), try It(two))
      let selector = kAudioHardwarePropertyDefaultOutputDevice
      #expect(It.system.set(selector, second.id) == noErr)
      #expect(try It.system.get(selector, AudioObjectID(0)) == second.id)
      try It.system.counting(selector) { count in
        let before = count()
        let isReported = try wait {
          for uid in [two, one] { try act(String(uid.split(separator: ":")[1])) }
          return wait(seconds: 1) { count() > before }
        }
        #expect(isReported)
      }
      #expect(try wait { try It.system.get(selector, AudioObjectID(0)) == first.id })
      #expect(It.system.set(selector, AudioObjectID(12_345)) == kAudioHardwareBadObjectError)
    }

    @Test("volume, mute and default device are those of PipeWire")
    func pipeWire() throws {
      let server = try PipeWireFixture()
      defer { withExtendedLifetime(server) {} }
      try onDevice("pipewire") {
        func reported() throws -> String {
          // PipeWire reports volumes as amplitudes.
          let text = try server.run("pw-cli", "enum-params", "null1", "Props")
          let isMuted = text.contains("Bool true")
          return (isMuted ? "Mute: yes " : "") + (text.contains("0.125000") ? "50%" : text)
        }
        try expectLevels("pipewire:null1", reported: reported) { percent, mutes in
          let amplitude = pow(Double(percent) / 100, 3)
          try server.run(
            "pw-cli", "set-param", "null1", "Props",
            "{ mute: \(mutes), channelVolumes: [ \(amplitude), \(amplitude) ] }")
        }
        try expectDefault("pipewire:null1", "pipewire:null2") { try server.makeDefault($0) }
      }
    }

    @Test("a PipeWire sink of any name can be the default device")
    func oddName() throws {
      let server = try PipeWireFixture()
      defer { withExtendedLifetime(server) {} }
      try onDevice("pipewire") {
        let uid = "pipewire:a \"b\" \\ ü"
        try server.run(
          "pw-cli", "create-node", "adapter",
          "{ factory.name=support.null-audio-sink node.name=\"a \\\"b\\\" \\\\ ü\" "
            + "media.class=Audio/Sink object.linger=true audio.position=[FL FR] }")
        #expect(wait { (try? It(uid)) != nil })
        let sink = try It(uid)
        let selector = kAudioHardwarePropertyDefaultOutputDevice
        #expect(It.system.set(selector, sink.id) == noErr)
        #expect(try It.system.get(selector, AudioObjectID(0)) == sink.id)
      }
    }

    @Test("PipeWire switches to a rate that its configuration allows, and refuses others")
    func rate() throws {
      let server = try PipeWireFixture()
      defer { withExtendedLifetime(server) {} }
      try onDevice("pipewire") {
        let sink = try It("pipewire:null1")
        let rates = try sink.list(
          kAudioDevicePropertyAvailableNominalSampleRates, AudioValueRange())
        #expect(rates.map(\.mMinimum) == [44_100, 48_000])
        try sink.counting(kAudioDevicePropertyNominalSampleRate) { count in
          #expect(sink.set(kAudioDevicePropertyNominalSampleRate, 44_100.0) == noErr)
          let rate = try sink.get(kAudioDevicePropertyNominalSampleRate, 0.0)
          #expect(rate == 44_100)
          #expect(wait { count() == 1 })
        }
        #expect(
          try server.run("pw-metadata", "-n", "settings", "0", "clock.force-rate").contains("44100")
        )
        #expect(
          sink.set(kAudioDevicePropertyNominalSampleRate, 96_000.0)
            == kAudioHardwareIllegalOperationError)
        #expect(sink.set(kAudioDevicePropertyNominalSampleRate, 48_000.0) == noErr)
        #expect(try sink.get(kAudioDevicePropertyNominalSampleRate, 0.0) == 48_000)
      }
    }

    @Test("volume, mute and default device are those of PulseAudio")
    func pulse() throws {
      let server = try PulseFixture()
      defer { withExtendedLifetime(server) {} }
      try onDevice("pulse") {
        func reported() throws -> String {
          let text = try server.run("pactl", "list", "sinks")
          return text.components(separatedBy: "Sink #").first { $0.contains("Name: one") } ?? ""
        }
        try expectLevels("pulse:one", reported: reported) { percent, mutes in
          try server.run("pactl", "set-sink-volume", "one", "\(percent)%")
          try server.run("pactl", "set-sink-mute", "one", mutes ? "1" : "0")
        }
        try expectDefault("pulse:one", "pulse:two") { try server.makeDefault($0) }
        let sink = try It("pulse:one")
        // The server reports whether another program uses it.
        let isRunning = try reported().contains("State: RUNNING")
        let isReported = try sink.get(kAudioDevicePropertyDeviceIsRunningSomewhere, UInt32(9)) == 1
        #expect(isReported == isRunning)
        #expect(try sink.get(kAudioDevicePropertyDeviceIsRunning, UInt32(9)) == 0)
      }
    }

    @Test("a JACK server accepts another cycle size, if it is a power of two")
    func jack() throws {
      let server = try JACKFixture(period: 256)
      defer { withExtendedLifetime(server) {} }
      try onDevice("jack") {
        let device = try It("jack:system")
        try device.counting(kAudioDevicePropertyBufferFrameSize) { count in
          #expect(device.set(kAudioDevicePropertyBufferFrameSize, UInt32(512)) == noErr)
          let frames = try device.get(kAudioDevicePropertyBufferFrameSize, UInt32(0))
          #expect(frames == 512)
          #expect(wait { count() > 0 })
        }
        #expect(try server.tool("jack_bufsize").contains("512"))
        #expect(
          device.set(kAudioDevicePropertyBufferFrameSize, UInt32(300))
            == kAudioHardwareIllegalOperationError)
      }
    }
  }
}
