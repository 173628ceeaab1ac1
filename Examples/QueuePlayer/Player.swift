// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// Plays a sound file with an audio queue: three buffers of packets, which the queue decodes.
final class Player {
  private let file: AudioFileID
  private let format: AudioStreamBasicDescription
  private var queue: AudioQueueRef?
  private var buffers: [AudioQueueBufferRef] = []
  private var nextPacket: Int64 = 0
  private var packetsPerBuffer: UInt32 = 0
  /// Whether the end of the file has been read.
  private(set) var isDone = false

  init(_ path: String) throws {
    var file: AudioFileID?
    try check(AudioFileOpenURL(NSURL(fileURLWithPath: path), .readPermission, 0, &file))
    self.file = try some(file)
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: format))
    try check(AudioFileGetProperty(self.file, kAudioFilePropertyDataFormat, &size, &format))
    self.format = format
    try check(
      AudioQueueNewOutput(
        &format, { data, queue, buffer in Player.of(data).fill(buffer, of: queue) },
        Unmanaged.passUnretained(self).toOpaque(), CFRunLoopGetCurrent(),
        unsafeBitCast(kCFRunLoopCommonModes, to: CFString.self), 0, &queue))
    try copyCookie()
    try makeBuffers()
  }

  deinit {
    if let queue { AudioQueueDispose(queue, true) }
    AudioFileClose(file)
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> Player {
    guard let data else { preconditionFailure("the queue was made with a player") }
    return Unmanaged<Player>.fromOpaque(data).takeUnretainedValue()
  }

  /// Copies the decoder's configuration from the file to the queue.
  private func copyCookie() throws {
    var size = UInt32(0)
    guard
      AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, nil) == noErr,
      size > 0
    else { return }
    var cookie = [UInt8](repeating: 0, count: Int(size))
    try check(AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, &cookie))
    try check(
      AudioQueueSetProperty(try some(queue), kAudioQueueProperty_MagicCookie, cookie, size))
  }

  /// Allocates buffers of half a second; packets of different sizes need descriptions.
  private func makeBuffers() throws {
    var largest = UInt32(0)
    var size = UInt32(4)
    try check(
      AudioFileGetProperty(file, kAudioFilePropertyPacketSizeUpperBound, &size, &largest))
    let frames = Double(max(1, format.mFramesPerPacket))
    packetsPerBuffer = max(1, UInt32(format.mSampleRate * 0.5 / frames))
    let isVariable = format.mBytesPerPacket == 0 || format.mFramesPerPacket == 0
    for _ in 0..<3 {
      var buffer: AudioQueueBufferRef?
      try check(
        AudioQueueAllocateBufferWithPacketDescriptions(
          try some(queue), packetsPerBuffer * largest, isVariable ? packetsPerBuffer : 0, &buffer))
      buffers.append(try some(buffer))
    }
  }

  /// Reads packets into a buffer and enqueues it; stops at the end of the file.
  private func fill(_ buffer: AudioQueueBufferRef, of queue: AudioQueueRef) {
    guard !isDone else { return }
    var bytes = buffer.pointee.mAudioDataBytesCapacity
    var packets = packetsPerBuffer
    let status = AudioFileReadPacketData(
      file, false, &bytes, buffer.pointee.mPacketDescriptions, nextPacket, &packets,
      buffer.pointee.mAudioData)
    guard status == noErr || status == kAudioFileEndOfFileError, packets > 0 else {
      // The enqueued buffers are played to their end.
      isDone = true
      AudioQueueStop(queue, false)
      return
    }
    nextPacket += Int64(packets)
    buffer.pointee.mAudioDataByteSize = bytes
    buffer.pointee.mPacketDescriptionCount =
      buffer.pointee.mPacketDescriptionCapacity > 0 ? packets : 0
    AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
  }

  func start(volume: Float) throws {
    let queue = try some(queue)
    try check(AudioQueueSetParameter(queue, kAudioQueueParam_Volume, volume))
    for buffer in buffers { fill(buffer, of: queue) }
    try check(AudioQueueStart(queue, nil))
    // A short file is completely enqueued already, and a stop before the start had no effect.
    if isDone { try check(AudioQueueStop(queue, false)) }
  }

  var isRunning: Bool {
    var runs = UInt32(0)
    var size = UInt32(4)
    guard let queue else { return false }
    AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &runs, &size)
    return runs != 0
  }
}
