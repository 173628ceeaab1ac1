// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

/// A tone generator unit.
final class ToneGeneratorUnit {
  let unit: AudioUnit

  init() throws {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Generator, componentSubType: kAudioUnitSubType_ToneGenerator,
      componentManufacturer: kAudioUnitManufacturer_SwiftAudioToolbox, componentFlags: 0,
      componentFlagsMask: 0)
    let component = try #require(AudioComponentFindNext(nil, &description))
    var instance: AudioComponentInstance?
    try #require(AudioComponentInstanceNew(component, &instance) == noErr)
    unit = try #require(instance)
  }

  deinit { dispose() }

  func dispose() { AudioComponentInstanceDispose(unit) }

  func parameter(_ id: AudioUnitParameterID) -> AudioUnitParameter {
    AudioUnitParameter(
      mAudioUnit: unit, mParameterID: id, mScope: kAudioUnitScope_Global, mElement: 0)
  }

  func event(_ type: AudioUnitEventType, _ id: AudioUnitParameterID) -> AudioUnitEvent {
    var event = AudioUnitEvent()
    event.mEventType = type
    event.mArgument.mParameter = parameter(id)
    return event
  }

  /// The change of a property.
  func event(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope) -> AudioUnitEvent {
    var event = AudioUnitEvent()
    event.mEventType = .propertyChange
    event.mArgument.mProperty = AudioUnitProperty(
      mAudioUnit: unit, mPropertyID: id, mScope: scope, mElement: 0)
    return event
  }

  func value(_ id: AudioUnitParameterID) -> AudioUnitParameterValue {
    var value: AudioUnitParameterValue = -1
    AudioUnitGetParameter(unit, id, kAudioUnitScope_Global, 0, &value)
    return value
  }

  func setMaximumFrames(_ frames: UInt32) throws {
    var frames = frames
    let status = AudioUnitSetProperty(
      unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, 4)
    try #require(status == noErr)
  }

  /// Renders once and calls `body` during the render.
  func render(_ body: () -> Void) throws {
    try withoutActuallyEscaping(body) { body in
      var context = body
      try withUnsafeMutablePointer(to: &context) { context in
        let notify: AURenderCallback = { context, flags, _, _, _, _ in
          if flags.pointee.contains(.unitRenderAction_PreRender) {
            context.assumingMemoryBound(to: (() -> Void).self).pointee()
          }
          return noErr
        }
        AudioUnitAddRenderNotify(unit, notify, context)
        defer { AudioUnitRemoveRenderNotify(unit, notify, context) }
        try #require(AudioUnitInitialize(unit) == noErr)
        let buffers = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(buffers.unsafeMutablePointer) }
        for index in 0..<2 {
          buffers[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 64 * 4, mData: nil)
        }
        var time = AudioTimeStamp()
        time.mFlags = .sampleTimeValid
        let status = AudioUnitRender(unit, nil, &time, 0, 64, buffers.unsafeMutablePointer)
        #expect(status == noErr)
      }
    }
  }
}

/// Records the calls of listeners; uses a lock that the thread sanitizer understands.
final class ListenerRecord: @unchecked Sendable {  // `lock` guards all state
  struct Item: Equatable, Sendable {
    var object = 0
    var type = AudioUnitEventType.parameterValueChange
    var id: UInt32
    var value: Float
    var hostTime: UInt64 = 0
    var isMainLoop = false

    static func == (left: Self, right: Self) -> Bool {
      left.object == right.object && left.id == right.id && left.value == right.value
    }
  }

  private let lock = NSLock()
  private var items: [Item] = []
  private var action: (@Sendable () -> Void)?

  var all: [Item] { lock.withLock { items.map(\.self) } }
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func add(_ item: Item) { lock.withLock { items.append(item) } }

  func doOnce(_ body: @escaping @Sendable () -> Void) { lock.withLock { action = body } }

  fileprivate func act() {
    let body = lock.withLock {
      defer { action = nil }
      return action
    }
    body?()
  }

  func object(_ number: Int) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: number)
  }

  /// Runs this thread's run loop until `count` items were received, for at most ten seconds.
  func runLoop(until count: Int) {
    let end = Date() + 10
    while all.count < count, Date() < end {
      runLoop(for: 0.05)
    }
  }

  /// Runs this thread's run loop for at most `seconds`.
  func runLoop(for seconds: Double) {
    _ = RunLoop.current.run(mode: .default, before: Date() + seconds)
  }

  /// Sleeps until `count` items were received; returns false after ten seconds.
  func wait(for count: Int) -> Bool {
    for _ in 0..<2000 where all.count < count { usleep(5_000) }
    return all.count >= count
  }

  static let parameterProc: AUParameterListenerProc = { context, object, parameter, value in
    guard let context else { return }
    let record = Unmanaged<ListenerRecord>.fromOpaque(context).takeUnretainedValue()
    record.add(
      Item(
        object: Int(bitPattern: object), id: parameter.pointee.mParameterID, value: value,
        isMainLoop: CFRunLoopGetCurrent() === CFRunLoopGetMain()))
    record.act()
  }

  private static let eventProc: AUEventListenerProc = { context, object, event, time, value in
    guard let context else { return }
    Unmanaged<ListenerRecord>.fromOpaque(context).takeUnretainedValue().add(
      Item(
        object: Int(bitPattern: object), type: event.pointee.mEventType,
        id: event.pointee.mArgument.mParameter.mParameterID, value: value, hostTime: time))
  }

  /// A listener on this thread's run loop.
  func listener(interval: Float) throws -> AUParameterListenerRef {
    var listener: AUParameterListenerRef?
    try #require(
      AUListenerCreate(Self.parameterProc, context, nil, nil, interval, &listener) == noErr)
    return try #require(listener)
  }

  /// An event listener on this thread's run loop.
  func eventListener(interval: Float, granularity: Float) throws -> AUEventListenerRef {
    var listener: AUEventListenerRef?
    let status = AUEventListenerCreate(
      Self.eventProc, context, nil, nil, interval, granularity, &listener)
    try #require(status == noErr)
    return try #require(listener)
  }
}

/// Passes a run loop to another thread.
struct RunLoopBox: @unchecked Sendable {
  let loop: CFRunLoop
}
