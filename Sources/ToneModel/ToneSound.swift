// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A sound file as the signal of a tone. It repeats without a gap; the level of the tone is its peak.
public struct ToneSound: Equatable, Codable, Sendable {
  /// The absolute path of the file.
  public let path: String
  /// The frames of the file, and how many it has per second.
  public let frameCount: Int
  public let sampleRate: Double
  public let channelCount: Int
  /// The largest sample, linear.
  public let peak: Double
  /// The RMS of the loudest channel, relative to the largest sample of all.
  public let rmsRatio: Double

  /// [control thread] Reads a file and measures it.
  ///
  /// - Throws: If it cannot be read, is empty, silent or too long, with the reason.
  public init(path: String) throws(ToneError) {
    let expanded = NSString(string: path).expandingTildeInPath
    self.path = URL(fileURLWithPath: expanded).standardizedFileURL.path
    let samples = try SoundSamples(path: self.path)
    frameCount = samples.frameCount
    sampleRate = samples.sampleRate
    channelCount = samples.channels.count
    peak = Double(samples.peak)
    rmsRatio = samples.largestRMS / Double(samples.peak)
  }

  /// The name of the file for display.
  public var name: String { URL(fileURLWithPath: path).lastPathComponent }

  /// The length in seconds.
  public var seconds: Double { Double(frameCount) / sampleRate }
}
