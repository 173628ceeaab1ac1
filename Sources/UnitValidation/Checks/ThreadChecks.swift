// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// Rendering during everything that a host may do on other threads.
enum ThreadChecks {
  /// The result of the render thread, and a way to pause it.
  private final class Findings: Sendable {
    let isDone = Atomic(false)
    let renderCount = Atomic(0)
    let text = Mutex<String?>(nil)
    private let isPauseRequested = Atomic(false)
    private let isHeld = Atomic(false)

    /// Waits between two renders while a pause is requested.
    func pauseIfRequested() {
      guard isPauseRequested.load(ordering: .acquiring) else { return }
      isHeld.store(true, ordering: .releasing)
      while isPauseRequested.load(ordering: .acquiring) { usleep(50) }
      isHeld.store(false, ordering: .releasing)
    }

    /// Runs a body while the render thread is paused between two renders.
    func whilePaused<Result>(_ body: () throws -> Result) rethrows -> Result {
      isPauseRequested.store(true, ordering: .releasing)
      while !isHeld.load(ordering: .acquiring) { usleep(50) }
      defer {
        isPauseRequested.store(false, ordering: .releasing)
        while isHeld.load(ordering: .acquiring) { usleep(50) }
      }
      return try body()
    }
  }

  /// Renders on another thread while a body runs on this one.
  private static func rendering(
    _ run: RenderRun, allowing statuses: [OSStatus] = [noErr],
    _ body: (Findings) throws -> Void
  ) throws -> Int {
    let findings = Findings()
    let thread = Thread {
      while !findings.isDone.load(ordering: .acquiring) {
        findings.pauseIfRequested()
        let status = run.render(128)
        if !statuses.contains(status) {
          findings.text.withLock { $0 = $0 ?? "AudioUnitRender answers \(name(of: status))" }
        } else if status == noErr {
          for channel in 0..<run.channelCount
          where run.samples(channel).contains(where: { !$0.isFinite }) {
            findings.text.withLock {
              $0 = $0 ?? "channel \(channel) has samples that are not finite"
            }
          }
        }
        findings.renderCount.add(1, ordering: .releasing)
      }
      findings.renderCount.add(1 << 40, ordering: .releasing)
    }
    thread.stackSize = 1 << 20
    thread.start()
    func wait(for count: Int) {
      while findings.renderCount.load(ordering: .acquiring) < count { usleep(100) }
    }
    wait(for: 2)
    let result = Result { try body(findings) }
    wait(for: findings.renderCount.load(ordering: .acquiring) + 2)
    findings.isDone.store(true, ordering: .releasing)
    wait(for: 1 << 40)
    try result.get()
    if let text = findings.text.withLock({ $0 }) { throw Fault(text) }
    return findings.renderCount.load(ordering: .acquiring) & (1 << 40 - 1)
  }

  /// Reads parameters, properties and states, and sets parameters, during renders.
  static func control(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(4_096))
    let parameters = try run.tested.parameters().filter(\.isWritable)
    var generator = SeededGenerator(5)
    let count = try rendering(run) { _ in
      for round in 0..<subject.choice([200], all: [20_000])[0] {
        for parameter in parameters {
          _ = parameter.set(
            parameter.isStepped
              ? parameter.testValues[round % 3] : generator.next(in: parameter.range),
            at: UInt32(round % 128))
          if parameter.isReadable { _ = try parameter.value() }
        }
        _ = run.tested.latency
        _ = run.tested.tail
        _ = run.tested.format(kAudioUnitScope_Output)
        if round % 16 == 0 { _ = try StateChecks.state(of: run.tested) }
      }
    }
    return "\(count) slices"
  }

  /// Sets states, bypass and callbacks, and resets, during renders.
  static func structure(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(4_096))
    let state = try StateChecks.state(of: run.tested) as NSDictionary
    let others = run.feeds.map { _ in Feed(TestSignal.noise(4_096, seed: 9)) }
    let count = try withExtendedLifetime(others) {
      try rendering(run, allowing: [noErr, kAudioUnitErr_CannotDoInCurrentContext]) { _ in
        for round in 0..<subject.choice([100], all: [5_000])[0] {
          _ = run.tested.set(kAudioUnitProperty_BypassEffect, UInt32(round & 1))
          _ = run.tested.set(kAudioUnitProperty_ClassInfo, object: state)
          for bus in run.feeds.indices {
            let feed = round & 1 == 0 ? others[bus] : run.feeds[bus]
            try expect(
              run.tested.set(
                kAudioUnitProperty_SetRenderCallback, feed.callback, kAudioUnitScope_Input,
                AudioUnitElement(bus)), "changing a callback during a render")
          }
          if round % 4 == 0 { try run.tested.reset() }
        }
      }
    }
    return "\(count) slices"
  }

  /// A second thread that renders during the first thread's render is refused or waits; between two
  /// renders of the first, it renders.
  static func twoThreads(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(4_096))
    let list = AudioBufferList.allocate(maximumBuffers: max(1, run.channelCount))
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, run.channelCount) * 128)
    defer {
      memory.deallocate()
      free(list.unsafeMutablePointer)
    }
    func render(_ round: Int) -> OSStatus {
      list.count = run.channelCount
      for channel in 0..<run.channelCount {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: 512, mData: memory + 128 * channel)
      }
      var stamp = AudioTimeStamp()
      stamp.mSampleTime = 1e6 + Double(128 * round)
      stamp.mFlags = .sampleTimeValid
      return AudioUnitRender(run.tested.unit, nil, &stamp, 0, 128, list.unsafeMutablePointer)
    }
    let either = [noErr, kAudioUnitErr_CannotDoInCurrentContext]
    var refused = 0
    _ = try rendering(run, allowing: either) { other in
      for round in 0..<subject.choice([500], all: [50_000])[0] {
        let status = render(round)
        try expect(status, "AudioUnitRender on a second thread", isOneOf: either)
        if status != noErr { refused += 1 }
        // The first thread may be rendering all the time. While it is paused, there is no reason to
        // refuse.
        if round % 50 == 0 {
          try expect(
            other.whilePaused { render(round) }, "AudioUnitRender on a second thread, alone")
        }
      }
    }
    return "\(refused) refused"
  }

  /// Several threads make, render and dispose of units simultaneously.
  static func opening(_ subject: TestedComponent) throws -> String? {
    let findings = Findings()
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      // Separate threads: a queue has no more threads than there are processors.
      let thread = Thread {
        defer { group.leave() }
        do {
          for _ in 0..<subject.choice([3], all: [50])[0] {
            if try TestedUnit(subject).kind == .device {
              try TestedUnit(subject).initialize()
            } else {
              let run = try RenderRun(subject, signal: TestSignal.noise(512))
              try run.mustRender(256)
            }
          }
        } catch { findings.text.withLock { $0 = $0 ?? "\(error)" } }
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    group.wait()
    if let first = findings.text.withLock({ $0 }) { throw Fault(first) }
    return nil
  }
}
