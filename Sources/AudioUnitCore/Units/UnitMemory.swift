// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc

/// The memory of a unit, which is computed before it is allocated, so that too much causes an error
/// rather than the end of the process.
enum UnitMemory {
  /// The maximum memory of one unit: 4 GiB.
  static let limit = 4 << 30

  /// [control thread] Fails if a unit needs more than the limit, or more memory than is available
  /// now, for slices of its buses and `own` bytes.
  static func check(_ elements: ElementList, maximumFrames: Int, own: Int) throws(AudioError) {
    let (inputs, outputs) = (elements.inputs, elements.outputs)
    func bytes(_ bus: Element) -> Int {
      maximumFrames * bus.format.bytesPerFrame * bus.format.bufferCount
    }
    for bus in inputs + outputs where bytes(bus) > 1 << 30 {
      // This limit also keeps every size within the 32 bits of `mDataByteSize`.
      throw .outOfMemory.because(
        "\(bus.title): \(maximumFrames) frames of \(bus.format.text) are more than 1 GiB")
    }
    let needed = (inputs + outputs).reduce(own) { $0 + bytes($1) }
    guard needed <= limit else {
      throw .outOfMemory.because(
        "\(text(needed)) would be needed, for \(inputs.count) inputs and \(outputs.count) outputs "
          + "of \(maximumFrames) frames; a unit may have at most \(text(limit))")
    }
    guard isAvailable(needed) else {
      throw .outOfMemory.because("\(text(needed)) are needed and not available")
    }
  }

  /// [control thread] Whether the system can allocate `bytes` bytes. Large amounts are mapped for a
  /// moment to find out.
  static func isAvailable(_ bytes: Int) -> Bool {
    guard bytes > 16 << 20 else { return true }
    let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { return false }
    munmap(memory, bytes)
    return true
  }

  private static func text(_ bytes: Int) -> String {
    let tenths = (bytes * 10 + (1 << 29)) >> 30
    return tenths >= 10 ? "\(tenths / 10).\(tenths % 10) GiB" : "\((bytes + (1 << 19)) >> 20) MiB"
  }
}
