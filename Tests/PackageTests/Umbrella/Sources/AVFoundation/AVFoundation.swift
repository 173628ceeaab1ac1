// SPDX-License-Identifier: Apache-2.0
@_exported import AVFAudio

/// A type of this project beside those of audio.
public struct AVAsset {
  public let name: String
  public init(name: String) { self.name = name }
}
