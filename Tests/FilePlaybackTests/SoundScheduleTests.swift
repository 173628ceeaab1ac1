// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import AudioToolbox
import FilePlayback
import Foundation
import Synchronization
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

  // MARK: Handlers

  @Test("handlers are called once, in order, and not on the render thread")
  func handlers() {
    let log = EventLog()
    let renderThread = pthread_self()
    for number in 0..<100 {
      host.schedule(Self.ramp(10)) {
        log.add("\(number)\(pthread_equal(pthread_self(), renderThread) != 0 ? "!" : "")")
      }
    }
    host.schedule.play()
    _ = host.render(500)
    host.schedule.stop()
    #expect(log.wait(for: 100) == (0..<100).map { "\($0)" })
    _ = host.render(500)
    usleep(20_000)
    #expect(log.wait(for: 100).count == 100)
  }

  @Test("a handler can schedule, stop and start")
  func handlerCalls() {
    let log = EventLog()
    host.schedule(Self.ramp(10)) { [schedule = host.schedule] in
      schedule.stop()
      schedule.play()
      log.add("first")
    }
    host.schedule(Self.ramp(10_000)) { log.add("second") }
    host.schedule.play()
    _ = host.render(20)
    #expect(log.wait(for: 2) == ["first", "second"])
  }

  @Test("a loop calls its handler once, at its end")
  func loopHandler() {
    let end = CallRecord()
    host.schedule([1, 2], [.loops], handler: end.handler)
    host.schedule.play()
    _ = host.render(100)
    usleep(20_000)
    #expect(end.calls == 0)
    host.schedule([3], [.interrupts])
    _ = host.render(100)
    #expect(end.wait())
    #expect(end.calls == 1)
  }

  @Test("a sound is played back after the latency of the device")
  func playedBack() throws {
    let log = EventLog()
    let schedule = host.schedule
    schedule.setLatency(0.05)
    let samples = SoundHost.Samples([1, 2], channels: 1, stride: 1)
    let events: [(SoundRequest.Completion, String)] = [
      (.playedBack, "played back"), (.rendered, "rendered"),
    ]
    for (completion, name) in events {
      try schedule.schedule(
        SoundRequest(samples.content, owner: samples, completion: completion) { log.add(name) })
    }
    schedule.play()
    let now = AudioGetCurrentHostTime()
    _ = host.render(10, hostTime: now)
    #expect(log.wait(for: 2) == ["rendered", "played back"])
    #expect(AudioGetCurrentHostTime() >= now + 50_000_000)
  }

  @Test("the end of a schedule calls the handlers of what was not played")
  func end() throws {
    let log = EventLog()
    var other: SoundHost? = try SoundHost()
    for number in 0..<5 { other?.schedule([1]) { log.add("\(number)") } }
    other = nil
    #expect(log.wait(for: 5) == (0..<5).map { "\($0)" })
  }

  @Test("sounds that have not begun move to a schedule with another format")
  func move() throws {
    let (log, other) = (EventLog(), try SoundHost(sampleRate: 44_100))
    host.schedule([1, 2]) { log.add("first") }
    host.schedule([3], at: .position(4)) { log.add("second") }
    host.schedule.play()
    host.schedule.move(to: other.schedule)
    #expect(!host.schedule.isPlaying && other.schedule.isPlaying)
    #expect(host.render(5) == Self.silence(5))
    #expect(other.render(6) == [1, 2, 0, 0, 3, 0])
    #expect(log.wait(for: 2) == ["first", "second"])
  }

  @Test("sounds that have begun do not move, but end")
  func moveLate() throws {
    let (log, other) = (EventLog(), try SoundHost(sampleRate: 44_100))
    host.schedule([1, 2, 3]) { log.add("end") }
    host.schedule.play()
    _ = host.render(1)
    host.schedule.pause()
    _ = host.render(1)
    host.schedule.move(to: other.schedule)
    #expect(log.wait(for: 1) == ["end"])
    other.schedule.play()
    #expect(other.render(3) == [0, 0, 0])
  }

  @Test("a buffer with other channels is refused")
  func otherChannels() throws {
    let samples = SoundHost.Samples([1], channels: 2, stride: 1)
    #expect(throws: AudioError.self) {
      try host.schedule.schedule(SoundRequest(samples.content, owner: samples))
    }
  }

  // MARK: Threads

  @Test("threads schedule, start and stop while another renders, and each handler is called once")
  func storm() throws {
    let (host, box) = (host, Counters())
    let renders = OwnThread { () -> Bool in
      var isFinite = true
      while !box.isOver.load(ordering: .relaxed) {
        if host.render(64).contains(where: \.isNaN) { isFinite = false }
      }
      return isFinite
    }
    let controls = (0..<3).map { seed in
      OwnThread {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
          switch Int.random(in: 0..<10, using: &generator) {
          case 0: host.schedule.stop()
          case 1: host.schedule.pause()
          case 2: host.schedule.reset()
          case 3, 4: host.schedule.play()
          default:
            box.scheduled.wrappingAdd(1, ordering: .relaxed)
            let options = SoundRequest.Options(rawValue: UInt8.random(in: 0..<8))
            host.schedule(
              Self.ramp(20), at: seed == 0 ? .position(Int.random(in: 0..<1_000)) : .next, options
            ) { box.ended.wrappingAdd(1, ordering: .relaxed) }
          }
        }
      }
    }
    for control in controls { control.join() }
    host.schedule.stop()
    box.isOver.store(true, ordering: .relaxed)
    #expect(renders.join())
    for _ in 0..<5_000
    where box.ended.load(ordering: .relaxed) < box.scheduled.load(ordering: .relaxed) {
      usleep(1_000)
    }
    #expect(box.ended.load(ordering: .relaxed) == box.scheduled.load(ordering: .relaxed))
  }

  private final class Counters: Sendable {
    let scheduled = Atomic(0)
    let ended = Atomic(0)
    let isOver = Atomic(false)
  }
}
