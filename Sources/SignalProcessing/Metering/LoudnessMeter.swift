// SPDX-License-Identifier: Apache-2.0

/// Loudness of a whole programme: ITU-R BS.1770-4 and EBU R 128, with the range of EBU Tech 3342.
///
/// K-weighting is designed for any sample rate from its analogue form, as B. De Man ("Evaluation of
/// implementations of the EBU R128 loudness measurement", AES 145, 2018) derives it. For offline
/// use.
public final class LoudnessMeter {
  /// A section of the second order: y = b x - a y.
  private struct Section {
    var b0 = 1.0
    var b1 = 0.0
    var b2 = 0.0
    var a1 = 0.0
    var a2 = 0.0
  }

  private let shelf: Section
  private let highPass: Section
  private let weights: [Double]
  /// State of both sections, four numbers for each channel.
  private var memory: [Double]
  private let stepFrames: Int
  private var stepPosition = 0
  private var energy = 0.0
  /// The weighted energy of each tenth of a second.
  private var steps: [Double] = []

  /// [any thread] Makes an empty meter. `weights`: 1 for front channels, 1.41 for side and rear
  /// channels, 0 for a low-frequency channel.
  public init(sampleRate: Double, weights: [Double]) {
    self.weights = weights
    memory = [Double](repeating: 0, count: 4 * weights.count)
    stepFrames = max(1, Int((sampleRate / 10).rounded()))
    func warped(_ frequency: Double) -> Double {
      Elementary.tangent(halfTurns: min(frequency / sampleRate, 0.499))
    }
    let gain = Elementary.gain(decibels: 3.999843853973347)
    let middle = Elementary.gain(decibels: 3.999843853973347 * 0.4996667741545416)
    var (k, q) = (warped(1_681.974450955533), 0.7071752369554196)
    var divisor = 1 + k / q + k * k
    shelf = Section(
      b0: (gain + middle * k / q + k * k) / divisor, b1: 2 * (k * k - gain) / divisor,
      b2: (gain - middle * k / q + k * k) / divisor, a1: 2 * (k * k - 1) / divisor,
      a2: (1 - k / q + k * k) / divisor)
    (k, q) = (warped(38.13547087602444), 0.5003270373238773)
    divisor = 1 + k / q + k * k
    highPass = Section(
      b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / divisor, a2: (1 - k / q + k * k) / divisor)
  }

  /// [any thread] The weights of `channelCount` channels in the order of WAV files: left, right,
  /// centre, low frequencies, and then the rear channels.
  public static func defaultWeights(channelCount: Int) -> [Double] {
    switch channelCount {
    case 1...3: [Double](repeating: 1, count: channelCount)
    case 4: [1, 1, 1.41, 1.41]
    case 5: [1, 1, 1, 1.41, 1.41]
    default: [1, 1, 1, 0] + [Double](repeating: 1.41, count: max(0, channelCount - 4))
    }
  }

  /// [any thread] Measures frames from one buffer per channel.
  public func measure(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, stepFrames - stepPosition)
      for channel in weights.indices where weights[channel] > 0 {
        energy += weights[channel] * measure(channels[channel] + done, count, channel)
      }
      stepPosition += count
      done += count
      if stepPosition == stepFrames {
        steps.append(energy / Double(stepFrames))
        energy = 0
        stepPosition = 0
      }
    }
  }

  /// The energy of one channel's weighted samples.
  private func measure(_ samples: UnsafePointer<Float>, _ count: Int, _ channel: Int) -> Double {
    let (s, h) = (shelf, highPass)
    var (z1, z2) = (memory[4 * channel], memory[4 * channel + 1])
    var (w1, w2) = (memory[4 * channel + 2], memory[4 * channel + 3])
    var sum = 0.0
    for index in 0..<count {
      let x = Double(samples[index].isFinite ? samples[index] : 0)
      let y = s.b0 * x + z1
      z1 = s.b1 * x - s.a1 * y + z2
      z2 = s.b2 * x - s.a2 * y
      let w = y + w1
      w1 = -2 * y - h.a1 * w + w2
      w2 = y - h.a2 * w
      sum += w * w
    }
    memory[4 * channel] = z1
    memory[4 * channel + 1] = z2
    memory[4 * channel + 2] = w1
    memory[4 * channel + 3] = w2
    return sum
  }

  /// The loudness of a power, in LUFS.
  private static func loudness(_ power: Double) -> Double {
    -0.691 + 10 * Math.decimalLogarithm(power)
  }

  /// The mean of each run of `length` steps, one run per end position.
  private func blocks(_ length: Int) -> [Double] {
    guard steps.count >= length else { return [] }
    var sum = steps[..<length].reduce(0, +)
    var blocks = [sum / Double(length)]
    for end in length..<steps.count {
      sum += steps[end] - steps[end - length]
      blocks.append(max(0, sum) / Double(length))
    }
    return blocks
  }

  /// [any thread] Integrated loudness in LUFS, gated; nil if nothing is louder than -70 LUFS or the
  /// programme is shorter than 0.4 seconds.
  public var integrated: Double? {
    let loud = blocks(4).filter { $0 > 0 && Self.loudness($0) >= -70 }
    guard !loud.isEmpty else { return nil }
    let gate = Self.loudness(loud.reduce(0, +) / Double(loud.count)) - 10
    let gated = loud.filter { Self.loudness($0) >= gate }
    guard !gated.isEmpty else { return nil }
    return Self.loudness(gated.reduce(0, +) / Double(gated.count))
  }

  /// [any thread] The loudness range in LU; nil if the programme is shorter than 3 seconds.
  public var range: Double? {
    let loud = blocks(30).filter { $0 > 0 && Self.loudness($0) >= -70 }
    guard !loud.isEmpty else { return nil }
    let gate = Self.loudness(loud.reduce(0, +) / Double(loud.count)) - 20
    let gated = loud.map(Self.loudness).filter { $0 >= gate }.sorted()
    guard let last = gated.indices.last else { return nil }
    func percentile(_ share: Double) -> Double { gated[Int((Double(last) * share).rounded())] }
    return percentile(0.95) - percentile(0.1)
  }

  /// [any thread] The loudest 0.4 seconds in LUFS; nil if there are none.
  public var momentaryMaximum: Double? {
    blocks(4).max().flatMap { $0 > 0 ? Self.loudness($0) : nil }
  }
}
