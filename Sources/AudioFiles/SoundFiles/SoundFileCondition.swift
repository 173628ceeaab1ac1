// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Whether a sound file is complete.
package struct SoundFileCondition: Equatable, Sendable {
  /// Frames that the file has, and those that its header declares.
  package let frameCount: Int
  package let declaredFrameCount: Int
  /// Bytes of sound that the file has, and those that its header declares.
  private let byteCount: Int
  private let declaredByteCount: Int
  /// Whether the file ends within a packet, or without the mark of its end, although nothing states
  /// how long it was.
  package let endsEarly: Bool
  /// Whether the header does not state a length, because the file was not closed.
  package let isUnclosed: Bool
  /// Frames that are silent, because their packets are damaged or lost.
  package let silencedFrameCount: Int
  /// The kind and the format of a sound file that follows and is not read.
  package let follower: String?

  /// [control thread] The condition of an open file; nil for a handle that is not valid.
  package init?(of handle: AudioFileID) {
    guard let entered = AudioFileObject.handles.enter(handle) else { return nil }
    defer { AudioFileObject.handles.leave(handle) }
    self.init(of: entered.takeUnretainedValue().container)
  }

  /// [control thread] The condition of a file.
  package init(of container: Container) {
    frameCount = container.frameCount
    declaredFrameCount = container.declaredFrameCount
    byteCount = container.dataByteCount
    declaredByteCount = container.declaredDataByteCount
    endsEarly = container.endsEarly
    isUnclosed = container.isUnclosed
    silencedFrameCount = container.silencedFrameCount
    follower = container.follower
  }

  /// What a user should know; nil for a complete file.
  package var warning: String? {
    let texts = [
      lack, silencedFrameCount > 0 ? "is damaged: \(silencedFrameCount) frames are silent" : nil,
      isUnclosed ? "was not closed: its header has no length; everything is sound" : nil,
      follower.map { "is followed by another sound file, which is not read: \($0)" },
    ].compactMap { $0 }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// What is missing at the end.
  private var lack: String? {
    if declaredFrameCount > frameCount {
      let bytes =
        declaredByteCount > byteCount
        ? " (\(Self.size(byteCount)) of \(Self.size(declaredByteCount)))" : ""
      return "is cut short: it has \(frameCount) of \(declaredFrameCount) frames\(bytes)"
    }
    return endsEarly
      ? "is cut short: it ends after \(frameCount) frames, and nothing says how many are missing"
      : nil
  }

  /// A number of bytes, for display.
  private static func size(_ count: Int) -> String {
    var (rest, unit) = (count, 0)
    while rest >= 10_000, unit < 3 { (rest, unit) = (rest / 1_000, unit + 1) }
    return "\(rest) \(["bytes", "kB", "MB", "GB"][unit])"
  }
}
