// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
@_spi(TrappingConversions) import CheckedNumbers

/// Measures a frame of FLAC (RFC 9639, section 9) by walking through its subframes, without decoding
/// a sample: the header states no length.
struct FLACFrameLength {
  enum Result: Equatable {
    case bytes(Int)
    /// The bytes end within the frame.
    case missing
    /// The bytes are no frame.
    case damaged
  }

  /// Why the walk stops early.
  private enum Stop: Error {
    case missing
    case damaged
  }

  private let bytes: [UInt8]
  private let samples: Int
  /// The next bit.
  private var position: Int

  /// The length of the frame with which the bytes begin. `depth`: bits of a sample.
  static func measure(_ bytes: [UInt8], _ frame: FLACFrame, depth: Int) -> Result {
    guard (4...32).contains(depth) else { return .damaged }
    var walk = Self(bytes: bytes, samples: frame.frames, position: 8 * frame.headerBytes)
    do throws(Stop) { return try walk.frame(frame, depth) } catch {
      return error == .missing ? .missing : .damaged
    }
  }

  private mutating func frame(_ frame: FLACFrame, _ depth: Int) throws(Stop) -> Result {
    let count = frame.channelCode < 8 ? frame.channelCode + 1 : 2
    for channel in 0..<count {
      // The difference of two channels has one more bit; left and difference, difference and
      // right, mean and difference.
      let isDifference = frame.channelCode >= 8 && (frame.channelCode == 9) == (channel == 0)
      try subframe(depth + (isDifference ? 1 : 0))
    }
    // Zero bits up to a whole byte, and a check sum of two bytes.
    let end = (position + 7) / 8 + 2
    guard end <= bytes.count else { throw .missing }
    return FLACCheckSum.of(bytes[..<end]) == 0 ? .bytes(end) : .damaged
  }

  private mutating func subframe(_ depth: Int) throws(Stop) {
    let kind = Int(try bits(8))
    guard kind & 0x80 == 0 else { throw .damaged }
    var depth = depth
    if kind & 1 != 0 { depth -= try unary() + 1 }
    guard depth > 0 else { throw .damaged }
    switch kind >> 1 {
    case 0: try skip(depth)
    case 1: try skip(depth * samples)
    case 8...12: try residual(after: (kind >> 1) - 8, depth)
    case 32...63:
      let order = (kind >> 1) - 31
      guard order <= samples else { throw .damaged }
      try skip(order * depth)
      let precision = Int(try bits(4)) + 1
      guard precision < 16 else { throw .damaged }
      try skip(5 + order * precision)
      try residual(order)
    default: throw .damaged
    }
  }

  private mutating func residual(after order: Int, _ depth: Int) throws(Stop) {
    guard order <= samples else { throw .damaged }
    try skip(order * depth)
    try residual(order)
  }

  /// The differences from a prediction of an order, in Rice codes.
  private mutating func residual(_ order: Int) throws(Stop) {
    let method = Int(try bits(2))
    guard method < 2 else { throw .damaged }
    let (width, escape) = method == 0 ? (4, 15) : (5, 31)
    let partitionOrder = Int(try bits(4))
    let size = samples >> partitionOrder
    guard size << partitionOrder == samples, size >= order else { throw .damaged }
    for partition in 0..<(1 << partitionOrder) {
      let count = size - (partition == 0 ? order : 0)
      let parameter = Int(try bits(width))
      if parameter == escape {
        try skip(Int(try bits(5)) * count)
      } else {
        for _ in 0..<count {
          _ = try unary()
          try skip(parameter)
        }
      }
    }
  }

  // MARK: Bits

  private mutating func skip(_ count: Int) throws(Stop) {
    position += count
    guard position <= 8 * bytes.count else { throw .missing }
  }

  private mutating func bits(_ count: Int) throws(Stop) -> UInt32 {
    var value: UInt32 = 0
    let start = position
    try skip(count)
    for bit in start..<position {
      value = value << 1 | UInt32(bytes[bit / 8] >> UInt8(truncatingIfNeeded: 7 - bit % 8) & 1)
    }
    return value
  }

  /// The number of zero bits before the next one, which is read, too.
  private mutating func unary() throws(Stop) -> Int {
    let start = position
    while true {
      guard position < 8 * bytes.count else { throw .missing }
      let rest = bytes[position / 8] << UInt8(truncatingIfNeeded: position % 8)
      guard rest == 0 else {
        position += rest.leadingZeroBitCount + 1
        return position - start - 1
      }
      position += 8 - position % 8
    }
  }
}
