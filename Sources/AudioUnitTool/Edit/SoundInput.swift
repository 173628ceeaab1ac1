// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// An input of a conversion: a file, or standard input, which is kept in a temporary file if it has to
/// be read more than once.
class SoundInput {
  /// Its name in messages.
  let title: String
  /// Bits of a sample before it was compressed, negative for floating point; nil: unknown.
  fileprivate(set) var bits: Int?
  /// The bits of the samples, if they have the values of the input; nil if they were calculated.
  fileprivate(set) var keptBits: Int?
  /// Frames per second of the last sound that was opened.
  fileprivate(set) var sampleRate = 0.0
  fileprivate(set) var metadata = SoundFileMetadata()
  /// Whether the input was complete; nil if that is unknown.
  fileprivate(set) var condition: SoundFileCondition?

  private let path: String
  fileprivate let settings: ConversionSettings
  private let spool: TemporaryFile?
  private var pipe: PipedSound?

  /// Opens an input; "-" is standard input. `isStreamed`: it is read once, and its metadata is not
  /// needed.
  convenience init(
    _ path: String, _ settings: ConversionSettings, isStreamed: Bool
  ) throws(Failure) { try self.init(path, settings, isStreamed: isStreamed, isOpened: false) }

  /// As above; `isOpened`: standard input was read before.
  fileprivate init(
    _ path: String, _ settings: ConversionSettings, isStreamed: Bool, isOpened: Bool
  ) throws(Failure) {
    self.settings = settings
    title = path == "-" ? "standard input" : path
    guard path == "-", !isOpened, settings.rawInput == nil || !isStreamed else {
      (self.path, spool) = (path, nil)
      return
    }
    var beginning: [UInt8] = []
    if isStreamed {
      switch try PipedSound.begin(STDIN_FILENO) {
      case .sound(let sound) where PipedStream.keepsSamples(of: sound):
        (self.path, spool, pipe) = (path, nil, sound)
        return
      case .sound(let sound): beginning = sound.bytes
      case .wholeFile(let bytes): beginning = bytes
      }
    }
    let file = try TemporaryFile(input: STDIN_FILENO, after: beginning)
    (self.path, spool) = (file.path, file)
  }

  private init(_ other: SoundInput, _ settings: ConversionSettings) {
    (title, path, spool, pipe) = (other.title, other.path, other.spool, other.pipe)
    self.settings = settings
  }

  /// The same input with other settings.
  func adapted(to settings: ConversionSettings) -> SoundInput { SoundInput(self, settings) }

  /// The places of its markers, in frames.
  var markerFrames: [Double] { metadata.markers.map(\.frame) }

  /// Whether it is read without a file.
  var isPipe: Bool { pipe != nil || settings.rawInput != nil }

  /// The file, with samples of a type; nil keeps their values.
  func file(rate: ((Double) -> Double)?, _ sample: KeptSamples.Sample?) throws(Failure)
    -> ConversionSource
  {
    let source = try ConversionSource(path, title: title, settings, rate: rate, sample: sample)
    (bits, keptBits) = (source.bits, source.keptBits)
    (metadata, condition) = (source.metadata, source.condition)
    return source
  }

  /// The channels of the sound; reads no frame of a pipe.
  fileprivate func openForm() throws(Failure) -> Int {
    guard let pipe else { return try open().channelCount }
    sampleRate = pipe.format.mSampleRate
    return Int(pipe.format.mChannelsPerFrame)
  }

  /// The sound at its own rate, for an edit.
  func open() throws(Failure) -> any SoundStream {
    let sound = try openSound()
    sampleRate = sound.sampleRate
    return sound
  }

  fileprivate func openSound() throws(Failure) -> any SoundStream {
    var sound: any SoundStream
    if let format = settings.rawInput {
      (bits, keptBits) = (format.signedBits, format.precision)
      sound = try RawStream(path, title: title, format)
    } else if let pipe {
      let stream = PipedStream(pipe)
      (bits, keptBits) = (stream.bits, stream.keptBits)
      sound = stream
    } else {
      return try file(rate: nil, .float64)
    }
    if let count = settings.channelCount, count != sound.channelCount {
      keptBits = nil
      sound = try MixStep(
        channelCount: count, lowFrequencyGain: settings.lowFrequencyGain
      ).apply(to: { () throws(Failure) in sound }, EditNotes())
    }
    return sound
  }
}

/// Several inputs as one sound.
final class CombinedInput: SoundInput {
  /// How inputs become one.
  enum Combination: Sendable, Equatable {
    /// One after the other, without gaps.
    case joined
    /// At the same time, each with its gain in decibels.
    case mixed([Double])
  }

  private let combination: Combination
  private let inputs: [SoundInput]
  private let channelCounts: [Int]
  private let rate: Double

  /// Opens files. They get the rate of the first, and the channels of the one with most. `isStreamed`:
  /// they are read once, and the metadata of standard input are not needed.
  init(
    _ paths: [String], _ combination: Combination, _ settings: ConversionSettings,
    isStreamed: Bool
  ) throws(Failure) {
    self.combination = combination
    var opened: [SoundInput] = []
    var counts: [Int] = []
    for path in paths {
      let input = try SoundInput(path, settings, isStreamed: isStreamed)
      counts.append(try input.openForm())
      opened.append(input)
    }
    var adapted = settings
    adapted.channelCount = settings.channelCount ?? counts.max()
    rate = settings.sampleRate ?? opened.first?.sampleRate ?? 48_000
    channelCounts = counts
    // Inputs that are pipes are kept; the others are opened again with these channels.
    inputs = opened.map { $0.adapted(to: adapted) }
    try super.init(paths.first ?? "", settings, isStreamed: false, isOpened: true)
  }

  override fileprivate func openSound() throws(Failure) -> any SoundStream {
    var sounds: [any SoundStream] = []
    let newRate = rate
    var isSame = Set(channelCounts).count == 1
    for input in inputs {
      let sound = try input.open()
      isSame = isSame && sound.sampleRate == rate
      sounds.append(
        try RateStep(newRate: { _ in newRate }, quality: settings.quality)
          .apply(to: { () throws(Failure) in sound }, EditNotes()))
    }
    condition = inputs.compactMap(\.condition).first { $0.warning != nil }
    let all = inputs.compactMap(\.bits)
    // Float32 holds 24 bits.
    let floatBits = all.contains { $0 > 24 } ? -64 : all.min()
    bits = all.count < inputs.count ? nil : all.contains { $0 < 0 } ? floatBits : all.max()
    let kept = inputs.compactMap(\.keptBits)
    switch combination {
    case .joined:
      keptBits = isSame && kept.count == inputs.count ? kept.max() : nil
      joinMetadata(sounds)
      return JoinedStream(sounds)
    case .mixed(let gains):
      keptBits = nil
      metadata = inputs[0].metadata
      return MixtureStream(sounds, gains)
    }
  }

  /// The tags of the first, and the markers of all.
  private func joinMetadata(_ sounds: [any SoundStream]) {
    metadata = inputs[0].metadata
    metadata.move(to: 0..<Double.infinity, ratio: sounds[0].map?.ratio ?? 1)
    var start = sounds[0].frameCount
    for (input, sound) in zip(inputs, sounds).dropFirst() {
      guard let first = start else { return }
      var more = input.metadata
      more.move(to: 0..<Double.infinity, ratio: sound.map?.ratio ?? 1)
      for marker in more.markers {
        var marker = marker
        marker.frame += Double(first)
        marker.id = Int32(clamping: metadata.markers.count + 1)
        metadata.markers.append(marker)
      }
      start = sound.frameCount.map { first + $0 }
    }
  }
}

/// Sounds one after the other.
private final class JoinedStream: SoundStream {
  private let sounds: [any SoundStream]
  private var index = 0

  init(_ sounds: [any SoundStream]) { self.sounds = sounds }

  var sampleRate: Double { sounds[0].sampleRate }
  var channelCount: Int { sounds[0].channelCount }
  var frameCount: Int? {
    let counts = sounds.compactMap(\.frameCount)
    return counts.count == sounds.count ? counts.reduce(0, +) : nil
  }
  var map: FrameMap? { FrameMap() }
  var keepsSamples: Bool { sounds.allSatisfy(\.keepsSamples) }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    while index < sounds.count {
      let count = try sounds[index].read(into: samples, frameCount)
      if count > 0 { return count }
      index += 1
    }
    return 0
  }
}

/// Sounds at the same time, as long as the longest.
private final class MixtureStream: SoundStream {
  private let sounds: [any SoundStream]
  private let gains: [Double]
  private let memory: BlockMemory

  init(_ sounds: [any SoundStream], _ decibels: [Double]) {
    self.sounds = sounds
    gains = decibels.map(Decibels.gain)
    memory = BlockMemory(channelCount: sounds[0].channelCount)
  }

  var sampleRate: Double { sounds[0].sampleRate }
  var channelCount: Int { sounds[0].channelCount }
  var frameCount: Int? {
    let counts = sounds.compactMap(\.frameCount)
    return counts.count == sounds.count ? counts.max() : nil
  }
  var map: FrameMap? { sounds[0].map }
  var keepsSamples: Bool { false }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let wanted = min(frameCount, BlockMemory.frameCount)
    samples.update(repeating: 0, count: wanted * channelCount)
    var longest = 0
    for (sound, gain) in zip(sounds, gains) {
      var done = 0
      while done < wanted,
        case let count = try sound.read(into: memory.samples, wanted - done), count > 0
      {
        let target = samples + done * channelCount
        for index in 0..<count * channelCount { target[index] += gain * memory.samples[index] }
        done += count
      }
      longest = max(longest, done)
    }
    return longest
  }
}
