// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Where the input of one bus comes from.
///
/// What a pull looks at comes first.
package struct InputSource: BitwiseCopyable {
  package enum Kind: UInt8, BitwiseCopyable { case none, callback, connection }

  package var kind = Kind.none
  /// Of the connected unit.
  var bus: UInt32 = 0
  /// The short way to a connected unit that runs a kernel.
  var direct: DirectSource?
  /// What holds the samples back, where branches are to arrive together; `delay` keeps it.
  var line: UnsafeMutablePointer<DelayLine.Line>?
  var callback: AURenderCallback?
  var context: UnsafeMutableRawPointer?
  var unit: Unmanaged<UnitInstance>?
  var delay: Unmanaged<DelayLine>?
  /// What render threads see of a connected unit of ours, whether it runs a kernel or not.
  var native: UnsafeMutablePointer<RenderSide>?
  /// The most frames that a connected unit of others gives at once, as it said when it was connected.
  var foreignFrameLimit = UInt32.max

  /// [control thread] Output `bus` of a unit.
  static func connection(_ unit: UnitInstance, bus: UInt32) -> Self {
    var source = Self()
    source.kind = .connection
    source.unit = .passUnretained(unit)
    source.direct = unit.directSource
    source.native = unit.renderSide
    if source.native == nil { source.foreignFrameLimit = unit.frameLimit.map(UInt32.init) ?? .max }
    source.bus = bus
    return source
  }

  /// [control thread] A host's callback.
  static func callback(_ callback: AURenderCallbackStruct) -> Self {
    var source = Self()
    source.kind = .callback
    source.callback = callback.inputProc
    source.context = callback.inputProcRefCon
    return source
  }
}

/// How a list is to be before a callback gets it.
enum ListPreparation: UInt8, BitwiseCopyable { case asItIs, memory, empty }

extension InputSource {
  /// [render thread] Whether there is one.
  var isThere: Bool {
    @_noLocks @inline(__always)
    get {
      if case .none = kind { return false }
      return true
    }
  }

  /// [render thread] Whether the memory that its samples lie in has other readers. Of a foreign unit
  /// nobody knows.
  var isShared: Bool {
    @_noLocks
    get {
      guard case .connection = kind else { return false }
      guard let native else { return true }
      return native.pointee.pending.has(.manyReaders)
    }
  }
}

extension UnsafePointer<InputSource> {
  /// [render thread] Has `buffer` hold the next frames, or point at them: by the short way from a unit
  /// that runs a kernel, else by a list. Without flags of a caller's, callbacks get some of ours.
  @_noLocks @inline(__always)
  func pull(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> Pulled {
    var pulled = pullUnit(input, flags, time, frames, into: buffer, preparation)
    if let line = pointee.line, pulled.status == noErr {
      line.pointee.exchange(buffer, Int(frames), &pulled)
    }
    return pulled
  }

  /// The same without what holds the samples back.
  @_noLocks @inline(__always)
  func pullUnit(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> Pulled {
    if let direct = pointee.direct {
      let pulled = direct.pull(pointee.bus, flags, time, frames, into: buffer)
      if pulled.wasTried { return pulled }
    }
    return pullList(input, flags, time, frames, into: buffer, preparation)
  }

  /// Fills `buffer` from any kind of source, by a list.
  @_noLocks @inline(never)
  private func pullList(
    _ input: Int, _ given: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> Pulled {
    let limit = pointee.frameLimit
    guard frames <= limit else {
      return pullPieces(input, given, time, frames, into: buffer, limit: limit)
    }
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    if let given { flags = given.pointee }
    var status = kAudioUnitErr_NoConnection
    if let function = pointee.callback {
      switch preparation {
      case .asItIs: break
      case .memory: buffer.prepareList(Int(frames))
      case .empty: buffer.prepareEmptyList(Int(frames))
      }
      status = callHost(
        function, pointee.context, &flags, time, UInt32(truncatingIfNeeded: input), frames,
        buffer.list)
    } else if let unit = pointee.unit {
      buffer.prepareEmptyList(Int(frames))
      status = renderUnit(unit, &flags, time, pointee.bus, frames, buffer.list)
    }
    if let given { given.pointee = flags }
    guard status == noErr else { return Pulled(status) }
    guard buffer.adopt(Int(frames)) else { return Pulled(kAudioUnitErr_InvalidPropertyValue) }
    return Pulled(
      noErr, isSilent: flags.outputIsSilence, isLendable: buffer.usesOwnMemory,
      isShared: pointee.isShared)
  }
}
