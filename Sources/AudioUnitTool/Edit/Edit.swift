// SPDX-License-Identifier: Apache-2.0

/// Changes to a sound: steps, each of which makes a sound of the sound before it.
struct Edit: Sendable {
  /// What is done at the rate of the source.
  var steps: [any EditStep] = []
  /// How much faster, and higher, the sound becomes where its rate is converted.
  var speed = 1.0
  /// What is done afterwards.
  var lastSteps: [any EditStep] = []

  var isEmpty: Bool { steps.isEmpty && lastSteps.isEmpty && speed == 1 }
  /// Whether channels change their places.
  var movesChannels: Bool { (steps + lastSteps).contains(where: \.movesChannels) }
  /// How often the source is read.
  var passCount: Int { (steps + lastSteps).reduce(1) { $0 * $1.passCount } }

  /// The edited sound.
  ///
  /// - Parameters:
  ///   - source: Opens the source; called once for each pass.
  ///   - rate: The step that makes the rate of the output.
  ///   - notes: Gets what the steps have to say.
  /// - Returns: The sound, at its beginning.
  /// - Throws: If the source cannot be read, or a step is not possible.
  func apply(
    to source: () throws(Failure) -> any SoundStream, rate: RateStep, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    var rate = rate
    rate.speed = speed
    return try Self.apply((steps + [rate] + lastSteps)[...], to: source, notes)
  }

  private static func apply(
    _ steps: ArraySlice<any EditStep>, to source: () throws(Failure) -> any SoundStream,
    _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    guard let last = steps.last else { return try source() }
    return try last.apply(
      to: { () throws(Failure) in try apply(steps.dropLast(), to: source, notes) }, notes)
  }
}
