// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import SignalProcessing

/// Writes tones to a file, without a device, as fast as possible.
public struct ToneExport {
  /// The extensions of the uncompressed and lossless file types.
  public static let kinds = [
    SoundFileKind.wav, .flac, .aiff, .caf, .w64, .rf64, .au,
  ].map(\.rawValue)

  private static let sliceFrames = 1_024

  /// The tones to write.
  public var tones: [Tone]
  /// Whole frames per second.
  public var sampleRate: Double
  /// Bits per sample, 16 or 24, with dither; nil: 32-bit float, or 24 bits in FLAC.
  public var bits: Int?
  /// Whether the dither noise is shaped towards inaudible frequencies.
  public var hasShapedDither = false
  /// The length in frames.
  public private(set) var frameCount: Int
  /// The largest mismatch between end and beginning of a loop, in periods; nil if it is none.
  public private(set) var error: Double?

  /// An export of exactly `seconds`. A loop of periodic tones has whole periods instead: about
  /// `seconds`.
  public init(
    _ tones: [Tone], seconds: Double, sampleRate: Double = 48_000, isLoop: Bool = false
  ) {
    self.tones = tones
    self.sampleRate = sampleRate
    frameCount = max(1, Int((seconds * sampleRate).rounded()))
    let isPeriodic = tones.allSatisfy { $0.waveform.isPeriodic && $0.sweep == nil }
    if isLoop, isPeriodic {
      let whole = WholePeriods(
        of: tones.map { $0.frequency / Double($0.burst.map { $0.on + $0.off } ?? 1) },
        sampleRate: sampleRate, near: frameCount)
      frameCount = whole.frameCount
      error = whole.error
    }
  }

  /// [control thread] Writes the file; its extension chooses the file type, WAV by default. An
  /// existing file is replaced only when the new one is complete.
  ///
  /// - Throws: If the file cannot be written, with the reason.
  public func write(to path: String) throws(ToneError) {
    let mix = try ToneMix(tones, sampleRate: sampleRate, fade: 0)
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let channels = memory.array((0..<2).map { _ in memory.array(Self.sliceFrames, of: Float(0)) })
    do {
      var samples = SoundFileSamples.native
      if let bits {
        samples = try SoundFileSamples(bits: bits, dither: hasShapedDither ? .shaped : .triangular)
      }
      let file = try SoundFileWriter(
        path, sampleRate: sampleRate, channelCount: 2, expecting: frameCount, samples: samples)
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
