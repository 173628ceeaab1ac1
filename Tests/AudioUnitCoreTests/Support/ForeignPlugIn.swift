// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// A plug-in as other developers write it: C functions in a table. It has one channel, multiplies
/// its input by its only parameter, and counts its open instances.
struct ForeignPlugIn {
  var interface: AudioComponentPlugInInterface
  var instance: AudioComponentInstance?
  var isInitialized = false
  var gain: Float = 1
  var input = AURenderCallbackStruct()
  var connection = AudioUnitConnection()
  var quality: UInt32 = 0
  var listener: (AudioUnitPropertyListenerProc, UnsafeMutableRawPointer?)?
  var notify: (AURenderCallback, UnsafeMutableRawPointer?)?

  /// How many plug-ins are open.
  nonisolated(unsafe) static var openCount = 0
  /// Whether the next `Open` fails.
  nonisolated(unsafe) static var refusesToOpen = false

  typealias Me = UnsafeMutablePointer<ForeignPlugIn>

  static func me(_ pointer: UnsafeMutableRawPointer) -> Me {
    pointer.assumingMemoryBound(to: ForeignPlugIn.self)
  }

  static let factory: AudioComponentFactoryFunction = { description in
    guard description.pointee.componentSubType != code("none") else { return nil }
    let me = Me.allocate(capacity: 1)
    me.initialize(
      to: ForeignPlugIn(
        interface: AudioComponentPlugInInterface(
          Open: { me, instance in
            guard !refusesToOpen else { return -77 }
            ForeignPlugIn.me(me).pointee.instance = instance
            openCount += 1
            return noErr
          },
          Close: { me in
            openCount -= 1
            ForeignPlugIn.me(me).deinitialize(count: 1).deallocate()
            return noErr
          },
          Lookup: { selector in ForeignPlugIn.method(Int(selector)) }, reserved: nil)))
    return UnsafeMutableRawPointer(me).assumingMemoryBound(
      to: AudioComponentPlugInInterface.self)
  }

  static func method(_ selector: Int) -> AudioComponentMethod? {
    switch selector {
    case kAudioUnitInitializeSelect: pointer(initialize)
    case kAudioUnitUninitializeSelect: pointer(uninitialize)
    case kAudioUnitResetSelect: pointer(reset)
    case kAudioUnitGetPropertyInfoSelect: pointer(getPropertyInfo)
    case kAudioUnitGetPropertySelect: pointer(getProperty)
    case kAudioUnitSetPropertySelect: pointer(setProperty)
    case kAudioUnitAddPropertyListenerSelect: pointer(addListener)
    case kAudioUnitRemovePropertyListenerWithUserDataSelect: pointer(removeListener)
    case kAudioUnitGetParameterSelect: pointer(getParameter)
    case kAudioUnitSetParameterSelect: pointer(setParameter)
    case kAudioUnitAddRenderNotifySelect: pointer(addNotify)
    case kAudioUnitRenderSelect: pointer(render)
    default: nil
    }
  }

  private static func pointer<Function>(_ function: Function) -> AudioComponentMethod? {
    unsafeBitCast(function, to: AudioComponentMethod?.self)
  }

  // MARK: Methods

  private static let initialize: AudioUnitInitializeProc = {
    me($0).pointee.isInitialized = true
    return noErr
  }
  private static let uninitialize: AudioUnitUninitializeProc = {
    me($0).pointee.isInitialized = false
    return noErr
  }
  private static let reset: AudioUnitResetProc = { _, _, _ in noErr }

  private static let getPropertyInfo: AudioUnitGetPropertyInfoProc = {
    _, id, _, _, size, writable in
    switch id {
    case kAudioUnitProperty_RenderQuality: size?.pointee = 4
    case kAudioUnitProperty_StreamFormat: size?.pointee = 40
    default: return kAudioUnitErr_InvalidProperty
    }
    writable?.pointee = id == kAudioUnitProperty_RenderQuality
    return noErr
  }

  private static let getProperty: AudioUnitGetPropertyProc = {
    plugIn, id, scope, element, data, size in
    switch id {
    case kAudioUnitProperty_RenderQuality:
      data.storeBytes(of: me(plugIn).pointee.quality, as: UInt32.self)
      size.pointee = 4
    case kAudioUnitProperty_StreamFormat:
      guard element == 0 else { return kAudioUnitErr_InvalidElement }
      data.storeBytes(of: planarFormat(44_100, 1), as: AudioStreamBasicDescription.self)
      size.pointee = 40
    default: return kAudioUnitErr_InvalidProperty
    }
    return noErr
  }

  private static let setProperty: AudioUnitSetPropertyProc = {
    plugIn, id, scope, element, data, size in
    switch id {
    case kAudioUnitProperty_RenderQuality:
      me(plugIn).pointee.quality = data.load(as: UInt32.self)
    case kAudioUnitProperty_SetRenderCallback:
      me(plugIn).pointee.input = data.load(as: AURenderCallbackStruct.self)
      me(plugIn).pointee.connection.sourceAudioUnit = nil
    case kAudioUnitProperty_MakeConnection:
      me(plugIn).pointee.connection = data.load(as: AudioUnitConnection.self)
    default: return kAudioUnitErr_InvalidProperty
    }
    if let listener = me(plugIn).pointee.listener, let unit = me(plugIn).pointee.instance,
      let context = listener.1
    {
      listener.0(context, unit, id, scope, element)
    }
    return noErr
  }

  private static let addListener: AudioUnitAddPropertyListenerProc = {
    plugIn, _, function, context in
    me(plugIn).pointee.listener = (function, context)
    return noErr
  }
  private static let removeListener: AudioUnitRemovePropertyListenerWithUserDataProc = {
    plugIn, _, _, _ in
    me(plugIn).pointee.listener = nil
    return noErr
  }

  private static let getParameter: AudioUnitGetParameterProc = { plugIn, id, _, _, value in
    guard id == 0 else { return kAudioUnitErr_InvalidParameter }
    value.pointee = me(plugIn).pointee.gain
    return noErr
  }
  private static let setParameter: AudioUnitSetParameterProc = { plugIn, id, _, _, value, _ in
    guard id == 0 else { return kAudioUnitErr_InvalidParameter }
    me(plugIn).pointee.gain = value
    return noErr
  }

  private static let addNotify: AudioUnitAddRenderNotifyProc = { plugIn, function, context in
    me(plugIn).pointee.notify = (function, context)
    return noErr
  }

  private static let render: AudioUnitRenderProc = { plugIn, flags, time, bus, frames, data in
    let me = ForeignPlugIn.me(plugIn)
    guard me.pointee.isInitialized else { return kAudioUnitErr_Uninitialized }
    var status = noErr
    if let source = me.pointee.connection.sourceAudioUnit {
      status = AudioUnitRender(
        source, flags, time, me.pointee.connection.sourceOutputNumber, frames, data)
    } else if let function = me.pointee.input.inputProc,
      let context = me.pointee.input.inputProcRefCon
    {
      var none = AudioUnitRenderActionFlags()
      status = function(context, &none, time, 0, frames, data)
    }
    guard status == noErr else { return status }
    let samples = UnsafeMutableBufferPointer<Float>(UnsafeMutableAudioBufferListPointer(data)[0])
    for index in samples.indices { samples[index] *= me.pointee.gain }
    return noErr
  }
}
