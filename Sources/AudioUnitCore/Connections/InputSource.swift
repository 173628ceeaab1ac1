// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

/// The source of one input bus.
///
/// The members that a pull reads come first.
package struct InputSource: BitwiseCopyable {
  package enum Kind: UInt8, BitwiseCopyable { case none, callback, connection }

  package var kind = Kind.none
  /// The output bus of the connected unit.
  var bus: UInt32 = 0
  /// The direct path to a connected unit that runs a kernel or passes on its input.
  var direct: DirectSource?
  /// The delay line, where branches are aligned; `delay` owns it.
  var line: UnsafeMutablePointer<DelayLine.Line>?
  /// The crossfade from the old source, after an edit of a graph; `crossfade` owns it.
  var fade: UnsafeMutablePointer<SourceFade.State>?
  var callback: AURenderCallback?
  var context: UnsafeMutableRawPointer?
  var unit: Unmanaged<UnitInstance>?
  var delay: Unmanaged<DelayLine>?
  var crossfade: Unmanaged<SourceFade>?
  /// The render side of a connected native unit, whether it runs a kernel or not.
  var native: UnsafeMutablePointer<RenderSide>?
  /// The maximum number of frames per pull of a connected foreign unit.
  var foreignFrameLimit: UnsafeMutablePointer<Atomic<UInt32>>?

  /// [control thread] A connection to output `bus` of a unit.
  static func connection(_ unit: UnitInstance, bus: UInt32) -> Self {
    var source = Self()
    source.kind = .connection
    source.unit = .passUnretained(unit)
    source.direct = unit.directSource
    source.native = unit.renderSide
    source.foreignFrameLimit = unit.foreignFrameLimit
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

extension InputSource {
  /// [control thread] Whether both are the same function or the same output.
  func isSame(as other: Self) -> Bool {
    guard kind == other.kind else { return false }
    return switch kind {
    case .none: true
    case .connection: unit?.toOpaque() == other.unit?.toOpaque() && bus == other.bus
    case .callback:
      context == other.context
        && unsafeBitCast(callback, to: UInt.self) == unsafeBitCast(other.callback, to: UInt.self)
    }
  }
}

/// How a list is prepared for a callback.
enum ListPreparation: UInt8, BitwiseCopyable { case unchanged, memory, empty }

extension InputSource {
  /// [render thread] Whether there is a source, or an old one that fades out.
  var exists: Bool { @_noLocks @inline(__always) get { hasFeed || fade != nil } }

  /// [render thread] Whether there is a source.
  var hasFeed: Bool {
    @_noLocks @inline(__always)
    get {
      if case .none = kind { return false }
      return true
    }
  }

  /// [render thread] Whether the memory of its samples has other readers. True for a foreign unit,
  /// where this is unknown.
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
  /// [render thread] Fills `buffer` with the next frames, or points it at them: on the direct path
  /// from a unit with a kernel, otherwise through a list. If the caller passes no flags, callbacks
  /// get ours.
  @_noLocks @inline(__always)
  func pull(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> PullResult {
    if let fade = pointee.fade {
      return pullFading(fade, input, flags, time, frames, into: buffer, preparation)
    }
    var pulled = pullUnit(input, flags, time, frames, into: buffer, preparation)
    if let line = pointee.line, pulled.status == noErr {
      line.pointee.exchange(buffer, Int(frames), &pulled)
    }
    return pulled
  }

  /// As above, without the delay line and the crossfade.
  @_noLocks @inline(__always)
  func pullUnit(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> PullResult {
    if let direct = pointee.direct {
      let pulled = direct.pull(pointee.bus, flags, time, frames, into: buffer)
      if pulled.wasTried { return pulled }
    }
    return pullList(input, flags, time, frames, into: buffer, preparation)
  }

  /// Fills `buffer` from any kind of source, through a list.
  @_noLocks @inline(never)
  private func pullList(
    _ input: Int, _ given: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> PullResult {
    let limit = pointee.frameLimit
    guard frames <= limit else {
      return pullPieces(input, given, time, frames, into: buffer, limit: limit)
    }
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    if let given { flags = given.pointee }
    var status = kAudioUnitErr_NoConnection
    if let function = pointee.callback {
      switch preparation {
      case .unchanged: break
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
    guard status == noErr else { return PullResult(status) }
    guard buffer.adopt(Int(frames)) else { return PullResult(kAudioUnitErr_InvalidPropertyValue) }
    return PullResult(
      noErr, isSilent: flags.outputIsSilence, canPassOn: buffer.usesOwnMemory,
      isShared: pointee.isShared)
  }
}
