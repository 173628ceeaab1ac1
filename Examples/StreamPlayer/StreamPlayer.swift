// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// Bytes become packets in a file stream, and sound in a queue.
///
/// The thread that reads the bytes also fills the buffers, and waits when all of them are playing: so a
/// stream is read no faster than it sounds.
final class StreamPlayer {
  private static let bufferCount = 4

  private var stream: AudioFileStreamID?
  private var queue: AudioQueueRef?
  private var format = AudioStreamBasicDescription()
  /// The buffers, which are used in turn, and the next of them.
  private var buffers: [AudioQueueBufferRef] = []
  private var turn = 0
  private var isStarted = false
  /// Counts the buffers that are not in the queue. Made with 0, because a semaphore may not end
  /// below its first value.
  private let free = DispatchSemaphore(value: 0)
  private let over = DispatchSemaphore(value: 0)
  /// What a callback could not do.
  private var failure: (any Error)?

  init() throws {
    for _ in 0..<Self.bufferCount { free.signal() }
    try check(
      AudioFileStreamOpen(
        Unmanaged.passUnretained(self).toOpaque(),
        { player, _, property, _ in
          guard property == kAudioFileStreamProperty_ReadyToProducePackets else { return }
          StreamPlayer.of(player).attempt { try $0.prepare() }
        },
        { player, byteCount, packetCount, data, packets in
          let bytes = UnsafeRawBufferPointer(start: data, count: Int(byteCount))
          let list = UnsafeMutableBufferPointer(start: packets, count: Int(packetCount))
          StreamPlayer.of(player).attempt { try $0.add(bytes, list) }
        }, 0, &stream))
  }

  deinit {
    if let queue { AudioQueueDispose(queue, true) }
    if let stream { AudioFileStreamClose(stream) }
  }

  private static func of(_ player: UnsafeMutableRawPointer) -> StreamPlayer {
    Unmanaged<StreamPlayer>.fromOpaque(player).takeUnretainedValue()
  }

  /// Runs the work of a callback, which cannot throw.
  private func attempt(_ work: (StreamPlayer) throws -> Void) {
    guard failure == nil else { return }
    do { try work(self) } catch { failure = error }
  }

  /// Takes the next bytes of the stream, of any number.
  func parse(_ bytes: UnsafeRawBufferPointer) throws {
    guard let data = bytes.baseAddress else { return }
    try check(AudioFileStreamParseBytes(try some(stream), UInt32(bytes.count), data, []))
    if let failure { throw failure }
  }

  /// Plays what has arrived to its end.
  func finish() throws {
    guard let queue else { throw Failure("The stream ended before its sound began.") }
    if let buffer = buffers.indices.contains(turn) ? buffers[turn] : nil,
      buffer.pointee.mAudioDataByteSize > 0
    {
      try enqueue()
    }
    if !isStarted { try check(AudioQueueStart(queue, nil)) }
    try check(AudioQueueFlush(queue))
    try check(AudioQueueStop(queue, false))
    over.wait()
  }

  /// Makes the queue, once the stream knows its format.
  private func prepare() throws {
    var size = UInt32(MemoryLayout.size(ofValue: format))
    try check(
      AudioFileStreamGetProperty(
        try some(stream), kAudioFileStreamProperty_DataFormat, &size, &format))
    let context = Unmanaged.passUnretained(self).toOpaque()
    // Without a run loop, a thread of the queue calls.
    try check(
      AudioQueueNewOutput(
        &format, { player, _, _ in player.map { _ = StreamPlayer.of($0).free.signal() } }, context,
        nil, nil, 0, &queue))
    let queue = try some(queue)
    try check(
      AudioQueueAddPropertyListener(
        queue, kAudioQueueProperty_IsRunning,
        { player, queue, property in
          var runs = UInt32(0)
          var size = UInt32(4)
          AudioQueueGetProperty(queue, property, &runs, &size)
          if runs == 0 { player.map { _ = StreamPlayer.of($0).over.signal() } }
        }, context))
    try copyCookie(to: queue)
    try makeBuffers(for: queue)
    // The first is filled now.
    free.wait()
  }

  /// Copies the decoder's configuration, if the stream has one.
  private func copyCookie(to queue: AudioQueueRef) throws {
    let stream = try some(stream)
    var size = UInt32(0)
    let property = AudioFileStreamPropertyID(kAudioFileStreamProperty_MagicCookieData)
    guard AudioFileStreamGetPropertyInfo(stream, property, &size, nil) == noErr, size > 0
    else { return }
    var cookie = [UInt8](repeating: 0, count: Int(size))
    try check(AudioFileStreamGetProperty(stream, property, &size, &cookie))
    try check(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, size))
  }

  /// Allocates buffers of a quarter of a second.
  private func makeBuffers(for queue: AudioQueueRef) throws {
    var largest = UInt32(0)
    var size = UInt32(4)
    AudioFileStreamGetProperty(
      try some(stream), kAudioFileStreamProperty_PacketSizeUpperBound, &size, &largest)
    let frames = Double(max(1, format.mFramesPerPacket))
    let packets = max(1, UInt32(min(format.mSampleRate, 1e6) / 4 / frames))
    if largest == 0 { largest = max(format.mBytesPerPacket, 4_096) }
    for _ in 0..<Self.bufferCount {
      var buffer: AudioQueueBufferRef?
      try check(
        AudioQueueAllocateBufferWithPacketDescriptions(
          queue, packets * largest, format.mBytesPerPacket == 0 ? packets : 0, &buffer))
      buffers.append(try some(buffer))
    }
  }

  /// Copies packets into buffers, and enqueues those that are full. Packets of one size have no
  /// descriptions.
  private func add(
    _ bytes: UnsafeRawBufferPointer,
    _ packets: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
  ) throws {
    guard format.mBytesPerPacket == 0 else {
      let size = Int(format.mBytesPerPacket)
      for start in stride(from: 0, through: bytes.count - size, by: size) {
        try add(bytes[start..<start + size], packet: nil)
      }
      return
    }
    for packet in packets {
      let start = Int(packet.mStartOffset)
      try add(bytes[start..<start + Int(packet.mDataByteSize)], packet: packet)
    }
  }

  private func add(
    _ bytes: Slice<UnsafeRawBufferPointer>, packet: AudioStreamPacketDescription?
  ) throws {
    var buffer = buffers[turn]
    func fits() -> Bool {
      Int(buffer.pointee.mAudioDataByteSize) + bytes.count
        <= Int(buffer.pointee.mAudioDataBytesCapacity)
        && (packet == nil
          || buffer.pointee.mPacketDescriptionCount < buffer.pointee.mPacketDescriptionCapacity)
    }
    if !fits() {
      try enqueue()
      buffer = buffers[turn]
      guard fits() else { throw Failure("A packet of \(bytes.count) bytes is too large.") }
    }
    let place = buffer.pointee.mAudioDataByteSize
    UnsafeMutableRawBufferPointer(start: buffer.pointee.mAudioData + Int(place), count: bytes.count)
      .copyBytes(from: bytes)
    buffer.pointee.mAudioDataByteSize += UInt32(bytes.count)
    if var packet, let packets = buffer.pointee.mPacketDescriptions {
      packet.mStartOffset = Int64(place)
      packets[Int(buffer.pointee.mPacketDescriptionCount)] = packet
      buffer.pointee.mPacketDescriptionCount += 1
    }
  }

  /// Enqueues the current buffer, and waits until the next one has been played. The second buffer starts
  /// the queue.
  private func enqueue() throws {
    let queue = try some(queue)
    try check(AudioQueueEnqueueBuffer(queue, buffers[turn], 0, nil))
    if turn == 1, !isStarted {
      try check(AudioQueueStart(queue, nil))
      isStarted = true
    }
    turn = (turn + 1) % buffers.count
    free.wait()
    buffers[turn].pointee.mAudioDataByteSize = 0
    buffers[turn].pointee.mPacketDescriptionCount = 0
  }
}
