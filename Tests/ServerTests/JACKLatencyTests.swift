// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CAudioBackends
import Foundation
import Synchronization
import Testing

/// A JACK client that works like a cable with a delay. Its input comes out some frames later, and
/// its ports report that latency like those of a sound card.
private final class JACKCable: @unchecked Sendable {  // only the server's thread reads and writes
  let delay: Int
  private let client: JACKTestClient
  private var input: OpaquePointer?
  private var output: OpaquePointer?
  private let line: UnsafeMutablePointer<Float>
  private var position = 0

  /// The delay in frames in addition to the cycle that JACK itself takes for a loop, and the shares
  /// of the latency for playback and for capture.
  init(delay: Int, playback: UInt32, capture: UInt32) throws {
    client = try JACKTestClient("cable")
    self.delay = delay
    line = .allocate(capacity: max(delay, 1))
    line.initialize(repeating: 0, count: max(delay, 1))
    input = client.port("in", isInput: true)
    output = client.port("out", isInput: false)
    _ = client.jack.pointee.jack_set_process_callback(
      client.client,
      { frames, me in
        guard let me else { return 0 }
        Unmanaged<JACKCable>.fromOpaque(me).takeUnretainedValue().process(Int(frames))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try setLatency(playback: playback, capture: capture)
    try client.activate()
  }

  deinit {
    client.close()
    line.deallocate()
  }

  private typealias SetRange =
    @convention(c) (OpaquePointer, UInt32, UnsafePointer<JACKLatencyRange>) -> Void

  /// The latencies of the cable's ports. They are fixed, like those of hardware.
  private final class Ranges: Sendable {
    let set: SetRange
    nonisolated(unsafe) let input: OpaquePointer
    nonisolated(unsafe) let output: OpaquePointer
    let playback: UInt32
    let capture: UInt32

    init(
      _ set: @escaping SetRange, _ input: OpaquePointer, _ output: OpaquePointer,
      _ playback: UInt32, _ capture: UInt32
    ) {
      (self.set, self.input, self.output) = (set, input, output)
      (self.playback, self.capture) = (playback, capture)
    }
  }

  private var ranges: Ranges?

  private func setLatency(playback: UInt32, capture: UInt32) throws {
    guard let library = dlopen("libjack.so.0", RTLD_LAZY),
      let symbol = dlsym(library, "jack_port_set_latency_range"), let input, let output
    else { throw ServerFailure("no jack_port_set_latency_range") }
    let ranges = Ranges(
      unsafeBitCast(symbol, to: SetRange.self), input, output, playback, capture)
    self.ranges = ranges
    _ = client.jack.pointee.jack_set_latency_callback(
      client.client,
      { mode, ranges in
        guard let ranges else { return }
        let it = Unmanaged<Ranges>.fromOpaque(ranges).takeUnretainedValue()
        let isPlayback = mode == JACKPlaybackLatency.rawValue
        var range = JACKLatencyRange()
        range.min = isPlayback ? it.playback : it.capture
        range.max = range.min
        it.set(isPlayback ? it.input : it.output, mode, &range)
      }, Unmanaged.passUnretained(ranges).toOpaque())
  }

  private func process(_ frames: Int) {
    guard let input, let output,
      let source = client.samples(input, frames), let target = client.samples(output, frames)
    else { return }
    for frame in 0..<frames {
      let sample = source[frame]
      guard delay > 0 else {
        target[frame] = sample
        continue
      }
      target[frame] = line[position]
      line[position] = sample
      position = (position + 1) % delay
    }
  }

  /// Connects its ports to those of another client.
  func connect(output name: String, input other: String) -> Bool {
    client.connect(name, "cable:in") && client.connect("cable:out", other)
  }

  /// The ports whose names match a pattern.
  func ports(_ pattern: String) -> [String] { client.ports(pattern) }

  /// Removes a connection between two ports.
  func disconnect(_ from: String, _ to: String) throws {
    typealias Disconnect =
      @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>) -> CInt
    guard let library = dlopen("libjack.so.0", RTLD_LAZY),
      let symbol = dlsym(library, "jack_disconnect")
    else { throw ServerFailure("no jack_disconnect") }
    _ = unsafeBitCast(symbol, to: Disconnect.self)(client.client, from, to)
  }
}

/// Sends an impulse every half second and measures how many frames later it comes back.
// The device's thread writes, others read later.
private final class RoundTrip: @unchecked Sendable {
  let measured = Atomic(0)
  let count = Atomic(0)
  private var sent = -1
  private static let period = 48_000 / 2

  static let function: AudioDeviceIOProc = { _, _, input, time, output, _, me in
    guard let me else { return kAudio_ParamError }
    let it = Unmanaged<RoundTrip>.fromOpaque(me).takeUnretainedValue()
    let first = Int(time.pointee.mSampleTime)
    let inputs = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: input))
    let outputs = UnsafeMutableAudioBufferListPointer(output)
    guard let source = inputs.first?.mData?.assumingMemoryBound(to: Float.self),
      let target = outputs.first?.mData?.assumingMemoryBound(to: Float.self),
      let channels = outputs.first.map({ Int($0.mNumberChannels) }),
      let bytes = outputs.first?.mDataByteSize
    else { return noErr }
    for frame in 0..<Int(bytes) / 4 / channels {
      let isPulse = (first + frame) % period == 0
      if isPulse { it.sent = first + frame }
      for channel in 0..<channels { target[frame * channels + channel] = isPulse ? 0.75 : 0 }
      if source[frame * channels] > 0.5, it.sent >= 0 {
        it.measured.store(first + frame - it.sent, ordering: .relaxed)
        it.count.wrappingAdd(1, ordering: .relaxed)
      }
    }
    return noErr
  }
}

extension Servers {
  @Suite("Reported latency of a JACK device", .serialized)
  struct JACKLatencyTests {
    @Test(
      "equals the measured round trip to the frame",
      arguments: [(period: 256, delay: 0), (128, 777), (512, 1_500)])
    func roundTrip(period: Int, delay: Int) throws {
      let server = try JACKFixture(period: period)
      defer { withExtendedLifetime(server) {} }
      try onDevice("jack") {
        let device = try HardwareObject("jack:system")
        let trip = RoundTrip()
        var id: AudioDeviceIOProcID?
        let context = Unmanaged.passUnretained(trip).toOpaque()
        #expect(AudioDeviceCreateIOProcID(device.id, RoundTrip.function, context, &id) == noErr)
        #expect(AudioDeviceStart(device.id, id) == noErr)
        // The loop closes one cycle later, which counts as capture latency.
        let out = UInt32(delay / 3)
        let back = UInt32(delay - delay / 3 + period)
        let cable = try JACKCable(delay: delay, playback: out, capture: back)
        let output = try #require(cable.ports(":output_1$").first)
        let input = try #require(cable.ports(":input_1$").first)
        try cable.disconnect(output, "system:playback_1")
        try cable.disconnect("system:capture_1", input)
        #expect(cable.connect(output: output, input: input))
        // A late cycle of a busy machine delays a pulse.
        var (seen, inRow) = (trip.count.load(ordering: .relaxed), 0)
        #expect(
          wait {
            let count = trip.count.load(ordering: .relaxed)
            guard count > seen else { return false }
            seen = count
            let isExact = trip.measured.load(ordering: .relaxed) == delay + period
            inRow = isExact ? inRow + 1 : 0
            return inRow >= 3
          }, "\(trip.measured.load(ordering: .relaxed)) frames")
        func reported(_ scope: AudioObjectPropertyScope) throws -> Int {
          try Int(device.get(kAudioDevicePropertyLatency, UInt32(0), scope))
            + Int(device.get(kAudioDevicePropertySafetyOffset, UInt32(0), scope))
        }
        #expect(
          try wait {
            try reported(kAudioObjectPropertyScopeOutput) + reported(kAudioObjectPropertyScopeInput)
              == delay + period
          })
        #expect(try reported(kAudioObjectPropertyScopeOutput) == Int(out))
        let name = try #require(id)
        #expect(AudioDeviceDestroyIOProcID(device.id, name) == noErr)
        withExtendedLifetime((trip, cable)) {}
      }
    }
  }
}
