// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Testing

@testable import AudioQueues

@Suite("Way of the sound from the buffers of a queue to its ring")
struct PlaybackChainTests {
  private static let format = StreamFormat(sampleRate: 44_100, channelCount: 1).description

  /// A chain that writes to the ring of a renderer.
  private final class Machine {
    let parameters = UnsafeMutablePointer.cell(QueueParameters())
    let chain: PlaybackChain
    var to: PlaybackChain.Destination

    init(timePitch: TimePitchSettings = .init()) throws {
      chain = try PlaybackChain(PlaybackChainTests.format, parameters)
      let renderer = UnsafeMutablePointer.cell(
        PlaybackRenderer(
          channelCount: 1, sampleRate: 44_100, capacity: 16_384, parameters: parameters))
      to = .init(renderer: renderer, timePitch: timePitch)
    }

    deinit {
      to.renderer.endCell()
      parameters.endCell()
    }

    /// Sends a whole buffer through the chain, as the queue's thread does.
    func play(_ samples: [Float], _ options: BufferOptions = .init()) {
      let buffer = QueueBuffer(byteCount: UInt32(samples.count * 4), descriptionCount: 0)
      UnsafeMutableRawBufferPointer(start: buffer.data, count: buffer.capacity)
        .copyBytes(from: samples.withUnsafeBytes { Array($0) })
      let enqueued = EnqueuedBuffer(
        buffer, byteCount: samples.count * 4, descriptions: [], options: options,
        format: PlaybackChainTests.format)
      while !chain.begin(enqueued, to) {}
      var (first, isFinished) = (0, false)
      while !isFinished {
        let result = chain.decoder.decode()
        isFinished = result.isFinished
        chain.emit(enqueued.playedRange(from: first, count: result.frames), to)
        first += result.frames
      }
    }

    /// Removes and returns the next mark.
    func popMark() -> PlaybackMark? { to.renderer.pointee.marks.pop() }

    /// The frames in the ring.
    var written: [Float] {
      let count = to.renderer.pointee.ring.fill
      return [Float](unsafeUninitializedCapacity: max(1, count)) { memory, used in
        if let start = memory.baseAddress {
          to.renderer.pointee.ring.copy(channel: 0, to: start, count: count)
        }
        used = count
      }
    }
  }

  @Test("copies the samples, without those that are trimmed")
  func samples() throws {
    let machine = try Machine()
    let ramp = (0..<1_500).map { Float($0) / 2_000 }
    machine.play(ramp)
    #expect(machine.written == ramp)
    var trimmed = BufferOptions()
    trimmed.trimStart = 100
    trimmed.trimEnd = 400
    machine.play(ramp, trimmed)
    #expect(machine.written == ramp + ramp[100..<1_100])
  }

  @Test("marks parameters and start times at the first frame of their buffer")
  func marks() throws {
    let machine = try Machine()
    machine.play([Float](repeating: 0.5, count: 700))
    var options = BufferOptions()
    options.startFrame = 5_000
    options.parameters = [
      AudioQueueParameterEvent(mID: kAudioQueueParam_Volume, mValue: 0.25)
    ]
    machine.play([Float](repeating: 0.5, count: 10), options)
    let start = try #require(machine.popMark())
    #expect(start.kind == .start && start.index == 700 && start.time == 5_000)
    let volume = try #require(machine.popMark())
    #expect(volume.kind == .parameter && volume.index == 700)
    #expect(volume.id == kAudioQueueParam_Volume && volume.value == 0.25)
    #expect(machine.chain.end(machine.to))
    let end = try #require(machine.popMark())
    #expect(end.kind == .end && end.index == 710)
  }

  @Test("keeps frames in the time pitch until they are drained, so that none is lost")
  func timePitch() throws {
    let settings = TimePitchSettings(
      isEnabled: true, algorithm: UInt32(kAudioQueueTimePitchAlgorithm_Varispeed))
    let machine = try Machine(timePitch: settings)
    _ = machine.parameters.pointee.set(kAudioQueueParam_PlayRate, 2)
    machine.play([Float](repeating: 0.5, count: 4_000))
    let before = machine.written.count
    #expect(machine.chain.pendingFrames > 0 && before + machine.chain.pendingFrames >= 1_990)
    while !machine.chain.drain(machine.to) {}
    #expect(machine.chain.pendingFrames == 0)
    #expect((1_990...2_010).contains(machine.written.count))
  }

  @Test("forgets after a reset what was on the way")
  func reset() throws {
    let machine = try Machine()
    var options = BufferOptions()
    options.parameters = [AudioQueueParameterEvent(mID: kAudioQueueParam_Volume, mValue: 0.25)]
    options.trimStart = 4
    machine.play([1, 1, 1, 1], options)
    machine.chain.reset()
    machine.chain.writeMarks(machine.to)
    #expect(machine.popMark() == nil && machine.written.isEmpty)
  }
}
