// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import ToneModel

/// A sound file that feeds a unit: its frames, then silence.
///
/// It is pulled without a device, on one thread, so a render call may read the file.
final class FileSource {
  /// Frames of the file.
  let frameCount: Int
  /// Channels that the unit gets.
  let channelCount: Int
  /// Whole frames per second.
  let sampleRate: Int
  /// Why reading failed; nil if it did not.
  private(set) var failure: String?
  /// The samples so far that are not finite; no unit gets them.
  private(set) var repairs = SampleRepairs()

  /// Whether the file is complete.
  let condition: SoundFileCondition

  private var reader: SoundFileReader
  /// The frames of the file, and what the unit gets of them.
  private let fileFrames: PlanarMemory
  private let map: ChannelMap
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// [control thread] Opens a file. `count`: the channels that the unit gets; nil: those of the file.
  /// Fewer are mixed from all, with the linear gain `lowFrequencyGain` of low-frequency effects.
  ///
  /// - Throws: If the file does not exist or cannot be read.
  init(
    _ path: String, channelCount count: Int? = nil, lowFrequencyGain: Float = 0
  ) throws(Failure) {
    do { reader = try SoundFileReader(path: path) } catch { throw Failure(error.explanation) }
    frameCount = reader.frameCount
    condition = SoundFileCondition(of: reader.container)
    let fileChannels = reader.format.channelCount
    channelCount = count ?? fileChannels
    sampleRate = Int(saturating: reader.format.sampleRate.rounded())
    channels = .allocate(capacity: channelCount)
    fileFrames = PlanarMemory(channelCount: fileChannels, frameCount: ToneSource.maximumFrames)
    map = SoundFileMix.map(
      from: fileChannels, reader.container.layout, to: channelCount,
      lowFrequencyGain: lowFrequencyGain)
    guard frameCount > 0 else { throw Failure("\(path): has no frames") }
  }

  deinit { channels.deallocate() }

  /// The callback for the unit's input; valid as long as this object exists.
  var renderCallback: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: readFile, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Fills buffers with the next frames.
  fileprivate func read(_ data: UnsafeMutableAudioBufferListPointer, _ count: Int) {
    guard data.count == channelCount, count <= ToneSource.maximumFrames else { return }
    for (channel, buffer) in data.enumerated() {
      guard let memory = buffer.mData else { return }
      channels[channel] = memory.assumingMemoryBound(to: Float.self)
    }
    for channel in 0..<map.inputChannelCount {
      fileFrames.channels[channel].update(repeating: 0, count: count)
    }
    if failure == nil {
      do { _ = try reader.read(into: fileFrames.channels, frameCount: count) } catch {
        failure = error.explanation
      }
    }
    for channel in 0..<map.inputChannelCount { repair(fileFrames.channels[channel], count) }
    UnsafeRawPointer(fileFrames.channels).withMemoryRebound(
      to: UnsafePointer<Float>.self, capacity: map.inputChannelCount
    ) { map.apply($0, to: channels, frameCount: count) }
  }

  private func repair(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    for index in 0..<count where !samples[index].isFinite {
      repairs += SampleRepairs(of: samples + index, count: 1)
      samples[index] = SampleRepairs.repaired(samples[index])
    }
  }
}

/// The render callback of the first unit.
private func readFile(
  source: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let buffers = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
  Unmanaged<FileSource>.fromOpaque(source).takeUnretainedValue().read(buffers, Int(frameCount))
  return noErr
}
