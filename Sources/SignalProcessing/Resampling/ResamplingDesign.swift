// SPDX-License-Identifier: Apache-2.0

/// The specification of a converter's filter.
struct ResamplingDesign: Hashable {
  /// Stop-band attenuation in decibels.
  let attenuation: Double
  /// Minimum number of taps, in frames at the lower rate.
  let taps: Double
  /// Start of the stop band, as a fraction of half the lower rate.
  ///
  /// The image of a frequency below 2 - `stop` is above `stop`: a filter that may leave images and
  /// aliases above that needs half the taps of one that stops at 1.
  let stop: Double
  /// Number of taps around the largest one that are summed in double precision.
  ///
  /// In single precision, coefficients above 0.07, and their sums, cost the last 6 dB of 150.
  let innerTaps: Int
  /// Rows per frame at the lower rate, where coefficients are interpolated.
  ///
  /// The error of the cubic is 3/128 (pi / divisions)^4 at half the rate: -108, -137, -151 and -161
  /// dB.
  let divisions: Int
  let phase: ConversionPhase
  /// The transition of the filter.
  let edge: FilterEdge

  /// The lowest rate in Hz at which images and aliases above the edge are inaudible.
  private static let lowestOpenRate = 44_000.0

  /// Designs a filter for conversions whose lower rate is `lowerRate`, in Hz; with 0, its stop band
  /// begins at half the lower rate.
  init(
    _ quality: ConversionQuality, lowerRate: Double,
    phase: ConversionPhase = .linear
  ) {
    let isOpen = lowerRate >= Self.lowestOpenRate && quality != .mastering
    attenuation = quality.attenuation
    self.phase = phase
    edge = .edge(of: quality)
    innerTaps = quality == .mastering ? (phase == .linear ? 8 : 24) : 0
    switch quality {
    case .low: (taps, stop, divisions) = isOpen ? (21.04, 1.1472, 24) : (36, 1, 24)
    case .normal: (taps, stop, divisions) = isOpen ? (53.2, 1.0915, 64) : (98.6, 1, 64)
    case .high: (taps, stop, divisions) = isOpen ? (77.2, 1.0785, 96) : (174.2, 1, 96)
    case .mastering: (taps, stop, divisions) = (137.5, 1, 128)
    }
  }

  /// The band that halving the rate beforehand must not disturb, as a fraction of half the lower
  /// rate.
  ///
  /// If the filter stops at 1, the last third of its transition attenuates aliases too: both
  /// filters together leave no more than one of them may leave.
  var halvingEdge: Double { stop > 1 ? 2 - stop : 1 - 0.6 * edge.width / taps }
}

/// The arrangement of a filter in rows: one row per phase of a ratio, in groups that share a window
/// of the input; or rows between which others are interpolated.
struct FilterShape: Hashable {
  let design: ResamplingDesign
  /// Input frames per output.
  let ratio: Double
  /// The ratio in lowest terms, `down` input frames for `up` outputs; 0 for interpolated rows.
  let down: Int
  let up: Int
  /// Number of rows: a multiple of the group, after which input and output coincide again.
  let rows: Int
  /// Number of rows that share a window.
  let group: Int
  /// Length of a window in frames, a multiple of 8.
  let width: Int
  /// Length of a filter in frames. The windows of a group's rows together are as long as the
  /// group's.
  let length: Double
  /// Number of frames that a filter can cover; other frames of a window belong to other rows of the
  /// group.
  let taps: Int
  /// Number of frames of a window that are summed in double precision.
  let inner: Int
  /// First of them in the window of interpolated rows: they are in the middle, or, with minimum
  /// phase, the latest ones.
  let innerStart: Int

  /// Above this many coefficients (1 MB), rows are interpolated.
  private static let limit = 1 << 18

  /// Makes rows for interpolation.
  init(interpolating ratio: Double, _ design: ResamplingDesign) {
    self.design = design
    self.ratio = ratio
    (down, up, group) = (0, 0, 1)
    width = Self.rounded(design.taps * max(1, ratio), to: 8)
    inner = design.innerTaps > 0 ? min(width, design.phase == .linear ? 16 : 32) : 0
    innerStart = design.phase == .linear ? (width - inner) / 2 : width - inner
    length = Double(width)
    taps = width
    rows = max(8, Int((Double(design.divisions) * min(1, 1 / ratio)).rounded(.up)))
  }

  /// Makes a row for every phase of `down` input frames for `up` outputs; nil if that needs too
  /// many.
  init?(down: Int, up: Int, _ design: ResamplingDesign) {
    let ratio = Double(down) / Double(up)
    let isFine = design.innerTaps > 0
    func width(_ group: Int) -> Int {
      Self.rounded(
        design.taps * max(1, ratio) + Double(group - 1) * ratio, to: isFine ? 16 : 8)
    }
    var group =
      isFine && up % 8 == 0 ? 8 : isFine && up % 7 == 0 ? 7 : up % 4 != 0 && up % 3 == 0 ? 3 : 4
    // A fourth vector makes a row half as expensive again; if the third is not full, pairs cost
    // less.
    if up % 4 != 0, width(2) == 24, width(group) > 24 { group = 2 }
    let spread = Double(group - 1) * ratio
    let width = width(group)
    var rows = up
    while rows % group != 0 { rows += up }
    guard rows <= Self.limit / width else { return nil }
    self.design = design
    self.ratio = ratio
    self.down = down
    self.up = up
    self.group = group
    self.rows = rows
    self.width = width
    // Slightly less, so that two frames never fall on both ends.
    length = Double(width) - spread - 1e-6
    taps = Int(length.rounded(.up))
    inner =
      isFine
      ? min(width, Self.rounded(Double(design.innerTaps) + spread.rounded(.up), to: 16)) : 0
    innerStart = 0
  }

  /// Position of the first output after an input frame, in halves of 1 / `up` of a frame: midway
  /// between two frames if the number of taps is odd, so that the filter's centre falls on a frame.
  var firstPhase: Int { @_noLocks get { taps % 2 * up } }

  /// Input frames after which the rows repeat.
  var period: Int { @_noLocks get { up == 0 ? 0 : rows / up * down } }

  /// Input frames from the window of the first row to that of another row.
  @_noLocks
  func start(of row: Int) -> Int { (2 * row * down + firstPhase) / (2 * up) }

  /// Start of a group's window in input frames after that of the first row. It is the start of the
  /// group's first row, or one frame later if that row begins with zero and another row needs the
  /// last frame.
  func start(ofGroup first: Int, _ rows: [[Double]]) -> Int {
    let start = start(of: first)
    let ends = rows.enumerated().map { index, row in
      self.start(of: first + index) + (row.lastIndex { $0 != 0 } ?? 0) + 1
    }
    return ends.allSatisfy { $0 <= start + width } ? start : start + 1
  }

  /// Position of a row's output after the latest frame of its window, in frames.
  func fraction(of row: Int) -> Double {
    Double((2 * row * down + firstPhase) % (2 * up)) / Double(2 * up)
  }

  private static func rounded(_ value: Double, to step: Int) -> Int {
    Int((value / Double(step)).rounded(.up)) * step
  }
}
