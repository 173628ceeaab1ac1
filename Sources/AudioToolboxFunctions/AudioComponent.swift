// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CRealTime
public import CoreAudio
public import Foundation

// The functions of AudioComponent.h.

/// The name of the notification that a component was registered, which has no object. It is posted
/// on a thread of the library.
public nonisolated(unsafe) let kAudioComponentRegistrationsChangedNotification: CFString =
  "kAudioComponentRegistrationsChangedNotification" as NSString

@c @implementation
public func AudioComponentFindNext(
  _ inComponent: AudioComponent?, _ inDesc: UnsafePointer<AudioComponentDescription>
) -> AudioComponent? {
  Library.start()
  var found: AudioComponent?
  _ = status { () throws(AudioError) in
    guard !isNull(inDesc) else { throw .null("inDesc") }
    let previous = try inComponent.map { handle throws(AudioError) in try component(handle) }
    found = try ComponentRegistry.shared.next(after: previous, matching: inDesc.pointee)?.handle()
  }
  return found
}

@c @implementation
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
  Library.start()
  return isNull(inDesc) || rt_is_forked()
    ? 0 : UInt32(ComponentRegistry.shared.all(matching: inDesc.pointee).count)
}

@c @implementation
public func AudioComponentGetDescription(
  _ inComponent: AudioComponent, _ outDesc: UnsafeMutablePointer<AudioComponentDescription>
) -> OSStatus {
  status { () throws(AudioError) in
    guard !isNull(outDesc) else { throw .null("outDesc") }
    outDesc.pointee = try component(inComponent).description
  }
}

@c @implementation
public func AudioComponentGetVersion(
  _ inComponent: AudioComponent, _ outVersion: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  status { () throws(AudioError) in
    guard !isNull(outVersion) else { throw .null("outVersion") }
    outVersion.pointee = try component(inComponent).version
  }
}

@c @implementation
public func AudioComponentInstanceNew(
  _ inComponent: AudioComponent, _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>
) -> OSStatus {
  status { () throws(AudioError) in
    guard !isNull(outInstance) else { throw .null("outInstance") }
    outInstance.pointee = nil
    outInstance.pointee = try component(inComponent).instantiate().handle
  }
}

@c @implementation
public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance) -> OSStatus {
  status { () throws(AudioError) in try UnitInstance.dispose(inInstance) }
}

@c @implementation
public func AudioComponentInstanceGetComponent(_ inInstance: AudioComponentInstance)
  -> AudioComponent
{
  var found: AudioComponent?
  _ = status(inInstance) { unit throws(AudioError) in found = try unit.component.handle() }
  // In C, the result for an invalid handle is NULL.
  return unsafeBitCast(found, to: AudioComponent.self)
}

@c @implementation
public func AudioComponentInstanceCanDo(
  _ inInstance: AudioComponentInstance, _ inSelectorID: Int16
) -> Bool {
  var can = false
  _ = status(inInstance) { unit in can = unit.canDo(Int(inSelectorID)) }
  return can
}

@_cdecl("AudioComponentCopyName")
public func _AudioComponentCopyName(
  _ inComponent: AudioComponent, _ outName: UnsafeMutablePointer<UnsafeRawPointer?>
) -> OSStatus {
  status(in: "AudioComponentCopyName") { () throws(AudioError) in
    guard !isNull(outName) else { throw .null("outName") }
    outName.pointee = nil
    outName.pointee = Bridge.current.retainedString(try component(inComponent).name)
  }
}

/// The name of a component, "Manufacturer: Name"; the caller releases the string. [any thread]
@discardableResult
public func AudioComponentCopyName(
  _ inComponent: AudioComponent, _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
  var name: UnsafeRawPointer?
  let status = _AudioComponentCopyName(inComponent, &name)
  outName.pointee = name.map { Unmanaged.fromOpaque($0) }
  return status
}

@_cdecl("AudioComponentRegister")
public func _AudioComponentRegister(
  _ inDesc: UnsafePointer<AudioComponentDescription>, _ inName: UnsafeRawPointer,
  _ inVersion: UInt32, _ inFactory: @escaping AudioComponentFactoryFunction
) -> AudioComponent? {
  Library.start()
  var registered: AudioComponent?
  _ = status(in: "AudioComponentRegister") { () throws(AudioError) in
    guard !isNull(inDesc) else { throw .null("inDesc") }
    guard !isNull(function: inFactory) else { throw .null("inFactory") }
    guard !isNull(inName), let name = Bridge.current.string(inName) else {
      throw .invalidArgument.because("inName is not a CFString")
    }
    let component = Component(inDesc.pointee, name: name, version: inVersion) {
      component throws(AudioError) in
      try ForeignUnit(component: component, factory: inFactory)
    }
    registered = try ComponentRegistry.shared.register(component).handle()
    postRegistrationsChanged()
  }
  return registered
}

/// Registers a component of this process; `inFactory` creates its instances. [control thread]
///
/// A component with the same type, subtype and manufacturer is replaced if its version is lower;
/// otherwise nothing is registered, and the handle is null.
@discardableResult
public func AudioComponentRegister(
  _ inDesc: UnsafePointer<AudioComponentDescription>, _ inName: CFString, _ inVersion: UInt32,
  _ inFactory: @escaping AudioComponentFactoryFunction
) -> AudioComponent {
  let registered = _AudioComponentRegister(
    inDesc, UnsafeRawPointer(Unmanaged.passUnretained(inName).toOpaque()), inVersion, inFactory)
  // As in C, the handle is null when the component was refused.
  return unsafeBitCast(registered, to: AudioComponent.self)
}

/// Creates an instance of a component and passes it to `inCompletionHandler`, on a thread that the
/// library chooses. [any thread]
public func AudioComponentInstantiate(
  _ inComponent: AudioComponent, _ inOptions: AudioComponentInstantiationOptions,
  _ inCompletionHandler: @escaping @Sendable (AudioComponentInstance?, OSStatus) -> Void
) {
  let handle = UInt(bitPattern: inComponent)
  DispatchQueue.global().async {
    var instance: AudioComponentInstance?
    let result = OpaquePointer(bitPattern: handle).map { AudioComponentInstanceNew($0, &instance) }
    inCompletionHandler(instance, result ?? kAudio_ParamError)
  }
}

/// Tells the program that a component was registered, on another thread: the component may be
/// registered while a plug-in is loaded.
package func postRegistrationsChanged() {
  DispatchQueue.global().async {
    let name = Notification.Name("\(kAudioComponentRegistrationsChangedNotification)")
    NotificationCenter.default.post(name: name, object: nil)
  }
}

/// The component behind a handle.
private func component(_ handle: AudioComponent) throws(AudioError) -> Component {
  guard let entered = Handles.components.enter(handle) else {
    throw .invalidArgument.because("the handle does not belong to a component")
  }
  defer { Handles.components.leave(handle) }
  return entered.takeUnretainedValue()
}
