// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CRealTimeProbe

/// Calls that a render must not make, and memory leaks.
enum RealTimeChecks {
  /// A render uses no heap, lock, wait or file, from the first slice on and while parameters
  /// change.
  static func probe(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(200_000))
    guard real_time_probe_install() >= 0, isWatching() else {
      throw Skip("calls cannot be watched on this machine")
    }
    // With OfflineRender, a unit may wait for its own thread.
    if run.tested.info(kAudioUnitProperty_OfflineRender)?.isWritable == true {
      _ = run.tested.set(kAudioUnitProperty_OfflineRender, UInt32(0))
    }
    let parameters = try run.tested.parameters().filter { $0.isWritable && $0.element == 0 }
    var renders = 0
    func watch(_ frames: Int, _ situation: String) throws {
      real_time_probe_begin()
      let status = run.render(frames)
      let calls = real_time_probe_end()
      let first = real_time_probe_first().map { String(cString: $0) } ?? ""
      try expect(status, "AudioUnitRender, \(situation),")
      try expect(
        calls == 0, "\(situation): the render made \(calls) calls that may wait, first \(first)")
      renders += 1
    }
    try watch(512, "the first slice")
    for frames in [1, 64, 512, 4_096, 512] { try watch(frames, "\(frames) frames") }
    for parameter in parameters {
      for value in parameter.testValues + [parameter.info.defaultValue] {
        _ = parameter.set(value, at: 17)
        try watch(128, "\(parameter.title) at \(value)")
      }
    }
    try run.tested.reset()
    try watch(512, "after a reset")
    if run.tested.info(kAudioUnitProperty_BypassEffect)?.isWritable == true {
      for bypass in [UInt32(1), 0] {
        _ = run.tested.set(kAudioUnitProperty_BypassEffect, bypass)
        try watch(512, "bypass at \(bypass)")
      }
    }
    for feed in run.feeds { feed.state.pointee.status = -1 }
    real_time_probe_begin()
    _ = run.render(256)
    let calls = real_time_probe_end()
    try expect(calls == 0, "with an input that fails, the render made \(calls) calls that may wait")
    return "\(renders) slices"
  }

  /// Whether the probe works on this machine.
  private static func isWatching() -> Bool {
    real_time_probe_begin()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 3_000, alignment: 16)
    memory.deallocate()
    return real_time_probe_end() > 0
  }

  /// Disposed instances leave no memory behind.
  static func leaks(_ subject: TestedComponent) throws -> String? {
    func rounds(_ count: Int) throws {
      for _ in 0..<count {
        if try TestedUnit(subject).kind == .device {
          try TestedUnit(subject).initialize()
        } else {
          let run = try RenderRun(subject, capacity: 512)
          _ = run.render(64)
        }
        let tested = try TestedUnit(subject)
        _ = try StateChecks.state(of: tested)
      }
    }
    try rounds(20)
    let count = subject.choice([50], all: [500])[0]
    // Memory may be freed later, by another thread: the smallest growth of up to three rounds
    // counts.
    var growth = Int.max
    for _ in 0..<3 where growth >= 256 * count {
      let before = heapBytes()
      try rounds(count)
      usleep(50_000)
      growth = min(growth, heapBytes() - before)
    }
    try expect(
      growth < 256 * count, "\(count) units leave \(growth) bytes behind, \(growth / count) each")
    return "\(count) units"
  }

  private static func heapBytes() -> Int {
    let info = mallinfo2()
    return Int(info.uordblks) + Int(info.hblkhd)
  }
}
