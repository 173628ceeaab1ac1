// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CAllocationProbe
import Synchronization

/// A render callback in plain memory that gives one number; it knows when it should not be called.
final class ConstantSource: @unchecked Sendable {
  private let value: Float
  private let hasEnded = Atomic<Bool>(false)
  private let late = Atomic<Int>(0)
  /// Set before it is called first.
  var graphToDispose: AUGraph?

  init(_ value: Float) { self.value = value }

  /// From now on every call is one too many.
  func end() { hasEnded.store(true, ordering: .sequentiallyConsistent) }

  var lateCalls: Int { late.load(ordering: .sequentiallyConsistent) }

  var input: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: Self.function, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }

  static let function: AURenderCallback = { context, _, _, _, frames, data in
    Unmanaged<ConstantSource>.fromOpaque(context)._withUnsafeGuaranteedRef { source in
      if source.hasEnded.load(ordering: .sequentiallyConsistent) {
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

/// A render notification that looks at every slice, in plain memory.
final class Judge: @unchecked Sendable {
  private struct State {
    var torn = 0
    var strange = 0
    var steps = 0
    var firstHeap: Int64 = -1
    var lastHeap: Int64 = -1
  }

  // Looked at while it plays; the rest when it is over.
  private let sliceCount = Atomic<Int>(0)
  private let peak = Atomic<UInt32>(0)
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
  private let isPossible: @Sendable (Float) -> Bool

  /// `isPossible`: whether a slice may have that value.
  init(_ isPossible: @escaping @Sendable (Float) -> Bool) {
    state.initialize(to: State())
    self.isPossible = isPossible
  }

  deinit { state.deallocate() }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Slices; those with two values in them; those with a value that cannot be; those with a smaller
  /// value than one before; the largest value.
  var slices: Int { sliceCount.load(ordering: .acquiring) }
  var torn: Int { state.pointee.torn }
  var strange: Int { state.pointee.strange }
  var steps: Int { state.pointee.steps }
  var largest: Float { Float(bitPattern: peak.load(ordering: .acquiring)) }
  /// What the render thread asked of the heap since the first slice.
  var heapOperations: Int64 { state.pointee.lastHeap - state.pointee.firstHeap }

  static let function: AURenderCallback = { context, flags, _, _, frames, data in
    guard flags.pointee.contains(.unitRenderAction_PostRender),
      let data = UnsafeMutableAudioBufferListPointer(data)
    else { return noErr }
    return Unmanaged<Judge>.fromOpaque(context)._withUnsafeGuaranteedRef { judge in
      let state = judge.state
      let heap = heap_operations()
      if state.pointee.firstHeap < 0 { state.pointee.firstHeap = heap }
      state.pointee.lastHeap = heap
      guard let samples = data[0].mData?.assumingMemoryBound(to: Float.self) else { return noErr }
      let value = samples[0]
      for frame in 1..<Int(frames) where samples[frame] != value {
        state.pointee.torn += 1
        break
      }
      if !judge.isPossible(value) { state.pointee.strange += 1 }
      if value < judge.largest { state.pointee.steps += 1 }
      judge.peak.store(max(judge.largest, value).bitPattern, ordering: .releasing)
      judge.sliceCount.add(1, ordering: .releasing)
      return noErr
    }
  }
}
