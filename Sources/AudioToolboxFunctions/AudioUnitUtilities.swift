// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CBlocks
public import CoreAudio
import CRealTime
public import Foundation

// The functions of AudioUnitUtilities.h.

// MARK: Parameter listeners

/// Receives a parameter change: the listening object, the parameter, and its value.
public typealias AUParameterListenerBlock = (
  _ inObject: UnsafeMutableRawPointer?, _ inParameter: UnsafePointer<AudioUnitParameter>,
  _ inValue: AudioUnitParameterValue
) -> Void

@_cdecl("AUListenerCreate")
public func _AUListenerCreate(
  _ inProc: @escaping AUParameterListenerProc, _ inUserData: UnsafeMutableRawPointer?,
  _ inRunLoop: UnsafeRawPointer?, _ inRunLoopMode: UnsafeRawPointer?,
  _ inNotificationInterval: Float32,
  _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>
) -> OSStatus {
  status(in: "AUListenerCreate") { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    guard !isNull(outListener) else { throw .null("outListener") }
    outListener.pointee = nil
    let arguments = try runLoopArguments(inRunLoop, inRunLoopMode)
    outListener.pointee = try Listeners.shared.add(
      .parameters(inNotificationInterval) { object, parameter, value in
        inProc(inUserData, object, parameter, value)
      }
    ) { RunLoopScheduler(arguments.runLoop, arguments.mode, listener: $0) }
  }
}

/// Creates a listener that is called on a run loop. [control thread]
///
/// A nil run loop is the current thread's, and a nil mode the default one. Changes are collected
/// for the interval, in seconds, then the last value of each parameter is reported. With an
/// interval of 0, each change is reported immediately, on the thread that made it; a change made on
/// a render thread is reported on the run loop.
@discardableResult
public func AUListenerCreate(
  _ inProc: @escaping AUParameterListenerProc, _ inUserData: UnsafeMutableRawPointer?,
  _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CFString?, _ inNotificationInterval: Float32,
  _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>
) -> OSStatus {
  _AUListenerCreate(
    inProc, inUserData, address(inRunLoop), address(inRunLoopMode), inNotificationInterval,
    outListener)
}

/// Creates a listener that is called on a dispatch queue. [control thread]
///
/// Changes are collected for the interval, in seconds; 0 reports them as soon as the queue can.
///
/// - Parameters:
///   - outListener: the listener, which the caller disposes of.
///   - inNotificationInterval: in seconds, 0 or more.
///   - inDispatchQueue: the queue on which it is called.
///   - inBlock: called for each changed parameter.
/// - Returns: noErr.
@discardableResult
public func AUListenerCreateWithDispatchQueue(
  _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>, _ inNotificationInterval: Float32,
  _ inDispatchQueue: DispatchQueue, _ inBlock: @escaping AUParameterListenerBlock
) -> OSStatus {
  status { () throws(AudioError) in
    outListener.pointee = nil
    outListener.pointee = try Listeners.shared.add(.parameters(inNotificationInterval, inBlock)) {
      DispatchQueueScheduler(queue: BlockQueue(inDispatchQueue), listener: UInt(bitPattern: $0))
    }
  }
}

@_cdecl("AUListenerCreateWithDispatchQueue")
public func _AUListenerCreateWithDispatchQueue(
  _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>, _ inNotificationInterval: Float32,
  _ inDispatchQueue: UnsafeMutableRawPointer?, _ inBlock: UnsafeRawPointer?
) -> OSStatus {
  status(in: "AUListenerCreateWithDispatchQueue") { () throws(AudioError) in
    guard !isNull(outListener) else { throw .null("outListener") }
    outListener.pointee = nil
    let queue = try listenerQueue(inDispatchQueue)
    guard let inBlock else { throw .null("inBlock") }
    let heap = block_copy(inBlock)
    defer { block_release(heap) }
    let block = unsafeBitCast(
      heap,
      to: (@convention(block) (
        UnsafeMutableRawPointer?, UnsafePointer<AudioUnitParameter>, AudioUnitParameterValue
      ) -> Void).self)
    outListener.pointee = try Listeners.shared.add(
      .parameters(inNotificationInterval) { block($0, $1, $2) }
    ) { DispatchQueueScheduler(queue: BlockQueue(raw: queue), listener: UInt(bitPattern: $0)) }
  }
}

@c @implementation
public func AUListenerDispose(_ inListener: AUParameterListenerRef) -> OSStatus {
  status { () throws(AudioError) in try Listeners.shared.dispose(inListener) }
}

@c @implementation
public func AUListenerAddParameter(
  _ inListener: AUParameterListenerRef, _ inObject: UnsafeMutableRawPointer?,
  _ inParameter: UnsafePointer<AudioUnitParameter>
) -> OSStatus {
  status { () throws(AudioError) in
    let listener = try Listeners.shared.listener(inListener)
    guard !isNull(inParameter) else { throw .null("inParameter") }
    try Listeners.shared.add(
      ListenedEvent(.parameterValueChange, of: inParameter.pointee), for: inObject, to: listener)
  }
}

@c @implementation
public func AUListenerRemoveParameter(
  _ inListener: AUParameterListenerRef, _ inObject: UnsafeMutableRawPointer?,
  _ inParameter: UnsafePointer<AudioUnitParameter>
) -> OSStatus {
  status { () throws(AudioError) in
    let listener = try Listeners.shared.listener(inListener)
    guard !isNull(inParameter) else { throw .null("inParameter") }
    Listeners.shared.remove(
      ListenedEvent(.parameterValueChange, of: inParameter.pointee), for: inObject, from: listener)
  }
}

@c @implementation
public func AUParameterSet(
  _ inSendingListener: AUParameterListenerRef?, _ inSendingObject: UnsafeMutableRawPointer?,
  _ inParameter: UnsafePointer<AudioUnitParameter>, _ inValue: AudioUnitParameterValue,
  _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
  status { () throws(AudioError) in
    let sender = try sender(inSendingListener)
    guard !isNull(inParameter) else { throw .null("inParameter") }
    let parameter = inParameter.pointee
    try withUnit(parameter.mAudioUnit) { unit throws(AudioError) in
      try unit.setParameter(
        ParameterAddress(parameter.mParameterID, parameter.mScope, parameter.mElement),
        to: inValue, offset: inBufferOffsetInFrames)
    }
    Listeners.notify(
      EventReport(
        event: ListenedEvent(.parameterValueChange, of: parameter), sender: sender,
        senderObject: UInt(bitPattern: inSendingObject), hostTime: rt_host_time(), value: inValue))
  }
}

@c @implementation
public func AUParameterListenerNotify(
  _ inSendingListener: AUParameterListenerRef?, _ inSendingObject: UnsafeMutableRawPointer?,
  _ inParameter: UnsafePointer<AudioUnitParameter>
) -> OSStatus {
  status { () throws(AudioError) in
    let sender = try sender(inSendingListener)
    guard !isNull(inParameter) else { throw .null("inParameter") }
    try notify(
      ListenedEvent(.parameterValueChange, of: inParameter.pointee), sender, inSendingObject)
  }
}

// MARK: Event listeners

/// Receives an event: the listening object, the event, its host time, and the parameter's value if
/// it changed.
public typealias AUEventListenerBlock = (
  _ inObject: UnsafeMutableRawPointer?, _ inEvent: UnsafePointer<AudioUnitEvent>,
  _ inEventHostTime: UInt64, _ inParameterValue: AudioUnitParameterValue
) -> Void

@_cdecl("AUEventListenerCreate")
public func _AUEventListenerCreate(
  _ inProc: @escaping AUEventListenerProc, _ inUserData: UnsafeMutableRawPointer?,
  _ inRunLoop: UnsafeRawPointer?, _ inRunLoopMode: UnsafeRawPointer?,
  _ inNotificationInterval: Float32, _ inValueChangeGranularity: Float32,
  _ outListener: UnsafeMutablePointer<AUEventListenerRef?>
) -> OSStatus {
  status(in: "AUEventListenerCreate") { () throws(AudioError) in
    guard !isNull(function: inProc) else { throw .null("inProc") }
    guard !isNull(outListener) else { throw .null("outListener") }
    outListener.pointee = nil
    let arguments = try runLoopArguments(inRunLoop, inRunLoopMode)
    outListener.pointee = try Listeners.shared.add(
      .events(inNotificationInterval, inValueChangeGranularity) { object, event, time, value in
        inProc(inUserData, object, event, time, value)
      }
    ) { RunLoopScheduler(arguments.runLoop, arguments.mode, listener: $0) }
  }
}

/// Creates an event listener that is called on a run loop. [control thread]
///
/// Like `AUListenerCreate`; pending changes of a parameter that are less than the granularity
/// apart, in seconds, are reported as one.
@discardableResult
public func AUEventListenerCreate(
  _ inProc: @escaping AUEventListenerProc, _ inUserData: UnsafeMutableRawPointer?,
  _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CFString?, _ inNotificationInterval: Float32,
  _ inValueChangeGranularity: Float32, _ outListener: UnsafeMutablePointer<AUEventListenerRef?>
) -> OSStatus {
  _AUEventListenerCreate(
    inProc, inUserData, address(inRunLoop), address(inRunLoopMode), inNotificationInterval,
    inValueChangeGranularity, outListener)
}

/// Creates an event listener that is called on a dispatch queue. [control thread]
///
/// - Parameters:
///   - outListener: the listener, which the caller disposes of.
///   - inNotificationInterval: in seconds, 0 or more.
///   - inValueChangeGranularity: in seconds, 0 or more.
///   - inDispatchQueue: the queue on which it is called.
///   - inBlock: called for each event.
/// - Returns: noErr.
@discardableResult
public func AUEventListenerCreateWithDispatchQueue(
  _ outListener: UnsafeMutablePointer<AUEventListenerRef?>, _ inNotificationInterval: Float32,
  _ inValueChangeGranularity: Float32, _ inDispatchQueue: DispatchQueue,
  _ inBlock: @escaping AUEventListenerBlock
) -> OSStatus {
  status { () throws(AudioError) in
    outListener.pointee = nil
    outListener.pointee = try Listeners.shared.add(
      .events(inNotificationInterval, inValueChangeGranularity, inBlock)
    ) { DispatchQueueScheduler(queue: BlockQueue(inDispatchQueue), listener: UInt(bitPattern: $0)) }
  }
}

@_cdecl("AUEventListenerCreateWithDispatchQueue")
public func _AUEventListenerCreateWithDispatchQueue(
  _ outListener: UnsafeMutablePointer<AUEventListenerRef?>, _ inNotificationInterval: Float32,
  _ inValueChangeGranularity: Float32, _ inDispatchQueue: UnsafeMutableRawPointer?,
  _ inBlock: UnsafeRawPointer?
) -> OSStatus {
  status(in: "AUEventListenerCreateWithDispatchQueue") { () throws(AudioError) in
    guard !isNull(outListener) else { throw .null("outListener") }
    outListener.pointee = nil
    let queue = try listenerQueue(inDispatchQueue)
    guard let inBlock else { throw .null("inBlock") }
    let heap = block_copy(inBlock)
    defer { block_release(heap) }
    let block = unsafeBitCast(
      heap,
      to: (@convention(block) (
        UnsafeMutableRawPointer?, UnsafePointer<AudioUnitEvent>, UInt64, AudioUnitParameterValue
      ) -> Void).self)
    outListener.pointee = try Listeners.shared.add(
      .events(inNotificationInterval, inValueChangeGranularity) { block($0, $1, $2, $3) }
    ) { DispatchQueueScheduler(queue: BlockQueue(raw: queue), listener: UInt(bitPattern: $0)) }
  }
}

@c @implementation
public func AUEventListenerAddEventType(
  _ inListener: AUEventListenerRef, _ inObject: UnsafeMutableRawPointer?,
  _ inEvent: UnsafePointer<AudioUnitEvent>
) -> OSStatus {
  status { () throws(AudioError) in
    let (listener, event) = try eventArguments(inListener, inEvent)
    try Listeners.shared.add(event, for: inObject, to: listener)
  }
}

@c @implementation
public func AUEventListenerRemoveEventType(
  _ inListener: AUEventListenerRef, _ inObject: UnsafeMutableRawPointer?,
  _ inEvent: UnsafePointer<AudioUnitEvent>
) -> OSStatus {
  status { () throws(AudioError) in
    let (listener, event) = try eventArguments(inListener, inEvent)
    Listeners.shared.remove(event, for: inObject, from: listener)
  }
}

@c @implementation
public func AUEventListenerNotify(
  _ inSendingListener: AUEventListenerRef?, _ inSendingObject: UnsafeMutableRawPointer?,
  _ inEvent: UnsafePointer<AudioUnitEvent>
) -> OSStatus {
  status { () throws(AudioError) in
    let sender = try sender(inSendingListener)
    guard !isNull(inEvent) else { throw .null("inEvent") }
    try notify(ListenedEvent(inEvent.pointee), sender, inSendingObject)
  }
}

// MARK: Values and controls

@c @implementation
public func AUParameterValueFromLinear(
  _ inLinearValue: Float32, _ inParameter: UnsafePointer<AudioUnitParameter>
) -> AudioUnitParameterValue {
  AudioUnitParameterValue(scale(inParameter)?.value(at: Double(inLinearValue)) ?? 0)
}

@c @implementation
public func AUParameterValueToLinear(
  _ inParameterValue: AudioUnitParameterValue, _ inParameter: UnsafePointer<AudioUnitParameter>
) -> Float32 {
  Float32(scale(inParameter)?.position(of: Double(inParameterValue)) ?? 0)
}

@c @implementation
public func AUParameterFormatValue(
  _ inParameterValue: Float64, _ inParameter: UnsafePointer<AudioUnitParameter>,
  _ inTextBuffer: UnsafeMutablePointer<CChar>, _ inDigits: UInt32
) -> UnsafeMutablePointer<CChar> {
  guard !isNull(inTextBuffer) else { return inTextBuffer }
  let text = ParameterScale.text(
    inParameterValue, digits: Int(inDigits), scale: scale(inParameter))
  let bytes = text.utf8.prefix(31).map { CChar(bitPattern: $0) } + [0]
  inTextBuffer.update(from: bytes, count: bytes.count)
  return inTextBuffer
}
