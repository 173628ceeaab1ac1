// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CoreAudio
public import Foundation

// The functions of AudioComponent.h.

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
  return isNull(inDesc)
    ? 0 : atWork { UInt32(ComponentRegistry.shared.all(matching: inDesc.pointee).count) }
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
      component, _ throws(AudioError) in
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
///
/// `inOptions` may ask for an instance in this process or in one of its own, which LV2, LADSPA and CLAP
/// plug-ins can have: `kAudioUnitProperty_LoadedOutOfProcess` says where it is. `kAudio_ParamError` if they
/// ask for both, or for something else.
///
/// - Parameters:
///   - inComponent: the component.
///   - inOptions: where the instance lives.
///   - inCompletionHandler: called with the instance, which the program disposes of, and a status:
///     that of AudioComponentInstanceNew.
public func AudioComponentInstantiate(
  _ inComponent: AudioComponent, _ inOptions: AudioComponentInstantiationOptions,
  _ inCompletionHandler: @escaping @Sendable (AudioComponentInstance?, OSStatus) -> Void
) {
  let handle = UInt(bitPattern: inComponent)
  DispatchQueue.global().async {
    var instance: AudioComponentInstance?
    let result = AudioComponentInstanceNew(OpaquePointer(bitPattern: handle), inOptions, &instance)
    inCompletionHandler(instance, result)
  }
}

// Not a C function: C programs pass options only to `AudioComponentInstantiate`.

/// [any thread] Creates an instance of a component with options, on this thread.
package func AudioComponentInstanceNew(
  _ inComponent: AudioComponent?, _ inOptions: AudioComponentInstantiationOptions,
  _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>
) -> OSStatus {
  status(in: "AudioComponentInstantiate") { () throws(AudioError) in
    guard let inComponent else { throw .null("inComponent") }
    try inOptions.check()
    outInstance.pointee = try component(inComponent).instantiate(inOptions).handle
  }
}

extension AudioComponentInstantiationOptions {
  /// [any thread] Throws unless a program may ask for this.
  package func check() throws(AudioError) {
    if contains([.loadInProcess, .loadOutOfProcess]) {
      throw .invalidArgument.because(
        "loadInProcess and loadOutOfProcess exclude each other; pass one of them, or neither")
    }
    let others = subtracting([.loadInProcess, .loadOutOfProcess])
    guard others.isEmpty else {
      throw .invalidArgument.because(
        "0x\(String(others.rawValue, radix: 16)) is no option that a program passes; pass "
          + "loadInProcess, loadOutOfProcess, or neither")
    }
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
