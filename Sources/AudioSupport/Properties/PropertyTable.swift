// SPDX-License-Identifier: Apache-2.0

/// The properties of one kind of owner, one row each.
///
/// Look-up, scopes, sizes, writability and their errors are here, once for all families: units,
/// files, converters, queues, audio objects, the session.
public final class PropertyTable<Owner>: Sendable {
  public let family: PropertyFamily
  /// The rows in the order of their declaration, without those of `base`.
  public let rows: [PropertyRow<Owner>]
  /// The rows that all owners have, unless `rows` replaces them.
  @usableFromInline let base: PropertyTable?
  @usableFromInline let index: [UInt32: PropertyRow<Owner>]

  /// A table of rows. The first of several rows of one property counts.
  public init(
    _ family: PropertyFamily, _ rows: [PropertyRow<Owner>], over base: PropertyTable? = nil
  ) {
    self.family = family
    self.rows = rows
    self.base = base
    // A few rows are found sooner by looking at each.
    index =
      rows.count > 12
      ? Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one }) : [:]
  }

  /// The row of a property; nil if there is none.
  @inlinable
  public func row(_ id: UInt32) -> PropertyRow<Owner>? {
    let own = index.isEmpty ? rows.first { $0.id == id } : index[id]
    return own ?? base?.row(id)
  }

  /// The rows of an owner, its own first.
  public func rows(of owner: Owner) -> [PropertyRow<Owner>] {
    let inherited = base?.rows(of: owner) ?? []
    return rows.filter { $0.presence(owner) }
      + inherited.filter { row in !rows.contains { $0.id == row.id } }
  }

  /// The row of a property that the owner has in the scope.
  @inlinable
  public func row(_ address: PropertyAddress, of owner: Owner) throws(AudioError)
    -> PropertyRow<Owner>
  {
    guard let row = row(address.id), row.presence(owner) else {
      throw unknown(address)
    }
    guard row.scopes.isEmpty || row.scopes.contains(address.scope) else {
      throw wrongScope(row, address)
    }
    return row
  }

  /// Size and writability of a property.
  @inlinable
  public func info(
    _ address: PropertyAddress, of owner: Owner,
    qualifier: UnsafeRawBufferPointer = .init(start: nil, count: 0)
  ) throws(AudioError) -> PropertyInfo {
    try info(
      try row(address, of: owner), PropertyQuery(owner, address, family, qualifier: qualifier))
  }

  /// Size and writability of the property of a row.
  @inlinable
  public func info(_ row: PropertyRow<Owner>, _ query: PropertyQuery<Owner>) throws(AudioError)
    -> PropertyInfo
  {
    PropertyInfo(
      size: try size(row, query), isWritable: row.isWritable(query.owner, query.address))
  }

  @inlinable
  func size(_ row: PropertyRow<Owner>, _ query: PropertyQuery<Owner>) throws(AudioError)
    -> Int
  {
    switch row.size {
    case .bytes(let count): count
    case .measured(let measure): try measure(query.owner)
    case .ofValue: try value(row, query).size
    }
  }

  /// The value of a property.
  @inlinable
  public func value(
    _ address: PropertyAddress, of owner: Owner,
    qualifier: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    memory: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)
  ) throws(AudioError) -> PropertyValue {
    try value(
      try row(address, of: owner),
      PropertyQuery(owner, address, family, qualifier: qualifier, memory: memory))
  }

  /// The value of a row.
  @inlinable
  public func value(_ row: PropertyRow<Owner>, _ query: PropertyQuery<Owner>) throws(AudioError)
    -> PropertyValue
  {
    guard let read = row.read else {
      throw writeOnly(query.address)
    }
    let value: PropertyValue?
    do throws(AudioError) { value = try read(query) } catch {
      throw family.explained(error, query.address)
    }
    if let value { return value }
    throw unknown(query.address)
  }

  /// Reads a property into memory of `size` bytes and sets `size` to the number of bytes written.
  @inlinable
  public func read(
    _ address: PropertyAddress, of owner: Owner,
    qualifier: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    into memory: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    let row = try row(address, of: owner)
    let room = Int(size)
    let query = PropertyQuery(
      owner, address, family, qualifier: qualifier, memory: .init(start: memory, count: room))
    // Before a value is made that nobody would get.
    if family.truncation == .none, row.read != nil {
      switch row.size {
      case .bytes(let count): try family.check(room, count, address)
      case .measured(let measure): try family.check(room, try measure(owner), address)
      case .ofValue: break
      }
    }
    size = try family.write(try value(row, query), address, to: memory, room: room)
  }

  /// Sets a property, or removes its value if `bytes` is nil.
  @inlinable
  public func write(_ address: PropertyAddress, of owner: Owner, _ bytes: UnsafeRawBufferPointer?)
    throws(AudioError)
  { try write(try row(address, of: owner), address, of: owner, bytes) }

  /// Sets the property of a row.
  @inlinable
  public func write(
    _ row: PropertyRow<Owner>, _ address: PropertyAddress, of owner: Owner,
    _ bytes: UnsafeRawBufferPointer?
  ) throws(AudioError) {
    guard let write = row.write else { throw readOnly(address) }
    do throws(AudioError) {
      if let bytes {
        if let refusal = row.refusal(owner) { throw refusal }
        try write(owner, address, PropertyData(bytes, family))
      } else {
        guard let remove = row.remove else {
          throw family.wrongValue.because("it cannot be removed")
        }
        try remove(owner, address)
      }
    } catch { throw family.explained(error, address) }
  }

  // MARK: Errors

  @usableFromInline
  func unknown(_ address: PropertyAddress) -> AudioError {
    let reason = row(address.id)?.absence ?? ""
    return family.errors.unknown.because(
      "\(family.name(address)) is not one of \(family.owner) properties"
        + (reason.isEmpty ? "" : ": \(reason)"))
  }

  /// The error of a scope that the property is not on.
  @usableFromInline
  func wrongScope(_ row: PropertyRow<Owner>, _ address: PropertyAddress) -> AudioError {
    family.errors.scope.because(
      "\(family.name(address)) is not on the \(family.scopeName(address.scope)) scope, but on: "
        + row.scopes.map(family.scopeName).joined(separator: ", "))
  }

  /// The error of reading a property that can only be set.
  @usableFromInline
  func writeOnly(_ address: PropertyAddress) -> AudioError {
    family.errors.unreadable.because("\(family.name(address)) can only be set")
  }

  /// The error of setting a property that can only be read.
  public func readOnly(_ address: PropertyAddress) -> AudioError {
    family.errors.readOnly.because("\(family.name(address)) can only be read")
  }
}
