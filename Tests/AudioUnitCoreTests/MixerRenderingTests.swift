// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Synchronization
import Testing

@Suite("A mixer that renders")
struct MixerRenderingTests {
  @Test("pulls every input once per time for all of its outputs")
  func once() throws {
    let host = try Host(.sums)
    let pulls = Mutex<[UInt32]>([])
    let source = Callback { call in
      pulls.withLock { $0.append(call.bus) }
      call.fill { Float(call.bus + 1) + Float($0) }
      return noErr
    }
    for bus in 0..<2 as Range<UInt32> { #expect(host.feed(source, bus: bus) == noErr) }
    #expect(host.initialize() == noErr)
    #expect(host.render(3, at: 0, bus: 0)[0] == [3, 5, 7])
    #expect(host.render(3, at: 0, bus: 1)[0] == [-1, -1, -1])
    #expect(host.render(3, at: 0, bus: 0)[1] == [3, 5, 7])
    #expect(pulls.withLock { $0 } == [0, 1])
  }

  @Test("gets silence from inputs that are not connected, or that promise silence")
  func silence() throws {
    let host = try Host(.sums)
    let liar = Callback { call in
      call.fill { _ in 77 }
      call.flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return noErr
    }
    #expect(host.feed(liar, bus: 1) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(2)[0] == [0, 0])
    #expect(host.feed(.constant(0.5), bus: 0) == noErr)
    let rendered = host.render(2, at: 2)
    #expect(rendered[0] == [0.5, 0.5] && !rendered.isSilent)
  }

  @Test("returns the error of an input, even if nothing is connected further up")
  func failures() throws {
    let (host, effect) = (try Host(.sums), try Host(.echo))
    #expect(host.feed(Callback { _ in -5 }, bus: 1) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(2).status == -5)
    #expect(effect.initialize() == noErr)
    #expect(host.connect(effect, to: 1) == noErr)
    #expect(host.render(2).status == kAudioUnitErr_NoConnection)
  }

  @Test("can have buses of different formats")
  func formats() throws {
    let host = try Host(.sums)
    #expect(host.setFormat(kAudioUnitScope_Input, 1, channels: 1) == noErr)
    #expect(host.setFormat(kAudioUnitScope_Output, 1, channels: 3) == noErr)
    let widths = Mutex<[Int]>([])
    let source = Callback { call in
      widths.withLock { $0.append(call.data.count) }
      call.fill { _ in 1 }
      return noErr
    }
    for bus in 0..<2 as Range<UInt32> { #expect(host.feed(source, bus: bus) == noErr) }
    #expect(host.initialize() == noErr)
    let rendered = host.render(1, bus: 1, channels: 3)
    #expect(widths.withLock { $0 } == [2, 1])
    #expect((0..<3).map { rendered[$0] } == [[0], [1], [0]])
  }

  @Test("changes the parameters of one input or output at their frame")
  func automation() throws {
    let host = try Host(.sums)
    for bus in 0..<2 as Range<UInt32> { #expect(host.feed(.constant(1), bus: bus) == noErr) }
    #expect(host.initialize() == noErr)
    #expect(host.schedule(.immediate(0, 0.25, at: 1, kAudioUnitScope_Input, 1)) == noErr)
    #expect(host.schedule(.immediate(1, 0.5, at: 2, kAudioUnitScope_Output, 0)) == noErr)
    #expect(host.render(3)[0] == [2, 1.25, 0.625])
  }

  @Test("renders another number of inputs after it has changed")
  func moreInputs() throws {
    let host = try Host(.sums)
    #expect(host.set(kAudioUnitProperty_ElementCount, UInt32(8), kAudioUnitScope_Input) == noErr)
    for bus in 0..<8 as Range<UInt32> { #expect(host.feed(.constant(1), bus: bus) == noErr) }
    #expect(host.initialize() == noErr)
    #expect(host.render(1)[0] == [8])
    #expect(host.uninitialize() == noErr)
    #expect(host.set(kAudioUnitProperty_ElementCount, UInt32(3), kAudioUnitScope_Input) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(1, at: 1)[0] == [3])
  }
}

@Suite("A converter that renders")
struct ConverterRenderingTests {
  private func converter(_ maximum: UInt32 = 1156) throws -> Host {
    let host = try Host(.decimator)
    #expect(host.setFormat(kAudioUnitScope_Output, rate: 22_050) == noErr)
    #expect(host.set(kAudioUnitProperty_MaximumFramesPerSlice, maximum) == noErr)
    return host
  }

  @Test(
    "requests other numbers of frames, in pieces of at most the maximum slice",
    arguments: [16, 5, 1156])
  func pieces(maximum: UInt32) throws {
    let host = try converter(maximum)
    let pulls = Mutex<[Int]>([])
    let source = Callback { call in
      pulls.withLock { $0.append(call.frameCount) }
      let start = Int(call.time.mSampleTime)
      call.fill { Float(start + $0) }
      return noErr
    }
    #expect(host.feed(source) == noErr)
    #expect(host.initialize() == noErr)
    let frames = min(Int(maximum), 10)
    for slice in 0..<3 {
      let rendered = host.render(frames, at: Double(slice * frames))
      let even: [Float] = (0..<frames).map { Float(2 * (slice * frames + $0)) }
      #expect(rendered[0] == even)
    }
    let counts = pulls.withLock { $0 }
    #expect(counts.reduce(0, +) == 6 * frames)
    #expect(counts.allSatisfy { $0 <= maximum })
  }

  @Test("pulls a connected unit's frames one after the other, without repeating any")
  func connected() throws {
    let (host, source) = (try converter(8), try Host(.counter))
    #expect(host.connect(source) == noErr)
    #expect(source.initialize() == noErr)
    #expect(host.initialize() == noErr)
    let samples = (0..<4).flatMap { host.render(8, at: Double($0) * 8)[0] }
    let odd: [Float] = (0..<32).map { Float(2 * $0 + 1) }
    #expect(samples == odd)
  }

  @Test("starts from the beginning after a reset")
  func reset() throws {
    let host = try converter()
    #expect(host.feed(.signal { Float($0) }) == noErr)
    #expect(host.initialize() == noErr)
    _ = host.render(4)
    #expect(host.reset() == noErr)
    #expect(host.render(2, at: 100)[0] == [100, 102])
  }

  @Test("returns an error of its input")
  func failure() throws {
    let host = try converter()
    #expect(host.feed(Callback { _ in -3 }) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(4).status == -3)
  }
}
