// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// A plug-in of two channels as somebody else writes it: C functions behind a table, each of which tells
/// when it is called. It hands its input on.
struct WatchedPlugIn {
  /// The functions that tell.
  enum Function: String, CaseIterable, Sendable {
    case make, open, initialize, uninitialize, getProperty, setProperty, close
  }

  private var interface: AudioComponentPlugInInterface
  private let subType: OSType
  private var connection = AudioUnitConnection()
  private var input = AURenderCallbackStruct()

  private static let watchers = Mutex<[OSType: @Sendable (Function) -> Void]>([:])

  /// Registers one under codes of its own; `watcher` is called by each of its functions.
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

  private typealias Me = UnsafeMutablePointer<WatchedPlugIn>

  private static func me(_ pointer: UnsafeMutableRawPointer, _ function: Function) -> Me {
    let me = pointer.assumingMemoryBound(to: WatchedPlugIn.self)
    report(me.pointee.subType, function)
    return me
  }

  private static func report(_ subType: OSType, _ function: Function) {
    watchers.withLock { $0[subType] }?(function)
  }

  private static let factory: AudioComponentFactoryFunction = { description in
    let subType = description.pointee.componentSubType
    report(subType, .make)
    let memory = Me.allocate(capacity: 1)
    let interface = AudioComponentPlugInInterface(
      Open: { plugIn, _ in
        _ = me(plugIn, .open)
        return noErr
      },
      Close: { plugIn in
        me(plugIn, .close).deinitialize(count: 1).deallocate()
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
    _ = me($0, .initialize)
    return noErr
  }
  private static let uninitialize: AudioUnitUninitializeProc = {
    _ = me($0, .uninitialize)
    return noErr
  }

  private static let getProperty: AudioUnitGetPropertyProc = { plugIn, id, _, element, data, size in
    _ = me(plugIn, .getProperty)
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
    let me = me(plugIn, .setProperty)
    switch id {
    case kAudioUnitProperty_SetRenderCallback:
      me.pointee.input = data.load(as: AURenderCallbackStruct.self)
    case kAudioUnitProperty_MakeConnection:
      me.pointee.connection = data.load(as: AudioUnitConnection.self)
    default: return kAudioUnitErr_InvalidProperty
    }
    return noErr
  }

  private static let render: AudioUnitRenderProc = { plugIn, flags, time, _, frames, data in
    let me = plugIn.assumingMemoryBound(to: WatchedPlugIn.self)
    guard let source = me.pointee.connection.sourceAudioUnit else {
      return kAudioUnitErr_NoConnection
    }
    return AudioUnitRender(
      source, flags, time, me.pointee.connection.sourceOutputNumber, frames, data)
  }
}
