// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import FilePlayback
import Foundation
import Testing

@Suite("Schedules of sounds")
struct SoundScheduleTests {
  private let host: SoundHost

  init() throws { host = try SoundHost() }

  /// Samples that differ from each other and from silence.
  private static func ramp(_ count: Int, from first: Int = 1) -> [Float] {
    (first..<first + count).map { Float($0) / 1_024 }
  }

  private static func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  // MARK: Order

  @Test("buffers follow each other without a gap", arguments: [1, 7, 64, 100, 512])
  func joints(slice: Int) {
    let parts = [100, 1, 64, 0, 335].map { Self.ramp($0, from: $0) }
    for part in parts { host.schedule(part) }
    host.schedule.play()
    let expected = parts.flatMap { $0 } + Self.silence(100)
    #expect(host.render(600, slice: slice) == expected)
  }

  @Test("nothing sounds before the start")
  func beforeStart() {
    host.schedule(Self.ramp(10))
    #expect(host.render(20) == Self.silence(20))
    host.schedule.play()
    #expect(host.render(20) == Self.ramp(10) + Self.silence(10))
  }

  @Test("a start at a sample time is exact", arguments: [1, 7, 512])
  func startTime(slice: Int) {
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    stamp.mSampleTime = 123
    host.schedule(Self.ramp(50))
    host.schedule.play(at: stamp)
    #expect(
      host.render(200, slice: slice) == Self.silence(123) + Self.ramp(50) + Self.silence(27))
    #expect(host.schedule.origin == 123)
  }

  @Test("a start at a host time is exact to the frame")
  func startHostTime() {
    var stamp = AudioTimeStamp()
    stamp.mFlags = .hostTimeValid
    stamp.mHostTime = 5_000_000_000 + 10_000_000
    host.schedule(Self.ramp(50))
    host.schedule.play(at: stamp)
    #expect(
      host.render(600, slice: 64, hostTime: 5_000_000_000)
        == Self.silence(480) + Self.ramp(50) + Self.silence(70))
  }

  @Test("a start in the past is at once")
  func pastStart() {
    _ = host.render(100)
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    stamp.mSampleTime = 20
    host.schedule(Self.ramp(10))
    host.schedule.play(at: stamp)
    #expect(host.render(20) == Self.ramp(10) + Self.silence(10))
    #expect(host.schedule.origin == 100)
  }

  @Test("sounds with positions begin there, in any order of scheduling", arguments: [1, 7, 512])
  func positions(slice: Int) {
    _ = host.render(1_000)
    host.schedule([3, 4], at: .position(90))
    host.schedule([5])
    host.schedule([1, 2], at: .position(30))
    host.schedule.play()
    var expected = Self.silence(100)
    expected.replaceSubrange(30..<32, with: [1, 2])
    expected.replaceSubrange(90..<93, with: [3, 4, 5])
    #expect(host.render(100, slice: slice) == expected)
  }

  @Test("a sound whose time is over plays whole, after the one that is playing")
  func late() {
    host.schedule(Self.ramp(50))
    host.schedule([1, 2], at: .position(20))
    host.schedule.play()
    #expect(host.render(60, slice: 16) == Self.ramp(50) + [1, 2] + Self.silence(8))
  }

  @Test("a sound at a host time begins on its frame")
  func hostTime() {
    host.schedule(Self.ramp(10), at: .hostTime(1_000_000_000 + 2_000_000))
    host.schedule.play()
    #expect(
      host.render(200, slice: 64, hostTime: 1_000_000_000)
        == Self.silence(96) + Self.ramp(10) + Self.silence(94))
  }

  @Test("sounds with host times play in the order of their times", arguments: [1, 64])
  func hostTimes(slice: Int) {
    for (value, frame) in [(Float(3), 96), (1, 24), (2, 48)] {
      let time = 1_000_000_000 + UInt64(frame) * 125_000 / 6
      host.schedule([value], at: .hostTime(time))
    }
    host.schedule.play()
    var expected = Self.silence(120)
    (expected[24], expected[48], expected[96]) = (1, 2, 3)
    #expect(host.render(120, slice: slice, hostTime: 1_000_000_000) == expected)
  }

  @Test("very many sounds in any order play at their positions", arguments: [false, true])
  func manyPositions(isOffline: Bool) {
    if isOffline { host.schedule.setPace(.offline) }
    host.schedule.play()
    let (count, start) = (2_000, 60_000)
    var (places, random) = (Array(0..<count), Repeatable(7))
    for index in places.indices { places.swapAt(index, random.next(count)) }
    // Also in ascending order, before a sound that is last.
    host.schedule([9], at: .position(start + 2 * count))
    for place in places { host.schedule([Float(place + 1)], at: .position(start + place)) }
    for place in count..<2 * count {
      host.schedule([Float(place + 1)], at: .position(start + place))
    }
    let expected = (1...2 * count).map { Float($0) } + [9]
    #expect(host.render(start + expected.count, slice: 64) == Self.silence(start) + expected)
  }

  @Test("interleaved samples and those of all channels reach their outputs")
  func channels() throws {
    let stereo = try SoundHost(channels: 2)
    stereo.schedule([1, 2, 3], stride: 2)
    stereo.schedule.play()
    #expect(stereo.renderAll(4) == [[1, 2, 3, 0], [1, 2, 3, 0]])
  }

  // MARK: Loops and interruptions

  @Test("a loop repeats until it is interrupted", arguments: [1, 7, 100, 512])
  func loop(slice: Int) {
    host.schedule([1, 2, 3], [.loops])
    host.schedule.play()
    #expect(host.render(7, slice: slice) == [1, 2, 3, 1, 2, 3, 1])
    host.schedule([9, 8], [.interrupts])
    #expect(host.render(4, slice: slice) == [9, 8, 0, 0])
  }

  @Test("an interruption at the end of a loop lets the loop finish", arguments: [1, 2, 7, 512])
  func interruptAtLoop(slice: Int) {
    host.schedule([1, 2, 3], [.loops])
    host.schedule([6, 6])
    host.schedule.play()
    _ = host.render(4, slice: slice)
    host.schedule([9, 8], [.interruptsAtLoop])
    #expect(host.render(6, slice: slice) == [2, 3, 9, 8, 0, 0])
  }

  @Test("an interruption has its time", arguments: [1, 7, 512])
  func timedInterrupt(slice: Int) {
    host.schedule([1, 2, 3], [.loops])
    host.schedule([9, 8], at: .position(5), [.interrupts])
    host.schedule([7])
    host.schedule.play()
    #expect(host.render(10, slice: slice) == [1, 2, 3, 1, 2, 9, 8, 7, 0, 0])
  }

  @Test("an interruption at once does not wait for one that is to come", arguments: [1, 7, 512])
  func overtakingInterrupt(slice: Int) {
    host.schedule([1, 2, 3, 4], [.loops])
    host.schedule.play()
    _ = host.render(2, slice: slice)
    host.schedule([5], [.interruptsAtLoop])
    host.schedule([6, 6], [.interrupts])
    #expect(host.render(3, slice: slice) == [6, 6, 0])
    host.schedule([1, 2], [.loops])
    host.schedule([5], at: .position(500), [.interrupts])
    #expect(host.render(3, slice: slice) == [1, 2, 1])
    host.schedule([7], [.interrupts])
    host.schedule([5], at: .position(20), [.interrupts])
    #expect(host.render(13, slice: slice) == [7] + Self.silence(11) + [5])
  }

  @Test("a loop can be replaced by a loop, again and again")
  func loopAfterLoop() {
    host.schedule([1, 1], [.loops])
    host.schedule.play()
    for value in 2..<20 {
      _ = host.render(3)
      host.schedule([Float(value), 0.5], [.loops, .interruptsAtLoop])
      #expect(host.render(3)[1] == Float(value))
    }
  }

  @Test("an empty loop ends")
  func emptyLoop() {
    let end = CallRecord()
    host.schedule([], [.loops], handler: end.handler)
    host.schedule([1])
    host.schedule.play()
    #expect(host.render(2) == [1, 0])
    #expect(end.wait())
  }

  @Test("loops of 100 frames do not drift in a minute")
  func drift() {
    let loop = Self.ramp(100)
    host.schedule(loop, [.loops])
    host.schedule.play()
    for _ in 0..<60 {
      let second = host.render(48_000, slice: 441)
      #expect(second == (0..<480).flatMap { _ in loop })
    }
  }

  @Test("random schedules sound the same at every slice size", arguments: 0..<40)
  func slices(seed: UInt64) throws {
    func render(_ slice: Int) throws -> [Float] {
      let host = try SoundHost()
      var random = Repeatable(seed)
      for number in 1...12 {
        let start: SoundRequest.Start =
          random.next(3) == 0 ? .position(random.next(400)) : .next
        // Interruptions at once leave only the last sound.
        var options = SoundRequest.Options(rawValue: UInt8(random.next(8)))
        if case .next = start { options.remove([.interrupts, .interruptsAtLoop]) }
        host.schedule(Self.ramp(random.next(70), from: number * 100), at: start, options)
      }
      host.schedule.play()
      var sound = host.render(random.next(300), slice: slice)
      host.schedule(Self.ramp(20, from: 5_000), [.interruptsAtLoop])
      host.schedule(Self.ramp(9, from: 6_000), [.loops])
      sound += host.render(200, slice: slice)
      host.schedule.pause()
      sound += host.render(10, slice: slice)
      host.schedule.play()
      host.schedule(Self.ramp(9, from: 7_000), [.interrupts])
      return sound + host.render(100, slice: slice)
    }
    let expected = try render(1)
    for slice in [2, 7, 64, 1_000] { #expect(try render(slice) == expected) }
  }

  /// Repeatable numbers.
  private struct Repeatable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state >> 33) % limit
    }
  }

  // MARK: Pause and stop

  @Test("a pause keeps the position, to the frame", arguments: [1, 7, 512])
  func pause(slice: Int) {
    host.schedule(Self.ramp(100))
    host.schedule.play()
    let before = host.render(33, slice: slice)
    host.schedule.pause()
    #expect(!host.schedule.isPlaying)
    #expect(host.schedule.origin == nil)
    #expect(host.render(50, slice: slice) == Self.silence(50))
    host.schedule.play()
    #expect(before + host.render(67, slice: slice) == Self.ramp(100))
    #expect(host.schedule.origin == 50)
  }

  @Test("a stop drops the sounds and zeroes the time, with and without renders")
  func stop() {
    let (first, second) = (CallRecord(), CallRecord())
    host.schedule(Self.ramp(100), handler: first.handler)
    host.schedule.play()
    _ = host.render(30)
    host.schedule(Self.ramp(100), handler: second.handler)
    host.schedule.stop()
    #expect(first.wait() && second.wait())
    host.schedule([1, 2, 3])
    host.schedule.play()
    #expect(host.render(5) == [1, 2, 3, 0, 0])
    #expect(host.schedule.origin == 30)
    #expect(first.calls == 1 && second.calls == 1)
  }

  @Test("a reset drops the sounds and plays on from 0")
  func reset() {
    host.schedule(Self.ramp(100))
    host.schedule.play()
    _ = host.render(30)
    host.schedule.reset()
    #expect(host.schedule.isPlaying)
    host.schedule([5], at: .position(2))
    #expect(host.render(4) == [0, 0, 5, 0])
    #expect(host.schedule.origin == 30)
  }

  @Test("the position goes on when time jumps")
  func timeJump() {
    host.schedule(Self.ramp(100))
    host.schedule.play()
    let before = host.render(40)
    host.jump(to: 0)
    #expect(before + host.render(60) == Self.ramp(100))
    #expect(host.schedule.origin == -40)
  }

  @Test("a stop frees the buffers, although nothing renders")
  func release() {
    weak var memory: SoundHost.Samples?
    for renders in [false, true] {
      memory = host.schedule(Self.ramp(10), [.loops])
      #expect(memory != nil)
      host.schedule.play()
      if renders { _ = host.render(5) }
      host.schedule.stop()
      for _ in 0..<2_000 where memory != nil { usleep(1_000) }
      #expect(memory == nil)
    }
  }
}
