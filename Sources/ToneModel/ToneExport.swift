// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation

/// Tones in a file, rendered without a device, as fast as possible.
public struct ToneExport {
  /// What kinds of file there are.
  public enum Format: String, CaseIterable, Sendable {
    /// 32-bit float.
    case wav
    /// 24 bits; needs libsndfile.
    case flac
  }

  private static let sliceFrames = 1_024

  /// What is written.
  public var tones: [Tone]
  /// Whole frames per second.
  public var sampleRate: Double
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
        of: tones.map(\.frequency), sampleRate: sampleRate, near: frameCount)
      frameCount = whole.frameCount
      error = whole.error
    }
  }

  /// [control thread] Writes the file; its kind follows from its name, and is WAV where that says
  /// none.
  ///
  /// - Throws: When the file cannot be written, and why. What has been written stays.
  public func write(to path: String) throws(ToneError) {
    let mix = try ToneMix(tones, sampleRate: sampleRate, fade: 0)
    switch (path as NSString).pathExtension.lowercased() {
    case Format.flac.rawValue:
      let file = try FlacFile(path, sampleRate: sampleRate, channelCount: 2)
      try render(mix) { frames, channels throws(ToneError) in try file.write(channels, frames) }
      try file.close()
    default:
      var file = try WaveFile(path, sampleRate: sampleRate, channelCount: 2)
      try render(mix) { frames, channels throws(ToneError) in try file.write(channels, frames) }
      try file.finish()
    }
  }

  /// Renders everything in pieces.
  private func render(
    _ mix: ToneMix,
    _ take: (Int, UnsafeMutablePointer<UnsafeMutablePointer<Float>>) throws(ToneError) -> Void
  ) throws(ToneError) {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * Self.sliceFrames)
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
    defer {
      samples.deallocate()
      channels.deallocate()
    }
    channels.initialize(to: samples)
    channels.advanced(by: 1).initialize(to: samples + Self.sliceFrames)
    var done = 0
    while done < frameCount {
      let frames = min(Self.sliceFrames, frameCount - done)
      mix.render(frames, channels[0], channels[1])
      try take(frames, channels)
      done += frames
    }
  }
}

/// The library's writer, whose failures are sentences already.
private struct WaveFile: ~Copyable {
  private var writer: WaveFileWriter

  init(_ path: String, sampleRate: Double, channelCount: Int) throws(ToneError) {
    do {
      writer = try WaveFileWriter(path: path, sampleRate: sampleRate, channelCount: channelCount)
    } catch { throw ToneError("Can't write the file: \(error.explanation)") }
  }

  mutating func write(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) throws(ToneError) {
    do { try writer.write(channels, frameCount: frameCount) } catch {
      throw ToneError("Can't write the file: \(error.explanation)")
    }
  }

  mutating func finish() throws(ToneError) {
    do { try writer.flush() } catch {
      throw ToneError("Can't write the file: \(error.explanation)")
    }
  }
}
