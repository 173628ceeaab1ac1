// SPDX-License-Identifier: Apache-2.0

/// The memory of one owner: arrays and single values, which end together.
///
/// Render code sees memory by plain pointers, so that it counts no references. The owner of an
/// `OwnedMemory` allocates its arrays from it and calls `deallocate` once, so that none is leaked.
public struct OwnedMemory: BitwiseCopyable, @unchecked Sendable {
  /// The header before each array, in its own cache line.
  private struct Header {
    /// The array that was taken before it.
    let previous: UnsafeMutableRawPointer?
    /// Ends the values, where they have something to end.
    var end: ((UnsafeMutableRawPointer) -> Void)?
  }

  /// Arrays begin at lines of the cache.
  private static var alignment: Int { 64 }

  /// The array that was taken last.
  private let last: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// [control thread] Memory without an array yet.
  public init() {
    last = .allocate(capacity: 1)
    last.initialize(to: nil)
  }

  /// [control thread] A new array of `count` values, each of them `value`; there may be none.
  @inlinable
  public func array<Value: BitwiseCopyable>(_ count: Int, of value: Value)
    -> UnsafeMutablePointer<Value>
  {
    let array = room(count, for: Value.self)
    array.initialize(repeating: value, count: count)
    return array
  }

  /// [control thread] A new array with these values; there may be none.
  @inlinable
  public func array<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    let array = room(values.count, for: Value.self)
    array.initialize(from: values, count: values.count)
    return array
  }

  /// [control thread] A new array of `count` values that are yet to be written: its pages cost nothing
  /// until then.
  @inlinable
  public func room<Value: BitwiseCopyable>(_ count: Int, for type: Value.Type)
    -> UnsafeMutablePointer<Value>
  {
    allocate(max(count, 1) * MemoryLayout<Value>.stride).bindMemory(
      to: type, capacity: max(count, 1))
  }

  /// [control thread] So many bytes that are yet to be written, at a line of the cache.
  public func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: allocate(max(count, 1)), count: count)
  }

  /// [control thread] A place of its own for a value of any kind, which ends with the memory.
  public func cell<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    let place = allocate(MemoryLayout<Value>.stride).bindMemory(to: Value.self, capacity: 1)
    place.initialize(to: value)
    setEnd(of: place) { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    return place
  }

  /// [control thread] A new array of `count` values of any kind, each as `make` gives it for its index;
  /// they end with the memory.
  public func cells<Value: ~Copyable>(_ count: Int, _ make: (Int) -> Value)
    -> UnsafeMutablePointer<Value>
  {
    let array = allocate(max(count, 1) * MemoryLayout<Value>.stride)
      .bindMemory(to: Value.self, capacity: max(count, 1))
    for index in 0..<count { (array + index).initialize(to: make(index)) }
    setEnd(of: array) { $0.assumingMemoryBound(to: Value.self).deinitialize(count: count) }
    return array
  }

  /// [control thread] Ends and frees all of it, what was taken last first; nothing may use it any more.
  public func deallocate() {
    while let array = last.pointee {
      let header = Self.header(of: array)
      header.pointee.end?(array)
      last.pointee = header.pointee.previous
      header.deinitialize(count: 1)
      UnsafeMutableRawPointer(header).deallocate()
    }
    last.deallocate()
  }

  /// Memory for some bytes.
  @usableFromInline
  func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: Self.alignment + byteCount, alignment: Self.alignment)
    block.bindMemory(to: Header.self, capacity: 1).initialize(
      to: Header(previous: last.pointee, end: nil))
    last.pointee = block + Self.alignment
    return block + Self.alignment
  }

  private func setEnd(
    of array: UnsafeMutableRawPointer, _ end: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    Self.header(of: array).pointee.end = end
  }

  private static func header(of array: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    (array - alignment).assumingMemoryBound(to: Header.self)
  }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// [control thread] A place of its own for a value, until `endCell`.
  @inlinable
  public static func cell(_ value: consuming Pointee) -> Self {
    let place = Self.allocate(capacity: 1)
    place.initialize(to: value)
    return place
  }

  /// [control thread] Ends the value that `cell` took, and frees its place; nothing may use it any more.
  @inlinable
  public func endCell() { deinitialize(count: 1).deallocate() }
}
