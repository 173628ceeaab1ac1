// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import SignalProcessing

/// A sound, when it begins, and how it is played.
package struct SoundRequest: @unchecked Sendable {  // the samples stay as they are
  /// When a sound begins.
  package enum Start: Sendable {
    /// After the sounds that were scheduled before.
    case next
    /// At a number of frames after the start of the player.
    case position(Int)
    /// At a host time; at once if renders have none.
    case hostTime(UInt64)
  }

  /// How a buffer is played; see `AVAudioPlayerNodeBufferOptions`.
  package struct Options: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sound repeats until another one interrupts it.
    package static let loops = Options(rawValue: 1)
    /// All sounds before it end when its time has come.
    package static let interrupts = Options(rawValue: 2)
    /// All sounds before it end at the next end of the one that is playing.
    package static let interruptsAtLoop = Options(rawValue: 4)
  }

  /// When the handler of a sound is called.
  package enum Completion: Sendable {
    /// The player needs its frames no more.
    case consumed
    /// The player has rendered its frames.
    case rendered
    /// Its frames have come out of the device.
    case playedBack
  }

  /// The samples of a buffer.
  package struct Samples {
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    let stride: Int
    let frameCount: Int

    /// Samples that stay valid while the owner of the request exists. The samples of a channel are
    /// `stride` apart.
    package init(
      _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, stride: Int,
      frameCount: Int
    ) {
      self.channels = channels
      self.channelCount = channelCount
      self.stride = stride
      self.frameCount = frameCount
    }
  }

  /// A part of a file.
  package struct FilePart {
    let file: AudioFileObject
    let first: Int
    let frameCount: UInt32
    let loops: UInt32

    /// Frames of the file from `first` on, all if the count is `UInt32.max`, and so many repetitions.
    package init(
      _ file: AudioFileObject, from first: Int = 0, frameCount: UInt32 = .max, loops: UInt32 = 0
    ) {
      self.file = file
      self.first = first
      self.frameCount = frameCount
      self.loops = loops
    }
  }

  /// What is played.
  package enum Content {
    case samples(Samples)
    case file(FilePart)
  }

  let content: Content
  /// Owns the samples or the file.
  let owner: AnyObject?
  let start: Start
  let options: Options
  let completion: Completion
  let handler: (@Sendable () -> Void)?

  /// A request for a sound. `owner` exists until the sound has ended.
  package init(
    _ content: Content, owner: AnyObject?, at start: Start = .next, options: Options = [],
    completion: Completion = .consumed, handler: (@Sendable () -> Void)? = nil
  ) {
    self.content = content
    self.owner = owner
    self.start = start
    self.options = options
    self.completion = completion
    self.handler = handler
  }

  /// Whether it begins where the sound before it ends, and ends no other.
  var joins: Bool { if case .next = start { options.isEmpty } else { false } }

  /// The same sound at the same time, for a schedule with another rate.
  func scaled(by ratio: Double) -> SoundRequest {
    guard case .position(let frame) = start else { return self }
    let position = Elementary.whole((Double(frame) * ratio).rounded())
    return SoundRequest(
      content, owner: owner, at: .position(position), options: options, completion: completion,
      handler: handler)
  }
}
