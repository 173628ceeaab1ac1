// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// A two-channel plug-in as other vendors write one: a table of C functions. Each function reports
/// its call. The plug-in passes its input through.
struct WatchedPlugIn {
  /// The functions whose calls are reported.
  enum Function: String, CaseIterable, Sendable {
    case make, open, initialize, uninitialize, getProperty, setProperty, close
  }

  private var interface: AudioComponentPlugInInterface
  private let subType: OSType
  private var connection = AudioUnitConnection()
  private var input = AURenderCallbackStruct()

  private static let watchers = Mutex<[OSType: @Sendable (Function) -> Void]>([:])

  /// Registers a plug-in. Each of its functions calls `watcher`.
  static func register(_ subType: OSType, _ watcher: @escaping @Sendable (Function) -> Void)
    -> AudioComponentDescription
  {
    watchers.withLock { $0[subType] = watcher }
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: subType,
      componentManufacturer: maker, componentFlags: 0, componentFlagsMask: 0)
    _ = AudioComponentRegister(&description, "Tests: Watched" as CFString, 1, factory)
    return description
  }

  private typealias Instance = UnsafeMutablePointer<WatchedPlugIn>

  private static func enter(_ pointer: UnsafeMutableRawPointer, _ function: Function) -> Instance {
    let instance = pointer.assumingMemoryBound(to: WatchedPlugIn.self)
    report(instance.pointee.subType, function)
    return instance
  }

  private static func report(_ subType: OSType, _ function: Function) {
    watchers.withLock { $0[subType] }?(function)
  }

  private static let factory: AudioComponentFactoryFunction = { description in
    let subType = description.pointee.componentSubType
    report(subType, .make)
    let memory = Instance.allocate(capacity: 1)
    let interface = AudioComponentPlugInInterface(
      Open: { plugIn, _ in
        _ = enter(plugIn, .open)
        return noErr
      },
      Close: { plugIn in
        enter(plugIn, .close).deinitialize(count: 1).deallocate()
        return noErr
      },
      Lookup: { WatchedPlugIn.method(Int($0)) }, reserved: nil)
    memory.initialize(to: WatchedPlugIn(interface: interface, subType: subType))
    return UnsafeMutableRawPointer(memory).assumingMemoryBound(
      to: AudioComponentPlugInInterface.self)
  }

  private static func method(_ selector: Int) -> AudioComponentMethod? {
    func pointer<Method>(_ method: Method) -> AudioComponentMethod? {
      unsafeBitCast(method, to: AudioComponentMethod?.self)
    }
    return switch selector {
    case kAudioUnitInitializeSelect: pointer(initialize)
    case kAudioUnitUninitializeSelect: pointer(uninitialize)
    case kAudioUnitGetPropertySelect: pointer(getProperty)
    case kAudioUnitSetPropertySelect: pointer(setProperty)
    case kAudioUnitRenderSelect: pointer(render)
    default: nil
    }
  }

  private static let initialize: AudioUnitInitializeProc = {
    _ = enter($0, .initialize)
    return noErr
  }
  private static let uninitialize: AudioUnitUninitializeProc = {
    _ = enter($0, .uninitialize)
    return noErr
  }

  private static let getProperty: AudioUnitGetPropertyProc = { plugIn, id, _, element, data, size in
    _ = enter(plugIn, .getProperty)
    switch id {
    case kAudioUnitProperty_ElementCount, kAudioUnitProperty_MaximumFramesPerSlice:
      data.storeBytes(of: id == kAudioUnitProperty_ElementCount ? 1 : 1024, as: UInt32.self)
      size.pointee = 4
    case kAudioUnitProperty_StreamFormat:
      data.storeBytes(of: .planar(), as: AudioStreamBasicDescription.self)
      size.pointee = 40
    default: return kAudioUnitErr_InvalidProperty
    }
    return noErr
  }

  private static let setProperty: AudioUnitSetPropertyProc = { plugIn, id, _, _, data, _ in
    let instance = enter(plugIn, .setProperty)
    switch id {
    case kAudioUnitProperty_SetRenderCallback:
      instance.pointee.input = data.load(as: AURenderCallbackStruct.self)
    case kAudioUnitProperty_MakeConnection:
      instance.pointee.connection = data.load(as: AudioUnitConnection.self)
    default: return kAudioUnitErr_InvalidProperty
    }
    return noErr
  }

  private static let render: AudioUnitRenderProc = { plugIn, flags, time, _, frames, data in
    let instance = plugIn.assumingMemoryBound(to: WatchedPlugIn.self)
    guard let source = instance.pointee.connection.sourceAudioUnit else {
      return kAudioUnitErr_NoConnection
    }
    return AudioUnitRender(
      source, flags, time, instance.pointee.connection.sourceOutputNumber, frames, data)
  }
}
