// SPDX-License-Identifier: Apache-2.0

/// A kernel in its own memory.
@usableFromInline
struct KernelBox<K: Kernel & ~Copyable> {
  @usableFromInline let state: UnsafeMutablePointer<K>

  @inlinable
  init(_ setup: KernelSetup) {
    state = .allocate(capacity: 1)
    state.initialize(to: K(setup))
  }

  /// Wraps the kernel in one concrete type, which owns its memory from then on.
  @inlinable
  func instance(
    converting: KernelInstance.Converting? = nil,
    _ render: @escaping (UnsafePointer<KernelInstance.Work>) -> Void
  ) -> KernelInstance {
    let state = self.state
    return KernelInstance(
      render: render, reset: { state.pointee.reset() }, converting: converting,
      latencyFrames: { state.pointee.latencyFrames },
      latency: { state.pointee.latencyFrames(KernelValues($0)) },
      tailTime: { state.pointee.tailTime(KernelValues($0)) },
      settlingTime: { state.pointee.settlingTime },
      release: {
        state.deinitialize(count: 1)
        state.deallocate()
      })
  }
}
