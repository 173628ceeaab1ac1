// SPDX-License-Identifier: Apache-2.0

/// Adjacent elements in memory, as input of the functions of `vDSP` and `vForce`.
public protocol AccelerateBuffer<Element> {
  /// The type of its elements.
  associatedtype Element

  /// The number of elements. [any thread]
  var count: Int { get }

  /// Calls a function with the elements. [any thread]
  func withUnsafeBufferPointer<R>(
    _ body: (UnsafeBufferPointer<Element>) throws -> R
  ) rethrows -> R
}

/// Adjacent elements in memory, as output of the functions of `vDSP` and `vForce`.
public protocol AccelerateMutableBuffer<Element>: AccelerateBuffer {
  /// Calls a function with the elements, which it may change. [one thread at a time]
  mutating func withUnsafeMutableBufferPointer<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R
}

extension AccelerateBuffer where Self: Collection {
  /// Calls a function with the elements of a collection that has contiguous storage; another ends the
  /// program. [any thread]
  public func withUnsafeBufferPointer<R>(
    _ body: (UnsafeBufferPointer<Element>) throws -> R
  ) rethrows -> R {
    guard let result = try withContiguousStorageIfAvailable(body) else {
      fatalError("Accelerate: the elements of a collection are not adjacent in memory")
    }
    return result
  }
}

extension AccelerateMutableBuffer where Self: MutableCollection {
  /// Calls a function with the elements of a collection that has contiguous storage; another ends the
  /// program. [one thread at a time]
  public mutating func withUnsafeMutableBufferPointer<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R {
    guard let result = try withContiguousMutableStorageIfAvailable(body) else {
      fatalError("Accelerate: the elements of a collection are not adjacent in memory")
    }
    return result
  }
}

extension Array: AccelerateMutableBuffer {}
extension ContiguousArray: AccelerateMutableBuffer {}
extension ArraySlice: AccelerateMutableBuffer {}
extension Slice: AccelerateBuffer where Base: AccelerateBuffer {}
extension Slice: AccelerateMutableBuffer where Base: AccelerateMutableBuffer & MutableCollection {}

extension UnsafeBufferPointer: AccelerateBuffer {
  /// Calls a function with these elements. [any thread]
  public func withUnsafeBufferPointer<R>(
    _ body: (UnsafeBufferPointer<Element>) throws -> R
  ) rethrows -> R { try body(self) }
}

extension UnsafeMutableBufferPointer: AccelerateMutableBuffer {
  /// Calls a function with these elements. [any thread]
  public func withUnsafeBufferPointer<R>(
    _ body: (UnsafeBufferPointer<Element>) throws -> R
  ) rethrows -> R { try body(UnsafeBufferPointer(self)) }

  /// Calls a function with these elements. [one thread at a time]
  public mutating func withUnsafeMutableBufferPointer<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R {
    var elements = self
    return try body(&elements)
  }
}
