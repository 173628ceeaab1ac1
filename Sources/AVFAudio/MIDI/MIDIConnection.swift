// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import MIDIMessages
import Synchronization

/// A MIDI processor of an engine, and the units that get what it sends.
///
/// Its destinations call it before they render; the first of them in a cycle makes the processor
/// render.
final class MIDIConnection: @unchecked Sendable {  // changes while no destination calls it
  /// What a program asks for.
  struct Request {
    let source: any GraphNode
    let destinations: [any GraphNode]
    let format: AVAudioFormat?
    let tap: AUMIDIEventListBlock?
  }

  let source: NodeUnit
  private(set) var destinations: [NodeUnit] = []
  private var format: AVAudioFormat?
  private var tap: AUMIDIEventListBlock?

  // For the render thread.
  private let handle: AudioUnit
  private var receivers: UnsafeMutableBufferPointer<AudioUnit> = .init(start: nil, count: 0)
  private let list = AudioBufferList.allocate(maximumBuffers: 64)
  private var channelCount = 0
  /// The sample time of the first frame of the processor's current render.
  private var start: AUEventSampleTime = 0
  /// Reads what the processor sends as bytes.
  private var parser = ByteStreamParser()
  /// The bits of the sample time of the last cycle; those of NaN if there was none.
  private let last = Atomic<UInt64>(Double.nan.bitPattern)

  init(_ source: NodeUnit) {
    self.source = source
    handle = source.handle
  }

  deinit {
    receivers.deallocate()
    free(list.unsafeMutablePointer)
  }

  // MARK: Control

  /// [under the engine's lock] Replaces the destinations. The processor renders again after `prepare`.
  func set(_ destinations: [NodeUnit], format: AVAudioFormat?, tap: AUMIDIEventListBlock?) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    for destination in self.destinations {
      AudioUnitRemoveRenderNotify(destination.handle, Self.notification, context)
    }
    uninitialize()
    self.destinations = destinations
    (self.format, self.tap) = (format, tap)
    receivers.deallocate()
    receivers = .allocate(capacity: destinations.count)
    _ = receivers.initialize(from: destinations.map(\.handle))
    let object = source.object
    object.midiOutputEventListBlock =
      destinations.isEmpty ? nil : { [self] time, _, list in send(list, at: time) }
    object.midiOutputEventBlock =
      destinations.isEmpty
      ? nil
      : { [self] time, _, count, bytes in
        send(UnsafeBufferPointer(start: bytes, count: count), at: time)
      }
    for destination in destinations {
      AudioUnitAddRenderNotify(destination.handle, Self.notification, context)
    }
  }

  /// [under the engine's lock] The same, without some destinations.
  func remove(where matches: (NodeUnit) -> Bool) {
    guard destinations.contains(where: matches) else { return }
    set(destinations.filter { !matches($0) }, format: format, tap: tap)
  }

  /// [under the engine's lock] Initialises the processor, in the rate and for the frames of its
  /// destinations.
  func prepare(_ call: String) throws {
    guard let first = destinations.first else { return }
    let rates = destinations.map { $0.format(kAudioUnitScope_Output, 0)?.sampleRate ?? 0 }
    let wanted = format ?? .standard(rates[0], outputFormat?.channelCount ?? 2)
    guard rates.allSatisfy({ $0 == wanted.sampleRate }) else {
      throw EngineError.refusal(
        call, "\(source.componentName) and its destinations have different sample rates",
        mend: "connect them in one, and pass no other format", kAudioUnitErr_FormatNotSupported)
    }
    let slice = kAudioUnitProperty_MaximumFramesPerSlice
    let frames = first.value(slice, kAudioUnitScope_Global, 0 as UInt32) ?? 4_096
    let isAsWanted =
      outputFormat?.hasSamples(of: wanted) == true
      && source.value(slice, kAudioUnitScope_Global, 0 as UInt32) == frames
    guard !isInitialized || !isAsWanted else { return }
    uninitialize()
    try EngineError.check(source.setFormat(wanted, kAudioUnitScope_Output, 0), call)
    try EngineError.check(source.set(slice, kAudioUnitScope_Global, 0, frames), call)
    channelCount = min(Int(wanted.channelCount), 64)
    restart()
    try EngineError.check(AudioUnitInitialize(handle), call)
    isInitialized = true
  }

  private var isInitialized = false

  private var outputFormat: AVAudioFormat? { source.format(kAudioUnitScope_Output, 0) }

  /// [under the engine's lock] Frees what rendering needs. On return the processor does not render.
  func uninitialize() {
    guard isInitialized else { return }
    AudioUnitUninitialize(handle)
    isInitialized = false
  }

  /// Time may begin again.
  func restart() { last.store(Double.nan.bitPattern, ordering: .relaxed) }

  // MARK: Rendering

  private static let notification: AURenderCallback = { context, flags, time, _, frames, _ in
    guard flags.pointee.contains(.unitRenderAction_PreRender) else { return noErr }
    Unmanaged<MIDIConnection>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.render(time, frames)
    }
    return noErr
  }

  /// [render thread] Renders the processor, unless another destination has made it in this cycle.
  private func render(_ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32) {
    let now = time.pointee.mSampleTime
    guard abs(now) < 0x1p62, last.load(ordering: .relaxed) != now.bitPattern else { return }
    last.store(now.bitPattern, ordering: .relaxed)
    start = AUEventSampleTime(now.rounded(.down))
    list.unsafeMutablePointer.pointee.mNumberBuffers = UInt32(channelCount)
    for channel in 0..<channelCount {
      // In memory of the unit.
      list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: frames * 4, mData: nil)
    }
    var flags = AudioUnitRenderActionFlags()
    AudioUnitRender(handle, &flags, time, 0, frames, list.unsafeMutablePointer)
  }

  /// [render thread] Passes on what the processor sends, at its frame.
  private func send(_ list: UnsafePointer<MIDIEventList>, at time: AUEventSampleTime) -> OSStatus {
    _ = tap?(time, 0, list)
    let sinceNow = time &- AUEventSampleTimeImmediate
    let offset = UInt32(clamping: 0..<4_096 ~= sinceNow ? sinceNow : time &- start)
    var status = noErr
    for receiver in receivers {
      var result = MusicDeviceMIDIEventList(receiver, offset, list)
      if result == kAudio_UnimplementedError {
        result = Self.sendBytes(of: list, to: receiver, offset)
      }
      if status == noErr { status = result }
    }
    return status
  }

  /// [render thread] Passes on bytes, each message as a list.
  private func send(
    _ bytes: UnsafeBufferPointer<UInt8>, at time: AUEventSampleTime
  ) -> OSStatus {
    var status = noErr
    parser.beginPacket()
    for byte in bytes {
      let messages = parser.parse(byte)
      for index in 0..<messages.count {
        let result = SingleMessageList.with(messages[index], ._1_0) { send($0, at: time) }
        if status == noErr { status = result }
      }
    }
    return status
  }

  /// [render thread] Sends messages of up to three bytes to a unit that takes no lists.
  private static func sendBytes(
    of list: UnsafePointer<MIDIEventList>, to receiver: AudioUnit, _ offset: UInt32
  ) -> OSStatus {
    var status = noErr
    forEachMessage(of: list) { frame, bytes, count in
      guard count <= 3, bytes[0] != 0xf0 else { return }
      let result = MusicDeviceMIDIEvent(
        receiver, UInt32(bytes[0]), count > 1 ? UInt32(bytes[1]) : 0,
        count > 2 ? UInt32(bytes[2]) : 0, offset &+ frame)
      if status == noErr { status = result }
    }
    return status
  }

  /// A tap that gets messages as bytes; a long system exclusive message comes in parts.
  static func bytesTap(_ block: @escaping AUMIDIOutputEventBlock) -> AUMIDIEventListBlock {
    { time, cable, list in
      var status = noErr
      forEachMessage(of: list) { frame, bytes, count in
        let result = block(time &+ AUEventSampleTime(frame), cable, count, bytes)
        if status == noErr { status = result }
      }
      return status
    }
  }

  /// [render thread] Calls `body` with the bytes of each message, and the frames to it.
  private static func forEachMessage(
    of list: UnsafePointer<MIDIEventList>,
    _ body: (UInt32, UnsafePointer<UInt8>, Int) -> Void
  ) {
    EventLists.forEach(in: list) { packet in
      let words = EventLists.words(of: packet)
      var index = 0
      while let start = words.baseAddress,
        let message = UniversalMessage(at: start + index, count: words.count - index)
      {
        index += message.wordCount
        let converted = ProtocolDowngrade.convert(message)
        for place in 0..<converted.count {
          ByteMessage.with(converted[place]) { bytes, count in
            if count > 0 { body(EventLists.frames(of: packet), bytes, count) }
          }
        }
      }
    }
  }
}
