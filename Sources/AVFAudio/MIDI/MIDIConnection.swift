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
    let tap: MIDITap?
  }

  let source: NodeUnit
  private(set) var destinations: [NodeUnit] = []
  private var format: AVAudioFormat?
  private var tap: MIDITap?

  // For the render thread.
  private var renderedTap: Unmanaged<MIDITap>?
  private var tapGetsLists = false
  private let handle: AudioUnit
  private var receivers: UnsafeMutableBufferPointer<AudioUnit> = .init(start: nil, count: 0)
  private let list = UnsafeMutablePointer<AudioBufferList>.allocate(bufferCount: 64)
  private var channelCount = 0
  /// The list of a message that came as bytes.
  private let single = UnsafeMutablePointer<MIDIEventList>.allocate(capacity: 1)
  /// A time from which on times are frames after now.
  private let immediate = AUEventSampleTimeImmediate
  /// The sample time of the first frame of the processor's current render.
  private var start: AUEventSampleTime = 0
  /// Reads what the processor sends as bytes.
  private let parser = UnsafeMutablePointer<ByteStreamParser>.allocate(capacity: 1)
  /// The bits of the sample time of the last cycle; those of NaN if there was none.
  private let last = Atomic<UInt64>(Double.nan.bitPattern)

  init(_ source: NodeUnit) {
    self.source = source
    handle = source.handle
    single.initialize(to: MIDIEventList())
    parser.initialize(to: ByteStreamParser())
  }

  deinit {
    receivers.deallocate()
    list.deallocate()
    single.deallocate()
    parser.deallocate()
  }

  // MARK: Control

  /// [under the engine's lock] Replaces the destinations. The processor renders again after `prepare`.
  func set(_ destinations: [NodeUnit], format: AVAudioFormat?, tap: MIDITap?) {
    uninitialize()
    self.destinations = destinations
    (self.format, self.tap) = (format, tap)
    (renderedTap, tapGetsLists) = (tap.map { .passUnretained($0) }, tap?.getsLists == true)
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
        send(bytes, count: count, at: time)
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
    for destination in destinations {
      AudioUnitAddRenderNotify(destination.handle, Self.notification, context)
    }
  }

  /// Whether the processor can render, and its destinations call this.
  private var isInitialized = false

  /// What the destinations pass back.
  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private var outputFormat: AVAudioFormat? { source.format(kAudioUnitScope_Output, 0) }

  /// [under the engine's lock] Frees what rendering needs. On return the processor does not render.
  func uninitialize() {
    guard isInitialized else { return }
    for destination in destinations {
      AudioUnitRemoveRenderNotify(destination.handle, Self.notification, context)
    }
    AudioUnitUninitialize(handle)
    isInitialized = false
  }

  /// Time may begin again.
  func restart() { last.store(Double.nan.bitPattern, ordering: .relaxed) }

  // MARK: Rendering

  private static let notification: AURenderCallback = { context, flags, time, _, frames, _ in
    Unmanaged<MIDIConnection>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.notify(flags.pointee.rawValue, time, frames)
    }
    return noErr
  }

  /// [render thread] Renders the processor before a destination renders, unless another destination has
  /// made it in this cycle.
  @_noLocks
  private func notify(_ flags: UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32) {
    guard flags & AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue != 0 else {
      return
    }
    let now = time.pointee.mSampleTime
    guard now.magnitude < 0x1p62, last.load(ordering: .relaxed) != now.bitPattern else { return }
    last.store(now.bitPattern, ordering: .relaxed)
    start = time.pointee.wholeSampleTime
    list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: channelCount)
    for channel in 0..<channelCount { list.buffers[channel].mNumberChannels = 1 }
    list.emptyBuffers(frames)
    _ = renderUnit(handle, time, bus: 0, frames, list)
  }

  /// [render thread] Passes on what the processor sends, at its frame.
  @_noLocks
  private func send(_ list: UnsafePointer<MIDIEventList>, at time: AUEventSampleTime) -> OSStatus {
    passToTap(list, at: time)
    let sinceNow = time &- immediate
    let isFromNow = sinceNow >= 0 && sinceNow < 4_096
    let offset = UInt32(clamping: isFromNow ? sinceNow : time &- start)
    var status = noErr
    for index in 0..<receivers.count {
      let result = sendList(list, to: receivers[index], at: offset)
      if status == noErr { status = result }
    }
    return status
  }

  /// [render thread] Passes a list to the program's tap; as bytes, a long system exclusive message
  /// comes in parts.
  @_noLocks
  private func passToTap(_ list: UnsafePointer<MIDIEventList>, at time: AUEventSampleTime) {
    guard let renderedTap else { return }
    guard !tapGetsLists else { return callTap(renderedTap, list, at: time) }
    var messages = EventListReader(list)
    while let entry = messages.next() {
      let converted = ProtocolDowngrade.convert(entry.message)
      for place in 0..<converted.count {
        let packed = ByteMessage.packed(converted[place])
        guard packed.count > 0 else { continue }
        callTap(renderedTap, packed, at: time &+ AUEventSampleTime(entry.frame))
      }
    }
  }

  /// [render thread] Passes on bytes, each message as a list.
  @_noLocks
  private func send(
    _ bytes: UnsafePointer<UInt8>, count: Int, at time: AUEventSampleTime
  ) -> OSStatus {
    var status = noErr
    parser.pointee.beginPacket()
    for place in 0..<max(count, 0) {
      let messages = parser.pointee.parse(bytes[place])
      for index in 0..<messages.count {
        SingleMessageList.fill(single, with: messages[index], ._1_0)
        let result = send(UnsafePointer(single), at: time)
        if status == noErr { status = result }
      }
    }
    return status
  }
}

extension AudioTimeStamp {
  /// The sample time without its fraction. It is below 2^62.
  fileprivate var wholeSampleTime: AUEventSampleTime {
    @_noLocks get {
      let whole = AUEventSampleTime(mSampleTime)
      return Double(whole) > mSampleTime ? whole - 1 : whole
    }
  }
}
