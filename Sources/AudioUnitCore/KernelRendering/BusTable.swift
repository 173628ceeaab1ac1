// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The render state of one bus, in one cache line.
@usableFromInline
struct Bus: BitwiseCopyable {
  /// The frames for the kernel.
  @usableFromInline var slice: Slice
  let buffer: BusBuffer
  /// The conversion of an input, owned by the table; nil if the source has the kernel's format.
  let conversion: Unmanaged<InputConversion>?
  /// The number of frames after this render for which a switched-off input is still pulled. In the
  /// last of these renders it is negative: minus the number of frames to pull.
  var fadingFrames: Int32 = 0
  /// Whether an input's switch is on; true if it has none.
  var isOn: Bool
  /// Whether it points at its own memory, which remains all zero.
  var isIdle = false
  /// Whether the slice is only a part of the render.
  var isPart = false
  /// Whether the unit provides the memory.
  let allocates: Bool
}

extension UnsafeMutablePointer<Bus> {
  /// [render thread] Silences a bus whose source promises silence. Writes the zeros, in case the
  /// source did not.
  @_noLocks @inline(never)
  func silence(_ frames: Int) {
    pointee.buffer.prepare()
    pointee.buffer.clear(frames)
    pointee.slice.isSilent = true
  }

  /// [render thread] Prepares the flags of a bus that will be filled.
  @_noLocks @inline(__always)
  func beginFilling() {
    pointee.isIdle = false
    pointee.slice.isSilent = false
    pointee.slice.canPassOn = false
  }
}

/// The render state of all inputs or outputs of a unit: plain memory, laid out once. The creator
/// deallocates it.
struct BusTable: BitwiseCopyable {
  let count: Int
  /// Whether every source has the kernel's format.
  let areDirect: Bool
  let buses: UnsafeMutablePointer<Bus>
  let values: UnsafeMutablePointer<ElementValues>
  private let stores: UnsafeMutablePointer<ParameterStore>
  private let maximumFrames: Int

  /// [control thread] Lays out the buses of `elements` in `arena`, with the kernel's `formats`.
  init(
    _ elements: [Element], _ formats: [StreamFormat], _ maximumFrames: Int,
    external: UnsafeMutableRawBufferPointer?, conversions: [InputConversion?], areOn: Bool,
    isOffline: Bool, in arena: inout RenderArena
  ) {
    count = elements.count
    areDirect = conversions.allSatisfy { $0 == nil }
    self.maximumFrames = maximumFrames
    buses = arena.allocate(count, of: Bus.self)
    for (index, element) in elements.enumerated() {
      // Only the first bus uses the host's memory: buses cannot share it.
      let buffer = BusBuffer(
        formats[index], maximumFrames: maximumFrames, external: index == 0 ? external : nil,
        isOffline: isOffline, in: &arena)
      let slice = Slice(
        channels: buffer.channels, channelCount: buffer.channelCount, frameCount: 0)
      (buses + index).initialize(
        to: Bus(
          slice: slice, buffer: buffer,
          conversion: (conversions.isEmpty ? nil : conversions[index]).map { .passRetained($0) },
          isOn: areOn, allocates: element.allocatesBuffer))
    }
    values = arena.allocate(count, of: ElementValues.self)
    stores = arena.allocate(count, of: ParameterStore.self)
    for (index, element) in elements.enumerated() {
      (values + index).initialize(to: element.parameters.sliceValues)
      (stores + index).initialize(to: element.parameters)
    }
  }

  /// [control thread] Frees everything outside the arena; nothing may use the table any more.
  func deallocate() {
    for bus in 0..<count {
      buses[bus].buffer.deallocate()
      buses[bus].conversion?.release()
    }
  }

  subscript(bus: Int) -> UnsafeMutablePointer<Bus> {
    @_noLocks @inline(__always) get { buses + bus }
  }

  /// [render thread] The buffer of a bus.
  @_noLocks @inline(__always)
  func buffer(_ bus: Int) -> BusBuffer { buses[bus].buffer }

  /// [any thread] The parameters of a bus.
  @_noLocks
  func store(_ bus: Int) -> ParameterStore { stores[bus] }

  /// [render thread] Whether every bus is known to be entirely zero.
  var areSilent: Bool {
    @_noLocks get {
      for bus in 0..<count where !buses[bus].slice.isSilent { return false }
      return true
    }
  }

  /// [render thread] Whether the samples of every bus are in its own memory.
  var useOwnMemory: Bool {
    @_noLocks get {
      for bus in 0..<count where !buses[bus].buffer.usesOwnMemory { return false }
      return true
    }
  }

  /// [render thread] Silences a bus that is not pulled; repeated calls cost nothing.
  @_noLocks @inline(__always)
  func idle(_ bus: Int) {
    guard !buses[bus].isIdle else { return }
    buses[bus].isIdle = true
    self[bus].silence(maximumFrames)
  }

  /// [render thread] Sets the slice of every bus to `frames` frames from `offset` on, which are
  /// part or all of a render.
  @_noLocks @inline(never)
  func cut(_ frames: Int, offset: Int, isPart: Bool) {
    for bus in 0..<count {
      buses[bus].slice.frameCount = frames
      buses[bus].slice.offset = offset
      buses[bus].isPart = isPart
    }
  }

  /// [render thread] Points every bus at its own memory; no memory is passed on.
  @_noLocks @inline(__always)
  func prepare() {
    var bus = 0
    while bus < count {
      buses[bus].buffer.prepare()
      buses[bus].slice.passedInput = 0
      bus &+= 1
    }
  }

  /// [render thread] A range of frames of a bus.
  @_noLocks
  func slice(_ bus: Int, _ frames: Int, offset: Int) -> Slice {
    var slice = buses[bus].slice
    slice.frameCount = frames
    slice.offset = offset
    return slice
  }

  /// [render thread] Reads every bus's parameters once for the slice that begins.
  @_noLocks
  func updateSliceValues() { for bus in 0..<count { stores[bus].updateSliceValues() } }
}
