// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// Supplied packets that are not consumed yet. They are in the memory of the input, which stays
/// unchanged until its next call.
final class PacketInput {
  /// Bytes of one packet in each buffer; 0 when packets differ in size.
  let bytesPerPacket: Int
  let bufferCount: Int
  private let channelsPerBuffer: Int
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let memory = OwnedMemory()
  /// The start of each of the program's buffers.
  let buffers: UnsafeMutablePointer<UnsafeRawPointer>
  private let state: UnsafeMutablePointer<State>

  /// State that changes with each call. It is behind a pointer to avoid exclusivity checks, which
  /// cost a tenth of a short call.
  private struct State: BitwiseCopyable {
    var byteCount = 0
    var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    var next = 0
    var end = 0
    var hasEnded = false
    /// An error of the input function, reported once its packets are consumed.
    var pendingStatus = noErr
  }

  init(_ format: AudioStreamBasicDescription, bufferCount: Int, channelsPerBuffer: Int) {
    bytesPerPacket = Int(format.mBytesPerPacket)
    self.bufferCount = bufferCount
    self.channelsPerBuffer = channelsPerBuffer
    list = memory.list(bufferCount: bufferCount)
    buffers = memory.room(bufferCount, for: UnsafeRawPointer.self)
    state = memory.cell(State())
  }

  deinit { memory.deallocate() }

  /// The first buffer's size.
  var byteCount: Int { state.pointee.byteCount }

  /// The index of the next packet.
  var next: Int { state.pointee.next }

  /// Packets not consumed yet.
  var count: Int { state.pointee.end - state.pointee.next }

  /// Whether the program has reported the end.
  var hasEnded: Bool { state.pointee.hasEnded }

  /// Marks packets as consumed.
  func consume(_ packets: Int) { state.pointee.next += packets }

  func reset() { state.pointee = State() }

  /// Returns the error that came with the last packets, and clears it.
  func consumeStatus() -> OSStatus {
    defer { state.pointee.pendingStatus = noErr }
    return state.pointee.pendingStatus
  }

  /// Whether an error must be reported before the input function is called again.
  var isFailing: Bool { state.pointee.pendingStatus != noErr }

  /// Requests packets, at least one, and checks the reply as far as possible.
  func request(for packets: Int, _ input: some ConverterInput) throws(AudioError) {
    list.pointee.mNumberBuffers = UInt32(clamping: bufferCount)
    for index in 0..<bufferCount {
      list.buffers[index] = AudioBuffer(
        mNumberChannels: UInt32(clamping: channelsPerBuffer), mDataByteSize: 0, mData: nil)
    }
    var cleared = State()
    cleared.hasEnded = hasEnded
    state.pointee = cleared
    let supplied = try input.supply(max(1, packets), list)
    state.pointee.pendingStatus = supplied.status
    state.pointee.descriptions = supplied.descriptions
    try accept(supplied.count)
  }

  private func accept(_ packets: UInt32) throws(AudioError) {
    var count = Int(packets)
    guard count > 0 else {
      state.pointee.hasEnded = !isFailing
      return
    }
    guard list.pointee.mNumberBuffers >= bufferCount else {
      throw .converterInputSize.because(
        "the input function supplied \(list.pointee.mNumberBuffers) buffers, expected "
          + "\(bufferCount)"
      )
    }
    state.pointee.byteCount = Int(list.buffers[0].mDataByteSize)
    for index in 0..<bufferCount {
      let buffer = list.buffers[index]
      // Without bytes there are no packets, whatever their count is.
      guard buffer.mDataByteSize > 0 else {
        state.pointee.hasEnded = !isFailing
        return
      }
      guard let memory = buffer.mData else {
        throw .converterInputSize.because(
          "the input function supplied \(count) packets but no memory in buffer \(index)")
      }
      buffers[index] = UnsafeRawPointer(memory)
      if bytesPerPacket > 0 { count = min(count, Int(buffer.mDataByteSize) / bytesPerPacket) }
    }
    guard count > 0 else {
      throw .converterInputSize.because(
        "the input function supplied \(byteCount) bytes, a packet has \(bytesPerPacket)")
    }
    if bytesPerPacket == 0, state.pointee.descriptions == nil {
      // A single packet fills its buffer.
      guard count == 1 else {
        throw .converterDescriptions.because(
          "the input function supplied \(count) packets of different sizes without descriptions")
      }
    }
    state.pointee.end = count
  }

  /// The bytes of the next packet, and its number of frames; 0 for the format's.
  func nextPacket() throws(AudioError) -> (bytes: UnsafeRawBufferPointer, frames: Int) {
    if bytesPerPacket > 0 {
      return (
        UnsafeRawBufferPointer(start: buffers[0] + next * bytesPerPacket, count: bytesPerPacket), 0
      )
    }
    guard let descriptions = state.pointee.descriptions else {
      return (UnsafeRawBufferPointer(start: buffers[0], count: byteCount), 0)
    }
    let packet = descriptions[next]
    let (start, size) = (packet.mStartOffset, Int64(packet.mDataByteSize))
    guard start >= 0, size <= byteCount, start <= Int64(byteCount) - size else {
      throw .converterInputSize.because(
        "packet \(next) is described at \(start) to \(start &+ size) of \(byteCount) bytes")
    }
    return (
      UnsafeRawBufferPointer(start: buffers[0] + Int(start), count: Int(size)),
      Int(packet.mVariableFramesInPacket)
    )
  }
}
