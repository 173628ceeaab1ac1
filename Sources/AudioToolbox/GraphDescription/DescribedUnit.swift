// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CoreAudio
import Foundation

/// A unit that is set up from a description, or asked for what to describe; by the C functions, so
/// that units of every make are equal. [control thread]
struct DescribedUnit {
  let unit: AudioUnit

  init(_ unit: AudioUnit) { self.unit = unit }

  // MARK: Properties

  func value<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, over value: Value
  ) -> Value? {
    var value = value
    var size = UInt32(MemoryLayout<Value>.size)
    let status = AudioUnitGetProperty(unit, property, scope, element, &value, &size)
    return status == noErr ? value : nil
  }

  func set<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, to value: Value, at place: GraphDescription.Place
  ) throws(GraphDescriptionFailure) {
    var value = value
    let size = UInt32(MemoryLayout<Value>.size)
    try GraphDescriptionFailure.check(
      AudioUnitSetProperty(unit, property, scope, element, &value, size), at: place)
  }

  /// The value of a property; nil where the unit does not have it.
  func property(
    _ kind: DescribedProperty, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> GraphDescription.Property? {
    guard let words = words(kind.id, scope, element) else { return nil }
    guard case .matrix = kind.form else { return .init(kind: kind, rows: [words]) }
    guard let size = words.isEmpty ? nil : matrixSize(scope, element) else { return nil }
    // A unit's matrix has the gains of its inputs as a last column.
    let columns = Int(size.outputs) + (scope == kAudioUnitScope_Global ? 1 : 0)
    return .init(
      kind: kind,
      rows: stride(from: 0, to: words.count, by: columns).map {
        Array(words[$0..<min($0 + columns, words.count)])
      })
  }

  func set(
    _ property: GraphDescription.Property, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    at place: GraphDescription.Place
  ) throws(GraphDescriptionFailure) {
    if case .matrix = property.kind.form,
      let rows = self.property(property.kind, scope, element)?.rows,
      rows.map(\.count) != property.rows.map(\.count)
    {
      throw GraphDescriptionFailure(
        at: place,
        "\(property.rows.count) rows of \(property.rows.first?.count ?? 0) numbers, where there are "
          + "\(rows.count) of \(rows[0].count)")
    }
    let words = property.rows.flatMap(\.self)
    try GraphDescriptionFailure.check(
      AudioUnitSetProperty(
        unit, property.kind.id, scope, element, words, UInt32(4 * words.count)), at: place)
  }

  /// The input and output channels for which a mixer has gains: all of them on the global scope, else
  /// those of a bus; nil where it has none.
  private func matrixSize(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> (
    inputs: UInt32, outputs: UInt32
  )? {
    guard let size = words(kAudioUnitProperty_MatrixDimensions, scope, element), size.count == 2,
      size[1] > 0
    else { return nil }
    return (size[0], size[1])
  }

  private func words(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> [UInt32]? {
    // Past the C functions: that a unit has no such property is no failure to be told of.
    guard let entered = Handles.units.enter(unit) else { return nil }
    defer { Handles.units.leave(unit) }
    let instance = entered.takeUnretainedValue()
    let address = PropertyAddress(property, scope, element)
    guard let info = try? instance.propertyInfo(address) else { return nil }
    var words = [UInt32](repeating: 0, count: info.size / 4)
    var size = UInt32(4 * words.count)
    guard (try? instance.getProperty(address, into: &words, size: &size)) != nil else { return nil }
    return Array(words.prefix(Int(size) / 4))
  }

  /// How many elements a scope has.
  func elementCount(_ scope: AudioUnitScope) -> UInt32 {
    value(kAudioUnitProperty_ElementCount, scope, over: UInt32(0)) ?? 0
  }

  func format(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> AudioStreamBasicDescription?
  {
    value(kAudioUnitProperty_StreamFormat, scope, element, over: AudioStreamBasicDescription())
  }

  // MARK: Names

  /// What a host calls this unit.
  var nickName: String? {
    get {
      var name: Unmanaged<CFString>?
      var size = UInt32(MemoryLayout.size(ofValue: name))
      let status = AudioUnitGetProperty(
        unit, kAudioUnitProperty_NickName, kAudioUnitScope_Global, 0, &name, &size)
      guard status == noErr, let name else { return nil }
      return String(describing: name.takeRetainedValue())
    }
    nonmutating set {
      var name: UnsafeMutableRawPointer? = newValue.map {
        Unmanaged.passRetained(NSString(string: $0)).toOpaque()
      }
      // Foreign units need not have it: the name is then lost when the graph is saved.
      _ = AudioUnitSetProperty(
        unit, kAudioUnitProperty_NickName, kAudioUnitScope_Global, 0, &name,
        UInt32(MemoryLayout.size(ofValue: name)))
      name.map { Unmanaged<NSString>.fromOpaque($0).release() }
    }
  }

  // MARK: Presets

  /// The presets that the unit brings.
  var presets: [(number: Int32, name: String)] {
    guard let array = array(kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0) else {
      return []
    }
    return (0..<CFArrayGetCount(array)).compactMap { index in
      guard let pointer = CFArrayGetValueAtIndex(array, index) else { return nil }
      let preset = pointer.assumingMemoryBound(to: AUPreset.self).pointee
      let name = preset.presetName?.takeUnretainedValue()
      return (preset.presetNumber, name.map { String(describing: $0) } ?? "")
    }
  }

  /// The factory preset in use; nil when there is none.
  var presentPreset: Int32? {
    guard
      let preset = value(kAudioUnitProperty_PresentPreset, over: AUPreset()),
      preset.presetNumber >= 0
    else { return nil }
    preset.presetName?.release()
    return presets.contains { $0.number == preset.presetNumber } ? preset.presetNumber : nil
  }

  // MARK: Parameters

  /// A parameter as its unit describes it.
  struct Parameter {
    let id: AudioUnitParameterID
    let name: String
    let info: AudioUnitParameterInfo
    /// The names of its values, from its minimum on.
    let valueNames: [String]

    var isReadable: Bool { info.flags.contains(.flag_IsReadable) }
    var isWritable: Bool { info.flags.contains(.flag_IsWritable) }
  }

  func parameters(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> [Parameter] {
    var size: UInt32 = 0
    guard
      AudioUnitGetPropertyInfo(
        unit, kAudioUnitProperty_ParameterList, scope, element, &size, nil) == noErr
    else { return [] }
    var ids = [AudioUnitParameterID](
      repeating: 0, count: Int(size) / MemoryLayout<AudioUnitParameterID>.size)
    guard
      AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, scope, element, &ids, &size)
        == noErr
    else { return [] }
    return ids.compactMap { parameter($0, scope) }
  }

  /// The elements that have the parameters of a bus: the bus itself; in a matrix mixer its channels,
  /// counted through all buses of the side, and on the global scope the master.
  func parameterElements(_ scope: AudioUnitScope, _ bus: AudioUnitElement) -> [AudioUnitElement] {
    guard matrixSize(kAudioUnitScope_Global, 0) != nil else { return [bus] }
    guard scope != kAudioUnitScope_Global else { return [0xFFFF_FFFF] }
    let counts = (0...bus).map { format(scope, $0)?.mChannelsPerFrame ?? 0 }
    let end = counts.reduce(0, +)
    return Array(end - counts[Int(bus)]..<end)
  }

  /// The value of a parameter.
  func setting(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> Float? {
    var value: Float = 0
    return AudioUnitGetParameter(unit, id, scope, element, &value) == noErr ? value : nil
  }

  private func parameter(_ id: AudioUnitParameterID, _ scope: AudioUnitScope) -> Parameter? {
    guard
      let info = value(
        kAudioUnitProperty_ParameterInfo, scope, id, over: AudioUnitParameterInfo())
    else { return nil }
    let name =
      info.flags.contains(.flag_CFNameRelease)
      ? info.cfNameString?.takeRetainedValue() : info.cfNameString?.takeUnretainedValue()
    let names =
      info.flags.contains(.flag_ValuesHaveStrings)
      ? array(kAudioUnitProperty_ParameterValueStrings, scope, id) : nil
    return Parameter(
      id: id, name: name.map { String(describing: $0) } ?? "", info: info,
      valueNames: names.map { ($0 as NSArray).map { "\($0)" } } ?? [])
  }

  private func array(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> CFArray? {
    var array: Unmanaged<CFArray>?
    var size = UInt32(MemoryLayout.size(ofValue: array))
    let status = AudioUnitGetProperty(unit, property, scope, element, &array, &size)
    return status == noErr ? array?.takeRetainedValue() : nil
  }
}
