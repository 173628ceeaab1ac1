// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Whether a sound file is complete.
package struct SoundFileCondition: Equatable, Sendable {
  /// Frames that the file has, and those that its header declares.
  package let frameCount: Int
  package let declaredFrameCount: Int
  /// Whether the header does not state a length, because the file was not closed.
  package let isUnclosed: Bool

  /// [control thread] The condition of an open file; nil for a handle that is not valid.
  package init?(of handle: AudioFileID) {
    guard let entered = AudioFileObject.handles.enter(handle) else { return nil }
    defer { AudioFileObject.handles.leave(handle) }
    let container = entered.takeUnretainedValue().container
    frameCount = container.frameCount
    declaredFrameCount = container.declaredFrameCount
    isUnclosed = container.isUnclosed
  }

  /// What a user should know; nil for a complete file.
  package var warning: String? {
    if declaredFrameCount > frameCount {
      return "is cut short: it has \(frameCount) of \(declaredFrameCount) frames"
    }
    return isUnclosed ? "was not closed: its header has no length; everything is sound" : nil
  }
}
