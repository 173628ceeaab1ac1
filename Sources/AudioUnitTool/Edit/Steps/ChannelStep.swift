// SPDX-License-Identifier: Apache-2.0
import CommandSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Picks, swaps and repeats channels.
struct ChannelStep: EditStep {
  /// For each new channel, the number of a channel, from 1.
  let numbers: [Int]

  var movesChannels: Bool { true }

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    let sound = try input()
    if let missing = numbers.first(where: { $0 > sound.channelCount }) {
      throw Failure(
        "--pick: there is no channel \(missing): the sound has "
          + Numbers.count(sound.channelCount, "channel"))
    }
    return ChannelStream(sound, numbers)
  }
}

private final class ChannelStream: SteppedStream {
  let input: any SoundStream
  private let numbers: [Int]
  private let memory: BlockMemory

  init(_ input: any SoundStream, _ numbers: [Int]) {
    (self.input, self.numbers) = (input, numbers)
    memory = BlockMemory(channelCount: input.channelCount)
  }

  var channelCount: Int { numbers.count }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let count = try input.read(into: memory.samples, min(frameCount, BlockMemory.frameCount))
    for (channel, number) in numbers.enumerated() {
      for frame in 0..<count {
        samples[frame * numbers.count + channel] =
          memory.samples[frame * memory.channelCount + number - 1]
      }
    }
    return count
  }
}

extension ValueReader where Value == [Int] {
  /// Numbers of channels, from 1.
  static var channelNumbers: Self {
    Self(
      expected: "numbers of channels such as 2 (only the second), 2,1 (swapped) or 1,1",
      limits: ", such as 2 (only the second), 2,1 (exchanged) or 1,1 (twice)"
    ) { text in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      let found = numbers.compactMap { $0 }.filter { (1...1_024).contains($0) }
      return found.count == numbers.count && found.count <= 64 ? found : nil
    }
  }
}
