// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

/// A part of a sound file, for a unit that plays files.
public struct PlayedFile: Equatable, Sendable {
  /// The path of the file.
  public var path: String
  /// When it plays, in output frames after the unit's first render; nil: after the previous file.
  public var time: Int?
  /// The first frame of the part, and its length; nil: all remaining frames. In frames of the file.
  public var start: Int
  public var frames: UInt32?
  /// How often it is repeated after the first time; `UInt32.max`: endlessly.
  public var loops: UInt32

  /// A part of a file; by default the whole file, once.
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
  /// [control thread] Schedules a part of a file; the time counts from the unit's first render.
  ///
  /// - Throws: If the unit does not play files, or there is no such file.
  public func play(_ file: PlayedFile) throws(AudioError) {
    guard let player = self as? any FilePlaying else {
      throw .invalidProperty.because("it does not play files")
    }
    try player.playFile(file)
  }

  /// [control thread] The files that were scheduled since the unit's last reset.
  public var playedFiles: [PlayedFile] { (self as? any FilePlaying)?.filesToPlay ?? [] }
}

/// A unit that plays files by their paths.
public protocol FilePlaying: AnyObject {
  func playFile(_ file: PlayedFile) throws(AudioError)
  var filesToPlay: [PlayedFile] { get }
}
