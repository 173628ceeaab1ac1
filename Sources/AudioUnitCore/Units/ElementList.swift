// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The elements of a unit, by scope.
///
/// Render threads and calls without a lock see a change when the unit publishes `makeTable()`.
struct ElementList {
  /// The values of every element: parameters, settings and meters, by slot.
  let definitions: [ParameterDefinition]
  private let pending: PendingWork
  private(set) var global: Element
  private(set) var inputs: [Element]
  private(set) var outputs: [Element]
  /// The parameters that are addressed by channel, if any.
  private(set) var matrix: ParameterMatrix?

  /// Elements with `format`. Setting one of their values raises a kind of `pending`.
  init(
    _ definitions: [ParameterDefinition], _ counts: ElementCounts, _ format: StreamFormat,
    _ pending: PendingWork
  ) {
    func make(_ scope: AudioUnitScope, _ count: Int) -> [Element] {
      (0..<count).map { Element(scope, $0, format, definitions, pending) }
    }
    self.definitions = definitions
    self.pending = pending
    global = Element(kAudioUnitScope_Global, 0, format, definitions, pending)
    inputs = make(kAudioUnitScope_Input, counts.inputs)
    outputs = make(kAudioUnitScope_Output, counts.outputs)
  }

  /// The elements of all scopes.
  var all: [Element] { [global] + inputs + outputs }

  /// The elements of a scope; any other than input and output counts as global.
  func of(_ scope: AudioUnitScope) -> [Element] {
    switch scope {
    case kAudioUnitScope_Input: inputs
    case kAudioUnitScope_Output: outputs
    default: [global]
    }
  }

  /// The element with a number. The global scope has one element; its number is ignored, because
  /// programs often pass that of a bus.
  func element(_ scope: AudioUnitScope, _ index: AudioUnitElement) throws(AudioError) -> Element {
    let elements: [Element]
    switch scope {
    case kAudioUnitScope_Global: return global
    case kAudioUnitScope_Input: elements = inputs
    case kAudioUnitScope_Output: elements = outputs
    default:
      throw .invalidScope.because("this unit has no \(Element.scopeName(scope)) scope")
    }
    guard index < elements.count else {
      throw .invalidElement.because(
        "element \(index) of the \(Element.scopeName(scope)) scope; there "
          + (elements.count == 1 ? "is 1" : "are \(elements.count)"))
    }
    return elements[Int(index)]
  }

  /// The table in which threads without a lock find the parameters. It retains the elements.
  func makeTable() -> ElementTable { ElementTable.allocate(global, inputs, outputs, matrix) }

  /// Changes the number of inputs or outputs; new ones get the format of the last. Returns the
  /// removed elements.
  mutating func setCount(_ scope: AudioUnitScope, _ count: Int) -> [Element] {
    let old = of(scope)
    let format = old.last?.format ?? .standard
    let new =
      old.prefix(count)
      + (min(old.count, count)..<count).map { Element(scope, $0, format, definitions, pending) }
    if scope == kAudioUnitScope_Input { inputs = Array(new) } else { outputs = Array(new) }
    return Array(old.dropFirst(count))
  }

  /// Lays out the matrix of parameters for the channels of all buses, in a new global element.
  /// Channels that existed before keep their values. Returns whether there was a change.
  mutating func layOutMatrix() -> Bool {
    func channels(_ elements: [Element]) -> Int {
      elements.reduce(0) { $0 + $1.format.channelCount }
    }
    let (inputCount, outputCount) = (channels(inputs), channels(outputs))
    // Beyond the capacity nothing can be addressed, and initialising fails.
    let fits = inputCount * outputCount <= ParameterMatrix.capacity
    let new = ParameterMatrix(inputs: fits ? inputCount : 0, outputs: fits ? outputCount : 0)
    guard new != matrix else { return false }
    let old = matrix.map { Array(zip($0.addresses, global.parameters.values)) } ?? []
    let master = Element(
      kAudioUnitScope_Global, 0, global.format, new.definitions(like: definitions), pending)
    master.name = global.name
    for (address, value) in old {
      if case .slot(let slot) = new.locate(address.id, address.scope, address.element) {
        master.parameters.set(slot, to: value)
      }
    }
    (global, matrix) = (master, new)
    return true
  }
}
