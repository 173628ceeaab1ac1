// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Ramps on some buses of a mixer while other buses are edited.
@Suite("Automation of an edited mixer", .serialized)
struct MixerAutomationTests {
  /// The volume of a bus, frame by frame.
  private struct VolumeCurve {
    private(set) var volume: Float = 1
    private var start = 0
    private var length = 0
    private var from: Float = 1

    /// Whether all ramps end before `frame`.
    func isFree(at frame: Int) -> Bool { frame >= start + length }

    mutating func ramp(to value: Float, at frame: Int, frames: Int) {
      (from, volume, start, length) = (volume, value, frame, frames)
    }

    func value(at frame: Int) -> Double {
      if frame < start { return Double(from) }
      if frame >= start + length { return Double(volume) }
      return Double(from) + Double(volume - from) * Double(frame - start) / Double(length)
    }
  }

  @Test(
    "is sample-accurate on every unedited bus, while others are edited as fast as possible",
    arguments: [1, 3])
  func ramps(threads: UInt32) throws {
    let graph = try Graph()
    try check(AUGraphSetRenderThreads(graph.handle, threads))
    let mixer = try graph.add(.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer))
    let output = try graph.addOutput()
    try graph.open()
    let (buses, edited) = (4, 12)
    try graph.set(
      mixer, kAudioUnitProperty_ElementCount, UInt32(buses + edited), kAudioUnitScope_Input)
    let unit = try graph.unit(mixer)
    // Mono inputs: the measured ones on the left channel only, the edited ones on the right.
    for input in 0..<UInt32(buses + edited) {
      try graph.setFormat(mixer, kAudioUnitScope_Input, input, channels: 1)
      try check(
        AudioUnitSetParameter(
          unit, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, input,
          input < buses ? -1 : 1, 0))
    }
    for bus in 0..<buses {
      let gain = try graph.add(.gain)
      try graph.setFormat(gain, kAudioUnitScope_Input, channels: 1)
      try graph.setFormat(gain, kAudioUnitScope_Output, channels: 1)
      try check(graph.feed(gain, 0, .constant(Float(1 << bus))))
      try check(graph.connect(gain, to: mixer, UInt32(bus)))
    }
    try check(graph.connect(mixer, to: output))
    try graph.initialize()

    let end = Date().addingTimeInterval(1)
    let editor = OwnThread { () -> Int in
      var random = RandomNumbers(3)
      var updates = 0
      while Date() < end || updates < 50 {
        let bus = UInt32(buses + random.next(edited))
        switch random.next(3) {
        case 0: _ = graph.feed(mixer, bus, .constant(Float(random.next(100))))
        case 1: _ = graph.disconnect(mixer, bus)
        default:
          guard let steps = try? graph.add(.steps) else { continue }
          _ = try? graph.setFormat(steps, kAudioUnitScope_Output, channels: 1)
          if graph.connect(steps, to: mixer, bus) != noErr { _ = graph.remove(steps) }
        }
        if graph.update() == noErr { updates += 1 }
      }
      return updates
    }

    var random = RandomNumbers(4)
    var curves = [VolumeCurve](repeating: VolumeCurve(), count: buses)
    var (frame, worst, moved, hasEditOutput) = (0, 0.0, 0, false)
    let head = try graph.unit(output)
    while Date() < end || moved < 100 {
      let frames = 1 + random.next(300)
      for bus in 0..<buses where curves[bus].isFree(at: frame) && random.next(3) > 0 {
        let offset = random.next(frames)
        let length = 1 + random.next(700)
        var event = AudioUnitParameterEvent()
        (event.scope, event.element) = (kAudioUnitScope_Input, UInt32(bus))
        event.parameter = kMultiChannelMixerParam_Volume
        event.eventType = .parameterEvent_Ramped
        event.eventValues.ramp.startBufferOffset = Int32(offset)
        event.eventValues.ramp.durationInFrames = UInt32(length)
        event.eventValues.ramp.startValue = curves[bus].volume
        event.eventValues.ramp.endValue = Float(random.next(11)) / 10
        try check(AudioUnitScheduleParameters(unit, &event, 1))
        curves[bus].ramp(
          to: event.eventValues.ramp.endValue, at: frame + offset, frames: length)
        moved += 1
      }
      let slice = try renderStereo(head, frames, at: frame)
      for index in 0..<frames {
        let expected = (0..<buses).reduce(0.0) {
          $0 + Double(1 << $1) * curves[$1].value(at: frame + index)
        }
        worst = max(worst, abs(Double(slice[index]) - expected))
      }
      hasEditOutput = hasEditOutput || slice[frames] != 0
      frame += frames
    }
    #expect(editor.join() >= 50)
    #expect(hasEditOutput)
    #expect(worst < 2e-5)
  }
}
