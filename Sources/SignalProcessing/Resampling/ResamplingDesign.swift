// SPDX-License-Identifier: Apache-2.0

/// The specification of a converter's filter.
struct ResamplingDesign: Hashable {
  /// Of the stop band, in decibels.
  let attenuation: Double
  /// At least so many taps, in frames of the lower rate.
  let taps: Double
  /// Where the stop band begins, as a share of half the lower rate.
  ///
  /// An image of what lies below 2 - `stop` lies above `stop`: a filter that may leave images and aliases
  /// above that needs half the taps of one that shuts at 1.
  let stop: Double
  /// Taps around the largest that are summed in doubles.
  ///
  /// Coefficients of more than 0.07 in floats, and sums of them, cost the last 6 dB of 150.
  let innerTaps: Int
  /// Rows per frame of the lower rate, where coefficients are interpolated.
  ///
  /// The cubic errs by 3/128 (pi / divisions)^4 at half the rate: -108, -137, -151 and -161 dB.
  let divisions: Int
  let phase: ConversionPhase
  /// How the filter falls.
  let edge: FilterEdge

  /// The lowest rate at which what lies above the edge of an open filter is not heard, in Hz.
  private static let lowestOpenRate = 44_000.0

  /// Designs a filter between two rates, the lower of which is `lowerRate`, in Hz; a filter for a rate of
  /// 0 is shut at half the lower rate.
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

  /// What must not be disturbed when the rate is halved beforehand, as a share of half the lower rate.
  ///
  /// Of a filter that shuts at 1 the last third of the transition attenuates aliases too: what both filters
  /// leave together is nowhere more than one of them may leave.
  var halvingEdge: Double { stop > 1 ? 2 - stop : 1 - 0.6 * edge.width / taps }
}

/// How a filter lies in rows: for every phase of a ratio, in groups that share a window of the input, or
/// for phases in between which others are interpolated.
struct FilterShape: Hashable {
  let design: ResamplingDesign
  /// Input frames per output.
  let ratio: Double
  /// The ratio in lowest terms, `down` input frames for `up` outputs; 0 where rows are interpolated.
  let down: Int
  let up: Int
  /// Rows: a multiple of the group after which input and output fall together again.
  let rows: Int
  /// Rows that share a window.
  let group: Int
  /// Frames of a window, a multiple of 8.
  let width: Int
  /// Length of a filter, in frames. The windows of a group's rows, of this length each, together are as long
  /// as the group's.
  let length: Double
  /// Frames that can lie in a filter; the other frames of a window belong to other rows of the group.
  let taps: Int
  /// Frames of a window that are summed in doubles.
  let inner: Int

  /// Above this many coefficients (1 MB), rows for every phase give way to interpolated ones.
  private static let limit = 1 << 18

  /// Rows in between which others are interpolated.
  init(interpolating ratio: Double, _ design: ResamplingDesign) {
    self.design = design
    self.ratio = ratio
    (down, up, group, inner) = (0, 0, 1, 0)
    width = Self.rounded(design.taps * max(1, ratio), to: 8)
    length = Double(width)
    taps = width
    rows = max(8, Int((Double(design.divisions) * min(1, 1 / ratio)).rounded(.up)))
  }

  /// Rows for every phase of `down` input frames for `up` outputs; nil where they would be too many.
  init?(down: Int, up: Int, _ design: ResamplingDesign) {
    let ratio = Double(down) / Double(up)
    let isFine = design.innerTaps > 0
    func width(_ group: Int) -> Int {
      Self.rounded(
        design.taps * max(1, ratio) + Double(group - 1) * ratio, to: isFine ? 16 : 8)
    }
    var group =
      isFine && up % 8 == 0 ? 8 : isFine && up % 7 == 0 ? 7 : up % 4 != 0 && up % 3 == 0 ? 3 : 4
    // A row takes half again as much for a fourth vector; one that does not fill a third costs less in pairs.
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
    // A trifle less, so that no two frames can lie on both ends at once.
    length = Double(width) - spread - 1e-6
    taps = Int(length.rounded(.up))
    inner =
      isFine
      ? min(width, Self.rounded(Double(design.innerTaps) + spread.rounded(.up), to: 16)) : 0
  }

  /// Where the first output lies behind an input frame, in halves of 1 / `up` of a frame: in the middle
  /// between two where the number of taps is odd, so that its centre falls on a frame all the same.
  var firstPhase: Int { @_noLocks get { taps % 2 * up } }

  /// Input frames after which the rows begin again.
  var turn: Int { @_noLocks get { up == 0 ? 0 : rows / up * down } }

  /// Input frames from the window of the first row to that of another.
  @_noLocks
  func start(of row: Int) -> Int { (2 * row * down + firstPhase) / (2 * up) }

  /// Where the window of a group starts, in input frames from that of the first row: at that of its first
  /// row, or a frame later where that row begins with nothing and another one needs the last frame.
  func start(ofGroup first: Int, _ rows: [[Double]]) -> Int {
    let start = start(of: first)
    let ends = rows.enumerated().map { index, row in
      self.start(of: first + index) + (row.lastIndex { $0 != 0 } ?? 0) + 1
    }
    return ends.allSatisfy { $0 <= start + width } ? start : start + 1
  }

  /// Where the output of a row lies behind the latest frame of its window, in frames.
  func fraction(of row: Int) -> Double {
    Double((2 * row * down + firstPhase) % (2 * up)) / Double(2 * up)
  }

  private static func rounded(_ value: Double, to step: Int) -> Int {
    Int((value / Double(step)).rounded(.up)) * step
  }
}
