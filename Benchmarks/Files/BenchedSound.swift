// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The sound of the files: a tone with some noise, of which a piece is written again and again.
struct BenchedSound {
  static let channels = 2
  static let rate = 48_000.0
  private static let pieceFrames = 4_096

  let seconds: Int
  var frames: Int { seconds * Int(Self.rate) }
  var samples: Double { Double(frames * Self.channels) }

  private static let piece: [Float] = {
    var noise: UInt32 = 1
    return (0..<pieceFrames * channels).map { index in
      noise = noise &* 1_664_525 &+ 1_013_904_223
      let tone = 0.4 * sin(2 * Double.pi * 440 * Double(index / channels) / rate)
      return Float(tone + Double(noise >> 16) / 65_536 * 0.01)
    }
  }()

  /// Calls `body` with the memory and the frames of each piece until it returns false; returns
  /// whether it never did.
  func forEachPiece(_ body: (UnsafeMutablePointer<Float>, Int) -> Bool) -> Bool {
    var piece = Self.piece
    var left = frames
    return piece.withUnsafeMutableBufferPointer { piece in
      guard let start = piece.baseAddress else { return false }
      while left > 0 {
        let count = min(left, Self.pieceFrames)
        guard body(start, count) else { return false }
        left -= count
      }
      return true
    }
  }
}
