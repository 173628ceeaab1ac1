// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Synchronization
import Testing

@Suite("Processing without pulling")
struct ProcessTests {
  private func process(
    _ host: Host, _ frames: Int, _ buffers: Buffers, flags: AudioUnitRenderActionFlags = []
  ) -> Rendered {
    var (flags, stamp) = (flags, timeStamp(0))
    let status = AudioUnitProcess(
      host.unit, &flags, &stamp, UInt32(frames), buffers.list.unsafeMutablePointer)
    return Rendered(status: status, flags: flags, buffers: buffers)
  }

  private func impulse(_ frames: Int = 8) -> Buffers {
    let buffers = Buffers(frames: frames)
    for channel in 0..<2 { buffers[channel] = [1] + Array(repeating: 0, count: frames - 1) }
    return buffers
  }

  private func echo() throws -> Host {
    let host = try Host(.echo)
    #expect(host.initialize() == noErr)
    return host
  }

  @Test("processes the caller's memory, without connections")
  func inPlace() throws {
    let rendered = process(try echo(), 8, impulse())
    #expect(rendered.status == noErr)
    #expect(rendered[0] == [1, 0, 0, 0, 0.5, 0, 0, 0] && rendered[1] == rendered[0])
    #expect(rendered.buffers.isOwn(0))
  }

  @Test("processes each call, even for the same time")
  func repeated() throws {
    let host = try echo()
    _ = process(host, 2, impulse(2))
    #expect(process(host, 4, impulse(4))[0] == [1, 0, 0.5, 0])
  }

  @Test("does not replace a render of the same time")
  func rendered() throws {
    let host = try Host(.echo)
    #expect(host.feed(.constant(0.25)) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(4)[0] == [0.25, 0.25, 0.25, 0.25])
    _ = process(host, 4, impulse(4))
    let again = host.render(4, intoOwn: true)
    #expect(again[0][0] == 0.25 + 0.5)
  }

  @Test("does not change the samples while bypassed")
  func bypassed() throws {
    let host = try echo()
    #expect(host.set(kAudioUnitProperty_BypassEffect, UInt32(1)) == noErr)
    #expect(process(host, 8, impulse())[0] == [1, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("trusts the caller's silence flag")
  func silence() throws {
    let host = try echo()
    #expect(!process(host, 8, impulse()).isSilent)
    let silent = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence
    #expect(!process(host, 8, Buffers(frames: 8), flags: silent).isSilent, "its tail")
    let rendered = process(host, 8, Buffers(frames: 8), flags: silent)
    #expect(rendered.isSilent && rendered[0] == Array(repeating: 0, count: 8))
  }

  @Test("is refused by generators, mixers and converters", arguments: [TestUnit.counter, .sums])
  func notAnEffect(unit: TestUnit) throws {
    let host = try Host(unit)
    #expect(host.initialize() == noErr)
    #expect(process(host, 8, impulse()).status == kAudio_UnimplementedError)
    #expect(!AudioComponentInstanceCanDo(host.unit, Int16(kAudioUnitProcessSelect)))
  }

  @Test("checks its arguments, and stores the error")
  func arguments() throws {
    let host = try Host(.echo)
    #expect(process(host, 8, impulse()).status == kAudioUnitErr_Uninitialized)
    #expect(
      try host.get(kAudioUnitProperty_LastRenderError, as: OSStatus.self)
        == kAudioUnitErr_Uninitialized)
    #expect(host.initialize() == noErr)
    #expect(
      process(host, 1157, Buffers(frames: 1157)).status == kAudioUnitErr_TooManyFramesToProcess)
    #expect(process(host, 8, Buffers(channels: 1, frames: 8)).status == kAudio_ParamError)
    #expect(process(host, 8, Buffers(channels: 3, frames: 8)).status == kAudio_ParamError)
    #expect(process(host, 8, Buffers(frames: 7)).status == kAudio_ParamError)
    #expect(process(host, 8, Buffers(frames: 8, isEmpty: true)).status == kAudio_ParamError)
    let noList = fromBits(0, UnsafeMutablePointer<AudioBufferList>.self)
    var stamp = timeStamp(0)
    #expect(AudioUnitProcess(host.unit, nil, &stamp, 8, noList) == kAudio_ParamError)
  }

  @Test("calls no render notifies")
  func notifies() throws {
    let host = try echo()
    let calls = Atomic<Int>(0)
    let notify = Callback { _ in
      calls.add(1, ordering: .relaxed)
      return noErr
    }
    #expect(notify.notify(host) == noErr)
    _ = process(host, 8, impulse())
    #expect(calls.load(ordering: .relaxed) == 0)
  }

  @Test("applies scheduled changes at their frame")
  func automation() throws {
    let host = try echo()
    #expect(host.schedule(.immediate(0, 0.5, at: 2)) == noErr)
    let buffers = Buffers(frames: 4)
    for channel in 0..<2 { buffers[channel] = [1, 1, 1, 1] }
    #expect(process(host, 4, buffers)[0] == [1, 1, 0.5, 0.5])
  }

  // MARK: Several buses

  private func processMultiple(
    _ host: Host, _ frames: Int, _ inputs: [Buffers?], _ outputs: [Buffers?]
  ) -> OSStatus {
    var stamp = timeStamp(0)
    var from = inputs.map { $0.map { UnsafePointer($0.list.unsafeMutablePointer) } }
    var to = outputs.map { $0?.list.unsafeMutablePointer }
    return withExtendedLifetime((inputs, outputs)) {
      from.withUnsafeMutableBytes { from in
        to.withUnsafeMutableBytes { to in
          AudioUnitProcessMultiple(
            host.unit, nil, &stamp, UInt32(frames), UInt32(inputs.count),
            fromBits(
              UInt(bitPattern: from.baseAddress),
              UnsafeMutablePointer<UnsafePointer<AudioBufferList>>.self),
            UInt32(outputs.count),
            fromBits(
              UInt(bitPattern: to.baseAddress),
              UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>.self))
        }
      }
    }
  }

  private func constant(_ value: Float, _ frames: Int = 2) -> Buffers {
    let buffers = Buffers(frames: frames)
    for channel in 0..<2 { buffers[channel] = Array(repeating: value, count: frames) }
    return buffers
  }

  @Test("of several buses fills every output from every input")
  func buses() throws {
    let host = try Host(.sums)
    #expect(host.initialize() == noErr)
    let (sum, difference, one) = (Buffers(frames: 2), Buffers(frames: 2), constant(1))
    #expect(processMultiple(host, 2, [one, constant(3)], [sum, difference]) == noErr)
    #expect(sum[0] == [4, 4] && difference[1] == [-2, -2] && one[0] == [1, 1])
  }

  @Test("of several buses skips those without a list")
  func skipped() throws {
    let host = try Host(.sums)
    #expect(host.initialize() == noErr)
    let (sum, difference) = (Buffers(frames: 2), Buffers(frames: 2))
    #expect(processMultiple(host, 2, [nil, constant(3)], [nil, difference]) == noErr)
    #expect(difference[0] == [-3, -3])
    #expect(processMultiple(host, 2, [constant(1)], [sum]) == noErr)
    #expect(sum[0] == [1, 1])
  }

  @Test("of an effect copies from the input list to the output list")
  func effect() throws {
    let (host, input, output) = (try echo(), constant(1, 6), Buffers(frames: 6))
    #expect(processMultiple(host, 6, [input], [output]) == noErr)
    #expect(output[0] == [1, 1, 1, 1, 1.5, 1.5] && input[0] == [1, 1, 1, 1, 1, 1])
  }

  @Test("points an output list without memory at the unit's own")
  func emptyOutput() throws {
    let (host, output) = (try echo(), Buffers(frames: 2, isEmpty: true))
    #expect(processMultiple(host, 2, [constant(1)], [output]) == noErr)
    #expect(output[1] == [1, 1] && !output.isOwn(1))
  }

  @Test("of several buses checks every list")
  func multipleArguments() throws {
    let host = try Host(.sums)
    let (good, narrow) = (constant(1), Buffers(channels: 1, frames: 2))
    #expect(processMultiple(host, 2, [good], [good]) == kAudioUnitErr_Uninitialized)
    #expect(host.initialize() == noErr)
    let three = [good, good, good]
    #expect(processMultiple(host, 2, three, [good]) == kAudioUnitErr_InvalidElement)
    #expect(processMultiple(host, 2, [good], three) == kAudioUnitErr_InvalidElement)
    #expect(processMultiple(host, 2, [good], []) == kAudioUnitErr_InvalidElement)
    #expect(processMultiple(host, 2, [narrow], [good]) == kAudio_ParamError)
    #expect(processMultiple(host, 2, [good], [narrow]) == kAudio_ParamError)
    let narrowAndEmpty = Buffers(channels: 1, frames: 2, isEmpty: true)
    #expect(processMultiple(host, 2, [good], [narrowAndEmpty]) == kAudio_ParamError)
    #expect(processMultiple(host, 3, [good], [constant(1, 3)]) == kAudio_ParamError)
    let counter = try Host(.counter)
    #expect(counter.initialize() == noErr)
    #expect(processMultiple(counter, 2, [], [good]) == kAudio_UnimplementedError)
  }
}
