// SPDX-License-Identifier: Apache-2.0

/// What a converter's filter is to do.
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
    innerTaps = quality == .mastering ? (phase == .linear ? 8 : 24) : 0
    switch quality {
    case .low: (taps, stop, divisions) = isOpen ? (26.5, 1.147, 24) : (48, 1, 24)
    case .normal: (taps, stop, divisions) = isOpen ? (67.5, 1.0915, 64) : (128, 1, 64)
    case .high: (taps, stop, divisions) = isOpen ? (92, 1.0785, 96) : (208, 1, 96)
    case .mastering: (taps, stop, divisions) = (168, 1, 128)
    }
  }

  /// What must not be disturbed when the rate is halved beforehand, as a share of half the lower rate.
  ///
  /// Of a filter that shuts at 1 the last quarter of the transition attenuates aliases too.
  var halvingEdge: Double {
    stop > 1
      ? 2 - stop
      : 1 - 0.25 * KaiserWindow.transition(attenuation: attenuation, taps: Int(taps))
  }
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
  /// Frames of a filter; the other frames of a window belong to other rows of the group.
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
    taps = width
    rows = max(8, Int((Double(design.divisions) * min(1, 1 / ratio)).rounded(.up)))
  }

  /// Rows for every phase of `down` input frames for `up` outputs; nil where they would be too many.
  init?(down: Int, up: Int, _ design: ResamplingDesign) {
    let ratio = Double(down) / Double(up)
    let isFine = design.innerTaps > 0
    let group =
      isFine && up % 8 == 0 ? 8 : isFine && up % 7 == 0 ? 7 : up % 4 != 0 && up % 3 == 0 ? 3 : 4
    let shift = Int((Double(group - 1) * ratio).rounded(.up))
    let width = Self.rounded(
      design.taps * max(1, ratio) + Double(shift), to: isFine ? 16 : 8)
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
    taps = width - shift
    inner = isFine ? min(width, Self.rounded(Double(design.innerTaps + shift), to: 16)) : 0
  }

  /// Where the first output lies behind an input frame, in halves of 1 / `up` of a frame: in the middle
  /// between two where the number of taps is odd, so that its centre falls on a frame all the same.
  var firstPhase: Int { @_noLocks get { taps % 2 * up } }

  /// Input frames after which the rows begin again.
  var turn: Int { @_noLocks get { up == 0 ? 0 : rows / up * down } }

  /// Input frames from the window of the first row to that of another.
  @_noLocks
  func start(of row: Int) -> Int { (2 * row * down + firstPhase) / (2 * up) }

  /// Where the output of a row lies behind the latest frame of its window, in frames.
  func fraction(of row: Int) -> Double {
    Double((2 * row * down + firstPhase) % (2 * up)) / Double(2 * up)
  }

  private static func rounded(_ value: Double, to step: Int) -> Int {
    Int((value / Double(step)).rounded(.up)) * step
  }
}
