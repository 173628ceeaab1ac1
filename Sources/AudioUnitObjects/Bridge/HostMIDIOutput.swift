// SPDX-License-Identifier: Apache-2.0
import CBlocks
import CCoreMIDI
import CoreAudio
import MIDIMessages
import SignalProcessing

/// What receives an object's MIDI messages for a C host: a function for packets of bytes, or a block
/// for event lists.
final class HostMIDIOutput: @unchecked Sendable {  // the receivers are published
  /// A block of a C program. Generic code, that of optionals included, cannot handle blocks here.
  private struct ListBlock {
    let call: @convention(block) (Int64, UInt8, UnsafePointer<MIDIEventList>) -> Int32

    init(_ block: UnsafeRawPointer) {
      let heap = block_copy(block)
      defer { block_release(heap) }
      call = unsafeBitCast(
        heap, to: (@convention(block) (Int64, UInt8, UnsafePointer<MIDIEventList>) -> Int32).self)
    }
  }

  private let function = ReplaceableBlock<AUMIDIOutputCallbackStruct>()
  private let block = ReplaceableBlock<ListBlock>()
  /// The time of the first frame of the current render, which the render thread writes.
  let time: UnsafeMutablePointer<AudioTimeStamp> = .cell(AudioTimeStamp())

  deinit { time.endCell() }

  // MARK: Control

  /// [control thread] Replaces the function of the host.
  func set(_ new: AUMIDIOutputCallbackStruct, for object: AUAudioUnit) {
    let isSet = new.midiOutputCallback != nil
    function.replace(by: isSet ? new : nil)
    object.midiOutputEventBlock =
      isSet ? { time, cable, length, bytes in self.send(bytes, length, at: time, cable) } : nil
    setListBlock(of: object)
  }

  /// [control thread] Replaces the block of the host.
  func set(_ new: UnsafeRawPointer?, for object: AUAudioUnit) {
    block.replace(by: new.map { ListBlock($0) })
    setListBlock(of: object)
  }

  /// An object that sends lists also reaches a host that takes bytes.
  private func setListBlock(of object: AUAudioUnit) {
    if block.isSet {
      object.midiOutputEventListBlock = { time, cable, list in
        self.block.call { $0.call(time, cable, list) }
      }
    } else if function.isSet {
      object.midiOutputEventListBlock = { time, cable, list in
        self.sendBytes(of: list, at: time, cable)
      }
    } else {
      object.midiOutputEventListBlock = nil
    }
  }

  // MARK: Rendering

  /// [render thread] Sends bytes, in as many packets as they need.
  private func send(
    _ bytes: UnsafePointer<UInt8>, _ length: Int, at time: AUEventSampleTime, _ cable: UInt8
  ) -> OSStatus {
    function.call { receiver in
      var status = noErr
      var start = 0
      while start < length, status == noErr {
        let count = min(length - start, 256)
        status = send(bytes + start, count: count, at: time, cable, to: receiver)
        start += count
      }
      return status
    }
  }

  /// [render thread] Sends the messages of a list as bytes.
  private func sendBytes(
    of list: UnsafePointer<MIDIEventList>, at time: AUEventSampleTime, _ cable: UInt8
  ) -> OSStatus {
    function.call { receiver in
      var status = noErr
      EventLists.forEach(in: list) { packet in
        let words = EventLists.words(of: packet)
        let time = time.later(by: EventLists.frames(of: packet))
        var index = 0
        while let start = words.baseAddress,
          let message = UniversalMessage(at: start + index, count: words.count - index)
        {
          index += message.wordCount
          let converted = ProtocolDowngrade.convert(message)
          for place in 0..<converted.count {
            let result = ByteMessage.with(converted[place]) {
              $1 > 0 ? send($0, count: $1, at: time, cable, to: receiver) : noErr
            }
            if status == noErr { status = result }
          }
        }
      }
      return status
    }
  }

  private func send(
    _ bytes: UnsafePointer<UInt8>, count: Int, at time: AUEventSampleTime, _ cable: UInt8,
    to receiver: AUMIDIOutputCallbackStruct
  ) -> OSStatus {
    var list = MIDIPacketList()
    list.numPackets = 1
    list.packet.timeStamp = frames(until: time)
    list.packet.length = UInt16(clamping: count)
    withUnsafeMutableBytes(of: &list.packet.data) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: min(count, $0.count)))
    }
    return receiver.midiOutputCallback?(receiver.userData, self.time, UInt32(cable), &list)
      ?? noErr
  }

  /// The frames from the start of the current render to a time; 0 for a time before it.
  private func frames(until time: AUEventSampleTime) -> MIDITimeStamp {
    let offset = time &- AUEventSampleTimeImmediate
    guard offset < 0 || offset >= 4_096 else { return MIDITimeStamp(offset) }
    return MIDITimeStamp(clamping: time &- self.time.pointee.sampleTimeForEvents)
  }
}
