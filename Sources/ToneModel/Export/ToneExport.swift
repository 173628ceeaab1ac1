// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import Foundation
import SignalProcessing

/// Tones in a file, rendered without a device, as fast as possible.
public struct ToneExport {
  /// The kinds of file that keep tones as they are, by what their names end in.
  public static let kinds = [
    SoundFileKind.wav, .flac, .aiff, .caf, .w64, .rf64, .au,
  ].map(\.rawValue)

  private static let sliceFrames = 1_024

  /// What is written.
  public var tones: [Tone]
  /// Whole frames per second.
  public var sampleRate: Double
  /// Bits of the file's samples, 16 or 24, rounded with a dither; nil: 32-bit float, in FLAC 24 bits.
  public var bits: Int?
  /// Whether the dither moves its noise to where the ear is deaf.
  public var hasShapedDither = false
  /// How many frames there are to be.
  public private(set) var frameCount: Int
  /// By how much of a period the end misses the beginning, at worst; nil where there are no periods.
  public private(set) var error: Double?

  /// An export of about so many seconds: of whole periods, where nothing but periodic tones sounds;
  /// else of exactly so many seconds.
  public init(_ tones: [Tone], seconds: Double, sampleRate: Double = 48_000) {
    self.tones = tones
    self.sampleRate = sampleRate
    frameCount = max(1, Int((seconds * sampleRate).rounded()))
    let isPeriodic = tones.allSatisfy { $0.waveform.isPeriodic && $0.sweep == nil }
    if isPeriodic {
      let whole = WholePeriods(
        of: tones.map { $0.frequency / Double($0.burst.map { $0.on + $0.off } ?? 1) },
        sampleRate: sampleRate, near: frameCount)
      frameCount = whole.frameCount
      error = whole.error
    }
  }

  /// [control thread] Writes the file; its kind follows from its name, and is WAV where that says
  /// none. A file of that name stays as it is until the new one is whole.
  ///
  /// - Throws: When the file cannot be written, and why.
  public func write(to path: String) throws(ToneError) {
    let mix = try ToneMix(tones, sampleRate: sampleRate, fade: 0)
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let channels = memory.array((0..<2).map { _ in memory.array(Self.sliceFrames, of: Float(0)) })
    do {
      let samples = try bits.map { bits throws(AudioError) in
        try SoundFileSamples(bits: bits, dither: hasShapedDither ? .shaped : .triangular)
      }
      let file = try SoundFileWriter(
        path, sampleRate: sampleRate, channelCount: 2, expecting: frameCount,
        samples: samples ?? .native)
      var done = 0
      while done < frameCount {
        let frames = min(Self.sliceFrames, frameCount - done)
        mix.render(frames, channels[0], channels[1])
        try file.write(channels, frameCount: frames)
        done += frames
      }
      try file.finish()
    } catch { throw ToneError(error.explanation) }
  }
}
