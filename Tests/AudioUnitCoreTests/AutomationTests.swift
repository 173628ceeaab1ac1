// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

@Suite("Scheduled parameter changes")
struct AutomationTests {
  private let level: AudioUnitParameterID = 0
  private let stepped: AudioUnitParameterID = 7

  private func initialized() throws -> Host {
    let host = try Host(.values)
    #expect(host.initialize() == noErr)
    return host
  }

  @Test("a value set without an offset applies from the next frame on")
  func atOnce() throws {
    let host = try initialized()
    #expect(host.setParameter(level, 1) == noErr)
    #expect(try host.parameter(level) == 1)
    #expect(host.render(3)[0] == [1, 1, 1])
  }

  @Test("a value set with an offset applies from that frame on", arguments: [1, 2, 5] as [UInt32])
  func offset(frame: UInt32) throws {
    let host = try initialized()
    #expect(host.setParameter(level, 1, at: frame) == noErr)
    #expect(host.render(6)[0] == (0..<6).map { $0 < frame ? 0.5 : 1 })
  }

  @Test("before initializing, values and ramp ends apply immediately")
  func uninitialized() throws {
    let host = try Host(.values)
    #expect(host.setParameter(level, 1, at: 400) == noErr)
    #expect(try host.parameter(level) == 1)
    #expect(host.schedule(.ramp(level, from: 0, to: 0.25, at: 10, frames: 10)) == noErr)
    #expect(try host.parameter(level) == 0.25)
  }

  @Test("an immediate event applies exactly from its frame on, and divides the slice only there")
  func immediate() throws {
    let host = try initialized()
    #expect(
      host.schedule(.immediate(level, 0, at: 2), .immediate(stepped, 20, at: 3)) == noErr)
    let rendered = host.render(5)
    #expect(rendered[0] == [0.5, 0.5, 0, 0, 0])
    #expect(rendered[1] == [10, 10, 10, 20, 20])
  }

  @Test("an immediate event for the first frame can be read immediately")
  func immediateNow() throws {
    let host = try initialized()
    #expect(host.schedule(.immediate(level, 1, at: 0)) == noErr)
    #expect(try host.parameter(level) == 1)
    #expect(host.render(2)[0] == [1, 1])
  }

  @Test("events in any order are applied in the order of their frames")
  func sorted() throws {
    let host = try initialized()
    #expect(
      host.schedule(
        .immediate(level, 1, at: 4), .immediate(level, 0, at: 1), .immediate(level, 0.25, at: 4))
        == noErr)
    #expect(host.render(6)[0] == [0.5, 0, 0, 0, 0.25, 0.25], "the later of two at one frame wins")
  }

  @Test("a ramp is linear from frame to frame, and its end value remains")
  func ramp() throws {
    let host = try initialized()
    #expect(host.schedule(.ramp(level, from: 0, to: 1, at: 2, frames: 4)) == noErr)
    #expect(host.render(8)[0] == [0.5, 0.5, 0, 0.25, 0.5, 0.75, 1, 1])
    #expect(try host.parameter(level) == 1)
  }

  @Test("a ramp continues across renders of any size", arguments: [1, 3, 7, 64])
  func acrossRenders(slice: Int) throws {
    let host = try initialized()
    #expect(host.schedule(.ramp(level, from: 0, to: 1, at: 5, frames: 32)) == noErr)
    var samples: [Float] = []
    while samples.count < 50 {
      samples += host.render(slice, at: Double(samples.count))[0]
    }
    for (index, sample) in samples.enumerated() {
      let expected = index < 5 ? 0.5 : min(Float(index - 5) / 32, 1)
      #expect(abs(sample - expected) < 1e-6, "frame \(index)")
    }
  }

  @Test("a ramp that began before the buffer has already advanced at the first frame")
  func negativeStart() throws {
    let host = try initialized()
    #expect(host.schedule(.ramp(level, from: 0, to: 1, at: -4, frames: 8)) == noErr)
    #expect(host.render(6)[0] == [0.5, 0.625, 0.75, 0.875, 1, 1])
    #expect(host.schedule(.ramp(level, from: 0, to: 0.5, at: -9, frames: 8)) == noErr)
    #expect(host.render(2, at: 6)[0] == [0.5, 0.5], "a ramp that has ended")
  }

  @Test("a parameter that cannot ramp within a slice follows a ramp in steps")
  func steppedRamp() throws {
    let host = try initialized()
    #expect(host.schedule(.ramp(stepped, from: 0, to: 64, at: 0, frames: 64)) == noErr)
    let samples = host.render(96)[1]
    for index in samples.indices {
      let late = Float(min(index, 64)) - samples[index]
      #expect((0...16).contains(late), "frame \(index)")
    }
    #expect(samples[95] == 64)
  }

  @Test("an event far ahead waits until its frame, over several renders")
  func farAhead() throws {
    let host = try initialized()
    #expect(host.schedule(.immediate(level, 1, at: 100)) == noErr)
    for index in 0..<9 { #expect(host.render(11, at: Double(index) * 11)[0].max() == 0.5) }
    #expect(host.render(11, at: 99)[0] == [0.5] + Array(repeating: 1, count: 10))
  }

  @Test("a newer ramp replaces an older one")
  func newerRamp() throws {
    let host = try initialized()
    #expect(host.schedule(.ramp(level, from: 0, to: 1, at: 0, frames: 8)) == noErr)
    #expect(host.schedule(.ramp(level, from: 1, to: 0, at: 4, frames: 2)) == noErr)
    #expect(host.render(8)[0] == [0, 0.125, 0.25, 0.375, 1, 0.5, 0, 0])
  }

  @Test("a host that sets the parameter during a ramp ends the ramp")
  func overriddenRamp() throws {
    let host = try initialized()
    #expect(host.schedule(.ramp(level, from: 0, to: 1, at: 0, frames: 8)) == noErr)
    #expect(host.render(4)[0] == [0, 0.125, 0.25, 0.375])
    #expect(host.setParameter(level, 0.0625) == noErr)
    #expect(host.render(4, at: 4)[0] == [0.0625, 0.0625, 0.0625, 0.0625])
  }

  @Test("a change scheduled by a render notify belongs to the same render")
  func fromNotify() throws {
    let host = try initialized()
    let unit = UInt(bitPattern: host.unit)
    let callback = Callback { call in
      guard call.flags.pointee.contains(.unitRenderAction_PreRender) else { return noErr }
      var event = AudioUnitParameterEvent.immediate(0, 1, at: 2)
      return AudioUnitScheduleParameters(fromBits(unit, AudioUnit.self), &event, 1)
    }
    #expect(callback.notify(host) == noErr)
    #expect(host.render(4)[0] == [0.5, 0.5, 1, 1])
  }

  @Test("when one of several events is invalid, none is scheduled")
  func allOrNothing() throws {
    let host = try initialized()
    #expect(
      host.schedule(.immediate(level, 0, at: 1), .immediate(level, .nan, at: 2))
        == kAudioUnitErr_InvalidParameterValue)
    var strange = AudioUnitParameterEvent.immediate(level, 0, at: 1)
    withUnsafeMutableBytes(of: &strange) { $0.storeBytes(of: 9, toByteOffset: 12, as: UInt32.self) }
    #expect(host.schedule(.immediate(level, 0, at: 1), strange) == kAudio_ParamError)
    #expect(
      host.schedule(.ramp(level, from: .infinity, to: 0, at: 0, frames: 4))
        == kAudioUnitErr_InvalidParameterValue)
    #expect(host.schedule(.immediate(level, 0, at: .max)) == kAudio_ParamError)
    #expect(host.render(4)[0] == [0.5, 0.5, 0.5, 0.5])
  }

  @Test("more than 1,024 waiting events are refused; a value with an offset is then set early")
  func fullQueue() throws {
    let host = try initialized()
    for _ in 0..<1024 { #expect(host.schedule(.immediate(level, 0.75, at: 3)) == noErr) }
    #expect(
      host.schedule(.immediate(level, 0, at: 3)) == kAudioUnitErr_CannotDoInCurrentContext)
    #expect(host.setParameter(stepped, 50, at: 3) == noErr)
    let rendered = host.render(4)
    #expect(rendered[0] == [0.5, 0.5, 0.5, 0.75])
    #expect(rendered[1] == [50, 50, 50, 50])
    #expect(host.schedule(.immediate(level, 0, at: 1)) == noErr)
    #expect(host.render(2, at: 4)[0] == [0.75, 0])
  }

  @Test("reset removes waiting events, and a ramp stops at its current value")
  func reset() throws {
    let host = try initialized()
    #expect(host.schedule(.ramp(level, from: 0, to: 1, at: 0, frames: 8)) == noErr)
    _ = host.render(4)
    #expect(host.schedule(.immediate(stepped, 50, at: 1)) == noErr)
    #expect(host.reset() == noErr)
    let rendered = host.render(3, at: 0)
    #expect(rendered[0] == [0.5, 0.5, 0.5])
    #expect(rendered[1] == [10, 10, 10])
  }

  @Test("both ends of a ramp are limited to the range of its parameter")
  func rampBeyondRange() throws {
    let host = try initialized()
    #expect(host.schedule(.ramp(level, from: -3e38, to: 3e38, at: 1, frames: 4)) == noErr)
    #expect(host.render(7)[0] == [0.5, 0, 0.25, 0.5, 0.75, 1, 1])
    #expect(try host.parameter(level) == 1)
    #expect(host.schedule(.ramp(level, from: 7, to: 8, at: 0, frames: 4)) == noErr)
    #expect(host.render(4, at: 7)[0] == [1, 1, 1, 1])
  }

  @Test("an event beyond the range is read back unchanged, and limited for the kernel")
  func eventBeyondRange() throws {
    let host = try initialized()
    #expect(host.schedule(.immediate(stepped, 1e30, at: 2)) == noErr)
    #expect(host.setParameter(level, -4, at: 3) == noErr)
    let rendered = host.render(5)
    #expect(rendered[0] == [0.5, 0.5, 0.5, 0, 0])
    #expect(rendered[1] == [10, 10, 100, 100, 100])
    #expect(try host.parameter(stepped) == 1e30)
    #expect(try host.parameter(level) == -4)
  }

  @Test("a ramp between the largest numbers remains finite")
  func hugeRamp() throws {
    let host = try initialized()
    let largest = Float.greatestFiniteMagnitude
    #expect(host.schedule(.ramp(stepped, from: -largest, to: largest, at: 0, frames: 64)) == noErr)
    #expect(host.render(64)[1].allSatisfy { $0.isFinite })
  }

  @Test("events advance while an effect is bypassed, silent or without input")
  func withoutKernel() throws {
    for isBypassed in [true, false] {
      let host = try Host(.echo)
      #expect(host.set(kAudioUnitProperty_BypassEffect, UInt32(isBypassed ? 1 : 0)) == noErr)
      if isBypassed { #expect(host.feed(.constant(1)) == noErr) }
      #expect(host.initialize() == noErr)
      for round in 0..<3 {
        for _ in 0..<512 { #expect(host.schedule(.immediate(0, 2, at: 3)) == noErr) }
        _ = host.render(8, at: Double(round) * 8)
      }
      #expect(try host.parameter(0) == 2)
    }
    let host = try Host(.echo)
    let silence = Callback { call in
      call.fill { _ in 0 }
      call.flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return noErr
    }
    #expect(host.feed(silence) == noErr)
    #expect(host.initialize() == noErr)
    for round in 0..<3 { _ = host.render(8, at: Double(round) * 8) }
    #expect(host.schedule(.immediate(0, 2, at: 3)) == noErr)
    _ = host.render(8, at: 24)
    #expect(try host.parameter(0) == 2)
  }
}
