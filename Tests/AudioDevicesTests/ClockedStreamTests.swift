// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioSupport
import CRealTime
import Foundation
import Testing

@Suite("Clocked devices")
struct ClockedStreamTests {
  private let folder = Folder()

  /// The null device, or the file device with a file in the test's own folder.
  private func device(_ name: String) -> String {
    name == "file" ? "file:\(folder("\(UUID().uuidString).wav"))" : name
  }

  @Test(
    "count frames without a gap, under a clock that runs at the exact rate",
    arguments: ["null", "file"])
  func timeStamps(name: String) throws {
    let probe = Probe()
    let stream = try open(fast(device(name)) { $0.cycleFrames = 480 }, StreamRequest(), probe)
    try stream.start()
    #expect(probe.waitForCalls(1_000))
    stream.stop()
    let calls = probe.calls
    #expect(calls[0].sampleTime == 0)
    #expect(probe.isContiguous)
    #expect(zip(calls, calls.dropFirst()).allSatisfy { $1.hostTime - $0.hostTime == 10_000_000 })
    #expect(stream.scheduling == .offline)
    #expect(stream.xrunCount == 0)
  }

  @Test("call 86.13 times a second for 512 frames at 44,100 Hz", arguments: ["null", "file"])
  func pace(name: String) throws {
    let probe = Probe()
    let stream = try open(paced(device(name)) { $0.sampleRate = 44_100 }, StreamRequest(), probe)
    try stream.start()
    #expect(probe.waitForCalls(260))
    stream.stop()
    // Compares the least delayed of the first and of the last calls.
    func prompt(_ range: Range<Int>) throws -> Int {
      let calls = probe.calls
      return try #require(
        range.min { calls[$0].now - calls[$0].hostTime < calls[$1].now - calls[$1].hostTime })
    }
    let (first, last) = (try prompt(0..<20), try prompt(240..<260))
    let seconds = Double(probe.calls[last].now - probe.calls[first].now) / 1_000_000_000
    #expect(abs(Double(last - first) / seconds - 86.13) < 0.5)
    #expect(probe.isContiguous)
  }

  @Test(
    "pass the channels of both directions, silent without a signal",
    arguments: ["null", "file"])
  func channels(name: String) throws {
    let isWrong = Flag()
    let probe = Probe { _, cycle in
      let buffers = [
        (cycle.input, cycle.inputChannelCount), (cycle.output, cycle.outputChannelCount),
      ]
      for (channels, count) in buffers {
        guard let channels, count == 3 else { return isWrong.raise() }
        for channel in 0..<3 {
          let samples = UnsafeBufferPointer(start: channels[channel], count: cycle.frameCount)
          if samples.contains(where: { $0 != 0 }) { isWrong.raise() }
        }
      }
      writeFrameNumbers(cycle, from: 1)
    }
    let stream = try open(
      fast(device(name)) { $0.channelCount = 3 }, StreamRequest(usesInput: true), probe)
    try stream.start()
    #expect(probe.waitForCalls(20))
    stream.stop()
    #expect(!isWrong.isRaised)
    #expect(stream.device.outputChannelCount == 3)
  }

  @Test("pass only the requested directions")
  func directions() throws {
    let hasBoth = Flag()
    let probe = Probe { _, cycle in
      if cycle.output != nil || cycle.input == nil { hasBoth.raise() }
    }
    let stream = try open(fast("null"), StreamRequest(usesInput: true, usesOutput: false), probe)
    try stream.start()
    #expect(probe.waitForCalls(3))
    stream.stop()
    #expect(!hasBoth.isRaised)
  }

  @Test("call nobody after stop has returned", arguments: ["null", "file"])
  func stop(name: String) throws {
    let probe = Probe()
    let stream = try open(
      paced(device(name)) { $0.cycleFrames = 32 }, StreamRequest(usesInput: true), probe)
    for _ in 0..<50 {
      let before = probe.count
      try stream.start()
      #expect(probe.waitForCalls(before + 2))
      stream.stop()
      let count = probe.count
      usleep(2_000)
      #expect(probe.count == count)
    }
  }

  @Test(
    "end with the cycle that stops them, and begin again at frame 0", arguments: ["null", "file"])
  func stopFromInside(name: String) throws {
    let stream = Guarded<(any DeviceStream)?>(nil)
    let stopCount = Guarded(0)
    let probe = Probe { count, _ in
      guard count % 5 == 4 else { return }
      let running = stream.withLock { $0 }
      running?.stop()
      #expect(throws: AudioError.self) { try running?.start() }
      stopCount.withLock { $0 += 1 }
    }
    let opened = try open(fast(device(name)), StreamRequest(), probe)
    stream.withLock { $0 = opened }
    for round in 1...20 {
      try opened.start()
      #expect(wait { stopCount.withLock { $0 } == round })
      if round % 2 == 0 { opened.stop() }
    }
    opened.stop()
    stream.withLock { $0 = nil }
    #expect(probe.count == 100)
    #expect(probe.calls.map(\.sampleTime) == (0..<100).map { Double($0 % 5) * 512 })
  }

  @Test(
    "release everything when the last reference is released within a cycle",
    arguments: ["null", "file"])
  func dropFromInside(name: String) throws {
    let stream = Guarded<(any DeviceStream)?>(nil)
    var probe = Probe { count, _ in
      if count == 3 { stream.withLock { $0 = nil } }
    }
    // Under the lock, so that the third cycle waits until there is something to release.
    try stream.withLock {
      $0 = try open(fast(device(name)), StreamRequest(), probe)
      try $0?.start()
    }
    #expect(wait { isKnownUniquelyReferenced(&probe) })
    #expect(probe.count == 4)
  }

  @Test("stop within a long cycle without waiting for its end")
  func longCycle() throws {
    let environment = paced("null") {
      $0.sampleRate = 1_000
      $0.cycleFrames = 65_536
    }
    let probe = Probe()
    let stream = try open(environment, StreamRequest(), probe)
    try stream.start()
    #expect(probe.waitForCalls(1))
    stream.stop()  // otherwise a minute passes here
    #expect(probe.count == 1)
  }

  @Test("begin at the requested host time")
  func startTime() throws {
    for environment in [paced("null"), fast("null")] {
      let start = rt_host_time() + 500_000_000
      let probe = Probe()
      let stream = try open(environment, StreamRequest(startHostTime: start), probe)
      try stream.start()
      #expect(probe.waitForCalls(2))
      stream.stop()
      #expect(probe.calls[0].hostTime == start)
      if environment.clock == .paced { #expect(probe.calls[0].now >= start) }
    }
  }

  @Test("accept the latest possible start time", arguments: [paced("null"), fast("null")])
  func farStartTime(environment: DeviceEnvironment) throws {
    let probe = Probe()
    let stream = try open(environment, StreamRequest(startHostTime: .max - 5), probe)
    try stream.start()
    // On the fast clock that time comes immediately, and time continues.
    if environment.clock == .fast { #expect(probe.waitForCalls(10_000)) }
    stream.stop()
    #expect(zip(probe.calls, probe.calls.dropFirst()).allSatisfy { $0.hostTime < $1.hostTime })
    #expect(environment.clock == .fast || probe.count == 0)
  }

  @Test("can be stopped before they begin")
  func stopBeforeBegin() throws {
    let probe = Probe()
    let later = rt_host_time() + 60_000_000_000
    let stream = try open(paced("null"), StreamRequest(startHostTime: later), probe)
    stream.stop()
    try stream.start()
    stream.stop()
    #expect(probe.count == 0)
  }

  @Test("count late cycles and catch up", arguments: ["null", "file"])
  func late(name: String) throws {
    let probe = Probe { count, _ in
      if count == 10 { usleep(100_000) }
    }
    let stream = try open(paced(device(name)) { $0.cycleFrames = 480 }, StreamRequest(), probe)
    try stream.start()
    #expect(probe.waitForCalls(100))
    stream.stop()
    let calls = probe.calls
    #expect(stream.xrunCount >= 5)
    #expect(probe.isContiguous)
    #expect(zip(calls, calls.dropFirst()).allSatisfy { $1.hostTime - $0.hostTime == 10_000_000 })
    #expect(calls.allSatisfy { $0.now >= $0.hostTime })
  }

  @Test("do not catch up after a long pause")
  func longPause() throws {
    let probe = Probe { count, _ in
      if count == 2 { usleep(800_000) }
    }
    let stream = try open(paced("null") { $0.cycleFrames = 480 }, StreamRequest(), probe)
    try stream.start()
    #expect(probe.waitForCalls(10))
    stream.stop()
    let calls = probe.calls
    #expect(calls[3].hostTime - calls[2].hostTime >= 750_000_000)
    #expect(calls[4].hostTime - calls[3].hostTime == 10_000_000)
    #expect(probe.isContiguous)
  }

  @Test("request real-time priority when paced, and report a refusal")
  func scheduling() throws {
    let stream = try open(paced("null"))
    #expect(stream.scheduling == nil)
    try stream.start()
    switch stream.scheduling {
    case .realTime(let priority): #expect((1...99).contains(priority))
    case .ordinary(let reason): #expect(reason.contains("real-time priority"))
    case .offline, nil: Issue.record("a paced thread is not offline")
    }
    stream.stop()
  }

  @Test("can be started and stopped by four threads simultaneously", arguments: ["null", "file"])
  func storm(name: String) throws {
    let probe = Probe()
    let stream = try open(fast(device(name)), StreamRequest(usesInput: true), probe)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<100 {
        try? stream.start()
        stream.stop()
      }
    }
    stream.stop()
    let count = probe.count
    try stream.start()
    #expect(probe.waitForCalls(count + 1))
    stream.stop()
  }

  @Test(
    "leave no thread and no descriptor behind after a thousand rounds", arguments: ["null", "file"])
  func leaks(name: String) throws {
    let threads = Guarded<Set<String>>([])
    let probe = Probe { _, _ in
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      threads.withLock { _ = $0.insert(path ?? "") }
    }
    let environment = fast(device(name))
    for round in 0..<1_000 {
      let stream = try open(environment, StreamRequest(usesInput: true), probe)
      let before = probe.count
      try stream.start()
      if round % 3 > 0 { #expect(probe.waitForCalls(before + 1)) }
      if round % 3 > 1 { stream.stop() }  // otherwise deinit stops it
    }
    let numbers = threads.withLock { $0.compactMap { $0.split(separator: "/").last } }
    #expect(numbers.count > 100)
    // A joined thread stays listed for a moment.
    #expect(wait { numbers.allSatisfy { access("/proc/self/task/\($0)", F_OK) != 0 } })
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      return target?.hasPrefix(folder.path) ?? false
    }
    #expect(open.isEmpty)
  }
}
