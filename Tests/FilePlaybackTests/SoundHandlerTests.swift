// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import AudioToolbox
import FilePlayback
import Foundation
import Synchronization
import Testing

@Suite("Handlers of scheduled sounds")
struct SoundHandlerTests {
  private let host: SoundHost

  init() throws { host = try SoundHost() }

  private static func ramp(_ count: Int) -> [Float] { (1...count).map { Float($0) / 1_024 } }

  private static func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

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

  @Test("handlers are called also after sounds that have none", arguments: [false, true])
  func someHandlers(isFirst: Bool) {
    let log = EventLog()
    if isFirst { host.schedule(Self.ramp(10)) { log.add("first") } }
    for _ in 0..<20 { host.schedule(Self.ramp(10)) }
    host.schedule.play()
    _ = host.render(100)
    usleep(20_000)
    host.schedule(Self.ramp(10)) { log.add("last") }
    _ = host.render(200)
    #expect(log.wait(for: isFirst ? 2 : 1) == (isFirst ? ["first", "last"] : ["last"]))
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

  @Test("positions and the time of the start move to another rate", arguments: [1, 512])
  func moveTimes(slice: Int) throws {
    let other = try SoundHost(sampleRate: 24_000)
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    stamp.mSampleTime = 10
    host.schedule([3, 4], at: .position(40))
    host.schedule.play(at: stamp)
    host.schedule.move(to: other.schedule)
    var expected = Self.silence(30)
    expected.replaceSubrange(25..<27, with: [3, 4])
    #expect(other.render(30, slice: slice) == expected)
    #expect(other.schedule.origin == 5)
  }

  @Test("a start at a host time that is to come moves to another rate, even after renders")
  func moveHostTime() throws {
    let other = try SoundHost(sampleRate: 24_000)
    var stamp = AudioTimeStamp()
    stamp.mFlags = .hostTimeValid
    stamp.mHostTime = 5_000_000_000 + 10_000_000
    host.schedule.play(at: stamp)
    _ = host.render(96, hostTime: 5_000_000_000)
    host.schedule.move(to: other.schedule)
    other.schedule([7])
    let sound = other.render(250, hostTime: 5_000_000_000 + 2_000_000)
    #expect(sound == Self.silence(192) + [7] + Self.silence(57))
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
