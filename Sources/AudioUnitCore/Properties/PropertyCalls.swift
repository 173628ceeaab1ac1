// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The property calls of a unit: they find the row, check scope and element, read or write, and call
/// the listeners. Properties in no table are those of the unit's provider.
final class PropertyCalls: @unchecked Sendable {
  private let listeners: PropertyListeners
  /// [under the unit's lock] The properties that the current call changed.
  private var changed: [PropertyAddress] = []
  /// [under the unit's lock] The output of a foreign unit while it is being connected.
  private(set) var foreignOutput: ForeignOutput?

  init(_ listeners: PropertyListeners) { self.listeners = listeners }

  /// [control thread] Size and writability of a property.
  func info(_ address: PropertyAddress, of unit: NativeUnit) throws(AudioError) -> PropertyInfo {
    guard let provider = provider(of: address.id, unit) else {
      return try unit.control { () throws(AudioError) -> PropertyInfo in
        let row = try row(address, of: unit)
        return try unit.propertyTable.info(row, PropertyQuery(unit, address, .units))
      }
    }
    do throws(AudioError) { return try provider.info(address) } catch {
      throw error.of(PropertyNames.name(address.id))
    }
  }

  /// [control thread] Reads at most `size` bytes into `data`; a longer value is truncated.
  func read(
    _ address: PropertyAddress, of unit: NativeUnit, into data: UnsafeMutableRawPointer,
    size: inout UInt32
  ) throws(AudioError) {
    guard let provider = provider(of: address.id, unit) else {
      let room = Int(size)
      let value = try unit.control { () throws(AudioError) -> PropertyValue in
        let row = try row(address, of: unit)
        let memory = UnsafeMutableRawBufferPointer(start: data, count: room)
        return try unit.propertyTable.value(
          row, PropertyQuery(unit, address, .units, memory: memory))
      }
      return size = try PropertyFamily.units.write(value, address, to: data, room: room)
    }
    do throws(AudioError) { try provider.read(address, into: data, size: &size) } catch {
      throw error.of(PropertyNames.name(address.id))
    }
  }

  /// [control thread] Writes `size` bytes, or removes the value if `data` is null or `size` is 0.
  /// Then calls the listeners.
  func write(
    _ address: PropertyAddress, of unit: NativeUnit, _ data: UnsafeRawPointer?, size: UInt32
  ) throws(AudioError) {
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size))
    guard let provider = provider(of: address.id, unit) else {
      guard address.id == kAudioUnitProperty_MakeConnection else {
        return try write(address, of: unit, bytes)
      }
      let output = ForeignOutput(data, size)
      // Connecting locks two units. To avoid a deadlock, only one connection is made at a time.
      try ControlLocks.connecting.acquire()
      defer { ControlLocks.connecting.unlock() }
      return try write(address, of: unit, bytes, output)
    }
    do throws(AudioError) { try provider.write(address, bytes) } catch {
      throw error.of(PropertyNames.name(address.id))
    }
  }

  private func write(
    _ address: PropertyAddress, of unit: NativeUnit, _ bytes: UnsafeRawBufferPointer,
    _ output: ForeignOutput? = nil
  ) throws(AudioError) {
    try change(unit) { () throws(AudioError) in
      foreignOutput = output
      defer { foreignOutput = nil }
      let row = try row(address, of: unit)
      // Nothing is compared for nobody.
      guard !listeners.isEmpty else {
        return try unit.propertyTable.write(row, address, of: unit, bytes.isEmpty ? nil : bytes)
      }
      let before = comparedValue(row, address, of: unit)
      try unit.propertyTable.write(row, address, of: unit, bytes.isEmpty ? nil : bytes)
      let isChange = before == nil || before != comparedValue(row, address, of: unit)
      changed = (isChange ? [address] : []) + changed.filter { $0.id != address.id }
    }
  }

  private func row(_ address: PropertyAddress, of unit: NativeUnit) throws(AudioError)
    -> UnitProperty
  {
    let row = try unit.propertyTable.row(address, of: unit)
    switch row.addressing {
    case .element: _ = try unit.elements.element(address.scope, address.element)
    // Element 0 means the scope, even if the scope has no elements.
    case .scope where address.element > 0:
      _ = try unit.elements.element(address.scope, address.element)
    case .scope, .parameter, .owner: break
    }
    return row
  }

  /// The bytes of a property that notifies listeners only of changes; nil for others.
  private func comparedValue(
    _ row: UnitProperty, _ address: PropertyAddress, of unit: NativeUnit
  ) -> [UInt8]? {
    guard case .changes = row.notification, row.write != nil,
      case .bytes(let bytes, _, _)? = try? row.read?(PropertyQuery(unit, address, .units))
    else { return nil }
    return bytes
  }

  private func provider(of id: AudioUnitPropertyID, _ unit: NativeUnit) -> (any PropertyProvider)? {
    unit.propertyProvider.flatMap { $0.provides(id) ? $0 : nil }
  }

  // MARK: Changes

  /// [control thread] Runs `body` under the unit's lock, and then calls the listeners of the
  /// properties that it recorded.
  func change(_ unit: NativeUnit, _ body: () throws(AudioError) -> Void) throws(AudioError) {
    let addresses = try unit.control { () throws(AudioError) in
      try unit.life.releaseLeftovers(of: unit)
      changed.removeAll()
      try body()
      return changed
    }
    guard !addresses.isEmpty, !listeners.isEmpty else { return }
    for address in addresses { listeners.notify(address, of: unit) }
  }

  /// [control thread, under the lock] Records that the current call changed a property.
  func record(_ address: PropertyAddress) { changed.append(address) }

  // MARK: Listeners

  /// [control thread] Adds a listener of a property.
  func add(_ id: AudioUnitPropertyID, _ listener: PropertyListener, of unit: NativeUnit) {
    listeners.add(id, listener)
    provider(of: id, unit)?.listenersChanged(id)
  }

  /// [any thread] Removes a listener of a property.
  func remove(
    _ id: AudioUnitPropertyID, _ listener: PropertyListener, matchingUserData: Bool,
    of unit: NativeUnit
  ) {
    listeners.remove(id, listener, matchingUserData: matchingUserData)
    provider(of: id, unit)?.listenersChanged(id)
  }
}
