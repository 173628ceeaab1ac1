// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox

/// A property that a kernel reads while it renders.
///
/// Its value is kept as parameters are, in slots that no host sees as one (`ParameterSpec.property`):
/// a host may set it at any time, and the kernel sees one value for the length of a slice.
public struct KernelProperty: Sendable {
  let id: AudioUnitPropertyID
  let scopes: [AudioUnitScope]
  let slots: [Int]
  let form: Form

  /// What a host sets.
  enum Form: Sendable {
    /// A UInt32, one of these; on the global scope it may stand for all elements of the others.
    case choice([UInt32], globalMeansAll: Bool)
    /// A structure of so many Float32, each within its range.
    case numbers([ClosedRange<Float>], typeName: String)
    /// A UInt32 as a Boolean: these bits of a number that is a choice as well.
    case bits(UInt32)
    /// An AudioUnitMeterClipping, to be read.
    case clipping
  }

  /// A UInt32 that has one of `values`. Where `globalMeansAll`, setting it on the global scope sets it
  /// on all elements of the others; read there it is the least of theirs.
  public static func choice<Key: ParameterKey>(
    _ id: AudioUnitPropertyID, _ key: Key, of values: [UInt32], in scopes: [AudioUnitScope],
    globalMeansAll: Bool = false
  ) -> Self {
    Self(
      id: id, scopes: scopes, slots: [key.slot],
      form: .choice(values, globalMeansAll: globalMeansAll))
  }

  /// A structure of Float32 members, each kept under a key of its own and within a range.
  public static func numbers<Key: ParameterKey>(
    _ id: AudioUnitPropertyID, _ members: [(key: Key, range: ClosedRange<Float>)],
    typeName: String, in scopes: [AudioUnitScope]
  ) -> Self {
    Self(
      id: id, scopes: scopes, slots: members.map(\.key.slot),
      form: .numbers(members.map(\.range), typeName: typeName))
  }

  /// A UInt32 as a Boolean, which sets some bits of a value that another property has as a whole.
  public static func bits<Key: ParameterKey>(
    _ id: AudioUnitPropertyID, _ bits: UInt32, of key: Key, in scopes: [AudioUnitScope]
  ) -> Self { Self(id: id, scopes: scopes, slots: [key.slot], form: .bits(bits)) }

  /// What came out at its largest since this was read last. The kernel raises three values of its first
  /// output, or of its matrix, under keys that follow each other: the peak, and to 1 whether there were
  /// infinite samples, and such that are no numbers.
  public static func clipping<Key: ParameterKey>(_ first: Key) -> Self {
    Self(
      id: kAudioUnitProperty_MeterClipping, scopes: [kAudioUnitScope_Global], slots: [first.slot],
      form: .clipping)
  }

  /// The row that a host finds.
  var row: Property {
    switch form {
    case .bits(let bits): bitsRow(bits)
    case .clipping: clippingRow
    case .choice(let values, let globalMeansAll):
      Rows<NativeUnit>.value(
        id, in: scopes, UInt32.self,
        get: { (unit, address) throws(AudioError) in
          let stores = try stores(unit, address, globalMeansAll)
          return UInt32(stores.map { $0.value(slots[0]) }.min() ?? 0)
        },
        set: { (unit, address, value) throws(AudioError) in
          guard values.contains(value) else {
            let possible = values.map { "\($0)" }.joined(separator: ", ")
            throw .invalidPropertyValue.because("\(value); possible are \(possible)")
          }
          for store in try stores(unit, address, globalMeansAll) {
            store.set(slots[0], to: Float(value))
          }
        })
    case .numbers(let ranges, let typeName):
      Rows<NativeUnit>.bytes(
        id, in: scopes, size: 4 * slots.count, typeName: typeName,
        get: { (unit, address) throws(AudioError) in
          let store = try store(unit, address)
          return slots.flatMap { slot in withUnsafeBytes(of: store.value(slot)) { Array($0) } }
        },
        set: { (unit, address, data) throws(AudioError) in
          guard let data, data.count >= 4 * slots.count else {
            throw .invalidPropertyValue.because(
              "\(data?.count ?? 0) bytes were given, \(typeName) has \(4 * slots.count)")
          }
          let numbers = slots.indices.map {
            data.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)
          }
          for (number, range) in zip(numbers, ranges) where !range.contains(number) {
            throw .invalidPropertyValue.because(
              "\(number); \(range.lowerBound) to \(range.upperBound) is possible")
          }
          let store = try store(unit, address)
          for (slot, number) in zip(slots, numbers) { store.set(slot, to: number) }
        })
    }
  }

  private func bitsRow(_ bits: UInt32) -> Property {
    Rows<NativeUnit>.value(
      id, in: scopes, UInt32.self,
      get: { (unit, address) throws(AudioError) in
        UInt32(try store(unit, address).value(slots[0])) & bits != 0 ? 1 : 0
      },
      set: { (unit, address, isOn) throws(AudioError) in
        let store = try store(unit, address)
        let others = UInt32(store.value(slots[0])) & ~bits
        store.set(slots[0], to: Float(isOn == 0 ? others : others | bits))
      })
  }

  private var clippingRow: Property {
    Rows<NativeUnit>.value(
      id, in: scopes, AudioUnitMeterClipping.self,
      get: { (unit, _) throws(AudioError) in
        let store = unit.matrix == nil ? unit.outputs[0].parameters : unit.global.parameters
        let first = unit.matrix?.published ?? slots[0]
        return AudioUnitMeterClipping(
          peakValueSinceLastCall: store.take(first), sawInfinity: store.take(first + 1) != 0,
          sawNotANumber: store.take(first + 2) != 0)
      })
  }

  private func stores(_ unit: NativeUnit, _ address: PropertyAddress, _ globalMeansAll: Bool)
    throws(AudioError) -> [ParameterStore]
  {
    guard globalMeansAll, address.scope == kAudioUnitScope_Global else {
      return [try store(unit, address)]
    }
    let elements =
      (scopes.contains(kAudioUnitScope_Input) ? unit.inputs : [])
      + (scopes.contains(kAudioUnitScope_Output) ? unit.outputs : [])
    return elements.map(\.parameters)
  }

  private func store(_ unit: NativeUnit, _ address: PropertyAddress) throws(AudioError)
    -> ParameterStore
  {
    try unit.element(address.scope, address.element).parameters
  }
}
