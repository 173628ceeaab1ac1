// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

/// A part of a sound file that a unit plays from its start on.
public struct PlayedFile: Equatable, Sendable {
  /// Where the file is.
  public var path: String
  /// When it plays, in frames of the unit's output after its start; nil: after the previous one.
  public var time: Int?
  /// Its first frame, and how many frames there are of it; nil: all that follow. In frames of the file.
  public var start: Int
  public var frames: UInt32?
  /// How often it is repeated after the first time; `UInt32.max`: without an end.
  public var loops: UInt32

  /// All of a file by default.
  public init(
    path: String, time: Int? = nil, start: Int = 0, frames: UInt32? = nil, loops: UInt32 = 0
  ) {
    self.path = path
    self.time = time
    self.start = start
    self.frames = frames
    self.loops = loops
  }
}

extension UnitInstance {
  /// [control thread] Plays a part of a file, from the unit's first render on.
  ///
  /// - Throws: When it is no unit that plays files, or there is no such file.
  public func play(_ file: PlayedFile) throws(AudioError) {
    guard let player = self as? any FilePlaying else {
      throw .invalidProperty.because("it plays no files")
    }
    try player.playFile(file)
  }

  /// [control thread] The files that the unit has been given to play since its last reset.
  public var playedFiles: [PlayedFile] { (self as? any FilePlaying)?.filesToPlay ?? [] }
}

/// A unit that plays files by their paths.
public protocol FilePlaying: AnyObject {
  func playFile(_ file: PlayedFile) throws(AudioError)
  var filesToPlay: [PlayedFile] { get }
}
