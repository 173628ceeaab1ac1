// SPDX-License-Identifier: Apache-2.0

/// The memory of one owner: arrays and single values that are freed together.
///
/// Render code accesses the memory by plain pointers, so that it counts no references. The owner
/// allocates arrays from it and calls `deallocate` once, so that none is leaked.
public struct OwnedMemory: BitwiseCopyable, @unchecked Sendable {
  /// The header before each array, in its own cache line.
  private struct Header {
    /// The array that was allocated before it.
    let previous: UnsafeMutableRawPointer?
    /// Deinitializes the values, if they need it.
    var deinitialize: ((UnsafeMutableRawPointer) -> Void)?
  }

  /// Arrays begin at cache lines.
  private static var alignment: Int { 64 }

  /// The array that was allocated last.
  private let last: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// [control thread] Makes a memory without arrays.
  public init() {
    last = .allocate(capacity: 1)
    last.initialize(to: nil)
  }

  /// [control thread] Allocates an array of `count` copies of `value`; `count` may be zero.
  @inlinable
  public func array<Value: BitwiseCopyable>(_ count: Int, of value: Value)
    -> UnsafeMutablePointer<Value>
  {
    let array = room(count, for: Value.self)
    array.initialize(repeating: value, count: count)
    return array
  }

  /// [control thread] Allocates an array with these values; it may be empty.
  @inlinable
  public func array<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    let array = room(values.count, for: Value.self)
    array.initialize(from: values, count: values.count)
    return array
  }

  /// [control thread] Allocates an array of `count` uninitialized values: its pages cost nothing
  /// until they are written.
  @inlinable
  public func room<Value: BitwiseCopyable>(_ count: Int, for type: Value.Type)
    -> UnsafeMutablePointer<Value>
  {
    allocate(max(count, 1) * MemoryLayout<Value>.stride).bindMemory(
      to: type, capacity: max(count, 1))
  }

  /// [control thread] Allocates `count` uninitialized bytes, aligned to a cache line.
  public func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: allocate(max(count, 1)), count: count)
  }

  /// [control thread] Allocates and initializes one value of any type, which is deinitialized with
  /// the memory.
  public func cell<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    let pointer = allocate(MemoryLayout<Value>.stride).bindMemory(to: Value.self, capacity: 1)
    pointer.initialize(to: value)
    setDeinitializer(of: pointer) { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    return pointer
  }

  /// [control thread] Allocates an array of `count` values of any type, which `make` returns for
  /// each index; they are deinitialized with the memory.
  public func cells<Value: ~Copyable>(_ count: Int, _ make: (Int) -> Value)
    -> UnsafeMutablePointer<Value>
  {
    let array = allocate(max(count, 1) * MemoryLayout<Value>.stride)
      .bindMemory(to: Value.self, capacity: max(count, 1))
    for index in 0..<count { (array + index).initialize(to: make(index)) }
    setDeinitializer(of: array) {
      $0.assumingMemoryBound(to: Value.self).deinitialize(count: count)
    }
    return array
  }

  /// [control thread] Deinitializes and frees everything, the last allocation first; nothing may
  /// use it afterwards.
  public func deallocate() {
    while let array = last.pointee {
      let header = Self.header(of: array)
      header.pointee.deinitialize?(array)
      last.pointee = header.pointee.previous
      header.deinitialize(count: 1)
      UnsafeMutableRawPointer(header).deallocate()
    }
    last.deallocate()
  }

  /// Allocates some bytes.
  @usableFromInline
  func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: Self.alignment + byteCount, alignment: Self.alignment)
    block.bindMemory(to: Header.self, capacity: 1).initialize(
      to: Header(previous: last.pointee, deinitialize: nil))
    last.pointee = block + Self.alignment
    return block + Self.alignment
  }

  private func setDeinitializer(
    of array: UnsafeMutableRawPointer, _ deinitialize: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    Self.header(of: array).pointee.deinitialize = deinitialize
  }

  private static func header(of array: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    (array - alignment).assumingMemoryBound(to: Header.self)
  }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// [control thread] Allocates and initializes one value, until `endCell`.
  @inlinable
  public static func cell(_ value: consuming Pointee) -> Self {
    let pointer = Self.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }

  /// [control thread] Deinitializes and frees the value of `cell`; nothing may use it afterwards.
  @inlinable
  public func endCell() { deinitialize(count: 1).deallocate() }
}
