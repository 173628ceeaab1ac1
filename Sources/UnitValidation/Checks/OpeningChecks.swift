// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Making and disposing of instances, initialisation and the first render.
enum OpeningChecks {
  /// Opens instances one after the other; the first one may have to load data, the others need not.
  static func opens(_ subject: TestedComponent) throws -> String? {
    let cold = try seconds { try TestedUnit(subject).dispose() }
    try expect(cold < 10, "the first instance takes \(milliseconds(cold)), expected 10 s at most")
    var warm = Double.infinity
    // A slow unit is opened only once more.
    for _ in 0..<(cold < 0.2 ? 5 : 1) {
      warm = min(warm, try seconds { try TestedUnit(subject).dispose() })
    }
    try expect(
      warm < 1, "an instance takes \(milliseconds(warm)), expected 1 s at most")
    return "cold \(milliseconds(cold)), warm \(milliseconds(warm))"
  }

  private static func seconds(_ body: () throws -> Void) throws -> Double {
    let begin = ContinuousClock.now
    try body()
    let elapsed = (ContinuousClock.now - begin).components
    return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }

  private static func milliseconds(_ seconds: Double) -> String {
    String(format: "%.3f ms", 1_000 * seconds)
  }

  /// Initialising repeatedly is allowed, and so is disposing of an initialised unit.
  static func initializes(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    try tested.initialize()
    try expect(AudioUnitInitialize(tested.unit), "AudioUnitInitialize of an initialised unit")
    try tested.uninitialize()
    try expect(AudioUnitUninitialize(tested.unit), "AudioUnitUninitialize of an uninitialised unit")
    for _ in 0..<3 {
      try tested.initialize()
      try tested.uninitialize()
    }
    try tested.reset()
    try tested.initialize()
    try tested.reset()
    try tested.dispose()
    return nil
  }

  /// The first slices, with the default size and formats.
  static func renders(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, capacity: 1_156, signal: TestSignal.noise(2_048))
    for _ in 0..<4 { try run.mustRender(512) }
    for (bus, feed) in run.feeds.enumerated() {
      try expect(
        !feed.state.pointee.hadBadBuffer,
        "the callback of input bus \(bus) got a buffer with too little memory")
    }
    return nil
  }

  /// A unit that is not initialised refuses to render.
  static func refusesUninitialized(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject)
    try run.tested.uninitialize()
    try expect(
      run.render(64), "AudioUnitRender of an uninitialised unit",
      isOneOf: [kAudioUnitErr_Uninitialized])
    try run.tested.initialize()
    try run.mustRender(64)
    return nil
  }

  /// Alternating renders of several instances do not affect each other.
  static func areIndependent(_ subject: TestedComponent) throws -> String? {
    let signal = TestSignal.noise(2_048)
    let alone = try RenderRun(subject, signal: signal).output(2_048)
    let again = try RenderRun(subject, signal: signal).output(2_048)
    guard alone == again else { throw Skip("two instances differ: it is not deterministic") }
    let runs = try (0..<subject.choice([4], all: [16])[0]).map { _ in
      try RenderRun(subject, signal: signal)
    }
    var outputs = runs.map { [[Float]](repeating: [], count: $0.channelCount) }
    for _ in 0..<4 {
      for (index, run) in runs.enumerated() {
        let slice = try run.output(512)
        for channel in slice.indices { outputs[index][channel] += slice[channel] }
      }
    }
    for (index, output) in outputs.enumerated() {
      try expect(
        output == alone,
        "of \(runs.count) alternating instances, number \(index) differs from a single one")
    }
    return "\(runs.count) instances"
  }
}
