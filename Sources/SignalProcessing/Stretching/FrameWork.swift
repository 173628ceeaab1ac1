// SPDX-License-Identifier: Apache-2.0

/// The work for one frame, in units of about equal size.
struct FrameWork: BitwiseCopyable {
  /// The stages, in their order, of which one unit or several each are done: first all that read the
  /// input, the last of them `classifying`.
  enum Stage: Int, BitwiseCopyable {
    case spectrum, earlier, before, classifying, deciding, products, peaks, regions, tones
    case formants, output, nothing
  }

  static var regionUnits: Int { @_noLocks get { 8 } }
  static var peakUnits: Int { @_noLocks get { 4 } }
  static var toneUnits: Int { @_noLocks get { 8 } }

  /// The hit within the frame: where it begins in the input.
  private(set) var onset: Int?
  var wasOtherMode = true
  var pitch = 1.0
  /// Input frames that may be looked at, and what hosts have chosen, as both were when it was planned.
  var known = 0
  var options = StretchOptions()
  /// Bins that are heard once the pitch is moved.
  var binCount = 0
  private var channels = 0
  private var steps = 0
  private(set) var needsEarlier = false
  private var movesPitch = false
  private var classifies = false
  private(set) var done = 0
  private(set) var total = 0
  /// How many of the first units read the input.
  private(set) var readingCount = 0

  @_noLocks
  mutating func begin(onset: Int?) { self.onset = onset }

  /// [render thread] Lays out the work of a frame.
  @_noLocks
  mutating func lay(
    channels: Int, steps: Int, needsEarlier: Bool, movesPitch: Bool, classifies: Bool
  ) {
    self.channels = channels
    self.steps = steps
    self.needsEarlier = needsEarlier
    self.movesPitch = movesPitch
    self.classifies = classifies
    (done, total) = (0, 0)
    for stage in 0..<Stage.nothing.rawValue {
      guard let stage = Stage(rawValue: stage) else { continue }
      total += units(of: stage)
      if stage == .classifying { readingCount = total }
    }
  }

  @_noLocks
  private func units(of stage: Stage) -> Int {
    switch stage {
    case .spectrum: channels * steps
    case .earlier: needsEarlier ? channels * steps : 0
    case .before: onset != nil ? channels * steps : 0
    case .classifying: classifies ? 2 * channels : 0
    case .deciding: classifies ? Self.peakUnits : 0
    case .products: needsEarlier ? channels : 0
    case .peaks: needsEarlier ? Self.peakUnits : 0
    case .regions: needsEarlier ? Self.regionUnits : 0
    case .tones: onset != nil ? Self.toneUnits : 0
    case .formants: movesPitch ? 1 : 0
    case .output: channels * (steps + 1)
    case .nothing: 0
    }
  }

  /// [render thread] The next unit: its stage, and its number there.
  @_noLocks
  mutating func next() -> (stage: Stage, unit: Int) {
    var unit = done
    done += 1
    for index in 0..<Stage.nothing.rawValue {
      guard let stage = Stage(rawValue: index) else { continue }
      let units = units(of: stage)
      if unit < units { return (stage, unit) }
      unit -= units
    }
    return (.nothing, 0)
  }

  /// Whether formants are kept.
  var shapes: Bool { @_noLocks get { movesPitch } }
}
