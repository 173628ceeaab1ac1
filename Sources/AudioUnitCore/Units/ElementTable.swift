// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The parameter stores of all elements, for threads that must not lock. A pointer to memory.
struct ElementTable: Publishable {
  /// The result of a search for an element.
  enum SearchResult: BitwiseCopyable {
    case found(ParameterStore)
    /// In a matrix: the value itself.
    case slot(ParameterStore, Int)
    case noParameter
    case noScope, noElement
  }

  private struct Memory {
    let owner: OwnedMemory
    var global: ParameterStore
    var inputs: UnsafeMutablePointer<ParameterStore>
    var inputCount: UInt32
    var outputs: UnsafeMutablePointer<ParameterStore>
    var outputCount: UInt32
    /// The parameters that are addressed by channel, if any.
    var matrix: ParameterMatrix?
    /// Keeps the stores alive.
    var owners: [Element]
  }

  let address: UnsafeMutableRawPointer
  private var memory: UnsafeMutablePointer<Memory> {
    @_noLocks get { address.assumingMemoryBound(to: Memory.self) }
  }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] Keeps the elements until `deallocate`.
  static func allocate(
    _ global: Element, _ inputs: [Element], _ outputs: [Element], _ matrix: ParameterMatrix? = nil
  ) -> Self {
    let owner = OwnedMemory()
    return Self(
      address: owner.cell(
        Memory(
          owner: owner, global: global.parameters, inputs: owner.array(inputs.map(\.parameters)),
          inputCount: UInt32(inputs.count), outputs: owner.array(outputs.map(\.parameters)),
          outputCount: UInt32(outputs.count), matrix: matrix,
          owners: [global] + inputs + outputs)))
  }

  func deallocate() { memory.pointee.owner.deallocate() }

  /// [any thread] Where a parameter of an element is.
  @_noLocks
  func locate(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> SearchResult {
    guard let matrix = memory.pointee.matrix else {
      let answer = store(scope, element)
      guard case .found(let store) = answer else { return answer }
      let slot = store.slot(of: id)
      return slot < 0 ? .noParameter : .slot(store, slot)
    }
    switch matrix.locate(id, scope, element) {
    case .slot(let slot): return .slot(memory.pointee.global, slot)
    case .noScope: return .noScope
    case .noElement: return .noElement
    case .noParameter: return .noParameter
    }
  }

  /// [any thread] The store of an element.
  @_noLocks
  func store(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> SearchResult {
    switch scope {
    case 0:
      return element == 0 ? .found(memory.pointee.global) : .noElement
    case 1:
      return element < memory.pointee.inputCount
        ? .found(memory.pointee.inputs[Int(element)]) : .noElement
    case 2:
      return element < memory.pointee.outputCount
        ? .found(memory.pointee.outputs[Int(element)]) : .noElement
    default:
      return .noScope
    }
  }
}

extension RenderSide {
  /// [any thread] The parameter store of an element, found without a lock.
  @_noLocks
  func store(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> ElementTable.SearchResult {
    ElementTable(address: elements.load()).store(scope, element)
  }

  /// [any thread] Where a parameter is, found without a lock.
  @_noLocks
  func locate(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> ElementTable.SearchResult {
    ElementTable(address: elements.load()).locate(id, scope, element)
  }
}
