// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The time signatures of a sequence: converts beats to bars and back. [control thread]
///
/// A signature begins a bar. Without any, bars have four quarter notes.
struct BarMap {
  private struct Signature {
    /// Its first beat, and the number of bars before it.
    let start: Double
    let bars: Double
    /// The beats of a bar, and their length in quarter notes.
    let beatCount: Double
    let beatLength: Double

    var barLength: Double { beatCount * beatLength }
  }

  private var signatures = [Signature(start: 0, bars: 0, beatCount: 4, beatLength: 1)]
  /// What a time may lack because it cannot be written exactly.
  private static let tolerance = 1e-9

  /// The signatures of the events of a tempo track.
  init(_ events: [MusicEvent]) {
    for event in events {
      guard case .meta(0x58, let bytes) = event.message, bytes.count >= 2, bytes[0] > 0,
        bytes[1] <= 10
      else { continue }
      let last = signatures[signatures.count - 1]
      if event.time <= last.start { signatures.removeLast() }
      let bars = ((event.time - last.start) / last.barLength - Self.tolerance).rounded(.up)
      signatures.append(
        Signature(
          start: event.time, bars: last.bars + max(0, bars), beatCount: Double(bytes[0]),
          beatLength: 4 / Double(1 << Int(bytes[1]))))
    }
  }

  /// The bar, the beat and the part of the beat of a time.
  func barBeatTime(_ beats: Double, divisor: UInt32) throws(AudioError) -> CABarBeatTime {
    let signature = signatures.last { $0.start <= beats + Self.tolerance } ?? signatures[0]
    let bars = ((beats - signature.start) / signature.barLength + Self.tolerance).rounded(.down)
    let rest = beats - signature.start - bars * signature.barLength
    let position = max(0, rest / signature.beatLength)
    let beat = min((position + Self.tolerance).rounded(.down), signature.beatCount - 1)
    guard let bar = (Outside(signature.bars + bars) + 1).within(Int(Int32.min)...Int(Int32.max)),
      let divisor = UInt16(exactly: divisor)
    else {
      throw .invalidArgument.because("\(beats) beats with a divisor of \(divisor)")
    }
    let parts = max(0, (position - beat + Self.tolerance) * Double(divisor)).rounded(.down)
    return CABarBeatTime(
      bar: Int32(clamping: bar), beat: UInt16(saturating: beat + 1),
      subbeat: UInt16(saturating: min(parts, max(0, Double(divisor) - 1))),
      subbeatDivisor: divisor, reserved: 0)
  }

  /// The time of a bar, a beat and a part of it.
  func beats(_ time: CABarBeatTime) throws(AudioError) -> Double {
    guard time.beat > 0, time.subbeat == 0 || time.subbeatDivisor > 0 else {
      throw .invalidArgument.because(
        "beat \(time.beat), part \(time.subbeat) of \(time.subbeatDivisor); beats count from 1")
    }
    let bars = Double(time.bar) - 1
    let signature = signatures.last { $0.bars <= bars } ?? signatures[0]
    let part = time.subbeat > 0 ? Double(time.subbeat) / Double(time.subbeatDivisor) : 0
    return signature.start + (bars - signature.bars) * signature.barLength
      + (Double(time.beat) - 1 + part) * signature.beatLength
  }
}
