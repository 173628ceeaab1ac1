// SPDX-License-Identifier: Apache-2.0

/// The meaning of the element number in an address.
public enum PropertyAddressing: Sendable {
  case element, parameter
  /// The whole scope, even one without elements.
  case scope
  /// Nothing: the property belongs to its owner as a whole, and any element is accepted.
  case owner
}

/// One property, declared once: a row of a `PropertyTable`.
///
/// Size, scope and writability checks, their errors, change notification and the row of the
/// compatibility document all follow from it. `PropertyRow+Values.swift` makes the usual rows.
public final class PropertyRow<Owner>: Sendable {
  /// Reads a value; nil if the owner has no such property at that scope and element.
  public typealias Read = @Sendable (PropertyQuery<Owner>) throws(AudioError) -> PropertyValue?
  /// Sets a value.
  public typealias Write =
    @Sendable (Owner, PropertyAddress, PropertyData) throws(AudioError) -> Void
  /// Removes a value.
  public typealias Remove = @Sendable (Owner, PropertyAddress) throws(AudioError) -> Void

  /// When a program may set the property.
  public enum Writability: Sendable {
    case always
    /// Unless there is a reason against it, for example that the owner is running.
    case unless(@Sendable (Owner) -> AudioError?)
    /// While this is true, as far as a program can ask. The setter itself refuses values.
    case reported(@Sendable (Owner, PropertyAddress) -> Bool)
  }

  /// The size of a value.
  public enum Size: Sendable {
    case bytes(Int)
    /// That of the current value, which is read.
    case ofValue
    /// This, because reading the value makes objects that someone would have to release.
    case measured(@Sendable (Owner) throws(AudioError) -> Int)
  }

  /// When listeners are called.
  public enum Notification: Sendable {
    /// Whenever it was set.
    case sets
    /// When setting it changed its value.
    case changes
    /// When this text changes.
    case comparing(@Sendable (Owner) -> String)
  }

  public let id: UInt32
  /// The scopes that have it; empty if its family has no scopes, or if reading it decides.
  public let scopes: [UInt32]
  public let addressing: PropertyAddressing
  public let size: Size
  /// The C type, for documents.
  public let typeName: String
  public let writability: Writability
  public let notification: Notification
  /// Whether reading it uses an input in the program's memory.
  public let takesInput: Bool
  public let read: Read?
  public let write: Write?
  public let remove: Remove?
  /// Which owners have it, and why the others do not.
  @usableFromInline let presence: @Sendable (Owner) -> Bool
  let absence: String

  /// A row with closures of its own; those that cannot be read or set leave them out.
  public init(
    _ id: UInt32, in scopes: [UInt32] = [], by addressing: PropertyAddressing = .element,
    size: Size = .ofValue, type: String = "", writable writability: Writability = .always,
    notifies notification: Notification = .sets, takesInput: Bool = false, read: Read? = nil,
    write: Write? = nil,
    remove: Remove? = nil, presence: @escaping @Sendable (Owner) -> Bool = { _ in true },
    absence: String = ""
  ) {
    self.id = id
    self.scopes = scopes
    self.addressing = addressing
    self.size = size
    typeName = type
    self.writability = writability
    self.notification = notification
    self.takesInput = takesInput
    self.read = read
    self.write = write
    self.remove = remove
    self.presence = presence
    self.absence = absence
  }

  /// The same row for some owners only; `absence` is the reason why others do not have it.
  public func when(
    _ presence: @escaping @Sendable (Owner) -> Bool, otherwise absence: String = ""
  ) -> PropertyRow {
    PropertyRow(
      id, in: scopes, by: addressing, size: size, type: typeName, writable: writability,
      notifies: notification, takesInput: takesInput, read: read, write: write, remove: remove,
      presence: presence,
      absence: absence)
  }

  /// A property that no owner has, because it would have no effect.
  public static func absent(_ id: UInt32, because reason: String) -> PropertyRow {
    PropertyRow(id, presence: { _ in false }, absence: reason)
  }

  /// Why it cannot be set now; nil if it can.
  @inlinable
  func refusal(_ owner: Owner) -> AudioError? {
    if case .unless(let refusal) = writability { refusal(owner) } else { nil }
  }

  /// Whether it can be set now.
  @inlinable
  public func isWritable(_ owner: Owner, _ address: PropertyAddress) -> Bool {
    guard write != nil else { return false }
    return switch writability {
    case .always: true
    case .unless(let refusal): refusal(owner) == nil
    case .reported(let isWritable): isWritable(owner, address)
    }
  }
}

extension PropertyRow where Owner: AnyObject {
  /// The same row in a table of a base class, which only owners of this class look up.
  public func inherited<Base: AnyObject>() -> PropertyRow<Base> {
    @Sendable func own(_ owner: Base) -> Owner { unsafeDowncast(owner, to: Owner.self) }
    let size: PropertyRow<Base>.Size =
      switch size {
      case .bytes(let count): .bytes(count)
      case .ofValue: .ofValue
      case .measured(let measure):
        .measured { (owner) throws(AudioError) in try measure(own(owner)) }
      }
    let writability: PropertyRow<Base>.Writability =
      switch writability {
      case .always: .always
      case .unless(let refusal): .unless { refusal(own($0)) }
      case .reported(let isWritable): .reported { isWritable(own($0), $1) }
      }
    let notification: PropertyRow<Base>.Notification =
      switch notification {
      case .sets: .sets
      case .changes: .changes
      case .comparing(let text): .comparing { text(own($0)) }
      }
    var read: PropertyRow<Base>.Read?
    if let ownRead = self.read {
      read = { (query) throws(AudioError) in try ownRead(query.asked(of: own(query.owner))) }
    }
    var write: PropertyRow<Base>.Write?
    if let ownWrite = self.write {
      write = { (owner, address, data) throws(AudioError) in
        try ownWrite(own(owner), address, data)
      }
    }
    var remove: PropertyRow<Base>.Remove?
    if let ownRemove = self.remove {
      remove = { (owner, address) throws(AudioError) in try ownRemove(own(owner), address) }
    }
    let ownPresence = presence
    return PropertyRow<Base>(
      id, in: scopes, by: addressing, size: size, type: typeName, writable: writability,
      notifies: notification, takesInput: takesInput, read: read, write: write, remove: remove,
      presence: { ownPresence(own($0)) }, absence: absence)
  }
}
