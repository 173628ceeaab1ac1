// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The buses of one side of a unit as rendering sees them: plain memory, laid out once. Whoever made it
/// deallocates it.
struct BusTable: BitwiseCopyable {
  let count: Int
  let buffers: UnsafeMutablePointer<BusBuffer>
  let stores: UnsafeMutablePointer<ParameterStore>
  let values: UnsafeMutablePointer<ElementValues>
  let slices: UnsafeMutablePointer<Slice>
  /// Whether the unit brings a bus's memory.
  let allocates: UnsafeMutablePointer<Bool>
  /// Whether all of a bus is known to be zero in this render.
  let isSilent: UnsafeMutablePointer<Bool>
  /// Whether a bus points at memory of its own that is zero, and stays so.
  private let isAtRest: UnsafeMutablePointer<Bool>
  private let maximumFrames: Int

  /// The buses of `elements`, which the kernel sees in `formats`.
  init(
    _ elements: [Element], _ formats: [StreamFormat], _ maximumFrames: Int,
    external: UnsafeMutableRawBufferPointer?
  ) {
    count = elements.count
    self.maximumFrames = maximumFrames
    let capacity = max(count, 1)
    buffers = .allocate(capacity: capacity)
    stores = .allocate(capacity: capacity)
    values = .allocate(capacity: capacity)
    slices = .allocate(capacity: capacity)
    allocates = .allocate(capacity: capacity)
    isSilent = .allocate(capacity: capacity)
    isSilent.initialize(repeating: false, count: capacity)
    isAtRest = .allocate(capacity: capacity)
    isAtRest.initialize(repeating: false, count: capacity)
    for (index, element) in elements.enumerated() {
      // A host's own memory serves the first bus; more would share it.
      (buffers + index).initialize(
        to: BusBuffer(
          formats[index], maximumFrames: maximumFrames, external: index == 0 ? external : nil))
      stores[index] = element.parameters
      values[index] = element.parameters.frozen
      allocates[index] = element.allocatesBuffer
      slices[index] = slice(index, 0, offset: 0)
    }
  }

  /// [control thread] Frees everything; nothing may use it any more.
  func deallocate() {
    for bus in 0..<count { buffers[bus].deallocate() }
    buffers.deallocate()
    stores.deallocate()
    values.deallocate()
    slices.deallocate()
    allocates.deallocate()
    isSilent.deallocate()
    isAtRest.deallocate()
  }

  /// [render thread] Whether all of every bus is known to be zero.
  var areSilent: Bool {
    @_noLocks get {
      for bus in 0..<count where !isSilent[bus] { return false }
      return true
    }
  }

  /// [render thread] A bus that nothing is pulled from: from the second time on it costs nothing.
  @_noLocks
  func rest(_ bus: Int) {
    guard !isAtRest[bus] else { return }
    isAtRest[bus] = true
    silence(bus, maximumFrames)
  }

  /// [render thread] A bus whose source promises silence. The zeros are written here, should whoever
  /// promised have forgotten them.
  @_noLocks
  func silence(_ bus: Int, _ frames: Int) {
    buffers[bus].prepare(frames)
    buffers[bus].clear(frames)
    isSilent[bus] = true
  }

  /// [render thread] A bus that is filled anew.
  @_noLocks
  func wake(_ bus: Int) {
    isAtRest[bus] = false
    isSilent[bus] = false
  }

  /// [render thread] Some frames of a bus.
  @_noLocks
  func slice(_ bus: Int, _ frames: Int, offset: Int) -> Slice {
    Slice(
      channels: buffers[bus].channels, channelCount: buffers[bus].channelCount, frameCount: frames,
      offset: offset, isSilent: isSilent[bus])
  }

  /// [render thread] Makes `slices` speak of these frames of every bus.
  @_noLocks
  func cut(_ frames: Int, offset: Int) {
    for bus in 0..<count { slices[bus] = slice(bus, frames, offset: offset) }
  }

  /// [render thread] Reads every bus's parameters once for the slice that begins.
  @_noLocks
  func freeze() { for bus in 0..<count { stores[bus].freeze() } }
}
