// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

// Finding elements, changing their number, and publishing them to other threads.
extension NativeUnit {
  /// [control thread] An element by scope and number. The global scope has one element; its number
  /// is ignored, because programs often pass that of a bus.
  public final func element(_ scope: AudioUnitScope, _ index: AudioUnitElement) throws(AudioError)
    -> Element
  {
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

  /// [control thread, under the lock, uninitialised] Sets the number of elements of a scope.
  final func setElementCount(_ scope: AudioUnitScope, _ count: Int) {
    func resize(_ elements: [Element]) -> [Element] {
      if count <= elements.count {
        for element in elements[count...] { unplug(element) }
        return Array(elements[..<count])
      }
      let format = elements.last?.format ?? .standard
      return elements
        + (elements.count..<count).map {
          Element(scope, $0, format, parameterDefinitions, side.pointee.pending)
        }
    }
    while side.pointee.events.pointee.pop() != nil {}
    if scope == kAudioUnitScope_Input { inputs = resize(inputs) } else { outputs = resize(outputs) }
    publishElements()
    publishSources()
    elementsChanged()
  }

  /// [control thread, under the lock] Publishes the elements to other threads.
  func publishElements() {
    side.pointee.elements.publish(
      ElementTable.allocate(global, inputs, outputs, matrix), isQuiet: { isQuiet })
  }

  /// [control thread, while nothing renders] Lays out the matrix of parameters for the channels of
  /// all buses. Channels that existed before keep their values.
  final func layOutMatrix() {
    func channels(_ elements: [Element]) -> Int {
      elements.reduce(0) { $0 + $1.format.channelCount }
    }
    let (inputCount, outputCount) = (channels(inputs), channels(outputs))
    // Beyond the capacity nothing can be addressed, and initialising fails.
    let fits = inputCount * outputCount <= ParameterMatrix.capacity
    let new = ParameterMatrix(inputs: fits ? inputCount : 0, outputs: fits ? outputCount : 0)
    guard new != matrix else { return }
    let old = matrix.map { Array(zip($0.addresses, global.parameters.values)) } ?? []
    let cells = new.definitions(like: parameterDefinitions)
    let master = Element(
      kAudioUnitScope_Global, 0, global.format, cells, side.pointee.pending)
    master.name = global.name
    for (address, value) in old {
      if case .slot(let slot) = new.locate(address.id, address.scope, address.element) {
        master.parameters.set(slot, to: value)
      }
    }
    while side.pointee.events.pointee.pop() != nil {}
    (global, matrix) = (master, new)
    publishElements()
  }
}
