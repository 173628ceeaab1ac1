// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Synchronization
import Testing

@Suite("Connections")
struct ConnectionTests {
  private func format(_ host: Host, _ scope: AudioUnitScope, _ element: UInt32 = 0) throws
    -> AudioStreamBasicDescription
  {
    try host.get(
      kAudioUnitProperty_StreamFormat, as: AudioStreamBasicDescription.self, scope, element)
  }

  @Test("deliver the source's samples")
  func samples() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(host.connect(source) == noErr)
    #expect(source.initialize() == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(4)[0] == [1, 2, 3, 4])
    #expect(host.render(4, at: 4)[0] == [5.5, 7, 8.5, 10])
  }

  @Test("set the input to the source's format, and notify listeners")
  func formats() throws {
    let (source, host, watch) = (try Host(.counter), try Host(.echo), PropertyWatch())
    #expect(source.setFormat(kAudioUnitScope_Output, rate: 96_000, channels: 1) == noErr)
    #expect(watch.watch(host, kAudioUnitProperty_StreamFormat) == noErr)
    #expect(host.connect(source) == noErr)
    let input = try format(host, kAudioUnitScope_Input)
    #expect(input.mSampleRate == 96_000 && input.mChannelsPerFrame == 1)
    #expect(try format(host, kAudioUnitScope_Output).mSampleRate == 44_100, "no further")
    #expect(
      watch.notices == [.init(host.unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0)]
    )
  }

  @Test("notify listeners of a new sample rate; a layout that does not fit is removed")
  func rate() throws {
    let (source, host, watch) = (try Host(.counter), try Host(.echo), PropertyWatch())
    var stereo = AudioChannelLayout()
    stereo.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    #expect(host.set(kAudioUnitProperty_AudioChannelLayout, stereo, kAudioUnitScope_Input) == noErr)
    #expect(source.setFormat(kAudioUnitScope_Output, rate: 96_000, channels: 1) == noErr)
    #expect(watch.watch(host, kAudioUnitProperty_SampleRate) == noErr)
    #expect(host.connect(source) == noErr)
    #expect(
      watch.notices == [.init(host.unit, kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 0)])
    #expect(
      host.statusOfGetting(kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Input)
        == kAudioUnitErr_PropertyNotInUse)
  }

  @Test("fix the format of the input until it is disconnected")
  func fixedFormat() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(host.connect(source) == noErr)
    #expect(
      try host.info(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input).isWritable == false)
    #expect(
      host.setFormat(kAudioUnitScope_Input, channels: 1) == kAudioUnitErr_PropertyNotWritable)
    #expect(host.setFormat(kAudioUnitScope_Input) == noErr, "the current format")
    #expect(host.connect(nil) == noErr)
    #expect(host.setFormat(kAudioUnitScope_Input, channels: 1) == noErr)
  }

  @Test("are refused, and not made, if an initialized unit has another format")
  func refused() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(source.setFormat(kAudioUnitScope_Output, channels: 1) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.connect(source) == kAudioUnitErr_FormatNotSupported)
    #expect(try format(host, kAudioUnitScope_Input).mChannelsPerFrame == 2)
    #expect(host.render(2).status == kAudioUnitErr_NoConnection)
  }

  @Test("are refused when there is no such unit, output or input")
  func arguments() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(host.connect(source, output: 1) == kAudioUnitErr_InvalidElement)
    var connection = AudioUnitConnection(
      sourceAudioUnit: source.unit, sourceOutputNumber: 0, destInputNumber: 1)
    let id = kAudioUnitProperty_MakeConnection
    #expect(host.set(id, connection, kAudioUnitScope_Input) == kAudioUnitErr_InvalidElement)
    connection.destInputNumber = 0
    #expect(host.set(id, connection, kAudioUnitScope_Output) == kAudioUnitErr_InvalidScope)
    #expect(host.set(id, connection, kAudioUnitScope_Global) == noErr, "is accepted")
    #expect(host.connect(host) == kAudioUnitErr_InvalidPropertyValue)
    #expect(source.dispose() == noErr)
    #expect(host.connect(source) == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test("end with a null source")
  func disconnect() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(host.connect(source) == noErr)
    #expect(source.initialize() == noErr && host.initialize() == noErr)
    #expect(host.render(2).status == noErr)
    #expect(host.connect(nil) == noErr)
    #expect(host.render(2, at: 2).status == kAudioUnitErr_NoConnection)
  }

  @Test("replace a callback, and are replaced by one")
  func replaced() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(source.initialize() == noErr && host.initialize() == noErr)
    #expect(host.feed(.constant(9)) == noErr)
    #expect(host.connect(source) == noErr)
    #expect(host.render(1)[0] == [1])
    #expect(host.feed(.constant(9)) == noErr)
    #expect(host.render(1, at: 1)[0] == [9])
    #expect(try host.info(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input).isWritable == false)
    #expect(host.uninitialize() == noErr)
    #expect(try host.info(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input).isWritable)
  }

  @Test("end with their source, every one of them")
  func sourceEnds() throws {
    let (source, host) = (try Host(.sums), try Host(.sums))
    #expect(source.feed(.constant(1), bus: 0) == noErr)
    #expect(source.feed(.constant(3), bus: 1) == noErr)
    #expect(source.initialize() == noErr)
    #expect(host.connect(source, output: 0, to: 0) == noErr)
    #expect(host.connect(source, output: 1, to: 1) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(1)[0] == [2])
    #expect(host.connect(nil, to: 0) == noErr)
    #expect(host.render(1, at: 1)[0] == [-2])
    #expect(source.dispose() == noErr)
    let rendered = host.render(1, at: 2)
    #expect(rendered.status == noErr && rendered[0] == [0])
  }

  @Test("end with their destination, while the source continues")
  func destinationEnds() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(host.connect(source) == noErr)
    #expect(source.initialize() == noErr && host.initialize() == noErr)
    _ = host.render(2)
    #expect(host.dispose() == noErr)
    #expect(source.render(2, at: 2)[0] == [3, 4])
    #expect(source.dispose() == noErr)
  }

  @Test("that form a cycle cause an error when a unit renders, without hanging")
  func cycle() throws {
    let (one, other) = (try Host(.echo), try Host(.echo))
    #expect(one.connect(other) == noErr && other.connect(one) == noErr)
    #expect(one.initialize() == noErr && other.initialize() == noErr)
    #expect(one.render(4).status == kAudioUnitErr_CannotDoInCurrentContext)
    #expect(other.render(4).status == kAudioUnitErr_CannotDoInCurrentContext)
    #expect(one.connect(nil) == noErr)
    #expect(one.feed(.constant(1)) == noErr)
    #expect(other.render(1, at: 8)[0] == [1])
  }

  @Test(
    "in a cycle can be made and removed by two threads at the same time",
    .timeLimit(.minutes(60)))
  func circleFromTwoThreads() async throws {
    let (one, other) = (try Host(.echo), try Host(.echo))
    await withTaskGroup { group in
      for (host, source) in [(one, other), (other, one)] {
        group.addTask {
          for index in 0..<2_000 {
            #expect(host.connect(index % 2 == 0 ? source : nil) == noErr)
          }
        }
      }
    }
  }

  @Test(
    "can be changed while another thread renders, without a wrong sample", .timeLimit(.minutes(60)))
  func changeWhileRendering() throws {
    let (source, host) = (try Host(.values), try Host(.sums))
    #expect(source.setParameter(0, 1) == noErr)
    #expect(source.initialize() == noErr && host.initialize() == noErr)
    let isDone = Flag()
    let renderer = OwnThread {
      var time = 0.0
      while !isDone.isRaised {
        let rendered = host.render(16, at: time)
        #expect(rendered.status == noErr)
        let samples = rendered[0]
        #expect(samples.allSatisfy { $0 == samples[0] && [0, 1, 2].contains($0) })
        time += 16
      }
    }
    for index in 0..<500 {
      #expect(host.connect(index % 2 == 0 ? source : nil) == noErr)
      #expect(host.feed(.constant(index % 3 == 0 ? 0 : 1), bus: 1) == noErr)
    }
    isDone.raise()
    renderer.join()
  }

  @Test("to a source that is not initialized return the source's error")
  func uninitializedSource() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(host.connect(source) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(4).status == kAudioUnitErr_Uninitialized)
  }

  @Test(
    "pull a source with a smaller maximum slice once per time, with any number of readers",
    arguments: [(20, 20), (20, 8), (8, 20), (20, 5), (7, 20)])
  func smallerMaximumShared(first: UInt32, second: UInt32) throws {
    let (source, sums) = (try Host(.counter), try Host(.sums))
    let hosts = [try Host(.echo), try Host(.echo)]
    #expect(source.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(8)) == noErr)
    for (bus, (host, maximum)) in zip(hosts, [first, second]).enumerated() {
      #expect(host.set(kAudioUnitProperty_MaximumFramesPerSlice, maximum) == noErr)
      #expect(host.connect(source) == noErr)
      #expect(sums.connect(host, to: UInt32(bus)) == noErr)
    }
    for unit in [source, hosts[0], hosts[1], sums] { #expect(unit.initialize() == noErr) }
    // Both give a counter from 1, with an echo of half the level four frames later.
    func sum(_ frame: Int) -> Float { 2 * (Float(frame + 1) + 0.5 * Float(max(frame - 3, 0))) }
    var time = 0
    for frames in [20, 20, 13, 20, 1, 8, 20] {
      #expect(sums.render(frames, at: Double(time))[0] == (time..<time + frames).map(sum))
      time += frames
    }
    // After a reset the source starts again, even for the same time.
    #expect(source.reset() == noErr)
    for host in hosts + [sums] { #expect(host.reset() == noErr) }
    #expect(sums.render(20, at: Double(time))[0] == (0..<20).map(sum))
  }

  @Test("pull a source with a smaller maximum slice several times for one slice")
  func smallerMaximum() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    #expect(source.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(8)) == noErr)
    #expect(host.connect(source) == noErr)
    #expect(source.initialize() == noErr && host.initialize() == noErr)
    #expect(host.setParameter(0, 1) == noErr)
    let samples = host.render(20)[0]
    let input = (1...20).map { Float($0) }
    #expect(samples == input.indices.map { input[$0] + ($0 < 4 ? 0 : 0.5 * input[$0 - 4]) })
    #expect(host.render(1, at: 20)[0] == [21 + 0.5 * 17])
  }
}
