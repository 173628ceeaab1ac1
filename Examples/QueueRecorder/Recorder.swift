// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport
import Synchronization

/// Records the input to a WAV file with an audio queue, in 16 bits.
final class Recorder: @unchecked Sendable {  // the handles may be used by any thread
  private let file: AudioFileID
  private let queue: AudioQueueRef
  private let nextPacket = Atomic<Int64>(0)
  private let runs = Atomic(false)
  /// The first error of writing; `noErr` if there is none.
  private let failure = Atomic<OSStatus>(noErr)
  private let format: AudioStreamBasicDescription

  init(_ path: String) throws {
    // A rate of 0 means that of the device; the queue reports the actual rate.
    var format = AudioStreamBasicDescription(
      mSampleRate: 0, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 2, mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1,
      mBitsPerChannel: 16, mReserved: 0)
    let me = UnsafeMutablePointer<Unmanaged<Recorder>?>.allocate(capacity: 1)
    me.initialize(to: nil)
    var queue: AudioQueueRef?
    try check(
      AudioQueueNewInput(
        &format,
        { data, queue, buffer, _, packets, descriptions in
          let me = data?.assumingMemoryBound(to: Unmanaged<Recorder>?.self).pointee
          me?.takeUnretainedValue().write(buffer, of: queue, packets, descriptions)
        }, me, nil, nil, 0, &queue))
    self.queue = try some(queue)
    var size = UInt32(MemoryLayout.size(ofValue: format))
    try check(
      AudioQueueGetProperty(
        self.queue, kAudioQueueProperty_StreamDescription, &format, &size))
    var file: AudioFileID?
    try check(
      AudioFileCreateWithURL(
        NSURL(fileURLWithPath: path), kAudioFileWAVEType, &format, .eraseFile, &file))
    self.file = try some(file)
    self.format = format
    // The queue keeps this address for the lifetime of the process.
    me.pointee = Unmanaged.passUnretained(self)
  }

  deinit {
    AudioQueueDispose(queue, true)
    AudioFileClose(file)
  }

  /// Writes a filled buffer and enqueues it again. It does not run on the audio thread, so it may
  /// write files.
  private func write(
    _ buffer: AudioQueueBufferRef, of queue: AudioQueueRef, _ packets: UInt32,
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
  ) {
    if packets > 0 {
      var count = packets
      let place = nextPacket.load(ordering: .relaxed)
      let status = AudioFileWritePackets(
        file, false, buffer.pointee.mAudioDataByteSize, descriptions, place, &count,
        buffer.pointee.mAudioData)
      if status != noErr {
        failure.store(status, ordering: .relaxed)
      }
      nextPacket.store(place + Int64(count), ordering: .relaxed)
    }
    guard runs.load(ordering: .acquiring) else { return }
    AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
  }

  /// Starts recording, with three buffers of a tenth of a second.
  func start() throws {
    let bytes = UInt32(format.mSampleRate * 0.1) * format.mBytesPerFrame
    for _ in 0..<3 {
      var buffer: AudioQueueBufferRef?
      try check(AudioQueueAllocateBuffer(queue, bytes, &buffer))
      try check(AudioQueueEnqueueBuffer(queue, try some(buffer), 0, nil))
    }
    runs.store(true, ordering: .releasing)
    try check(AudioQueueStart(queue, nil))
  }

  /// Stops; the file is complete when the last callbacks have run.
  func stop() throws {
    runs.store(false, ordering: .releasing)
    try check(AudioQueueStop(queue, true))
    wait(seconds: 0.2)
    try check(failure.load(ordering: .relaxed))
  }

  /// The length of the file in seconds.
  var seconds: Double { Double(nextPacket.load(ordering: .relaxed)) / format.mSampleRate }
}
