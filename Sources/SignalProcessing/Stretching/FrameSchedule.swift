// SPDX-License-Identifier: Apache-2.0

/// The work for one frame, divided into units of about equal size.
struct FrameSchedule: BitwiseCopyable {
  /// The stages in order, each of one or several units. All stages up to `onsetPowers` read the
  /// input.
  enum Stage: Int, BitwiseCopyable {
    case spectrum, earlier, before, onsetPowers, continuingBins, products, peaks, regions, tones
    case formants, output, end
  }

  static var regionUnits: Int { @_noLocks get { 8 } }
  static var peakUnits: Int { @_noLocks get { 4 } }
  static var toneUnits: Int { @_noLocks get { 8 } }

  /// The onset within the frame: its position in the input.
  private(set) var onset: Int?
  /// Whether the last frame had another mode.
  var modeChanged = false
  /// Output frames since the position of the last frame.
  var distance = 0
  var pitch = 1.0
  /// Input frames that may be read, and the options, both as of the time of planning.
  var availableFrames = 0
  var options = StretchOptions()
  /// Bins below half the sample rate after the pitch shift.
  var binCount = 0
  private var channels = 0
  private var steps = 0
  private(set) var needsEarlier = false
  private var shapesFormants = false
  private var isNewOnset = false
  private(set) var done = 0
  private(set) var total = 0
  /// Number of first units that read the input.
  private(set) var readingCount = 0

  @_noLocks
  init() {}

  @_noLocks
  mutating func begin(onset: Int?) { self.onset = onset }

  /// [render thread] Prepares the work of a frame.
  @_noLocks
  mutating func prepare(
    channels: Int, steps: Int, needsEarlier: Bool, shapesFormants: Bool, isNewOnset: Bool
  ) {
    self.channels = channels
    self.steps = steps
    self.needsEarlier = needsEarlier
    self.shapesFormants = shapesFormants
    self.isNewOnset = isNewOnset
    (done, total) = (0, 0)
    for stage in 0..<Stage.end.rawValue {
      guard let stage = Stage(rawValue: stage) else { continue }
      total += units(of: stage)
      if stage == .onsetPowers { readingCount = total }
    }
  }

  @_noLocks
  private func units(of stage: Stage) -> Int {
    switch stage {
    case .spectrum: channels * steps
    case .earlier: needsEarlier ? channels * steps : 0
    case .before: onset != nil ? channels * steps : 0
    case .onsetPowers: isNewOnset ? 2 * channels : 0
    case .continuingBins: isNewOnset ? Self.peakUnits : 0
    case .products: needsEarlier ? channels : 0
    case .peaks: needsEarlier ? Self.peakUnits : 0
    case .regions: needsEarlier ? Self.regionUnits : 0
    case .tones: onset != nil ? Self.toneUnits : 0
    case .formants: shapesFormants ? 1 : 0
    case .output: channels * (steps + 1)
    case .end: 0
    }
  }

  /// [render thread] Returns the next unit: its stage, and its number within the stage.
  @_noLocks
  mutating func next() -> (stage: Stage, unit: Int) {
    var unit = done
    done += 1
    for index in 0..<Stage.end.rawValue {
      guard let stage = Stage(rawValue: index) else { continue }
      let units = units(of: stage)
      if unit < units { return (stage, unit) }
      unit -= units
    }
    return (.end, 0)
  }

  /// Whether the spectral envelope is preserved.
  var needsShaping: Bool { @_noLocks get { shapesFormants } }
}
