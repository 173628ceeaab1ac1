// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CRealTime
import Foundation
import Synchronization
import Testing

/// A player that a program renders without a device.
final class PlayerHost {
  let unit: HostedUnit
  let sampleRate: Double
  let channels: Int
  private(set) var time = 0.0
  private(set) var wasSilent = false

  init(
    _ subType: OSType = kAudioUnitSubType_AudioFilePlayer, sampleRate: Double = 48_000,
    channels: Int = 1
  ) throws {
    unit = try HostedUnit(subType, type: kAudioUnitType_Generator)
    self.sampleRate = sampleRate
    self.channels = channels
    try unit.setFormat(
      .linear(sampleRate, channels: UInt32(channels)), kAudioUnitScope_Output, 0)
    try unit.initialize()
  }

  /// Renders the next frames; returns each channel.
  func renderAll(_ frames: Int, slice: Int = 512, hostTime: UInt64? = nil) throws -> [[Float]] {
    var result = [[Float]](repeating: [], count: channels)
    let list = AudioBufferList.allocate(maximumBuffers: channels)
    defer { free(list.unsafeMutablePointer) }
    var done = 0
    while done < frames {
      let count = min(slice, frames - done)
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: channels * count)
      defer { memory.deallocate() }
      memory.initialize(repeating: .nan, count: channels * count)
      for channel in 0..<channels {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(4 * count), mData: memory + channel * count)
      }
      var stamp = AudioTimeStamp()
      stamp.mFlags = .sampleTimeValid
      stamp.mSampleTime = time
      if let hostTime {
        stamp.mFlags = .sampleHostTimeValid
        stamp.mHostTime = hostTime + UInt64(Double(done) / sampleRate * 1e9)
      }
      var flags = AudioUnitRenderActionFlags()
      try check(
        AudioUnitRender(
          unit.handle, &flags, &stamp, 0, UInt32(count), list.unsafeMutablePointer))
      wasSilent = flags.contains(.unitRenderAction_OutputIsSilence)
      for channel in 0..<channels {
        result[channel] += UnsafeBufferPointer(start: memory + channel * count, count: count)
      }
      time += Double(count)
      done += count
    }
    return result
  }

  /// Renders the next frames; returns the first channel.
  func render(_ frames: Int, slice: Int = 512, hostTime: UInt64? = nil) throws -> [Float] {
    try renderAll(frames, slice: slice, hostTime: hostTime)[0]
  }

  /// Makes the sample time jump.
  func jump(to time: Double) { self.time = time }

  func start(at sampleTime: Double = -1) throws {
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    stamp.mSampleTime = sampleTime
    try unit.set(kAudioUnitProperty_ScheduleStartTimeStamp, to: stamp)
  }

  var playTime: Double {
    get throws {
      try unit.get(kAudioUnitProperty_CurrentPlayTime, as: AudioTimeStamp()).mSampleTime
    }
  }

  func reset() throws { try check(AudioUnitReset(unit.handle, kAudioUnitScope_Global, 0)) }

  // MARK: Files

  private var files: [SoundFile] = []

  /// Sets the files of the unit.
  func use(_ files: [SoundFile]) throws {
    self.files = files
    try check(
      unit.setArray(
        kAudioUnitProperty_ScheduledFileIDs, to: files.map(\.id), kAudioUnitScope_Global, 0))
  }

  /// Schedules a region; without a time it follows the previous one.
  func play(
    _ file: SoundFile, at time: Double? = nil, from start: Int64 = 0, frames: UInt32 = .max,
    loops: UInt32 = 0, _ end: CallRecord? = nil
  ) throws {
    var region = ScheduledAudioFileRegion(
      mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
      mAudioFile: file.id, mLoopCount: loops, mStartFrame: start, mFramesToPlay: frames)
    if let time {
      region.mTimeStamp.mFlags = .sampleTimeValid
      region.mTimeStamp.mSampleTime = time
    }
    if let end {
      region.mCompletionProc = CallRecord.regionProc
      region.mCompletionProcUserData = end.context
    }
    try unit.set(kAudioUnitProperty_ScheduledFileRegion, to: region)
  }

  func prime(_ frames: UInt32 = 0) throws {
    try unit.set(kAudioUnitProperty_ScheduledFilePrime, to: frames)
  }
}

/// A slice and its samples, at fixed addresses.
final class SliceMemory: @unchecked Sendable {
  let slice: UnsafeMutablePointer<ScheduledAudioSlice>
  private let list: UnsafeMutableAudioBufferListPointer
  private let samples: UnsafeMutablePointer<Float>
  let end = CallRecord()
  private var isScheduled = false

  /// A slice of one channel; without a time it follows the previous one.
  init(_ values: [Float], at time: Double? = nil, _ flags: AUScheduledAudioSliceFlags = []) {
    samples = .allocate(capacity: max(values.count, 1))
    samples.initialize(from: values, count: values.count)
    list = AudioBufferList.allocate(maximumBuffers: 1)
    list[0] = AudioBuffer(
      mNumberChannels: 1, mDataByteSize: UInt32(4 * values.count), mData: samples)
    var stamp = AudioTimeStamp()
    if let time {
      stamp.mFlags = .sampleTimeValid
      stamp.mSampleTime = time
    }
    slice = .allocate(capacity: 1)
    slice.initialize(
      to: ScheduledAudioSlice(
        mTimeStamp: stamp, mCompletionProc: CallRecord.sliceProc,
        mCompletionProcUserData: end.context, mFlags: flags, mReserved: 0, mReserved2: nil,
        mNumberFrames: UInt32(values.count), mBufferList: list.unsafeMutablePointer))
  }

  deinit {
    // On a busy machine a unit is disposed of before it has called this slice's function. Then the
    // slice stays.
    if isScheduled, end.calls == 0 {
      _ = Unmanaged.passRetained(end)
      return
    }
    slice.deallocate()
    samples.deallocate()
    free(list.unsafeMutablePointer)
  }

  var flags: AUScheduledAudioSliceFlags { slice.pointee.mFlags }
  var isComplete: Bool { flags.contains(.scheduledAudioSliceFlag_Complete) }

  /// Schedules the slice; returns the status.
  func schedule(on host: PlayerHost) -> OSStatus {
    isScheduled = true
    let status = AudioUnitSetProperty(
      host.unit.handle, kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0, slice,
      UInt32(MemoryLayout<ScheduledAudioSlice>.size))
    if status != noErr { isScheduled = false }
    return status
  }
}

/// A temporary sound file that is open; closed and removed at the end.
final class SoundFile {
  let path: String
  let id: AudioFileID
  /// The samples of each channel.
  let samples: [[Float]]

  /// A file of Float32, by default with different samples.
  init(
    frames: Int, sampleRate: Double = 48_000, channels: Int = 1,
    type: AudioFileTypeID = kAudioFileWAVEType, _ sample: ((Int, Int) -> Float)? = nil
  ) throws {
    var made: [[Float]] = []
    for channel in 0..<channels {
      let offset = Float(channel) / 8
      made.append(
        (0..<frames).map { frame -> Float in
          sample?(channel, frame) ?? Float(frame + 1) / 65_536 + offset
        })
    }
    let channelSamples = made
    samples = channelSamples
    path = FileManager.default.temporaryDirectory.path + "/player-\(UUID().uuidString).wav"
    let url = URL(fileURLWithPath: path) as CFURL
    var format = AudioStreamBasicDescription.linear(
      sampleRate, channels: UInt32(channels), isInterleaved: true)
    var created: AudioFileID?
    try check(AudioFileCreateWithURL(url, type, &format, .eraseFile, &created))
    var interleaved: [Float] = []
    for frame in 0..<frames { for channel in channelSamples { interleaved.append(channel[frame]) } }
    var count = UInt32(4 * interleaved.count)
    if count > 0 {
      try check(AudioFileWriteBytes(try #require(created), false, 0, &count, interleaved))
    }
    try check(AudioFileClose(try #require(created)))
    var opened: AudioFileID?
    try check(AudioFileOpenURL(url, .readPermission, 0, &opened))
    id = try #require(opened)
  }

  deinit {
    AudioFileClose(id)
    try? FileManager.default.removeItem(atPath: path)
  }
}
