// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import CoreAudio
import MIDIMessages

/// Passes messages to a host's block in the protocol that the host has chosen.
///
/// It does not use the heap after it has been made. One thread at a time sends: the render thread.
final class EventListConverter: @unchecked Sendable {  // one thread at a time
  private let protocolID: MIDIProtocolID
  private let block: AUMIDIEventListBlock
  private let channels: UnsafeMutablePointer<ChannelUpgrade>
  private var parser = ByteStreamParser()

  /// [control thread] A converter to a protocol.
  init(to protocolID: MIDIProtocolID, _ block: @escaping AUMIDIEventListBlock) {
    self.protocolID = protocolID
    self.block = block
    channels = .allocate(capacity: ChannelUpgrade.channelCount)
    channels.initialize(repeating: ChannelUpgrade(), count: ChannelUpgrade.channelCount)
  }

  deinit { channels.deallocate() }

  /// [render thread] Sends a list. A list in the protocol of the host stays as it is; of another one,
  /// each message becomes a list.
  func send(
    _ list: UnsafePointer<MIDIEventList>, at time: AUEventSampleTime, cable: UInt8
  ) -> OSStatus {
    guard list.pointee.protocol != protocolID else { return block(time, cable, list) }
    var status = noErr
    EventLists.forEach(in: list) { packet in
      let words = EventLists.words(of: packet)
      var index = 0
      while let start = words.baseAddress,
        let message = UniversalMessage(at: start + index, count: words.count - index)
      {
        index += message.wordCount
        let result = send(
          message, at: time.later(by: EventLists.frames(of: packet)), cable: cable)
        if status == noErr { status = result }
      }
    }
    return status
  }

  /// [render thread] Sends the messages of a packet of bytes.
  func send(
    _ bytes: UnsafeBufferPointer<UInt8>, at time: AUEventSampleTime, cable: UInt8
  ) -> OSStatus {
    var status = noErr
    parser.beginPacket()
    for byte in bytes {
      let messages = parser.parse(byte)
      for index in 0..<messages.count {
        let result = send(messages[index], at: time, cable: cable)
        if status == noErr { status = result }
      }
    }
    return status
  }

  private func send(
    _ message: UniversalMessage, at time: AUEventSampleTime, cable: UInt8
  ) -> OSStatus {
    let converted =
      protocolID == ._2_0
      ? (message.type == 2
        ? channels[ChannelUpgrade.index(of: message)].convert(message)
        : ConvertedMessages(message))
      : ProtocolDowngrade.convert(message)
    var status = noErr
    for index in 0..<converted.count {
      let result = SingleMessageList.with(converted[index], protocolID) { block(time, cable, $0) }
      if status == noErr { status = result }
    }
    return status
  }
}

extension AUEventSampleTime {
  /// A time so many frames later. One within the next render stays there.
  func later(by frames: UInt32) -> AUEventSampleTime {
    let offset = self &- AUEventSampleTimeImmediate
    guard offset >= 0, offset < 4_096 else { return self &+ AUEventSampleTime(frames) }
    return AUEventSampleTimeImmediate &+ Swift.min(offset &+ AUEventSampleTime(frames), 4_095)
  }
}
