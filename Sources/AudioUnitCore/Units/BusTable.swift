// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The buses of one side of a unit as rendering sees them: plain memory, laid out once.
struct BusTable: ~Copyable {
  let count: Int
  let buffers: UnsafeMutablePointer<BusBuffer>
  let stores: UnsafeMutablePointer<ParameterStore>
  let values: UnsafeMutablePointer<ElementValues>
  let slices: UnsafeMutablePointer<Slice>
  /// Whether the unit brings a bus's memory.
  let allocates: UnsafeMutablePointer<Bool>

  init(_ elements: [Element], _ maximumFrames: Int, external: UnsafeMutableRawBufferPointer?) {
    count = elements.count
    let capacity = max(count, 1)
    buffers = .allocate(capacity: capacity)
    stores = .allocate(capacity: capacity)
    values = .allocate(capacity: capacity)
    slices = .allocate(capacity: capacity)
    allocates = .allocate(capacity: capacity)
    for (index, element) in elements.enumerated() {
      // A host's own memory serves the first bus; more would share it.
      (buffers + index).initialize(
        to: BusBuffer(
          element.format, maximumFrames: maximumFrames, external: index == 0 ? external : nil))
      stores[index] = element.parameters
      values[index] = element.parameters.frozen
      allocates[index] = element.allocatesBuffer
      slices[index] = slice(index, 0, offset: 0)
    }
  }

  deinit {
    for bus in 0..<count { buffers[bus].deallocate() }
    buffers.deallocate()
    stores.deallocate()
    values.deallocate()
    slices.deallocate()
    allocates.deallocate()
  }

  /// [render thread] Some frames of a bus.
  @_noLocks
  borrowing func slice(_ bus: Int, _ frames: Int, offset: Int) -> Slice {
    Slice(
      channels: buffers[bus].channels, channelCount: buffers[bus].channelCount, frameCount: frames,
      offset: offset)
  }

  /// [render thread] Makes `slices` speak of these frames of every bus.
  @_noLocks
  borrowing func cut(_ frames: Int, offset: Int) {
    for bus in 0..<count { slices[bus] = slice(bus, frames, offset: offset) }
  }

  /// [render thread] Reads every bus's parameters once for the slice that begins.
  @_noLocks
  borrowing func freeze() { for bus in 0..<count { stores[bus].freeze() } }
}
