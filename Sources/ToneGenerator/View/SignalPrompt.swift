// SPDX-License-Identifier: Apache-2.0
import PlainText
import ToneModel
import ToneTexts

/// The commands for lines, channels, modulation, timing, files and noise that repeats.
struct SignalPrompt {
  let model: ToneModel

  /// Locks the frequency to the lines of a Fourier transform; an empty text unlocks it.
  func lock(_ text: String) throws(ToneError) -> String {
    guard !text.isEmpty else {
      model.tone.lineFrames = nil
      return ""
    }
    guard let frames = Int(text), Tone.lineFrames.contains(frames) else {
      throw PromptEntry.usage("lock")
    }
    model.tone.lineFrames = frames
    return ""
  }

  /// Plays the tone on some channels; an empty text on both sides.
  func setChannels(_ text: String) throws(ToneError) -> String {
    guard !text.isEmpty else {
      model.tone.channels = []
      return ""
    }
    guard let channels = ToneChannels.numbers(text) else { throw PromptEntry.usage("channels") }
    if let device = model.device, let highest = channels.max(), highest > device.channelCount {
      throw ToneError(
        tr("{} has only {} channels.", device.name, "\(device.channelCount)"))
    }
    model.tone.channels = channels
    return ""
  }

  /// Modulates the amplitude; without words, ends it.
  func modulateAmplitude(_ words: [String]) throws(ToneError) -> String {
    guard !words.isEmpty else {
      model.tone.amplitudeModulation = nil
      return ""
    }
    guard words.count == 2, let frequency = Quantity.frequency().value(of: words[0]),
      let depth = Quantity.percent.value(of: words[1]), ToneModel.frequencies.contains(frequency),
      (0...100).contains(depth)
    else { throw PromptEntry.usage("am") }
    model.tone.amplitudeModulation = AmplitudeModulation(frequency: frequency, depth: depth)
    return ""
  }

  /// Modulates the frequency; without words, ends it.
  func modulateFrequency(_ words: [String]) throws(ToneError) -> String {
    guard !words.isEmpty else {
      model.tone.frequencyModulation = nil
      return ""
    }
    let numbers = words.compactMap { Quantity.frequency().value(of: $0) }
    guard words.count == 2, numbers.count == 2, ToneModel.frequencies.contains(numbers[0]),
      (0...192_000).contains(numbers[1])
    else { throw PromptEntry.usage("fm") }
    model.tone.frequencyModulation = FrequencyModulation(
      frequency: numbers[0], deviation: numbers[1])
    return ""
  }

  /// Plays a sound file in a loop; an empty path plays a sine again.
  func play(file path: String) throws(ToneError) -> String {
    guard !path.isEmpty else {
      model.waveform = .sine
      return ""
    }
    try model.play(file: path)
    return ""
  }

  /// Chooses when the tone sounds; without words, as long as it plays.
  func setTiming(_ words: [String]) throws(ToneError) -> String {
    guard !words.isEmpty else {
      model.tone.timing = nil
      return ""
    }
    guard let timing = TimingWords.timing(words) else { throw PromptEntry.usage("timing") }
    model.tone.timing = timing
    return model.isPlaying ? tr("It counts from the start.") : ""
  }

  /// Chooses the noise for devices with integers; an empty text the usual one.
  func setDither(_ text: String) throws(ToneError) -> String {
    guard text.isEmpty || ToneDither(rawValue: text) != nil else {
      throw PromptEntry.usage("dither")
    }
    model.dither = ToneDither(rawValue: text)
    return tr("Dither: {}", text.isEmpty ? tr("The usual one") : text)
  }

  /// Chooses the period of noise that repeats.
  func setOrder(_ text: String) throws(ToneError) -> String {
    guard let order = Int(text), (4...20).contains(order) else { throw PromptEntry.usage("order") }
    model.tone.noiseOrder = order
    return startsAgain
  }

  /// Chooses the bits for which a J-test is made.
  func setBits(_ text: String) throws(ToneError) -> String {
    guard let bits = Int(text), (8...24).contains(bits) else { throw PromptEntry.usage("bits") }
    model.tone.sampleBits = bits
    return startsAgain
  }

  /// What to do for a change that takes effect when the tone starts.
  private var startsAgain: String {
    model.isPlaying ? tr("It takes effect at the next start.") : ""
  }
}
