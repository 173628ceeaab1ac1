// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The parameter stores of all elements, for threads that must not lock. A pointer to memory.
struct ElementTable: Publishable {
  /// The result of a search for an element or a parameter.
  enum SearchResult: BitwiseCopyable {
    case found(ParameterStore)
    /// The slot of a parameter.
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
    /// Retains the owners of the stores.
    var owners: [Element]
  }

  let address: UnsafeMutableRawPointer
  private var memory: UnsafeMutablePointer<Memory> {
    @_noLocks get { address.assumingMemoryBound(to: Memory.self) }
  }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] Makes a table, which retains the elements until `deallocate`.
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

  /// [any thread] Finds the store and slot of a parameter.
  @_noLocks
  func locate(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> SearchResult {
    guard let matrix = memory.pointee.matrix else {
      let result = store(scope, element)
      guard case .found(let store) = result else { return result }
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

  /// [any thread] Finds the store of an element.
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
  /// [any thread] Finds the parameter store of an element, without a lock.
  @_noLocks
  func store(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> ElementTable.SearchResult {
    ElementTable(address: elements.load()).store(scope, element)
  }

  /// [any thread] Finds the store and slot of a parameter, without a lock.
  @_noLocks
  func locate(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> ElementTable.SearchResult {
    ElementTable(address: elements.load()).locate(id, scope, element)
  }
}
