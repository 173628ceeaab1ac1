// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CAllocationProbe
import Synchronization

/// A render callback that supplies a constant, and counts the calls after the last permitted one.
/// It does not use the heap.
final class ConstantSource: @unchecked Sendable {
  private let value: Float
  private let isLate = Atomic<Bool>(false)
  private let late = Atomic<Int>(0)
  /// Set before the first call.
  var graphToDispose: AUGraph?

  init(_ value: Float) { self.value = value }

  /// Counts every call from now on as late.
  func expectNoMoreCalls() { isLate.store(true, ordering: .sequentiallyConsistent) }

  var lateCalls: Int { late.load(ordering: .sequentiallyConsistent) }

  var input: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: Self.function, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }

  static let function: AURenderCallback = { context, _, _, _, frames, data in
    Unmanaged<ConstantSource>.fromOpaque(context)._withUnsafeGuaranteedRef { source in
      if source.isLate.load(ordering: .sequentiallyConsistent) {
        source.late.add(1, ordering: .sequentiallyConsistent)
      }
      if let graph = source.graphToDispose {
        source.graphToDispose = nil
        DisposeAUGraph(graph)
      }
      guard let data = UnsafeMutableAudioBufferListPointer(data) else { return noErr }
      for buffer in data {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) { samples?[frame] = source.value }
      }
      return noErr
    }
  }
}

/// A render notification that checks every slice. It does not use the heap.
final class SliceChecker: @unchecked Sendable {
  private struct State {
    var torn = 0
    var impossible = 0
    var decreases = 0
    var firstHeap: Int64 = -1
    var lastHeap: Int64 = -1
  }

  // These are read while the graph plays, the others afterwards.
  private let sliceCount = Atomic<Int>(0)
  private let peak = Atomic<UInt32>(0)
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
  private let isPossible: @Sendable (Float) -> Bool

  /// `isPossible`: whether a slice may have a value.
  init(_ isPossible: @escaping @Sendable (Float) -> Bool) {
    state.initialize(to: State())
    self.isPossible = isPossible
  }

  deinit { state.deallocate() }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  var slices: Int { sliceCount.load(ordering: .acquiring) }
  /// The number of slices with more than one value.
  var torn: Int { state.pointee.torn }
  /// The number of slices with a value that is not possible.
  var impossible: Int { state.pointee.impossible }
  /// The number of slices with a smaller value than an earlier one.
  var decreases: Int { state.pointee.decreases }
  /// The largest value.
  var largest: Float { Float(bitPattern: peak.load(ordering: .acquiring)) }
  /// The number of heap operations of the render thread since the first slice.
  var heapOperations: Int64 { state.pointee.lastHeap - state.pointee.firstHeap }

  static let function: AURenderCallback = { context, flags, _, _, frames, data in
    guard flags.pointee.contains(.unitRenderAction_PostRender),
      let data = UnsafeMutableAudioBufferListPointer(data)
    else { return noErr }
    return Unmanaged<SliceChecker>.fromOpaque(context)._withUnsafeGuaranteedRef { checker in
      let state = checker.state
      let heap = heap_operations()
      if state.pointee.firstHeap < 0 { state.pointee.firstHeap = heap }
      state.pointee.lastHeap = heap
      guard let samples = data[0].mData?.assumingMemoryBound(to: Float.self) else { return noErr }
      let value = samples[0]
      for frame in 1..<Int(frames) where samples[frame] != value {
        state.pointee.torn += 1
        break
      }
      if !checker.isPossible(value) { state.pointee.impossible += 1 }
      if value < checker.largest { state.pointee.decreases += 1 }
      checker.peak.store(max(checker.largest, value).bitPattern, ordering: .releasing)
      checker.sliceCount.add(1, ordering: .releasing)
      return noErr
    }
  }
}
