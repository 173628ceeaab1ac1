// SPDX-License-Identifier: Apache-2.0

/// Writes frames of FLAC (RFC 9639) of every kind, also those that no encoder in use makes.
struct FLACFrameWriter {
  /// How a channel is predicted.
  enum Prediction {
    case constant
    case verbatim
    case fixed(Int)
    /// Factors of 15 bits, that of the previous sample first.
    case linear([Int64], shift: Int)
  }

  var prediction = Prediction.fixed(2)
  /// Low bits of each sample that are zero and not written.
  var wastedBits = 0
  var partitionOrder = 0
  /// Whether parameters have five bits.
  var hasWideParameters = false
  /// Whether residuals are written as plain numbers.
  var isEscaped = false
  /// Rice parameter; nil for one that suits the residuals.
  var parameter: Int?
  private var bytes: [UInt8] = []
  private var free = 0

  /// A frame of channels of equal length. `code`: how they are stored.
  mutating func frame(_ channels: [[Int64]], depth: Int, code: Int) -> [UInt8] {
    bytes = [0xFF, 0xF8, 0x70, UInt8(code << 4 | Self.depthCodes[depth, default: 0] << 1), 0]
    free = 0
    put(Int64(channels[0].count - 1), 16)
    bytes.append(UInt8(check(bytes, 8, 7)))
    var stored = channels
    if code >= 8 {
      let side = zip(channels[0], channels[1]).map { $0 - $1 }
      switch code {
      case 8: stored = [channels[0], side]
      case 9: stored = [side, channels[1]]
      default: stored = [zip(channels[0], channels[1]).map { ($0 + $1) >> 1 }, side]
      }
    }
    for (index, samples) in stored.enumerated() {
      let isSide = code >= 8 && (code == 9) == (index == 0)
      subframe(samples, depth + (isSide ? 1 : 0))
    }
    let sum = check(bytes, 16, 0x8005)
    return bytes + [UInt8(sum >> 8), UInt8(sum & 255)]
  }

  private static let depthCodes = [8: 1, 12: 2, 16: 4, 20: 5, 24: 6, 32: 7]

  private mutating func subframe(_ samples: [Int64], _ fullDepth: Int) {
    let depth = fullDepth - wastedBits
    let samples = samples.map { $0 >> Int64(wastedBits) }
    func kind(_ code: Int64) -> Int64 { code << 1 | (wastedBits > 0 ? 1 : 0) }
    switch prediction {
    case .constant: put(kind(0), 8)
    case .verbatim: put(kind(1), 8)
    case .fixed(let order): put(kind(8 + Int64(order)), 8)
    case .linear(let factors, _): put(kind(31 + Int64(factors.count)), 8)
    }
    if wastedBits > 0 { unary(wastedBits - 1) }
    switch prediction {
    case .constant: put(samples[0], depth)
    case .verbatim: for sample in samples { put(sample, depth) }
    case .fixed(let order):
      for sample in samples.prefix(order) { put(sample, depth) }
      residuals(samples, [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]][order], 0)
    case .linear(let factors, let shift):
      for sample in samples.prefix(factors.count) { put(sample, depth) }
      put(14, 4)
      put(Int64(shift), 5)
      for factor in factors { put(factor, 15) }
      residuals(samples, factors, shift)
    }
  }

  private mutating func residuals(_ samples: [Int64], _ factors: [Int64], _ shift: Int) {
    let order = factors.count
    put(hasWideParameters ? 1 : 0, 2)
    put(Int64(partitionOrder), 4)
    let size = samples.count >> partitionOrder
    for first in stride(from: 0, to: samples.count, by: size) {
      let differences = (max(first, order)..<first + size).map { index in
        let sum = factors.indices.reduce(0) { $0 + factors[$1] * samples[index - 1 - $1] }
        return samples[index] - sum >> Int64(shift)
      }
      let largest = differences.map(\.magnitude).max() ?? 0
      let width = UInt64.bitWidth - largest.leadingZeroBitCount
      if isEscaped {
        put(hasWideParameters ? 31 : 15, hasWideParameters ? 5 : 4)
        put(Int64(width + 1), 5)
        for difference in differences { put(difference, width + 1) }
      } else {
        let suitable = parameter ?? max(0, min(width - 1, hasWideParameters ? 30 : 14))
        put(Int64(suitable), hasWideParameters ? 5 : 4)
        for difference in differences {
          let folded = difference < 0 ? -2 * difference - 1 : 2 * difference
          unary(Int(folded >> Int64(suitable)))
          put(folded, suitable)
        }
      }
    }
  }

  private mutating func put(_ value: Int64, _ count: Int) {
    for bit in (0..<count).reversed() {
      if free == 0 {
        bytes.append(0)
        free = 8
      }
      free -= 1
      bytes[bytes.count - 1] |= UInt8(value >> Int64(bit) & 1) << UInt8(free)
    }
  }

  private mutating func unary(_ zeros: Int) {
    for _ in 0..<zeros { put(0, 1) }
    put(1, 1)
  }

  /// The remainder of a division by a polynomial.
  private func check(_ bytes: [UInt8], _ width: Int, _ polynomial: Int) -> Int {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ Int(byte) << (width - 8)) { sum, _ in
        (sum << 1 ^ (sum >> (width - 1) & 1) * polynomial) & (1 << width - 1)
      }
    }
  }
}
