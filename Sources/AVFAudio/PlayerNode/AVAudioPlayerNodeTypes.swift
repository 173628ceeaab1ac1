// SPDX-License-Identifier: Apache-2.0
import FilePlayback

/// How a buffer of a player is played.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The buffer repeats until another one interrupts it, or until the player stops.
  public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1)
  /// Everything that was scheduled before ends when the time of the buffer has come.
  public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 2)
  /// Everything that was scheduled before ends when the buffer that is playing, or its current
  /// repetition, ends.
  public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 4)
}

/// When the completion handler of a player is called. If the player stops, it is called at once.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
  /// The player needs the data no more.
  case dataConsumed = 0
  /// The player has rendered the data.
  case dataRendered = 1
  /// The device has played the data, as far as its latency is known; in manual rendering it counts as
  /// played when it is rendered.
  case dataPlayedBack = 2
}

/// Called once when the data has been consumed. [a thread of the player]
public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void

/// Called once, with the type that was requested. [a thread of the player]
public typealias AVAudioPlayerNodeCompletionHandler =
  @Sendable (
    AVAudioPlayerNodeCompletionCallbackType
  ) -> Void

extension AVAudioPlayerNodeCompletionCallbackType {
  /// The event of the schedule.
  var completion: SoundRequest.Completion {
    switch self {
    case .dataConsumed: .consumed
    case .dataRendered: .rendered
    case .dataPlayedBack: .playedBack
    }
  }
}
