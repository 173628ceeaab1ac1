// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// Renders beside everything that a host may do at the same time.
enum ThreadChecks {
  /// What the render thread found.
  private final class Findings: Sendable {
    let isDone = Atomic(false)
    let renderCount = Atomic(0)
    let text = Mutex<String?>(nil)
  }

  /// Renders on a thread of its own while a body runs on this one.
  private static func rendering(
    _ run: RenderRun, allowing statuses: [OSStatus] = [noErr], _ body: () throws -> Void
  ) throws -> Int {
    let findings = Findings()
    let thread = Thread {
      while !findings.isDone.load(ordering: .acquiring) {
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
    let result = Result { try body() }
    wait(for: findings.renderCount.load(ordering: .acquiring) + 2)
    findings.isDone.store(true, ordering: .releasing)
    wait(for: 1 << 40)
    try result.get()
    if let text = findings.text.withLock({ $0 }) { throw Fault(text) }
    return findings.renderCount.load(ordering: .acquiring) & (1 << 40 - 1)
  }

  /// Parameters, properties and states are read and parameters set beside the render.
  static func control(_ subject: Subject) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(4_096))
    let parameters = try run.tested.parameters().filter(\.isWritable)
    var dice = Dice(5)
    let count = try rendering(run) {
      for round in 0..<subject.choice([200], all: [20_000])[0] {
        for parameter in parameters {
          _ = parameter.set(
            parameter.isStepped ? parameter.choice[round % 3] : dice.next(in: parameter.range),
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

  /// States, presets, bypass, callbacks and resets come beside the render.
  static func structure(_ subject: Subject) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(4_096))
    let state = try StateChecks.state(of: run.tested) as NSDictionary
    let others = run.feeds.map { _ in Feed(TestSignal.noise(4_096, seed: 9)) }
    let count = try withExtendedLifetime(others) {
      try rendering(run, allowing: [noErr, kAudioUnitErr_CannotDoInCurrentContext]) {
        for round in 0..<subject.choice([100], all: [5_000])[0] {
          _ = run.tested.set(kAudioUnitProperty_BypassEffect, UInt32(round & 1))
          _ = run.tested.set(kAudioUnitProperty_ClassInfo, object: state)
          for bus in run.feeds.indices {
            let feed = round & 1 == 0 ? others[bus] : run.feeds[bus]
            try expect(
              run.tested.set(
                kAudioUnitProperty_SetRenderCallback, feed.callback, kAudioUnitScope_Input,
                AudioUnitElement(bus)), "changing a callback beside a render")
          }
          if round % 4 == 0 { try run.tested.reset() }
        }
      }
    }
    return "\(count) slices"
  }

  /// A second thread that renders is refused or waits its turn; neither fails otherwise.
  static func twoThreads(_ subject: Subject) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(4_096))
    let list = AudioBufferList.allocate(maximumBuffers: max(1, run.channelCount))
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, run.channelCount) * 128)
    defer {
      memory.deallocate()
      free(list.unsafeMutablePointer)
    }
    let rounds = subject.choice([500], all: [50_000])[0]
    var (round, refused) = (0, 0)
    _ = try rendering(run, allowing: [noErr, kAudioUnitErr_CannotDoInCurrentContext]) {
      // The other thread may be inside all the time: then it takes patience to get in between.
      while round < rounds || refused == round && round < 100 * rounds {
        list.count = run.channelCount
        for channel in 0..<run.channelCount {
          list[channel] = AudioBuffer(
            mNumberChannels: 1, mDataByteSize: 512, mData: memory + 128 * channel)
        }
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = 1e6 + Double(128 * round)
        stamp.mFlags = .sampleTimeValid
        let status = AudioUnitRender(
          run.tested.unit, nil, &stamp, 0, 128, list.unsafeMutablePointer)
        try expect(
          status, "AudioUnitRender on a second thread",
          isOneOf: [noErr, kAudioUnitErr_CannotDoInCurrentContext])
        if status != noErr { refused += 1 }
        round += 1
      }
    }
    return "\(refused) refused"
  }

  /// Units open, render and end on several threads at once.
  static func opening(_ subject: Subject) throws -> String? {
    let faults = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        for _ in 0..<subject.choice([3], all: [50])[0] {
          if try TestedUnit(subject).kind == .device {
            try TestedUnit(subject).initialize()
          } else {
            let run = try RenderRun(subject, signal: TestSignal.noise(512))
            try run.mustRender(256)
          }
        }
      } catch { faults.withLock { $0.append("\(error)") } }
    }
    if let first = faults.withLock({ $0.first }) { throw Fault(first) }
    return nil
  }
}
