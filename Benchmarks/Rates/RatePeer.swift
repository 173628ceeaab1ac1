// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

/// A quality of another library for converting sample rates.
struct RatePeer {
  private typealias Make = @convention(c) (Int32, Int32, Int32, Int32) -> UnsafeMutableRawPointer?
  private typealias Convert =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafePointer<Float>?, Int, UnsafeMutablePointer<Float>, Int
    ) -> Int
  private typealias End = @convention(c) (UnsafeMutableRawPointer) -> Void

  let name: String
  /// The quality of ours that it is compared with.
  let equal: ConversionQuality
  private let index: Int32
  private let make: Make
  private let convert: Convert
  private let end: End

  /// Those that are installed.
  static func all(in folder: URL) -> [RatePeer] {
    let libraries = [
      ("PEER_SOXR", "soxr"), ("PEER_SAMPLERATE", "samplerate"), ("PEER_SPEEXDSP", "speexdsp"),
      ("PEER_SWRESAMPLE", "libswresample libavutil"),
    ]
    let equals: [String: ConversionQuality] = [
      "libsoxr HQ": .high, "libsoxr VHQ": .mastering, "libsamplerate medium": .normal,
      "libsamplerate best": .high, "speexdsp 10": .normal, "libswresample": .low,
    ]
    return libraries.flatMap { macro, packages -> [RatePeer] in
      guard let library = PeerLibrary("rates", defining: macro, packages, in: folder) else {
        Report.note("not installed: \(packages)")
        return []
      }
      return library.names.enumerated().map { index, name in
        RatePeer(
          name: name, equal: equals[name] ?? .normal, index: Int32(index),
          make: library.function("peer_make", as: Make.self),
          convert: library.function("peer_convert", as: Convert.self),
          end: library.function("peer_end", as: End.self))
      }
    }
  }

  /// A running conversion.
  struct Conversion {
    fileprivate let peer: RatePeer
    fileprivate let state: UnsafeMutableRawPointer

    /// Converts interleaved frames, or, without input, what is left; returns how many it made.
    @discardableResult
    func convert(
      _ input: UnsafePointer<Float>?, _ frames: Int, into output: UnsafeMutablePointer<Float>,
      room: Int
    ) -> Int {
      peer.convert(state, input, frames, output, room)
    }

    func end() { peer.end(state) }
  }

  /// Begins a conversion.
  func begin(_ rates: RatePair, channels: Int) -> Conversion {
    guard let state = make(index, Int32(rates.from), Int32(rates.to), Int32(channels)) else {
      fail("\(name) does not convert \(rates)")
    }
    return Conversion(peer: self, state: state)
  }
}

/// Two rates in Hz.
struct RatePair: CustomStringConvertible {
  let from: Int
  let to: Int

  init(_ from: Int, _ to: Int) { (self.from, self.to) = (from, to) }

  var description: String { "\(Self.text(from)) to \(Self.text(to)) Hz" }

  private static func text(_ rate: Int) -> String {
    "\(rate / 1_000)," + String(format: "%03d", rate % 1_000)
  }
}
