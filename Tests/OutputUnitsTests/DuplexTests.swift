// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Output unit, in both directions")
struct DuplexTests {
  /// A callback that passes the input to the output, and changes it.
  private func passing(
    _ unit: HostedUnit, _ change: @escaping @Sendable (_ frame: Int, _ sample: Float) -> Float
  ) -> HostCallback {
    let box = UnitBox()
    box.set(unit.handle)
    return HostCallback { moment in
      guard let list = moment.list, let buffers = moment.buffers else { return -1 }
      let status = AudioUnitRender(
        box.handle, moment.flags, moment.time, 1, UInt32(moment.frames), list)
      for buffer in buffers {
        guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { return -2 }
        for frame in 0..<moment.frames {
          data[frame] = change(moment.position + frame, data[frame])
        }
      }
      return status
    }
  }

  /// Plays a file through a unit, and records the output to another file.
  private func run(
    _ input: Tape, frames: Int, rate: Double = 48_000, cycle: Int = 512,
    format: AudioStreamBasicDescription,
    _ change: @escaping @Sendable (_ frame: Int, _ sample: Float) -> Float = { $1 }
  ) throws -> Tape {
    let output = Tape()
    try onDevice(output, input: input, rate: rate, frames: cycle) {
      let unit = try HostedUnit()
      try unit.enable(input: true)
      try unit.setFormat(format)
      try unit.setFormat(format, kAudioUnitScope_Output, 1)
      let callback = passing(unit, change)
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames >= frames })
      try unit.stop()
      #expect(try unit.lastRenderError == noErr)
    }
    return output
  }

  @Test(
    "passes the input to the output unchanged and without a delay", arguments: [64, 512, 8_192])
  func exact(cycle: Int) throws {
    let samples = [noise(30_000), noise(30_000, seed: 2)]
    let input = try Tape(samples, sampleRate: 44_100)
    let output = try run(
      input, frames: 40_000, rate: 44_100, cycle: cycle, format: .linear(44_100))
    let recorded = try output.samples()
    for channel in 0..<2 { #expect(Array(recorded[channel].prefix(30_000)) == samples[channel]) }
  }

  @Test(
    "is in tune and without a gap for half a minute if the device has another rate",
    arguments: [(48_000.0, 44_100.0), (44_100, 48_000), (96_000, 8_000)])
  func inTune(device: Double, program: Double) throws {
    let count = Int(device) * 31
    let tone = Signal.sine(440, amplitude: 0.5, sampleRate: device, count: count)
    let input = try Tape([tone.floats, tone.floats], sampleRate: device)
    let output = try run(
      input, frames: Int(program) * 31, rate: device, format: .linear(program))
    let recorded = try output.signal()
    let settled = recorded[Int(device) / 2..<Int(device) * 30 + Int(device) / 2]
    let fit = settled.tone(near: 440)
    #expect(abs(fit.frequency - 440) < 1e-6)
    #expect(abs(decibels(fit.amplitude / 0.5)) < 0.01)
    #expect(fit.distortionAndNoise < -110)
    // The delay is that of two filters and of the buffered frames, and is constant.
    #expect(abs(recorded[0..<2_000].samples.firstIndex { abs($0) > 0.05 } ?? 9_999) < 2_000)
  }

  @Test("lets a callback process the signal: half the gain, a ring modulator")
  func effects() throws {
    let tone = Signal.sine(440, amplitude: 0.5, sampleRate: 44_100, count: 90_000)
    let input = try Tape([tone.floats, tone.floats], sampleRate: 44_100)
    let quiet = try run(input, frames: 80_000, rate: 44_100, format: .linear(44_100)) { $1 * 0.5 }
    let level = try quiet.signal()[0..<66_150].tone(near: 440).amplitude
    #expect(abs(decibels(level / 0.5) + 6.0206) < 1e-4)
    let ring = try run(input, frames: 80_000, rate: 44_100, format: .linear(44_100)) {
      $1 * Float(sin(2 * .pi * 100 * Double($0) / 44_100))
    }
    let spectrum = Spectrum(try ring.signal()[0..<65_536])
    #expect(abs(decibels(spectrum.amplitude(at: 340) / 0.25)) < 0.9)
    #expect(abs(decibels(spectrum.amplitude(at: 540) / 0.25)) < 0.9)
    #expect(decibels(spectrum.highest(except: [340, 540]).amplitude) < -120)
  }

  /// The delay of a click every second, in frames, at the end of a run in which the callback first
  /// fails for `failing` frames.
  private func delay(failing: Int) throws -> Int {
    let (device, program, seconds) = (48_000, 44_100, 24)
    var clicks = [Float](repeating: 0, count: device * seconds)
    for second in 0..<seconds { clicks[second * device] = 0.5 }
    let input = try Tape([clicks, clicks], sampleRate: Double(device))
    let output = Tape()
    let box = UnitBox()
    let callback = HostCallback { moment in
      guard moment.position >= failing, let list = moment.list else { return -1 }
      return AudioUnitRender(
        box.handle, moment.flags, moment.time, 1, UInt32(moment.frames), list)
    }
    try onDevice(output, input: input, rate: Double(device)) {
      let unit = try HostedUnit()
      box.set(unit.handle)
      try unit.enable(input: true)
      try unit.setFormat(.linear(Double(program)))
      try unit.setFormat(.linear(Double(program)), kAudioUnitScope_Output, 1)
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames >= seconds * program })
      try unit.stop()
      #expect(try unit.lastRenderError == (failing > 0 ? -1 : noErr))
    }
    let last = try output.samples()[0][((seconds - 2) * device)..<((seconds - 1) * device)]
    let loudest = try #require(last.indices.max { abs(last[$0]) < abs(last[$1]) })
    #expect(abs(last[loudest]) > 0.3)
    return loudest - last.startIndex
  }

  @Test("has the same delay after a callback has failed for twenty seconds")
  func failures() throws {
    #expect(try delay(failing: 20 * 44_100) == delay(failing: 0))
  }

  @Test("captures with an input callback, without playing", arguments: [0, 1] as [UInt32])
  func inputOnly(element: UInt32) throws {
    let samples = [noise(20_000), noise(20_000, seed: 2)]
    let input = try Tape(samples, sampleRate: 44_100)
    let capture = Capture(coding: SampleCoding.all[0], channels: 2, isInterleaved: false)
    try onDevice(input: input, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.enable(input: true, output: false)
      try unit.setInputCallback(capture.callback, element: element)
      try capture.run(unit, frames: 20_000)
    }
    #expect(capture.statuses == [noErr])
    for channel in 0..<2 {
      #expect(Array(capture.samples[channel].prefix(20_000)) == samples[channel])
    }
    var time = 0.0
    for call in capture.callback.calls {
      #expect(call.bus == 1)
      #expect(call.byteSizes.isEmpty)
      #expect(call.time.mSampleTime == time)
      time += Double(call.frames)
    }
  }

  @Test("applies a channel map to the input")
  func inputMap() throws {
    let samples = [noise(4_000), noise(4_000, seed: 2), noise(4_000, seed: 3)]
    let input = try Tape(samples, sampleRate: 44_100)
    let capture = Capture(coding: SampleCoding.all[0], channels: 4, isInterleaved: false)
    try onDevice(input: input, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.enable(input: true, output: false)
      try unit.setFormat(.linear(44_100, channels: 4), kAudioUnitScope_Output, 1)
      try check(
        unit.setArray(
          kAudioOutputUnitProperty_ChannelMap, to: [2, -1, 0, 2] as [Int32],
          kAudioUnitScope_Output, 1))
      try capture.run(unit, frames: 4_000)
    }
    let captured = capture.samples.map { Array($0.prefix(4_000)) }
    #expect(captured[0] == samples[2])
    #expect(captured[1].allSatisfy { $0 == 0 })
    #expect(captured[2] == samples[0])
    #expect(captured[3] == samples[2])
  }

  @Test("returns the input of a slice every time it is read, in the caller's memory or its own")
  func readTwice() throws {
    let samples = [noise(20_000)]
    let input = try Tape(samples, sampleRate: 44_100)
    let box = UnitBox()
    let callback = HostCallback { moment in
      var read: [[Float]] = []
      for isOurs in [true, false] {
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        var own = [Float](repeating: 9, count: moment.frames)
        defer { free(list.unsafeMutablePointer) }
        let status = own.withUnsafeMutableBytes { bytes in
          list[0] = AudioBuffer(
            mNumberChannels: 1, mDataByteSize: UInt32(bytes.count),
            mData: isOurs ? bytes.baseAddress : nil)
          var flags = AudioUnitRenderActionFlags()
          let status = AudioUnitRender(
            box.handle, &flags, moment.time, 1, UInt32(moment.frames), list.unsafeMutablePointer)
          let data = list[0].mData?.assumingMemoryBound(to: Float.self)
          read.append((0..<moment.frames).compactMap { data?[$0] })
          // A reader may change its samples.
          for frame in 0..<moment.frames { data?[frame] = 0 }
          return status
        }
        guard status == noErr else { return status }
      }
      let expected = (0..<moment.frames).map { frame in
        moment.position + frame < 20_000 ? samples[0][moment.position + frame] : 0
      }
      return read[0] == expected && read[1] == expected ? noErr : -1
    }
    try onDevice(input: input, rate: 44_100) {
      let unit = try HostedUnit()
      box.set(unit.handle)
      try unit.enable(input: true, output: false)
      try unit.setFormat(.linear(44_100, channels: 1), kAudioUnitScope_Output, 1)
      try unit.setInputCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames >= 20_000 })
      try unit.stop()
      #expect(try unit.lastRenderError == noErr)
    }
  }

  @Test("refuses to read more than the slice, or into buffers of another format")
  func wrongReads() throws {
    let box = UnitBox()
    let callback = HostCallback { moment in
      func read(frames: Int, buffers: Int, bytes: UInt32) -> OSStatus {
        let list = AudioBufferList.allocate(maximumBuffers: buffers)
        defer { free(list.unsafeMutablePointer) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { memory.deallocate() }
        for index in 0..<buffers {
          list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: bytes, mData: memory)
        }
        var flags = AudioUnitRenderActionFlags()
        return AudioUnitRender(
          box.handle, &flags, moment.time, 1, UInt32(frames), list.unsafeMutablePointer)
      }
      let answers = [
        read(frames: moment.frames + 1, buffers: 2, bytes: 8_192),
        read(frames: 100_000, buffers: 2, bytes: 8_192),
        read(frames: moment.frames, buffers: 1, bytes: 8_192),
        read(frames: moment.frames, buffers: 2, bytes: 16),
        read(frames: moment.frames, buffers: 2, bytes: 8_192),
      ]
      let tooMany = kAudioUnitErr_TooManyFramesToProcess
      return answers == [tooMany, tooMany, kAudio_ParamError, kAudio_ParamError, noErr] ? noErr : -1
    }
    try onDevice {
      let unit = try HostedUnit()
      box.set(unit.handle)
      try unit.enable(input: true, output: false)
      try unit.setInputCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.count >= 4 })
      try unit.stop()
      #expect(try unit.lastRenderError == noErr)
    }
  }

  @Test("passes its input through another unit to its output, only with connections")
  func connections() throws {
    let samples = [noise(20_000), noise(20_000, seed: 2)]
    let input = try Tape(samples, sampleRate: 44_100)
    let output = Tape()
    try onDevice(output, input: input, rate: 44_100) {
      let unit = try HostedUnit()
      let middle = try HostedUnit(kAudioUnitSubType_GenericOutput)
      let notify = HostCallback()
      try unit.enable(input: true)
      try middle.connect(unit, bus: 1)
      try unit.connect(middle)
      try unit.addNotify(notify)
      try middle.initialize()
      try unit.initialize()
      try unit.start()
      #expect(wait { notify.frames >= 60_000 })
      try unit.stop()
      #expect(try unit.lastRenderError == noErr)
    }
    let recorded = try output.samples()
    for channel in 0..<2 { #expect(Array(recorded[channel].prefix(20_000)) == samples[channel]) }
  }

  @Test("passes its input to its own output, only with a connection")
  func passThrough() throws {
    let samples = [noise(20_000), noise(20_000, seed: 2)]
    let input = try Tape(samples, sampleRate: 44_100)
    let output = Tape()
    try onDevice(output, input: input, rate: 44_100) {
      let unit = try HostedUnit()
      let notify = HostCallback()
      try unit.enable(input: true)
      try unit.connect(unit, bus: 1)
      try unit.addNotify(notify)
      try unit.initialize()
      try unit.start()
      #expect(wait { notify.frames >= 60_000 })
      try unit.stop()
      #expect(try unit.lastRenderError == noErr)
    }
    let recorded = try output.samples()
    for channel in 0..<2 { #expect(Array(recorded[channel].prefix(20_000)) == samples[channel]) }
  }
}
