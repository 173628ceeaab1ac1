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
  /// The render side of a connected unit that runs a kernel: the short way to it.
  var side: UnsafeMutablePointer<RenderSide>?
  var callback: AURenderCallback?
  var context: UnsafeMutableRawPointer?
  /// What holds the samples back, where branches are to arrive together; `delay` keeps it.
  var line: UnsafeMutablePointer<DelayLine.Line>?
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
    source.side = (unit as? KernelUnit)?.side
    source.native = (unit as? NativeUnit)?.side
    if source.native == nil { source.foreignFrameLimit = unit.maximumFramesPerSlice ?? .max }
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

/// What came of a pull, in one word.
package struct Pulled: BitwiseCopyable {
  package let status: OSStatus
  private var marks: UInt32

  @_noLocks @inline(__always)
  init(
    _ status: OSStatus, isSilent: Bool = false, isLendable: Bool = false, isShared: Bool = false
  ) {
    self.status = status
    marks =
      (isSilent ? Self.silent : 0) | (isLendable ? Self.lendable : 0)
      | (isShared ? Self.shared : 0) | Self.done
  }

  @_noLocks @inline(__always)
  private init() {
    status = noErr
    marks = 0
  }

  /// Nothing was tried: it takes another way.
  static var nothing: Self { @_noLocks @inline(__always) get { Self() } }

  /// Whether it was tried.
  var isDone: Bool { @_noLocks @inline(__always) get { marks & Self.done != 0 } }

  /// Whether every sample is zero, as whoever filled the buffers says.
  var isSilent: Bool {
    @_noLocks @inline(__always) get { marks & Self.silent != 0 }
    @_noLocks set { marks = newValue ? marks | Self.silent : marks & ~Self.silent }
  }

  /// Whether the taker may hand the memory on as its own: it is, or it is that of a unit of ours which
  /// feeds nobody else.
  var isLendable: Bool {
    @_noLocks @inline(__always) get { marks & Self.lendable != 0 }
    @_noLocks @inline(__always)
    set { marks = newValue ? marks | Self.lendable : marks & ~Self.lendable }
  }

  /// Whether others read this memory too: the taker must not write there.
  var isShared: Bool {
    @_noLocks @inline(__always) get { marks & Self.shared != 0 }
    @_noLocks @inline(__always)
    set { marks = newValue ? marks | Self.shared : marks & ~Self.shared }
  }

  private static var done: UInt32 { @_noLocks @inline(__always) get { 1 } }
  private static var silent: UInt32 { @_noLocks @inline(__always) get { 2 } }
  private static var lendable: UInt32 { @_noLocks @inline(__always) get { 4 } }
  private static var shared: UInt32 { @_noLocks @inline(__always) get { 8 } }
}

/// What a render needs to know of a unit's surroundings: the source of each input.
///
/// Built by the control side, published as a whole and never changed. A pointer to memory, so that
/// render code counts no references.
public struct RenderPlan: BitwiseCopyable {
  let sources: SourceTable

  @_noLocks
  init(_ sources: SourceTable) { self.sources = sources }

  /// [render thread] Whether anything feeds an input.
  @_noLocks
  package func hasSource(_ input: Int) -> Bool { sources[input].pointee.isThere }

  /// Which inputs may be pulled at the same time; nil: one after the other.
  var fork: Fork? { @_noLocks get { sources.fork } }

  /// [render thread] Fills `buffer` with the next frames of an input: by its callback, in memory of
  /// ours, or by its connection, in the source's. `isPrepared`: its list says already where a callback
  /// is to leave them.
  @_noLocks @inline(__always)
  package func pull(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, into buffer: BusBuffer,
    allocates: Bool, isPrepared: Bool = false
  ) -> OSStatus {
    pullInput(
      input, flags, time, frames, into: buffer,
      isPrepared ? .asItIs : allocates ? .memory : .empty
    ).status
  }

  /// [render thread] The same, for a taker that wants to know whose memory it got.
  @_noLocks @inline(__always)
  func pullInput(
    _ input: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, into buffer: BusBuffer,
    _ preparation: ListPreparation
  ) -> Pulled {
    let pulled = sources[input].pull(
      input, flags, time, UInt32(truncatingIfNeeded: frames), into: buffer, preparation)
    if pulled.status == noErr { flags.pointee.saysSilence = pulled.isSilent }
    return pulled
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
      return native.pointee.attention.has(.manyReaders)
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
    if let side = pointee.side {
      let pulled = side.pointee.pull(pointee.bus, flags, time, frames, into: buffer)
      if pulled.isDone { return pulled }
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
      noErr, isSilent: flags.saysSilence, isLendable: buffer.isAtHome, isShared: pointee.isShared)
  }
}
