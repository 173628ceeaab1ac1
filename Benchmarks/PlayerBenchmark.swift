// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Playing files and buffers, compared with programs that read the same file: 16 bits, stereo.
enum PlayerBenchmark {
  static func run(in folder: URL) {
    Report.title("players and queues, 512 frames (ns per frame and channel)")
    let file = folder.appendingPathComponent("player.wav")
    var ours = 1.0
    do {
      try StretchBenchmark.music(seconds: 20).write(to: file)
      let player = try FileHost(file)
      Report.own("AudioFilePlayer, its render call", time(2) { player.render() }, "ns")
      let plain = try QueueHost(rate: nil)
      ours = time(2) { plain.render() }
      Report.own("AudioQueue, offline, decoded on the way", ours, "ns")
      for (name, algorithm) in [
        ("spectral", kAudioQueueTimePitchAlgorithm_Spectral),
        ("time domain", kAudioQueueTimePitchAlgorithm_TimeDomain),
        ("varispeed", kAudioQueueTimePitchAlgorithm_Varispeed),
      ] {
        let queue = try QueueHost(rate: 1.25, UInt32(algorithm))
        Report.own("the same at a rate of 1.25, \(name)", time(2 * 1.25) { queue.render() }, "ns")
      }
    } catch { return Report.note("\(error)") }
    for (name, words) in [
      ("sox, file to nothing", ["sox", "-V1", "$", "-n"]),
      ("ffmpeg, file to nothing", ["ffmpeg", "-v", "error", "-i", "$", "-f", "null", "-"]),
    ] {
      let peer = Peer(
        name: name,
        command: { seconds, folder in
          let file = folder.appendingPathComponent("player\(seconds).wav")
          if !FileManager.default.fileExists(atPath: file.path) {
            try StretchBenchmark.music(seconds: seconds).write(to: file)
          }
          return words.map { $0 == "$" ? file.path : $0 }
        }, lengths: (20, 220), samplesPerSecond: 96_000)
      Report.peer(peer.name, peer.nanosecondsPerSample(in: folder), "ns", ours: ours)
    }
  }

  private static func time(_ samplesPerFrame: Double, _ work: () -> Void) -> Double {
    Stopwatch.nanoseconds(work) / 512 / samplesPerFrame
  }

  struct Failure: Error {
    let status: OSStatus
    static func check(_ status: OSStatus) throws {
      if status != noErr { throw Failure(status: status) }
    }
  }
}

/// A file player that repeats a file.
private final class FileHost {
  private var player: AudioUnit?
  private var file: AudioFileID?
  private var time = AudioTimeStamp()
  private let list = AudioBufferList.allocate(maximumBuffers: 2)

  init(_ url: URL) throws {
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_Generator
    description.componentSubType = kAudioUnitSubType_AudioFilePlayer
    try PlayerBenchmark.Failure.check(
      AudioFileOpenURL(url as CFURL, .readPermission, 0, &file))
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &player) == noErr, let player, let file
    else { throw PlayerBenchmark.Failure(status: kAudio_ParamError) }
    // Offline, so that the render waits for the file.
    try set(kAudioUnitProperty_OfflineRender, UInt32(1))
    try PlayerBenchmark.Failure.check(AudioUnitInitialize(player))
    try set(kAudioUnitProperty_ScheduledFileIDs, file)
    var region = ScheduledAudioFileRegion(
      mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
      mAudioFile: file, mLoopCount: .max, mStartFrame: 0, mFramesToPlay: 20 * 48_000)
    region.mTimeStamp.mFlags = .sampleTimeValid
    try set(kAudioUnitProperty_ScheduledFileRegion, region)
    try set(kAudioUnitProperty_ScheduledFilePrime, UInt32(0))
    var start = AudioTimeStamp()
    start.mFlags = .sampleTimeValid
    start.mSampleTime = -1
    try set(kAudioUnitProperty_ScheduleStartTimeStamp, start)
    time.mFlags = .sampleTimeValid
  }

  deinit {
    if let player { AudioComponentInstanceDispose(player) }
    if let file { AudioFileClose(file) }
    free(list.unsafeMutablePointer)
  }

  private func set<Value: BitwiseCopyable>(_ id: AudioUnitPropertyID, _ value: Value) throws {
    guard let player else { return }
    var value = value
    try PlayerBenchmark.Failure.check(
      AudioUnitSetProperty(
        player, id, kAudioUnitScope_Global, 0, &value, UInt32(MemoryLayout<Value>.size)))
  }

  func render() {
    guard let player else { return }
    for index in 0..<2 {
      list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 2_048, mData: nil)
    }
    var flags = AudioUnitRenderActionFlags()
    AudioUnitRender(player, &flags, &time, 0, 512, list.unsafeMutablePointer)
    time.mSampleTime += 512
  }
}

/// A queue that renders to memory and enqueues its buffers again.
private final class QueueHost {
  private var queue: AudioQueueRef?
  private var target: AudioQueueBufferRef?
  private var time = AudioTimeStamp()

  init(rate: Float?, _ algorithm: UInt32 = 0) throws {
    func format(_ flags: AudioFormatFlags, _ bytes: UInt32) -> AudioStreamBasicDescription {
      AudioStreamBasicDescription(
        mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: flags | kAudioFormatFlagIsPacked, mBytesPerPacket: 2 * bytes,
        mFramesPerPacket: 1, mBytesPerFrame: 2 * bytes, mChannelsPerFrame: 2,
        mBitsPerChannel: 8 * bytes, mReserved: 0)
    }
    var (source, client) = (
      format(kAudioFormatFlagIsSignedInteger, 2), format(kAudioFormatFlagIsFloat, 4)
    )
    try PlayerBenchmark.Failure.check(
      AudioQueueNewOutput(
        &source, { _, queue, buffer in AudioQueueEnqueueBuffer(queue, buffer, 0, nil) }, nil, nil,
        nil, 0, &queue))
    guard let queue else { return }
    if let rate {
      var (isOn, algorithm) = (UInt32(1), algorithm)
      AudioQueueSetProperty(queue, kAudioQueueProperty_EnableTimePitch, &isOn, 4)
      AudioQueueSetProperty(queue, kAudioQueueProperty_TimePitchAlgorithm, &algorithm, 4)
      AudioQueueSetParameter(queue, kAudioQueueParam_PlayRate, rate)
    }
    try PlayerBenchmark.Failure.check(AudioQueueSetOfflineRenderFormat(queue, &client, nil))
    for index in 0..<3 {
      var buffer: AudioQueueBufferRef?
      AudioQueueAllocateBuffer(queue, 4 * 24_000, &buffer)
      guard let buffer else { continue }
      let samples = buffer.pointee.mAudioData.assumingMemoryBound(to: Int16.self)
      for sample in 0..<48_000 {
        samples[sample] = Int16(
          16_000 * StretchHost.sample(sample & 1, index * 24_000 + sample / 2))
      }
      buffer.pointee.mAudioDataByteSize = 4 * 24_000
      AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
    }
    AudioQueueAllocateBuffer(queue, 8 * 512, &target)
    try PlayerBenchmark.Failure.check(AudioQueueStart(queue, nil))
    time.mFlags = .sampleTimeValid
  }

  deinit { if let queue { AudioQueueDispose(queue, true) } }

  func render() {
    guard let queue, let target else { return }
    AudioQueueOfflineRender(queue, &time, target, 512)
    time.mSampleTime += 512
  }
}
