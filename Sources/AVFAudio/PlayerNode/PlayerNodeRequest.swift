// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues
import CheckedNumbers
import FilePlayback

/// Requests of a player node's program, checked. A call that breaks a rule throws before anything has
/// changed.
struct PlayerNodeRequest {
  /// The name of the call in messages.
  let call: String
  /// The format of the player's output.
  let format: AVAudioFormat

  init(_ call: String, _ format: AVAudioFormat) {
    self.call = "AVAudioPlayerNode.\(call)"
    self.format = format
  }

  private func refusal(_ rule: String, mend: String) -> NSError {
    EngineError.refusal(call, rule, mend: mend)
  }

  // MARK: Times

  /// When a sound begins: at a sample time from the start of the player, or at a host time.
  func start(_ time: AVAudioTime?) throws -> SoundRequest.Start {
    guard let time else { return .next }
    if time.isSampleTimeValid { return .position(frames(time)) }
    guard time.isHostTimeValid else { throw invalid(time) }
    return .hostTime(time.hostTime)
  }

  /// When the player starts: at a sample time of the node, or at a host time.
  func stamp(_ time: AVAudioTime?) throws -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    guard let time else { return stamp }
    if time.isSampleTimeValid {
      stamp.mFlags = .sampleTimeValid
      stamp.mSampleTime = Double(frames(time))
    } else if time.isHostTimeValid {
      stamp.mFlags = .hostTimeValid
      stamp.mHostTime = time.hostTime
    } else {
      throw invalid(time)
    }
    return stamp
  }

  private func invalid(_ time: AVAudioTime) -> NSError {
    refusal(
      "the time has neither a valid sample time nor a valid host time",
      mend: "make it with AVAudioTime(sampleTime:atRate:) or AVAudioTime(hostTime:), or pass nil")
  }

  /// A sample time in frames of the output, whatever its rate; at most 2^53 from zero.
  func frames(_ time: AVAudioTime) -> Int {
    var frames = Double(time.sampleTime)
    if time.sampleRate > 0, format.sampleRate > 0, time.sampleRate != format.sampleRate {
      frames = (frames * format.sampleRate / time.sampleRate).rounded()
    }
    return Int(saturating: min(max(frames, -0x1p53), 0x1p53))
  }

  /// A time with a sample time, moved by frames of the output; it keeps its host time.
  func shifted(_ time: AVAudioTime, by distance: Int) -> AVAudioTime {
    let sampleTime = Int64(frames(time) + distance)
    guard time.isHostTimeValid else {
      return AVAudioTime(sampleTime: sampleTime, atRate: format.sampleRate)
    }
    return AVAudioTime(
      hostTime: time.hostTime, sampleTime: sampleTime, atRate: format.sampleRate)
  }

  // MARK: Buffers

  /// The samples of a buffer, and their owner: the buffer itself, or a copy in Float32.
  func samples(
    _ buffer: AVAudioPCMBuffer
  ) throws -> (content: SoundRequest.Content, owner: AVAudioPCMBuffer) {
    let channels = buffer.format.channelCount
    guard channels == format.channelCount else {
      throw refusal(
        "the buffer has \(channels) channels, and the output of the player \(format.channelCount)",
        mend: "connect the player with the format of its buffers, or convert them")
    }
    let floats = buffer.format.commonFormat == .pcmFormatFloat32 ? buffer : try converted(buffer)
    guard let data = floats.floatChannelData else {
      throw refusal("the samples of \(buffer.format) are not supported", mend: "use Float32")
    }
    let samples = SoundRequest.Samples(
      data, channelCount: Int(channels), stride: floats.stride,
      frameCount: Int(floats.frameLength))
    return (.samples(samples), floats)
  }

  /// A copy of a buffer in Float32.
  private func converted(_ buffer: AVAudioPCMBuffer) throws -> AVAudioPCMBuffer {
    let target = AVAudioFormat.standard(buffer.format.sampleRate, buffer.format.channelCount)
    guard let converter = AVAudioConverter(from: buffer.format, to: target),
      let copy = AVAudioPCMBuffer(pcmFormat: target, frameCapacity: max(buffer.frameLength, 1))
    else { throw refusal("\(buffer.format) cannot be converted", mend: "use Float32") }
    try converter.convert(to: copy, from: buffer)
    return copy
  }

  // MARK: Files

  /// A part of a file; nil means all frames.
  func part(
    _ file: AVAudioFile, _ range: (start: AVAudioFramePosition, count: AVAudioFrameCount)?
  ) throws -> SoundRequest.Content {
    guard let object = file.readableObject else {
      throw refusal(
        "\(file.url.lastPathComponent) is not open for reading",
        mend: "open it with AVAudioFile(forReading:)")
    }
    guard let range else { return .file(.init(object)) }
    guard range.count > 0 else {
      throw refusal("the segment has no frames", mend: "pass a frameCount above zero")
    }
    guard let start = Int(exactly: range.start), (0...file.length).contains(range.start) else {
      throw refusal(
        "the segment begins at frame \(range.start), and the file has \(file.length)",
        mend: "pass a startingFrame from 0 to the length of the file")
    }
    return .file(.init(object, from: start, frameCount: range.count))
  }
}
