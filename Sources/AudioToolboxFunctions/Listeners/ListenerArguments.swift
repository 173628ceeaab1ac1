// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import CRealTime
import CoreFoundation
import Foundation

// Shared parts of the functions of AudioUnitUtilities.h.

extension ParameterListener.Setup {
  /// The setup of a parameter listener: it receives only the last of the collected changes.
  static func parameters(_ interval: Float32, _ block: @escaping AUParameterListenerBlock) -> Self {
    Self(receivesEvents: false, interval: Double(interval), granularity: nil) { notice in
      guard var parameter = notice.event.parameter else { return }
      block(notice.object, &parameter, notice.value)
    }
  }

  /// The setup of an event listener.
  static func events(
    _ interval: Float32, _ granularity: Float32, _ block: @escaping AUEventListenerBlock
  ) -> Self {
    Self(receivesEvents: true, interval: Double(interval), granularity: Double(granularity)) {
      notice in
      guard var event = notice.event.structure else { return }
      block(notice.object, &event, notice.hostTime, notice.value)
    }
  }
}

/// The sender as a number: 0 for none.
func sender(_ handle: AUParameterListenerRef?) throws(AudioError) -> UInt {
  guard let handle else { return 0 }
  _ = try Listeners.shared.listener(handle)
  return UInt(bitPattern: handle)
}

/// The event listener and the event that a call passed.
func eventArguments(
  _ handle: AUEventListenerRef, _ event: UnsafePointer<AudioUnitEvent>
) throws(AudioError) -> (ParameterListener, ListenedEvent) {
  let listener = try Listeners.shared.listener(handle)
  guard !isNull(event) else { throw .null("inEvent") }
  guard listener.receivesEvents else {
    throw .invalidArgument.because(
      "parameter listeners receive no events; expected an event listener")
  }
  return (listener, try ListenedEvent(event.pointee))
}

/// Reports an event; the value of a changed parameter is read from the unit.
func notify(_ event: ListenedEvent, _ sender: UInt, _ object: UnsafeMutableRawPointer?)
  throws(AudioError)
{
  guard let handle = AudioUnit(bitPattern: event.unit) else { throw .staleUnit }
  var value: AudioUnitParameterValue = 0
  try withUnit(handle) { unit throws(AudioError) in
    if event.type == .parameterValueChange, !event.isOfAnyParameter {
      value = try unit.parameter(ParameterAddress(event.id, event.scope, event.element))
    }
  }
  Listeners.notify(
    EventReport(
      event: event, sender: sender, senderObject: UInt(bitPattern: object),
      hostTime: rt_host_time(), value: value))
}

/// Runs `body` on the unit behind a handle; its errors name the unit.
func withUnit(_ handle: AudioUnit, _ body: (UnitInstance) throws(AudioError) -> Void)
  throws(AudioError)
{
  guard let entered = Handles.units.enter(handle) else { throw .staleUnit }
  defer { Handles.units.leave(handle) }
  let unit = entered.takeUnretainedValue()
  do throws(AudioError) { try body(unit) } catch { throw error.in(unit) }
}

/// The scale of a parameter; nil, with an explanation, when its unit has no such parameter.
func scale(_ parameter: UnsafePointer<AudioUnitParameter>, in call: StaticString = #function)
  -> ParameterScale?
{
  var scale: ParameterScale?
  _ = status(in: call) { () throws(AudioError) in
    guard !isNull(parameter) else { throw .null("inParameter") }
    scale = try ParameterScale(of: parameter.pointee)
  }
  return scale
}

/// A run loop and a mode passed from C, each of which may be null.
func runLoopArguments(
  _ runLoop: UnsafeRawPointer?, _ mode: UnsafeRawPointer?
) throws(AudioError) -> (runLoop: CoreFoundation.CFRunLoop?, mode: NSString?) {
  let loop = object(runLoop)
  guard loop.map({ CFGetTypeID($0) == CFRunLoopGetTypeID() }) ?? true else {
    throw .invalidArgument.because("inRunLoop is not a CFRunLoop")
  }
  let name = object(mode)
  guard name == nil || name is NSString else {
    throw .invalidArgument.because("inRunLoopMode is not a CFString")
  }
  return (
    runLoop.map { Unmanaged<CoreFoundation.CFRunLoop>.fromOpaque($0).takeUnretainedValue() },
    name as? NSString
  )
}

/// A dispatch queue passed from C.
func listenerQueue(_ queue: UnsafeMutableRawPointer?) throws(AudioError) -> UnsafeMutableRawPointer
{
  guard let queue else { throw .null("inDispatchQueue") }
  guard BlockQueue.isAvailableInC else {
    throw .invalidArgument.because("the program is not linked with libdispatch")
  }
  return queue
}

/// The object at an address passed from C.
private func object(_ address: UnsafeRawPointer?) -> AnyObject? {
  address.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}

/// The address of an object, for C.
func address(_ object: AnyObject?) -> UnsafeRawPointer? {
  object.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
}
