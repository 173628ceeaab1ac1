// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI

/// What a unit does with MIDI messages, and those that it sends.
enum MIDIChecks {
  private static let types = [
    kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor,
  ]

  /// Notes on all channels sound and end, nonsense does no harm, and each message that the unit sends
  /// belongs to the slice in which it is sent.
  static func messages(_ subject: TestedComponent) throws -> String? {
    guard types.contains(subject.description.componentType) else { throw Skip("it takes no MIDI") }
    let outputs = MIDIOutputRecord()
    let run = try RenderRun(subject) { try outputs.listen(to: $0) }
    func send(_ status: UInt32, _ one: UInt32, _ two: UInt32, at frame: UInt32 = 0) throws {
      try expect(
        MusicDeviceMIDIEvent(run.tested.unit, status, one, two, frame),
        "MusicDeviceMIDIEvent(\(status), \(one), \(two))")
    }
    func render(_ frames: Int) throws -> Float {
      outputs.begin(run.time, frames)
      try run.mustRender(frames, "\(frames) frames with MIDI")
      try outputs.check()
      return (0..<run.channelCount).reduce(0) { max($0, peak([Array(run.samples($1))])) }
    }
    var loudest: Float = 0
    for channel in 0..<16 as Range<UInt32> {
      try send(0x90 | channel, 48 + channel, 100, at: channel)
    }
    for frames in [1, 64, 512, 4_096] { loudest = max(loudest, try render(frames)) }
    for channel in 0..<16 as Range<UInt32> { try send(0x80 | channel, 48 + channel, 64) }
    loudest = max(loudest, try render(512))

    // Only the process has to survive them.
    for status in [0, 0x7F, 0x100, .max] as [UInt32] {
      _ = MusicDeviceMIDIEvent(run.tested.unit, status, .max, .max, .max)
    }
    for status in stride(from: 0x80 as UInt32, to: 0x100, by: 8) {
      _ = MusicDeviceMIDIEvent(run.tested.unit, status, 0xFF, 0xFF, 17)
    }
    let long = [0xF0] + [UInt8](repeating: 1, count: 70_000)
    _ = MusicDeviceSysEx(run.tested.unit, long, UInt32(long.count))
    _ = MusicDeviceSysEx(run.tested.unit, long, 0)
    _ = try render(512)

    for channel in 0..<16 as Range<UInt32> {
      for controller in [64, 120, 121, 123] as [UInt32] { try send(0xB0 | channel, controller, 0) }
    }
    let wait = 10 + min(run.tested.tail ?? 0, 20)
    for _ in 0..<Int(wait * run.sampleRate / 4_096) { _ = try render(4_096) }
    let rest = try render(4_096)
    try expect(
      rest <= max(1e-5, 1e-3 * loudest),
      "\(wait) s after all sounds off the output still peaks at \(rest)")
    return outputs.text
  }
}

/// Records the MIDI messages that a unit sends while it renders.
private final class MIDIOutputRecord {
  /// What the callback uses, on the thread that renders.
  private struct State {
    var slice: (start: Double, frames: UInt64) = (0, 0)
    var outputCount: UInt32 = 0
    var messageCount = 0
    var fault: (text: StaticString, value: Double)?
  }

  private let state: UnsafeMutablePointer<State> = .allocate(capacity: 1)
  private var listens = false

  init() { state.initialize(to: State()) }
  deinit { state.deallocate() }

  /// Sets the callback, if the unit has outputs of MIDI.
  func listen(to tested: TestedUnit) throws {
    guard let names = tested.object(kAudioUnitProperty_MIDIOutputCallbackInfo) as? [Any] else {
      return
    }
    state.pointee.outputCount = UInt32(names.count)
    listens = true
    let callback = AUMIDIOutputCallbackStruct(
      midiOutputCallback: Self.receive, userData: UnsafeMutableRawPointer(state))
    try expect(
      tested.set(kAudioUnitProperty_MIDIOutputCallback, callback), "setting MIDIOutputCallback")
  }

  /// Begins a slice.
  func begin(_ time: Double, _ frames: Int) { state.pointee.slice = (time, UInt64(frames)) }

  /// Fails the check if a message of the slice was wrong.
  func check() throws {
    guard let fault = state.pointee.fault else { return }
    throw Fault("\(fault.text): \(fault.value)")
  }

  /// The number of messages; nil without outputs.
  var text: String? { listens ? "\(state.pointee.messageCount) messages sent" : nil }

  private static let receive: AUMIDIOutputCallback = { context, time, output, list in
    guard let state = context?.assumingMemoryBound(to: State.self) else { return kAudio_ParamError }
    func fault(_ text: StaticString, _ value: Double) {
      if state.pointee.fault == nil { state.pointee.fault = (text, value) }
    }
    let (start, frames) = state.pointee.slice
    if time.pointee.mSampleTime != start {
      fault("the time of sent messages is not that of the slice", time.pointee.mSampleTime)
    }
    if output >= state.pointee.outputCount {
      fault("messages of an unknown output", Double(output))
    }
    for packet in list.unsafeSequence() {
      state.pointee.messageCount += 1
      if packet.pointee.timeStamp >= frames {
        fault("a message behind the end of its slice, frame", Double(packet.pointee.timeStamp))
      }
      if packet.pointee.length == 0 { fault("a message without bytes, number", 0) }
    }
    return noErr
  }
}
