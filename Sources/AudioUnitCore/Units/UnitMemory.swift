// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc

// The memory of a unit is computed before it is allocated, so that too much causes an error rather
// than the end of the process.
extension NativeUnit {
  /// The maximum memory of one unit: 4 GiB.
  static let memoryLimit = 4 << 30

  /// [control thread, under the lock] Fails if the unit needs more than the limit, or more memory
  /// than is available now.
  final func checkMemory() throws(AudioError) {
    for element in inputs + outputs where busMemory(element) > 1 << 30 {
      // This limit also keeps every size within the 32 bits of `mDataByteSize`.
      throw .outOfMemory.because(
        "\(element.title): \(maximumFrames) frames of \(element.format.text) are more than 1 GiB")
    }
    let needed = (inputs + outputs).reduce(ownMemory) { $0 + busMemory($1) }
    guard needed <= Self.memoryLimit else {
      throw .outOfMemory.because(
        "\(Self.text(needed)) would be needed, for \(inputs.count) inputs and \(outputs.count) "
          + "outputs of \(maximumFrames) frames; a unit may have at most "
          + "\(Self.text(Self.memoryLimit))"
      )
    }
    guard isMemoryAvailable(needed) else {
      throw .outOfMemory.because("\(Self.text(needed)) are needed and not available")
    }
  }

  /// The bytes of a bus's longest slice.
  private func busMemory(_ element: Element) -> Int {
    maximumFrames * element.format.bytesPerFrame * element.format.bufferCount
  }

  private static func text(_ bytes: Int) -> String {
    let tenths = (bytes * 10 + (1 << 29)) >> 30
    return tenths >= 10 ? "\(tenths / 10).\(tenths % 10) GiB" : "\((bytes + (1 << 19)) >> 20) MiB"
  }
}

/// [control thread] Whether the system can allocate `bytes` bytes. Large amounts are mapped for a
/// moment to find out.
func isMemoryAvailable(_ bytes: Int) -> Bool {
  guard bytes > 16 << 20 else { return true }
  let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  guard let memory, memory != MAP_FAILED else { return false }
  munmap(memory, bytes)
  return true
}
